"""The stock: drawing from it, renewing it from the open pile, and a hand void for want of it."""

from __future__ import annotations

from collections import Counter

from rummy_audit.rhl.records import UNKNOWN, Draw, Event, Reshuffle, Void
from rummy_audit.rules.deck import Order, Pull, contradiction
from rummy_audit.rules.families.indian.pile import comes_to_light, first_drawn
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.families.indian.turn import may_be_on
from rummy_audit.rules.findings import NONE, Findings

# 001 When the closed deck runs out


def draws_from_a_stock(table: IndianTable, event: Draw) -> Findings:
    """A card is drawn from a stock that has one, and in a known order it is the top one."""
    if event.from_ != "stock" or table.blind or not may_be_on(table):
        return NONE
    found: Findings = NONE
    card = first_drawn(event)
    if _is_gone(table, card):
        if table.law.stock_exhausted == "reshuffle":
            found = (table.found("reshuffle-missing", event, "stock_exhausted", seat=event.seat),)
        elif table.say_once("event-after-end", 0):
            found = (table.found("event-after-end", event, "stock_exhausted", seat=event.seat),)
    elif table.known_order is not None:
        found = contradiction(table, table.known_order, _top(event, card), event)
    return found


def _is_gone(table: IndianTable, card: str | None) -> bool:
    """Whether the stock has no card left.

    After a slip, or where the deal was not counted, a card that lies in the pile tells.
    """
    if table.stock is None:
        if _left(table) > len(table.order):
            return False
    elif table.stock > table.slack:
        return False
    elif table.stock == table.grace == 0:
        return True
    lies = card not in (None, UNKNOWN) and card in table.pile[:-1]
    return lies and table.seen.get(card or "", 0) >= table.pack.get(card or "", 0)


def _left(table: IndianTable) -> int:
    """Return how many cards the stock holds if hands that were not counted are whole ones."""
    aside = sum(seat.finish is not None for seat in table.seats.values())
    held = sum(len(hand) for hand in table.hands.values())
    return table.law.cards - held - aside - len(table.pile) - (table.wild_card is not None)


def _top(event: Draw, card: str | None) -> Pull:
    return Pull("top", card, event.seq, event.seat)


def draw(table: IndianTable, event: Draw, card: str | None) -> None:
    """Take a card off the stock; an empty one must have been renewed, unseen."""
    if _is_gone(table, card):
        table.slack -= table.stock or 0
        table.stock = 0
        renew(table)
        table.renewed = max(0, table.stock - 1)
    elif table.stock == 0:
        table.grace -= 1
    if table.stock:
        table.stock -= 1
    if card is not None and table.dark:
        comes_to_light(table, card, event, event.seat)
    elif card is not None:
        table.sight(card, event, seat=event.seat)
    if table.known_order is not None or table.recording:
        pulled(table, _top(event, card))


def pulled(table: IndianTable, pull: Pull) -> None:
    """Follow a known order card by card; once contradicted it is known no more."""
    if table.recording:
        table.pulls.append(pull)
    if table.known_order is not None:
        if table.known_order.expects(pull):
            table.known_order = None
        else:
            table.known_order.pull(pull)


def loses_its_order(table: IndianTable, why: str) -> None:
    """Follow the order of the stock no further."""
    if table.known_order is not None or table.recording:
        table.known_order = None
        table.recording = False
        table.skip("deck-order", why)


def reshuffles_an_empty_stock(table: IndianTable, event: Reshuffle) -> Findings:
    """The open pile but for its top card becomes the stock when that is empty, not before.

    Where the rules do not renew the stock at all, every reshuffle is too early.
    """
    if table.blind:
        return NONE
    if table.law.stock_exhausted != "reshuffle":
        return (table.found("reshuffle-early", event, "stock_exhausted", recorded=table.stock),)
    if _comes_late(table):
        return NONE
    if table.stock is None:
        table.skip("reshuffle-early", "the number of cards in the stock is not known")
    elif table.stock > table.slack:
        return (
            table.found(
                "reshuffle-early", event, "stock_exhausted", recorded=table.stock, expected=0
            ),
        )
    return NONE


def _comes_late(table: IndianTable) -> bool:
    """Whether a reshuffle is the one that was missing at the draw before it."""
    return table.renewed is not None and table.stock == table.renewed


