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
        pytest.param(f"{DARK}draw 2 discard ??", {}, "draw-not-top", id="dark-on-dark"),
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


# Seat 1 was dealt a 4H and throws a card unseen; seat 3 draws the other 4H.
TAKEN = "draw 2 stock 7D\ndiscard 2 ??\ndraw 3 discard 4H"
PASSED_ON = "draw 1 stock 8C\ndiscard 1 ??\ndraw 2 discard ??\n"


@pytest.mark.parametrize(
    "body",
    [
        f"{PASSED_ON}discard 2 ??\ndraw 3 stock 4H\ndiscard 3 TC\nreshuffle\ndraw 1 stock 4H",
        f"{PASSED_ON}discard 2 TD\ndraw 3 stock 4H\ndiscard 3 TC\n{turns(1)}\n{TAKEN}",
    ],
)
def test_a_card_that_was_passed_on_unseen_is_not_one_too_many(body):
    """It was counted in the hand of seat 1, and comes out of the stock or the open pile."""
    early = ["reshuffle-early 12"] if "reshuffle" in body else []
    assert found(body, end="end abandoned") == early


def test_a_card_thrown_face_down_goes_into_the_stock_though_its_player_has_declared_since():
    shown = "declare 1 4H 5H 6H | 8S 9S TS | 9H 9D 8C | 2D 3D 4D KC / 2S"
    body = (
        f"draw 1 stock 8C\ndiscard 1 ??\n{turns(2, 3)}\ndraw 1 stock 2S\n{shown}\n{turns(2, 3)}\n"
        "reshuffle\ndraw 2 stock 9C\ndiscard 2 9C"
    )

    codes = [each for each in found(body, end="end abandoned") if not each.endswith("note")]
    assert codes == ["reshuffle-early 18"]


def test_a_card_named_beside_one_that_nobody_knows_is_counted_once():
    start = "\n".join(["deal 1 x13", dealt(2), dealt(3), "upcard KS", "wild 7H"])
    body = (
        "draw 1 stock 5D\ndeclare 1 4H 5H ?? | 8S 9S TS | 9H 9D 9C | 2D 3D 4D KC / 5D\n"
        f"{turns(2, 3)}\ndraw 1 stock 8C\ndiscard 1 9C"
    )

    codes = [each for each in found(body, start=start, end="") if not each.endswith("note")]
    assert codes == ["acted-after-drop 12/1"]


def test_a_card_drawn_unseen_is_not_taken_for_an_unseen_one_of_the_open_pile():
    start = """
deal 1 AS 2S 3S 4S 5S 6S 7S 7H 8H 9H TH JH QH AC
deal 2 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 2C 3C
deal 3 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D 4D
upcard 5D
wild 9D
"""
    drawn = ["6D", "7D", "8D", "TD", "JD", "QD", "KD"]
    body = "discard 1 AC\ndraw 2 stock 6D\ndiscard 2 ??\n" + "\n".join(
        f"draw {seat} stock {card}\ndiscard {seat} {card}"
        for seat, card in zip((3, 1, 2, 3, 1, 2), drawn[1:], strict=True)
    )
    settings = {"start": start, "rules": "decks=1 printed_jokers=0 hand_size=14", "end": ""}

    assert found(f"{body}\ndraw 3 stock ??", **settings) == ["draw-missing 6/1"]


def test_a_card_that_cannot_be_the_unseen_one_on_top_lay_beneath_it():
    body = f"{turns(1)}\ndraw 2 stock 7D\ndiscard 2 9C\ndraw 3 stock 4H\ndiscard 3 ??\n"

    assert found(f"{body}draw 1 discard 9C\ndiscard 1 9C", end="") == ["draw-not-top 12/1"]
    # Nothing is known of the hand that threw the one on top: it may be either.
    start = "\n".join([dealt(1), dealt(2), "deal 3 x13", "upcard KS", "wild 7H"])
    unseen = judged(f"{body}draw 1 discard 9C\ndiscard 1 9C", start=start, end="")
    assert said(unseen) == []
    assert "draw-not-top" in not_run(unseen)
