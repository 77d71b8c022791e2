"""The simulator of gin, and the laws that every replay keeps."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_audit.rhl.read import read
from rummy_audit.rhl.write import to_json
from rummy_audit.rules.findings import codes
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import parameters
from rummy_audit.simulators.gin.end_faults import FAULTS
from rummy_audit.simulators.gin.simulator import simulate
from tests.effort import EFFORT, some, tries

DETAILS = ("full", "table", "shown", "scores")
# Every value of every parameter that has few, and some of the others.
VALUES = {
    "knock_max": (0, 5, 10, 30, "upcard"),
    "oklahoma_ace": (0, 1),
    "hand_size": (7, 10, 11),
    "stock_floor": (0, 2, 8),
    "big_gin_bonus": ("none", 31),
    **{
        name: each.choices or (True, False)
        for name, each in parameters("gin").items()
        if each.type in ("choice", "bool")
    },
}
# Names that are a second way to a code.
SECOND = {
    *("deal-count-handled", "second-upcard", "pass-for-a-turn", "premature-draw", "no-score"),
    *("knock-called-wrongly", "knocked-with-another-card", "knocked-with-a-joker"),
    *("knock-without-discard", "shown-one-card-twice"),
}


def broken(found):
    return [each for each in found.findings if each.severity != "note"]


@pytest.mark.parametrize("detail", DETAILS)
def test_right_hands_are_clean(detail):
    for seed in range(tries(40)):
        assert broken(replay(simulate("gin", seed=seed, detail=detail))) == []


@given(
    seed=st.integers(0, 10**6),
    detail=st.sampled_from(DETAILS),
    house=st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(values) for name, values in VALUES.items()}
    ),
)
@settings(max_examples=tries(80), deadline=None)
def test_right_hands_are_clean_under_every_value_of_every_parameter(seed, detail, house):
    assert broken(replay(simulate("gin", seed=seed, detail=detail, house=house))) == []


@pytest.mark.parametrize("name", some(FAULTS))
def test_a_fault_is_found_at_its_event_and_nothing_beside_it(name):
    """A third of them, each at one detail; in CI all at two of the details that can show them."""
    fault, came_about = FAULTS[name], 0
    for detail in fault.details[: tries(2)]:
        wanted = came_about + EFFORT
        # A fault can need a hand that chance did not bring in its tries.
        for seed in range(3 * EFFORT):
            if came_about == wanted:
                break
            try:
                hand = simulate("gin", seed=seed, detail=detail, fault=name)
            except ValueError:
                continue
            came_about += 1
            label, found = hand.record.extra["_fault"], replay(hand)
            at = [
                each
                for each in found.findings
                if (each.code, each.seq, each.seat)
                == (label["code"], label["seq"], label.get("seat"))
            ]
            assert at
            assert {each.severity == "note" for each in at} == {fault.note}
            assert {each.code for each in broken(found)} <= {label["code"], *fault.beside}
    assert came_about


def test_every_fault_is_named_by_its_code():
    assert FAULTS.keys() - SECOND <= codes().keys()


@given(seed=st.integers(0, 10**6), detail=st.sampled_from(DETAILS))
@settings(max_examples=tries(25), deadline=None)
def test_a_simulated_hand_is_written_as_it_is_read(seed, detail):
    hand = simulate("gin", seed=seed, detail=detail)
    (again,) = read(to_json(hand))

    assert (again.record, again.events, again.end) == (hand.record, hand.events, hand.end)
    assert simulate("gin", seed=seed, detail=detail) == hand


@given(seed=st.integers(0, 10**6), detail=st.sampled_from(("full", "table")))
@settings(max_examples=tries(25), deadline=None)
def test_no_card_is_lost_and_none_is_made(seed, detail):
    """At every step hands, stock, pile and what was laid off make one pack."""
    hand = simulate("gin", seed=seed, detail=detail)
    for step in replay(hand, keep_steps=True).steps[3:]:
        view = step.table
        held = sum(len(seat.cards) + seat.unknown for seat in view.seats)
        laid_off = sum(len(meld.added) for meld in view.melds)
        assert held + laid_off + view.stock + len(view.pile) in (51, 52)


@given(seed=st.integers(0, 10**6), fault=st.sampled_from(sorted(FAULTS)))
@settings(max_examples=tries(40), deadline=None)
def test_a_replay_is_the_same_twice_with_steps_or_without(seed, fault):
    try:
        hand = simulate("gin", seed=seed, detail=FAULTS[fault].details[0], fault=fault)
    except ValueError:
        return
    first, second = replay(hand), replay(hand, keep_steps=True)

    assert (first.findings, first.result, first.not_run, first.verdict) == (
        *(second.findings, second.result, second.not_run, second.verdict),
    )


@given(seed=st.integers(0, 10**6), fault=st.sampled_from(sorted(FAULTS)))
@settings(max_examples=tries(25), deadline=None)
def test_a_wrong_hand_can_be_judged_as_far_as_it_has_come(seed, fault):
    try:
        hand = simulate("gin", seed=seed, detail=FAULTS[fault].details[0], fault=fault)
    except ValueError:
        return
    for length in range(len(hand.events)):
        seen = type(hand)(record=hand.record, events=hand.events[:length])
        assert replay(seen).verdict in ("unfinished", "impossible")
