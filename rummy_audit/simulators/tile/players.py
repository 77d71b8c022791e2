"""How a simulated player plays: one small legal change of the table after another.

What is done here is right by construction, step by step; it asks no judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.families.tile.arrange import arrange
from rummy_audit.rules.families.tile.melds import Reading, readings, value
from rummy_audit.rules.families.tile.table import Meld, Melds, Settings
from rummy_audit.rules.tiles import NUMBER_OF

T = TypeVar("T")


class Chance(Protocol):
    """What a simulation needs of chance."""

    def below(self, limit: int) -> int:
        """Return a number from 0, below the limit."""

    def pick(self, among: Sequence[T]) -> T:
        """Return one of some things."""

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return things in another order."""


class Hand(NamedTuple):
    """What a player sees when it is the turn: the own rack, the table, the rules."""

    rack: tuple[str, ...]
    melds: Melds
    settings: Settings

    def lay(self, *melds: Meld) -> Hand:
        """Return the hand after new melds of own tiles."""
        left = Counter(self.rack) - Counter(tile for meld in melds for tile in meld)
        return self._replace(rack=tuple(left.elements()), melds=(*self.melds, *melds))

    def change(self, index: int, meld: Meld, added: Sequence[str]) -> Hand:
        """Return the hand after a meld of the table was changed, with tiles of the rack."""
        left = Counter(self.rack) - Counter(added)
        melds = (*self.melds[:index], meld, *self.melds[index + 1 :])
        return self._replace(rack=tuple(left.elements()), melds=melds)

    def reading(self, meld: Meld) -> Reading | None:
        """Return how a meld reads first."""
        ways = readings(meld, self.settings.melds)
        return ways[0] if ways else None


Step = Callable[[Hand, Chance], "Hand | None"]


def first_play(hand: Hand, chance: Chance) -> Hand | None:
    """Lay new melds that are worth enough together; sometimes more than are needed."""
    settings = hand.settings
    with_jokers = settings.first_play_joker != "not-allowed" and chance.below(3) > 0
    tiles = [tile for tile in hand.rack if tile != JOKER or with_jokers]
    count = settings.first_play_joker == "represented"
    best = arrange(tiles, settings.melds, aim="value", joker_points=None if count else 0)
    if best is None:
        return None
    melds = [(value(meld, settings.melds, jokers=count), meld) for meld in best.melds]
    chosen: list[Meld] = []
    worth = 0
    for points, meld in chance.shuffled(melds):
        if worth < settings.first_play or chance.below(2):
            chosen.append(meld)
            worth += points
    return hand.lay(*chosen) if worth >= settings.first_play and chosen else None


def own_melds(hand: Hand, chance: Chance) -> Hand | None:
    """Lay a meld of own tiles, with a joker now and then."""
    tiles = [tile for tile in hand.rack if tile != JOKER or chance.below(4) == 0]
    best = arrange(tiles, hand.settings.melds)
    return hand.lay(chance.pick(best.melds)) if best is not None and best.melds else None


def extend(hand: Hand, chance: Chance) -> Hand | None:
    """Add a tile of the rack to a meld, so that its jokers still stand for what they did."""
    for index in chance.shuffled(range(len(hand.melds))):
        meld = hand.melds[index]
        was = hand.reading(meld)
        if was is None:
            continue
        for tile in chance.shuffled(sorted(set(hand.rack) - {JOKER})):
            for longer in ((*meld, tile), (tile, *meld)):
                now = hand.reading(longer)
                if now is not None and _goes_on(was, now, longer == (*meld, tile)):
                    return hand.change(index, longer, [tile])
    return None


def _goes_on(was: Reading, now: Reading, behind: bool) -> bool:  # noqa: FBT001 - one caller
    size = len(was.places)
    stayed = now.places[:size] if behind else now.places[-size:]
    return was.kind == now.kind and stayed == was.places


def rearrange(hand: Hand, chance: Chance) -> Hand | None:
    """Take some melds without jokers apart and lay them anew with tiles of the rack."""
    plain = [index for index, meld in enumerate(hand.melds) if JOKER not in meld]
    if not plain:
        return None
    taken = set(chance.shuffled(plain)[: 2 + chance.below(4)])
    tiles = [tile for index in sorted(taken) for tile in hand.melds[index]]
    rack = [tile for tile in hand.rack if tile != JOKER or chance.below(6) == 0]
    best = arrange(rack, hand.settings.melds, table=tiles)
    if best is None or not best.tiles:
        return None
    left = Counter(best.loose) + (Counter(hand.rack) - Counter(rack))
    kept = [meld for index, meld in enumerate(hand.melds) if index not in taken]
    return hand._replace(rack=tuple(left.elements()), melds=(*kept, *best.melds))


