"""Which groups the cards of one suit or one rank can make, as bits, made once and kept.

A hand is one integer. Each of its planes has a bit for every face: the first
plane holds the first copies, the next the second copies, and so on. Faces lie
dearest first, so the lowest bit of a hand is the card that costs most loose. A
card of the wild rank that stands for itself has a bit above the others; as a
joker it is only counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from rummy_audit.rhl.cards_text import CARD_FACES, JOKER, RANKS, SUITS
from rummy_audit.rules.cards import VALUES, card_points
from rummy_audit.rules.groups import GroupRules

MOST_CARDS = 40
LEVELS = 5  # so many jokers or more are one level: a group rarely takes more

PLANE = 56
WILD_BITS = 1 << 52  # where natural cards of the wild rank begin, one bit a suit
_ORDER = "KQJTA98765432"
_SUIT = sum(1 << (4 * place) for place in range(14))
_COPIES = 8  # more of one face than any pack allowed has
_RANK = 15
_RANK_ALL = sum(15 << PLANE * copy for copy in range(_COPIES))
_KEPT = 20_000  # suits and ranks a table holds before it starts anew

BIT = {face: 1 << (4 * _ORDER.index(face[0]) + SUITS.index(face[1])) for face in CARD_FACES}
WILD_BIT = {suit: WILD_BITS << SUITS.index(suit) for suit in SUITS}


class Candidate(NamedTuple):
    """A group that can be laid: its natural cards as bits and the jokers it takes.

    ``jokers`` counts cards of the wild rank too that stand for themselves.
    ``slots`` are its places in order, None where a joker stands in; ``faces`` its
    natural cards. ``room``: how many more jokers it could take in.
    """

    bits: int
    jokers: int
    slots: tuple[str | None, ...]
    faces: tuple[str, ...]
    room: int
    sequence: bool
    pure: bool


Option = tuple[int, int, Candidate]  # bits, jokers, and the whole, for the search to unpack
ByLowest = dict[int, tuple[Option, ...]]


class Suit(NamedTuple):
    """What the cards of one suit can make.

    ``levels`` holds, for so many jokers at hand, the sequences by their dearest
    card, and ``covered`` the bits of all cards that are in one.
    """

    pure: tuple[Candidate, ...]
    all: tuple[Candidate, ...]
    levels: tuple[ByLowest, ...]
    covered: tuple[int, ...]


class Rank(NamedTuple):
    """What the cards of one rank can make as sets, as in ``Suit``."""

    levels: tuple[ByLowest, ...]
    covered: tuple[int, ...]


class Faces(NamedTuple):
    """The bit of every face in a hand with some wild rank, and which faces are jokers."""

    bits: dict[str, int]
    jokers: dict[str, int]


@lru_cache(maxsize=14)
def faces_of(wild: str | None) -> Faces:
    """Return the bits of the faces in a hand with this wild rank, and which are jokers."""
    bits = {face: WILD_BIT[face[1]] if face[0] == wild else BIT[face] for face in BIT}
    jokers = {face: int(face[0] == wild) for face in BIT}
    return Faces(bits | {JOKER: 0}, jokers | {JOKER: 1})


def canonical(bits: Iterable[int]) -> int:
    """Put cards together, first copies in the first plane and so on."""
    hand = 0
    for bit in bits:
        place = bit
        while hand & place:
            place <<= PLANE
        hand |= place
    return hand


class Tables:
    """The candidates under some rules, found when first asked for."""

    def __init__(self, rules: GroupRules, values: str) -> None:
        """Start empty; a table fills as suits and ranks come by."""
        self.rules = rules
        self._values = VALUES[values]
        self._of_faces: dict[str | None, dict[str, int]] = {}
        self.points = {BIT[face]: self._values[face[0]] for face in BIT}
        self.points |= dict.fromkeys(WILD_BIT.values(), 0)
        self.places = 14 if rules.ace == "high-or-low" else 13
        self._suits: dict[tuple[int, int, str | None], Suit] = {}
        self._ranks: dict[tuple[int, int], Rank] = {}
        # Where a natural card of the wild rank is as good as a joker, sequences
        # with jokers need not be looked at both ways.
        self._plain = rules.naturals_min <= 1 and rules.jokers_max is None
        # A longer sequence than this can be cut in two that take no more jokers.
        self._span = 2 * rules.sequence_min - 1 if self._plain else 14
        if rules.sequence_max is not None:
            self._span = min(self._span, rules.sequence_max)

    def values(self, wild: str | None) -> dict[str, int]:
        """Return what each face counts in a hand with this wild rank."""
        known = self._of_faces.get(wild)
        if known is None:
            known = {face: card_points(face, self._values, wild) for face in (*BIT, JOKER)}
            self._of_faces[wild] = known
        return known

    def suits(self, hand: int, wild: str | None) -> list[Suit]:
        """Return what the cards of each suit of a hand's first plane can make."""
        known, found = self._suits, []
        for number in range(4):
            held = hand >> number & _SUIT
            key = (held, number, wild if held & WILD_BITS else None)
            suit = known.get(key)
            if suit is None:
                if len(known) >= _KEPT:
                    known.clear()
                suit = known[key] = self._make_suit(SUITS[number], hand, wild)
            found.append(suit)
        return found

    def ranks(self, hand: int, jokers: int) -> list[tuple[int, Rank]]:
        """Return by place what the cards of a rank can make, where there are enough."""
        known, found = self._ranks, []
        mask = _RANK_ALL if self.rules.set_duplicates else _RANK
        least = self.rules.set_min - jokers
        for place in range(13):
            held = hand >> 4 * place & mask
            if held and held.bit_count() >= least:
                rank = known.get((held, place))
                if rank is None:
                    if len(known) >= _KEPT:
                        known.clear()
                    rank = known[held, place] = self._make_rank(place, hand)
                found.append((place, rank))
        return found

    def worth(self, hand: int) -> int:
        """Return the points of some cards."""
        total = 0
        while hand:
            plane = hand & (1 << PLANE) - 1
            while plane:
                low = plane & -plane
                total += self.points[low]
                plane ^= low
            hand >>= PLANE
        return total

    def long_runs(self, hand: int, wild: str | None) -> Iterator[Candidate]:
        """Yield every pure sequence of a hand, however long."""
        rules, bits = self.rules, faces_of(wild).bits
        most = min(self.places, rules.sequence_max or self.places)
        wraps = rules.ace == "round-corner"
        for suit in SUITS:
            for start in range(13):
                end = start + most if wraps else min(start + most, self.places)
                for stop in range(start + rules.sequence_min, end + 1):
                    faces = tuple(RANKS[place % 13] + suit for place in range(start, stop))
                    run = canonical(bits[face] for face in faces)
                    if run & hand != run:
                        break
                    if rules.natural_wild_pure or not run & -WILD_BITS:
                        yield Candidate(run, 0, faces, faces, 0, sequence=True, pure=True)

    def _make_suit(self, suit: str, hand: int, wild: str | None) -> Suit:
        bits = faces_of(wild).bits
        held = frozenset(place for place, rank in enumerate(RANKS) if bits[rank + suit] & hand)
        runs: dict[int, Candidate] = {}
        for each in self._runs(suit, held, wild):
            known = runs.get(each.bits)
            if known is None or (each.jokers, -each.room) < (known.jokers, -known.room):
                runs[each.bits] = each
        found = sorted(runs.values(), key=lambda each: (each.jokers, each.bits))
        return Suit(
            pure=tuple(each for each in found if each.pure),
            all=tuple(found),
            levels=self._levels(found),
            covered=_covered(found),
        )

    def _runs(self, suit: str, held: frozenset[int], wild: str | None) -> Iterator[Candidate]:
        """Find the sequences with these natural cards, each by its lowest and others above it."""
        wraps = self.rules.ace == "round-corner"
        for low in sorted(held):
            end = low + min(self._span, 13) if wraps else min(low + self._span, self.places)
            above = [place for place in range(low + 1, end) if place % 13 in held]
            for count in range(len(above) + 1):
                for others in combinations(above, count):
                    run = self._run((low, *others), suit, wild)
                    if run:
                        yield run

    def _run(self, places: tuple[int, ...], suit: str, wild: str | None) -> Candidate | None:
        rules = self.rules
        faces = {place: RANKS[place % 13] + suit for place in places}
        wilds = sum(face[0] == wild for face in faces.values())
        length = max(rules.sequence_min, places[-1] - places[0] + 1)
        missing = length - len(places)
        if self._plain and missing and 0 < wilds < len(places):
            return None  # the wild card serves as well as a joker
        most = min(self.places, rules.sequence_max or self.places)
        room = most - length
        if rules.jokers_max is not None:
            room = min(room, rules.jokers_max - missing)
        anchors = len(places)
        if anchors == wilds == 1 and missing and not rules.wild_anchors:
            anchors = 0
        if room < 0 or anchors < rules.naturals_min or len(set(faces.values())) < len(faces):
            return None
        # Jokers at the ends go on top while there is room, then below.
        start = places[0]
        if rules.ace != "round-corner":
            start = min(start, self.places - length)
        bits = faces_of(wild).bits
        return Candidate(
            bits=sum(bits[face] for face in faces.values()),
            jokers=missing + wilds,
            slots=tuple(faces.get(place) for place in range(start, start + length)),
            faces=tuple(faces.values()),
            room=room,
            sequence=True,
            pure=not missing and (rules.natural_wild_pure or not wilds),
        )

    def _make_rank(self, place: int, hand: int) -> Rank:
        rank, rules = _ORDER[place], self.rules
        held = [
            rank + suit
            for suit in SUITS
            for copy in range(_COPIES if rules.set_duplicates else 1)
            if BIT[rank + suit] << PLANE * copy & hand
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
                bits = canonical(BIT[face] for face in some)
                slots = (*some, *[None] * missing)
                sets[bits] = Candidate(bits, missing, slots, some, room, sequence=False, pure=False)
        found = sorted(sets.values(), key=lambda each: (each.jokers, each.bits))
        return Rank(levels=self._levels(found), covered=_covered(found))

    def _levels(self, found: list[Candidate]) -> tuple[ByLowest, ...]:
        """Sort candidates by their dearest card; those that spare most come first."""
        by_worth = sorted(found, key=lambda each: (-self.worth(each.bits), each.jokers))
        levels: list[dict[int, list[Option]]] = [{} for _ in range(LEVELS)]
        for each in by_worth:
            option = (each.bits, each.jokers, each)
            for level in levels[min(each.jokers, LEVELS - 1) :]:
                level.setdefault(each.bits & -each.bits, []).append(option)
        return tuple({low: tuple(some) for low, some in level.items()} for level in levels)


def _covered(found: list[Candidate]) -> tuple[int, ...]:
    covered = [0] * LEVELS
    for each in found:
        for level in range(min(each.jokers, LEVELS - 1), LEVELS):
            covered[level] |= each.bits
    return tuple(covered)


@lru_cache(maxsize=16)
def tables(rules: GroupRules, values: str) -> Tables:
    """Return the tables of some rules."""
    return Tables(rules, values)
