"""The best arrangement of tiles in melds, exactly: with or without a table.

The numbers 1 … 13 are taken in turn. What matters of everything before is, for
each colour, how long the runs are that could go on, so states that agree in this
and in the jokers used are one. A run that is long enough may end or go on: it can
do all that a new run could, so tiles go to the longest runs first, and how many
tiles of a colour lie in runs decides the next state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, cast

from rummy_audit.rules.families.tile.layout import lay_out
from rummy_audit.rules.families.tile.melds import MeldRules
from rummy_audit.rules.families.tile.ways import PAIR, Colours, Runs, Way, runs_of, tree_of
from rummy_audit.rules.tiles import COLOURS, HIGHEST, JOKER, NUMBERS, face, in_order

# Steps of one search, each a state and a way to go on: some seconds at most.
BUDGET = 4_000_000

Aim = Literal["tiles", "value"]

_NEVER = 99
# Above this many tiles it pays to look first for an arrangement that leaves few of them.
_MANY = 30
_WIDTH = 200


class SearchTooLong(Exception):
    """The search for an arrangement went over its budget of steps."""


class Arrangement(NamedTuple):
    """Melds that hold every tile of the table, and what of the rack lies in them.

    ``value`` counts the rack's tiles by number; ``loose`` are those that stay on it;
    ``steps`` is how long the search took.
    """

    melds: tuple[tuple[str, ...], ...]
    tiles: int
    value: int
    loose: tuple[str, ...]
    steps: int = 0


class _Problem(NamedTuple):
    """Tiles by number and colour: all there are, and those of the table, which must lie."""

    have: tuple[Colours, ...]
    must: tuple[Colours, ...]
    jokers: int
    jokers_must: int


def _problem(table: Iterable[str], rack: Iterable[str]) -> _Problem:
    lying, held = Counter(table), Counter(rack)
    faces = [[face(colour, number) for colour in COLOURS] for number in NUMBERS]
    return _Problem(
        have=tuple(tuple(lying[tile] + held[tile] for tile in row) for row in faces),
        must=tuple(tuple(lying[tile] for tile in row) for row in faces),
        jokers=lying[JOKER] + held[JOKER],
        jokers_must=lying[JOKER],
    )


class _Step(NamedTuple):
    """How a state was reached: what was gained, from which state, by which way."""

    gain: int
    before: int
    way: Way | None


class _Half:
    """How two of the colours can go on at one number, by the state of their runs.

    A move is the tiles in runs, the next state, and how many jokers its open runs
    will need at least.
    """

    def __init__(self, runs: Runs, coming: tuple[tuple[int, ...], ...], jokers: int) -> None:
        self.runs = runs
        self.jokers = jokers
        self.lack = [_lack(runs, tiles) for tiles in coming]
        self.known: dict[int, list[tuple[int, int, int]]] = {}

    def moves(self, state: int) -> list[tuple[int, int, int]]:
        """Return the moves from a state of the two colours."""
        found = self.known.get(state)
        if found is None:
            one, two = divmod(state, self.runs.size)
            found = self.known[state] = [
                (i * PAIR + j, a * self.runs.size + b, lack)
                for i, a in enumerate(self.runs.after[one])
                for j, b in enumerate(self.runs.after[two])
                if a >= 0 <= b and (lack := self.lack[0][a] + self.lack[1][b]) <= self.jokers
            ]
        return found


def _lack(runs: Runs, coming: tuple[int, ...]) -> tuple[int, ...]:
    """Return for each state how many jokers its open runs need, with the tiles to come."""
    return tuple(
        sum(max(0, need - come) for need, come in zip(needs, coming, strict=True) if need)
        for needs in runs.lacking
    )


@lru_cache(maxsize=1024)
def _half(run_min: int, coming: tuple[tuple[int, ...], ...], jokers: int) -> _Half:
    return _Half(runs_of(run_min), coming, jokers)


class _Search:
    """One search: the problem, what counts, and the steps taken of the budget."""

    def __init__(
        self,
        problem: _Problem,
        rules: MeldRules,
        aim: Aim,
        *,
        joker_points: int | None,
        budget: int,
    ) -> None:
        self.problem = problem
        self.rules = rules
        self.runs = runs_of(rules.run_min)
        self.by_value = aim == "value"
        self.joker_points = joker_points
        self.budget = budget
        self.steps = 0

    def worth(self, number: int) -> int:
        """Return what a tile of a number adds."""
        return number if self.by_value else 1

    def joker_worth(self, number: int) -> int:
        """Return what a joker adds that stands for a tile of a number."""
        if self.joker_points is None or not self.by_value:
            return self.worth(number)
        return self.joker_points

    def most(self) -> int:
        """Return what there would be to gain if every tile of the rack could lie."""
        problem = self.problem
        naturals = sum(
            (sum(have) - sum(must)) * self.worth(number)
            for number, have, must in zip(NUMBERS, problem.have, problem.must, strict=True)
        )
        return naturals + (problem.jokers - problem.jokers_must) * self.joker_worth(HIGHEST)

    def within(self, loss: int, width: int | None = None) -> list[dict[int, _Step]]:
        """Return the states after each number that forgo at most so much.

        With a ``width`` only so many of each number are followed, those that leave
        most open: what is found so is right, but not all is found.
        """
        jokers = (self.problem.jokers - self.problem.jokers_must) * self.joker_worth(HIGHEST)
        levels = [{0: _Step(jokers, 0, None)}]
        possible = jokers
        for index, number in enumerate(NUMBERS):
            problem = self.problem
            spare = sum(problem.have[index]) - sum(problem.must[index])
            possible += spare * self.worth(number)
            level = self._level(index, levels[-1], possible - loss)
            if width is not None and len(level) > width:
                kept = sorted(level, key=lambda key: (-level[key].gain, self._promise(key), key))
                level = {key: level[key] for key in kept[:width]}
            levels.append(level)
        return levels

    def _promise(self, key: int) -> int:
        """Order states by the runs that are open for more: those that may end come first."""
        promise, rest = 0, key // (self.problem.jokers + 1)
        for _ in COLOURS:
            rest, state = divmod(rest, self.runs.size)
            promise -= self.runs.promise[state]
        return promise

    def _level(self, index: int, before: dict[int, _Step], least: int) -> dict[int, _Step]:
        problem, pair = self.problem, self.runs.size**2
        many = problem.jokers + 1
        tree = tree_of(problem.have[index], problem.must[index], problem.jokers, self.rules)
        worth, joker_losses = self._gains(index)
        left_half, right_half = self._halves(index)
        rights: dict[tuple[int, int], list[tuple[int, int, Way]]] = {}
        level: dict[int, _Step] = {}
        for key, step in before.items():
            rest, used = divmod(key, many)
            left, right = divmod(rest, pair)
            for tiles, to_left, lack in left_half.moves(left):
                spare = problem.jokers - used - lack
                if spare < 0 or tiles not in tree:
                    continue
                ways = rights.get((tiles, right))
                if ways is None:
                    ways = rights[tiles, right] = [
                        (to_right, lack_too + way.jokers, way)
                        for more, to_right, lack_too in right_half.moves(right)
                        for way in tree[tiles].get(more, ())
                    ]
                self.steps += len(ways)
                for to_right, jokers, way in ways:
                    if jokers > spare:
                        continue
                    gain = step.gain + way.gain * worth + joker_losses[used][way.jokers]
                    if gain < least:
                        continue
                    at = (to_left * pair + to_right) * many + used + way.jokers
                    known = level.get(at)
                    if known is None or gain > known.gain:
                        level[at] = _Step(gain, key, way)
            if self.steps > self.budget:
                raise SearchTooLong
        return self._best_of(level)

    def _best_of(self, level: dict[int, _Step]) -> dict[int, _Step]:
        """Leave out states that gained no more than another which can do all they can."""
        size, better = self.runs.size, self.runs.better
        many = self.problem.jokers + 1
        kept: dict[int, _Step] = {}
        for key, step in level.items():
            rest, weight = key // many, many
            for _ in COLOURS:
                rest, state = divmod(rest, size)
                for other in better[state]:
                    known = level.get(key + (other - state) * weight)
                    if known is not None and known.gain >= step.gain:
                        break
                else:
                    weight *= size
                    continue
                break
            else:
                kept[key] = step
        return kept

    def _halves(self, index: int) -> list[_Half]:
        """Return how the first two colours can go on at a number, and the other two."""
        run_min, have = self.rules.run_min, self.problem.have
        ahead = range(index + 1, index + run_min)
        coming = [
            tuple(have[i][colour] if i < HIGHEST else -_NEVER for i in ahead)
            for colour in range(len(COLOURS))
        ]
        jokers = self.problem.jokers
        return [_half(run_min, (coming[at], coming[at + 1]), jokers) for at in (0, 2)]

    def _gains(self, index: int) -> tuple[int, list[list[int]]]:
        """Return what a tile of a number adds, and what jokers lose, by those used before.

        A joker of the rack counts as the highest tile until it is laid lower. The
        table's are used first, at the lower numbers: so the rack's count as much as
        they can.
        """
        worth = self.worth(index + 1)
        loss = self.joker_worth(HIGHEST) - self.joker_worth(index + 1)
        jokers, must = self.problem.jokers, self.problem.jokers_must
        return worth, [
            [
                -loss * sum(used >= must for used in range(before, before + now))
                for now in range(jokers + 1)
            ]
            for before in range(jokers + 1)
        ]

    def ended(self, levels: list[dict[int, _Step]]) -> list[int]:
        """Return the states at the end in which all the table's jokers lie."""
        many = self.problem.jokers + 1
        return [key for key in levels[-1] if key % many >= self.problem.jokers_must]

    def best(self) -> tuple[list[dict[int, _Step]], int] | None:
        """Return the states by number and the best at the end, or None where there is none.

        With many tiles a quick search comes first. What it finds tells how much can
        be forgone at most, and mostly it is the best already.
        """
        most = self.most()
        large = sum(map(sum, self.problem.have)) > _MANY
        for few in (0, 2, 8) if large else ():
            found = self._best(self.within(few * self.worth(HIGHEST), width=_WIDTH))
            if found is not None:
                loss = most - self._gained(*found)
                return (self._best(self.within(loss - 1)) if loss else None) or found
        return self._best(self.within(most))

    def _gained(self, levels: list[dict[int, _Step]], key: int) -> int:
        """Return what a last state gained, now that unused jokers lose what they counted."""
        used = key % (self.problem.jokers + 1)
        return levels[-1][key].gain - (self.problem.jokers - used) * self.joker_worth(HIGHEST)

    def _best(self, levels: list[dict[int, _Step]]) -> tuple[list[dict[int, _Step]], int] | None:
        ended = self.ended(levels)
        return (levels, max(ended, key=lambda key: self._gained(levels, key))) if ended else None


