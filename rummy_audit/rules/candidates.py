"""Which groups the cards of one suit or one rank can make, as bits, made once and kept.

A hand is one integer. Each of its planes has a bit for every face: the first
plane holds the first copies, the next the second copies, and so on. Faces lie
dearest first, so the lowest bit of a hand is the card that costs most loose. A
card of the wild rank that stands for itself has a bit above the others; as a
joker it is only counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from rummy_audit.rhl.cards_text import RANKS, SUITS
from rummy_audit.rules.cards import ACE_LOW, ACE_TEN
from rummy_audit.rules.groups import GroupRules

VALUES: Mapping[str, Mapping[str, int]] = {"ace-ten": ACE_TEN, "ace-one": ACE_LOW}

_ORDER = "KQJTA98765432"
PLANE = 56
WILD_BITS = 1 << 52  # where natural cards of the wild rank begin, one bit a suit
_SUIT = sum(1 << (4 * place) for place in range(14))
_PLANES = 8  # more copies of one face than any pack allowed has
_RANK = 15
_RANK_ALL = sum(15 << PLANE * copy for copy in range(_PLANES))
BIT = {
    rank + suit: 1 << (4 * _ORDER.index(rank) + SUITS.index(suit))
    for rank in RANKS
    for suit in SUITS
}
WILD_BIT = {suit: WILD_BITS << SUITS.index(suit) for suit in SUITS}


class Candidate(NamedTuple):
    """A group that can be laid: its natural cards as bits and the jokers it takes.

    ``jokers`` counts cards of the wild rank too that stand for themselves.
    ``slots`` are its places in order, None where a joker stands in. ``room``:
    how many more jokers it could take in.
    """

    bits: int
    jokers: int
    slots: tuple[str | None, ...]
    room: int
    sequence: bool
    pure: bool


Option = tuple[int, int, Candidate]  # bits, jokers, and the whole, for the search to unpack


class Suit(NamedTuple):
    """What the cards of one suit can make; ``by_lowest``: sequences by their dearest card.

    ``covered`` holds the bits of all cards that are in a sequence with at most
    as many jokers as the index says.
    """

    pure: tuple[Candidate, ...]
    all: tuple[Candidate, ...]
    by_lowest: dict[int, tuple[Option, ...]]
    covered: tuple[int, ...]


class Rank(NamedTuple):
    """What the cards of one rank can make as sets."""

    by_lowest: dict[int, tuple[Option, ...]]
    covered: tuple[int, ...]


MOST_JOKERS = 8
MOST_CARDS = 40


def _by_lowest(
    candidates: list[Candidate], points: Mapping[int, int]
) -> dict[int, tuple[Option, ...]]:
    """Sort candidates by their dearest card; those that spare most come first."""
    found: dict[int, list[Candidate]] = {}
    for each in candidates:
        found.setdefault(each.bits & -each.bits, []).append(each)

    def worth(each: Candidate) -> tuple[int, int]:
        return -_points(each.bits, points), each.jokers

    return {
        low: tuple((each.bits, each.jokers, each) for each in sorted(some, key=worth))
        for low, some in found.items()
    }


def _points(bits: int, points: Mapping[int, int]) -> int:
    total = 0
    while bits:
        plane = bits & (1 << PLANE) - 1
        while plane:
            low = plane & -plane
            total += points[low]
            plane ^= low
        bits >>= PLANE
    return total


def _covered(candidates: list[Candidate]) -> tuple[int, ...]:
    covered = [0] * (MOST_JOKERS + 1)
    for each in candidates:
        for jokers in range(each.jokers, MOST_JOKERS + 1):
            covered[jokers] |= each.bits
    return tuple(covered)


class Tables:
    """The candidates of a wild rank under some rules, found when first asked for."""

    def __init__(self, rules: GroupRules, values: str, wild: str | None) -> None:
        """Start empty; a table fills as suits and ranks come by."""
        self.rules = rules
        self.wild = wild
        self.points = {BIT[face]: VALUES[values][face[0]] for face in BIT if face[0] != wild}
        self.points |= dict.fromkeys(WILD_BIT.values(), 0)
        self._suits: dict[int, Suit] = {}
        self._ranks: dict[int, Rank] = {}
        # Where a natural card of the wild rank is as good as a joker, sequences
        # with jokers need not be looked at both ways.
        self._plain = rules.naturals_min <= 1 and rules.jokers_max is None
        # A longer sequence than this can be cut in two that take no more jokers.
        self._span = 2 * rules.sequence_min - 1 if self._plain else 14
        if rules.sequence_max is not None:
            self._span = min(self._span, rules.sequence_max)
        self.places = 14 if rules.ace == "high-or-low" else 13

    def suit(self, number: int, hand: int) -> Suit:
        """Return what the cards of a suit (0 to 3) of a hand's first plane can make."""
        key = (hand >> number & _SUIT) << 2 | number
        found = self._suits.get(key)
        if found is None:
            found = self._suits[key] = self._make_suit(number, hand)
        return found

    def rank(self, place: int, hand: int) -> Rank:
        """Return what the cards of a rank (by its place in the order) can make."""
        key = hand >> 4 * place & (_RANK_ALL if self.rules.set_duplicates else _RANK)
        key = key << 4 | place
        found = self._ranks.get(key)
        if found is None:
            found = self._ranks[key] = self._make_rank(place, hand)
        return found

    def worth(self, bits: int) -> int:
        """Return the points of some cards."""
        return _points(bits, self.points)

    def long_runs(self, hand: int) -> Iterator[Candidate]:
        """Yield every pure sequence of a hand, however long."""
        most = min(self.places, self.rules.sequence_max or self.places)
        starts = 13 if self.rules.ace == "round-corner" else self.places
        for suit in SUITS:
            for start in range(starts):
                end = start + most if self.rules.ace == "round-corner" else self.places
                for stop in range(start + self.rules.sequence_min, min(start + most, end) + 1):
                    faces = tuple(RANKS[place % 13] + suit for place in range(start, stop))
                    bits = _canonical(self._bit(face) for face in faces)
                    if bits & hand != bits:
                        break
                    if self.rules.natural_wild_pure or not bits & -WILD_BITS:
                        yield Candidate(bits, 0, faces, 0, sequence=True, pure=True)

    def _bit(self, face: str) -> int:
        return WILD_BIT[face[1]] if face[0] == self.wild else BIT[face]

    def _make_suit(self, number: int, hand: int) -> Suit:
        suit = SUITS[number]
        held = [rank for rank in RANKS if self._bit(rank + suit) & hand]
        runs: dict[int, Candidate] = {}
        for low in range(13):
            if RANKS[low] in held:
                for each in self._runs_from(low, suit, held):
                    known = runs.get(each.bits)
                    if known is None or (each.jokers, -each.room) < (known.jokers, -known.room):
                        runs[each.bits] = each
        found = sorted(runs.values(), key=lambda each: (each.jokers, each.bits))
        return Suit(
            pure=tuple(each for each in found if each.pure),
            all=tuple(found),
            by_lowest=_by_lowest(found, self.points),
            covered=_covered(found),
        )

    def _runs_from(self, low: int, suit: str, held: list[str]) -> list[Candidate]:
        """Find the sequences whose lowest natural card is this one."""
        rules, found = self.rules, []
        wraps = rules.ace == "round-corner"
        last = low + min(self._span, 13) - 1 if wraps else min(low + self._span, self.places) - 1
        above = [place for place in range(low + 1, last + 1) if RANKS[place % 13] in held]
        for count in range(len(above) + 1):
            for others in combinations(above, count):
                places = (low, *others)
                each = self._run(places, suit)
                if each:
                    found.append(each)
        return found

    def _run(self, places: tuple[int, ...], suit: str) -> Candidate | None:
        rules = self.rules
        faces = {place: RANKS[place % 13] + suit for place in places}
        if len(set(faces.values())) < len(faces):
            return None
        wilds = sum(face[0] == self.wild for face in faces.values())
        span = places[-1] - places[0] + 1
        length = max(rules.sequence_min, span)
        if rules.sequence_max is not None and length > rules.sequence_max:
            return None
        missing = length - len(places)
        if self._plain and wilds and missing and len(places) > wilds:
            return None  # the wild card serves as well as a joker
        anchors = len(places)
        if anchors == wilds == 1 and missing and not rules.wild_anchors:
            anchors = 0
        if anchors < rules.naturals_min or (
            rules.jokers_max is not None and missing > rules.jokers_max
        ):
            return None
        pure = not missing and (rules.natural_wild_pure or not wilds)
        # Jokers at the ends go on top while there is room, then below.
        start = places[0]
        if rules.ace != "round-corner":
            start = min(start, self.places - length)
        slots = tuple(faces.get(place) for place in range(start, start + length))
        most = self.places if rules.sequence_max is None else min(self.places, rules.sequence_max)
        room = most - length
        if rules.jokers_max is not None:
            room = min(room, rules.jokers_max - missing)
        bits = sum(self._bit(face) for face in faces.values())
        return Candidate(bits, missing + wilds, slots, room, sequence=True, pure=pure)

    def _make_rank(self, place: int, hand: int) -> Rank:
        rank, rules = _ORDER[place], self.rules
        copies = range(_PLANES if rules.set_duplicates else 1)
        held = [
            (rank + suit, bit)
            for suit in SUITS
            for copy in copies
            if (bit := BIT[rank + suit] << PLANE * copy) & hand
        ]
        sets: dict[int, Candidate] = {}
        for count in range(max(1, rules.naturals_min), len(held) + 1):
            size = max(rules.set_min, count)
            missing = size - count
            room = (rules.set_max or MOST_CARDS) - size
            if rules.jokers_max is not None:
                room = min(room, rules.jokers_max - missing)
            if room < 0:
                continue
            for some in combinations(held, count):
                bits = _canonical(BIT[face] for face, _ in some)
                slots = (*(face for face, _ in some), *[None] * missing)
                sets[bits] = Candidate(bits, missing, slots, room, sequence=False, pure=False)
        found = sorted(sets.values(), key=lambda each: (each.jokers, each.bits))
        return Rank(by_lowest=_by_lowest(found, self.points), covered=_covered(found))


def _canonical(bits_of: Iterable[int]) -> int:
    """Return the bits of some cards, first copies in the first plane and so on."""
    bits = 0
    for bit in bits_of:
        while bits & bit:
            bit <<= PLANE
        bits |= bit
    return bits


@lru_cache(maxsize=64)
def tables(rules: GroupRules, values: str, wild: str | None) -> Tables:
    """Return the tables of a wild rank under some rules."""
    return Tables(rules, values, wild)
