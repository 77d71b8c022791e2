"""How cards lie as a run or as a set: where each stands, and what jokers stand in for.

Whether the group is long enough and allowed its jokers is judged by ``groups``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, cast

import msgspec

from rummy_audit.rhl.cards_text import JOKER, RANKS, SUITS
from rummy_audit.rules.cards import RANK_OF

CORNER = 13  # a run round the corner cannot be longer: it would meet its own tail


class GroupRules(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """What makes a group valid, as the families' parameters say; limits in cards.

    Without ``jokers`` neither printed jokers nor a wild rank stand in for a card.
    """

    ace: Literal["low", "high-or-low", "round-corner"]
    sequence_min: int = 3
    sequence_max: int | None = None
    set_min: int = 3
    set_max: int | None = 4
    set_duplicates: bool = False
    jokers: bool = False
    jokers_max: int | None = None
    naturals_min: int = 1
    wild_anchors: bool = False
    natural_wild_pure: bool = True


class Group(NamedTuple):
    """A group sorted by what its cards can do: indices into ``cards``.

    ``naturals`` stand only for themselves, ``wilds`` (of the wild rank) for
    themselves or any card, ``printed`` jokers for any card.
    """

    cards: tuple[str, ...]
    naturals: list[int]
    wilds: list[int]
    printed: list[int]

    def suits(self, indices: list[int]) -> Counter[str]:
        """Count the suits of some cards."""
        return Counter(self.cards[i][1:] for i in indices)

    def ranks(self, indices: list[int]) -> Counter[str]:
        """Count the ranks of some cards."""
        return Counter(self.cards[i][0] for i in indices)


def sort(cards: tuple[str, ...], rules: GroupRules, wild: str | None) -> Group:
    """Sort a group by what its cards can do."""
    group = Group(cards, [], [], [])
    for i, card in enumerate(cards):
        if not rules.jokers:
            group.naturals.append(i)
        elif card == JOKER:
            group.printed.append(i)
        elif card[0] == wild:
            group.wilds.append(i)
        else:
            group.naturals.append(i)
    return group


def starts_of(ranks: Sequence[int], size: int, ace: str) -> Iterable[int]:
    """Yield where a run of this size may start to have room for all these ranks.

    Ranks count from the ace at 0; with a high ace, 13 is the ace again.
    """
    if ace == "round-corner":
        starts = range(CORNER if size <= CORNER else 0)
        return [start for start in starts if all((rank - start) % 13 < size for rank in ranks)]
    last = (14 if ace == "high-or-low" else 13) - size
    if not ranks:
        return range(last + 1)
    below = [rank for rank in ranks if rank] if ace == "high-or-low" else ranks
    low, high = min(ranks), max(ranks)
    starts = range(max(0, high - size + 1), min(low, last) + 1)
    if len(below) == len(ranks):
        return starts
    # The ace may stand above the king: then the run ends there, or it is the low one.
    above = [last] if all(rank >= last for rank in below) and last >= 0 else []
    return [*starts, *(start for start in above if start not in starts)]


def _stands(naturals: int, wilds: int, substitutes: int, rules: GroupRules) -> bool:
    """Whether enough of a group is natural; ``wilds`` are wild-rank cards in their own place.

    A lone wild-rank card gives substitutes nothing to hold on to: it is itself
    a joker then (``wild_anchors``).
    """
    anchors = naturals + wilds
    if anchors == wilds == 1 and substitutes and not rules.wild_anchors:
        anchors = 0
    return anchors >= rules.naturals_min


class Run(NamedTuple):
    """A group laid as a run: jokers standing in, places in the group's order, enough naturals."""

    substitutes: int
    muddled: bool  # the cards do not lie in the run's order
    start: int
    places: tuple[str, ...]
    anchored: bool


