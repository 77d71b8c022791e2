"""How cards leave a hand for the pile and the table, and what ends a turn and the hand.

Nothing is judged here and nothing repaired. Where cards cannot have moved so the
move raises Impossible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_audit.rhl.records import (
    UNKNOWN,
    Call,
    Deal,
    Deck,
    Discard,
    Draw,
    Event,
    Irregularity,
    Layoff,
    Meld,
    Misdeal,
    Reshuffle,
    Result,
    Score,
    Show,
    Shuffle,
    Upcard,
    Void,
)
from rummy_audit.rules.families.basic.calls import FEW, rummy_hopeless, why_no_stalemate
from rummy_audit.rules.families.basic.draws import deal, deck, draw, reshuffle, shuffle, upcard
from rummy_audit.rules.families.basic.misdeal import NOTICED, is_counted
from rummy_audit.rules.families.basic.readings import extended, readings
from rummy_audit.rules.families.basic.show import held_of, shown_cards, sound
from rummy_audit.rules.families.basic.stock import RENEWED
from rummy_audit.rules.families.basic.table import BasicTable, Course, Ended, Laid
from rummy_audit.rules.findings import Impossible
from rummy_audit.rules.table import Holding


def discard(table: BasicTable, event: Discard) -> None:
    """Move a card from a hand to the top of the pile."""
    seat = event.seat
    if table.ended is not None:
        table.plays_on(event)
    course = table.seat_course(seat)
    _make_room(table, seat, (event.card,))
    _give(table, event, table.hand(seat), event.card)
    course.size -= 1
    table.pile.append(event.card)
    inside = seat in table.neighbours
    undrawn = not (course.drawn or course.undrawn)
    late = undrawn and course.owes == "discard"
    course.owes = "draw" if undrawn and not late and table.turn in (seat, None) else ""
    table.slack += course.owes == "draw"
    course.more += (course.owes == "draw") + late
    table.unthrown -= late
    if late:
        course.paid = event.seq if table.turn == seat else 0
        # The turn has passed on already.
        if not course.size and table.ended is None:
            _goes_out(table, event, seat, course)
        return
    early = undrawn and table.turn not in (seat, None) and seat not in (table.actor, table.also)
    course.ahead = early and inside
    if inside:
        # Seats that were dealt nothing are outside the turn order.
        table.actor, table.turn = seat, table.neighbours[seat]
        table.also = None
    if course.size == 0 and table.ended is None and inside:
        _goes_out(table, event, seat, course)
    else:
        if course.early is not None and not table.counted(seat):
            table.waiting = (seat, course.early)
        _end_turn(table, course, event)


def meld(table: BasicTable, event: Meld) -> None:
    """Move cards from a hand to a new meld on the table."""
    _lay(table, event)
    course = table.seat_course(event.seat)
    course.own_meld = True
    standing = () if UNKNOWN in event.cards else readings(event.cards, table.settings.groups)
    table.melds.append(Laid(len(table.melds) + 1, event.seat, list(event.cards), standing))
    _laid(table, event, course)


def layoff(table: BasicTable, event: Layoff) -> None:
    """Move cards from a hand to a meld on the table; without such a meld they just lie there."""
    _lay(table, event)
    if 1 <= event.meld <= len(table.melds):
        laid = table.melds[event.meld - 1]
        rules = table.settings.groups
        grown = extended(laid.readings, event.cards, rules) if laid.readings else ()
        laid.cards += event.cards
        laid.added += [(event.seat, card) for card in event.cards]
        laid.readings = grown or (() if UNKNOWN in laid.cards else readings(laid.cards, rules))
    _laid(table, event, table.seat_course(event.seat))


def _lay(table: BasicTable, event: Meld | Layoff) -> None:
    """Take the cards out of the hand."""
    seat = event.seat
    if not table.live:
        for card in event.cards:
            table.sight(card, event, seat=seat)
        return
    table.plays_on(event)
    _make_room(table, seat, event.cards)
    hand = table.hand(seat)
    known = hand.known
    if not all(card in known for card in event.cards):
        # A card that cannot be there stops the replay before any other has moved.
        for card in held_of(table, hand, event.cards)[1]:
            _give(table, event, hand, card)
    for card in event.cards:
        _give(table, event, hand, card)


def _make_room(table: BasicTable, seat: int, cards: tuple[str, ...]) -> None:
    """Let a draw that was found missing have been made, where only so the cards can be held."""
    if not table.may_hold_more(seat):
        return
    course, hand = table.seat_course(seat), table.hand(seat)
    lacking = len(held_of(table, hand, cards)[1])
    more = min(course.more, max(lacking, len(cards) - len(hand)))
    if more <= 0:
        return
    course.more -= more
    course.size += more
    hand.unknown += more


def _give(table: BasicTable, event: Discard | Meld | Layoff, hand: Holding, card: str) -> None:
    """Take a card out of a hand; one that cannot be there stops the replay."""
    known = hand.give(card)
    if known:
        return
    if card == UNKNOWN and known is False:
        _forget(table, hand)
        return
    copies = table.pack.get(card)
    if copies is None and card != UNKNOWN:
        raise Impossible(table.found("card-not-in-deck", event, seat=event.seat, card=card))
    if known is None or (copies is not None and table.seen.get(card, 0) >= copies):
        raise Impossible(table.found("card-not-held", event, seat=event.seat, card=card))
    table.sight(card, event, seat=event.seat)


def _forget(table: BasicTable, hand: Holding) -> None:
    """After a card that left unseen nobody knows which cards a hand still holds."""
    if hand.gone:
        known = hand.cards()
        table.lose_sight(known)
        hand.unknown += len(known) - hand.gone
        hand.gone = 0
        hand.known.clear()
        hand.public.clear()


def _laid(table: BasicTable, event: Meld | Layoff, course: Course) -> None:
    """Count what was laid on this turn, and see whether it was the last card."""
    if not table.live:
        return
    seat = event.seat
    own_turn = course.drawn or table.turn in (seat, None) or table.also == seat
    inside = seat in table.neighbours
    if own_turn and not (course.drawn or course.melds or course.layoffs):
        course.turns += 1
        table.turn = seat
    if isinstance(event, Meld):
        course.melds += 1
    else:
        course.layoffs += 1
    if course.early is None:
        course.early = event.seq
    course.size -= len(event.cards)
    if not course.drawn:
        missing = own_turn and not course.undrawn
        table.slack += missing
        course.more += missing
        course.undrawn = True
    if course.size == 0 and table.ended is None and inside:
        _goes_out(table, event, seat, course)
    elif not course.drawn and not own_turn:
        course.close()
        course.undrawn = True
        table.also = table.next_seat(seat) if inside else table.also
    if inside:
        table.actor = seat


def _goes_out(table: BasicTable, event: Event, seat: int, course: Course) -> None:
    """Let a player who has no card left have won, and see whether that was going rummy."""
    rules = table.settings
    rummy = (
        not course.laid_before
        and course.melds + course.layoffs > 0
        and (rules.with_layoffs or not course.layoffs)
        and (rules.first_turn or course.turns > 1)
    )
    # What nobody may go out by, the table may yet undo by playing on.
    # So may who is only counted out, by a draw that was not written down.
    loose = course.owes == "draw" or (rules.final_discard and not isinstance(event, Discard))
    loose = loose or table.may_hold_more(seat)
    table.decide(Ended("won", event.seq, winner=seat, loose=loose, rummy=rummy))


def _end_turn(table: BasicTable, course: Course, event: Event) -> None:
    """End a turn, and the hand with it where the stock has run out for the last time."""
    course.close()
    rules = table.settings
    if table.stock == 0 and table.ended is None and table.live:
        if rules.exhausted not in RENEWED:
            table.decide(Ended("exhausted", event.seq, by_stock=True))
        elif rules.reshuffles_max is not None and table.reshuffles >= rules.reshuffles_max:
            table.decide(Ended("stalemate", event.seq, by_stock=True))
    if course.size > FEW:
        table.small = table.ripe = False
    elif not table.small:
        table.small = all(table.seat_course(seat).at_rest <= FEW for seat in table.playing)
        table.ripe = table.small and table.stock == 0


def call(table: BasicTable, event: Call) -> None:
    """Keep a call of rummy for the end of the turn; a called stalemate ends the hand."""
    if event.what == "rummy":
        if not rummy_hopeless(table, event):
            course = table.seat_course(event.seat)
            out = table.ended is not None
            begun = course.drawn or course.melds or course.layoffs or out
            number = course.turns if begun else course.turns + 1
            table.calls.append((event.seq, event.seat, number))
    elif table.ended is None:
        table.decide(Ended("stalemate", event.seq, loose=why_no_stalemate(table) is not None))


def irregularity(table: BasicTable, event: Irregularity) -> None:
    """Keep what the table noticed of the deal; what the log counts itself is kept at the deal."""
    if event.kind not in NOTICED or table.first_draw is not None:
        return
    if event.kind != "wrong-count" or not is_counted(table, event.seat):
        table.faults[event.seq] = event.kind


def annul(table: BasicTable, event: Misdeal | Void) -> None:
    """Let the hand be annulled."""
    table.annulled = event
    if isinstance(event, Misdeal):
        # A hand that is dealt again because of the deal was dealt with rightly.
        for seq, kind in table.faults.items():
            table.handle(seq, (NOTICED.get(kind, kind),))
    if table.ended is None or table.ended.loose:
        outcome = "misdeal" if isinstance(event, Misdeal) else "void"
        table.decide(Ended(outcome, event.seq))


def show(table: BasicTable, event: Show) -> None:
    """Let a hand be seen as far as it can be the one that was played."""
    table.shows[event.seat] = event
    hand, cards = table.hand(event.seat), shown_cards(event)
    ended = table.ended
    counted_out = ended is not None and ended.loose and ended.winner == event.seat
    if cards and counted_out and table.may_hold_more(event.seat):
        table.ended = None  # a draw was not written down
    if sound(table, event):
        table.sound[event.seat] = cards
    if not table.live:
        for card in cards:
            if table.seen.get(card, 0) < table.pack.get(card, 0):
                table.sight(card, event, seat=event.seat)
        return
    for card in held_of(table, hand, cards)[0]:
        hand.unknown -= 1
        hand.take(card)
        table.sight(card, event, seat=event.seat)
    for card in cards:
        hand.public[card] = min(cards.count(card), hand.holds(card))


def score(table: BasicTable, event: Score) -> None:
    """Keep what the table wrote down."""
    table.scores.append(event)


def result(table: BasicTable, event: Result) -> None:
    """Keep the end of the match as it was written down."""
    table.results.append(event)


MOVES: dict[type[Event], Callable[[Any, Any], None]] = {
    Deck: deck,
    Shuffle: shuffle,
    Deal: deal,
    Upcard: upcard,
    Draw: draw,
    Discard: discard,
    Meld: meld,
    Layoff: layoff,
    Reshuffle: reshuffle,
    Call: call,
    Irregularity: irregularity,
    Misdeal: annul,
    Void: annul,
    Show: show,
    Score: score,
    Result: result,
}


def _dealt_again(move: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Cards laid or shown after a misdeal are of the next deal, which is not in such a log."""

    def moved(table: BasicTable, event: Event) -> None:
        if table.ended is not None and table.ended.outcome == "misdeal":
            table.gather()
        move(table, event)

    return moved


# Without the course of play only what was laid, shown and written down counts.
UNSEEN: dict[type[Event], Callable[[Any, Any], None]] = {
    kind: MOVES[kind] for kind in (Deal, Irregularity, Misdeal, Void, Score, Result)
} | {kind: _dealt_again(MOVES[kind]) for kind in (Meld, Layoff, Show)}
