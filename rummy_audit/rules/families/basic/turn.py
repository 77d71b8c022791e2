"""The course of a turn: draw, meld or lay off, discard, then the left neighbour.

A turn is judged from what happened: after a slip it is with the left neighbour of
whoever acted last, and the same slip is not found again.
"""

from __future__ import annotations

from rummy_audit.rhl.records import (
    UNKNOWN,
    Deal,
    Discard,
    Draw,
    Layoff,
    Meld,
    Reshuffle,
    Upcard,
)
from rummy_audit.rules.families.basic.table import BasicTable, Course
from rummy_audit.rules.findings import NONE, Findings

Played = Draw | Discard | Meld | Layoff | Deal | Upcard | Reshuffle


def after_the_end(table: BasicTable, event: Played) -> Findings:
    """Nothing is played once the hand is decided; found once.

    An end against the rules (a last card melded where it must be discarded, a
    stalemate called too early) may be undone by playing on. A reshuffle after the
    stock ran out for the last time is a slip of its own, a deal after a misdeal none.
    """
    ended = table.ended
    if ended is None or ended.loose or table.late is not None or not table.live:
        return NONE
    if ended.by_stock and isinstance(event, Reshuffle):
        return NONE
    if isinstance(event, Deal) and ended.outcome == "misdeal":
        return NONE
    seat = getattr(event, "seat", None)
    return [table.found("event-after-end", event, seat=seat, outcome=ended.outcome)]


def draw_in_turn(table: BasicTable, event: Draw) -> Findings:
    """The dealer's left neighbour begins, then play goes clockwise, a turn a player.

    A player who draws while the right neighbour has not discarded shows the
    missing discard; anybody else draws out of turn.
    """
    turn, seat = table.turn, event.seat
    if turn is None or seat in (turn, table.also) or table.done or not table.live:
        return NONE
    course = table.seat_course(seat)
    if course.drawn or follows_late(table, course, seat):
        return NONE
    if seat not in table.neighbours and course.turns:
        return NONE  # that it is in no turn was found at its first draw
    before = table.seat_course(turn)
    if before.paid and seat == table.next_seat(turn):
        # Nothing followed on that discard: it was this turn's, without a draw.
        return [table.found("draw-missing", before.paid, seat=turn, card=table.pile[-1])]
    if before.drawn and seat == table.next_seat(turn):
        if not before.size or before.ahead:
            # Nothing was left to discard, or it was discarded before that turn, which was found.
            return NONE
        return [table.found("discard-missing", event, seat=turn, by=seat)]
    return [table.found("out-of-turn", event, seat=seat, expected=turn)]


def follows_late(table: BasicTable, course: Course, seat: int) -> bool:
    """Whether a draw only follows late on the discard that showed it missing."""
    return course.owes == "draw" and table.actor == seat


def one_draw(table: BasicTable, event: Draw) -> Findings:
    """A turn has exactly one draw, of exactly one card."""
    seat = event.seat
    if table.done or not table.live or seat not in table.neighbours:
        return NONE
    if table.seat_course(seat).drawn:
        if table.actor == seat:
            cards = list(event.cards or ()) if event.card is None else [event.card]
            return [table.found("second-draw", event, seat=seat, cards=cards)]
        # Others have played since: the turn before ended without a discard.
        return [table.found("discard-missing", event, seat=seat, by=seat)]
    if event.cards is not None and len(event.cards) > 1:
        return [table.found("second-draw", event, seat=seat, cards=list(event.cards))]
    return NONE


def discard_in_turn(table: BasicTable, event: Discard) -> Findings:
    """A turn ends with exactly one discard, after a draw."""
    seat, turn = event.seat, table.turn
    if table.done or not table.live:
        return NONE
    course = table.seat_course(seat)
    if course.drawn or course.undrawn or course.owes == "discard":
        return NONE
    if turn is None or seat == turn:
        return [table.found("draw-missing", event, seat=seat, card=event.card)]
    if table.actor == seat:
        return [table.found("second-discard", event, seat=seat, card=event.card)]
    if seat == table.also:
        return [table.found("draw-missing", event, seat=seat, card=event.card)]
    return [table.found("out-of-turn", event, seat=seat, expected=turn)]


def laid_in_turn(table: BasicTable, event: Meld | Layoff) -> Findings:
    """Cards are melded or laid off on one's own turn, between draw and discard."""
    seat, turn = event.seat, table.turn
    if table.done or not table.live:
        return NONE
    course = table.seat_course(seat)
    if course.drawn or course.undrawn:
        return NONE
    if turn is None or seat in (turn, table.also):
        return [table.found("draw-missing", event, seat=seat, cards=list(event.cards))]
    return [table.found("out-of-turn", event, seat=seat, expected=turn)]


def card_just_taken(table: BasicTable, event: Discard) -> Findings:
    """The card taken from the discard pile is not discarded on the same turn.

    With two decks the player may have held another copy and discard that.
    """
    course = table.seat_course(event.seat)
    taken = course.taken
    if taken is None or table.settings.retake or table.done:
        return NONE
    if event.card == UNKNOWN and (taken == UNKNOWN or table.hand(event.seat).holds(taken)):
        table.skip("discard-just-taken", "which card was thrown is not known")
    if taken != event.card or event.card == UNKNOWN or course.spare:
        return NONE
    if course.spare is None:
        table.skip("discard-just-taken", "the player may have held another copy of the card taken")
        return NONE
    found = table.found(
        "discard-just-taken", event, "discard_just_taken", seat=event.seat, card=event.card
    )
    return [found]
