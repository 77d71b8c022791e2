"""Simulated hands of basic rummy: right ones are clean, faults are found, cards are kept."""

from collections import Counter

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rummy_audit.rhl import canonical
from rummy_audit.rhl.read import read
from rummy_audit.rules.families.basic import referee
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from rummy_audit.simulators.basic.faults import FAULTS
from rummy_audit.simulators.basic.simulator import simulate
from tests.effort import some, tries

PRESETS = ["basic", "basic-winner-takes-all", "basic-general"]
MOST = {"basic": 6, "basic-winner-takes-all": 4, "basic-general": 6}
DETAILS = ["full", "table", "shown", "scores"]
HOUSES = st.fixed_dictionaries(
    {},
    optional={
        "ace": st.sampled_from(["low", "high-or-low", "round-corner"]),
        "decks": st.sampled_from([1, 2]),
        "discard_just_taken": st.booleans(),
        "final_discard": st.sampled_from(["required", "optional"]),
        "jokers_wild": st.booleans(),
        "layoff_needs_meld": st.booleans(),
        "meld_when": st.sampled_from(["anytime", "going-out"]),
        "out_bonus": st.sampled_from([0, 10]),
        "reshuffles_max": st.sampled_from(["none", 0, 1]),
        "scoring": st.sampled_from(["winner-takes", "charged"]),
        "set_duplicates": st.booleans(),
        "stalemate_call": st.sampled_from(["detected", "after-exhaustion", "table", "never"]),
        "stock_exhausted": st.sampled_from(["reshuffle", "turn-over", "hand-ends", "block"]),
    },
)


def broken(found):
    return [(each.code, each.seq, each.seat) for each in found.findings if each.severity != "note"]


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_simulated_hand_is_clean_for_every_number_of_players(preset, detail):
    for players in range(2, MOST[preset] + 1):
        for seed in range(tries(2)):
            hand = simulate(preset, seed=seed, detail=detail, players=players)
            found = replay(hand)
            assert (found.verdict, broken(found)) == ("clean", [])


@given(
    st.sampled_from(PRESETS),
    st.integers(0, 10**6),
    st.sampled_from(DETAILS),
    st.integers(2, 4),
    HOUSES,
)
@settings(max_examples=tries(25), deadline=None)
def test_a_simulated_hand_is_clean_by_any_rules(preset, seed, detail, players, house):
    hand = simulate(preset, seed=seed, detail=detail, players=players, house=house)
    found = replay(hand)

    assert broken(found) == []
    assert replay(hand) == found


@given(st.sampled_from(PRESETS), st.integers(0, 10**6), st.sampled_from(["full", "table"]))
@settings(max_examples=tries(8), deadline=None)
def test_an_open_hand_is_clean_at_every_step(preset, seed, detail):
    hand = simulate(preset, seed=seed, detail=detail, players=3)
    assume(hand.end.status != "misdeal")  # what is wrong with a deal is dealt with later
    for count in range(len(hand.events) + 1):
        prefix = msgspec.structs.replace(
            hand, events=hand.events[:count], end=None, ended_after=None
        )
        found = replay(prefix)
        assert (found.verdict, broken(found)) == ("unfinished", [])


@given(st.sampled_from(PRESETS), st.integers(0, 10**6), HOUSES)
@settings(max_examples=tries(12), deadline=None)
def test_no_card_is_lost_or_made(preset, seed, house):
    hand = simulate(preset, seed=seed, players=3, house=house)
    rules = for_hand(hand.record)
    table = referee.start(hand.record, rules)
    for event in hand.events:
        referee.advance(table, event)
        if table.stock is None:
            continue
        held = Counter(card for cards in table.hands.values() for card in cards.cards())
        lying = Counter(table.pile) + Counter(card for laid in table.melds for card in laid.cards)
        assert (held + lying).total() + table.stock == sum(table.pack.values())
        assert held + lying <= Counter(table.pack)
        sizes = {seat: course.size for seat, course in table.course.items()}
        assert sizes == {seat: len(cards) for seat, cards in table.hands.items()}


def test_a_hand_follows_from_its_seed_and_reads_back():
    for detail in DETAILS:
        hand = simulate("basic-general", seed=5, detail=detail, players=4)
        again = simulate("basic-general", seed=5, detail=detail, players=4)
        (back,) = read(b"\n".join(hand.lines))
        assert hand == again
        assert [canonical.encode(each) for each in back.events] == list(hand.lines[1:-1])


HOUSE = {
    "layoff-before-meld": {"layoff_needs_meld": True},
    "meld-not-allowed-yet": {"meld_when": "going-out"},
    "out-without-discard": {"hand_size": 5},
    "reshuffle-too-often": {"reshuffles_max": 0},
    "set-repeated-suit": {"decks": 3},
    "set-too-long": {"set_max": 3},
    "group-unanchored": {"jokers_wild": True, "printed_jokers": 16},
}


# Where a fault comes about at once that another seed looks for through forty hands.
SEEDS = {"set-too-long": 34, "sequence-wraps": 33}


@pytest.mark.parametrize(
    ("name", "detail"),
    some((name, detail) for name, fault in FAULTS.items() for detail in fault.details),
)
def test_a_fault_is_found_where_it_was_made_and_nothing_beside_it(name, detail):
    players = 6 if name == "player-count" else 3
    seed = SEEDS.get(name, 3)
    hand = simulate(
        "basic", seed=seed, detail=detail, players=players, house=HOUSE.get(name), fault=name
    )
    mark = hand.record.extra["_fault"]
    found = [
        (each.code, each.seq, each.seat)
        for each in replay(hand).findings
        if each.severity != "note" or name == "unknown-event"
    ]
    named = {code for code, _, _ in found}

    assert (mark["code"], mark["seq"]) in {(code, seq) for code, seq, _ in found}
    assert mark.get("seat") in (None, *(seat for code, _, seat in found if code == mark["code"]))
    assert named <= {mark["code"], *FAULTS[name].beside}
