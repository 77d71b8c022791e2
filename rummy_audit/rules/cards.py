"""Cards: packs, ranks, what a card counts, and how people name the wild joker.

A face is text as in the log: rank and suit (``7H``, ``TC``), or the printed
joker ``JK``; how it is written is ``rhl.cards_text``'s matter. Whether a face is
wild is a matter of the hand, never of the card.
"""

from __future__ import annotations

# What a Counter counts by, quicker than any loop here; the Counter itself costs more than that.
from collections import _count_elements  # type: ignore[attr-defined]
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from rummy_audit.rhl.cards_text import CARD_FACES, JOKER, RANKS, parse_card

RANK_OF: Mapping[str, int] = MappingProxyType({face: RANKS.index(face[0]) for face in CARD_FACES})

_COURT = dict.fromkeys("TJQK", 10)
_PIPS = {str(pips): pips for pips in range(2, 10)}

# What each rank counts against a player who is left with it.
ACE_LOW: Mapping[str, int] = MappingProxyType({"A": 1} | _PIPS | _COURT)
ACE_TEN: Mapping[str, int] = MappingProxyType({"A": 10} | _PIPS | _COURT)

# By the name a ruleset gives them.
VALUES: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "ace-ten": ACE_TEN,
        "ace-one": ACE_LOW,
        "ace-eleven": MappingProxyType({**ACE_LOW, "A": 11}),
        "ace-fifteen": MappingProxyType({**ACE_LOW, "A": 15}),
    }
)


def pack(decks: int = 1, printed_jokers: int = 0) -> dict[str, int]:
    """Return the faces of some decks shuffled together, each with its copies.

    >>> sum(pack(2, 2).values())
    106
    """
    copies = dict.fromkeys(CARD_FACES, decks)
    if printed_jokers:
        copies[JOKER] = printed_jokers
    return copies


def counted(cards: Iterable[str]) -> dict[str, int]:
    """Return how often each card stands there.

    >>> counted(("7H", "KS", "7H"))
    {'7H': 2, 'KS': 1}
    """
    counts: dict[str, int] = {}
    _count_elements(counts, cards)
    return counts


def is_face(card: str) -> bool:
    """Whether a pack of cards has this face, or it is a printed joker.

    >>> is_face("7H"), is_face("JK"), is_face("R14"), is_face("??")
    (True, True, False, False)
    """
    return card in RANK_OF or card == JOKER


def is_wild(card: str, wild: str | None) -> bool:
    """Whether a card is a joker in a hand with this wild rank: printed, or of the rank.

    >>> is_wild("QS", "Q"), is_wild("JK", None), is_wild("JS", "Q")
    (True, True, False)
    """
    return card == JOKER or (wild is not None and card[0] == wild)


def card_points(card: str, values: Mapping[str, int], wild: str | None = None) -> int:
    """Return what a card counts; jokers, printed or wild, count nothing.

    >>> card_points("AS", ACE_TEN), card_points("QS", ACE_TEN, "Q")
    (10, 0)
    """
    return 0 if is_wild(card, wild) else values[card[0]]


def total_points(cards: Sequence[str], values: Mapping[str, int], wild: str | None = None) -> int:
    """Return what cards count together.

    >>> total_points(["KS", "AS", "2S"], ACE_TEN)
    22
    """
    return sum(card_points(card, values, wild) for card in cards)


def parse_wild(text: str) -> str:
    """Read the wild joker, given as a rank or as a card, and return its rank.

    A printed joker as indicator is returned as ``JK``: what it makes wild is a
    matter of the rules. Raises ValueError for anything else.

    >>> parse_wild("Q"), parse_wild("10"), parse_wild("7D")
    ('Q', 'T', '7')
    """
    found = text.strip()
    rank = {"10": "T", "1": "A"}.get(found, found.upper())
    if len(rank) == 1 and rank in RANKS:
        return rank
    card = parse_card(found)
    if card == JOKER:
        return card
    if card not in RANK_OF:
        raise ValueError(text)
    return card[0]
