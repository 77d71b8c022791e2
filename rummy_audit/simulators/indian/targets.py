"""What a simulated player aims at: random groups that stand, or that break one rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol

from rummy_audit.rhl.cards_text import JOKER, RANKS, SUITS
from rummy_audit.rules.cards import is_wild
from rummy_audit.rules.families.indian.declaration import judge_declaration
from rummy_audit.rules.rulesets import Ruleset

Group = tuple[str, ...]

_TRIES = 80


class Dice(Protocol):
    """Chance, as ``random.Random`` gives it from a seed."""

    def random(self) -> float:
        """Return a number from 0 to below 1."""

    def randrange(self, start: int, stop: int) -> int:
        """Return a whole number from start to below stop."""

    def choice(self, seq: Sequence[Any]) -> Any:  # noqa: ANN401 - one of what is given
        """Return one of these."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """Return so many of these, each once."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Bring these into another order."""


class Cards:
    """Cards that are free to be dealt or drawn: taken one by one, each copy once."""

    def __init__(self, counts: Counter[str], wild: str | None) -> None:
        """Take the copies of each face, and the wild rank."""
        self.counts = counts
        self.wild = wild

    def has(self, cards: Sequence[str]) -> bool:
        """Whether all of these are free."""
        return all(self.counts[card] >= count for card, count in Counter(cards).items())

    def take(self, cards: Sequence[str]) -> None:
        """Take these away."""
        self.counts.subtract(cards)

    def jokers(self) -> list[str]:
        """Return the free jokers, printed and wild."""
        return sorted(card for card in self.counts.elements() if is_wild(card, self.wild))


def random_run(dice: Dice, length: int, *, high_ace: bool) -> Group:
    """Return some cards of one suit that follow each other, free or not."""
    top = 14 if high_ace else 13
    start = dice.randrange(0, max(1, top - length + 1))
    suit = dice.choice(SUITS)
    return tuple(RANKS[rank % 13] + suit for rank in range(start, min(start + length, top)))


def random_set(dice: Dice, size: int) -> Group:
    """Return some cards of one rank and of different suits."""
    rank = dice.choice(RANKS)
    return tuple(rank + suit for suit in dice.sample(SUITS, min(size, len(SUITS))))


def with_jokers(group: Group, free: Cards, dice: Dice, count: int) -> Group:
    """Put free jokers in the places of some cards."""
    jokers = free.jokers()
    cards = list(group)
    for place in dice.sample(range(len(cards)), min(count, len(cards) - 1, len(jokers))):
        joker = dice.choice(jokers)
        jokers.remove(joker)
        cards[place] = joker
    return tuple(cards)


def random_group(free: Cards, dice: Dice, rules: Ruleset, kind: str, size: int) -> Group | None:
    """Return a group of a kind (pure, sequence, set) from free cards, or nothing."""
    for _ in range(_TRIES):
        if kind == "set":
            group = random_set(dice, size)
        else:
            high = rules.choice("ace") != "low"
            group = random_run(dice, size, high_ace=high)
        if kind != "pure" and dice.random() < 0.4:  # noqa: PLR2004 - two groups in five
            group = with_jokers(group, free, dice, dice.randrange(1, 3))
        if len(group) == size and free.has(group):
            return group
    return None


def _sizes(rules: Ruleset, dice: Dice) -> list[int]:
    """Cut a hand into groups of three to five cards, the long ones first."""
    least = min(rules.number("sequence_min"), rules.number("set_min"))
    left = rules.number("hand_size")
    sizes: list[int] = []
    while left >= 2 * least:
        size = dice.randrange(least, min(least + 2, left - least) + 1)
        sizes.append(size)
        left -= size
    return sorted([*sizes, left], reverse=True)


def random_declaration(free: Cards, dice: Dice, rules: Ruleset) -> tuple[Group, ...] | None:
    """Return groups of free cards that can be declared, or nothing where chance found none."""
    for _ in range(_TRIES):
        trial = Cards(free.counts.copy(), free.wild)
        groups: list[Group] = []
        for number, size in enumerate(_sizes(rules, dice)):
            if number < rules.number("pure_min"):
                kind = "pure"
            elif number < rules.number("sequences_min"):
                kind = "sequence"
            else:
                kind = dice.choice(("pure", "sequence", "set", "set"))
            group = random_group(trial, dice, rules, kind, size)
            if group is None:
                break
            trial.take(group)
            groups.append(group)
        else:
            dice.shuffle(groups)
            if judge_declaration(groups, rules=rules, wild=free.wild).right:
                return tuple(groups)
    return None


