"""003 Illegal Knock: what a referee said of a knock, against the opponent's word too."""

import pytest

from tests.rules.gin.hands import (
    DEAL,
    KNOCK,
    LAYOFF,
    SCORE,
    SHOW,
    found,
    judged,
    said,
    turns,
)

ABANDONED = "end abandoned"
DREW = "draw 1 stock 5S\n"
SHOW_ALL = "show 2 KH KD KC + TS TH 8C 6D 5C 2C AD"
OVER = "knock 1 7S 7H 7D + JS QS KS AH 2H 2D 3C / 5S"  # 38 points of deadwood


def test_a_ruling_on_a_knock_is_judged():
    assert found(f"{DREW}{KNOCK}\nruling ref1 7 declaration-wrong\n{turns(2)}", end=ABANDONED) == [
        "right-declaration-refused 8/1"
    ]
    assert found(f"{DREW}{KNOCK}\nruling ref1 7 declaration-right", end=ABANDONED) == []
    assert found(f"{DREW}{OVER}\nruling ref1 7 declaration-right", end=ABANDONED) == [
        "knock-over-limit 7/1",
        "arrangement-not-best 7/1 note",
        "wrong-declaration-accepted 8/1",
    ]


def test_the_last_ruling_on_a_knock_counts():
    """What a referee took back contradicts nothing any more."""
    wrong, right = "ruling ref1 7 declaration-wrong\n", "ruling ref2 7 declaration-right\n"
    played = f"{LAYOFF}\n{SHOW}\n{SCORE}"

    assert found(f"{DREW}{KNOCK}\n{wrong}{right}{played}") == []
    assert found(f"{DREW}{KNOCK}\n{right}{wrong}{wrong}{turns(2)}", end=ABANDONED) == [
        "right-declaration-refused 10/1"
    ]
    over = ["knock-over-limit 7/1", "arrangement-not-best 7/1 note"]
    handled = [f"{over[0]} note", over[1]]
    assert found(f"{DREW}{OVER}\n{right}{wrong}{turns(2)}", end=ABANDONED) == handled
    shown = f"{SHOW_ALL}\nscore 1=4 2=0 winner=1"
    result = judged(f"{DREW}{OVER}\n{wrong}{right}{shown}")
    assert said(result) == [*over, "wrong-declaration-accepted 9/1"]
    assert result.result.scores == {1: 4, 2: 0}
    # Where it cannot be told whether the knock stands, no ruling contradicts it.
    unseen = KNOCK.replace("3C", "??")
    codes = found(f"{DREW}{unseen}\n{wrong}{right}{LAYOFF}\n{SHOW}", end=ABANDONED)
    assert [each for each in codes if "declaration" in each] == []


@pytest.mark.parametrize("choice", ["hand-stays-open", "hand-picked-up"])
@pytest.mark.parametrize("before", ["", "ruling ref1 7 declaration-wrong\n"])
def test_a_right_knock_that_the_opponent_refused_is_upheld_by_a_ruling(before, choice):
    refused = f"{DREW}{KNOCK}\n{before}choice 2 {choice}\n"
    right = "ruling ref1 7 declaration-right\n"
    result = judged(f"{refused}{right}{LAYOFF}\n{SHOW}\n{SCORE}")

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})
    # A bonus is due all the same, and once there was play the knock is past.
    gin = KNOCK.replace("| JS QS KS + AH 2H 2D 3C", "| JS QS KS | AH 2H 3H 4H")
    start = f"{DEAL.replace('2D 3C', '3H 4H')}\nupcard 9H\npass 1\npass 2\n"
    shown = f"{SHOW_ALL}\nscore 1=67 2=0 winner=1"
    won = refused.replace(KNOCK, gin)
    assert found(f"{won}{right}{shown}", start=start) == []
    first = "right-declaration-refused 8/1"
    assert found(f"{refused}{turns(2)}\n{right}{turns(1)}", end=ABANDONED) == [first]
    assert found(f"{refused}{turns(2, 1)}", end=ABANDONED) == [first]


@pytest.mark.parametrize("score", [SCORE, "score 1=0 2=0", "score 1=0 2=25 winner=2"])
def test_a_knock_that_was_ruled_wrong_ends_nothing_and_brings_nobody_points(score):
    refused = f"{DREW}{OVER}\nruling ref1 7 declaration-wrong\n"
    handled = ["knock-over-limit 7/1 note", "arrangement-not-best 7/1 note"]
    result = judged(f"{refused}{score}")

    assert said(result) == [*handled, "hand-not-ended 9"]
    assert (result.result.outcome, result.result.scores) == ("undecided", {})
    # 003 Illegal Knock: the opponent may take it for right all the same.
    accepted = judged(f"{refused}choice 2 accept-knock\nscore 1=4 2=0 winner=1")
    assert (said(accepted), accepted.result.scores) == (handled, {1: 4, 2: 0})
