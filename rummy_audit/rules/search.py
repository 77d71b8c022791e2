"""The search for the arrangement of a hand that costs least, and for one that lays all.

Both take the dearest card that is still open and ask where it goes. What was
tried once with the same cards left is not tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from rummy_audit.rhl.cards_text import JOKER
from rummy_audit.rules.candidates import (
    BIT,
    MOST_CARDS,
    MOST_JOKERS,
    PLANE,
    WILD_BIT,
    WILD_BITS,
    Candidate,
    Option,
    Tables,
)

BUDGET = 100_000  # nodes of one search: about half a second

Path = tuple[Candidate, "Path"] | None  # the groups taken, the last one first

_FIRST = (1 << PLANE) - 1
_NONE: tuple[Option, ...] = ()


class TooHard(Exception):  # noqa: N818 - it says what the cards are
    """Cards that cannot be arranged exactly in reasonable time."""


class Cards:
    """Some cards as bits, and the groups they can make; sets only when asked for."""

    __slots__ = ("by_rank", "by_suit", "jokers", "pure", "runs", "state", "tables", "total")

    def __init__(self, cards: Sequence[str], tables: Tables) -> None:
        """Lay the cards out; ``cards`` are canonical faces."""
        state = jokers = total = 0
        points, wild = tables.points, tables.wild
        for card in cards:
            if card == JOKER:
                jokers += 1
                continue
            if card[0] == wild:
                jokers += 1
                bit = WILD_BIT[card[1]]
            else:
                bit = BIT[card]
                total += points[bit]
            while state & bit:
                bit <<= PLANE
            state |= bit
        self.tables, self.state, self.jokers, self.total = tables, state, jokers, total
        self.pure: list[Candidate] = []
        self.runs: list[Candidate] = []
        self.by_suit: dict[int, tuple[Option, ...]] = {}
        self.by_rank: dict[int, tuple[Option, ...]] = {}
        for number in range(4):
            suit = tables.suit(number, state)
            self.pure += suit.pure
            self.runs += suit.all
            self.by_suit.update(suit.by_lowest)

    def with_sets(self) -> None:
        """Find the sets too."""
        for place in range(13):
            if self.state >> 4 * place & 15:
                self.by_rank.update(self.tables.rank(place, self.state).by_lowest)

    def hopeless(self) -> tuple[int, int]:
        """Return the cards that no group can take in, as bits of the first plane, and their points."""
        jokers = min(self.jokers, MOST_JOKERS)
        covered = 0
        for number in range(4):
            covered |= self.tables.suit(number, self.state).covered[jokers]
        if self.by_rank:
            for place in range(13):
                if self.state >> 4 * place & 15:
                    covered |= self.tables.rank(place, self.state).covered[jokers]
        bits = self.state & (WILD_BITS - 1) & ~covered
        return bits, sum(self.points_of(bit) for bit in _each(bits))

    def points_of(self, bit: int) -> int:
        """Return the points of all copies of a face."""
        return self.tables.points[bit] * _copies(self.state, bit)


def _each(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low
        bits ^= low


def _copies(state: int, bit: int) -> int:
    count = 0
    while state & bit:
        count += 1
        bit <<= PLANE
    return count


def take(state: int, bits: int) -> int:
    """Take a group's cards out of a hand; of several copies the last goes first."""
    first, more = bits & _FIRST, bits >> PLANE
    rest = state >> PLANE
    again = rest & first
    left = (state & _FIRST) ^ first ^ again
    if again:
        rest = take(rest, again)
    state = left | rest << PLANE
    return take(state, more) if more else state


def without(state: int, bits: int) -> int:
    """Take all copies of some faces out of a hand."""
    while bits & state:
        state &= ~bits
        bits <<= PLANE
    return state


def lone_runs(cards: Cards, state: int, jokers: int) -> Iterator[Candidate]:
    """Yield the sequences that cards of the wild rank and jokers can make by themselves."""
    rules = cards.tables.rules
    for each in cards.runs:
        if each.bits >= WILD_BITS and each.jokers <= jokers and each.bits & state == each.bits:
            yield each
    size = rules.sequence_min
    if rules.naturals_min == 0 and size <= jokers and (rules.jokers_max or size) >= size:
        most = rules.jokers_max or min(cards.tables.places, rules.sequence_max or MOST_CARDS)
        yield Candidate(0, size, (None,) * size, most - size, sequence=True, pure=False)


def _lone_sequences(cards: Cards, state: int, jokers: int, owed: int, path: Path) -> Path:
    """Return the path with the sequences owed made of jokers alone, or None."""
    if not owed:
        return path
    for each in lone_runs(cards, state, jokers):
        rest = take(state, each.bits) if each.bits else state
        found = _lone_sequences(cards, rest, jokers - each.jokers, owed - 1, (each, path))
        if found:
            return found
    return None


