"""Slips of play for the simulator: what goes wrong in a turn, and what was barred."""

from __future__ import annotations

from rummy_audit.rhl.records import (
    Choice,
    Discard,
    Draw,
    Irregularity,
    Pass,
    Reshuffle,
    Void,
)
from rummy_audit.simulators.gin.game import Game, Mark, stop

# Turns


def second_draw(game: Game) -> Mark:
    """Two cards are drawn in one turn."""
    seat = game.turn
    game.begin_turn(seat)
    game.draw(seat, "stock")
    mark = Mark("second-draw", len(game.events), seat)
    game.throw(seat, game.to_throw(seat))
    stop(game)
    return mark


def second_discard(game: Game) -> Mark:
    """Two cards are discarded in one turn."""
    seat = game.turn
    game.begin_turn(seat)
    game.throw(seat, game.to_throw(seat))
    game.taken = None
    mark = Mark("second-discard", game.throw(seat, game.to_throw(seat)), seat)
    stop(game)
    return mark


def draw_missing(game: Game) -> Mark:
    """A player discards without having drawn."""
    seat = game.turn
    game.taken = None
    mark = Mark("draw-missing", game.throw(seat, game.to_throw(seat)), seat)
    stop(game)
    return mark


def pass_for_a_turn(game: Game) -> Mark | None:
    """A player passes a whole turn."""
    if game.refused:
        return None  # a pass would be one of the offer
    mark = Mark("draw-missing", game.add(Pass(seat=game.turn)), game.turn)
    game.turn = game.other(game.turn)
    return mark


def discard_missing(game: Game) -> Mark:
    """A player never discards, and the other plays on."""
    seat, other = game.turn, game.other(game.turn)
    game.begin_turn(seat)
    game.draw(other, "stock")
    mark = Mark("discard-missing", len(game.events), seat)
    game.throw(other, game.to_throw(other))
    stop(game)
    return mark


def premature_draw(game: Game) -> Mark:
    """A player draws before the other has discarded."""
    seat, other = game.turn, game.other(game.turn)
    game.begin_turn(seat)
    taken = game.taken
    game.draw(other, "stock")
    mark = Mark("out-of-turn", len(game.events), other)
    game.taken = taken
    game.throw(seat, game.to_throw(seat))
    game.taken = None
    game.throw(other, game.to_throw(other))
    return mark


def out_of_turn(game: Game) -> Mark | None:
    """A player takes the other's turn."""
    if game.refused:
        return None  # still a matter of the offer
    seat = game.other(game.turn)
    game.draw(seat, "stock")
    mark = Mark("out-of-turn", len(game.events), seat)
    game.throw(seat, game.to_throw(seat))
    return mark


def discard_just_taken(game: Game) -> Mark | None:
    """The card taken from the pile is thrown back."""
    if game.law.retake or not game.pile or game.refused:
        return None
    seat = game.turn
    card = game.draw(seat, "discard")
    mark = Mark("discard-just-taken", game.throw(seat, card), seat)
    game.turn = game.other(seat)
    return mark


def draw_not_top(game: Game) -> Mark | None:
    """A card is taken from below the top of the pile."""
    if len(game.pile) < _SOME:
        return None
    seat = game.turn
    game.draw(seat, "discard", game.pile[0])
    mark = Mark("draw-not-top", len(game.events), seat)
    game.throw(seat, game.to_throw(seat))
    stop(game)
    return mark


def discard_not_held(game: Game) -> Mark:
    """A card is thrown that lies in the pile already, or in the other hand."""
    seat = game.turn
    game.begin_turn(seat)
    card = (game.pile or game.hands[game.other(seat)])[0]
    mark = Mark("card-not-held", game.add(Discard(seat=seat, card=card)), seat)
    stop(game)
    return mark


def card_drawn_twice(game: Game) -> Mark:
    """A card is drawn that the player holds already."""
    seat = game.turn
    card = game.hands[seat][0]
    mark = Mark("too-many-copies", game.add(Draw(seat=seat, from_="stock", card=card)), seat)
    stop(game)
    return mark


