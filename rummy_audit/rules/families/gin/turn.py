"""Turns: one draw, one discard, then the other player.

The ordinary draws and discards are moved at once (``plain.goes_plainly``); what stands
here is asked of every other one.
"""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Discard, Draw, Pass, Reshuffle
from rummy_audit.rules.deck import Pull, contradiction
from rummy_audit.rules.families.gin import deal, offer
from rummy_audit.rules.families.gin.correction import (
    draws_late,
    is_done,
    makes_good,
    may_discard_more,
    may_draw_more,
    pays_late,
)
from rummy_audit.rules.families.gin.ending import after_the_end
from rummy_audit.rules.families.gin.knock import owed_before, throws_late
from rummy_audit.rules.families.gin.moves import draws_for_the_knock
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import NONE, Finding, Findings

# 003 Gameplay


def draws(table: GinTable, event: Draw) -> Findings:
    """A turn begins with exactly one draw, by the player whose turn it is, from the top."""
    if table.blind or draws_for_the_knock(table, event):
        return NONE
    return [*draws_in_turn(table, event), *draws_from_the_top(table, event)]


def draws_in_turn(table: GinTable, event: Draw) -> Findings:
    """What is out of the ordinary about a draw: too early, too often, or barred."""
    found: list[Finding] = [*deal.closes(table, event)]
    stopped = _stopped(table, event)
    if stopped is not None:
        return [*found, *stopped]
    if event.cards is not None and len(event.cards) > 1:
        found += _several_cards(table, event)
    if table.offer and event.seat in table.left:
        found += offer.draws_by_the_offer(table, event)
    else:
        found += _draw_out_of_order(table, event)
    found += draws_unbarred(table, event)
    found += draws_above_the_floor(table, event)
    return found


def _stopped(table: GinTable, event: Draw | Discard) -> Findings | None:
    """Say what bars the act as such; None where its turn is to be looked at.

    Of somebody who does not sit here the move itself says that it cannot be.
    """
    return after_the_end(table, event) if event.seat in table.seats else NONE


def _several_cards(table: GinTable, event: Draw) -> Findings:
    """One card is drawn, unless a hand that lacks more is put right."""
    cards = event.cards or ()
    lacks = table.law.hand_size - table.rest_size(event.seat) if event.seat in table.hands else 0
    if table.seats.get(event.seat) and may_draw_more(table, event.seat) and len(cards) <= lacks + 1:
        return NONE
    return (table.found("second-draw", event, seat=event.seat, cards=list(cards)),)


def _draw_out_of_order(table: GinTable, event: Draw) -> Findings:
    """Say what is wrong with a draw that may come too often or too early.

    A draw while the other seat still owes its discard says nothing yet: the next
    act shows which of the two slipped.
    """
    seat, turn = event.seat, table.turn
    if seat not in table.left:
        return _out_of_turn(table, event)
    if may_draw_more(table, seat):
        return NONE
    if seat in table.drawn:
        return NONE if makes_good(table, seat) else (table.found("second-draw", event, seat=seat),)
    if turn is None or seat == turn:
        return NONE
    if turn in table.drawn:
        return NONE
    if table.seats[turn].loses_draw is not None or draws_late(table, seat):
        return NONE
    if table.paid:
        # Nothing followed on that discard: it was this turn's, without a draw.
        return (table.found("draw-missing", table.paid, seat=turn, card=table.pile[-1]),)
    return _out_of_turn(table, event)


def _out_of_turn(table: GinTable, event: Draw | Discard | Pass) -> Findings:
    """003 Premature Play: what was drawn out of turn is kept.

    Of a seat that is in no turn at all, having been dealt nothing, it is said once.
    """
    if event.seat not in table.left and not table.say_once(f"out-of-turn {event.seat}"):
        return NONE
    table.slip = (event.seat, event.seq)
    parameter = "premature_draw" if isinstance(event, Draw) else None
    return (table.found("out-of-turn", event, parameter, seat=event.seat, expected=table.turn),)


def draws_unbarred(table: GinTable, event: Draw) -> Findings:
    """003 Looking at Discard: who looked back at a covered discard loses the next draw."""
    state = table.seats.get(event.seat)
    if state is None or state.loses_draw is None or event.seat in table.drawn:
        return NONE
    state.loses_draw.state = "broken"
    return (table.found("draw-while-barred", event, "looking_back", seat=event.seat),)


def draws_from_the_top(table: GinTable, event: Draw) -> Findings:
    """A card comes from the top of the stock or of the discard pile, or from beside it.

    A card below the top is a finding; one that is not in the pile at all cannot move.
    """
    card = event.cards[0] if event.cards else event.card
    if event.from_ == "stock":
        if table.known_order is None:
            return NONE
        pull = Pull("top", card, event.seq, event.seat)
        return contradiction(table, table.known_order, pull, event)
    if event.from_ == "exposed":
        return takes_what_is_open(table, event, card)
    pile = table.pile
    if not pile or card not in pile or card in (pile[-1], UNKNOWN):
        return NONE
    if (draws_late(table, event.seat) or table.paid) and card == pile[-2]:
        return NONE  # it was on top before the discard
    return (table.found("draw-not-top", event, seat=event.seat, recorded=card, expected=pile[-1]),)


