"""Which cards of a hand have neighbours to make a group with, by arithmetic on bits.

A hand's first plane lies as in ``planes``: the next rank of a suit is four bits on.
"""

from __future__ import annotations

from functools import lru_cache

from rummy_audit.rules.planes import ACES, BIT, NATURAL, WILD_BITS

_COURT = ACES | ACES << 4 | ACES << 8
_ROUND = 52  # four bits for each of thirteen ranks
_SPADES = NATURAL // 15  # one bit a rank
_EVERY_OTHER = _SPADES * 5
_PAIRS = _SPADES * 3
_FIVE, _SIX = _SPADES * 5, _SPADES * 6


# Which cards of a hand stand in a row as they lie, and which stand below the two: the ace
# in both places or only below; round the corner the court too.
STRAIGHT = {
    "high-or-low": (NATURAL, ACES),
    "round-corner": (NATURAL, _COURT),
    "low": (NATURAL & ~ACES, ACES),
}


def three_in_a_row(hand: int, ace: str) -> bool:
    """Whether three cards of a suit follow each other: without them no sequence is pure."""
    keep, above = STRAIGHT[ace]
    row = hand & keep | (hand & above) << _ROUND
    return bool(row & row >> 4 & row >> 8)


def rows_of_three(hand: int, ace: str, wild: str | None) -> list[int]:
    """Return every three cards of a suit that follow each other: a pure sequence has some.

    Cards of the wild rank lie as themselves in the hand, and at their own bits in the rows.
    """
    keep, above = STRAIGHT[ace]
    row = hand & keep | (hand & above) << _ROUND
    starts = row & row >> 4 & row >> 8
    rows: list[int] = []
    if starts:
        row_at = _rows(wild)
        while starts:
            low = starts & -starts
            starts ^= low
            rows.append(row_at[low])
    return rows


@lru_cache(maxsize=14)
def _rows(wild: str | None) -> dict[int, int]:
    """Return three cards in a row by the first of them, as they lie in a hand."""
    place = BIT[f"{wild}S"] if wild else 1
    rows = {}
    for start in range(_ROUND + 4):
        row = (1 | 1 << 4 | 1 << 8) << start
        faces = row & NATURAL | row >> _ROUND
        own = faces & place * ACES if wild else 0
        rows[1 << start] = faces ^ own | own // place * WILD_BITS
    return rows


def without_neighbours(hand: int, ace: str, *, jokers: int, sets: bool) -> list[int]:
    """Return the cards that are in no sequence or set of three, by how many jokers there are.

    One entry for no joker, one for one, and so on. With one a card needs another at most
    two ranks away in its suit, or one of its rank; with two every card makes a group.
    """
    hand &= NATURAL
    keep, above = STRAIGHT[ace]
    row = hand & keep | (hand & above) << _ROUND
    near, gap = row & row >> 4, row & row >> 8
    alone = lost = hand
    three = near & gap
    if three:
        three |= three << 4 | three << 8
        alone &= ~(three | three >> _ROUND)
    if jokers:
        near |= near << 4 | gap | gap << 8
        lost &= ~(near | near >> _ROUND)
    if sets:
        # Of each rank how many suits there are: by pairs of suits first, then both pairs.
        count = hand - (hand >> 1 & _EVERY_OTHER)
        count = (count & _PAIRS) + (count >> 2 & _PAIRS)
        alone &= ~((count + _FIVE >> 3 & _SPADES) * 15)
        if jokers:
            lost &= ~((count + _SIX >> 3 & _SPADES) * 15)
    return [alone, lost, *[0] * (jokers - 1)] if jokers else [alone]