def joker_drawn(game: Game) -> Mark:
    """A joker is drawn, which a pack of gin does not have."""
    seat = game.turn
    mark = Mark("card-not-in-deck", game.add(Draw(seat=seat, from_="stock", card="JK")), seat)
    stop(game)
    return mark


def reshuffled(game: Game) -> Mark:
    """The discard pile is shuffled into the stock."""
    return Mark("reshuffle-early", game.add(Reshuffle()))


def void_unfounded(game: Game) -> Mark:
    """A hand is called void with cards left in the stock."""
    seq = game.add(Void(cause="stock-exhausted"))
    stop(game)
    game.status = "void"
    return Mark("void-unfounded", seq)


# What was barred


def knock_while_barred(game: Game) -> Mark | None:
    """A player who saw a card knocks in the same turn, and has no gin."""
    seat = game.turn
    if len(game.stock) <= game.law.stock_floor + 1:
        return None
    game.begin_turn(seat)
    card = game.stock.pop()
    game.add(Irregularity(kind="saw-card", seat=seat, card=card))
    game.knock(seat, game.to_throw(seat))
    if not game.knocked or not game.knocked.loose or game.over_limit():
        return None
    return Mark("knock-while-barred", len(game.events), seat)


def draw_while_barred(game: Game) -> Mark:
    """A player who looked back at the pile draws in the next turn."""
    seat = game.turn
    game.add(Irregularity(kind="looked-back", seat=seat))
    game.begin_turn(seat)
    mark = Mark("draw-while-barred", len(game.events), seat)
    game.throw(seat, game.to_throw(seat))
    game.turn = game.other(seat)
    return mark


def looked_back(game: Game) -> Mark | None:
    """A player who looked back at the pile loses the next draw."""
    if game.refused:
        return None  # a pass would be one of the offer
    seat = game.turn
    seq = game.add(Irregularity(kind="looked-back", seat=seat))
    game.add(Pass(seat=seat))
    game.turn = game.other(seat)
    return Mark("irregularity-handled", seq, seat)


def exposed_card_taken(game: Game) -> Mark | None:
    """The offender takes a card seen illegally before the other has drawn from the stock."""
    seat, other = game.turn, game.other(game.turn)
    if len(game.stock) <= game.law.stock_floor + 1:
        return None
    game.begin_turn(seat)
    card = game.stock.pop()
    game.add(Irregularity(kind="saw-card", seat=seat, card=card))
    game.throw(seat, game.to_throw(seat))
    game.draw(other, "discard")
    game.throw(other, game.to_throw(other))
    mark = Mark("exposed-card-taken", game.add(Draw(seat=seat, from_="exposed", card=card)), seat)
    game.hands[seat].append(card)
    game.taken = None
    game.throw(seat, game.to_throw(seat))
    stop(game)
    return mark


def count_correction_wrong(game: Game) -> Mark:
    """A hand of nine cards is to be put right, and draws and discards as ever."""
    first, second = game.other(game.dealer), game.dealer
    game.deal({second: game.law.hand_size - 1})
    game.turn_upcard()
    game.add(Pass(seat=first))
    game.add(Pass(seat=second))
    for seat in (first, second):
        game.draw(seat, "stock")
        game.throw(seat, game.to_throw(seat))
    game.add(Irregularity(kind="wrong-count", seat=second))
    game.add(Choice(seat=first, what="play-on"))
    for seat in (first, second):
        game.draw(seat, "stock")
        seq = game.throw(seat, game.to_throw(seat))
    stop(game)
    return Mark("count-correction-wrong", seq, second)


# The wall


def stock_floor_crossed(game: Game) -> Mark | None:
    """A card is drawn when none may be any more."""
    if not game.stock:
        return None
    seat = game.turn
    game.draw(seat, "stock")
    mark = Mark("stock-floor-crossed", len(game.events), seat)
    game.throw(seat, game.to_throw(seat))
    stop(game)
    return mark


_SOME = 3
