"""Fields that RHL 1 does not know are kept and noted, wherever they stand."""

import json

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

HAND = {
    "type": "hand",
    "rhl": 1,
    "id": "H",
    "ruleset": "tile-easy",
    "detail": "table",
    "players": [{"seat": 1}, {"seat": 4}],
}
DEALS = [{"type": "deal", "seat": seat, "count": 14} for seat in (1, 4)]
END = {"type": "end", "status": "abandoned"}
DEAL = {"type": "deal", "seat": 4, "count": 14}


def noted(hand=None, events=(), end=None, **how):
    """Return the fields noted in a hand, each with its event and seat."""
    records = [HAND | (hand or {}), *({**each} for each in (*DEALS, *events)), END | (end or {})]
    for seq, record in enumerate(records[1:-1], start=1):
        record["seq"] = seq
    lines = "\n".join(map(json.dumps, records)).encode()
    (read_one,) = read(lines)
    findings = replay(read_one, **how).findings

    assert {each.code for each in findings} <= {"unknown-field"}
    assert {each.severity for each in findings} <= {"note"}
    return [(each.data["field"], each.seq, each.seat) for each in findings]


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"hand": {"new": 1}}, [("new", 0, None)]),
        ({"hand": {"match": {"id": "M", "new": 1}}}, [("match.new", 0, None)]),
        (
            {"hand": {"writer": {"new": [1], "age": 2}}},
            [
                ("writer.age", 0, None),
                ("writer.new", 0, None),
            ],
        ),
        ({"hand": {"players": [{"seat": 1}, {"seat": 4, "new": 1}]}}, [("players.new", 0, 4)]),
        ({"end": {"new": 1}}, [("end.new", 0, None)]),
        ({"events": [{"type": "draw", "seat": 1, "from": "stock", "new": 1}]}, [("new", 3, None)]),
        ({"events": [{"type": "result", "bonuses": {"4": {"new": 1}}}]}, [("bonuses.new", 3, 4)]),
        ({"events": [{"type": "result", "totals": {"4": 1}, "new": 1}]}, [("new", 3, None)]),
        (
            {"events": [{"type": "amend", "target": 2, "replace": DEAL | {"new": 1}}]},
            [
                ("new", 2, None),
            ],
        ),
        (
            {"events": [{"type": "amend", "target": 2, "replace": DEAL, "new": 1}]},
            [
                ("new", 3, None),
            ],
        ),
    ],
)
def test_it_is_noted_where_it_stands(given, fields):
    assert noted(**given) == fields
    own = json.loads(json.dumps(given).replace('"new"', '"_new"').replace('"age"', '"_age"'))
    assert noted(**own) == []


def test_as_recorded_an_amendments_own_field_is_noted_too():
    events = [{"type": "amend", "target": 2, "replace": DEAL | {"new": 1}, "old": 1}]

    assert noted(events=events) == [("new", 2, None), ("old", 3, None)]
    assert noted(events=events, corrected=False) == [("old", 3, None)]


def test_what_an_amended_hand_record_holds_is_what_counts():
    """As with all else: the log is amended before it is judged."""
    right = {key: HAND[key] for key in ("type", "ruleset", "detail", "players")}
    events = [{"type": "amend", "target": 0, "replace": right | {"match": {"new": 1}}}]

    assert noted(hand={"old": 1}, events=events) == [("match.new", 0, None)]
