"""Which groups a card can be laid in with those that lie near it, made once and kept.

For each card the tables hold, by which of its neighbours are there, every group
in which it is the lowest bit: a few hundred entries serve every hand.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from rummy_audit.rhl.cards_text import RANKS, SUITS
from rummy_audit.rules.cards import VALUES
from rummy_audit.rules.groups import GroupRules
from rummy_audit.rules.planes import (
    ACES,
    BIT,
    EVERY,
    MOST_CARDS,
    PLANE,
    WILD_BIT,
    WILD_BITS,
    bits_of,
    canonical,
)

LEVELS = 5  # so many jokers or more are one level: a group rarely takes more

_THREE = 3
_HALF = 7  # of the thirteen ranks: an ace high and an ace low reach six each
_KEPT = 20_000  # what a table of seldom needed things holds before it starts anew
_COPIES = 8  # more of one face than any pack allowed has


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


# Bits, jokers, whether pure, and the whole: for the search to unpack.
Option = tuple[int, int, bool, Candidate]

# The cards that decide a card's sequences, these by what of them is there; the same of its sets.
Near = tuple[int, dict[int, tuple[Option, ...]], int, dict[int, tuple[Option, ...]]]


class Entry(NamedTuple):
    """The groups of a card, for so many jokers at hand, and what cards they cover together."""

    levels: tuple[tuple[Option, ...], ...]
    covered: tuple[int, ...]


class Tables:
    """The groups under some rules, found when first asked for.

    ``run_masks`` and ``set_masks`` say for each card which others decide its entries,
    ``runs`` and ``sets`` hold the entries by what of them is there. No entry knows of a
    wild rank: sequences with a natural card of it are ``wild_runs``.
    """

    def __init__(self, rules: GroupRules, values: str) -> None:
        """Start empty; a table fills as cards come by."""
        self.rules = rules
        points = VALUES[values]
        self.points = {bit: points[face[0]] for face, bit in BIT.items()}
        self.points |= dict.fromkeys(WILD_BIT.values(), 0)
        # The cards whose points have an eight, a four, a two, a one in them, in every plane.
        self.weights = [
            sum(bit for bit, each in self.points.items() if each & part) * EVERY
            for part in (8, 4, 2, 1)
        ]
        self.places = 14 if rules.ace == "high-or-low" else 13
        # Where a natural card of the wild rank is as good as a joker, sequences
        # with jokers need not be looked at both ways.
        self._plain = rules.naturals_min <= 1 and rules.jokers_max is None
        # A longer sequence than this can be cut in two that take no more jokers.
        self._span = 2 * rules.sequence_min - 1 if self._plain else 14
        if rules.sequence_max is not None:
            self._span = min(self._span, rules.sequence_max)
        self._faces = {bit: face for face, bit in BIT.items()}
        self.run_masks = {bit: sum(self._near(face)) | bit for bit, face in self._faces.items()}
        copies = range(_COPIES if rules.set_duplicates else 1)
        self.set_masks = {
            bit: -bit
            & sum(BIT[face[0] + suit] << PLANE * copy for suit in SUITS for copy in copies)
            for bit, face in self._faces.items()
        }
        # The cards that only a high ace reaches; from the wider span on, both aces reach some.
        apart = self._span <= _HALF and rules.ace != "round-corner"
        self._court = sum(BIT[rank + SUITS[0]] for rank in "89TJQK"[1 - self._span :] if apart)
        self.runs: dict[int, dict[int, Entry]] = {bit: {} for bit in self._faces}
        self.sets: dict[int, dict[int, Entry]] = {bit: {} for bit in self._faces}
        # By so many jokers at hand and by card: what the search looks up of it, at once.
        self.near: list[dict[int, Near]] = [
            {bit: (self.run_masks[bit], {}, self.set_masks[bit], {}) for bit in self._faces}
            for _ in range(LEVELS)
        ]
        self._wild_runs: dict[tuple[int, str], dict[int, tuple[Option, ...]]] = {}
        # By wild rank: its cards as bits, and what can lie in a sequence with one of them.
        self._around: dict[str, list[tuple[int, str, int]]] = {rank: [] for rank in RANKS}
        for face in BIT:
            bit = WILD_BIT[face[1]]
            mask = bit | sum(self._near(face, before=True))
            self._around[face[0]].append((bit, face, mask))
        # Then arithmetic tells which cards no group can take in.
        self.simple = (
            self._plain
            and rules.sequence_min == rules.set_min == _THREE
            and not rules.set_duplicates
        )

    def run(self, card: int, hand: int) -> Entry:
        """Make the entry of a card's sequences in a hand."""
        near = hand & self.run_masks[card]
        face = self._faces[card]
        high = near & self._court * card
        number = SUITS.index(face[1])
        if card <= ACES and high and near != high | card:
            entry = self._ace_run(card, near)
        elif number:
            first = card >> number
            alike = self.runs[first].get(near >> number) or self.run(first, near >> number)
            entry = _in_suit(alike, number)
        else:
            found: dict[int, Candidate] = {}
            for each in self._runs(face, near, None):
                known = found.get(each.bits)
                if known is None or (each.jokers, -each.room) < (known.jokers, -known.room):
                    found[each.bits] = each
            entry = self._entry(found.values())
        self.runs[card][near] = entry
        for at, options in zip(self.near, entry.levels, strict=True):
            at[card][1][near] = options
        return entry

    def _ace_run(self, card: int, near: int) -> Entry:
        """Put the sequences of an ace together: the high ones, then the low ones.

        They have nothing to do with each other, unless runs go round the corner.
        """
        known, high = self.runs[card], near & self._court * card | card
        low = near & ~high | card
        above = known.get(high) or self.run(card, high)
        below = known.get(low) or self.run(card, low)
        return Entry(
            tuple(map(operator.add, above.levels, below.levels)),
            tuple(map(operator.or_, above.covered, below.covered)),
        )

    def set(self, card: int, hand: int) -> Entry:
        """Make the entry of a card's sets in a hand."""
        near = hand & self.set_masks[card]
        entry = self.sets[card][near] = self._entry(self._sets(self._faces[card], near))
        for at, options in zip(self.near, entry.levels, strict=True):
            at[card][3][near] = options
        return entry

    def wild_runs(self, hand: int, wild: str) -> dict[int, tuple[Option, ...]]:
        """Return the sequences in which a card of the wild rank stands for itself.

        They come by their lowest card. Where it serves as well as a joker, they are only pure.
        """
        runs: dict[int, tuple[Option, ...]] = {}
        for bit, face, mask in self._around[wild]:
            near = hand & mask
            if bit & near and (not self._plain or near.bit_count() >= self.rules.sequence_min):
                known = self._wild_runs.get((near, face))
                runs |= self._runs_of_wild(near, face) if known is None else known
        return runs

    def _runs_of_wild(self, near: int, face: str) -> dict[int, tuple[Option, ...]]:
        """Find the sequences in which a card of the wild rank stands for itself, and keep them."""
        found: dict[int, list[Option]] = {}
        find = self._pure_runs if self._plain else self._runs
        for run in find(face, near, face[0]):
            if run.bits != WILD_BIT[face[1]]:
                some = found.setdefault(run.bits & -run.bits, [])
                some.append((run.bits, run.jokers, run.pure, run))
        known = {low: tuple(dict.fromkeys(some)) for low, some in found.items()}
        if len(self._wild_runs) >= _KEPT:
            self._wild_runs.clear()
        self._wild_runs[near, face] = known
        return known

    def worth(self, hand: int) -> int:
        """Return the points of some cards."""
        eight, four, two, one = self.weights
        return (
            8 * (hand & eight).bit_count()
            + 4 * (hand & four).bit_count()
            + 2 * (hand & two).bit_count()
            + (hand & one).bit_count()
        )

    def lone_run(self, suit: str, wild: str) -> Candidate | None:
        """Return the sequence that a card of the wild rank makes with jokers alone, if it may."""
        return self._run((RANKS.index(wild),), suit, wild)

    def long_runs(self, hand: int, wild: str | None) -> Iterator[Candidate]:
        """Yield every pure sequence of a hand, however long."""
        rules, bits = self.rules, bits_of(wild)
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

    def _places_of(self, face: str) -> list[int]:
        """Return where a face can stand in a run; with a high ace, 13 is the ace again."""
        place = RANKS.index(face[0])  # a rank alone will do too
        return [0, 13] if place == 0 and self.places > 13 else [place]  # noqa: PLR2004

    def _near(self, face: str, *, before: bool = False) -> Iterator[int]:
        """Yield the bits of the cards that can lie in a run with this one and come after it.

        With ``before`` those that come before it too.
        """
        around = self.rules.ace == "round-corner"
        for rank in RANKS:
            bit = BIT[rank + face[1]]
            apart = min(
                min(abs(one - other), 13 - abs(one - other) if around else 99)
                for one in self._places_of(face)
                for other in self._places_of(rank)
            )
            if (bit > BIT[face] or (before and bit < BIT[face])) and apart < self._span:
                yield bit

    def _runs(self, face: str, hand: int, wild: str | None) -> Iterator[Candidate]:
        """Find the sequences of a card with others of a hand that are near it."""
        bits, suit = bits_of(wild), face[1]
        around = self.rules.ace == "round-corner"
        there = {
            place for rank in RANKS if bits[rank + suit] & hand for place in self._places_of(rank)
        }
        for own in self._places_of(face):
            for low in range(own - self._span + 1, own + 1):
                if (low % 13 if around else low) not in there:
                    continue
                above = [
                    place
                    for place in range(low + 1, low + self._span)
                    if (place % 13 if around else place) in there and place != own
                ]
                for count in range(len(above) + 1):
                    for others in combinations(above, count):
                        run = self._run(tuple(sorted({low, own, *others})), suit, wild)
                        if run:
                            yield run

    def _pure_runs(self, face: str, hand: int, wild: str) -> Iterator[Candidate]:
        """Find the pure sequences of a card with others of a hand that are near it."""
        bits, suit = bits_of(wild), face[1]
        around = self.rules.ace == "round-corner"
        for own in self._places_of(face):
            for start in range(own - self._span + 1, own + 1):
                for stop in range(
                    max(own + 1, start + self.rules.sequence_min), start + self._span + 1
                ):
                    if not around and (start < 0 or stop > self.places):
                        continue
                    places = tuple(range(start, stop))
                    if all(bits[RANKS[place % 13] + suit] & hand for place in places):
                        run = self._run(places, suit, wild)
                        if run and run.pure:
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
        bits = bits_of(wild)
        return Candidate(
            bits=sum(bits[face] for face in faces.values()),
            jokers=missing + wilds,
            slots=tuple(faces.get(place) for place in range(start, start + length)),
            faces=tuple(faces.values()),
            room=room,
            sequence=True,
            pure=not missing and (rules.natural_wild_pure or not wilds),
        )

    def _sets(self, face: str, near: int) -> Iterator[Candidate]:
        """Find the sets of a card with others of its rank."""
        rules = self.rules
        copies = range(_COPIES if rules.set_duplicates else 1)
        others = [
            face[0] + suit
            for suit in SUITS
            for copy in copies
            if BIT[face[0] + suit] << PLANE * copy & near
        ]
        others.remove(face)
        for count in range(max(1, rules.naturals_min), len(others) + 2):
            size = max(rules.set_min, count)
            missing = size - count
            room = (rules.set_max or MOST_CARDS) - size
            if rules.jokers_max is not None:
                room = min(room, rules.jokers_max - missing)
            if room < 0:
                continue
            for some in dict.fromkeys(combinations(others, count - 1)):
                faces = (face, *some)
                bits = canonical(BIT[each] for each in faces)
                slots = (*faces, *[None] * missing)
                yield Candidate(bits, missing, slots, faces, room, sequence=False, pure=False)

    def _entry(self, found: Iterable[Candidate]) -> Entry:
        """Put the groups in order: those that spare most come first."""
        by_worth = sorted(found, key=lambda each: (-self.worth(each.bits), each.jokers, each.bits))
        levels: list[tuple[Option, ...]] = []
        covered = []
        for level in range(LEVELS):
            fitting = [each for each in by_worth if each.jokers <= level or level == LEVELS - 1]
            levels.append(tuple((each.bits, each.jokers, each.pure, each) for each in fitting))
            bits = 0
            for each in fitting:
                bits |= each.bits
            covered.append(bits)
        return Entry(tuple(levels), tuple(covered))


def _in_suit(entry: Entry, number: int) -> Entry:
    """Return an entry of the first suit in another one."""
    changed: dict[int, Candidate] = {}
    for _, _, _, each in entry.levels[-1]:
        changed[each.bits] = each._replace(
            bits=each.bits << number,
            slots=tuple([face and face[0] + SUITS[number] for face in each.slots]),
            faces=tuple([face[0] + SUITS[number] for face in each.faces]),
        )
    return Entry(
        tuple(
            tuple((bits << number, jokers, pure, changed[bits]) for bits, jokers, pure, _ in level)
            for level in entry.levels
        ),
        tuple(covered << number for covered in entry.covered),
    )


@lru_cache(maxsize=16)
def tables(rules: GroupRules, values: str) -> Tables:
    """Return the tables of some rules."""
    return Tables(rules, values)
