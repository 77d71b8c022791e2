"""How cards and tiles are written."""

import re

import pytest

from rummy_audit.rhl.cards_text import (
    CARD_FACES,
    FACES,
    TILE_FACES,
    parse_card,
    parse_cards,
    parse_groups,
    write_cards,
    write_groups,
)


def test_there_are_fifty_two_cards_and_as_many_tiles():
    assert (len(CARD_FACES), len(TILE_FACES)) == (52, 52)
    assert len(set(FACES)) == 106


@pytest.mark.parametrize("face", FACES)
def test_a_canonical_face_stays_as_it_is(face):
    assert parse_card(face) == face
    assert parse_card(face.lower()) == face


@pytest.mark.parametrize(
    ("typed", "face"),
    [
        ("10H", "TH"),
        ("10♠", "TS"),
        ("7♥", "7H"),
        ("7♥\ufe0f", "7H"),
        ("7♡", "7H"),
        ("a♢", "AD"),
        ("k♧", "KC"),
        ("PJ", "JK"),
        ("pj", "JK"),
        ("th", "TH"),
        ("r13", "R13"),
        ("R14", "R14"),
        ("k0", "K0"),
        ("1h", "1H"),
        ("14S", "14S"),
        ("0d", "0D"),
    ],
)
def test_what_people_type(typed, face):
    assert parse_card(typed) == face
    assert parse_card(face) == face


@pytest.mark.parametrize(
    "typed",
    [
        *("", " ", "7", "H", "HH", "7X", "XX", "ZZ", "H7", "7H ", " 7H", "7HH", "K", "JKR", "?"),
        *(
            "R",
            "R100",
            "R01",
            "01H",
            "100H",
            "10",
            "G7",
            "7\u017f",
            "7\u0130",
            "\u0667H",
            "JOKER",
            "*",
        ),
    ],
)
def test_what_is_no_card(typed):
    with pytest.raises(ValueError, match=f"^{re.escape(typed)}$"):
        parse_card(typed)


def test_lists_and_groups_go_round():
    groups = (("4H", "5H", "6H"), ("TS", "JK", "??"))

    assert parse_groups("4h,5h 6h | 10s pj ?? |") == groups
    assert write_groups(groups) == "4H 5H 6H | TS JK ??"
    assert parse_cards(write_cards(groups[0])) == groups[0]
