"""Which cards of a hand have neighbours to make a group with, by arithmetic on bits.

A hand's first plane lies as in ``planes``: the next rank of a suit is four bits on.
"""

from __future__ import annotations

from rummy_audit.rules.planes import ACES, NATURAL

_COURT = ACES | ACES << 4 | ACES << 8
_ROUND = 52  # four bits for each of thirteen ranks
_SPADES = NATURAL // 15  # one bit a rank


# Which cards of a hand stand in a row as they lie, and which stand below the two: the ace
# in both places or only below; round the corner the court too.
STRAIGHT = {
    "high-or-low": (NATURAL, ACES),
    "round-corner": (NATURAL, _COURT),
    "low": (NATURAL & ~ACES, ACES),
}


def _stretched(hand: int, ace: str) -> int:
    keep, above = STRAIGHT[ace]
    return hand & keep | (hand & above) << _ROUND


def three_in_a_row(hand: int, ace: str) -> bool:
    """Whether three cards of a suit follow each other: without them no sequence is pure."""
    row = _stretched(hand & NATURAL, ace)
    return bool(row & row >> 4 & row >> 8)


def rows_of_three(hand: int, ace: str) -> list[int]:
    """Return every three cards of a suit that follow each other: a pure sequence has some."""
    row = _stretched(hand & NATURAL, ace)
    starts = row & row >> 4 & row >> 8
    rows = []
    while starts:
        low = starts & -starts
        starts ^= low
        row = low | low << 4 | low << 8
        rows.append(row & NATURAL | row >> _ROUND)
    return rows


def without_neighbours(hand: int, ace: str, *, sets: bool) -> tuple[int, int]:
    """Return the cards that are in no sequence or set of three, without a joker and with one.

    With one a card needs another at most two ranks away in its suit, or one of its
    rank; with two every card makes a group.
    """
    hand &= NATURAL
    row = _stretched(hand, ace)
    near, gap = row & row >> 4, row & row >> 8
    three = near & gap
    three |= three << 4 | three << 8
    near |= near << 4 | gap | gap << 8
    alone = hand & ~(three | three >> _ROUND)
    lost = hand & ~(near | near >> _ROUND)
    if sets:
        a, b = hand & _SPADES, hand >> 1 & _SPADES
        c, d = hand >> 2 & _SPADES, hand >> 3 & _SPADES
        ab, cd, a_or_b, c_or_d = a & b, c & d, a | b, c | d
        alone &= ~((ab & c_or_d | cd & a_or_b) * 15)
        lost &= ~((ab | cd | a_or_b & c_or_d) * 15)
    return alone, lost
