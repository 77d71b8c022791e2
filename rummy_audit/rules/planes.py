"""A hand as one integer, so that cards are taken and compared at once.

Each plane has a bit for every face: the first plane holds the first copies, the
next the second copies, and so on. Faces lie from the ace down to the two, four
suits beside each other, so the lowest bit of a hand is one of its dearest
cards. A card of the wild rank that stands for itself has a bit above the
others; as a joker it is only counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rummy_audit.rhl.cards_text import CARD_FACES, JOKER, SUITS

PLANE = 56
FIRST = (1 << PLANE) - 1  # the first plane
WILD_BITS = 1 << 52  # where natural cards of the wild rank begin, one bit a suit
NATURAL = WILD_BITS - 1
MOST_CARDS = 40  # and so the most copies of one face
EVERY = sum(1 << PLANE * copy for copy in range(MOST_CARDS))  # times a face: in every plane
NATURALS = NATURAL * EVERY
WILDS = FIRST ^ NATURAL
ACES = 0b1111
_ORDER = "AKQJT98765432"

BIT = {face: 1 << (4 * _ORDER.index(face[0]) + SUITS.index(face[1])) for face in CARD_FACES}
WILD_BIT = {suit: WILD_BITS << SUITS.index(suit) for suit in SUITS}


@lru_cache(maxsize=14)
def bits_of(wild: str | None) -> dict[str, int]:
    """Return the bit of every face in a hand with this wild rank; printed jokers have none."""
    bits = {face: WILD_BIT[face[1]] if face[0] == wild else BIT[face] for face in BIT}
    return bits | {JOKER: 0}


def canonical(bits: Iterable[int]) -> int:
    """Put cards together, first copies in the first plane and so on."""
    hand = 0
    for bit in bits:
        place = bit
        while hand & place:
            place <<= PLANE
        hand |= place
    return hand


def take(state: int, bits: int) -> int:
    """Take a group's cards out of a hand; of several copies the last goes first."""
    first, more = bits & FIRST, bits >> PLANE
    rest = state >> PLANE
    again = rest & first
    left = (state & FIRST) ^ first ^ again
    if again:
        rest = take(rest, again)
    left |= rest << PLANE
    return take(left, more) if more else left


def without(state: int, faces: int) -> int:
    """Take all copies of some faces out of a hand."""
    while faces & state:
        state &= ~faces
        faces <<= PLANE
    return state
