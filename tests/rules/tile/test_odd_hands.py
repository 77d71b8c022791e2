"""Odd hands: two rules meet, a line is missing or late, or a card was not seen."""

from rummy_audit.rhl.digests import chain
from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

HEAD = "hand x rhl=1 ruleset=tile-easy detail={}\nplayer 1\nplayer 2\n"


def said(body, detail="table", end="end abandoned"):
    (hand,) = read(f"{HEAD.format(detail)}{body}\n{end}\n".encode())
    return [f"{each.code} {each.seq}" for each in replay(hand).findings]


def test_more_tiles_than_an_unseen_rack_holds_are_a_wrong_number():
    rack = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 B1 B2"

    assert said(f"deal 1 x14\ndeal 2 x14\nshow 1 + {rack}") == ["hand-size 3"]


def test_a_tile_taken_back_on_a_first_play_is_one_slip():
    body = "deal 1 x14\ndeal 2 x14\nplay 1 R10 R11 R12 R13\nplay 2 R10 R11 R12 | B11 B12 B13"

    assert said(body) == ["tile-taken-to-hand 4"]


def test_two_equal_racks_of_a_blocked_game_may_stand_on_a_sheet():
    assert said("score 1=0 2=0", detail="scores", end="end") == []
    assert said("score 1=0 2=0 winner=1", detail="scores", end="end") == ["score-impossible 1"]
    assert said("score 1=60 2=-50", detail="scores", end="end") == ["score-impossible 1"]


def test_the_head_may_be_spelt_in_capitals():
    """It is told in hex, and a hex digit is the same in either case."""
    (hand,) = read(f"{HEAD.format('scores')}score 1=5 2=-5\nend\n".encode())
    head = chain(hand).head

    assert said("score 1=5 2=-5", detail="scores", end=f"end head={head.upper()}") == []
    other = said("score 1=5 2=-5", detail="scores", end=f"end head={head[::-1]}")
    assert other == ["chain-broken 0"]
