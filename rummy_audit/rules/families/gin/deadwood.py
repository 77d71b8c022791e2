"""Least deadwood, exactly: a hand is one 52-bit number, its melds are masks.

Bit ``13 * suit + rank`` is a card, so a suit is 13 bits in a row and a run is a
row of ones. Runs longer than five cards are two shorter ones; they need no masks
of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rummy_audit.rhl.cards_text import CARD_FACES
from rummy_audit.rules.cards import ACE_LOW

BIT = {face: 1 << index for index, face in enumerate(CARD_FACES)}
POINTS = {face: ACE_LOW[face[0]] for face in CARD_FACES}

_SUIT = 0x1FFF
_SHIFTS = (0, 13, 26, 39)
_RUN_MAX = 5


def _suit_points() -> tuple[int, ...]:
    counts = [min(rank + 1, 10) for rank in range(13)]
    return tuple(
        sum(counts[rank] for rank in range(13) if cards >> rank & 1) for cards in range(_SUIT + 1)
    )


def _suit_runs() -> tuple[tuple[int, ...], ...]:
    """For each way to hold cards of one suit: the runs of three to five among them."""
    runs = [
        ((1 << length) - 1) << start
        for length in range(3, _RUN_MAX + 1)
        for start in range(14 - length)
    ]
    return tuple(
        tuple(run for run in runs if cards & run == run) if cards & cards >> 1 & cards >> 2 else ()
        for cards in range(_SUIT + 1)
    )


_POINTS = _suit_points()
_RUNS = _suit_runs()
_FOUR_ACES = sum(1 << shift for shift in _SHIFTS)


def _sets() -> dict[int, tuple[int, ...]]:
    """For each way to hold three or four cards of a rank: the sets among them."""
    found: dict[int, tuple[int, ...]] = {}
    for rank in range(13):
        four = _FOUR_ACES << rank
        threes = [four - (1 << shift + rank) for shift in reversed(_SHIFTS)]
        found |= {three: (three,) for three in threes}
        found[four] = (*threes, four)
    return found


_SETS = _sets()


def mask_of(cards: Iterable[str]) -> int:
    """Return some different cards as one number; KeyError for a face gin does not have.

    >>> bin(mask_of(["AS", "3S"]))
    '0b101'
    """
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_of(mask: int) -> tuple[str, ...]:
    """Return the cards of a mask, suit by suit, low to high.

    >>> cards_of(mask_of(["TH", "AS", "9H"]))
    ('AS', '9H', 'TH')
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(CARD_FACES[low.bit_length() - 1])
        mask ^= low
    return tuple(found)


def points_of(mask: int) -> int:
    """Return what the cards of a mask count.

    >>> points_of(mask_of(["KS", "AS", "7D"]))
    18
    """
    return (
        _POINTS[mask & _SUIT]
        + _POINTS[mask >> 13 & _SUIT]
        + _POINTS[mask >> 26 & _SUIT]
        + _POINTS[mask >> 39]
    )


def melds_in(mask: int) -> list[int]:
    """Return every meld that can be laid from these cards: runs of 3 to 5, sets of 3 or 4.

    >>> len(melds_in((1 << 52) - 1))
    185
    """
    spades, hearts = mask & _SUIT, mask >> 13 & _SUIT
    diamonds, clubs = mask >> 26 & _SUIT, mask >> 39
    melds = [*_RUNS[spades]]
    if runs := _RUNS[hearts]:
        melds += [run << 13 for run in runs]
    if runs := _RUNS[diamonds]:
        melds += [run << 26 for run in runs]
    if runs := _RUNS[clubs]:
        melds += [run << 39 for run in runs]
    ranks = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    while ranks:
        low = ranks & -ranks
        melds += _SETS[mask & _FOUR_ACES * low]
        ranks ^= low
    return melds


_WORTH = {meld: points_of(meld) for meld in melds_in((1 << 52) - 1)}

MELDS = frozenset(_WORTH) | {
    (1 << length) - 1 << shift + start
    for shift in _SHIFTS
    for length in range(_RUN_MAX + 1, 14)
    for start in range(14 - length)
}


def best_melds(mask: int) -> tuple[int, tuple[int, ...]]:
    """Return the least deadwood of these cards, and melds that leave it.

    >>> hand = "2S 4S 6C 2D 3D 4D 2H 3H 4H 6H".split()
    >>> best_melds(mask_of(hand))[0]
    18
    """
    return _best_of(mask, melds_in(mask))


def _best_of(mask: int, melds: list[int]) -> tuple[int, tuple[int, ...]]:
    """Return the least deadwood of some cards whose melds are known."""
    points = points_of(mask)
    if not melds:
        return points, ()
    if len(melds) == 1:
        return points - _WORTH[melds[0]], (melds[0],)
    if len(melds) == 2 and not melds[0] & melds[1]:  # noqa: PLR2004 - the two of the list
        return points - _WORTH[melds[0]] - _WORTH[melds[1]], (melds[0], melds[1])
    melds.sort(key=_WORTH.__getitem__, reverse=True)
    most, chosen = _cover(melds, 0, mask)
    return points - most, chosen


def _cover(melds: Sequence[int], start: int, left: int) -> tuple[int, tuple[int, ...]]:
    """Return the most points that melds from ``start`` on can cover among the cards left.

    The melds come with the dearest first: so many threes as are left, each worth no
    more than this one, are a bound for what may still be found.
    """
    most = 0
    chosen: tuple[int, ...] = ()
    threes = left.bit_count() // 3
    for index in range(start, len(melds)):
        meld = melds[index]
        worth = _WORTH[meld]
        if threes * worth <= most:
            break
        if meld & left != meld:
            continue
        others: tuple[int, ...] = ()
        if threes > 1:
            rest, others = _cover(melds, index + 1, left ^ meld)
            worth += rest
        if worth > most:
            most, chosen = worth, (meld, *others)
    return most, chosen


