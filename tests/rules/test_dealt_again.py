"""A hand that is dealt again in the same log is judged anew: no slip hides behind one before."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay
from tests.rules.indian.hands import dealt, found, judged, turns

DEALS = {
    "indian-13": "deal 1 x13\ndeal 2 x13\nupcard 4H\nwild 7D",
    "gin": "deal 1 x10\ndeal 2 x10\nupcard 4H",
    "tile-easy": "deal 1 x14\ndeal 2 x14",
}


@pytest.mark.parametrize("ruleset", DEALS)
def test_play_behind_a_misdeal_is_said_in_each_deal(ruleset):
    deal = f"{DEALS[ruleset]}\nmisdeal cause=exposed-card\ndraw 1 stock\ndraw 2 stock"
    log = f"hand H1 rhl=1 ruleset={ruleset} detail=table dealer=2\nplayer 1\nplayer 2\n"
    (hand,) = read(f"{log}{deal}\n{deal}\n".encode())
    codes = [each.code for each in replay(hand).findings]

    assert codes.count("event-after-end") == 2


ANEW = "\n".join([dealt(1), dealt(2), dealt(3), "upcard KS", "wild 7H"])


def test_001_misdeals_a_slip_in_the_new_deal_is_not_hidden_by_one_in_the_old():
    late = f"misdeal cause=exposed-card\ndraw 1 stock 8C\n{ANEW}\ndraw 3 stock 8C\ndiscard 3 8C"
    twice = f"drop 1\ndraw 1 stock 8C\nmisdeal\n{ANEW}\ndrop 1\n{turns(2, 3)}\ndraw 1 stock 8C"

    assert found(late, end="") == ["event-after-end 7/1", "out-of-turn 13/3"]
    assert [each for each in found(twice, end="") if each.startswith("acted-after-drop")] == [
        "acted-after-drop 7/1",
        "acted-after-drop 19/1",
    ]


def test_001_misdeals_a_misdeal_that_was_not_called_follows_from_what_was_in_its_own_deal():
    short = "\n".join([dealt(1)[:-3], dealt(2), dealt(3), "misdeal", ANEW])
    result = judged(f"irregularity exposed-card\n{turns(1)}", start=short, end="")
    *_, last = result.findings

    assert [each.code for each in result.findings] == [
        *("deal-count", "deal-exposed", "misdeal-not-called")
    ]
    assert last.cause.code == "deal-exposed"
