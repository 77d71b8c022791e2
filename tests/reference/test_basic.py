"""The engine and the second referee of basic rummy, side by side."""

import itertools
import random

import pytest

from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from rummy_audit.simulators.basic.faults import FAULTS
from rummy_audit.simulators.basic.simulator import simulate
from tests.effort import EFFORT, some, tries
from tests.reference.basic import judge

VALUES = {
    "ace": ["low", "high-or-low", "round-corner"],
    "ace_points": [1, 11, 15],
    "decks": [1, 2],
    "discard_just_taken": [False, True],
    "final_discard": ["required", "optional"],
    "going_rummy": [1, 2, 3],
    "hand_melds_count": [True, False],
    "hand_size": [4, 7],
    "jokers_wild": [False, True],
    "layoff_needs_meld": [False, True],
    "meld_when": ["anytime", "going-out"],
    "out_bonus": [0, 10],
    "printed_jokers": [0, 1],
    "reshuffle_keeps_top": [True, False],
    "reshuffles_max": ["none", 0, 1],
    "run_min": [3, 4],
    "rummy_first_turn": [True, False],
    "rummy_with_layoffs": [True, False],
    "scoring": ["winner-takes", "charged"],
    "set_duplicates": [False, True],
    "set_max": ["none", 3, 4],
    "set_min": [3, 4],
    "stalemate_call": ["detected", "after-exhaustion", "table", "never"],
    "stock_exhausted": ["reshuffle", "turn-over", "hand-ends", "block"],
}
# The reasons beside an invalid meld are the groups' own tests.
REASONS = {
    *("group-too-short", "set-too-long", "set-mixed-ranks", "set-repeated-suit"),
    *("sequence-mixed-suits", "sequence-gap", "sequence-wraps", "group-unanchored"),
    "group-invalid",
}
# What the second referee does not look at: the deal as the table noticed it, the
# shown hands, the order of a stated pack, and the log itself.
ELSEWHERE = {
    *("deal-exposed", "deal-unshuffled", "dealer-wrong", "shown-not-held", "shown-twice"),
    *("hand-size", "score-impossible", "score-too-high", "misdeal-unfounded", "void-unfounded"),
    *("player-count", "seq-count", "chain-broken", "shuffle-mismatch", "unknown-event"),
    "deck-order-draw",
}


def forbidden(pair):
    return ("set_min", 4) in pair and ("set_max", 3) in pair


def all_pairs(values, seed=7):
    """Return rulesets in which every two values of two parameters come together somewhere."""
    dice = random.Random(seed)
    left = {
        frozenset([(one, a), (other, b)])
        for one, other in itertools.combinations(values, 2)
        for a in values[one]
        for b in values[other]
    }
    left = {pair for pair in left if not forbidden(pair)}
    found = []
    while left:
        chosen = dict(dice.choice(sorted(map(sorted, left), key=str)))
        names = [name for name in values if name not in chosen]
        dice.shuffle(names)
        for name in names:
            options = [
                value
                for value in values[name]
                if not any(forbidden({(name, value), each}) for each in chosen.items())
            ]
            chosen[name] = max(
                options,
                key=lambda value: sum(
                    frozenset([(name, value), each]) in left for each in chosen.items()
                ),
            )
        left -= {frozenset(pair) for pair in itertools.combinations(chosen.items(), 2)}
        found.append(dict(sorted(chosen.items())))
    return found


PAIRS = all_pairs(VALUES)


def compare(hand):
    rules = for_hand(hand.record)
    replayed = replay(hand)
    found = {
        (each.code, each.seq, each.seat)
        for each in replayed.findings
        if each.severity != "note" and each.code not in REASONS
    }
    expected, points = judge(hand, rules.values)
    assert found == expected
    if points is not None:
        assert replayed.result.scores == points
    return found


@pytest.mark.parametrize("number", some(range(len(PAIRS))))
def test_the_referees_agree_over_all_pairs_of_parameters(number):
    for seed in range(number % 3, number % 3 + 2 * EFFORT):
        hand = simulate("basic", seed=seed, players=2 + seed % 3, house=PAIRS[number])
        if hand.end.status != "misdeal":
            assert compare(hand) == set()


@pytest.mark.parametrize("preset", ["basic", "basic-winner-takes-all", "basic-general"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_referees_agree_over_simulated_hands(preset, players):
    for seed in range(tries(5)):
        hand = simulate(preset, seed=seed, players=players)
        if hand.end.status != "misdeal":
            assert compare(hand) == set()


HOUSE = {
    "layoff-before-meld": {"layoff_needs_meld": True},
    "meld-not-allowed-yet": {"meld_when": "going-out"},
    "out-without-discard": {"hand_size": 5, "final_discard": "required"},
    "reshuffle-too-often": {"reshuffles_max": 0},
    "set-repeated-suit": {"decks": 3},
    "set-too-long": {"set_max": 3},
    "group-unanchored": {"jokers_wild": True, "printed_jokers": 12},
    "sequence-wraps": {"ace": "low"},
    "discard-just-taken": {"discard_just_taken": False},
}


@pytest.mark.parametrize(("place", "fault"), some(enumerate(sorted(set(FAULTS) - ELSEWHERE))))
def test_the_referees_agree_over_faults(place, fault):
    for seed in range(place % 3, place % 3 + EFFORT):
        hand = simulate("basic", seed=seed, players=3, house=HOUSE.get(fault), fault=fault)
        mark = hand.record.extra["_fault"]
        found = compare(hand)

        assert mark["code"] in {code for code, _, _ in found} | REASONS
