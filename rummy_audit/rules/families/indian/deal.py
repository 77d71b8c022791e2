"""The deal: how many cards each seat gets, the first open card, the wild joker."""

from __future__ import annotations

from rummy_audit.rhl.records import (
    JOKER,
    UNKNOWN,
    Cards,
    Deal,
    Deck,
    Event,
    Reveal,
    Shuffle,
    Upcard,
    Void,
    Wild,
)
from rummy_audit.rules.deck import (
    Order,
    Pull,
    contradiction,
    first_contradiction,
    is_whole,
    round_of_deals,
)
from rummy_audit.rules.families.indian.law import wild_rank
from rummy_audit.rules.families.indian.stock import pulled
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import NONE, Finding, Findings

# 001 Dealing Rules


def closes_the_deal(table: IndianTable, event: Event | None = None) -> Findings:
    """Each player gets the same number of cards, one at a time from the dealer's left.

    Asked once, by whatever comes after the deal; without an *event*, or by a void, the
    deal may have been broken off. Seats that were dealt nothing sit
    the hand out; where the log is not of the play, a deal that it leaves out says nothing.
    """
    if not table.dealing or (isinstance(event, Upcard | Wild) and not table.deals):
        return NONE
    table.dealing = False
    found: list[Finding] = []
    last = {deal.seat: deal for deal in table.deals}
    sits_out = False
    uncounted = {each.seat for each in table.deals if each.cards is None and each.count is None}
    for number, seat in table.seats.items():
        if table.deals and not seat.dealt and number not in uncounted:
            if number in last or not table.blind:
                seat.state = "out"
                sits_out = True
        elif (
            number in last
            and seat.dealt not in (None, table.law.hand_size)
            and last[number].seq not in table.due
        ):
            found.append(_wrong_count(table, last[number].seq, number, seat.dealt))
            table.slack += max(0, table.law.hand_size - seat.dealt)
            table.grace += max(0, seat.dealt - table.law.hand_size)
    if sits_out:
        table.settle_seats()
    found += _follows_the_deck(table, whole=not (event is None or isinstance(event, Void)))
    table.turn = first_to_play(table)
    if not table.deals:
        table.stock = None
        for hand in () if table.blind else table.hands.values():
            hand.unknown += table.law.hand_size  # nobody wrote down what they were dealt
        table.skip("deal-count", "no deal is in this log")
    if uncounted:
        table.stock = None
        table.skip("deal-count", "how many cards were dealt is not in this log")
    return found


def _wrong_count(table: IndianTable, seq: int, seat: int, dealt: int) -> Finding:
    table.due.setdefault(seq, "deal-count")
    return table.found(
        "deal-count",
        seq,
        "misdeal_wrong_count" if table.rules.flag("misdeal_wrong_count") else "hand_size",
        seat=seat,
        recorded=dealt,
        expected=table.law.hand_size,
    )


def deals_before_the_play(table: IndianTable, event: Deal) -> Findings:
    """Nobody is dealt cards once the play has begun, but for a hand that is dealt again."""
    seat = table.seats.get(event.seat)
    count = len(event.cards) if event.cards is not None else event.count
    ended = table.over or table.scores or table.called is not None
    if table.blind or not table.begun or ended or seat is None or not seat.dealt or not count:
        return NONE
    recorded, expected = seat.dealt + count, table.law.hand_size
    return (
        table.found(
            "deal-count", event, "hand_size", seat=event.seat, recorded=recorded, expected=expected
        ),
    )


def first_to_play(table: IndianTable) -> int | None:
    """001 Turn Structure Rules: the player to the dealer's left begins."""
    dealer = table.record.dealer
    if dealer is None:
        table.skip("out-of-turn", "who dealt is not in this log, so who begins is not known")
        return None
    return table.left_of(dealer, table.live)


