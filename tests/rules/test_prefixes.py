"""An open hand is judged as far as it has come: nothing is wrong with any part of a right one."""

import msgspec
import pytest

from rummy_audit.rhl.records import Declare, Play
from rummy_audit.rules.replay import replay
from tests.soak import hostile

FAMILIES = ("indian", "basic", "gin", "tile")


def errors_of_the_parts(hand):
    """Return what is found in every part of a hand that begins where it begins, notes left out.

    A play of tiles may yet be taken back by the next event, and a wrong declaration be
    refused: that is not asked of what came last.
    """
    wrong = []
    for count in range(len(hand.events)):
        part = msgspec.structs.replace(hand, events=hand.events[:count], end=None, ended_after=None)
        found = replay(part)
        pending = count if count and isinstance(hand.events[count - 1], Play | Declare) else None
        assert found.verdict == "unfinished"
        wrong += [
            (count, each.code, each.seq, each.seat)
            for each in found.findings
            if each.severity != "note" and each.seq != pending
        ]
    return wrong


@pytest.mark.parametrize("family", FAMILIES)
def test_every_part_of_a_right_hand_is_right(family):
    hands = [hand for hand in hostile.hands(family) if hand.end.status == "completed"]
    every = max(1, len(hands) // 6)

    assert len(hands[::every]) >= 6
    assert [
        (hand.record.id, *each) for hand in hands[::every] for each in errors_of_the_parts(hand)
    ] == []