# Groups that break one rule, each for the finding it gives.


def _repeated(_free: Cards, dice: Dice) -> Group:
    one, other = random_set(dice, 2)
    return (one, one, other)


def _mixed_ranks(_free: Cards, dice: Dice) -> Group:
    place = dice.randrange(1, 9)
    suits = dice.sample(SUITS, 3)
    ranks = (RANKS[place], RANKS[place], RANKS[(place + dice.randrange(3, 9)) % 13])
    return tuple(rank + suit for rank, suit in zip(ranks, suits, strict=True))


def _mixed_suits(_free: Cards, dice: Dice) -> Group:
    first, second, third = random_run(dice, 3, high_ace=False)
    return (first, second, third[0] + dice.choice([each for each in SUITS if each != third[1]]))


def _gap(_free: Cards, dice: Dice) -> Group:
    run = random_run(dice, 5, high_ace=False)
    return (run[0], run[1], run[3], run[4])


def _wraps(_free: Cards, dice: Dice) -> Group:
    suit = dice.choice(SUITS)
    return tuple(rank + suit for rank in "KA2")


def _unanchored(free: Cards, _dice: Dice) -> Group:
    jokers = free.jokers()
    printed = [card for card in jokers if card == JOKER]
    return tuple([*printed, *dict.fromkeys(card for card in jokers if card != JOKER)][:3])


def _nothing(_free: Cards, dice: Dice) -> Group:
    suits = dice.sample(SUITS, 3)
    place = dice.randrange(0, 13)
    return tuple(RANKS[(place + step * 4) % 13] + suit for step, suit in enumerate(suits))


def _too_long(free: Cards, dice: Dice) -> Group:
    jokers = free.jokers()
    return (*random_set(dice, 4), *jokers[:1])


def _long_run(_free: Cards, dice: Dice) -> Group:
    return random_run(dice, 4, high_ace=False)


def _two_jokers(free: Cards, dice: Dice) -> Group:
    return with_jokers(random_set(dice, 4), free, dice, 2)


BROKEN = {
    "sequence-too-long": _long_run,
    "group-too-many-jokers": _two_jokers,
    "set-repeated-suit": _repeated,
    "set-mixed-ranks": _mixed_ranks,
    "sequence-mixed-suits": _mixed_suits,
    "sequence-gap": _gap,
    "sequence-wraps": _wraps,
    "group-unanchored": _unanchored,
    "group-invalid": _nothing,
    "set-too-long": _too_long,
}
SHAPES = {
    "declare-no-pure-sequence": ("impure", "impure", "set", "set"),
    "declare-too-few-sequences": ("pure", "set", "set", "set"),
}


def broken_declaration(
    free: Cards, dice: Dice, rules: Ruleset, code: str
) -> tuple[Group, ...] | None:
    """Return groups of free cards that make a declaration wrong by one code at least."""
    for _ in range(_TRIES):
        groups = _broken(Cards(free.counts.copy(), free.wild), dice, rules, code)
        if groups is None:
            continue
        judged = judge_declaration(groups, rules=rules, wild=free.wild)
        if code in {finding.code for finding in judged.findings}:
            return groups
    return None


def _broken(free: Cards, dice: Dice, rules: Ruleset, code: str) -> tuple[Group, ...] | None:
    size = rules.number("hand_size")
    groups: list[Group] = []
    kinds: Sequence[str] = ("pure", "sequence", "set")
    if code in BROKEN:
        first = BROKEN[code](free, dice)
        if len(first) < 3 or not free.has(first):  # noqa: PLR2004 - no jokers to be had
            return None
        groups.append(first)
        free.take(first)
    elif code in SHAPES:
        kinds = SHAPES[code]
    sizes = _cut(size - sum(map(len, groups)), len(kinds))
    for kind, length in zip(kinds, sizes, strict=True):
        if kind == "impure":
            run = random_run(dice, length, high_ace=False)
            group: Group | None = with_jokers(run, free, dice, 1) if len(run) == length else None
        else:
            group = random_group(free, dice, rules, kind, length)
        if group is None or not free.has(group):
            return None
        groups.append(group)
        free.take(group)
    return tuple(groups)


def _cut(cards: int, parts: int) -> list[int]:
    """Cut a number into parts that differ by one at most, the larger ones first."""
    return [cards // parts + (number < cards % parts) for number in range(parts)]
