"""Faults for the simulator: one thing that goes wrong in a hand, with its code and place.

Here the slips of the deal and of play; ``end_faults`` has those of the knock, of
the showdown and of what is written down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rummy_audit.rhl.records import Draw, Irregularity, Misdeal
from rummy_audit.simulators.gin import slips
from rummy_audit.simulators.gin.game import Game, Mark, stop

FULL = ("full",)
PLAY = ("full", "table")
SHOWN = ("full", "table", "shown")
ANY = ("full", "table", "shown", "scores")


Make = Callable[[Game], Mark | None]


class Fault(NamedTuple):
    """A fault: when it happens, how it is made, and the details that show it.

    ``when``: deal, offer, turn, wall, knock, show, score or log. ``beside`` are codes
    that it brings along; ``note`` tells that the table dealt with it itself.
    """

    when: str
    make: Make
    details: tuple[str, ...] = PLAY
    beside: tuple[str, ...] = ()
    note: bool = False
    house: tuple[tuple[str, int | str | bool], ...] = ()


# The deal


def _miscount(game: Game, number: int) -> Mark:
    seat = game.dice.choice(game.seats)
    game.deal({seat: number})
    order = (game.other(game.dealer), game.dealer)
    return Mark("deal-count", 1 + order.index(seat), seat)


def deal_count(game: Game) -> Mark:
    """Somebody is dealt nine or eleven cards, and the hand is played on."""
    mark = _miscount(game, game.law.hand_size + game.dice.choice((-1, 1)))
    game.turn_upcard()
    _some_turns(game)
    return mark


def misdeal_not_called(game: Game) -> Mark:
    """The same, looked at from the first draw."""
    seat = deal_count(game).seat
    first = next(n for n, each in enumerate(game.events, 1) if isinstance(each, Draw))
    return Mark("misdeal-not-called", first, seat)


def deal_count_handled(game: Game) -> Mark:
    """Somebody is dealt nine or eleven cards, and the cards are dealt again."""
    mark = _miscount(game, game.law.hand_size + game.dice.choice((-1, 1)))
    game.add(Misdeal(cause="wrong-count"))
    stop(game)
    game.status = "misdeal"
    return mark


def _noticed(game: Game, kind: str, code: str) -> Mark:
    game.deal()
    seat = None if kind == "not-shuffled" else game.dealer
    seq = game.add(Irregularity(kind=kind, seat=seat))  # type: ignore[arg-type] # a kind
    game.turn_upcard()
    _some_turns(game)
    return Mark(code, seq, seat)


def _some_turns(game: Game) -> None:
    game.offer()
    for _ in range(4):
        if not game.over:
            game.one_turn()
    stop(game)
    if game.knocked is not None:
        game.show()


def misdeal_unfounded(game: Game) -> Mark:
    """A hand that was dealt rightly is dealt again."""
    game.deal()
    game.turn_upcard()
    seq = game.add(Misdeal(cause=game.dice.choice(("wrong-count", "other"))))
    stop(game)
    game.status = "misdeal"
    return Mark("misdeal-unfounded", seq)


# The offer


def upcard_order(game: Game) -> Mark:
    """The dealer takes the upcard before it was refused, or the stock is drawn from."""
    seat = game.dealer if game.dice.random() < _HALF else game.other(game.dealer)
    game.draw(seat, "discard" if seat == game.dealer else "stock")
    mark = Mark("upcard-order", len(game.events), seat)
    game.throw(seat, game.to_throw(seat))
    game.turn = game.other(seat)
    return mark


def second_upcard(game: Game) -> Mark:
    """A second upcard is turned."""
    game.turn_upcard()
    return Mark("upcard-order", len(game.events))


_HALF = 0.5

FAULTS: dict[str, Fault] = {
    "deal-count": Fault("deal", deal_count, beside=("misdeal-not-called",)),
    "misdeal-not-called": Fault("deal", misdeal_not_called, beside=("deal-count",)),
    "deal-count-handled": Fault("deal", deal_count_handled, note=True),
    "deal-exposed": Fault(
        "deal",
        lambda game: _noticed(game, "exposed-card", "deal-exposed"),
        beside=("misdeal-not-called",),
    ),
    "deal-unshuffled": Fault(
        "deal",
        lambda game: _noticed(game, "not-shuffled", "deal-unshuffled"),
        beside=("misdeal-not-called",),
    ),
    "dealer-wrong": Fault("deal", lambda game: _noticed(game, "wrong-dealer", "dealer-wrong")),
    "misdeal-unfounded": Fault("deal", misdeal_unfounded),
    "upcard-order": Fault("offer", upcard_order),
    "second-upcard": Fault("offer", second_upcard),
    "second-draw": Fault("turn", slips.second_draw),
    "second-discard": Fault("turn", slips.second_discard),
    "draw-missing": Fault("turn", slips.draw_missing),
    "pass-for-a-turn": Fault("turn", slips.pass_for_a_turn),
    "discard-missing": Fault("turn", slips.discard_missing),
    "premature-draw": Fault("turn", slips.premature_draw),
    "out-of-turn": Fault("turn", slips.out_of_turn),
    "discard-just-taken": Fault("turn", slips.discard_just_taken),
    "draw-not-top": Fault("turn", slips.draw_not_top),
    "card-not-held": Fault("turn", slips.discard_not_held, FULL),
    "too-many-copies": Fault("turn", slips.card_drawn_twice, FULL),
    "card-not-in-deck": Fault("turn", slips.joker_drawn, FULL),
    "reshuffle-early": Fault("turn", slips.reshuffled),
    "void-unfounded": Fault("turn", slips.void_unfounded),
    "knock-while-barred": Fault("turn", slips.knock_while_barred),
    "draw-while-barred": Fault("turn", slips.draw_while_barred),
    "irregularity-handled": Fault("turn", slips.looked_back, note=True),
    "exposed-card-taken": Fault("turn", slips.exposed_card_taken),
    "count-correction-wrong": Fault(
        "deal", slips.count_correction_wrong, beside=("deal-count", "misdeal-not-called")
    ),
    "stock-floor-crossed": Fault("wall", slips.stock_floor_crossed),
}
