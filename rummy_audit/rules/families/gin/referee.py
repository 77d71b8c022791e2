"""The referee of gin: which rules are asked at which event, in a referee's order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_audit.rhl.records import (
    Call,
    Choice,
    Deal,
    Deck,
    Declare,
    Discard,
    Draw,
    Drop,
    Event,
    HandRecord,
    Irregularity,
    Knock,
    Layoff,
    Leave,
    Meld,
    Misdeal,
    Miss,
    Pass,
    Penalty,
    Play,
    Reshuffle,
    Result,
    Ruling,
    Score,
    Show,
    Shuffle,
    Upcard,
    Void,
    Wild,
)
from rummy_audit.rules.causes import Law
from rummy_audit.rules.deck import judge_deck
from rummy_audit.rules.families import Judge
from rummy_audit.rules.families.gin import (
    closing,
    deal,
    ending,
    irregular,
    knock,
    moves,
    pile,
    showdown,
    turn,
)
from rummy_audit.rules.families.gin.plain import goes_plainly
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.families.gin.view import view
from rummy_audit.rules.findings import Findings
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


def not_of_this_game(table: GinTable, event: Event) -> Findings:
    """An event that only other games have is kept and not judged."""
    kind = type(event).__struct_config__.tag
    return (table.found("unknown-event", event, seat=getattr(event, "seat", None), type=kind),)


JUDGES: dict[type[Event], tuple[Judge, ...]] = {
    Deck: (judge_deck,),
    Upcard: (deal.turns_one_upcard,),
    Draw: (turn.draws,),
    Pass: (turn.passes_in_turn,),
    Discard: (turn.discards,),
    Knock: (knock.knocks,),
    Layoff: (showdown.lays_off_after_a_knock, showdown.fits_the_meld),
    Show: (showdown.shows_the_hand,),
    Irregularity: (irregular.notices,),
    Choice: (irregular.chooses,),
    Ruling: (irregular.rules,),
    Misdeal: (ending.misdeals_with_reason,),
    Void: (ending.voids_with_reason,),
    Reshuffle: (turn.keeps_the_stock,),
    **dict.fromkeys(
        (Wild, Meld, Declare, Drop, Miss, Leave, Play, Penalty, Call), (not_of_this_game,)
    ),
}

_GROUP = (
    "group-too-short",
    "set-too-long",
    "set-mixed-ranks",
    "set-repeated-suit",
    "sequence-mixed-suits",
    "sequence-gap",
    "sequence-wraps",
    "group-invalid",
    "card-in-two-groups",
    "card-not-held",
    "card-not-in-deck",
    "knock-wrong-deadwood",
)

LAWS: tuple[Law, ...] = (
    # A card that cannot be there is not also one that lies elsewhere in the pack.
    *(
        Law("deck-order", cause, "event", "same")
        for cause in ("card-not-in-deck", "too-many-copies")
    ),
    *(Law("knock-over-limit", cause, "event", "consequence") for cause in _GROUP),
    *(
        Law("misdeal-not-called", cause, "before", "consequence")
        for cause in ("deal-count", "deal-exposed", "deal-unshuffled")
    ),
)


# What a log without the play, or without any cards, does not show.
OF_PLAY = (
    *("card-not-held", "count-correction-wrong", "deal-count", "deck-order", "draw-missing"),
    *("discard-just-taken", "discard-missing", "draw-not-top", "draw-while-barred"),
    *("event-after-end", "exposed-card-taken", "hand-not-ended", "knock-while-barred"),
    *("knock-without-draw", "misdeal-not-called", "out-of-turn", "second-discard"),
    *("reshuffle-early", "second-draw", "stock-floor-crossed", "upcard-order"),
)
OF_CARDS = (
    *("arrangement-not-best", "hand-size", *_GROUP),
    *("knock-over-limit", "layoff-invalid", "layoff-on-gin", "score-wrong", "too-many-copies"),
)


def start(record: HandRecord, rules: Ruleset) -> GinTable:
    """Return the table before the first event; say what this detail cannot show."""
    table = GinTable(record, rules)
    if table.blind:
        for check in OF_PLAY:
            table.skip(check, f"the play is not in a log of detail {record.detail}")
    if record.detail == "scores":
        for check in OF_CARDS:
            table.skip(check, "no cards are in a log of detail scores")
    return table


def _result(table: GinTable, event: Result) -> None:
    table.results.append(event)


def _score(table: GinTable, event: Score) -> None:
    table.scores.append(event)
    table.look_closer()


def _while_open(move: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """What is played once a hand is decided moves nothing: hands count as they lay then."""

    def moved(table: GinTable, event: Event) -> None:
        if not ending.is_decided(table):
            move(table, event)

    return moved


def _discard(table: GinTable, event: Discard) -> None:
    """Move a discard; the one that was missing before a knock still leaves the hand behind it."""
    if knock.owed_before(table, event):
        pile.throw(table, event, event.seat, event.card)
        table.seats[event.seat].kept = ""
    elif not ending.is_decided(table):
        knock.discard(table, event)


MOVES: dict[type[Event], Callable[[Any, Any], None]] = {
    Deck: deal.deck,
    Shuffle: deal.shuffle,
    Deal: deal.deal,
    Upcard: deal.upcard,
    Draw: _while_open(moves.draw),
    Pass: _while_open(moves.pass_by),
    Discard: _discard,
    Knock: _while_open(knock.knock),
    Layoff: showdown.lay_off,
    Show: showdown.show,
    Irregularity: irregular.irregularity,
    Choice: irregular.choice,
    Ruling: irregular.ruling,
    Misdeal: ending.misdeal,
    Void: ending.void,
    Reshuffle: moves.reshuffle,
    Score: _score,
    Result: _result,
}


def advance(table: GinTable, event: Event) -> None:
    """Move the cards as they moved; raise Impossible where they cannot have."""
    move = MOVES.get(type(event))
    if move is not None:
        move(table, event)


finish = closing.finish
result = closing.result
