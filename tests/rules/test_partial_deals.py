"""One deal that a club noted says nothing of the others: detail ``shown`` may leave deals out."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

HANDS = {
    "indian-13": (
        "deal 3 x13",
        (
            "wild 7H\n"
            "declare 3 4C 5C 6C | 8S 9S TS | 9H TH JH | 2D 3D 4D 5D discard=KC\n"
            "show 2 2H 3H 4H + KS QD 9C 8C 6D 5H 7S 9D TC AS\n"
            "show 1 2S 3S 4S + KH KD 2C 3C 8D TD JD 6S AH 4H\n"
            "score 1=80 2=75 3=0"
        ),
    ),
    "gin": (
        "deal 1 x10",
        (
            "knock 1 2H 3H 4H | 5C 5D 5S | 8C 9C TC + AD discard=KS\n"
            "show 2 + 2S 3D 6H 7H 9S JD QC KD KH AC\n"
            "score 1=69 2=0 winner=1"
        ),
    ),
    "basic": ("deal 1 x7", "show 2 + 2S 3D 6H 7H\nshow 3 + KD\nscore 1=28 2=0 3=0 winner=1"),
    "tile-50": ("deal 1 x14", "show 2 + R5 B7\nshow 3 + K9\nscore 1=21 2=-12 3=-9 winner=1"),
}


def judged(ruleset, *lines):
    players = "\n".join(f"player {seat}" for seat in (1, 2, 3)[: 2 if ruleset == "gin" else 3])
    text = "\n".join([f"hand T4-1 rhl=1 ruleset={ruleset} detail=shown dealer=2", players, *lines])
    (hand,) = read(f"{text}\nend".encode())
    return replay(hand)


def faults(found):
    return [(each.code, each.seat) for each in found.findings if each.severity != "note"]


@pytest.mark.parametrize("ruleset", HANDS)
def test_one_deal_that_was_noted_changes_nothing_for_the_others(ruleset):
    deal, rest = HANDS[ruleset]
    without = judged(ruleset, rest)
    beside = judged(ruleset, deal, rest)

    assert faults(beside) == faults(without)
    assert beside.result == without.result
    assert len(without.result.scores) > 1


def test_in_a_log_of_the_play_a_show_without_a_deal_is_not_judged_and_said_so():
    body = HANDS["indian-13"][1]
    text = "hand T4-1 rhl=1 ruleset=indian-13 detail=table dealer=2\nplayer 1\nplayer 2\nplayer 3\n"
    (hand,) = read(f"{text}deal 3 x13\nupcard 2S\n{body}\nend".encode())
    found = replay(hand)

    assert "card-not-held" not in {code for code, _ in faults(found)}
    why = {each.check: each.why for each in found.not_run}
    assert why["score-wrong"] == why["card-not-held"] == "no deal of seat 2 is in this log"


PLAYED = {
    "indian-13": (
        "upcard 9C\nwild 7H\ndraw 1 discard 9C\ndiscard 1 KC\ndraw 2 stock\ndiscard 2 QC\n"
        "draw 1 stock\ndeclare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D 5D / JC\n"
        "show 2 JH QH KH | 2S 3S 4S + 6C 8D AH 3C TD KD KS\nscore 1=0 2=57 winner=1"
    ),
    "gin": (
        "upcard 9C\npass 1\npass 2\ndraw 1 stock\ndiscard 1 KC\ndraw 2 discard KC\ndiscard 2 QC\n"
        "draw 1 stock\nknock 1 2H 3H 4H | 5C 5D 5S + AD 2S 3D AC / JD"
    ),
    "basic": (
        "upcard 9C\ndraw 1 discard 9C\ndiscard 1 KC\ndraw 2 stock\nmeld 2 4H 5H 6H\ndiscard 2 2C"
    ),
    "tile-easy": "play 1 R10 R11 R12\ndraw 2 stock\nplay 1 R9 R10 R11 R12 | B7 K7 O7\ndraw 2 stock",
}


@pytest.mark.parametrize("ruleset", PLAYED)
def test_a_log_of_the_play_without_any_deal_names_cards_that_nobody_counted(ruleset):
    """What is not in the log is not known: no card of a hand can be called not held."""
    text = f"hand T4-1 rhl=1 ruleset={ruleset} detail=table dealer=2\nplayer 1\nplayer 2\n"
    (hand,) = read(f"{text}{PLAYED[ruleset]}\nend abandoned".encode())
    found = replay(hand)

    assert faults(found) == []
    assert "deal-count" in {each.check for each in found.not_run}