def _run_in(group: Group, suit: str, start: int, rules: GroupRules) -> Run | None:
    """Lay the group over a run of a suit, or None where a natural card has no place."""
    size = len(group.cards)
    spots: list[int | None] = [None] * size  # where each card lies in the run
    free = [True] * size
    for i in group.naturals:
        spot = _spot(RANK_OF[group.cards[i]], start, free)
        if spot is None:
            return None
        spots[i], free[spot] = spot, False
    own = 0
    for i in group.wilds:
        card = group.cards[i]
        spot = _spot(RANK_OF[card], start, free) if card[1] == suit else None
        if spot is not None:
            spots[i], free[spot] = spot, False
            own += 1
    substitutes = size - len(group.naturals) - own
    order, muddled = _fill(spots, free) if substitutes else _in_order(cast("list[int]", spots))
    return Run(
        substitutes=substitutes,
        muddled=muddled,
        start=start,
        places=tuple([RANKS[(start + spot) % 13] + suit for spot in order]),
        anchored=_stands(len(group.naturals), own, substitutes, rules),
    )


def _spot(rank: int, start: int, free: list[bool]) -> int | None:
    """Return where a rank lies in a run, None where it is taken or not there."""
    spot = (rank - start) % 13
    if spot == 0 and not free[0] and len(free) > CORNER:
        spot = 13  # the second ace of a run from ace to ace
    return spot if spot < len(free) and free[spot] else None


def _in_order(order: list[int]) -> tuple[list[int], bool]:
    """Return the places, and whether they lie neither upwards nor downwards."""
    ordered = sorted(order)
    return order, order != ordered and order != ordered[::-1]


def _fill(spots: list[int | None], free: list[bool]) -> tuple[list[int], bool]:
    """Put the jokers into the places left, in the order in which the cards were laid."""
    gaps = [spot for spot, is_free in enumerate(free) if is_free]
    order: list[int] = []
    for left in (iter(gaps), reversed(gaps)):
        order, muddled = _in_order([next(left) if spot is None else spot for spot in spots])
        if not muddled:
            return order, False
    return order, True


def best_run(group: Group, rules: GroupRules) -> Run | None:
    """Return the run these cards are, whatever its length; fewest substitutes first.

    Where a joker could stand at either end, the order in which the cards were
    laid decides, else it stands at the low end.
    """
    naturals = {group.cards[i][1:] for i in group.naturals}
    if len(naturals) > 1 or any(group.cards[i] not in RANK_OF for i in group.naturals):
        return None
    ranks = [RANK_OF[group.cards[i]] for i in group.naturals]
    starts = starts_of(ranks, len(group.cards), rules.ace)
    suits: Iterable[str] = naturals
    if not naturals:
        wilds = {group.cards[i][1] for i in group.wilds}
        suits = [suit for suit in SUITS if suit in wilds] or ["S"]
    runs = [
        run for suit in suits for start in starts if (run := _run_in(group, suit, start, rules))
    ]
    if len(runs) == 1:
        return runs[0]
    return min(runs, key=lambda run: (not run.anchored, *run[:3]), default=None)


class SetLaid(NamedTuple):
    """A group laid as a set, as ``Run``."""

    substitutes: int
    places: tuple[str, ...]
    anchored: bool


def best_set(group: Group, rules: GroupRules) -> SetLaid | None:
    """Return the set these cards are, whatever its size, or None."""
    ranks = {group.cards[i][0] for i in group.naturals}
    if len(ranks) > 1 or any(group.cards[i] not in RANK_OF for i in group.naturals):
        return None
    rank = next(iter(ranks), None) or (group.cards[group.wilds[0]][0] if group.wilds else "A")
    places: list[str | None] = [None] * len(group.cards)
    taken: set[str] = set()
    for i in group.naturals:
        card = group.cards[i]
        if card in taken and not rules.set_duplicates:
            return None
        places[i] = card
        taken.add(card)
    own = 0
    for i in group.wilds:
        card = group.cards[i]
        if card[0] == rank and (rules.set_duplicates or card not in taken):
            places[i] = card
            taken.add(card)
            own += 1
    missing = iter([rank + suit for suit in SUITS if rank + suit not in taken])
    substitutes = len(places) - len(group.naturals) - own
    return SetLaid(
        substitutes=substitutes,
        places=tuple([next(missing, JOKER) if place is None else place for place in places]),
        anchored=_stands(len(group.naturals), own, substitutes, rules),
    )