def _path(levels: list[dict[int, _Step]], key: int) -> list[Way]:
    ways: list[Way] = []
    for level in reversed(levels[1:]):
        step = level[key]
        ways.append(cast("Way", step.way))
        key = step.before
    return ways[::-1]


def arrange(
    rack: Sequence[str],
    rules: MeldRules,
    *,
    table: Sequence[str] = (),
    aim: Aim = "tiles",
    joker_points: int | None = None,
    budget: int = BUDGET,
) -> Arrangement | None:
    """Lay as much of a rack as can lie, with all tiles of the table; None: the table cannot.

    ``aim`` is most tiles, or the greatest value; in a value a joker counts
    ``joker_points``, or as the tile it stands for. Raises SearchTooLong over the
    budget. Faces and copies must be those of the pack.

    >>> found = arrange(["R5", "B5", "JK", "K9"], MeldRules())
    >>> found.tiles, found.value, found.loose
    (3, 15, ('K9',))
    >>> arrange(["R4"], MeldRules(), table=["R1", "R2"]) is None
    True
    """
    problem = _problem(table, rack)
    search = _Search(problem, rules, aim, joker_points=joker_points, budget=budget)
    found = search.best()
    if found is None:
        return None
    ways = _path(*found)
    melds = lay_out([(way.runs, way.sets) for way in ways], problem.have, rules)
    laid = Counter(tile for meld in melds for tile in meld) - Counter(table)
    loose = in_order((Counter(rack) - laid).elements())
    value = _value(ways, problem, joker_points=joker_points)
    return Arrangement(melds, sum(laid.values()), value, tuple(loose), search.steps)


def _value(ways: Sequence[Way], problem: _Problem, *, joker_points: int | None) -> int:
    """Add up what the rack's tiles are worth, its jokers at the highest places jokers hold."""
    jokers = [number for number, way in zip(NUMBERS, ways, strict=True) for _ in range(way.jokers)]
    naturals = sum(number * way.gain for number, way in zip(NUMBERS, ways, strict=True))
    laid = jokers[problem.jokers_must :]
    return naturals + (sum(laid) if joker_points is None else joker_points * len(laid))
