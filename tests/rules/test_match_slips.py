"""A match of any game: a slip in one hand is that hand's, and a hand that is on counts nothing."""

from pathlib import Path

import msgspec
import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Score
from rummy_audit.rules.matches import Deal, audit_match, by_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand

CORPUS = Path(__file__).parents[1] / "corpus"


def deal(hand):
    return Deal(hand, for_hand(hand.record), replay(hand))


def won(family):
    """Return the deals of the first right match of a game that somebody has won."""
    hands = read((CORPUS / family / "matches.rhl.jsonl").read_bytes())
    return next(
        sorted(deals, key=lambda each: each.match.deal)
        for deals in by_match(deal(hand) for hand in hands).values()
        if audit_match(deals).winner
    )


@pytest.mark.parametrize("family", ["basic", "gin"])
@pytest.mark.parametrize("place", [0, -1])
def test_a_slip_in_what_is_played_to_is_that_hands_alone(family, place):
    deals = won(family)
    right = audit_match(deals)
    hand = deals[place].hand
    slip = msgspec.structs.replace(deals[place].match, target=1)
    record = msgspec.structs.replace(hand.record, match=slip)
    deals[place] = deal(msgspec.structs.replace(hand, record=record))
    report = audit_match(deals)

    assert [(each.hand, each.finding.code) for each in report.findings] == [
        (hand.record.id, "match-settings-differ")
    ]
    assert (report.totals, report.winner) == (right.totals, right.winner)


@pytest.mark.parametrize("family", ["indian", "basic", "gin"])
def test_a_hand_that_is_on_has_brought_nobody_points(family):
    deals = won(family)
    before = audit_match(deals[:-1])
    hand = deals[-1].hand
    events = tuple(each for each in hand.events[:-1] if not isinstance(each, Score))
    on = msgspec.structs.replace(hand, events=events[:4], end=None, ended_after=None)
    report = audit_match([*deals[:-1], deal(on)])

    assert report.findings == ()
    assert (report.totals, report.winner) == (before.totals, before.winner)
