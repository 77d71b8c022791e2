"""The engine beside a second referee: over random hands, faults, and all pairs of settings."""

import random
from functools import cache
from itertools import combinations

import pytest

from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import _conflicts, for_hand, parameters
from rummy_audit.simulators.indian.end_faults import FAULTS
from rummy_audit.simulators.indian.simulator import simulate
from tests.effort import EFFORT, some, tries
from tests.reference.indian import OF_GROUPS, Plain

PRESETS = ("indian-13", "indian-13-central", "indian-13-circle")

# What the second referee does not look at: the deal as a misdeal, known decks, money, the seal.
ELSEWHERE = OF_GROUPS | {
    *("deal-count", "deal-exposed", "deal-unshuffled", "deal-wild-missing", "dealer-wrong"),
    *("misdeal-not-called", "misdeal-too-late", "misdeal-unfounded", "void-unfounded"),
    *("joker-upcard-not-buried", "shuffle-mismatch", "player-count", "amount-wrong"),
    *("seq-count", "chain-broken", "unknown-event", "unknown-field", "winner-wrong"),
    *("arrangement-not-best", "irregularity-handled", "score-impossible", "deck-order"),
}

# The values tried of each parameter that a hand can depend on.
VALUES = {
    "decks": (2, 3),
    "printed_jokers": (2, 0, 6),
    "hand_size": (13, 10),
    "card_points": ("ace-ten", "ace-one"),
    "wild_if_printed": ("aces", "printed-only", "redraw"),
    "upcard_joker": ("bury", "keep"),
    "upcard_joker_takeable": (True, False),
    "joker_from_discard": (False, True),
    "ace": ("high-or-low", "low", "round-corner"),
    "sequence_max": ("none", 4),
    "set_max": (4, "none", 3),
    "set_duplicates": (False, True),
    "natural_wild_pure": (True, False),
    "naturals_min": (1, 2, 0),
    "wild_anchors": (False, True),
    "jokers_max": ("none", 1),
    "sequences_min": (2, 1, 3),
    "pure_min": (1, 0, 2),
    "judge_declarer": ("declared", "best"),
    "wrong_declaration": ("continue", "end"),
    "wrong_declaration_points": (80, 60),
    "discard_just_taken": (True, False),
    "stock_exhausted": ("reshuffle", "void"),
    "drops": (True, False),
    "drop_after_draw": (False, True),
    "misses_to_drop": (3, 1, "none"),
    "leave_before_draw": ("middle", "first"),
    "cap": (80, "none", 40),
    "judge_losers": ("declared", "best"),
    "loser_counts": ("ungrouped", "unsequenced"),
    "no_lives_points": ("capped-sum", "flat"),
    "pure_only": ("count-all", "spare-pure"),
}


def pairs_of(row):
    return set(combinations(sorted(row.items(), key=str), 2))


@cache
def rows_of_pairs():
    """Return settings among which every pair of values stands together that may."""
    dice = random.Random("pairs")
    wanted = {
        ((one, a), (other, b))
        for (one, many), (other, more) in combinations(VALUES.items(), 2)
        for a in many
        for b in more
    }
    wanted = {tuple(sorted(pair, key=str)) for pair in wanted if _stands(dict(pair))}
    assert len(wanted) > len(VALUES) ** 2  # with none of them nothing would be tried
    rows = []
    while wanted:
        best = max(
            (_row(dice, dict(dice.choice(sorted(wanted, key=str)))) for _ in range(8)),
            key=lambda row: len(pairs_of(row) & wanted),
        )
        if pairs_of(best) & wanted:
            wanted -= pairs_of(best)
            rows.append(best)
    return rows


def _row(dice, start):
    row = dict(start)
    for name in dice.sample(sorted(VALUES), len(VALUES)):
        if name not in row:
            values = [value for value in VALUES[name] if _stands({**row, name: value})]
            row[name] = dice.choice(values)
    return row


def _stands(house):
    values = {name: each.default for name, each in parameters("indian").items()} | house
    return not any(
        all(values[name] in wrong for name, wrong in conflict.values.items())
        for conflict in _conflicts("indian")
        if conflict.values  # the others are of numbers of players, which none of these sets
    )


def beside(hand):
    """Compare what both referees say of a hand, and the points they come to."""
    result = replay(hand)
    said, due = Plain(hand, for_hand(hand.record)).judge()
    engine = {(each.code, each.seq, each.seat) for each in result.findings}
    plain = {each for each in said if each[0] not in ELSEWHERE}
    assert {each for each in engine if each[0] not in ELSEWHERE} == plain
    if due is not None and result.verdict != "impossible":
        assert result.result.scores == due


@pytest.mark.parametrize("seed", range(tries(30)))
def test_both_referees_say_the_same_of_right_hands(seed):
    beside(simulate(PRESETS[seed % 3], seed=seed, players=2 + seed % 5))


@pytest.mark.parametrize(
    "name", some(name for name, fault in FAULTS.items() if "full" in fault.details)
)
def test_both_referees_say_the_same_of_wrong_hands(name):
    for seed in range(3):
        try:
            hand = simulate(PRESETS[seed % 3], seed=seed, players=3 + seed % 3, fault=name)
        except ValueError:
            continue
        beside(hand)


@pytest.mark.parametrize("number", some(range(len(rows_of_pairs()))))
def test_both_referees_say_the_same_under_all_pairs_of_settings(number):
    house = rows_of_pairs()[number]
    for seed in range(number % 3, number % 3 + 2 * EFFORT):
        beside(simulate("indian-13", seed=seed, players=2 + seed % 3, house=house))
