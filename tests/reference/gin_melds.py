"""Melds and deadwood of gin for the second referee: every way is tried out."""

from functools import cache
from itertools import combinations

RANKS = "A23456789TJQK"
PACK = [rank + suit for suit in "SHDC" for rank in RANKS]


def points(cards):
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def is_meld(cards):
    ranks, suits = [RANKS.index(card[0]) for card in cards], [card[1] for card in cards]
    if len(set(cards)) != len(cards) or len(cards) < 3:
        return False
    if len(set(ranks)) == 1:
        return len(cards) <= 4
    return len(set(suits)) == 1 and max(ranks) - min(ranks) == len(cards) - 1


@cache
def least(cards):
    """The least deadwood of a frozenset of cards: its first card is loose, or in some meld."""
    if not cards:
        return 0
    first = min(cards)
    best = points([first]) + least(cards - {first})
    others = sorted(cards - {first})
    for size in range(2, 6):
        for more in combinations(others, size):
            if is_meld((first, *more)):
                best = min(best, least(cards - {first, *more}))
    return best


@cache
def least_against(cards, melds):
    """The least deadwood of a hand that lays off, one card after another, or stops."""
    best = least(cards)
    for card in sorted(cards):
        for number, meld in enumerate(melds):
            if is_meld((*meld, card)):
                grown = (*melds[:number], (*meld, card), *melds[number + 1 :])
                best = min(best, least_against(cards - {card}, tuple(sorted(map(ordered, grown)))))
    return best


def ordered(meld):
    return tuple(sorted(meld))