def free_joker(hand: Hand, chance: Chance) -> Hand | None:
    """Put the tile a joker stands for in its place, and use the joker again at once."""
    if hand.settings.jokers.both:
        return None
    for index in chance.shuffled(range(len(hand.melds))):
        meld = hand.melds[index]
        for way in readings(meld, hand.settings.melds):
            for place, tile in enumerate(meld):
                stood_for = way.places[place]
                if tile == JOKER and stood_for in hand.rack:
                    filled = (*meld[:place], stood_for, *meld[place + 1 :])
                    freed = hand.change(index, filled, [stood_for])
                    used = _use(freed, chance)
                    if used is not None:
                        return used
    return None


def _use(hand: Hand, chance: Chance) -> Hand | None:
    """Use a freed joker: with two own tiles, or where the rules let it, anywhere."""
    rules, tiles = hand.settings.melds, sorted(set(hand.rack) - {JOKER})
    if not hand.settings.jokers.new_meld and chance.below(2):
        for index in chance.shuffled(range(len(hand.melds))):
            meld = hand.melds[index]
            if JOKER not in meld and readings((*meld, JOKER), rules):
                return hand.change(index, (*meld, JOKER), [])
    for one in chance.shuffled(tiles):
        for other in chance.shuffled([tile for tile in tiles if _near(one, tile)]):
            for meld in ((one, other, JOKER), (one, JOKER, other), (JOKER, one, other)):
                if readings(meld, rules):
                    joined = hand._replace(rack=(*hand.rack, JOKER))
                    return joined.lay(meld)
    return None


def _near(one: str, other: str) -> bool:
    """Whether two tiles can lie in one meld of three."""
    apart = abs(NUMBER_OF[one] - NUMBER_OF[other])
    return apart == 0 if one[0] != other[0] else 0 < apart <= 2  # noqa: PLR2004 - of three


def move_joker(hand: Hand, chance: Chance) -> Hand | None:
    """Where jokers are free, take one from the end of a meld and use it again."""
    jokers = hand.settings.jokers
    if jokers.replace_first or jokers.locked:
        return None
    for index in chance.shuffled(range(len(hand.melds))):
        meld = hand.melds[index]
        rest = meld[:-1] if meld[-1] == JOKER else meld[1:] if meld[0] == JOKER else ()
        if rest and readings(rest, hand.settings.melds):
            return _use(hand.change(index, rest, []), chance)
    return None


def borrow(hand: Hand, chance: Chance) -> Hand | None:
    """Take an end tile of a long meld for a new meld with own tiles.

    A meld with a joker is left alone where it is locked, or where its joker would
    stand for another tile.
    """
    jokers = hand.settings.jokers
    for index in chance.shuffled(range(len(hand.melds))):
        meld = hand.melds[index]
        was = hand.reading(meld)
        if was is None or (JOKER in meld and (jokers.locked or was.kind == "set")):
            continue
        ends = ((meld[0], meld[1:], was.places[1:]), (meld[-1], meld[:-1], was.places[:-1]))
        for tile, rest, stands in ends:
            now = hand.reading(rest)
            if tile == JOKER or now is None or (JOKER in rest and now.places != stands):
                continue
            new = _with_two(tile, hand, chance)
            if new is not None:
                left = Counter(hand.rack) - (Counter(new) - Counter([tile]))
                kept = (*hand.melds[:index], rest, *hand.melds[index + 1 :], new)
                return hand._replace(rack=tuple(left.elements()), melds=kept)
    return None


def _with_two(tile: str, hand: Hand, chance: Chance) -> Meld | None:
    """Return a meld of a tile with two of the rack."""
    rules = hand.settings.melds
    tiles = [other for other in sorted(set(hand.rack) - {JOKER}) if _near(tile, other)]
    for one in chance.shuffled(tiles):
        for other in [each for each in tiles if _near(one, each)]:
            for meld in ((tile, one, other), (one, tile, other), (one, other, tile)):
                if readings(meld, rules):
                    return meld
    return None


STEPS: tuple[Step, ...] = (
    own_melds,
    extend,
    rearrange,
    free_joker,
    move_joker,
    borrow,
)


def take_turn(hand: Hand, chance: Chance, *, opened: bool) -> Melds | None:
    """Return the table after a right turn, or None where the player plays nothing."""
    start = hand
    if not opened:
        played = first_play(hand, chance)
        if played is None or not hand.settings.touch_at_once:
            return played.melds if played is not None else None
        hand = played
    moved = 0
    for step in chance.shuffled((*STEPS, free_joker))[: 1 + chance.below(len(STEPS))]:
        if moved and step in (move_joker, borrow):
            # A meld with a joker that was just laid is as closed as any other.
            continue
        changed = step(hand, chance)
        if changed is not None:
            hand = changed
            moved += step in (free_joker, move_joker)
    return hand.melds if len(hand.rack) < len(start.rack) else None
