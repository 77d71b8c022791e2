"""Slips for the simulator: what can go wrong on a turn, after which play goes on.

Each takes the game and the seat whose turn it is, plays that turn wrongly, and
returns what was done and who acts next (None: the hand breaks off). Where it
cannot happen now it returns None and has moved nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from rummy_audit.rhl.records import Call, Discard, Draw, Layoff, Meld, Reshuffle, Upcard
from rummy_audit.rules.families.basic.deadwood import best
from rummy_audit.rules.families.basic.readings import readings
from rummy_audit.rules.groups import read_group
from rummy_audit.simulators.basic.game import Game


class Made(NamedTuple):
    """What was done: the code it has to be found by, its event and seat."""

    code: str
    seq: int
    seat: int | None = None


Done = tuple[Made, int | None] | None
Slip = Callable[[Game, int], Done]


def _seq(game: Game) -> int:
    """Return the place of the next event."""
    return len(game.events) + 1


def _finish(game: Game, seat: int, made: Made) -> Done:
    """Discard and pass the turn on."""
    if game.hands[seat]:
        game.discard(seat)
    game.end_turn(seat)
    return made, game.left(seat)


def out_of_turn(game: Game, seat: int) -> Done:
    """A player skips the one whose turn it is."""
    other = game.left(game.left(seat))
    if other == seat or len(game.stock) < _ENOUGH:
        return None
    made = Made("out-of-turn", _seq(game), other)
    game.begin(other)
    game.draw_stock(other)
    return _finish(game, other, made)


def second_draw(game: Game, seat: int) -> Done:
    """A player draws twice."""
    if len(game.stock) < _ENOUGH:
        return None
    game.begin(seat)
    game.draw_stock(seat)
    made = Made("second-draw", _seq(game), seat)
    game.draw_stock(seat)
    return _finish(game, seat, made)


def second_discard(game: Game, seat: int) -> Done:
    """A player discards twice."""
    if len(game.stock) < _ENOUGH or len(game.hands[seat]) < _SOME:
        return None
    game.begin(seat)
    game.draw_stock(seat)
    game.discard(seat)
    return _finish(game, seat, Made("second-discard", _seq(game), seat))


def draw_missing(game: Game, seat: int) -> Done:
    """A player discards without a draw."""
    if len(game.hands[seat]) < _SOME:
        return None
    game.begin(seat)
    return _finish(game, seat, Made("draw-missing", _seq(game), seat))


def discard_missing(game: Game, seat: int) -> Done:
    """A player draws, and the next one plays."""
    if len(game.stock) < _ENOUGH:
        return None
    game.begin(seat)
    game.draw_stock(seat)
    after = game.left(seat)
    made = Made("discard-missing", _seq(game), seat)
    game.begin(after)
    game.draw_stock(after)
    return _finish(game, after, made)


def discard_just_taken(game: Game, seat: int) -> Done:
    """A player takes the open card and puts it back."""
    if not game.pile or game.settings.retake or game.pile[-1] in game.hands[seat]:
        return None
    card = game.pile[-1]
    game.begin(seat)
    game.take_top(seat)
    made = Made("discard-just-taken", _seq(game), seat)
    game.put_down(seat, card)
    game.end_turn(seat)
    return made, game.left(seat)


def draw_not_top(game: Game, seat: int) -> Done:
    """A player takes the second card of the pile."""
    if len(game.pile) < _SOME or game.pile[-2] in (game.pile[-1], *game.hands[seat]):
        return None
    made = Made("draw-not-top", _seq(game), seat)
    game.begin(seat)
    card = game.taken = game.pile.pop(-2)
    # Of two copies in the pile the referee cannot tell which one was taken.
    game.hands[seat].append(card)
    game.events.append(Draw(seat=seat, from_="discard", card=card))
    return _finish(game, seat, made)


def bad_meld(code: str) -> Slip:
    """Return the slip of a meld that breaks one rule of groups."""

    def slip(game: Game, seat: int) -> Done:
        if game.settings.only_going_out or len(game.stock) < _ENOUGH:
            return None
        hand = [*game.hands[seat], game.stock[-1]]
        rules = game.settings.groups
        for size in (2, 3, 4, 5):
            for cards in combinations(hand, size):
                found = [breach.code for breach in read_group(cards, rules).breaches]
                if found == [code] and size < len(hand):
                    game.begin(seat)
                    game.draw_stock(seat)
                    made = Made(code, _seq(game), seat)
                    game.meld(seat, cards)
                    return _finish(game, seat, made)
        return None

    return slip


def bad_layoff(game: Game, seat: int) -> Done:
    """A card is laid off where it does not fit."""
    hand, rules = game.hands[seat], game.settings.groups
    if game.settings.only_going_out or len(game.stock) < _ENOUGH or len(hand) < _SOME:
        return None
    if game.settings.layoff_needs_meld and not game.own_meld[seat]:
        return None
    for number, standing in enumerate(game.standing, start=1):
        for card in hand:
            cards = (*game.melds[number - 1], card)
            if standing and "JK" not in cards and not read_group(cards, rules).valid:
                game.begin(seat)
                game.draw_stock(seat)
                made = Made("layoff-invalid", _seq(game), seat)
                game.lay_off(seat, number, [card])
                return _finish(game, seat, made)
    return None


def layoff_before_meld(game: Game, seat: int) -> Done:
    """A card is laid off by a player without an own meld, where one is needed."""
    hand, rules = game.hands[seat], game.settings
    if not rules.layoff_needs_meld or rules.only_going_out or game.own_meld[seat]:
        return None
    if len(game.stock) < _ENOUGH or len(hand) < _SOME:
        return None
    for number, standing in enumerate(game.standing, start=1):
        for card in hand:
            if standing and readings((*game.melds[number - 1], card), rules.groups):
                game.begin(seat)
                game.draw_stock(seat)
                made = Made("layoff-before-meld", _seq(game), seat)
                game.lay_off(seat, number, [card])
                return _finish(game, seat, made)
    return None


def meld_too_early(game: Game, seat: int) -> Done:
    """A meld is laid before going out, where it has to wait."""
    if not game.settings.only_going_out or len(game.stock) < _ENOUGH:
        return None
    hand = [*game.hands[seat], game.stock[-1]]
    groups = [group for group in best(hand, game.settings).groups if len(group) + 2 <= len(hand)]
    if not groups:
        return None
    game.begin(seat)
    game.draw_stock(seat)
    made = Made("meld-not-allowed-yet", _seq(game), seat)
    game.meld(seat, groups[0])
    return _finish(game, seat, made)


def out_without_discard(game: Game, seat: int) -> Done:
    """The last card is melded, where it has to be discarded."""
    if not game.settings.final_discard or not game.stock:
        return None
    found = best([*game.hands[seat], game.stock[-1]], game.settings)
    groups = found.declaration or (() if found.loose else found.groups)
    if not groups:
        return None
    game.begin(seat)
    game.draw_stock(seat)
    for group in groups:
        game.meld(seat, group)
    made = Made("out-without-discard", len(game.events), seat)
    game.end_turn(seat)
    return made, game.left(seat)


def wrong_rummy(game: Game, seat: int) -> Done:
    """Rummy is called by a player who has laid cards before."""
    if not game.laid[seat] or len(game.stock) < _ENOUGH:
        return None
    made = Made("rummy-call-wrong", _seq(game), seat)
    game.events.append(Call(seat=seat, what="rummy"))
    game.begin(seat)
    game.draw_stock(seat)
    return _finish(game, seat, made)


def wrong_stalemate(game: Game, seat: int) -> Done:
    """A stalemate is called where it does not stand."""
    rule = game.settings.stalemate
    stands = {"table": True, "after-exhaustion": game.ripe, "detected": game.blocked()}
    if stands.get(rule):
        return None
    made = Made("stalemate-premature", _seq(game), seat)
    game.events.append(Call(seat=seat, what="stalemate"))
    game.over = "stalemate"
    return made, seat


def reshuffle_early(game: Game, seat: int) -> Done:
    """The stock is renewed while it still has cards."""
    if len(game.stock) < _ENOUGH or len(game.pile) < _SOME:
        return None
    made = Made("reshuffle-early", _seq(game), None)
    game.renew()
    return made, seat


def reshuffle_missing(game: Game, seat: int) -> Done:
    """The stock is renewed and nobody writes it down."""
    if game.stock or not game.renews or len(game.pile) < _ENOUGH:
        return None
    before = len(game.events)
    game.renew()
    del game.events[before:]
    made = Made("reshuffle-missing", _seq(game), seat)
    game.begin(seat)
    game.draw_stock(seat)
    return _finish(game, seat, made)


def reshuffle_too_often(game: Game, seat: int) -> Done:
    """The stock runs out for the last time, and is renewed all the same."""
    kind = game.settings.exhausted in ("reshuffle", "turn-over")
    if not kind or game.renews or len(game.stock) != 1 or len(game.pile) < _ENOUGH:
        return None
    game.begin(seat)
    game.draw_stock(seat)
    made = Made("reshuffle-too-often", _seq(game), None)
    game.renew()
    return _finish(game, seat, made)


def wrong_reshuffle(game: Game, seat: int) -> Done:
    """The list of the new stock names a card that is not in the pile."""
    if game.stock or not game.renews or len(game.pile) < _ENOUGH:
        return None
    made = Made("deck-order", _seq(game), None)
    game.renew()
    event = game.events[made.seq - 1]
    strange = [card for card in game.hands[seat] if card not in game.pile]
    if isinstance(event, Reshuffle) and event.cards and strange:
        cards = (*event.cards[1:-1], strange[0], event.cards[0])
        game.events[made.seq - 1] = Reshuffle(cards=cards, turned=event.turned)
    return made, seat


def second_upcard(game: Game, seat: int) -> Done:
    """A card is turned up in the middle of the play."""
    if len(game.stock) < _ENOUGH:
        return None
    made = Made("upcard-order", _seq(game), None)
    game.events.append(Upcard(card=game.stock[-1]))
    game.pile.append(game.stock.pop())
    return made, seat


def wrong_order(game: Game, seat: int) -> Done:
    """The second card of a stock of stated order is drawn."""
    if game.reshuffles or len(game.stock) < _ENOUGH or game.stock[-1] == game.stock[-2]:
        return None
    game.stock[-1], game.stock[-2] = game.stock[-2], game.stock[-1]
    made = Made("deck-order", _seq(game), seat)
    game.begin(seat)
    game.draw_stock(seat)
    return _finish(game, seat, made)


def not_held(game: Game, seat: int) -> Done:
    """A player discards a card of another hand."""
    strange = [card for card in game.hands[game.left(seat)] if card not in game.hands[seat]]
    if not strange or not game.stock:
        return None
    game.begin(seat)
    game.draw_stock(seat)
    made = Made("card-not-held", _seq(game), seat)
    game.events.append(Discard(seat=seat, card=strange[0]))
    return made, None


def not_in_the_deck(game: Game, seat: int) -> Done:
    """A card is drawn that the pack does not have."""
    made = Made("card-not-in-deck", _seq(game), seat)
    game.events.append(Draw(seat=seat, from_="stock", card="R7"))
    return (made, None) if game.stock else None


def too_many(game: Game, seat: int) -> Done:
    """A card is drawn of which every copy lies open already."""
    lying = [card for meld in game.melds for card in meld]
    card = next((each for each in lying if lying.count(each) == game.pack.count(each)), None)
    if card is None or not game.stock:
        return None
    made = Made("too-many-copies", _seq(game), seat)
    game.events.append(Draw(seat=seat, from_="stock", card=card))
    return made, None


_ENOUGH = 3
_SOME = 2

GROUPS = (
    "group-too-short",
    "set-too-long",
    "set-mixed-ranks",
    "set-repeated-suit",
    "sequence-mixed-suits",
    "sequence-gap",
    "sequence-wraps",
    "group-unanchored",
    "group-invalid",
)
__all__ = ["GROUPS", "Done", "Layoff", "Made", "Meld", "Slip"]
