"""The referee of Indian rummy, 13 cards: what is asked at which event, and in which order.

Rulebooks 001, 000 (first half) and 003 (first half); the rules stand in the topic
modules of this package, their parameters in ``parameters.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rummy_audit.rhl import records
from rummy_audit.rhl.records import Event, HandRecord
from rummy_audit.rules import deck
from rummy_audit.rules.causes import Law
from rummy_audit.rules.families import Judge
from rummy_audit.rules.families.indian import (
    deal,
    declaring,
    drop,
    ending,
    misdeal,
    pile,
    play,
    show,
    stock,
    turn,
)
from rummy_audit.rules.families.indian.plain import goes_plainly
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.families.indian.view import view
from rummy_audit.rules.rulesets import Ruleset

__all__ = [
    "JUDGES",
    "LAWS",
    "MOVES",
    "advance",
    "finish",
    "goes_plainly",
    "result",
    "start",
    "view",
]

JUDGES: Mapping[type[Event], tuple[Judge, ...]] = {
    records.Deck: (deck.judge_deck,),
    records.Deal: (turn.moves_cards_before_the_end, deal.deals_before_the_play),
    records.Upcard: (deal.closes_the_deal, deal.turns_one_upcard),
    records.Wild: (deal.closes_the_deal, deal.turns_the_bottom_card),
    records.Irregularity: (misdeal.notices_in_the_deal,),
    records.Misdeal: (misdeal.calls_a_misdeal,),
    records.Void: (deal.closes_the_deal, stock.voids_with_reason),
    records.Draw: (
        misdeal.opens_the_play,
        misdeal.lets_the_deal_stand,
        turn.draws_in_turn,
        stock.draws_from_a_stock,
        pile.takes_the_top_card,
        pile.leaves_jokers_lying,
    ),
    records.Discard: (
        misdeal.opens_the_play,
        misdeal.lets_the_deal_stand,
        turn.discards_in_turn,
        pile.discards_another_card,
    ),
    records.Reshuffle: (
        turn.moves_cards_before_the_end,
        stock.reshuffles_an_empty_stock,
        stock.reshuffles_the_pile,
    ),
    records.Miss: (misdeal.opens_the_play, turn.misses_in_turn),
    records.Drop: (misdeal.opens_the_play, drop.drops_where_allowed, drop.drops_in_time),
    records.Leave: (misdeal.opens_the_play,),
    records.Declare: (
        misdeal.opens_the_play,
        misdeal.lets_the_deal_stand,
        turn.declares_in_turn,
        pile.discards_another_card,
        declaring.declares_rightly,
    ),
    records.Show: (misdeal.opens_the_play, show.shows_the_hand),
}

MOVES: Mapping[type[Event], Callable[[Any, Any], None]] = {
    records.Deck: deal.deck,
    records.Shuffle: deal.shuffle,
    records.Reveal: deal.reveal,
    records.Deal: deal.deal,
    records.Upcard: deal.upcard,
    records.Wild: deal.wild,
    records.Irregularity: misdeal.irregularity,
    records.Misdeal: misdeal.misdeal,
    records.Void: stock.void,
    records.Draw: play.draw,
    records.Discard: play.discard,
    records.Reshuffle: stock.reshuffle,
    records.Miss: play.miss,
    records.Drop: drop.drop,
    records.Leave: drop.leave,
    records.Declare: declaring.declare,
    records.Show: show.show,
    records.Ruling: declaring.ruling,
    records.Score: ending.write_down,
}

LAWS: tuple[Law, ...] = (
    # Who acts after the hand is over is not also asked whose turn it was.
    *(
        Law(effect=code, cause="event-after-end", where="before", then="same")
        for code in (
            *("out-of-turn", "discard-missing", "draw-missing", "second-draw", "second-discard"),
            *("drop-late", "drop-not-allowed", "acted-after-drop", "discard-just-taken"),
            *("joker-from-discard", "draw-not-top", "reshuffle-early", "reshuffle-missing"),
            *("event-after-end", "misdeal-not-called"),
        )
    ),
    Law(
        effect="wrong-declaration-accepted",
        cause="wrong-declaration",
        where="event",
        then="consequence",
    ),
    Law(
        effect="penalty-points-wrong",
        cause="wrong-declaration-accepted",
        where="seat",
        then="consequence",
    ),
    Law(
        effect="score-wrong", cause="right-declaration-refused", where="before", then="consequence"
    ),
    Law(effect="score-wrong", cause="hand-size", where="seat", then="consequence"),
    Law(effect="score-wrong", cause="card-in-two-groups", where="seat", then="consequence"),
    Law(effect="misdeal-not-called", cause="deal-count", where="before", then="consequence"),
    Law(effect="misdeal-not-called", cause="deal-exposed", where="before", then="consequence"),
    Law(effect="misdeal-not-called", cause="deal-unshuffled", where="before", then="consequence"),
)

# What a log without the play, or without any cards, does not show.
OF_PLAY = (
    *("acted-after-drop", "auto-drop-missing", "card-not-held", "deal-wild-missing", "deck-order"),
    *("declare-without-draw", "discard-just-taken", "discard-missing", "draw-missing"),
    *("draw-not-top", "drop-late", "event-after-end", "hand-not-ended", "joker-from-discard"),
    *("joker-upcard-not-buried", "misdeal-not-called", "misdeal-too-late", "out-of-turn"),
    *("reshuffle-early", "reshuffle-missing", "second-discard", "second-draw", "upcard-order"),
)
OF_CARDS = (
    *("arrangement-not-best", "card-in-two-groups", "card-not-in-deck", "hand-size"),
    *("penalty-points-wrong", "right-declaration-refused", "score-wrong", "too-many-copies"),
    *("winner-wrong", "wrong-declaration", "wrong-declaration-accepted"),
)


def start(record: HandRecord, rules: Ruleset) -> IndianTable:
    """Return the table before the first event; say what this detail cannot show."""
    table = IndianTable(record, rules)
    if table.blind:
        for check in OF_PLAY:
            table.skip(check, f"the play is not in a log of detail {record.detail}")
    if record.detail == "scores":
        for check in OF_CARDS:
            table.skip(check, "no cards are in a log of detail scores")
    return table


def advance(table: IndianTable, event: Event) -> None:
    """Move the cards as they moved, legal or not."""
    move = MOVES.get(type(event))
    if move is not None:
        move(table, event)


finish = ending.finish
result = ending.result
