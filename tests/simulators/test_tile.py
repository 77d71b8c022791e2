"""The simulator: right hands are clean, and each fault it makes is found where it says."""

from collections import Counter

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import DETAILS, Deal, Draw, Penalty, Play, Show
from rummy_audit.rhl.write import to_json, to_text
from rummy_audit.rules.findings import codes
from rummy_audit.rules.replay import replay
from rummy_audit.rules.tiles import pack
from rummy_audit.simulators.tile.end_faults import FAULTS
from rummy_audit.simulators.tile.simulator import simulate
from tests.effort import EFFORT, some, tries
from tests.soak import tile as soak

PRESETS = ("tile-easy", "tile-pup", "tile-dutch", "tile-rrrummy", "tile-50")
REASONS = {
    *("group-too-short", "group-invalid", "sequence-gap", "sequence-mixed-suits"),
    *("sequence-wraps", "set-mixed-ranks", "set-repeated-suit"),
}


def test_right_hands_are_clean():
    """The whole soak is ``python -m tests.soak.tile``."""
    assert [line for line in map(soak.wrong, range(tries(10))) if line] == []


@pytest.mark.parametrize(("place", "name"), some(enumerate(FAULTS)))
def test_a_fault_is_found_at_its_event_and_nothing_beside_it(place, name):
    """At one of the details that can show it; in a soak at all of them."""
    details = FAULTS[name].details
    for more in range(min(EFFORT, len(details))):
        number = (place + more) % len(details)
        detail = details[number]
        hand = simulate(
            PRESETS[number], seed=number, detail=detail, players=2 + number % 3, fault=name
        )
        label = hand.record.extra["_fault"]
        found = replay(hand).findings
        wanted = [each for each in found if each.code == label["code"]]
        others = {each.code for each in found if each.severity != "note"} - {label["code"]}

        assert (label["seq"], label.get("seat")) in [(each.seq, each.seat) for each in wanted]
        assert others <= (REASONS if label["code"] == "table-invalid" else set())


def test_every_fault_is_a_code_or_a_second_way_to_one():
    other = {"played-and-drew", "rearranged-only", "penalty-not-due", "tile-not-held"}

    assert FAULTS.keys() - other - {"seat-missing"} <= codes().keys()


def test_a_fault_that_a_detail_cannot_show():
    with pytest.raises(ValueError, match="second-draw did not come about"):
        simulate("tile-easy", seed=1, detail="scores", fault="second-draw")


@pytest.mark.parametrize(("seed", "detail"), [*enumerate(DETAILS)])
def test_a_simulated_hand_is_written_as_it_is_read(seed, detail):
    hand = simulate(PRESETS[seed], seed=seed, detail=detail, players=2 + seed % 3)
    for written in (to_json(hand), to_text(hand).encode()):
        (again,) = read(written)
        assert again.lines == hand.lines
        assert replay(again) == replay(hand)


def test_the_same_seed_gives_the_same_hand_and_another_does_not():
    first, again = (simulate("tile-dutch", seed=5, players=2) for _ in range(2))

    assert first == again
    assert simulate("tile-dutch", seed=6, players=2).events != first.events


@pytest.mark.parametrize("seed", range(tries(4)))
def test_tiles_are_neither_made_nor_lost(seed):
    """Racks and table hold all tiles that left the stock, at every step."""
    hand = simulate(PRESETS[seed], seed=100 + seed, players=2 + seed % 3)
    out = Counter()
    for step in replay(hand, keep_steps=True).steps:
        if isinstance(step.event, Deal | Penalty):
            out.update(step.event.cards or ())
        elif isinstance(step.event, Draw):
            out[step.event.card] += 1
        held = Counter(tile for seat in step.table.seats for tile in seat.cards)
        lying = Counter(tile for meld in step.table.melds for tile in meld.cards)
        if isinstance(step.event, Play | Draw | Penalty | Show):
            assert held + lying == out
            assert step.table.stock == sum(pack().values()) - out.total()
