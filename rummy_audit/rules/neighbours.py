"""Which cards of a hand have neighbours to make a group with, by arithmetic on bits.

A hand's first plane lies as in ``planes``: the next rank of a suit is four bits on.
"""

from __future__ import annotations

from functools import cache

from rummy_audit.rules.planes import ACES, NATURAL

_COURT = ACES | ACES << 4 | ACES << 8
_ROUND = 52  # four bits for each of thirteen ranks
_SPADES = NATURAL // 15  # one bit a rank


@cache
def straight(ace: str) -> tuple[int, int]:
    """Return which cards of a hand stand in a row as they lie, and which stand below the two.

    The ace may stand in both places or only below; round the corner the court may too.
    """
    if ace == "high-or-low":
        return NATURAL, ACES
    if ace == "round-corner":
        return NATURAL, _COURT
    return NATURAL & ~ACES, ACES


def _stretched(hand: int, ace: str) -> int:
    keep, above = straight(ace)
    return hand & keep | (hand & above) << _ROUND


def three_in_a_row(hand: int, ace: str) -> bool:
    """Whether three cards of a suit follow each other: without them no sequence is pure."""
    row = _stretched(hand & NATURAL, ace)
    return bool(row & row >> 4 & row >> 8)


def without_neighbours(hand: int, jokers: int, ace: str, *, sets: bool) -> int:
    """Return the cards that are in no sequence or set of three with so many jokers.

    With two jokers every card makes one; with one it needs another card at most
    two ranks away in its suit, or one of its rank.
    """
    if jokers > 1:
        return 0
    hand &= NATURAL
    row = _stretched(hand, ace)
    if jokers:
        near = row & row >> 4
        gap = row & row >> 8
        found = near | near << 4 | gap | gap << 8
    else:
        three = row & row >> 4 & row >> 8
        found = three | three << 4 | three << 8
    found |= found >> _ROUND
    if sets:
        a, b = hand & _SPADES, hand >> 1 & _SPADES
        c, d = hand >> 2 & _SPADES, hand >> 3 & _SPADES
        two, three = a & b | c & d | (a | b) & (c | d), a & b & (c | d) | c & d & (a | b)
        found |= (two if jokers else three) * 15
    return hand & ~found
