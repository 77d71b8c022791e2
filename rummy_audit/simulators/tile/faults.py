"""Faults that a simulated game can have: one each, with the code that it must be found by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec

from rummy_audit.rhl.records import (
    JOKER,
    Deal,
    Deck,
    Draw,
    Pass,
    Play,
)
from rummy_audit.rules.families.tile.arrange import arrange
from rummy_audit.rules.families.tile.melds import readings, value
from rummy_audit.rules.families.tile.table import Meld, Melds
from rummy_audit.rules.rulesets import Value
from rummy_audit.simulators.tile.game import Game
from rummy_audit.simulators.tile.players import Hand, extend, take_turn


class Mark(NamedTuple):
    """What must be found: the code, at which event, against which seat."""

    code: str
    seq: int
    seat: int | None = None


class Fault(NamedTuple):
    """How a fault is made, and when: in the deal, in a turn, when play is over, at the end.

    ``make`` returns None where the fault cannot come about just then; ``seats`` is
    how many sit down, where the fault is in that; ``details`` are those that show
    it, ``house`` what rules it needs.
    """

    when: Literal["deal", "turn", "over", "end"]
    make: Callable[[Game, int], Mark | None]
    seats: int | None = None
    details: tuple[str, ...] = ("full", "table")
    house: Mapping[str, Value] = MappingProxyType({})


def _hand(game: Game, seat: int) -> Hand:
    return Hand(tuple(game.racks[seat]), game.melds, game.settings)


def _lays(game: Game, seat: int, melds: Melds, code: str) -> Mark:
    game.next_turn(seat)
    return Mark(code, game.play(seat, melds), seat)


def _naturals(game: Game, seat: int) -> list[str]:
    return game.dice.shuffled(sorted(tile for tile in game.racks[seat] if tile != JOKER))


# The deal


def deal_count(game: Game, _seat: int) -> Mark:
    """One player is dealt a tile more, or less."""
    game.deal()
    number = game.dice.below(len(game.seats))
    dealt = game.events[number]
    assert isinstance(dealt, Deal)  # noqa: S101 - tells the type
    rack = game.racks[dealt.seat]
    if game.dice.below(2):
        rack.append(game.stock.pop(0))
    else:
        game.stock.insert(0, rack.pop())
    game.events[number] = msgspec.structs.replace(dealt, cards=tuple(rack))
    return Mark("deal-count", number + 1, dealt.seat)


def player_count(_game: Game, _seat: int) -> Mark:
    """Five sit down."""
    return Mark("player-count", 0)


def deck_order(game: Game, _seat: int) -> Mark | None:
    """Two tiles of the stated order have changed places."""
    cards = list(game.deck)
    order = game.in_turn()
    first, other = sorted(game.dice.shuffled(range(len(order) * game.settings.hand_size))[:2])
    if cards[first] == cards[other]:
        return None
    cards[first], cards[other] = cards[other], cards[first]
    game.add(Deck(cards=tuple(cards)))
    game.deal()
    return Mark("deck-order", first % len(order) + 2, order[first % len(order)])


# The course of play


def out_of_turn(game: Game, _seat: int) -> Mark | None:
    """The seat after the next draws; of two players it is the one that has just played."""
    other = game.in_turn()[1]
    if not game.stock or not game.begun or not isinstance(game.events[-1], Play):
        return None
    game.next_turn(other)
    return Mark("out-of-turn", game.draw(other), other)


def played_and_drew(game: Game, seat: int) -> Mark | None:
    """A player plays and draws as well."""
    melds = take_turn(_hand(game, seat), game.dice, opened=seat in game.opened)
    if melds is None or not game.stock:
        return None
    game.play(seat, melds)
    game.next_turn(seat)
    return None if game.over else Mark("out-of-turn", game.draw(seat), seat)


def second_draw(game: Game, seat: int) -> Mark | None:
    """A player draws twice."""
    if len(game.stock) < 2:  # noqa: PLR2004 - twice
        return None
    game.next_turn(seat)
    game.draw(seat)
    return Mark("second-draw", game.draw(seat), seat)


def passed(game: Game, seat: int) -> Mark | None:
    """A player passes with tiles in the stock."""
    if not game.stock:
        return None
    game.next_turn(seat)
    return Mark("tile-draw-missing", game.add(Pass(seat=seat)), seat)


def rearranged(game: Game, seat: int) -> Mark | None:
    """A player rearranges the table and adds nothing."""
    for index, meld in enumerate(game.melds):
        halves = meld[:3], meld[3:]
        if seat in game.opened and JOKER not in meld and game.stands(*halves):
            melds = (*game.melds[:index], *halves, *game.melds[index + 1 :])
            return _lays(game, seat, melds, "tile-draw-missing")
    return None


def timer_exceeded(game: Game, seat: int) -> Mark | None:
    """A player takes too long."""
    limit = game.settings.timer
    if limit is None or not game.stock or not game.begun:
        return None
    game.ms += limit
    game.next_turn(seat)
    return Mark("timer-exceeded", game.draw(seat), seat)


def penalty_missing(game: Game, seat: int) -> Mark | None:
    """A wrong turn is taken back without a penalty."""
    wrong = game.wrong_turn(seat)
    if wrong is None or not game.stock:
        return None
    game.next_turn(seat)
    return Mark("penalty-missing", game.undone(seat, wrong, marked=True, penalty=0), seat)


def penalty_wrong(game: Game, seat: int) -> Mark | None:
    """The penalty is one tile instead of three."""
    wrong = game.wrong_turn(seat)
    if wrong is None or len(game.stock) < 2 or game.settings.penalty_tiles < 2:  # noqa: PLR2004
        return None
    game.next_turn(seat)
    return Mark("penalty-wrong", game.undone(seat, wrong, marked=False, penalty=1) + 1, seat)


def penalty_not_due(game: Game, seat: int) -> Mark | None:
    """A right turn is taken back and punished."""
    melds = take_turn(_hand(game, seat), game.dice, opened=seat in game.opened)
    if melds is None or not game.stock:
        return None
    game.next_turn(seat)
    return Mark("penalty-wrong", game.undone(seat, melds, marked=False) + 1, seat)


def event_after_end(game: Game, _seat: int) -> Mark | None:
    """Somebody draws after the last tile was played."""
    seat = game.turn
    if not game.stock:
        return None
    draw = Draw(seat=seat, from_="stock", card=game.stock[0])
    return Mark("event-after-end", game.add(draw), seat)


# What is played


def table_invalid(game: Game, seat: int) -> Mark | None:
    """A player leaves three tiles that are no meld."""
    meld = tuple(_naturals(game, seat)[:3])
    if seat not in game.opened or len(game.racks[seat]) < 5 or game.stands(meld):  # noqa: PLR2004
        return None
    return _lays(game, seat, (*game.melds, meld), "table-invalid")


def tile_taken(game: Game, seat: int) -> Mark | None:
    """A player takes the last tile of a long meld to the hand."""
    for index, meld in enumerate(game.melds):
        if seat in game.opened and JOKER not in meld and game.stands(meld[:-1]):
            melds = (*game.melds[:index], meld[:-1], *game.melds[index + 1 :])
            return _lays(game, seat, melds, "tile-taken-to-hand")
    return None


def first_play_too_low(game: Game, seat: int) -> Mark | None:
    """A first play is worth too little."""
    rules = game.settings
    best = arrange(_naturals(game, seat), rules.melds)
    low = [m for m in best.melds if value(m, rules.melds) < rules.first_play] if best else []
    if seat in game.opened or not low:
        return None
    return _lays(game, seat, (*game.melds, game.dice.pick(low)), "first-play-too-low")


def first_play_touches(game: Game, seat: int) -> Mark | None:
    """A player adds to a meld of the table before a first play."""
    changed = None if seat in game.opened else extend(_hand(game, seat), game.dice)
    if changed is None:
        return None
    return _lays(game, seat, changed.melds, "first-play-touches-table")


def _pair_with_joker(game: Game, seat: int, without: str) -> Meld | None:
    """Return two own tiles with a joker that stands for something else than before."""
    tiles = _naturals(game, seat)
    for one in tiles:
        for other in tiles:
            meld = (one, other, JOKER)
            ways = readings(meld, game.settings.melds) if one != other else ()
            if ways and without not in meld and all(without not in way.places for way in ways):
                return meld
    return None


def _joker_melds(game: Game, seat: int) -> list[tuple[int, Meld, str, Meld]]:
    """Return melds with one joker: the index, what it stands for, and the meld without it."""
    found = []
    for index, meld in enumerate(game.melds if seat in game.opened else ()):
        ways = readings(meld, game.settings.melds)
        if meld.count(JOKER) == 1 and len(ways) == 1:
            place = meld.index(JOKER)
            rest = (*meld[:place], *meld[place + 1 :])
            found.append((index, meld, ways[0].places[place], rest))
    return found


def joker_not_replaced(game: Game, seat: int) -> Mark | None:
    """A joker is moved without its tile."""
    for index, _, stood_for, rest in _joker_melds(game, seat):
        new = _pair_with_joker(game, seat, stood_for)
        if game.settings.jokers.replace_first and game.stands(rest) and new is not None:
            melds = (*game.melds[:index], rest, *game.melds[index + 1 :], new)
            return _lays(game, seat, melds, "joker-not-replaced")
    return None


def joker_not_from_hand(game: Game, seat: int) -> Mark | None:
    """A joker is freed with a tile of the table."""
    for index, meld, stood_for, _ in _joker_melds(game, seat):
        new = _pair_with_joker(game, seat, stood_for)
        for other, giver in enumerate(game.melds):
            rest = tuple(tile for tile in giver if tile != stood_for)
            fits = len(rest) == len(giver) - 1 and JOKER not in giver and game.stands(rest)
            if fits and new is not None and game.settings.jokers.from_hand:
                filled = tuple(stood_for if tile == JOKER else tile for tile in meld)
                changed = {index: filled, other: rest}
                melds = (*(changed.get(i, m) for i, m in enumerate(game.melds)), new)
                return _lays(game, seat, melds, "joker-not-from-hand")
    return None


def joker_meld_locked(game: Game, seat: int) -> Mark | None:
    """A tile leaves a run with a joker, which stands for the same as before."""
    for index, meld, stood_for, _ in _joker_melds(game, seat):
        for tile, rest in ((meld[0], meld[1:]), (meld[-1], meld[:-1])):
            ways = readings(rest, game.settings.melds)
            if tile == JOKER or not ways or stood_for not in ways[0].places:
                continue
            if ways[0].kind != "sequence" or not game.settings.jokers.locked:
                continue
            for one in _naturals(game, seat):
                for other in _naturals(game, seat):
                    new = (one, tile, other) if one < other else (tile, one, other)
                    if stood_for not in new and one != other and game.stands(new):
                        melds = (*game.melds[:index], rest, *game.melds[index + 1 :], new)
                        return _lays(game, seat, melds, "joker-meld-locked")
    return None


def joker_not_in_new_meld(game: Game, seat: int) -> Mark | None:
    """A freed joker is added to a meld of the table."""
    for index, meld, stood_for, _ in _joker_melds(game, seat):
        filled = tuple(stood_for if tile == JOKER else tile for tile in meld)
        for other, old in enumerate(game.melds):
            fits = other != index and JOKER not in old and game.stands((*old, JOKER))
            if fits and stood_for in game.racks[seat] and game.settings.jokers.new_meld:
                changed = {index: filled, other: (*old, JOKER)}
                melds = tuple(changed.get(i, m) for i, m in enumerate(game.melds))
                return _lays(game, seat, melds, "joker-not-in-new-meld")
    return None
