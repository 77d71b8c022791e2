"""Cards that nobody saw: what hangs on them is not run, never passed and never guessed."""

import pytest

from tests.rules.indian.hands import (
    BOTH,
    RIGHT,
    SHOWN,
    WON,
    dealt,
    found,
    judged,
    not_run,
    said,
    turns,
)

DARK = "draw 1 stock 8C\ndiscard 1 ??\n"


@pytest.mark.parametrize(
    ("body", "settings", "check"),
    [
        pytest.param(f"{DARK}draw 2 discard AC", {}, "draw-not-top", id="a-dark-top"),
        pytest.param(f"{DARK}draw 2 discard", {}, "joker-from-discard", id="a-dark-card-taken"),
        pytest.param(
            f"{turns(1)}\ndraw 2 discard 7S",
            {"start": "\n".join([dealt(1), dealt(2), dealt(3), "upcard KS", "wild ??"])},
            "joker-from-discard",
            id="the-wild-joker",
        ),
        pytest.param(
            turns(1),
            {"start": "\n".join([dealt(1), dealt(2), dealt(3), "upcard ??", "wild 7H"])},
            "joker-upcard-not-buried",
            id="the-open-card",
        ),
        pytest.param(
            turns(1),
            {"start": "\n".join(["deal 1", dealt(2), dealt(3), "upcard KS", "wild 7H"])},
            "reshuffle-missing",
            id="how-many-were-dealt",
        ),
        pytest.param(f"drop 2\n{turns(3)}", {"dealer": None}, "drop-late", id="the-dealer"),
        pytest.param(
            f"{DARK}draw 2 discard\ndiscard 2 ??",
            {"rules": "discard_just_taken=false"},
            "discard-just-taken",
            id="the-card-just-taken",
        ),
    ],
)
def test_a_check_that_lacks_what_was_not_seen_is_not_run(body, settings, check):
    result = judged(body, **{"end": "", **settings})

    assert (said(result), check in not_run(result)) == ([], True)
    assert check not in not_run(judged(turns(1, 2, 3), end=""))


def test_unknown_cards_in_a_show():
    shown = SHOWN[2].replace("9C 4C AS", "?? ?? ??")
    result = judged(
        f"draw 1 stock\n{RIGHT}\n{shown}\n{SHOWN[3]}\nscore 1=0 2=33 3=55", detail="table"
    )

    assert (said(result), result.result.scores) == ([], {1: 0, 3: 55})
    assert not_run(result)["score-wrong"] == "not all cards of the show are known"


def test_a_face_down_discard_leaves_the_hand_uncertain():
    thrown = "draw 2 stock 8C\ndiscard 2 ?? facedown=true"
    body = f"{turns(1)}\n{thrown}\n{turns(3)}\n{WON}{BOTH}score 1=0 2=33 3=55"

    assert found(body) == []
    without = body.replace(SHOWN[2], SHOWN[2].replace("AS", "8C")).replace("2=33", "2=31")
    assert found(without) == []
    strange = body.replace(SHOWN[2], SHOWN[2].replace("AS", "AC"))
    assert found(strange) == ["card-not-held 14/2"]


def test_a_face_down_discard_that_is_taken_comes_to_light():
    body = "draw 1 stock 8C\ndiscard 1 ??\ndraw 2 discard {}\ndiscard 2 AS\n" + turns(3, 1)

    assert found(body.format("8C"), end="") == []
    assert found(body.format("KC"), end="") == []
    assert found(body.format("4H") + "\ndiscard 2 4H", end="")[-1:] != ["too-many-copies 16/2"]


def test_a_card_that_was_taken_unseen_may_be_one_that_was_seen_before():
    """Seats 1 and 2 were dealt 9C; the one that seat 1 threw face down may be with seat 2 now."""
    body = "draw 1 stock 8C\ndiscard 1 ??\ndraw 2 discard\ndiscard 2 9C\n" + turns(3, 1)
    result = judged(body + "\ndraw 2 stock 7D\ndiscard 2 9C", end="end abandoned")

    assert said(result) == []
    assert not_run(result)["too-many-copies"] == "a card taken from the open pile was not seen"
    named = body.replace("draw 2 discard", "draw 2 discard 8C")
    assert found(named + "\ndraw 2 stock 7D\ndiscard 2 9C", end="") == ["card-not-held 15/2"]


def test_a_face_down_discard_goes_into_the_stock_unseen():
    start = "\n".join([dealt(1), dealt(2), "upcard KS", "wild 7H"])
    thrown = "draw 1 stock 8C\ndiscard 1 ??\ndraw 2 stock 7S\ndiscard 2 7S"
    body = f"{thrown}\nreshuffle\ndraw 1 stock 4H\ndiscard 1 4H"

    assert found(body, start=start, players=2, end="") == ["reshuffle-early 9"]
