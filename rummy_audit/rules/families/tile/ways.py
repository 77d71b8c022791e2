"""The ways through one number: how many tiles of each colour lie in runs, how many in sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from rummy_audit.rules.families.tile.melds import MeldRules
from rummy_audit.rules.tiles import COLOURS

Colours = tuple[int, ...]

_MOST = 4  # runs of one colour at one number: two copies and two jokers
_SETS = 3  # sets of one number: eight tiles and two jokers


class Way(NamedTuple):
    """One way through a number: tiles in runs and in sets by colour, jokers used, gain."""

    runs: Colours
    sets: Colours
    jokers: int
    gain: int


class Runs(NamedTuple):
    """The states of one colour: the lengths of its open runs, and what tiles make of them.

    ``after[state][tiles]`` is the next state, or -1 where a run would be left too
    short; ``lacking[state]`` how many runs need a tile of each number ahead;
    ``promise[state]`` is high where much is open. ``better[state]`` are states that
    can do all that this one can: a run is longer, or there is one more that may end.
    """

    size: int
    after: tuple[tuple[int, ...], ...]
    lacking: tuple[tuple[int, ...], ...]
    promise: tuple[int, ...]
    better: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=8)
def runs_of(run_min: int) -> Runs:
    """Return the states of the runs of one colour, where a run has so many tiles at least."""
    lengths = range(run_min, 0, -1)
    states = [
        state for size in range(_MOST + 1) for state in combinations_with_replacement(lengths, size)
    ]
    index = {state: number for number, state in enumerate(states)}

    def after(state: tuple[int, ...], tiles: int) -> int:
        grown = [length + 1 for length in state if length < run_min]
        more = tiles - len(grown)
        if more < 0:
            return -1
        going = min(more, len(state) - len(grown))
        grown += [run_min] * going + [1] * (more - going)
        return index[tuple(sorted(grown, reverse=True))]

    def lacking(state: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            sum(run_min - length >= step for length in state) for step in range(1, run_min)
        )

    def better(state: tuple[int, ...]) -> Iterator[int]:
        for place, length in enumerate(state):
            if length < run_min:
                longer = sorted((*state[:place], length + 1, *state[place + 1 :]), reverse=True)
                yield index[tuple(longer)]
        if len(state) < _MOST:
            yield index[(run_min, *state)]

    return Runs(
        size=len(states),
        after=tuple(tuple(after(state, tiles) for tiles in range(_MOST + 1)) for state in states),
        lacking=tuple(map(lacking, states)),
        promise=tuple(sum(2 if length == run_min else -1 for length in state) for state in states),
        better=tuple(tuple(better(state)) for state in states),
    )


@lru_cache(maxsize=8)
def _set_colours(least: int, most: int) -> tuple[Colours, ...]:
    """Return what sets of one number can take of each colour together.

    So many colours, each at most once a set, fit into some sets if and only if
    their number does: the colours can always be spread evenly.
    """
    found: dict[Colours, None] = {}
    for count in range(_SETS + 1):
        for taken in product(range(count + 1), repeat=len(COLOURS)):
            if least * count <= sum(taken) <= most * count:
                found[taken] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def _ways(have: Colours, must: Colours, jokers: int, rules: MeldRules) -> tuple[Way, ...]:
    """Return the ways to use the tiles of one number: for equal runs and jokers the best.

    A natural tile is used before a joker stands for it.
    """
    best: dict[Colours, dict[int, Way]] = {}
    for sets in _set_colours(rules.set_min, rules.set_max):
        if sum(max(0, taken - held) for taken, held in zip(sets, have, strict=True)) > jokers:
            continue
        room = [
            range(max(0, least - taken), min(_MOST, max(0, held - taken) + jokers) + 1)
            for taken, held, least in zip(sets, have, must, strict=True)
        ]
        for runs in product(*room):
            laid = [one + other for one, other in zip(runs, sets, strict=True)]
            used = sum(max(0, tiles - held) for tiles, held in zip(laid, have, strict=True))
            if used > jokers:
                continue
            gain = sum(min(tiles, held) for tiles, held in zip(laid, have, strict=True)) - sum(must)
            known = best.setdefault(runs, {}).get(used)
            if known is None or gain > known.gain:
                best[runs][used] = Way(runs, sets, used, gain)
    return tuple(way for ways in best.values() for way in ways.values())


# Two colours are taken together: how many tiles of each go to runs, as one number.
PAIR = _MOST + 1
Tree = dict[int, dict[int, tuple[Way, ...]]]


@lru_cache(maxsize=4096)
def tree_of(have: Colours, must: Colours, jokers: int, rules: MeldRules) -> Tree:
    """Return the ways to use the tiles of one number, by the runs of each two colours.

    ``have`` counts the tiles by colour, ``must`` those of the table.
    """
    nested: dict[int, dict[int, list[Way]]] = {}
    for way in _ways(have, must, jokers, rules):
        one, two, three, four = way.runs
        row = nested.setdefault(one * PAIR + two, {})
        row.setdefault(three * PAIR + four, []).append(way)
    return {
        left: {right: tuple(ways) for right, ways in row.items()} for left, row in nested.items()
    }
