"""Wild jokers on the table: what one stands for is fixed when it is melded."""

import pytest

from rummy_audit.rules.families.basic.readings import extended, readings
from rummy_audit.rules.groups import GroupRules
from tests.rules.basic.play import audit, codes, found_in

RULES = GroupRules(ace="low", jokers=True)


def stands(cards, rules=RULES):
    return [" ".join(faces) for faces in readings(cards.split(), rules)]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("5H 6H 7H", ["5H 6H 7H"]),
        ("5H JK 7H", ["5H 6H 7H"]),
        ("5H 6H JK", ["5H 6H 7H"]),
        ("JK 5H 6H", ["4H 5H 6H"]),
        ("JK 6H 5H", ["7H 6H 5H"]),
        ("5H 7H JK", ["5H 7H 6H"]),
        ("JK JK 7H", ["5H 6H 7H", "9H 8H 7H", "JK JK 7H"]),
        ("7H 7S JK", ["7H 7S JK"]),
        ("QH KH JK", ["QH KH JH"]),
        ("JK JK JK", []),
        ("5H 6S JK", []),
    ],
)
def test_a_joker_stands_where_it_lies_or_where_it_may(cards, expected):
    assert stands(cards) == expected


@pytest.mark.parametrize(
    ("meld", "new", "fits"),
    [
        ("5H JK 7H", "8H", True),
        ("5H JK 7H", "6H", False),
        ("5H 6H JK", "8H", True),
        ("5H 6H JK", "7H", False),
        ("JK 5H 6H", "7H", True),
        ("JK 5H 6H", "4H", False),
        ("5H JK 7H", "JK", True),
        ("7H 7S JK", "7D", True),
        ("7H 7S JK", "7D 7C", False),
        ("JK JK 7H", "7S", True),
        ("JK JK 7H", "TH", True),
        ("AH JK 3H", "KH", False),
    ],
)
def test_a_lay_off_leaves_a_melded_joker_its_place(meld, new, fits):
    assert bool(extended(readings(meld.split(), RULES), tuple(new.split()), RULES)) is fits


def test_a_joker_laid_off_at_an_open_end_may_stand_at_either():
    grown = extended((("5H", "6H", "7H"),), ("JK",), RULES)

    assert extended(grown, ("9H",), RULES) == (("5H", "6H", "7H", "8H", "9H"),)
    assert extended(grown, ("3H",), RULES) == (("5H", "6H", "7H", "4H", "3H"),)
    assert extended(grown, ("8H",), RULES) == (("5H", "6H", "7H", "4H", "8H"),)


WILD = "hand_size=4 jokers_wild=true"


def test_a_pack_with_wild_jokers_has_two_a_deck_unless_the_table_says_otherwise():
    lines = "deal 2 JK JK 5H 6H\ndeal 1 9C 9D 9S 3H\nupcard TC\ndraw 2 stock JK"

    assert found_in(lines, rules=WILD) == [("too-many-copies", 4, 2)]
    assert found_in(lines, rules=f"{WILD} printed_jokers=3") == []
    assert found_in(lines, rules="hand_size=4") == [("card-not-in-deck", 1, 2)]


def test_a_stalemate_is_not_there_while_a_joker_could_be_laid_off():
    lines = """
    deal 2 KS KD KH 2C AC
    deal 1 QS QD QH JK AD
    upcard JD
    draw 2 stock KC
    meld 2 KS KD KH
    discard 2 AC
    draw 1 stock 9C
    meld 1 QS QD QH
    discard 1 9C
    call 2 stalemate
    score 1=0 2=0
    end
    """
    found = audit(lines, rules="hand_size=5 jokers_wild=true stalemate_call=detected")

    assert codes(found) == [("stalemate-premature", 10, 2)]
