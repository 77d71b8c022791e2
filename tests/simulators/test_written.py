"""What a simulator writes can be read, the faults of nobody too."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rhl.write import to_json
from rummy_audit.simulators.basic import simulator as basic
from rummy_audit.simulators.gin import simulator as gin
from rummy_audit.simulators.indian import simulator as indian
from rummy_audit.simulators.tile import simulator as tile


@pytest.mark.parametrize(
    ("ruleset", "game"),
    [("indian-13", indian), ("basic", basic), ("gin", gin), ("tile-50", tile)],
)
def test_a_hand_with_a_fault_of_no_seat_is_written_as_it_is_read(ruleset, game):
    hand = game.simulate(ruleset, seed=1, players=2, fault="seq-count")
    (again,) = read(to_json(hand))

    assert again.record == hand.record
    assert hand.record.extra["_fault"] == {"code": "seq-count", "seq": 0}
