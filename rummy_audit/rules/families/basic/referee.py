"""The referee of basic rummy: which rules are asked of which event, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rummy_audit.rhl.records import (
    UNKNOWN,
    Call,
    Choice,
    Deal,
    Deck,
    Declare,
    Discard,
    Draw,
    Drop,
    Event,
    Hand,
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
    Reveal,
    Show,
    Upcard,
    Void,
    Wild,
)
from rummy_audit.rules.causes import Law
from rummy_audit.rules.deck import judge_deck
from rummy_audit.rules.families import Judge
from rummy_audit.rules.families.basic import calls, deal, meld, misdeal, moves, show, stock, turn
from rummy_audit.rules.families.basic import finish as whole
from rummy_audit.rules.families.basic.table import BasicTable
from rummy_audit.rules.families.basic.view import view as table_view
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.view import Result, TableView


def not_of_this_game(table: BasicTable, event: Event) -> Findings:
    """An event that only other games know is kept and not judged."""
    kind = event.__struct_config__.tag
    return [table.found("unknown-event", event, type=kind, seat=getattr(event, "seat", None))]


DRAW: tuple[Judge, ...] = (
    turn.after_the_end,
    deal.deal_follows_pack,
    meld.melded_too_early,
    turn.draw_in_turn,
    turn.one_draw,
    stock.upcard_after_turning,
    stock.top_of_the_pile,
    stock.stock_renewed,
    stock.next_of_the_stock,
)

DISCARD: tuple[Judge, ...] = (
    turn.after_the_end,
    turn.discard_in_turn,
    turn.card_just_taken,
    meld.melded_too_early,
)


def draw_by_the_rules(table: BasicTable, event: Draw) -> Findings:
    """Ask what is to be asked of a draw; of a plain one, in turn, nothing is."""
    if (
        event.seat == table.turn
        and table.ended is None
        and table.known is None
        and table.first_draw is not None
        and not table.upcard_due
        and table.waiting is None
        and event.cards is None
        and not table.course[event.seat].drawn
    ):
        if event.from_ == "stock":
            if table.stock:
                return NONE
        elif table.pile and event.card == table.pile[-1]:
            return NONE
    return [found for judge in DRAW for found in judge(table, event)]


def discard_by_the_rules(table: BasicTable, event: Discard) -> Findings:
    """Ask what is to be asked of a discard; of a plain one, in turn, nothing is."""
    course = table.course.get(event.seat)
    if (
        course is not None
        and course.drawn
        and (course.taken is None or event.card not in (course.taken, UNKNOWN))
        and course.early is None
        and table.ended is None
    ):
        return NONE
    return [found for judge in DISCARD for found in judge(table, event)]


JUDGES: Mapping[type[Event], tuple[Judge, ...]] = {
    Deck: (judge_deck,),
    Reveal: (deal.seed_as_committed,),
    Deal: (turn.after_the_end, deal.cards_dealt),
    Irregularity: (misdeal.notices_in_the_deal,),
    Upcard: (turn.after_the_end, deal.deal_follows_pack, stock.upcard_in_order),
    Draw: (draw_by_the_rules,),
    Meld: (turn.after_the_end, turn.laid_in_turn, meld.meld_stands, meld.out_without_discard),
    Layoff: (
        turn.after_the_end,
        turn.laid_in_turn,
        meld.layoff_after_own_meld,
        meld.layoff_fits,
        meld.out_without_discard,
    ),
    Discard: (discard_by_the_rules,),
    Reshuffle: (turn.after_the_end, stock.reshuffle_in_time, stock.reshuffled_cards),
    Call: (calls.rummy_called_rightly, calls.stalemate_stands),
    Show: (show.hand_as_played,),
    Misdeal: (misdeal.misdeal_with_reason,),
    Void: (misdeal.void_with_reason,),
    **dict.fromkeys(
        (Wild, Pass, Play, Penalty, Drop, Miss, Leave, Declare, Knock, Choice), (not_of_this_game,)
    ),
}

GROUP_CODES = (
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

LAWS: tuple[Law, ...] = (
    # A card that cannot be there is not also one that lies elsewhere in the pack.
    *(
        Law("deck-order", cause, "event", "same")
        for cause in ("card-not-in-deck", "too-many-copies")
    ),
    *(
        Law(effect=effect, cause=code, where="event", then="consequence")
        for effect in ("meld-invalid", "layoff-invalid")
        for code in GROUP_CODES
    ),
    Law(effect="out-without-discard", cause="out-of-turn", where="event", then="same"),
    Law(effect="score-wrong", cause="rummy-call-wrong", where="before", then="consequence"),
    Law(effect="score-wrong", cause="stalemate-premature", where="before", then="consequence"),
)

# What a log without the play, or without any cards, does not show.
OF_PLAY = [
    "card-in-two-groups",
    "card-not-held",
    "deal-count",
    "deck-order",
    "discard-just-taken",
    "discard-missing",
    "draw-missing",
    "draw-not-top",
    "event-after-end",
    "hand-not-ended",
    "hand-size",
    "layoff-before-meld",
    "meld-not-allowed-yet",
    "out-of-turn",
    "out-without-discard",
    "reshuffle-early",
    "reshuffle-missing",
    "reshuffle-too-often",
    "rummy-call-wrong",
    "second-discard",
    "second-draw",
    "stalemate-premature",
    "upcard-order",
]
OF_CARDS = [
    "card-not-in-deck",
    "layoff-invalid",
    "meld-invalid",
    "score-wrong",
    "too-many-copies",
]


def start(record: HandRecord, rules: Ruleset) -> BasicTable:
    """Return the table before the first event; say what this detail cannot show."""
    table = BasicTable(record, rules)
    if not table.live:
        for check in OF_PLAY:
            table.skip(check, f"the play is not in a log of detail {record.detail}")
    if record.detail == "scores":
        for check in OF_CARDS:
            table.skip(check, "no cards are in a log of detail scores")
    return table


def advance(table: BasicTable, event: Event) -> None:
    """Move the cards as they moved; raise Impossible where they cannot have."""
    move = (moves.MOVES if table.live else moves.UNSEEN).get(type(event))
    if move is not None:
        move(table, event)


def finish(table: BasicTable, hand: Hand) -> Sequence[Finding]:
    """Return what only the whole hand shows."""
    return whole.finish(table, hand)


def result(table: BasicTable) -> Result:
    """Return how the hand ended by the rules."""
    found = table.counted_up
    if found is None:
        return Result("undecided")
    points = {seat: found.points[seat] for seat in sorted(found.points)}
    breakdown = {seat: found.breakdown[seat] for seat in sorted(found.breakdown)}
    return Result(found.outcome, found.winner, points, breakdown)


def view(table: BasicTable) -> TableView:
    """Return the table as it stands, frozen."""
    return table_view(table)
