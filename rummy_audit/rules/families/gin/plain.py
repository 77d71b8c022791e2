"""The plain course of play: a deal, draws and discards of which no rule has anything to say.

Nearly every event is one. They are gone through here in one loop, as long as nothing
at all is out of the ordinary; the first that is not plain is left to the judges.
"""

from __future__ import annotations

from collections.abc import Sequence

from rummy_audit.rhl.records import UNKNOWN, Deal, Discard, Draw, Event, Pass, Upcard
from rummy_audit.rules.families.gin import deal
from rummy_audit.rules.families.gin.table import GinTable


def goes_plainly(table: GinTable, events: Sequence[Event], at: int, until: int) -> int:  # noqa: C901, PLR0915 - one loop: this is where most events go
    """Move the cards of the plain turns from event *at* on; return the place of the next event.

    ``may_draw`` and ``may_discard`` name the seat whose turn it plainly is; at first it is
    the one that takes the upcard when it is offered, or draws when both refused it. That
    seat draws a card nobody had seen, or the top discard; then it discards a card that is
    held, and was not just taken where that is barred.
    """
    number = table.may_draw or table.may_discard
    opening = not number
    if opening:
        if at or not _is_plainly_dealt(table, events, until):
            return at
        at = _passes_plainly(table, events, until)
        number = _may_draw_first(table, events[at]) if at < until else 0
        if not number:
            return at
    drawn = table.may_discard != 0
    hands, pack, seen, pile, left = table.hands, table.pack, table.seen, table.pile, table.left
    plain_stock, stock = opening or table.plain_stock, table.stock or 0
    taken_by = table.drawn
    floor, retake = table.law.stock_floor, table.law.retake
    begun, first, turns, last = at, number, 0, table.last_discard
    dead = False
    for at in range(begun, until):
        event = events[at]
        hand = hands[number]
        known = hand.known
        if drawn:
            if type(event) is not Discard or event.seat != number or event.extra:
                break
            card = event.card
            if hand.gone or (not retake and taken_by[number] == card):
                break
            if card in known:
                del known[card]
                hand.public.pop(card, None)
            elif hand.unknown and card in pack and card not in seen:
                hand.unknown -= 1
                seen[card] = 1
            else:
                break
            pile.append(card)
            del taken_by[number]
            last = number
            number = left[number]
            turns += 1
            drawn = False
            if stock <= floor:
                dead = True
                break
        else:
            if type(event) is not Draw or event.seat != number or event.extra:
                break
            if event.cards is not None:
                break
            face = event.card
            taken = None
            if event.from_ == "stock":
                if not plain_stock or stock <= floor:
                    break
                if face is None:
                    hand.unknown += 1
                elif face in pack and face not in seen:
                    seen[face] = known[face] = 1
                else:
                    break
                stock -= 1
            elif event.from_ == "discard" and pile and pile[-1] == face != UNKNOWN:
                taken = pile.pop()
                known[taken] = hand.public[taken] = 1
            else:
                break
            taken_by[number] = taken
            last = None
            drawn = True
    else:
        at = until
    at += dead  # the discard before the wall is moved as well
    if at > begun:
        if table.stock is not None:
            table.stock = stock
        table.turn, table.last_discard, table.owing = number, last, 0
        table.turn_no += turns
        table.may_draw, table.may_discard = (0, number) if drawn else (number, 0)
        if opening:
            table.offer, table.first_draw = "", events[begun].seq
            table.undrawn = set() if turns + drawn > 1 else {left[first]}
            table.look_away()
        if dead:
            table.dead = True
            table.look_closer()
    return at


def _is_plainly_dealt(table: GinTable, events: Sequence[Event], until: int) -> bool:
    """Move the cards of a deal that is as it should be, first of all events; say whether it was.

    Both seats have their number of cards, all of them known and different, and one card is
    turned.
    """
    size = table.law.hand_size
    if until < 3 or table.blind or len(table.order) != 2:  # noqa: PLR2004 - two deals, an upcard
        return False
    one, other, turned = events[:3]
    if type(one) is not Deal or type(other) is not Deal or type(turned) is not Upcard:
        return False
    if one.extra or other.extra or turned.extra or one.cards is None or other.cards is None:
        return False
    seen = dict.fromkeys((*one.cards, *other.cards, turned.card), 1)
    sizes = len(one.cards), len(other.cards)
    if sizes != (size, size) or len(seen) != 2 * size + 1 or not table.pack.keys() >= seen.keys():
        return False
    if sorted((one.seat, other.seat)) != table.order:
        return False
    for event, cards in ((one, one.cards), (other, other.cards)):
        table.hands[event.seat].known = dict.fromkeys(cards, 1)
        table.seats[event.seat].dealt = size
        table.seats[event.seat].dealt_at = event.seq
    table.deals += (one, other)
    table.seen = seen
    table.stock = 52 - len(seen)
    deal.closes(table)
    table.pile.append(turned.card)
    table.upcard = turned.card
    if table.law.upcard_offer:
        table.offer = "offer"
    return True


def _passes_plainly(table: GinTable, events: Sequence[Event], until: int) -> int:
    """Let those who are offered the upcard refuse it; return the place of the next event."""
    at = 3
    while at < until and table.offer == "offer" and table.turn is not None:
        event = events[at]
        if type(event) is not Pass or event.seat != table.turn or event.extra:
            break
        table.refused.add(event.seat)
        table.pass_on(event.seat)
        if table.refused.issuperset(table.playing):
            table.offer = "first"
        at += 1
    return at


def _may_draw_first(table: GinTable, event: Event) -> int:
    """Return the seat whose turn it is to draw what this event draws first of all, else 0."""
    if type(event) is not Draw or table.turn is None:
        return 0
    wanted = {"offer": "discard", "first": "stock"}.get(table.offer, event.from_)
    return table.turn if event.from_ == wanted else 0
