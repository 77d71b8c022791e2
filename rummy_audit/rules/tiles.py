"""Tiles: the pack of 106, colours, numbers, and what a rack counts.

A tile is text as in the log: colour and number (``R7``, ``K13``), or the joker
``JK``; how it is written is ``rhl.cards_text``'s matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rummy_audit.rhl.cards_text import COLOURS, JOKER, NUMBERS, TILE_FACES

HIGHEST = NUMBERS[-1]

COLOUR_NAMES: Mapping[str, str] = MappingProxyType(
    {"R": "red", "B": "blue", "K": "black", "O": "orange"}
)

NUMBER_OF: Mapping[str, int] = MappingProxyType({face: int(face[1:]) for face in TILE_FACES})

_FACE_ORDER: Mapping[str, int] = MappingProxyType(
    {face: index for index, face in enumerate((*TILE_FACES, JOKER))}
)


def pack() -> dict[str, int]:
    """Return the faces of the game, each with its copies: all tiles twice, and two jokers.

    >>> sum(pack().values())
    106
    """
    return dict.fromkeys((*TILE_FACES, JOKER), 2)


def face(colour: str, number: int) -> str:
    """Return the tile of a colour and a number.

    >>> face("R", 7)
    'R7'
    """
    return f"{colour}{number}"


def in_order(tiles: Iterable[str]) -> list[str]:
    """Sort tiles by colour and number, jokers last; faces that no set has behind them.

    >>> in_order(["JK", "K10", "R9", "K2"])
    ['R9', 'K2', 'K10', 'JK']
    """
    return sorted(tiles, key=lambda tile: (_FACE_ORDER.get(tile, len(_FACE_ORDER)), tile))


def rack_points(tiles: Iterable[str], joker_points: int) -> int:
    """Return what the tiles left on a rack count: their numbers, and a joker its own points.

    >>> rack_points(["R1", "R2", "JK"], 30)
    33
    """
    return sum(joker_points if tile == JOKER else NUMBER_OF[tile] for tile in tiles)


__all__ = [
    "COLOURS",
    "COLOUR_NAMES",
    "HIGHEST",
    "JOKER",
    "NUMBERS",
    "NUMBER_OF",
    "TILE_FACES",
    "face",
    "in_order",
    "pack",
    "rack_points",
]
