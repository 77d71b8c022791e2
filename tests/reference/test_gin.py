"""The engine of gin beside a second referee: random hands, faults, and all pairs of settings."""

import random
from functools import cache
from itertools import combinations

import pytest

from rummy_audit.rules.families.gin.deadwood import best_against, deadwood, mask_of
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from rummy_audit.simulators.gin.end_faults import FAULTS
from rummy_audit.simulators.gin.simulator import simulate
from tests.effort import EFFORT, some, tries
from tests.reference.gin import OF_GROUPS, Plain
from tests.reference.gin_melds import PACK, least, least_against

# What the second referee does not look at: the deal as a misdeal, known decks, the seal.
ELSEWHERE = OF_GROUPS | {
    *("deal-count", "deal-exposed", "deal-unshuffled", "dealer-wrong", "misdeal-unfounded"),
    *("count-correction-wrong", "deck-order", "shuffle-mismatch", "player-count"),
    *("seq-count", "chain-broken", "unknown-event", "unknown-field", "irregularity-handled"),
}
# Faults of the deal that are put right in ways it does not follow.
UNTOLD = {"count-correction-wrong", "deal-exposed", "deal-unshuffled", "player-count"}

# The values tried of each parameter that a hand can depend on.
VALUES = {
    "hand_size": (10, 7),
    "upcard_offer": (True, False),
    "discard_just_taken": (False, True),
    "stock_floor": (2, 0, 5),
    "wall": ("draw", "last-upcard"),
    "knock_max": (10, "upcard", 0, 30),
    "oklahoma_ace": (1, 0),
    "judge_knocker": ("declared", "best"),
    "judge_defender": ("declared", "best"),
    "layoff_on_gin": (False, True),
    "gin_bonus": (25, 20),
    "undercut_bonus": (25, 10),
    "undercut_on_tie": (True, False),
    "big_gin_bonus": ("none", 31),
}


def pairs_of(row):
    return set(combinations(sorted(row.items(), key=str), 2))


@cache
def rows_of_pairs():
    """Return settings among which every pair of values stands together."""
    dice = random.Random("pairs")
    wanted = {
        tuple(sorted(((one, a), (other, b)), key=str))
        for (one, many), (other, more) in combinations(VALUES.items(), 2)
        for a in many
        for b in more
    }
    rows = []
    while wanted:
        best = max(
            (
                {name: dice.choice(values) for name, values in VALUES.items()}
                | dict(dice.choice(sorted(wanted, key=str)))
                for _ in range(8)
            ),
            key=lambda row: len(pairs_of(row) & wanted),
        )
        if pairs_of(best) & wanted:
            wanted -= pairs_of(best)
            rows.append(best)
    return rows


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
    beside(simulate("gin", seed=seed))


@pytest.mark.parametrize(
    "name",
    some(name for name, fault in FAULTS.items() if "full" in fault.details and name not in UNTOLD),
)
def test_both_referees_say_the_same_of_wrong_hands(name):
    for seed in range(2 * EFFORT):
        try:
            hand = simulate("gin", seed=seed, fault=name)
        except ValueError:
            continue
        beside(hand)


@pytest.mark.parametrize("number", some(range(len(rows_of_pairs()))))
def test_both_referees_say_the_same_under_all_pairs_of_settings(number):
    house = rows_of_pairs()[number]
    for seed in range(number % 4, number % 4 + 2 * EFFORT):
        beside(simulate("gin", seed=seed, house=house))


@pytest.mark.parametrize("seed", range(tries(30)))
def test_both_find_the_same_least_deadwood(seed):
    dice = random.Random(f"deadwood {seed}")
    # Few suits and ranks make many melds.
    near = [card for card in PACK if card[0] in "34567"] if seed % 2 else PACK
    cards = dice.sample(near, 10)

    assert deadwood(mask_of(cards)) == least(frozenset(cards))


@pytest.mark.parametrize("seed", range(tries(30)))
def test_both_find_the_same_lay_offs(seed):
    dice = random.Random(f"lay-offs {seed}")
    rest = [card for card in PACK if card[0] in "345678"]
    dice.shuffle(rest)
    melds = [("3S", "4S", "5S"), ("6H", "6D", "6C")]
    hand = [card for card in rest if not any(card in meld for meld in melds)][:9]

    assert best_against(mask_of(hand), [mask_of(meld) for meld in melds]).points == least_against(
        frozenset(hand), tuple(tuple(sorted(meld)) for meld in melds)
    )
