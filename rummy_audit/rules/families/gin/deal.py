"""The deal: ten cards each, the next turned as upcard, by the player whose deal it is."""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Deal, Deck, Draw, Event, Pass, Shuffle, Upcard
from rummy_audit.rules.deck import (
    Order,
    Pull,
    contradiction,
    first_contradiction,
    is_whole,
    round_of_deals,
)
from rummy_audit.rules.families.gin.pile import pulled
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import NONE, Finding, Findings

# 003 Dealing


def closes(table: GinTable, event: Event | None = None) -> Findings:
    """Each player gets ten cards, one at a time, the non-dealer first.

    Asked once, by whatever comes after the deal. Seats that were dealt nothing sit
    the hand out; where a deal is not in the log, that seat holds unseen cards.
    """
    if not table.dealing:
        return NONE
    table.dealing = False
    table.settle_seats()
    found: list[Finding] = []
    size = table.law.hand_size
    if table.blind or not table.deals:
        for seat, hand in table.hands.items():
            hand.unknown = table.seats[seat].dealt or size
        if table.stock is not None:
            table.stock -= size * len(table.hands)
        table.skip("deal-count", "no deal is in this log")
    else:
        for seat in table.playing:
            if table.seats[seat].dealt is None:
                table.hands[seat].unknown = size
                table.stock = table.stock and table.stock - size
                table.skip("deal-count", f"the deal of seat {seat} is not in this log")
    for seat in table.playing:
        state = table.seats[seat]
        if not table.blind and state.dealt is not None and state.dealt != size:
            table.deal_faults.append(state.dealt_at)
            if table.rules.flag("misdeal_wrong_count"):
                table.due.setdefault("deal-count", set()).add(seat)
            found.append(
                table.found(
                    "deal-count",
                    state.dealt_at,
                    "misdeal_wrong_count",
                    seat=seat,
                    recorded=state.dealt,
                    expected=size,
                )
            )
    if table.starter is None:
        check = "upcard-order" if table.law.upcard_offer else "out-of-turn"
        table.skip(check, "who dealt is not in this log, so who begins is not known")
    found += _follows_the_deck(table)
    if isinstance(event, Draw | Pass) and table.deals and not table.blind:
        _lies_unseen(table, event)
    return found


def _lies_unseen(table: GinTable, event: Draw | Pass) -> None:
    """Play begins without an upcard: one was turned all the same, which nobody wrote down."""
    table.no_upcard = event.seq
    pulled(table, Pull("top", None, event.seq))
    table.pile.append(UNKNOWN)
    if table.stock:
        table.stock -= 1
    if table.law.upcard_offer and not (isinstance(event, Draw) and event.from_ == "stock"):
        table.offer = "offer"


def was_turned_up(table: GinTable) -> Findings:
    """003 Dealing: the card after the deal is turned; a log of the play has it."""
    if not table.no_upcard or table.upcard is not None:
        return NONE
    return (table.found("upcard-order", table.no_upcard, "upcard_offer"),)


def _follows_the_deck(table: GinTable) -> Findings:
    """Cards dealt from a pack of known order are those that lie there."""
    if table.known_order is None and table.pulls is None:
        return NONE
    pulls = _pulls(table)
    if not pulls:
        table.known_order = table.pulls = None
        table.skip("deck-order", "the deal cannot be laid over the deck")
        return NONE
    if table.deck is not None and (first := first_contradiction(table.deck, pulls)):
        pull, expected = first
        table.known_order = None
        return (
            table.found(
                "deck-order", pull.seq, seat=pull.seat, recorded=pull.card, expected=expected
            ),
        )
    for pull in pulls:
        pulled(table, pull)
    return NONE


def _pulls(table: GinTable) -> tuple[Pull, ...]:
    """Lay the deals out from the dealer's left; nothing where that cannot be done."""
    dealer = table.record.dealer
    seats = [deal.seat for deal in table.deals]
    if dealer is None or len(set(seats)) < len(seats) or len(seats) < len(table.playing):
        return ()
    order = sorted(table.deals, key=lambda deal: (deal.seat <= dealer, deal.seat))
    return round_of_deals(
        [(deal.seat, deal.seq, deal.cards) for deal in order if deal.cards is not None]
        if all(deal.cards is not None for deal in order)
        else []
    )


def deck(table: GinTable, event: Deck) -> None:
    """Lay down the pack in its stated order."""
    if is_whole(event.cards, table.pack) and not table.deals:
        table.deck = event.cards
        table.known_order = Order(event.cards)


def shuffle(table: GinTable, event: Shuffle) -> None:
    """Note the shuffle that a seed will be held against."""
    table.shuffle = event
    if not table.deals:
        table.pulls = []


def deal(table: GinTable, event: Deal) -> None:
    """Give the seat its cards; after a misdeal everything begins anew."""
    if table.over == "misdeal":
        table.redeal()
        table.anew += (event.seq,)
    table.deals.append(event)
    state = table.seats.get(event.seat)
    if state is None:
        return
    size = table.law.hand_size
    count = len(event.cards) if event.cards is not None else event.count
    if count is None:
        table.skip("deal-count", "how many cards were dealt is not in this log")
        count = size
    hand = table.hands[event.seat]
    if state.dealt is None and hand.unknown >= size and not table.blind:
        hand.unknown -= size  # it was dealt them all the same, and the log says so late
        table.stock = table.stock and table.stock + size
    state.dealt = (state.dealt or 0) + count
    state.dealt_at = event.seq
    if table.blind:
        return
    if event.cards is None:
        hand.unknown += count
    else:
        dealt = dict.fromkeys(event.cards, 1)
        new = dealt.keys() <= table.pack.keys() and dealt.keys().isdisjoint(table.seen)
        if new and len(dealt) == len(event.cards):
            table.seen.update(dealt)
            hand.known.update(dealt)
        else:
            for card in event.cards:
                table.sight(card, event, seat=event.seat)  # says what is wrong with it
                hand.take(card)
    if table.stock is not None:
        table.stock -= count


# 003 Dealing, Gameplay: the upcard


def turns_one_upcard(table: GinTable, event: Upcard) -> Findings:
    """One card is turned after the deal, before anybody draws."""
    found = [*closes(table, event)]
    if table.blind:
        return found
    if table.no_upcard and table.upcard is None:
        found.append(table.found("upcard-order", event, "upcard_offer", card=event.card))
    elif table.upcard is not None or table.first_draw or table.refused:
        found.append(table.found("upcard-order", event, "upcard_offer", recorded=event.card))
    elif table.known_order is not None:
        found += contradiction(table, table.known_order, Pull("top", event.card, event.seq), event)
    return found


def upcard(table: GinTable, event: Upcard) -> None:
    """Turn the upcard: the deal stands, and the card is offered to the non-dealer."""
    again = table.upcard is not None or bool(table.first_draw)
    if table.blind:
        table.begins_anew()
        # Who has it since is not in the log: it is remembered, and lies nowhere.
        table.upcard = table.upcard or event.card
        return
    if table.no_upcard and table.upcard is None:
        # It only comes late: the unseen card that lay there since the deal is this one.
        table.upcard = event.card
        if table.pile[:1] == [UNKNOWN]:
            table.sight(event.card, event)
            table.pile[0] = event.card
        elif not table.seen.get(event.card):
            table.sight(event.card, event)
        return
    table.sight(event.card, event)
    pulled(table, Pull("top", event.card, event.seq))
    if table.stock:
        table.stock -= 1
    table.pile.append(event.card)
    if again:
        return
    table.upcard = event.card
    if table.law.upcard_offer:
        table.offer = "offer"
