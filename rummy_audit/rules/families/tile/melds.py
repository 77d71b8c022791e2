"""One meld of tiles: what each of its jokers can stand for, or every breach.

A joker is literal where it stands if that makes a run. Where it does not (beside
the 13, before the 1, in a set) it is read freely, and every reading counts: a
player is right if one of them is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import Any, Literal, NamedTuple

import msgspec

from rummy_audit.rules import groups
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.tiles import COLOURS, HIGHEST, JOKER, NUMBER_OF, face, in_order

Kind = Literal["sequence", "set", "invalid"]

# The parameters of this family behind the rules of a group.
PARAMETERS = {"sequence_min": "run_min", "ace": "one", "set_duplicates": "set_max"}


class MeldRules(msgspec.Struct, frozen=True):
    """What makes a meld, as the parameters say; limits in tiles."""

    run_min: int = 3
    set_min: int = 3
    set_max: int = 4
    literal: bool = False


class Reading(NamedTuple):
    """One way to read a meld: ``places`` names the tile each of its tiles stands for."""

    kind: Literal["sequence", "set"]
    places: tuple[str, ...]


@lru_cache(maxsize=1024)
def meld_rules(rules: Ruleset) -> MeldRules:
    """Return what makes a meld under a ruleset of the tile family."""
    return MeldRules(
        run_min=rules.number("run_min"),
        set_min=rules.number("set_min"),
        set_max=rules.number("set_max"),
        literal=rules.choice("joker_position") == "literal",
    )


@lru_cache(maxsize=65536)
def readings(meld: tuple[str, ...], rules: MeldRules) -> tuple[Reading, ...]:
    """Return every way to read a meld; none: it is not valid.

    >>> readings(("R10", "R11", "JK"), MeldRules())
    (Reading(kind='sequence', places=('R10', 'R11', 'R12')),)
    >>> readings(("B7", "K7", "JK"), MeldRules())[0].places
    ('B7', 'K7', 'R7')
    >>> readings(("R12", "R13", "JK"), MeldRules())[0].places
    ('R12', 'R13', 'R11')
    >>> readings(("R12", "R13", "R1"), MeldRules())
    ()
    """
    naturals = [tile for tile in meld if tile != JOKER]
    if not naturals or any(tile not in NUMBER_OF for tile in naturals):
        return ()
    if (literal := _literal(meld, rules)) is not None:
        return (literal,)
    return (*_runs(meld, naturals, rules), *_sets(meld, naturals, rules))


def _literal(meld: tuple[str, ...], rules: MeldRules) -> Reading | None:
    """Read a run whose every tile lies in its place, jokers as the place they hold."""
    size = len(meld)
    if size < rules.run_min:
        return None
    colour, start = "", 0
    for place, tile in enumerate(meld):
        if tile == JOKER:
            continue
        first = NUMBER_OF[tile] - place
        if not colour:
            colour, start = tile[0], first
        elif tile[0] != colour or first != start:
            return None
    if start < 1 or start + size - 1 > HIGHEST:
        return None
    return Reading("sequence", tuple(face(colour, start + place) for place in range(size)))


def _filled(meld: tuple[str, ...], missing: tuple[str, ...]) -> tuple[str, ...]:
    stands = iter(missing)
    return tuple(next(stands) if tile == JOKER else tile for tile in meld)


def _runs(meld: tuple[str, ...], naturals: list[str], rules: MeldRules) -> Iterator[Reading]:
    size = len(meld)
    numbers = {NUMBER_OF[tile] for tile in naturals}
    one_colour = len({tile[0] for tile in naturals}) == 1
    if size < rules.run_min or not one_colour or len(numbers) < len(naturals):
        return
    jokers = size - len(naturals)
    if jokers and rules.literal:
        return
    colour = naturals[0][0]
    for start in range(max(1, max(numbers) - size + 1), min(numbers) + 1):
        if start + size - 1 > HIGHEST:
            return
        missing = [
            face(colour, number) for number in range(start, start + size) if number not in numbers
        ]
        for order in permutations(missing):
            yield Reading("sequence", _filled(meld, order))


def _sets(meld: tuple[str, ...], naturals: list[str], rules: MeldRules) -> Iterator[Reading]:
    size = len(meld)
    colours = {tile[0] for tile in naturals}
    one_number = len({NUMBER_OF[tile] for tile in naturals}) == 1
    if not rules.set_min <= size <= rules.set_max or not one_number:
        return
    if len(colours) < len(naturals):
        return
    number = NUMBER_OF[naturals[0]]
    missing = [face(colour, number) for colour in COLOURS if colour not in colours]
    for stands in permutations(missing, size - len(naturals)):
        yield Reading("set", _filled(meld, stands))


def kind(meld: tuple[str, ...], rules: MeldRules) -> Kind:
    """Return what a meld is; one that reads as both is a sequence."""
    ways = readings(meld, rules)
    return ways[0].kind if ways else "invalid"


def value(meld: tuple[str, ...], rules: MeldRules, *, jokers: bool = True) -> int:
    """Return what a meld is worth at best; without ``jokers`` they count nothing.

    An invalid meld is worth what its tiles show, its jokers as much as they could be.

    >>> value(("K5", "K6", "JK"), MeldRules())
    18
    """
    naturals = sum(NUMBER_OF.get(tile, 0) for tile in meld if tile != JOKER)
    held = meld.count(JOKER)
    if not held or not jokers:
        return naturals
    ways = readings(meld, rules)
    if not ways:
        return naturals + HIGHEST * held
    return max(sum(NUMBER_OF[tile] for tile in way.places) for way in ways)


@lru_cache(maxsize=16384)
def shape(meld: tuple[str, ...], rules: MeldRules) -> tuple[object, ...]:
    """Return what stays the same when a meld is only laid in another order.

    The tiles of a set may lie in any order, and so may those of a run but for
    its jokers, which stand for their place.
    """
    tiles = tuple(sorted(meld))
    if JOKER not in meld:
        return tiles
    stands = {
        tuple(sorted(place for tile, place in zip(meld, way.places, strict=True) if tile == JOKER))
        for way in readings(meld, rules)
    }
    return (*tiles, tuple(sorted(stands)))


_CARD_OF = {
    tile: "A23456789TJQK"[number - 1] + "SHDC"[COLOURS.index(tile[0])]
    for tile, number in NUMBER_OF.items()
}
_TILE_OF = {card: tile for tile, card in _CARD_OF.items()}
_NUMBER = {rank: number for number, rank in enumerate("A23456789TJQK", start=1)}
_COLOUR = dict(zip("SHDC", COLOURS, strict=True))


def _in_tiles(data: dict[str, Any]) -> dict[str, Any]:
    """Say in colours and numbers what a breach names in suits and ranks."""
    said = dict(data)
    if "ranks" in said:
        said["numbers"] = [_NUMBER[rank] for rank in said.pop("ranks")]
    if "suits" in said:
        said["colours"] = sorted(_COLOUR.get(suit, suit) for suit in said.pop("suits"))
    if "repeated" in said:
        said["repeated"] = in_order(_TILE_OF.get(card, card) for card in said["repeated"])
    return said


def same_fault(old: tuple[str, ...], new: tuple[str, ...], rules: MeldRules) -> bool:
    """Whether a meld is wrong only as an old one was that lies in it whole.

    >>> same_fault(("R8", "R9", "R11"), ("R8", "R9", "R11", "R12"), MeldRules())
    True
    >>> same_fault(("R8", "R9", "R11"), ("R8", "R9", "R11", "R13"), MeldRules())
    False
    """
    if not set(new).issuperset(old) or Counter(old) - Counter(new) or readings(old, rules):
        return False
    return _essence(old, rules) == _essence(new, rules)


def _essence(meld: tuple[str, ...], rules: MeldRules) -> list[tuple[str, object]]:
    """Return what is wrong with a meld, without what only tells how far it reaches."""
    found: list[tuple[str, object]] = []
    for breach in breaches(meld, rules):
        data: object = breach.data
        if breach.code == "sequence-gap" and "numbers" in breach.data:
            numbers = breach.data["numbers"]
            reach = range(min(numbers), max(numbers) + 1)
            data = [(n, numbers.count(n)) for n in reach if numbers.count(n) != 1]
        found.append((breach.code, data))
    return found


@lru_cache(maxsize=4096)
def breaches(meld: tuple[str, ...], rules: MeldRules) -> tuple[groups.Breach, ...]:
    """Return every rule an invalid meld breaks, in the order a referee asks.

    >>> [breach.code for breach in breaches(("R12", "R13", "R1"), MeldRules())]
    ['sequence-wraps']
    """
    if readings(meld, rules):
        return ()
    law = groups.GroupRules(
        ace="low",
        jokers=True,
        sequence_min=rules.run_min,
        set_min=rules.set_min,
        set_max=rules.set_max,
    )
    found = groups.read_group([_CARD_OF.get(tile, tile) for tile in meld], law)
    if found.valid:
        # Only where a joker must stand in its place can the tiles themselves be a run.
        return (groups.Breach("sequence-gap", "joker_position", {}),)
    return tuple(
        groups.Breach(breach.code, breach.parameter, _in_tiles(breach.data))
        for breach in found.breaches
    )
