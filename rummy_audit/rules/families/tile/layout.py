"""Laying tiles out in melds, once it is known how many of each lie in runs and in sets."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_audit.rules.families.tile.melds import MeldRules
from rummy_audit.rules.tiles import COLOURS, JOKER, NUMBERS, face

Colours = tuple[int, ...]


def lay_out(
    ways: Sequence[tuple[Colours, Colours]], have: Sequence[Colours], rules: MeldRules
) -> tuple[tuple[str, ...], ...]:
    """Return melds with so many tiles of each number and colour in runs and in sets.

    ``ways`` gives for each number the tiles in runs and those in sets, by colour;
    ``have`` the natural tiles there are: jokers stand for what is missing.

    >>> nothing = (0, 0, 0, 0)
    >>> red = [((1, 0, 0, 0), nothing)] * 3 + [(nothing, nothing)] * 10
    >>> lay_out(red, [(1, 0, 0, 0), nothing, (1, 0, 0, 0)] + [nothing] * 10, MeldRules())
    (('R1', 'JK', 'R3'),)
    """
    melds: list[list[str]] = []
    going: list[list[list[str]]] = [[] for _ in COLOURS]
    for number, (runs, sets), held in zip(NUMBERS, ways, have, strict=True):
        tiles = [
            _tiles(face(colour, number), taken + grouped, natural)
            for colour, taken, grouped, natural in zip(COLOURS, runs, sets, held, strict=True)
        ]
        for index, taken in enumerate(runs):
            going[index] = _go_on(going[index], taken, rules.run_min)
            for run in going[index]:
                if len(run) == 0:
                    melds.append(run)
                run.append(tiles[index].pop(0))
        melds += _sets(sets, tiles, rules.set_max)
    return tuple(tuple(meld) for meld in melds)


def _tiles(tile: str, count: int, natural: int) -> list[str]:
    return [tile] * min(count, natural) + [JOKER] * (count - natural)


def _go_on(runs: list[list[str]], tiles: int, run_min: int) -> list[list[str]]:
    """Return the runs that take so many tiles: the short ones, then long ones, then new ones."""
    short = [run for run in runs if len(run) < run_min]
    long = [run for run in runs if len(run) >= run_min]
    going = (short + long)[:tiles]
    return going + [[] for _ in range(tiles - len(going))]


def _sets(sets: Colours, tiles: list[list[str]], largest: int) -> list[list[str]]:
    """Spread the tiles of one number over as few sets as hold them, each colour once a set."""
    count = max(*sets, -(-sum(sets) // largest))
    found: list[list[str]] = [[] for _ in range(count)]
    for index, taken in enumerate(sets):
        for group in sorted(found, key=len)[:taken]:
            group.append(tiles[index].pop(0))
    return found