def _in_dealing_order(table: IndianTable, *, whole: bool) -> list[Deal]:
    """Return the deals from the dealer's left; nothing where they cannot be laid out so.

    Who sits out gets no card in the round; of a deal that was broken off the log may
    not have the others' cards yet.
    """
    dealer = table.record.dealer
    seats = [deal.seat for deal in table.deals]
    if dealer is None or len(set(seats)) < len(seats) or any(d.cards is None for d in table.deals):
        return []
    if not whole and set(seats) < set(table.order):
        return []
    return sorted(table.deals, key=lambda deal: (deal.seat <= dealer, deal.seat))


def _follows_the_deck(table: IndianTable, *, whole: bool) -> Findings:
    """Cards dealt from a pack of known order are those that lie there."""
    if table.known_order is None and not table.recording:
        return NONE
    deals = [
        (deal.seat, deal.seq, deal.cards or ()) for deal in _in_dealing_order(table, whole=whole)
    ]
    pulls = round_of_deals(deals) if deals else ()
    if not pulls:
        table.known_order = None
        table.recording = False
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


def deck(table: IndianTable, event: Deck) -> None:
    """Lay down the pack in its stated order."""
    if table.called is not None:
        table.ahead += (event,)
    elif table.deals:
        table.skip("deck-order", "the pack was written down behind the deal")
    elif is_whole(event.cards, table.pack):
        table.deck = event.cards
        table.known_order = Order(event.cards)


def shuffle(table: IndianTable, event: Shuffle) -> None:
    """Note the shuffle that a seed will be held against."""
    if table.called is not None:
        table.ahead += (event,)
        return
    table.shuffle = event
    table.recording = not table.deals
    if table.deals:
        table.skip("shuffle-mismatch", "the shuffle was written down behind the deal")


def reveal(table: IndianTable, event: Reveal) -> None:
    """Note that the seed was told."""
    table.revealed = event


def begin_anew(table: IndianTable, event: Event) -> None:
    """Begin again after a misdeal, with what was told of the next pack meanwhile."""
    ahead = table.ahead
    table.redeal()
    table.anew += (event.seq,)
    for each in ahead:
        deck(table, each) if isinstance(each, Deck) else shuffle(table, each)


def follows_a_misdeal(table: IndianTable) -> bool:
    """Whether what comes now is of the next deal, which a log without the play need not hold."""
    return table.blind and table.over == "misdeal" and table.called is not None


def deal(table: IndianTable, event: Deal) -> None:
    """Give the seat its cards."""
    if table.called is not None:
        begin_anew(table, event)
    if not table.dealing and not table.begun:
        _goes_on(table)
    table.deals.append(event)
    seat = table.seats.get(event.seat)
    count = len(event.cards) if event.cards is not None else event.count
    if table.stock is not None and count is not None:
        table.stock -= count
    if seat is None:
        for card in () if table.blind else event.cards or ():
            table.sight(card, event, seat=event.seat)
        return
    seat.dealt = None if count is None else (seat.dealt or 0) + count
    if table.blind:
        return
    seat.slipped = table.begun
    hand = table.hands[event.seat]
    if event.cards is None:
        hand.unknown += table.law.hand_size if count is None else count
    elif event.cards:
        _take_up(table, event, event.cards)


def _goes_on(table: IndianTable) -> None:
    """Open the deal again: the log names cards that were dealt behind those that were turned."""
    table.dealing = True
    for seat in table.seats.values():
        if seat.state == "out":
            seat.state = "in"
    table.settle_seats()
    if table.known_order is not None or table.deck is not None:
        table.known_order = None
        table.skip("deck-order", "the deal cannot be laid over the deck")
        for each in table.deals:
            table.take_back("deck-order", each.seq)
    table.recording = False


def _take_up(table: IndianTable, event: Deal, cards: Cards) -> None:
    """Put dealt cards into a hand, all at once while they may be there by any count."""
    hand, seen, most = table.hands[event.seat], table.seen, table.law.fewest_copies
    if not hand.known and table.pack.keys() >= set(cards):
        dealt: dict[str, int] = {}
        after = seen.copy()
        for card in cards:
            dealt[card] = dealt.get(card, 0) + 1
            after[card] = count = after.get(card, 0) + 1
            if count > most:
                break
        else:
            table.seen, hand.known = after, dealt
            return
    for card in cards:
        table.sight(card, event, seat=event.seat)
        hand.take(card)


