"""Where cards lie and go: off the stock, onto the discard pile and off it, and into the light.

A card that was thrown face down and taken unseen is followed as far as anybody can: it
may be one that was seen in the hand of whoever threw it.
"""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Draw, Event
from rummy_audit.rules.deck import Pull
from rummy_audit.rules.families.gin.deadwood import cards_of
from rummy_audit.rules.families.gin.spread import Spread
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import Impossible


def from_stock(table: GinTable, event: Draw, card: str | None) -> None:
    """Take the top card off the stock."""
    if table.stock is not None:
        if table.stock == 0:
            raise Impossible(
                table.found("draw-not-top", event, seat=event.seat, recorded=card, what="stock")
            )
        table.stock -= 1
    if card is not None:
        table.sight(card, event, seat=event.seat)
    if table.known_order is not None or table.pulls is not None:
        pulled(table, Pull("top", card, event.seq, event.seat))
    if table.exposed:
        table.from_stock.add(event.seat)
        if table.from_stock.issuperset(table.playing):
            table.close_exposed()


def pulled(table: GinTable, pull: Pull) -> None:
    """Follow a known order card by card; once contradicted it is known no more."""
    if table.pulls is not None:
        table.pulls.append(pull)
    if table.known_order is not None:
        if table.known_order.expects(pull):
            table.known_order = None
        else:
            table.known_order.pull(pull)


def from_pile(table: GinTable, event: Draw, card: str | None) -> str:
    """Take a card out of the discard pile, the top one where the log names none."""
    pile = table.pile
    if pile and card == pile[-1] != UNKNOWN:
        return pile.pop()
    if not pile:
        raise Impossible(table.found("draw-not-top", event, seat=event.seat, recorded=card))
    place = len(pile) - 1
    if pile[place] == UNKNOWN and card not in (None, UNKNOWN, *pile):
        if not _may_be(table, place, card):
            raise Impossible(table.found("draw-not-top", event, seat=event.seat, recorded=card))
        _turn_up(table, event, place, card)
    elif card not in (None, UNKNOWN):
        if card not in pile:
            raise Impossible(
                table.found(
                    "draw-not-top", event, seat=event.seat, recorded=card, expected=pile[-1]
                )
            )
        place = pile.index(card)
        table.covered = {at - (at > place): who for at, who in table.covered.items()}
    table.covered.pop(place, None)
    taken = pile.pop(place)
    table.dark += taken == UNKNOWN
    return taken


def _may_be(table: GinTable, place: int, card: str | None) -> bool:
    """Whether a card may be the one thrown unseen: it lies in no other place that is known."""
    thrower = table.hands.get(table.covered.get(place, 0))
    if not table.seen.get(str(card)) or table.may_lie_elsewhere(str(card)):
        return True
    return thrower is not None and bool(thrower.gone) and bool(thrower.holds(str(card)))


def _turn_up(table: GinTable, event: Event, place: int, card: str | None) -> None:
    """A card that was thrown face down and unseen comes to light."""
    thrower = table.covered.get(place)
    hand = None if thrower is None else table.hands[thrower]
    table.pile[place] = str(card)
    if hand is None or not hand.gone:
        surface(table, event, thrower, str(card))
        return
    hand.gone -= 1
    if hand.holds(str(card)):
        hand.give(str(card))
    else:
        hand.unknown -= 1
        surface(table, event, thrower, str(card))


def surface(table: GinTable, event: Event, seat: int | None, card: str) -> None:
    """An unseen card of a hand comes to light; one that was taken unseen has left another hand."""
    if table.dark and table.seen.get(card):
        for hand in table.hands.values():
            if hand.gone and hand.holds(card):
                hand.give(card)
                hand.gone -= 1
                table.dark -= 1
                return
    table.sight(card, event, seat=seat)


def from_beside(table: GinTable, event: Draw, card: str | None) -> str | None:
    """Take a card that lies open beside the pile."""
    for place, lies in enumerate(table.exposed):
        if card in (None, lies) or lies is None:
            table.exposed.pop(place)
            if lies is None and card is not None:
                table.sight(card, event, seat=event.seat)
            if not table.exposed:
                table.close_exposed()
            return card or lies
    if card is not None and card in table.pile:
        # It had gone to the pile already, by right.
        return from_pile(table, event, card)
    raise Impossible(
        table.found("draw-not-top", event, seat=event.seat, recorded=card, what="exposed")
    )


def throw(table: GinTable, event: Event, seat: int, card: str) -> None:
    """Take a card out of a hand and put it on the pile, where it can have been there."""
    hand = table.hands.get(seat)
    if hand is None:
        raise stranger(table, event, seat)
    known = hand.give(card)
    if known is None:
        code = "card-not-held" if card in table.pack or card == UNKNOWN else "card-not-in-deck"
        raise Impossible(table.found(code, event, seat=seat, card=card))
    if card == UNKNOWN:
        table.covered[len(table.pile)] = seat
    elif not known:
        surface(table, event, seat, card)
    table.pile.append(card)


def uncover(table: GinTable, event: Event, seat: int, spread: Spread) -> None:
    """Everybody sees a hand that is laid open."""
    hand = table.hands[seat]
    if hand.unknown or hand.gone:
        cards = cards_of(spread.cards)
        for card in cards:
            if not hand.holds(card):
                surface(table, event, seat, card)
                hand.unknown -= 1
                hand.take(card)
        if not spread.unknown:
            if table.dark:
                # What is not here left unseen: it lies with whoever took it so, or on the pile.
                table.lose_sight(card for card in hand.known if card not in cards)
            hand.known = dict.fromkeys(cards, 1)
            hand.unknown = hand.gone = 0
        hand.unknown = max(hand.unknown, 0)
    hand.public = dict(hand.known)


def stranger(table: GinTable, event: Event, seat: int) -> Impossible:
    """Say that somebody who does not sit at this table moved cards."""
    return Impossible(table.found("out-of-turn", event, seat=seat, expected=list(table.order)))
