"""A card thrown face down and taken unseen: it may be one that was seen in the thrower's hand."""

import pytest

from tests.rules.gin.hands import dealt, found, judged, not_run, said

DARK = "draw 1 stock 5S\ndiscard 1 ??\ndraw 2 discard\n"
QUIET = f"{DARK}discard 2 2C\ndraw 1 stock 4S\n"
KNOCK = "knock 1 7S 7H 7D | JS QS KS + AH 2H 3C 4S / 5S\n"
SPREAD = "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C / 5S\n"
KINGS = dealt("7S 7H 7D JS QS KS AH 2H 2D 3D", "KH KD KC 8H 8D 8S 4C 3C 2C TC")


@pytest.mark.parametrize("took", ["draw 2 discard", "draw 2 discard ??"])
def test_a_card_taken_unseen_comes_to_light_as_a_discard(took):
    later = f"{QUIET}discard 1 4S\ndraw 2 stock 6S\n".replace("draw 2 discard", took)

    assert found(f"{later}discard 2 7S", end="end abandoned") == []
    assert found(f"{later}discard 2 7S\ndraw 1 stock 9D\ndiscard 1 7S", end="end abandoned") == [
        "card-not-held 15/1"
    ]
    # There was one such card: another that seat 1 holds cannot be here.
    two = f"{later}discard 2 7S\ndraw 1 stock 9D\ndiscard 1 9D\ndraw 2 stock\ndiscard 2 7H"
    assert found(two, end="end abandoned") == ["too-many-copies 17/2"]


def test_the_one_card_that_was_not_seen_is_the_card_just_taken():
    assert found(f"{DARK}discard 2 7S", end="end abandoned") == ["discard-just-taken 9/2"]

    drawn = f"{QUIET}discard 1 4S\ndraw 2 stock\ndiscard 2 TH\n"
    unsure = judged(f"{drawn}draw 1 stock 3S\ndiscard 1 ??\ndraw 2 discard\ndiscard 2 3S")
    assert not_run(unsure)["discard-just-taken"] == "which card was taken and thrown is not known"


@pytest.mark.parametrize("detail", ["full", "table"])
@pytest.mark.parametrize(
    ("shown", "points"),
    [
        ("layoff 2 TS > 2\nshow 2 KH KD KC + TH 8C 6D 5C AD 2D", 22),
        ("show 2 KH KD KC + TH 8C 6D 5C AD 2D\nlayoff 2 TS > 2", 22),
    ],
)
def test_a_card_taken_unseen_comes_to_light_in_a_show(shown, points, detail):
    body = f"{QUIET}{KNOCK}{shown}\nscore 1={points} 2=0 winner=1"
    if detail == "table":
        body = body.replace("stock 5S", "stock").replace("stock 4S", "stock")
    result = judged(body, detail=detail)

    assert (said(result), result.result.scores, not_run(result)) == ([], {1: points, 2: 0}, {})


def test_a_card_taken_unseen_comes_to_light_in_a_knock():
    body = f"{DARK}knock 2 KH KD KC | 8H 8D 8S | 4C 3C 2C + 2D / TC\n"
    shown = f"{body}show 1 7S 7H 7D | JS QS KS + AH 2H 3D 5S\nscore 1=0 2=9 winner=2"
    result = judged(shown, start=KINGS)

    assert (said(result), result.result.scores) == ([], {1: 0, 2: 9})
    # Then seat 1 does not hold it any more.
    twice = f"{body}show 1 7S 7H 7D | JS QS KS + AH 2H 2D 3D"
    assert found(twice, start=KINGS, end="end abandoned") == ["card-not-held 10/1"]


def test_a_card_taken_unseen_is_thrown_unseen_and_taken_back():
    assert found(f"{DARK}discard 2 ??\ndraw 1 discard 7S", end="end abandoned") == []


