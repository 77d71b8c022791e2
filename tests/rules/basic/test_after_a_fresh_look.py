"""Hands that a fresh look at the rules found judged wrongly."""

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

HEAD = "hand x rhl=1 ruleset=basic dealer=2 detail=table\nplayer 1\nplayer 2\n"
SHOWN = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH"


def said(body):
    (hand,) = read(f"{HEAD}deal 1 x10\ndeal 2 x10\nupcard KS\n{body}\nend abandoned\n".encode())
    return [f"{each.code} {each.seq}" for each in replay(hand).findings]


def test_more_cards_than_an_unseen_hand_holds_are_a_wrong_number():
    assert said(f"show 1 + {SHOWN}") == ["hand-size 4"]


def test_a_card_that_lies_in_sight_cannot_be_shown_however_many_there_are():
    assert said(f"show 1 + {SHOWN.replace('JH', 'KS')}") == ["card-not-held 4"]
