"""The engine beside a second referee: over random hands, faults, turns, and pairs of settings."""

import random
from collections import Counter
from itertools import combinations, product

import pytest

from rummy_audit.rules.families.tile.arrange import arrange
from rummy_audit.rules.families.tile.explanations import Change, explain
from rummy_audit.rules.families.tile.melds import MeldRules, readings
from rummy_audit.rules.families.tile.table import settings
from rummy_audit.rules.families.tile.turn import changed, moved_of_table, put_in_place
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand, ruleset
from rummy_audit.simulators.tile.end_faults import FAULTS
from rummy_audit.simulators.tile.simulator import simulate
from tests.effort import EFFORT, some, tries
from tests.reference.tile import audit, turn_codes

PRESETS = ("tile-easy", "tile-dutch", "tile-rrrummy", "tile-50")

# What the second referee looks at.
JUDGED = {
    *("deal-count", "second-draw", "out-of-turn", "timer-exceeded", "tile-draw-missing"),
    *("penalty-wrong", "event-after-end", "tile-taken-to-hand", "table-invalid"),
    *("first-play-too-low", "first-play-touches-table", "joker-not-replaced"),
    *("joker-not-from-hand", "joker-meld-locked", "joker-not-in-new-meld"),
}

# The values tried of each parameter that a hand can depend on.
VALUES = {
    "hand_size": (14, 7),
    "run_min": (3, 4),
    "set_max": (4, 3),
    "joker_position": ("free", "literal"),
    "first_play": (30, 50, 0),
    "first_play_joker": ("represented", "zero", "not-allowed"),
    "first_turn_table": ("next-turn", "after-minimum"),
    "joker_replace_first": (True, False),
    "joker_replace_from_hand": (True, False),
    "joker_meld_locked": (False, True),
    "joker_reuse_new_meld": (False, True),
    "group_joker_replacement": ("either", "both"),
    "penalty_tiles": (3, 1),
    "timer_seconds": ("none", 60),
    "joker_points": (30, 0),
    "blocked_scoring": ("as-won", "difference"),
}


def pairwise():
    """Return house rules in which every two values of two parameters come together once."""
    names = list(VALUES)
    open_pairs = {
        ((one, a), (other, b))
        for one, other in combinations(names, 2)
        for a, b in product(VALUES[one], VALUES[other])
    }
    dice = random.Random(11)
    houses = []
    while open_pairs:
        tries = []
        for _ in range(30):
            house = {name: dice.choice(VALUES[name]) for name in names}
            met = {pair for pair in open_pairs if all(house[name] == each for name, each in pair)}
            tries.append((len(met), len(tries), house, met))
        _, _, house, met = max(tries)
        open_pairs -= met
        if met:
            houses.append(house)
    return houses


def beside(hand):
    """Hold the engine's findings and points of a hand against the second referee's."""
    rules = for_hand(hand.record)
    result = replay(hand)
    found = sorted(
        {
            (each.code, each.seq, each.seat)
            for each in result.findings
            if each.code in JUDGED and not each.handled
        }
    )
    expected, points = audit(hand, rules)
    assert found == sorted(set(expected))
    if points is not None and result.result.outcome == "won":
        assert result.result.scores == points


HOUSES = pairwise()


@pytest.mark.parametrize("number", some(range(len(HOUSES))))
def test_every_pair_of_settings(number):
    house = HOUSES[number]
    beside(simulate("tile-easy", seed=number, players=2 + number % 3, house=house))


@pytest.mark.parametrize("number", some(range(len(HOUSES))))
def test_faults_under_many_settings(number):
    fault = ("joker-not-replaced", "tile-taken-to-hand", "penalty-not-due")[number // 3 % 3]
    beside(simulate("tile-easy", seed=number, players=2, house=HOUSES[number], fault=fault))


OF_A_TURN = [name for name in FAULTS if FAULTS[name].when == "turn"]


@pytest.mark.parametrize("place", some(range(len(OF_A_TURN))))
def test_every_fault_of_a_turn(place):
    """Under one preset after the other; in a soak under all of them."""
    for more in range(min(EFFORT, len(PRESETS))):
        number = (place + more) % len(PRESETS)
        beside(
            simulate(PRESETS[number], seed=number, players=2 + number % 3, fault=OF_A_TURN[place])
        )


JOKERS = {
    "joker_replace_first": (True, False),
    "joker_replace_from_hand": (True, False),
    "joker_meld_locked": (True, False),
    "joker_reuse_new_meld": (True, False),
    "group_joker_replacement": ("either", "both"),
}
RULES = MeldRules()


class Scene:
    """A random table with jokers, and another that its tiles and some more can lie as."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.left = Counter({f"{c}{n}": 2 for c in "RBKO" for n in range(1, 14)})
        jokers = self.dice.choice([[1], [1], [1, 1], [2]])
        plain = [0] * self.dice.randint(1, 3)
        self.before = [self.meld(count) for count in (*jokers, *plain)]

    def meld(self, jokers):
        while True:
            if self.dice.random() < 0.5:
                size = self.dice.choice([3, 3, 4, 5, 6])
                colour, low = self.dice.choice("RBKO"), self.dice.randint(1, 14 - size)
                faces = [f"{colour}{low + step}" for step in range(size)]
            else:
                colours = self.dice.sample("RBKO", self.dice.choice([3, 4]))
                faces = [f"{colour}{self.dice.randint(1, 13)}" for colour in colours[:1]]
                faces = [f"{colour}{faces[0][1:]}" for colour in colours]
            for place in self.dice.sample(range(len(faces)), jokers):
                faces[place] = "JK"
            naturals = Counter(tile for tile in faces if tile != "JK")
            if not naturals - self.left:
                self.left -= naturals
                return tuple(faces)

    def after(self):
        tiles = [tile for meld in self.before for tile in meld]
        more = [
            place
            for meld in self.before
            for tile, place in zip(meld, readings(meld, RULES)[0].places, strict=True)
            if tile == "JK" and self.dice.random() < 0.6
        ]
        for _ in range(self.dice.randint(0, 4)):
            tile = self.dice.choice([each for each in tiles if each != "JK"])
            number = int(tile[1:]) + self.dice.choice([-2, -1, 0, 1, 2])
            more.append(f"{self.dice.choice('RBKO')}{min(13, max(1, number))}")
        if any(count > 2 for count in Counter([*tiles, *more]).values()):
            return None
        laid = arrange([], RULES, table=[*tiles, *more])
        return self.dice.sample(laid.melds, len(laid.melds)) if laid else None


def test_what_became_of_the_jokers():
    """Under all rules of jokers the two referees name the same breach, or none."""
    houses = [
        ruleset("tile-easy", house=dict(zip(JOKERS, values, strict=True)))
        for values in product(*JOKERS.values())
    ]
    seen = Counter()
    for seed in range(tries(120)):
        scene = Scene(seed)
        after = scene.after()
        if after is None:
            continue
        old, new = changed(tuple(scene.before), tuple(after))
        gone, come = put_in_place(old, new, RULES)
        added = Counter(t for m in come for t in m) - Counter(t for m in gone for t in m)
        change = Change(gone, come, added, moved_of_table(gone, come, added), tuple(after))
        for rules in scene.dice.sample(houses, 6):
            found = explain(change, settings(rules).jokers)
            codes = sorted(each.code for each in found)
            expected = turn_codes(scene.before, after, True, rules)

            assert codes == sorted(code for code in expected if code.startswith("joker"))
            seen[tuple(codes)] += 1
    assert {(), ("joker-not-replaced",), ("joker-meld-locked",), ("joker-not-in-new-meld",)} <= (
        seen.keys()
    )