def cheapest(cards: Cards, *, sequences: int, pure: int, below: int) -> tuple[int, Path] | None:
    """Return the least points loose of an arrangement with the sequences needed.

    Looks only for less than ``below``. The groups taken come as a path. Raises
    TooHard over the budget.
    """
    loose, floor = cards.hopeless()
    best: int = below
    best_path: Path = None
    if floor >= below:
        return None
    by_suit, by_rank, points = cards.by_suit, cards.by_rank, cards.tables.points
    runs, pures = cards.runs, cards.pure
    seen: dict[tuple[int, int, int], int] = {}
    nodes = 0

    def go(state: int, jokers: int, owed: int, cost: int, path: Path) -> None:
        nonlocal best, best_path, nodes
        if cost >= best:
            return
        low = state & -state
        if not low or low >= WILD_BITS:
            if owed:
                path = _lone_sequences(cards, state, jokers, owed, path)
                if path is None:
                    return
            best, best_path = cost, path
            return
        key = (state, jokers, owed)
        known = seen.get(key)
        if known is not None and known <= cost:
            return
        seen[key] = cost
        nodes += 1
        if nodes > BUDGET:
            raise TooHard
        for options, run in ((by_suit.get(low, _NONE), 1), (by_rank.get(low, _NONE), 0)):
            for bits, need, each in options:
                if need <= jokers and bits & state == bits:
                    rest = (
                        take(state, bits)
                        if state >> PLANE & bits or bits > _FIRST
                        else state ^ bits
                    )
                    left = owed - run if owed else 0
                    go(rest, jokers - need, left, cost, (each, path))
                    if best <= floor:
                        return
        rest, bit, each_points = state, low, points[low]
        while rest & bit:
            rest ^= bit
            bit <<= PLANE
            cost += each_points
        if cost < best:
            go(rest, jokers, owed, cost, path)

    def with_pure(start: int, state: int, jokers: int, left: int, path: Path) -> None:
        if not left:
            owed = sequences - pure
            if (
                owed == 1
                and not any(
                    each.jokers <= jokers and each.bits & state == each.bits for each in runs
                )
                and cards.tables.rules.naturals_min
            ):
                return
            go(state, jokers, owed, floor, path)
            return
        for index in range(start, len(pures)):
            each = pures[index]
            if each.jokers <= jokers and each.bits & state == each.bits:
                with_pure(
                    index, take(state, each.bits), jokers - each.jokers, left - 1, (each, path)
                )
                if best <= floor:
                    return

    with_pure(0, without(cards.state, loose), cards.jokers, pure, None)
    return (best, best_path) if best < below else None


class Laid(Exception):  # noqa: N818 - the way out of the search, not an error
    """All cards are laid: the groups, and which of them have to stay pure."""

    def __init__(self, groups: list[Candidate], kept: list[bool]) -> None:
        """Keep the groups in the order they were taken."""
        super().__init__()
        self.groups = groups
        self.kept = kept


def lay_all(cards: Cards, *, sequences: int, pure: int) -> Laid | None:
    """Lay all cards in groups with the sequences needed, jokers too, or return None.

    A group that has to stay pure takes in no more jokers. Raises TooHard over
    the budget.
    """
    if cards.hopeless()[0]:
        return None
    seen: set[tuple[int, int, int, int, int]] = set()
    groups: list[Candidate] = []
    kept: list[bool] = []

    def lay(
        each: Candidate, state: int, jokers: int, owed: int, pures: int, room: int, keep: bool
    ) -> None:
        groups.append(each)
        kept.append(keep)
        go(
            take(state, each.bits) if each.bits else state,
            jokers - each.jokers,
            owed - 1 if each.sequence and owed else owed,
            pures - 1 if keep else pures,
            room if keep else min(room + each.room, cards.jokers),
        )
        groups.pop()
        kept.pop()

    def go(state: int, jokers: int, owed: int, pures: int, room: int) -> None:
        key = (state, jokers, owed, pures, room)
        if key in seen:
            return
        seen.add(key)
        if len(seen) > BUDGET:
            raise TooHard
        low = state & -state
        if low and low < WILD_BITS:
            for options in (cards.by_suit.get(low, _NONE), cards.by_rank.get(low, _NONE)):
                for bits, need, each in options:
                    if need <= jokers and bits & state == bits:
                        if pures and each.pure:
                            lay(each, state, jokers, owed, pures, room, keep=True)
                        lay(each, state, jokers, owed, pures, room, keep=False)
            return
        if pures:
            return
        if not owed and jokers <= room:
            raise Laid(list(groups), list(kept))
        for each in lone_runs(cards, state, jokers):
            lay(each, state, jokers, owed, pures, room, keep=False)
        if not owed:
            for each in _wild_sets(cards, state, jokers):
                lay(each, state, jokers, owed, pures, room, keep=False)

    try:
        go(cards.state, cards.jokers, sequences, pure, 0)
    except Laid as laid:
        return laid
    return None


def _wild_sets(cards: Cards, state: int, jokers: int) -> Iterator[Candidate]:
    """Yield the sets that cards of the wild rank make, themselves and as jokers."""
    rules, wild = cards.tables.rules, cards.tables.wild
    held = [
        (suit, bit)
        for suit, first in WILD_BIT.items()
        for copy in range(_copies(state, first) if rules.set_duplicates else 1)
        if (bit := first << PLANE * copy) & state
    ]
    for count in range(len(held) + 1):
        size = max(rules.set_min, count)
        missing = size - count
        room = (rules.set_max or MOST_CARDS) - size
        if rules.jokers_max is not None:
            room = min(room, rules.jokers_max - missing)
        lone = count == 1 and missing and not rules.wild_anchors
        if room < 0 or size > jokers or (0 if lone else count) < rules.naturals_min:
            continue
        for some in combinations(held, count):
            bits = sum(bit for _, bit in some)
            slots = (*(f"{wild}{suit}" for suit, _ in some), *[None] * missing)
            yield Candidate(bits, size, slots, room, sequence=False, pure=False)
