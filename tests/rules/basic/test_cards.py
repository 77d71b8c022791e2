"""Where the cards are: what cannot have moved stops the replay, what is claimed does not."""

import pytest

from tests.rules.basic.play import audit, codes, found_in

DEAL = """
deal 2 4H 5H 6H
deal 1 9C 9D 2S
upcard QD
"""
TWO = {"rules": "hand_size=3"}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("draw 2 stock AS\ndiscard 2 KD", ("card-not-held", 5, 2)),
        ("draw 2 stock AS\nmeld 2 4H 5H 9C", ("card-not-held", 5, 2)),
        ("draw 2 stock 9C", ("too-many-copies", 4, 2)),
        ("draw 2 stock JK", ("card-not-in-deck", 4, 2)),
        ("draw 2 stock R7", ("card-not-in-deck", 4, 2)),
        ("draw 2 discard KD", ("draw-not-top", 4, 2)),
        ("draw 2 discard QD\ndiscard 2 4H\ndraw 1 discard 4H\ndraw 1 discard", None),
    ],
)
def test_cards_that_cannot_have_moved_so_stop_the_replay(lines, expected):
    found = audit(DEAL + lines, **TWO)

    if expected is None:
        expected = ("draw-not-top", 7, 1)
    assert found.verdict == "impossible"
    assert codes(found)[-1] == expected


@pytest.mark.parametrize("before", ["", "draw 2 stock 8C\ndiscard 2 8C\n"])
def test_a_card_that_lies_in_sight_is_not_the_unseen_one_in_the_pile(before):
    """The pile cannot hold the 9 of clubs that was dealt: one slip, and no second copy."""
    deal = DEAL.replace("QD", "??")
    seat = 1 if before else 2
    lines = f"{before}draw {seat} discard {'4H' if before else '9C'}"

    found = audit(deal + lines, **TWO)
    assert found.verdict == "impossible"
    assert codes(found) == [("draw-not-top", 4 + before.count("\n"), seat)]


@pytest.mark.parametrize("detail", ["full", "table"])
def test_a_card_in_a_meld_is_not_in_a_hand_any_more(detail):
    """002 3.3: one card, one meld."""
    deal = "deal 2 x6\ndeal 1 x6\nupcard QD\n"
    if detail == "full":
        deal = "deal 2 4H 5H 6H 6D 6C KS\ndeal 1 9C 9D 2S 3S 4S 5S\nupcard QD\n"
    lines = "draw 2 stock\nmeld 2 4H 5H 6H\nmeld 2 6H 6D 6C"

    found = audit(deal + lines, detail=detail, rules="hand_size=6")

    assert (found.verdict, codes(found)) == ("impossible", [("card-not-held", 6, 2)])


def test_a_card_dealt_to_two_players_is_impossible():
    assert found_in("deal 2 4H 5H 6H\ndeal 1 4H 9D 2S", **TWO) == [("too-many-copies", 2, 1)]


def test_in_two_decks_a_card_comes_twice_and_not_three_times():
    deal = "deal 2 4H 4H 6H\ndeal 1 9C 9D 2S\nupcard QD\n"

    assert found_in(deal + "draw 2 stock 9C", rules="hand_size=3 decks=2") == []
    assert found_in(deal + "draw 2 stock 4H", rules="hand_size=3 decks=2") == [
        ("too-many-copies", 4, 2)
    ]


OUT = DEAL + "draw 2 stock KS\nmeld 2 4H 5H 6H\ndiscard 2 KS\n"


@pytest.mark.parametrize(
    ("show", "expected"),
    [
        ("show 1 + 9C 9D 2S", []),
        ("show 1 9C 9D 2S", []),
        ("show 1 + 9C 9D 3S", [("card-not-held", 7, 1)]),
        ("show 1 + 9C 9D 2S 3S", [("card-not-held", 7, 1)]),
        ("show 1 + 9C 9D", [("hand-size", 7, 1)]),
        ("show 1 + 9C 9D 9D", [("card-in-two-groups", 7, 1)]),
        ("show 1 + 9C 9D 2S 9D", [("card-in-two-groups", 7, 1)]),
        ("show 1 + 9C JK 2S", [("card-not-in-deck", 7, 1)]),
        ("show 1 + 9C 3S", [("card-not-held", 7, 1), ("hand-size", 7, 1)]),
    ],
)
def test_a_shown_hand_is_a_claim_checked_against_the_hand_played(show, expected):
    lines = f"{OUT}{show}\nscore 1=0 2=40 winner=2\nend"

    found = audit(lines, **TWO)

    assert codes(found) == expected
    assert found.result.scores == {1: 0, 2: 40}
    assert found.verdict == ("flagged" if expected else "clean")


def test_at_the_table_a_shown_hand_is_checked_against_all_that_was_seen():
    lines = """
    deal 2 x3
    deal 1 x3
    upcard QD
    draw 2 stock
    discard 2 KS
    draw 1 discard KS
    discard 1 2S
    draw 2 stock
    meld 2 4H 5H 6H
    discard 2 KD
    """

    def shown(cards):
        return found_in(f"{lines}\nshow 1 + {cards}", detail="table", **TWO)

    assert shown("KS 9C 9D") == []
    assert shown("KS 9C 2S") == [("card-not-held", 11, 1)]
    assert shown("8C 9C 9D") == [("card-not-held", 11, 1)]  # the king that was taken is missing
    assert shown("KS 9C") == [("hand-size", 11, 1)]
    assert shown("KS 9C 4H") == [("card-not-held", 11, 1)]


def test_at_the_table_two_hands_cannot_show_the_same_card():
    lines = """
    deal 2 x3
    deal 3 x3
    deal 1 x3
    upcard QD
    draw 2 stock
    meld 2 4H 5H 6H
    discard 2 KD
    show 3 + 9C 9D 2S
    show 1 + 9C 9S 3S
    """

    assert found_in(lines, detail="table", seats=(1, 2, 3), **TWO) == [("card-not-held", 9, 1)]


def test_a_card_discarded_unseen_makes_the_hand_uncertain_and_nothing_wrong():
    lines = """
    draw 2 stock KS
    discard 2 ??
    draw 1 stock KD
    discard 1 KD
    draw 2 stock 7H
    discard 2 4H
    """

    assert found_in(DEAL + lines, **TWO) == []


def test_a_draw_from_the_pile_that_names_no_card_takes_the_top():
    lines = "draw 2 discard\ndiscard 2 4H\ndraw 1 stock AS\ndiscard 1 AS\ndraw 2 stock 7H\n"

    assert found_in(DEAL + lines + "discard 2 QD", **TWO) == []


@pytest.mark.parametrize(
    ("act", "unsure"),
    [("discard 2 ??", True), ("meld 2 TC 9C 8C\ndiscard 2 ??", False), ("discard 2 4H", False)],
)
def test_whether_the_card_taken_was_thrown_unseen_is_not_known(act, unsure):
    lines = f"deal 2 9C 8C 4H 5H\ndeal 1 KS KD 3S 2S\nupcard TC\ndraw 2 discard TC\n{act}"
    found = audit(lines, rules="hand_size=4")

    assert codes(found) == []
    assert ("discard-just-taken" in {each.check for each in found.not_run}) is unsure
