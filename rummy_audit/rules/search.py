"""The search for the arrangement of a hand that costs least.

It takes the dearest card that is still open and asks where it goes. What was
tried once with the same cards left is not tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from rummy_audit.rules.candidates import LEVELS, Candidate, Option, Tables
from rummy_audit.rules.neighbours import rows_of_three, three_in_a_row, without_neighbours
from rummy_audit.rules.planes import (
    BIT,
    EVERY,
    MOST_CARDS,
    NATURAL,
    NATURALS,
    PLANE,
    WILD_BIT,
    WILD_BITS,
    WILDS,
    bits_of,
    take,
)

_TWO = 1 | 1 << PLANE  # times a face: in the first two planes
BUDGET = 100_000  # nodes of one search: about a second
_FEW = 8  # nodes of a search that is over before it pays to keep what was tried

Path = tuple[Candidate, "Path"] | None  # the groups taken, the last one first


class TooHard(Exception):
    """Cards that cannot be arranged exactly in reasonable time."""


class Cards:
    """Some cards as bits, and the groups they can make; sets only where asked for.

    ``wild_runs`` are the sequences in which a card of the wild rank stands for
    itself, by their lowest card.
    """

    __slots__ = (
        "ace",
        "cards",
        "jokers",
        "sets",
        "state",
        "tables",
        "total",
        "wild",
        "wild_place",
        "wild_runs",
    )

    def __init__(self, cards: Sequence[str], tables: Tables, wild: str | None) -> None:
        """Lay the cards out; raises KeyError for a face that no pack has."""
        bits, state = bits_of(wild), 0
        for card in cards:
            bit = bits[card]
            while bit & state:
                bit <<= PLANE
            state |= bit
        self.cards, self.tables, self.wild, self.state = cards, tables, wild, state
        # What is no natural card of another rank is a joker.
        self.jokers = len(cards) - (state & NATURALS).bit_count()
        self.total = tables.worth(state)
        self.sets = False
        self.ace = tables.rules.ace
        self.wild_place = 0  # where the rank lies as itself, if a card of it is there
        self.wild_runs: dict[int, tuple[Option, ...]] = {}
        if wild and state & WILDS:
            self.wild_place = BIT[f"{wild}S"]
            self.wild_runs = tables.wild_runs(state, wild)

    def options(self, low: int, state: int, jokers: int) -> tuple[tuple[Option, ...], ...]:
        """Return the sequences and the sets of the lowest card with what is left of a hand."""
        tables, level = self.tables, jokers if jokers < LEVELS else LEVELS - 1
        near = state & tables.run_masks[low]
        runs = (tables.runs[low].get(near) or tables.run(low, state)).levels[level]
        if low in self.wild_runs:
            runs += self.wild_options(low, state)
        if not self.sets:
            return runs, ()
        near = state & tables.set_masks[low]
        return runs, (tables.sets[low].get(near) or tables.set(low, state)).levels[level]

    def wild_options(self, low: int, state: int) -> tuple[Option, ...]:
        """Return the sequences of the lowest card with a card of the wild rank as itself."""
        return tuple([run for run in self.wild_runs[low] if run[0] & state == run[0]])

    def may_be_pure(self, state: int) -> bool:
        """Whether what is left of a hand can have a pure sequence: False is certain."""
        return three_in_a_row(self._as_themselves(state), self.ace)

    def pure_rows(self) -> list[int]:
        """Return every three cards in a row: no pure sequence is without three of them."""
        return rows_of_three(self._as_themselves(self.state), self.ace, self.wild)

    def _as_themselves(self, state: int) -> int:
        """Return the faces of a hand with the cards of the wild rank in their own place."""
        wild = state & WILDS
        return state & NATURAL | wild // WILD_BITS * self.wild_place if wild else state & NATURAL

    def in_rows(self, rows: Sequence[int]) -> int:
        """Count the cards, and all their copies, that lie in rows of three."""
        faces = 0
        for row in rows:
            faces |= row
        return (self.state & faces * EVERY if self.state >> PLANE else faces).bit_count()

    def pure_run(self, row: int) -> Option | None:
        """Return the pure sequence of just these three cards in a row, if there is one."""
        low = row & -row
        if row & WILDS:
            runs = self.wild_options(low, row) if low in self.wild_runs else ()
        else:
            runs = (self.tables.runs[low].get(row) or self.tables.run(low, row)).levels[0]
        return next((run for run in runs if run[0] == row and run[2]), None)

    def hopeless(self, state: int, jokers: int) -> list[int]:
        """Return the cards, and all their copies, that no group takes in with so many jokers.

        Of what is left of a hand. One entry for no joker, one for one, and so on to all
        that there are.
        """
        tables = self.tables
        if tables.simple:
            faces = without_neighbours(state, self.ace, jokers=jokers, sets=self.sets)
        else:
            faces = [self._hopeless(state, min(each, LEVELS - 1)) for each in range(jokers + 1)]
        if state >> PLANE:
            every = EVERY if state >> 2 * PLANE else _TWO
            return [state & each * every for each in faces]
        return faces

    def _hopeless(self, state: int, level: int) -> int:
        tables = self.tables
        covered, there = 0, state & NATURAL
        while there:
            low = there & -there
            there ^= low
            near = state & tables.run_masks[low]
            covered |= (tables.runs[low].get(near) or tables.run(low, state)).covered[level]
            if self.sets:
                near = state & tables.set_masks[low]
                entry = tables.sets[low].get(near) or tables.set(low, state)
                covered |= entry.covered[level]
        for options in self.wild_runs.values():
            for bits, _, _, _ in options:
                covered |= bits
        return state & NATURAL & ~covered


def lone_runs(cards: Cards, state: int, jokers: int) -> Iterator[Candidate]:
    """Yield the sequences that cards of the wild rank and jokers can make by themselves."""
    rules = cards.tables.rules
    for suit, bit in WILD_BIT.items():
        each = cards.tables.lone_run(suit, cards.wild) if cards.wild and bit & state else None
        if each and each.jokers <= jokers:
            yield each
    size = rules.sequence_min
    most = min(cards.tables.places, rules.sequence_max or MOST_CARDS)
    if rules.jokers_max is not None:
        most = min(most, rules.jokers_max)
    if rules.naturals_min == 0 and size <= min(jokers, most):
        yield Candidate(0, size, (None,) * size, (), most - size, sequence=True, pure=False)


def lone_sets(cards: Cards, state: int, jokers: int) -> Iterator[Candidate]:
    """Yield the sets that cards of the wild rank make, themselves and as jokers."""
    rules = cards.tables.rules
    held = [
        (f"{cards.wild}{suit}", place)
        for suit, bit in WILD_BIT.items()
        for copy in range(jokers if rules.set_duplicates else 1)
        if (place := bit << PLANE * copy) & state
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
            bits = sum(place for _, place in some)
            faces = tuple(face for face, _ in some)
            slots = (*faces, *[None] * missing)
            yield Candidate(bits, size, slots, faces, room, sequence=False, pure=False)


def _lone_sequences(cards: Cards, state: int, jokers: int, owed: int, path: Path) -> Path:
    """Return the path with the sequences owed made of jokers alone, or None."""
    if not owed:
        return path
    for each in lone_runs(cards, state, jokers):
        rest = take(state, each.bits)
        found = _lone_sequences(cards, rest, jokers - each.jokers, owed - 1, (each, path))
        if found:
            return found
    return None


class Found(NamedTuple):
    """What the search for the least points came to: the points, and the groups taken.

    In ``path`` the last group taken is the first, and the first ones taken are those that
    have to be pure.
    """

    points: int
    path: Path


def cheapest(  # noqa: C901, PLR0915 - one function: this is where all the time goes
    cards: Cards, *, sequences: int, pure: int, below: int
) -> Found | None:
    """Search for the least points loose, with the sequences that a declaration needs.

    None where nothing costs less than ``below``. Raises TooHard over the budget.
    """
    tables, with_sets, rows = cards.tables, cards.sets, cards.pure_rows()
    if (pure and not rows) or (not cards.jokers and cards.in_rows(rows) < 3 * sequences):
        return None
    state, jokers, path = cards.state, cards.jokers, None
    if pure and len(rows) == 1 and tables.simple and (run := cards.pure_run(rows[0])):
        # There is but one pure sequence: where it goes need not be asked of each of its cards.
        state, jokers, path = take(state, rows[0]), jokers - run[1], (run[3], None)
        sequences, pure = sequences - 1, pure - 1
    masks, worth = cards.hopeless(state, jokers), tables.worth
    dead = state & masks[-1]
    lost_at_once = worth(dead) if dead else 0
    if lost_at_once >= below:
        return None
    near_at, points_of = tables.near, tables.points
    wild_runs, wild_options = cards.wild_runs, cards.wild_options
    # What was tried, and at what cost: the cards left, the jokers, the sequences still owed and
    # the pure ones among them.
    tried: dict[tuple[int, int, int, int], int] = {}
    worths: dict[int, int] = {}
    best, found, nodes = below, None, 0
    shallow = tables.simple and not state >> 2 * PLANE  # of no face there are three

    def go(  # noqa: C901, PLR0915, PLR0917
        on: Callable[..., None],
        state: int,
        jokers: int,
        owed: int,
        pure: int,
        cost: int,
        path: Path,
    ) -> None:
        """Decide where the dearest card goes that is still open, and go on with the rest.

        Cards that no group takes in any more are out of the state, and in the cost. It is
        given itself: if it held itself, all it holds would wait for the garbage collector.
        """
        nonlocal best, found, nodes
        level, left = jokers if jokers < LEVELS else LEVELS - 1, owed - 1 if owed else 0
        near_of, needs_row = near_at[level], pure or (owed and not jokers)
        while cost < best:
            low = state & -state
            if not low or low >= WILD_BITS:
                if not pure:
                    path = _lone_sequences(cards, state, jokers, owed, path) if owed else path
                    if path is not None or not owed:
                        best, found = cost, Found(cost, path)
                return
            if needs_row:
                for row in rows:
                    if row & state == row:
                        break
                else:
                    return
            if nodes > _FEW:
                at = state, jokers, owed, pure
                before = tried.get(at)
                if before is not None and before <= cost:
                    return
                if nodes > BUDGET:
                    raise TooHard
                tried[at] = cost
            nodes += 1
            run_mask, runs_of, set_mask, sets_of = near_of[low]
            runs = runs_of.get(state & run_mask)
            if runs is None:
                runs = tables.run(low, state).levels[level]
            if wild_runs and low in wild_runs:
                runs += wild_options(low, state)
            copies = state >> PLANE
            for bits, need, is_pure, each in runs:
                if need <= jokers:
                    rest = state ^ bits
                    again = copies and copies & bits
                    if again:
                        rest = rest ^ again ^ again << PLANE if shallow else take(state, bits)
                    spent = cost
                    dead = need and rest & masks[jokers - need]
                    if dead:
                        lost = worths.get(dead)
                        if lost is None:
                            lost = worths[dead] = worth(dead)
                        spent += lost
                        if spent >= best:
                            continue
                        rest ^= dead
                    still = pure - 1 if pure and is_pure else pure
                    on(on, rest, jokers - need, left, still, spent, (each, path))
                    if best <= cost:
                        return
            if with_sets:
                sets = sets_of.get(state & set_mask)
                if sets is None:
                    sets = tables.set(low, state).levels[level]
                for bits, need, _, each in sets:
                    if need <= jokers:
                        rest = state ^ bits
                        again = copies and copies & bits
                        if again:
                            rest = rest ^ again ^ again << PLANE if shallow else take(state, bits)
                        spent = cost
                        dead = need and rest & masks[jokers - need]
                        if dead:
                            lost = worths.get(dead)
                            if lost is None:
                                lost = worths[dead] = worth(dead)
                            spent += lost
                            if spent >= best:
                                continue
                            rest ^= dead
                        on(on, rest, jokers - need, owed, pure, spent, (each, path))
                        if best <= cost:
                            return
            each_points = points_of[low]
            cost += each_points
            state ^= low
            while copies and copies & low:  # the copies of a loose card stay loose too
                copies >>= PLANE
                cost += each_points
                low <<= PLANE
                state ^= low

    go(go, state ^ dead, jokers, sequences, pure, lost_at_once, path)
    return found