def takes_what_is_open(table: GinTable, event: Draw, card: str | None) -> Findings:
    """003 Illegally Seeing a Card: who may take a card that lies open beside the pile.

    The opponent of who saw it, until drawing from the stock; then the offender
    likewise, unless the card was seen in a draw out of turn.
    """
    if not table.exposed:
        return (_not_open(table, event, card),) if card in table.pile else NONE
    seat, offender = event.seat, table.exposer
    if seat != offender:
        free = seat not in table.from_stock
    else:
        others = [other for other in table.playing if other != offender]
        free = (
            not table.exposer_barred
            and seat not in table.from_stock
            and table.from_stock.issuperset(others)
        )
    if free:
        return NONE
    for noticed in table.exposing:
        noticed.state = "broken"
    return (_not_open(table, event, card),)


def _not_open(table: GinTable, event: Draw, card: str | None) -> Finding:
    return table.found("exposed-card-taken", event, "seen_card_offer", seat=event.seat, card=card)


# 003 Irregularities: the last two cards


def draws_above_the_floor(table: GinTable, event: Draw) -> Findings:
    """The last two cards of the stock are not drawn, and with the fiftieth play ends.

    Under ``wall = last-upcard`` the next player may still take the top discard.
    """
    if not table.dead and (
        event.from_ != "stock" or table.stock is None or table.stock > table.law.stock_floor
    ):
        return NONE
    if table.crossed:
        return NONE
    chance = table.law.last_upcard and not table.passed and event.seat == table.turn
    if table.dead and chance and event.from_ == "discard":
        return NONE
    if not table.say_once("stock-floor-crossed"):
        return NONE
    parameter = "wall" if table.dead and event.from_ != "stock" else "stock_floor"
    return (
        table.found("stock-floor-crossed", event, parameter, seat=event.seat, stock=table.stock),
    )


def discards(table: GinTable, event: Discard) -> Findings:
    """A turn ends with exactly one discard, after a draw, and not of the card just taken."""
    if table.blind or throws_late(table, event) or owed_before(table, event):
        return NONE
    return [*discards_in_turn(table, event), *keeps_the_card_taken(table, event)]


def discards_in_turn(table: GinTable, event: Discard) -> Findings:
    """What is out of the ordinary about a discard: no draw before it, or another's turn."""
    found: list[Finding] = [*deal.closes(table, event)]
    stopped = _stopped(table, event)
    if stopped is not None:
        return [*found, *stopped]
    found += _discard_out_of_order(table, event)
    found += knocks_at_the_wall(table, event)
    return found


def _discard_out_of_order(table: GinTable, event: Discard) -> Findings:
    seat = event.seat
    if seat not in table.left:
        return _out_of_turn(table, event)
    if may_discard_more(table, seat):
        return NONE
    if seat in table.drawn:
        if table.owing != -seat:
            return NONE
        # The draw before it only followed late on the discard before that.
        return (table.found("second-discard", event, seat=seat, card=event.card),)
    if table.offer:
        return offer.discards_by_the_offer(table, event)
    if table.turn is None or seat == table.turn:
        if table.seats[seat].loses_draw is not None or pays_late(table, seat):
            return NONE
        return (table.found("draw-missing", event, seat=seat, card=event.card),)
    if seat == table.last_discard:
        if pays_late(table, seat):
            return NONE
        return (table.found("second-discard", event, seat=seat, card=event.card),)
    return _out_of_turn(table, event)


def knocks_at_the_wall(table: GinTable, event: Discard) -> Findings:
    """Who takes the last upcard must knock with it."""
    if not table.dead or event.seat not in table.drawn or not table.law.last_upcard:
        return NONE
    if not table.crossed or not table.say_once("stock-floor-crossed"):
        return NONE
    return (table.found("stock-floor-crossed", event, "wall", seat=event.seat, stock=table.stock),)


def keeps_the_card_taken(table: GinTable, event: Discard) -> Findings:
    """A card taken from the discard pile is not discarded in the same turn."""
    taken = table.drawn.get(event.seat)
    if table.law.retake or taken not in (event.card, UNKNOWN):
        return NONE
    if taken == UNKNOWN:
        hand = table.hands[event.seat]
        if event.card != UNKNOWN and hand.holds(event.card):
            return NONE
        if event.card == UNKNOWN or hand.unknown > 1 or hand.gone:
            table.skip("discard-just-taken", "which card was taken and thrown is not known")
            return NONE
    return (
        table.found(
            "discard-just-taken", event, "discard_just_taken", seat=event.seat, card=event.card
        ),
    )


def passes_in_turn(table: GinTable, event: Pass) -> Findings:
    """A player passes the offered upcard, the last upcard, or a draw that was lost.

    Any other turn has its draw and its discard.
    """
    if table.blind:
        return NONE
    found: list[Finding] = [*deal.closes(table, event)]
    stopped = after_the_end(table, event)
    if stopped is not None:
        return [*found, *stopped]
    seat = event.seat
    if seat not in table.left:
        return [*found, *_out_of_turn(table, event)]
    if table.offer:
        return [*found, *offer.passes_by_the_offer(table, event)]
    if table.turn is None or (table.dead and seat not in table.drawn):
        return found
    if offer.refuses_late(table, seat):
        return found
    if seat != table.turn:
        return [*found, *_out_of_turn(table, event)]
    if seat in table.drawn:
        if not is_done(table, seat):
            found.append(table.found("discard-missing", event, seat=seat))
    elif table.seats[seat].loses_draw is None:
        found.append(table.found("draw-missing", event, seat=seat))
    return found


def keeps_the_stock(table: GinTable, event: Reshuffle) -> Findings:
    """The discard pile never becomes the stock again: the hand ends with the stock."""
    if table.blind:
        return NONE
    return (table.found("reshuffle-early", event, "stock_floor", recorded=table.stock),)
