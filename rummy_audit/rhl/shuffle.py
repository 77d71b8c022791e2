"""The shuffle scheme ``rhl-shuffle-1``: from a seed to the order of the deck.

A writer commits to a seed before the deal and reveals it after the last play event;
whoever has the log can then derive the deck and compare.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence

from rummy_audit.rhl.cards_text import COLOURS, JOKER, NUMBERS, RANKS, SUITS

SCHEME = "rhl-shuffle-1"

_LIMIT = 2**32
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")


def cards_pack(decks: int, jokers: int) -> tuple[str, ...]:
    """The pack in order: for each deck S, H, D, C, each ace to king; then the jokers.

    >>> pack = cards_pack(2, 2)
    >>> len(pack), pack[:2], pack[-3:]
    (106, ('AS', '2S'), ('KC', 'JK', 'JK'))
    """
    deck = tuple(rank + suit for suit in SUITS for rank in RANKS)
    return deck * decks + (JOKER,) * jokers


def tiles_pack(copies: int = 2, jokers: int = 2) -> tuple[str, ...]:
    """The tiles in order: for each copy R, B, K, O, each 1 to 13; then the jokers.

    >>> pack = tiles_pack()
    >>> len(pack), pack[:2], pack[52:54]
    (106, ('R1', 'R2'), ('R1', 'R2'))
    """
    tiles = tuple(f"{colour}{number}" for colour in COLOURS for number in NUMBERS)
    return tiles * copies + (JOKER,) * jokers


def commit(seed: str) -> str:
    """The commitment to a seed: SHA-256 over its UTF-8, in hex."""
    return hashlib.sha256(seed.encode()).hexdigest()


def key_of(seed: str, committed: str | None = None) -> bytes | None:
    """The bytes of a seed; None when they do not fit the commitment.

    A seed is its UTF-8. Writers that draw raw bytes and log them in hex are understood
    too, when the commitment is to those bytes and so leaves no doubt.
    """
    raw = seed.encode()
    if committed is None:
        return raw
    wanted = committed.lower()
    for key in (raw, bytes.fromhex(seed) if _HEX.fullmatch(seed) else raw):
        if hashlib.sha256(key).hexdigest() == wanted:
            return key
    return None


def deck_from(
    seed: str | bytes, nonce: str | int, client: Sequence[str], pack: Sequence[str]
) -> tuple[str, ...]:
    """The deck, top card first, that a seed, a nonce and the players' own seeds give.

    >>> deck_from("s", 17, ["a", "b"], cards_pack(1, 0))[:4]
    ('6H', '9C', 'KD', '8D')
    """
    key = seed.encode() if isinstance(seed, str) else seed
    return shuffled(pack, _numbers(key, f"{nonce}:{','.join(client)}"))


def shuffled(pack: Sequence[str], numbers: Iterator[int]) -> tuple[str, ...]:
    """The pack in the order that a stream of 32-bit numbers gives."""
    deck = list(pack)
    for last in range(len(deck) - 1, 0, -1):
        choices = last + 1
        # The largest multiple below 2^32, also where 2^32 itself is one.
        most = (_LIMIT - 1) // choices * choices
        drawn = next(numbers)
        while drawn >= most:
            drawn = next(numbers)
        place = drawn % choices
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)


def _numbers(key: bytes, message: str) -> Iterator[int]:
    """Big-endian 32-bit numbers from HMAC-SHA256 over the message and a block number."""
    block = 0
    while True:
        digest = hmac.digest(key, f"{message}:{block}".encode(), "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1