def deadwood(mask: int) -> int:
    """Return the least deadwood of some cards."""
    return best_melds(mask)[0]


def is_run(meld: int) -> bool:
    """Whether a valid meld is a run: its lowest two cards lie side by side in one suit."""
    return bool(meld & meld << 1)


def _neighbours() -> dict[int, tuple[int, int]]:
    """For each meld: the cards that fit it at once, and the suit of a run (0 for a set)."""
    found = {}
    for meld in MELDS:
        at = (meld & -meld).bit_length() - 1
        if is_run(meld):
            suit = _SUIT << 13 * (at // 13)
            found[meld] = ((meld << 1 | meld >> 1) & ~meld & suit, suit)
        else:
            found[meld] = ((_FOUR_ACES << at % 13) & ~meld, 0)
    return found


_NEIGHBOURS = _neighbours()


def lay_off(cards: int, melds: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return which of the cards go on which melds, as pairs of a card and a meld's index.

    Each card fits after the ones before. Runs come first: a card that fits a run
    and a set may open the way for the next one of the run.
    """
    laid: list[tuple[int, int]] = []
    for index, meld in enumerate(melds):
        fitting, suit = _NEIGHBOURS[meld]
        fitting &= cards
        while suit and fitting:
            card = fitting & -fitting
            laid.append((card, index))
            cards ^= card
            # What now lies next to the run: the neighbours of the card just laid.
            fitting = (fitting ^ card) | ((card << 1 | card >> 1) & suit & cards)
    for index, meld in enumerate(melds):
        fitting, suit = _NEIGHBOURS[meld]
        if not suit and fitting & cards:
            laid.append((fitting & cards, index))
            cards ^= fitting & cards
    return tuple(laid)


class LaidOut(NamedTuple):
    """The best way to lay out an opponent's hand, as masks.

    ``layoffs`` are pairs of a card and the index of the knocker's meld, ``left`` are
    the cards that count.
    """

    points: int
    melds: tuple[int, ...]
    layoffs: tuple[tuple[int, int], ...]
    left: int


def best_against(mask: int, melds: Sequence[int]) -> LaidOut:
    """Return the least deadwood of a hand that may lay off on the knocker's melds.

    Own melds and lay-offs are solved together: breaking an own meld may let more
    cards go.

    >>> knocker = [mask_of(m.split()) for m in ("5S 6S 7S", "9C TC JC", "KS KC KD")]
    >>> hand = mask_of("2S 2C 2D 2H 8S 8C 8D 9S 7C AC".split())
    >>> best_against(hand, knocker).points
    9
    """
    laid = lay_off(mask, melds)
    return _best_against(mask, melds, melds_in(mask), laid)


def less_than(points: int, mask: int, melds: Sequence[int] = ()) -> int | None:
    """Return the least deadwood of a hand where it is less than some points, else None.

    Mostly it is not, and that can be seen: the cards that fit no meld count that much.
    """
    own_melds = melds_in(mask)
    laid = lay_off(mask, melds) if melds else ()
    off = sum(card for card, _ in laid)
    if points_of(mask & ~off & ~_union(own_melds)) >= points:
        return None
    least = _best_against(mask, melds, own_melds, laid).points
    return least if least < points else None


def _best_against(
    mask: int, melds: Sequence[int], own_melds: list[int], laid: tuple[tuple[int, int], ...]
) -> LaidOut:
    """Search the best of a hand whose own melds, and lay-offs without any, are known."""
    off = sum(card for card, _ in laid)
    if not any(meld & off for meld in own_melds):
        # No card is wanted twice: all that can go goes, the rest melds at its best.
        points, own = _best_of(mask ^ off, own_melds)
        return LaidOut(points, own, laid, mask & ~off & ~sum(own))
    own_melds.sort(key=_WORTH.__getitem__, reverse=True)
    floor = points_of(mask & ~off & ~_union(own_melds))
    best = LaidOut(points_of(mask ^ off), (), laid, mask ^ off)
    trail: list[int] = []

    def search(start: int, left: int) -> None:
        nonlocal best
        for index in range(start, len(own_melds)):
            meld = own_melds[index]
            if meld & left != meld:
                continue
            if best.points == floor:
                return
            rest = left ^ meld
            trail.append(meld)
            laid = lay_off(rest, melds)
            after = rest
            for card, _ in laid:
                after ^= card
            points = points_of(after)
            if points < best.points:
                best = LaidOut(points, tuple(trail), laid, after)
            search(index + 1, rest)
            trail.pop()

    search(0, mask)
    return best


def _union(melds: Iterable[int]) -> int:
    union = 0
    for meld in melds:
        union |= meld
    return union


def groups_of(melds: Iterable[int]) -> tuple[tuple[str, ...], ...]:
    """Return melds as groups of cards; runs of a suit that meet become one.

    >>> groups_of([mask_of("4H 5H 6H".split()), mask_of("7H 8H 9H".split())])
    (('4H', '5H', '6H', '7H', '8H', '9H'),)
    """
    joined: list[int] = []
    for meld in sorted(melds, key=lambda meld: (not is_run(meld), meld)):
        if joined and joined[-1] | meld in MELDS:
            joined[-1] |= meld
        else:
            joined.append(meld)
    return tuple(cards_of(meld) for meld in joined)