def test_a_card_in_sight_is_in_no_other_hand_where_nothing_was_taken_unseen():
    turn = "draw 1 stock 5S\ndiscard 1 ??\ndraw 2 stock\ndiscard 2 7S"

    assert found(turn, end="end abandoned") == ["too-many-copies 9/2"]


def test_what_was_taken_unseen_and_never_shown_is_told():
    why = "a card taken from the discard pile was not seen"

    assert not_run(judged(QUIET, end="end abandoned"))["too-many-copies"] == why


def test_the_card_thrown_unseen_with_a_knock_is_no_deadwood():
    """The melds are ten of eleven cards that are known: the other one was thrown."""
    start = dealt("7S 7H 7D JS QS KS AH 2H 3H 4H", "KH KD KC TS TH 8C 6D 5C 2C AD")
    body = "draw 1 stock 5S\nknock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H / ??\n"
    shown = "show 2 KH KD KC + TS TH 8C 6D 5C 2C AD\nscore 1=67 2=0 winner=1"
    result = judged(f"{body}{shown}", start=start)

    assert (said(result), result.result.scores) == ([], {1: 67, 2: 0})


@pytest.mark.parametrize(("judge", "over"), [("best", []), ("declared", ["knock-over-limit 7/1"])])
def test_a_card_that_is_not_known_may_make_a_meld_of_what_lies_loose(judge, over):
    """2D 2H and a third of that rank is a set where the knocker is judged by the best."""
    loose = "knock 1 7S 7H 7D + JS QS ?? AH 2H 2D 3C / 5S"
    about = {"detail": "table", "rules": f"judge_knocker={judge}", "end": "end abandoned"}

    assert found(f"draw 1 stock\n{loose}", **about) == over
    assert "knock-over-limit" in not_run(judged(f"draw 1 stock\n{loose}", **about))


def test_on_what_was_laid_off_unseen_anything_may_fit():
    """The 10 and the 9 of spades go on the run, the one unseen; then nobody knows the best."""
    laid = "layoff 2 ?? > 2\nlayoff 2 9S > 2\n"
    shown = "show 2 KH KD KC + TH 8C 6D 5C 2C\nscore 1=23 2=0 winner=1"
    start = dealt("7S 7H 7D JS QS KS AH 2H 2D 3C", "KH KD KC TS TH 8C 6D 5C 2C 9S")
    body = f"draw 1 stock 5S\n{SPREAD}{laid}{shown}"
    best = judged(body, start=start, rules="judge_defender=best")

    assert (said(best), best.result.scores) == ([], {})
    assert "score-wrong" in not_run(best)
    assert judged(body, start=start).result.scores == {1: 23, 2: 0}


@pytest.mark.parametrize("detail", ["full", "table", "shown"])
def test_a_card_laid_off_unseen_against_the_rules_still_counts(detail):
    gin = "knock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H / 5S\n"
    shown = "show 2 KH KD KC + TH 8C 6D 5C 2C AD\nscore 1=67 2=0 winner=1"
    start = dealt("7S 7H 7D JS QS KS AH 2H 3H 4H", "KH KD KC TS TH 8C 6D 5C 2C AD")
    play = {"start": "", "detail": "shown"} if detail == "shown" else {"start": start}
    drew = "" if detail == "shown" else "draw 1 stock 5S\n"
    result = judged(f"{drew}{gin}layoff 2 ?? > 2\n{shown}", **{"detail": detail, **play})

    assert [each.code for each in result.findings] == ["layoff-on-gin"]
    assert (result.result.scores, "score-wrong" in not_run(result)) == ({}, True)


def test_a_card_that_lies_in_sight_is_not_the_unseen_one_that_is_taken():
    turn = "draw 1 stock 5S\ndiscard 1 ??\n"

    assert found(f"{turn}draw 2 discard 8C", end="end abandoned") == ["draw-not-top 8/2"]
    assert found(f"{turn}draw 2 discard 7S", end="end abandoned") == []
