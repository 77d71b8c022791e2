"""What became of the jokers that lay on the table: one legal explanation, or the least breach.

Nobody sees in a log which joker went where and what freed it. So every
explanation is tried: each joker may have gone to any place of one, its old meld
and its new one may read in several ways, and it may have been kept, freed or just
moved. A turn is right if one explanation of it is legal. There are two jokers, so
there are few explanations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Literal, NamedTuple

import msgspec

from rummy_audit.rules.families.tile.melds import MeldRules, Reading, readings
from rummy_audit.rules.tiles import COLOURS, JOKER, NUMBER_OF, face

Meld = tuple[str, ...]

# What can be wrong with a joker, the least first.
ORDER = ("joker-not-in-new-meld", "joker-meld-locked", "joker-not-from-hand", "joker-not-replaced")

_FULL_SET = len(COLOURS)


class JokerRules(msgspec.Struct, frozen=True):
    """What is asked before a joker of the table is used again."""

    melds: MeldRules
    replace_first: bool = False
    from_hand: bool = False
    locked: bool = False
    new_meld: bool = False
    both: bool = False

    @property
    def asked(self) -> bool:
        """Whether anything is asked at all."""
        return self.replace_first or self.locked or self.new_meld


class Change(NamedTuple):
    """What a play did to the table: the changed melds, and where tiles came from.

    ``added`` are the tiles from the hand, ``moved`` those of the table that lie with
    others than before, ``lying`` all melds after it.
    """

    before: Sequence[Meld]
    after: Sequence[Meld]
    added: Mapping[str, int]
    moved: Mapping[str, int]
    lying: Sequence[Meld] = ()


class JokerBreach(NamedTuple):
    """What is wrong with one joker: the meld it lay in and what it stood for, and where it went."""

    code: str
    old: Meld
    stood_for: str
    new: Meld
    stands_for: str


# How a joker's way is explained; ``open``: one of its melds is not valid, nothing is asked.
Way = Literal["kept", "hand", "table", "moved", "open"]


class _Joker(NamedTuple):
    """One joker in one explanation: its old meld and place, and the new ones."""

    old: Meld
    old_number: int
    old_index: int
    was: Reading | None
    stood_for: str
    new: Meld
    new_number: int
    new_index: int
    reads: Reading | None
    stands_for: str


def explain(change: Change, rules: JokerRules) -> tuple[JokerBreach, ...]:
    """Return what is wrong with the table's jokers at the best explanation; nothing if legal.

    The least breach is the one with the fewest findings, then the mildest.

    >>> rules = JokerRules(melds=MeldRules(), replace_first=True, from_hand=True)
    >>> old, new = ("R4", "R5", "JK"), ("K8", "K9", "JK")
    >>> kings = {"K8": 1, "K9": 1}
    >>> after = [("R4", "R5", "R6"), new]
    >>> explain(Change([old], after, {"R6": 1, **kings}, {}), rules)
    ()
    >>> after = [("R3", "R4", "R5"), new]
    >>> explain(Change([old], after, {"R3": 1, **kings}, {}), rules)[0].code
    'joker-not-replaced'
    """
    if not rules.asked or not any(JOKER in meld for meld in change.before):
        return ()
    best: tuple[JokerBreach, ...] | None = None
    for jokers in _explanations(change, rules):
        for ways in product(*(_ways(joker, change, rules) for joker in jokers)):
            if rules.both and not _squeezed_out(jokers, ways, change, rules):
                continue
            found = _breaches(jokers, ways, change, rules)
            if not found:
                return ()
            if best is None or _weight(found) < _weight(best):
                best = found
    return best or ()


def _weight(found: Sequence[JokerBreach]) -> tuple[int, list[int]]:
    return len(found), sorted((ORDER.index(each.code) for each in found), reverse=True)


def _places(melds: Sequence[Meld]) -> list[tuple[int, int]]:
    return [
        (number, index)
        for number, meld in enumerate(melds)
        for index, tile in enumerate(meld)
        if tile == JOKER
    ]


def _explanations(change: Change, rules: JokerRules) -> Iterator[tuple[_Joker, ...]]:
    """Yield every way to read the melds with jokers, and to match old jokers with new ones."""
    old = [meld for meld in change.before if JOKER in meld]
    new = [meld for meld in change.after if JOKER in meld]
    were, are = _places(old), _places(new)
    old_readings = list(product(*(readings(meld, rules.melds) or (None,) for meld in old)))
    new_readings = list(product(*(readings(meld, rules.melds) or (None,) for meld in new)))
    for to in permutations(are, len(were)):
        for was in old_readings:
            for reads in new_readings:
                yield tuple(
                    _Joker(
                        old=old[came[0]],
                        old_number=came[0],
                        old_index=came[1],
                        was=was[came[0]],
                        stood_for=_stands_for(was[came[0]], came[1]),
                        new=new[went[0]],
                        new_number=went[0],
                        new_index=went[1],
                        reads=reads[went[0]],
                        stands_for=_stands_for(reads[went[0]], went[1]),
                    )
                    for came, went in zip(were, to, strict=True)
                )


def _stands_for(reading: Reading | None, index: int) -> str:
    return JOKER if reading is None else reading.places[index]


def _ways(joker: _Joker, change: Change, rules: JokerRules) -> tuple[Way, ...]:
    """Return how a joker's way can be explained, the best first.

    It is kept if it stands for the same tile in a legal meld. It is freed if the
    tile it stood for was put on the table in this turn; where that tile lies at
    the end of the turn does not matter.
    """
    if joker.was is None or joker.reads is None:
        return ("open",)
    ways: list[Way] = ["kept"] if joker.stood_for == joker.stands_for else []
    if rules.both and joker.was.kind == "set":
        # Which of the colours it stands for is open: see _squeezed_out.
        ways += ["hand", "table"]
    elif joker.stood_for in change.added:
        ways.append("hand")
    elif _replaced_from_table(joker, change, rules):
        ways.append("table")
    return (*ways, "moved")


def _replaced_from_table(joker: _Joker, change: Change, rules: JokerRules) -> bool:
    """Whether a matching tile of the table lies with the old meld's tiles now.

    One that lay with such tiles before, and only does so still, has replaced nothing. But
    where a tile of the table may free a joker, a meld that holds it and all of the old one
    may be the old one: copies are not told apart.
    """
    tile = joker.stood_for
    if not rules.from_hand and (tile in change.moved or _whole(joker.old, tile, change.lying)):
        return True
    replaced = list(joker.old)
    replaced[joker.old_index] = tile
    if any(Counter(replaced) == Counter(meld) for meld in change.after if tile in meld):
        return True
    return any(
        _together(change.after, tile, other) > _together(change.before, tile, other)
        for other in set(joker.old) - {JOKER}
    )


def _whole(old: Meld, tile: str, melds: Sequence[Meld]) -> bool:
    """Whether one of the melds holds all tiles of an old one, and this one where a joker lay."""
    wanted = Counter([tile, *(each for each in old if each != JOKER)])
    return any(wanted <= Counter(meld) for meld in melds if tile in meld)


def _together(melds: Sequence[Meld], one: str, other: str) -> int:
    return sum(one in meld and other in meld for meld in melds)


def _missing(meld: Meld) -> list[str]:
    """Return the tiles of the colours that a set does not show."""
    naturals = [tile for tile in meld if tile != JOKER]
    number, colours = NUMBER_OF[naturals[0]], {tile[0] for tile in naturals}
    return [face(colour, number) for colour in COLOURS if colour not in colours]


def _squeezed_out(
    jokers: Sequence[_Joker], ways: Sequence[Way], change: Change, rules: JokerRules
) -> bool:
    """Whether so many jokers of a set can be free, if only the full set frees them.

    A set of three with a joker needs both missing colours: with one of them it is
    a set of four, and the joker stands for the other.
    """
    for number in {joker.old_number for joker in jokers}:
        mine = [(j, way) for j, way in zip(jokers, ways, strict=True) if j.old_number == number]
        one = mine[0][0]
        if one.was is None or one.was.kind != "set":
            continue
        freed = sum(way in ("hand", "table") for _, way in mine)
        by_hand = [tile for tile in _missing(one.old) if tile in change.added]
        laid = len(by_hand)
        if any(way == "table" for _, way in mine):
            others = [tile for tile in _missing(one.old) if tile not in change.added]
            laid += sum(
                tile in change.moved
                or (not rules.from_hand and _whole(one.old, tile, change.lying))
                for tile in others
            )
        if freed and freed > len(one.old) + laid - _FULL_SET:
            return False
    return True


def _breaches(
    jokers: Sequence[_Joker], ways: Sequence[Way], change: Change, rules: JokerRules
) -> tuple[JokerBreach, ...]:
    found = []
    for joker, way in zip(jokers, ways, strict=True):
        code = _breach(joker, way, (jokers, ways), change, rules)
        if code is not None:
            found.append(JokerBreach(code, joker.old, joker.stood_for, joker.new, joker.stands_for))
    return tuple(found)


_All = tuple[Sequence[_Joker], Sequence[Way]]


def _breach(joker: _Joker, way: Way, every: _All, change: Change, rules: JokerRules) -> str | None:
    """Say what is wrong with one joker, if its way is explained so."""
    if way == "open":
        return None
    if way == "table" and rules.from_hand:
        return "joker-not-from-hand"
    if way in ("hand", "table"):
        used_well = not rules.new_meld or _in_new_meld(joker, every, change, rules)
        return None if used_well else "joker-not-in-new-meld"
    if way == "moved" and rules.replace_first:
        return "joker-not-replaced"
    if _stays(joker, every, change, rules):
        return None
    if rules.locked:
        return "joker-meld-locked"
    if way == "moved" and rules.new_meld and not _in_new_meld(joker, every, change, rules):
        return "joker-not-in-new-meld"
    return None


def _stays(joker: _Joker, every: _All, change: Change, rules: JokerRules) -> bool:
    """Whether everything of a joker's old meld still lies with it.

    Of two jokers in one meld, a freed one has left its tile there, and as long as
    the other stands nothing may leave.
    """
    must = Counter(tile for tile in joker.old if tile != JOKER)
    for other, way in zip(*every, strict=True):
        if other.old_number != joker.old_number:
            continue
        if way in ("hand", "table"):
            if not (rules.both and joker.was and joker.was.kind == "set"):
                must[other.stood_for] += 1
            else:
                must.update(tile for tile in _missing(joker.old) if tile in change.added)
        elif other is joker or way == "kept" or not rules.replace_first:
            must[JOKER] += 1
    return not must - Counter(joker.new)


def _in_new_meld(joker: _Joker, every: _All, change: Change, rules: JokerRules) -> bool:
    """Whether a joker lies in a new meld of own tiles; tiles of the table may have joined it.

    Jokers from the hand, and other freed ones, are as good as own tiles.
    """
    if joker.reads is None:
        return True
    kept = {
        (other.new_number, other.new_index)
        for other, way in zip(*every, strict=True)
        if way not in ("hand", "table", "moved")
    }
    own = {
        place
        for index, place in enumerate(joker.reads.places)
        if (
            (joker.new_number, index) not in kept
            if joker.new[index] == JOKER
            else joker.new[index] in change.added
        )
    }
    if joker.reads.kind == "set":
        return len(own) >= rules.melds.set_min
    numbers = {NUMBER_OF[place] for place in own}
    low = high = NUMBER_OF[joker.stands_for]
    while low - 1 in numbers:
        low -= 1
    while high + 1 in numbers:
        high += 1
    return high - low + 1 >= rules.melds.run_min
