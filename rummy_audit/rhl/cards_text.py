"""How cards and tiles are written; what they are worth is a matter of the rules.

A card is rank and suit (``7H``, ``TC``), a tile colour and number (``R7``,
``K13``), a printed joker ``JK``, an unknown card ``??``.
"""

from __future__ import annotations

import re

JOKER = "JK"
UNKNOWN = "??"
SUITS = "SHDC"
RANKS = "A23456789TJQK"
COLOURS = "RBKO"
NUMBERS = tuple(range(1, 14))

CARD_FACES = tuple(rank + suit for suit in SUITS for rank in RANKS)
TILE_FACES = tuple(f"{colour}{number}" for colour in COLOURS for number in NUMBERS)
FACES = (*CARD_FACES, *TILE_FACES, JOKER, UNKNOWN)

EXPECTED = "a card like 7H, JK or ??, or a tile like R7"

_SPELLINGS = (
    {face: face for face in FACES} | {f"10{suit}": f"T{suit}" for suit in SUITS} | {"PJ": JOKER}
)

# Only ASCII letters are folded: str.upper() would also take a long s for an S.
_FOLD: dict[int, int | str | None] = {
    ord(small): ord(small) - 32 for small in "abcdefghijklmnopqrstuvwxyz"
}
_FOLD |= {ord(sign): SUITS["♠♥♦♣".index(sign)] for sign in "♠♥♦♣"}
_FOLD |= {ord(sign): SUITS["♤♡♢♧".index(sign)] for sign in "♤♡♢♧"}
_FOLD |= {0xFE0F: None, 0xFE0E: None}  # variation selectors that keyboards put after a suit

_UNKNOWN_FACE = re.compile(r"(?:0|[1-9][0-9]?)[SHDC]|[RBKO](?:0|[1-9][0-9]?)")


def parse_card(text: str) -> str:
    """The canonical form of a card or tile.

    >>> [parse_card(text) for text in ("7H", "10h", "7♥", "PJ", "k13", "??")]
    ['7H', 'TH', '7H', 'JK', 'K13', '??']

    A face that no deck has is kept, so that it can be judged (``card-not-in-deck``):

    >>> parse_card("R14"), parse_card("1H")
    ('R14', '1H')

    Raises ValueError when the text has not the shape of a card or tile.
    """
    known = _SPELLINGS.get(text)
    if known is not None:
        return known
    folded = text.translate(_FOLD)
    known = _SPELLINGS.get(folded)
    if known is not None:
        return known
    if _UNKNOWN_FACE.fullmatch(folded):
        return folded
    raise ValueError(text)


def parse_cards(text: str) -> tuple[str, ...]:
    """Cards as they are typed, with spaces or commas between them.

    >>> parse_cards("4h 5♥, 10H")
    ('4H', '5H', 'TH')

    Raises ValueError naming the first piece that is no card.
    """
    return tuple(parse_card(piece) for piece in text.replace(",", " ").split())


def parse_groups(text: str) -> tuple[tuple[str, ...], ...]:
    """Groups as they are typed, with ``|`` between them; an empty group is dropped.

    >>> parse_groups("4H 5H 6H | 9S 9D JK")
    (('4H', '5H', '6H'), ('9S', '9D', 'JK'))

    Raises ValueError naming the first piece that is no card.
    """
    return tuple(group for piece in text.split("|") if (group := parse_cards(piece)))


def write_cards(cards: tuple[str, ...]) -> str:
    """Cards as the text form writes them: ``4H 5H 6H``."""
    return " ".join(cards)


def write_groups(groups: tuple[tuple[str, ...], ...]) -> str:
    """Groups as the text form writes them: ``4H 5H 6H | 9S 9D JK``."""
    return " | ".join(map(write_cards, groups))
