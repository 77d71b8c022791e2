"""Hostile logs break no referee, cost next to nothing and are judged the same twice."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.messages import message
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from tests.soak import hostile, hostile_matches


@pytest.mark.ci
@pytest.mark.parametrize("first", range(0, 2000, 250))
def test_hostile_logs_are_judged_or_refused(first):
    """The whole form is ``python -m tests.soak.hostile``."""
    assert [line for line in map(hostile.trouble, range(first, first + 250)) if line] == []


@pytest.mark.ci
@pytest.mark.parametrize("first", range(0, 300, 100))
def test_hostile_matches_are_audited(first):
    """The whole form is ``python -m tests.soak.hostile_matches``."""
    assert [line for line in map(hostile_matches.trouble, range(first, first + 100)) if line] == []


def judged(ruleset, *lines, players=2, rules=""):
    text = [f"hand T4-1 rhl=1 ruleset={ruleset} detail=full dealer=1"]
    text += [f"player {seat}" for seat in range(1, players + 1)]
    text += [f"rules {rules}"] if rules else []
    (hand,) = read("\n".join([*text, *lines, "end"]).encode())
    return sorted({finding.code for finding in replay(hand).findings})


@pytest.mark.parametrize(
    ("ruleset", "rules", "line", "codes"),
    [
        ("indian-13", "stock_exhausted=lowest-wins", "score 1=0 2=20", ["hand-not-ended"]),
        ("indian-13", "stock_exhausted=lowest-wins", "show 1 loose=[]", ["score-missing"]),
        ("basic", "", "call 1 stalemate", ["deal-count", "score-missing"]),
        ("basic", "", "void", ["deal-count"]),
        ("gin", "", "score 1=0 2=20", ["deal-count", "hand-not-ended"]),
        ("tile-50", "", "score 1=0 2=20", ["deal-count", "hand-not-ended"]),
    ],
)
def test_where_nobody_was_dealt_a_card_nothing_is_guessed(ruleset, rules, line, codes):
    nothing = ("deal 1 count=0", "deal 2 count=0")

    assert judged(ruleset, *nothing, line, rules=rules) == codes


@pytest.mark.parametrize("ruleset", ["indian-13", "basic", "gin", "tile-50"])
def test_a_table_without_players_has_too_few(ruleset):
    assert "player-count" in judged(ruleset, "score winner=1", players=0)


def test_missing_deals_are_named_and_by_the_million_told_by_first_and_last():
    def match(number):
        log = f"hand H{number} rhl=1 ruleset=gin detail=scores dealer=1\nplayer 1\nplayer 2\n"
        (hand,) = read(f"{log}match M deal={number}\nscore 1=0 2=20\nend".encode())
        return Deal(hand, for_hand(hand.record), replay(hand))

    def missing(*numbers):
        found = [each.finding for each in audit_match([*map(match, numbers)]).findings]
        return [(each.data, message(each, "gin")) for each in found if "missing" in each.code]

    assert missing(1, 4) == [
        ({"deals": [2, 3]}, "Deals of this match before this one are not here: 2, 3.")
    ]
    assert missing(1, 2**53 - 1) == [
        (
            {"first": 2, "last": 2**53 - 2},
            f"The deals from 2 to {2**53 - 2} of this match are not here.",
        )
    ]