# The first open card


def turns_one_upcard(table: IndianTable, event: Upcard) -> Findings:
    """One card is turned for the open pile before play; another only after a printed joker."""
    if table.blind:
        return NONE
    second = table.upcard is not None and table.upcard.card not in (JOKER, UNKNOWN)
    if table.drawn_from or second:
        return (table.found("upcard-order", event, "upcard_joker", recorded=event.card),)
    if table.known_order is None:
        return NONE
    return contradiction(table, table.known_order, Pull("top", event.card, event.seq), event)


def upcard(table: IndianTable, event: Upcard) -> None:
    """Turn a card for the open pile; a printed joker turned before it goes to the bottom.

    A first card that was not seen must have been one, if another is turned.
    """
    if follows_a_misdeal(table):
        begin_anew(table, event)
    first = table.upcard
    table.upcard = event
    if table.blind:
        return
    table.sight(event.card, event)
    if table.known_order is not None or table.recording:
        pulled(table, Pull("top", event.card, event.seq))
    if first is not None and first.card in (JOKER, UNKNOWN) and table.untouched:
        table.lose_sight((table.pile.pop(),))
        pulled(table, Pull("under", JOKER, event.seq))
    else:
        table.stock = table.stock and table.stock - 1
        if first is not None or table.drawn_from:
            # Nobody knows where another open card came from, nor whether it is there.
            table.grace += 1
            table.doubted += 1
    table.pile.append(event.card)
    table.untouched = not table.drawn_from


def buries_a_printed_joker(table: IndianTable) -> Findings:
    """A printed joker turned as first open card is buried and another card turned."""
    lying = table.upcard
    if lying is not None and lying.card == UNKNOWN:
        table.skip("joker-upcard-not-buried", "the first open card was not seen")
    if (
        lying is None
        or lying.card != JOKER
        or not table.untouched
        or table.rules.choice("upcard_joker") == "keep"
    ):
        return NONE
    return (table.found("joker-upcard-not-buried", lying, "upcard_joker", card=JOKER),)


# The wild joker


def turns_the_bottom_card(table: IndianTable, event: Wild) -> Findings:
    """In a pack of known order the wild joker is the bottom card."""
    if table.blind or table.known_order is None or _is_said_twice(table, event):
        return NONE
    pull = Pull("bottom", event.card, event.seq)
    return contradiction(table, table.known_order, pull, event)


def _is_said_twice(table: IndianTable, event: Wild) -> bool:
    return event.card == table.wild_card and not _is_drawn_again(table)


def _is_drawn_again(table: IndianTable) -> bool:
    return table.wild_card == JOKER and table.rules.choice("wild_if_printed") == "redraw"


def wild(table: IndianTable, event: Wild) -> None:
    """Lay out the wild joker: it is out of play for the whole hand.

    Which of two that make different ranks wild is the right one nobody knows.
    """
    if follows_a_misdeal(table):
        begin_anew(table, event)
    if _is_said_twice(table, event):
        return
    again = _is_drawn_again(table)
    rank = None if event.card == UNKNOWN else wild_rank(table.rules, event.card)
    unclear = not again and table.wild_card not in (None, UNKNOWN) and rank != table.wild
    table.wild_card = UNKNOWN if unclear else event.card
    table.wild = None if unclear else rank
    if table.blind:
        if event.card in table.pack and not again:
            table.sight(event.card, event)
        return
    if again:
        # Where a printed joker goes that another card is turned for is not stated.
        table.slack += 1
        table.lose_sight((JOKER,))
    table.sight(event.card, event)
    if again:
        table.known_order = None
        table.recording = False
    else:
        pulled(table, Pull("bottom", event.card, event.seq))
        if table.stock:
            table.stock -= 1


def turns_a_wild_joker(table: IndianTable, event: Event) -> Findings:
    """A wild joker is turned before the first draw."""
    if table.wild_card is not None and not _is_drawn_again(table):
        return NONE
    return (table.found("deal-wild-missing", event, "wild_if_printed"),)