def reshuffles_the_pile(table: IndianTable, event: Reshuffle) -> Findings:
    """The new stock holds the cards of the open pile, all but the top one."""
    if table.blind or event.cards is None or not table.pile or table.stock:
        return NONE
    if table.stock is None:
        table.skip("deck-order", "the number of cards in the stock is not known")
        return NONE
    under = table.pile[:-1]
    if table.muddled:
        table.skip("deck-order", "the open pile may not be what it seems, after the slips before")
        return NONE
    if UNKNOWN in under or UNKNOWN in event.cards:
        table.skip("deck-order", "not every card of the open pile was seen")
        return NONE
    if Counter(under) == Counter(event.cards):
        return NONE
    strange = sorted((Counter(event.cards) - Counter(under)).elements())
    missing = sorted((Counter(under) - Counter(event.cards)).elements())
    data = {name: cards for name, cards in (("strange", strange), ("missing", missing)) if cards}
    return (
        table.found(
            "deck-order",
            event,
            "stock_exhausted",
            recorded=strange,
            expected=missing,
            **data,  # type: ignore[arg-type] # the data of a finding, not its named fields
        ),
    )


def reshuffle(table: IndianTable, event: Reshuffle) -> None:
    """Turn the open pile but for its top card into the stock."""
    if table.blind:
        return
    if _comes_late(table):
        table.renewed = None
        return
    early = bool(table.stock)
    whole = event.cards is not None and Counter(event.cards) == Counter(table.pile[:-1])
    renew(table)
    table.known_order = Order(event.cards) if event.cards and whole and not early else None
    table.mark()


def renew(table: IndianTable) -> None:
    """Move all but the top card of the open pile under the stock."""
    under = table.pile[:-1]
    for place in sorted(at for at in table.covered if at < len(under)):
        forget(table, table.covered.pop(place))
    if table.covered:
        table.covered = dict.fromkeys((0,), table.covered.popitem()[1])
    table.lose_sight(under)
    table.pile = table.pile[-1:]
    if table.stock is not None:
        table.stock += len(under)
    table.renewed = None
    table.grace += table.owed
    table.slack += table.doubted
    table.owed = table.doubted = 0
    table.known_order = None
    table.recording = False


def forget(table: IndianTable, seat: int) -> None:
    """After a card that went face down out of sight nobody knows what is left of a hand."""
    hand = table.hands[seat]
    if hand.gone:
        known = hand.cards()
        table.lose_sight(known)
        hand.unknown += len(known) - hand.gone
        hand.known.clear()
        hand.public.clear()
        hand.gone = 0


# A hand that is void


def is_exhausted(table: IndianTable) -> bool | None:
    """Whether the stock is gone and, by the rules, nothing renews it; None: not known."""
    if table.stock is None:
        return None
    if table.stock > table.slack:
        return False
    if table.law.stock_exhausted == "reshuffle":
        return len(table.pile) <= 1
    return True


def voids_with_reason(table: IndianTable, event: Void) -> Findings:
    """A hand is void when the stock is gone for good, and where the rules end it so."""
    if table.over in ("void", "misdeal"):
        return NONE
    ended = table.scores or not (table.over in ("", "lowest") or is_on_all_the_same(table))
    right = not ended and void_is_due(table, event.cause)
    table.rightly_called = right is True
    if right is False:
        return (table.found("void-unfounded", event, "stock_exhausted", recorded=event.cause),)
    return NONE


def is_on_all_the_same(table: IndianTable) -> bool:
    """Whether a table that refused a right declaration, by word or by playing on, is playing."""
    refused = any(declared.right and declared.ruled is False for declared in table.declared)
    return may_be_on(table) and (refused or table.played_on is not None)


def void_is_due(table: IndianTable, cause: str | None) -> bool | None:
    """Whether the table called a hand void with reason; None where it cannot be told."""
    if table.due and not table.drawn_from:
        return True
    if table.law.stock_exhausted == "lowest-wins":
        return False
    gone = is_exhausted(table)
    if gone:
        return True
    if cause is None and (gone is None or table.detail != "full"):
        table.skip("void-unfounded", "the cause is not recorded")
        return None
    if gone is None and cause == "stock-exhausted":
        table.skip("void-unfounded", "the number of cards in the stock is not known")
        return True
    return False


def void(table: IndianTable, event: Void) -> None:
    """End the hand: nobody scores."""
    table.called = event
    if not table.over and not table.scores:
        table.decide("void", event)


def shows_the_end(table: IndianTable, event: Event) -> None:
    """Where the lowest hand wins, showing hands over an empty stock ends the hand."""
    if table.law.stock_exhausted == "lowest-wins" and not table.over and is_exhausted(table):
        table.decide("lowest", event)
