"""What the jokers of a melded group stand for, for as long as it lies on the table.

A melded joker is never replaced, so that what it stands for matters to every
later lay-off. Where the cards do not fix its place the joker stays free, in
favour of whoever lays off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.cards import RANK_OF
from rummy_audit.rules.groups import GroupRules, Reading, read_group

_RANKS = "A23456789TJQK"
_AROUND = 13

Faces = tuple[str, ...]


def readings(cards: Sequence[str], rules: GroupRules) -> tuple[Faces, ...]:
    """Return every way a group can stand; none where it does not.

    >>> rules = GroupRules(ace="low", jokers=True)
    >>> readings(["5H", "JK", "7H"], rules)
    (('5H', '6H', '7H'),)
    >>> readings(["JK", "8H", "9H"], rules)
    (('7H', '8H', '9H'),)
    """
    return _readings(tuple(cards), rules)


@lru_cache(maxsize=8192)
def _readings(cards: Faces, rules: GroupRules) -> tuple[Faces, ...]:
    read = read_group(cards, rules)
    if not read.valid:
        return ()
    if not rules.jokers or JOKER not in cards:
        return (cards,)
    found = tuple(_literal(cards, rules)) or tuple(_runs(cards, rules))
    return (*found, cards) if _as_set(cards, rules) else found


def _runs(cards: Faces, rules: GroupRules) -> Iterator[Faces]:
    """Yield the group laid over each run that has a place for every natural card."""
    naturals = [card for card in cards if card != JOKER]
    if len({card[1] for card in naturals}) != 1 or len(cards) < rules.sequence_min:
        return
    suit = naturals[0][1]
    for window in _windows(len(cards), rules.ace):
        free = list(window)
        for card in naturals:
            if RANK_OF[card] not in free:
                break
            free.remove(RANK_OF[card])
        else:
            yield tuple(_RANKS[free.pop(0)] + suit if card == JOKER else card for card in cards)


def _literal(cards: Faces, rules: GroupRules) -> Iterator[Faces]:
    """Yield the runs in whose own order, up or down, the cards were laid."""
    suit = next(card[1] for card in cards if card != JOKER)
    for window in _windows(len(cards), rules.ace):
        up = tuple(_RANKS[rank] + suit for rank in window)
        for faces in (up, up[::-1]):
            if all(card in (JOKER, face) for card, face in zip(cards, faces, strict=True)):
                yield faces


def _windows(length: int, ace: str) -> Iterator[tuple[int, ...]]:
    """Yield the ranks of every run of a length, the ace above the king where it may be."""
    last = {"low": 13, "high-or-low": 14}.get(ace)
    if last is None and length > _AROUND:
        return
    for start in range(_AROUND if last is None else last - length + 1):
        yield tuple((start + step) % _AROUND for step in range(length))


def _as_set(cards: Faces, rules: GroupRules) -> bool:
    naturals = [card for card in cards if card != JOKER]
    return (
        len({card[0] for card in naturals}) == 1
        and (rules.set_duplicates or len(set(naturals)) == len(naturals))
        and len(cards) >= rules.set_min
        and (rules.set_max is None or len(cards) <= rules.set_max)
    )


@lru_cache(maxsize=8192)
def extended(standing: tuple[Faces, ...], new: Faces, rules: GroupRules) -> tuple[Faces, ...]:
    """Return every way a meld can stand with new cards on it; none where it cannot.

    Jokers that were melded before keep a place that was open to them.

    >>> rules = GroupRules(ace="low", jokers=True)
    >>> extended((("5H", "6H", "7H"),), ("6H",), rules)
    ()
    >>> extended((("5H", "6H", "7H"),), ("JK",), rules)
    (('5H', '6H', '7H', '4H'), ('5H', '6H', '7H', '8H'))
    """
    found: list[Faces] = []
    for faces in standing:
        cards = faces + new
        if not rules.jokers or JOKER not in cards:
            if read_group(cards, rules).valid and cards not in found:
                found.append(cards)
            continue
        # A meld that stands as a set keeps its jokers open; a run has named them all.
        as_set = _as_set(cards, rules) and _as_set(faces, rules)
        grown = [cards] if as_set else []
        if JOKER not in faces:
            grown += [run for run in _runs(cards, rules) if run[: len(faces)] == faces]
        found += [each for each in grown if each not in found]
    return tuple(found)


def fits(standing: tuple[Faces, ...], card: str, rules: GroupRules) -> bool:
    """Whether a card can be laid off on a meld."""
    return bool(extended(standing, (card,), rules))


def read_extended(
    standing: tuple[Faces, ...], cards: Faces, new: str, rules: GroupRules
) -> Reading:
    """Read a meld with a card on it that does not fit: the reading names the breaches."""
    faces = standing[0] if standing else cards
    return read_group((*faces, new), rules)
