"""The simulator: right hands are clean, and each fault it makes is found where it says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_audit.rhl.read import read
from rummy_audit.rhl.write import to_json
from rummy_audit.rules.findings import codes
from rummy_audit.rules.replay import replay
from rummy_audit.simulators.indian.end_faults import FAULTS
from rummy_audit.simulators.indian.simulator import simulate
from tests.effort import some, tries
from tests.soak import indian as soak

PRESETS = ("indian-13", "indian-13-central", "indian-13-circle")
# A fault can need a hand that chance did not bring in its tries.
SEEDS = range(4)


def test_right_hands_are_clean():
    """The whole soak is ``python -m tests.soak.indian``."""
    assert [line for line in map(soak.wrong, range(tries(2000))) if line] == []


@pytest.mark.parametrize("name", some(FAULTS))
def test_a_fault_is_found_at_its_event(name):
    came_about = 0
    for seed in SEEDS:
        for detail in FAULTS[name].details:
            try:
                hand = simulate(
                    PRESETS[seed % 3], seed=seed, detail=detail, players=3 + seed % 3, fault=name
                )
            except ValueError:
                continue
            came_about += 1
            label = hand.record.extra["_fault"]
            places = [
                (each.seq, each.seat)
                for each in replay(hand).findings
                if each.code == label["code"]
            ]
            assert (label["seq"], label.get("seat")) in places or (
                "seat" not in label and label["seq"] in [seq for seq, _ in places]
            )
    assert came_about


def test_every_code_of_the_family_can_be_made():
    """Where a name is not its code, the fault is a second way to the code."""
    other = {"draw-not-in-pile", "shown-not-held", "shown-twice", "seat-missing"}

    assert FAULTS.keys() - other <= codes().keys()


@given(seed=st.integers(0, 10**6), detail=st.sampled_from(("full", "table", "shown", "scores")))
@settings(max_examples=tries(40), deadline=None)
def test_a_simulated_hand_is_written_as_it_is_read(seed, detail):
    hand = simulate("indian-13", seed=seed, detail=detail, players=2 + seed % 5)
    (again,) = read(to_json(hand))

    assert (again.record, again.events, again.end) == (hand.record, hand.events, hand.end)
    assert simulate("indian-13", seed=seed, detail=detail, players=2 + seed % 5) == hand


@given(seed=st.integers(0, 10**6))
@settings(max_examples=tries(40), deadline=None)
def test_no_card_is_lost_and_none_is_made(seed):
    """At every step the hands, the stock, the piles and what is out of play make one pack."""
    hand = simulate("indian-13", seed=seed, players=2 + seed % 5)
    if hand.end.status == "misdeal":
        return
    for step in replay(hand, keep_steps=True).steps[len(hand.record.players) + 4 :]:
        view = step.table
        held = sum(len(seat.cards) + seat.unknown for seat in view.seats)
        finished = sum(seat.finish is not None for seat in view.seats)
        wild = view.wild is not None
        assert held + finished + view.stock + len(view.pile) + wild == 106


@given(seed=st.integers(0, 10**6), fault=st.sampled_from(sorted(FAULTS)))
@settings(max_examples=tries(40), deadline=None)
def test_a_replay_is_the_same_twice_with_steps_or_without(seed, fault):
    detail = FAULTS[fault].details[0]
    try:
        hand = simulate("indian-13", seed=seed, detail=detail, fault=fault)
    except ValueError:
        return
    first, second = replay(hand), replay(hand, keep_steps=True)

    assert (first.findings, first.result, first.not_run, first.verdict) == (
        *(second.findings, second.result, second.not_run, second.verdict),
    )
    assert [each for step in second.steps for each in step.findings] == [
        each for each in first.findings if each.seq
    ]


@pytest.mark.parametrize("seed", [0, 30])
def test_a_slip_of_play_contradicts_no_stated_deck(seed):
    hand = simulate("indian-13", seed=seed, players=2, fault="second-draw")

    assert [each.code for each in replay(hand).findings] == ["second-draw"]
