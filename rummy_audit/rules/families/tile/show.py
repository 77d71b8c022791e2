"""The racks laid open at the end: a claim, checked against the tiles that were played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rummy_audit.rhl.records import UNKNOWN, Show
from rummy_audit.rules.families.tile.table import TileTable
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.table import Holding
from rummy_audit.rules.tiles import in_order


class Named(NamedTuple):
    """Named tiles: those known to be in the rack, those that can be in it, those that cannot."""

    known: list[str]
    fresh: list[str]
    lacking: list[str]


def shown_tiles(table: TileTable, event: Show) -> tuple[str, ...]:
    """Return every tile of a shown rack; a tile drawn after the end does not count."""
    tiles = [tile for group in event.groups or () for tile in group] + list(event.loose or ())
    hand = table.hand(event.seat)
    for stray in table.strays.get(event.seat, ()):
        if tiles.count(stray) > hand.holds(stray):
            tiles.remove(stray)
    return tuple(tiles)


def held_of(table: TileTable, hand: Holding, tiles: Iterable[str]) -> Named:
    """Sort named tiles by whether the rack can hold them, by all that was seen."""
    unknown = hand.unknown
    found = Named([], [], [])
    for tile in tiles:
        copies = table.pack.get(tile, 0)
        if tile == UNKNOWN or found.known.count(tile) < hand.holds(tile):
            found.known.append(tile)
        elif unknown and table.seen.get(tile, 0) + found.fresh.count(tile) < copies:
            unknown -= 1
            found.fresh.append(tile)
        else:
            found.lacking.append(tile)
    return found


def _without_surplus(
    table: TileTable, hand: Holding, tiles: Sequence[str], lacking: list[str]
) -> list[str]:
    """Leave out tiles that only the size of a rack of unseen tiles has no room for.

    Of more tiles than the rack holds nobody can say which are too many.
    """
    surplus = len(tiles) - len(hand) if hand.unknown else 0
    kept = []
    for tile in lacking:
        seen = table.seen.get(tile, 0) - hand.holds(tile) + tiles.count(tile)
        if surplus > 0 and seen <= table.pack.get(tile, 0):
            surplus -= 1
        else:
            kept.append(tile)
    return kept


def rack_as_played(table: TileTable, event: Show) -> Findings:
    """A shown rack holds the tiles that were not played, each once, and all of them."""
    tiles = shown_tiles(table, event)
    hand, seat = table.hand(event.seat), event.seat
    lacking = _without_surplus(table, hand, tiles, held_of(table, hand, tiles).lacking)
    strange = [tile for tile in lacking if tile not in table.pack]
    twice = [tile for tile in lacking if hand.holds(tile)]
    others = [tile for tile in lacking if tile not in strange and tile not in twice]
    found: list[Finding] = []
    if strange:
        found.append(table.found("card-not-in-deck", event, seat=seat, cards=in_order(strange)))
    if others:
        code = "card-not-held" if table.live else "too-many-copies"
        found.append(table.found(code, event, seat=seat, cards=in_order(others)))
    if twice:
        found.append(table.found("card-in-two-groups", event, seat=seat, cards=in_order(twice)))
    if not table.counted(seat):
        if table.live:
            table.skip("hand-size", "how many tiles the seat holds is not in this log")
        return found
    unseen = table.strays.get(seat, []).count(UNKNOWN)
    if not len(hand) <= len(tiles) <= len(hand) + unseen and len(hand) != len(tiles) - len(lacking):
        found.append(
            table.found("hand-size", event, seat=seat, recorded=len(tiles), expected=len(hand))
        )
    return found or NONE


def sound(table: TileTable, event: Show) -> bool:
    """Whether a shown rack can be the one that was left, tile for tile."""
    tiles = shown_tiles(table, event)
    hand = table.hand(event.seat)
    if UNKNOWN in tiles or held_of(table, hand, tiles).lacking:
        return False
    return not table.counted(event.seat) or len(hand) == len(tiles)
