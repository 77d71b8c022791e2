"""The open pile: which card may be taken from it, and which may not go back at once."""

from __future__ import annotations

from rummy_audit.rhl.records import JOKER, UNKNOWN, Declare, Discard, Draw, Event
from rummy_audit.rules.cards import is_wild
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import NONE, Findings, Impossible

# 001 Draw and discard edge cases


def first_drawn(event: Draw) -> str | None:
    """Return the card that a draw names, the first where a log lists its cards."""
    return event.cards[0] if event.cards else event.card


def takes_the_top_card(table: IndianTable, event: Draw) -> Findings:
    """Only the top card of the open pile may be taken."""
    if event.from_ == "stock" or table.blind or not table.pile:
        return NONE
    top, card = table.pile[-1], first_drawn(event)
    if card is None or card == top != UNKNOWN:
        return NONE
    if UNKNOWN in (top, card) and not _lies_beneath(table, card):
        table.skip("draw-not-top", "a card of the open pile, or one taken from it, was not seen")
        return NONE
    if event.seat == table.late and card in table.pile[-2:-1]:
        return NONE  # before the discard that stands before its draw, it was the top card
    if card not in table.pile:
        return NONE  # the cards cannot have moved so: the replay stops there
    return (table.found("draw-not-top", event, seat=event.seat, recorded=card, expected=top),)


def _lies_beneath(table: IndianTable, card: str) -> bool:
    """Whether a card lies in the pile that cannot be the one thrown on top of it unseen."""
    place = len(table.pile) - 1
    hand = table.hands.get(table.covered.get(place, 0))
    thrown_by_another = hand is not None and hand.gone > 0 and not hand.may_hold(card)
    return card != UNKNOWN and thrown_by_another and card in table.pile[:-1]


def leaves_jokers_lying(table: IndianTable, event: Draw) -> Findings:
    """A joker that was discarded stays in the open pile.

    The first open card is another matter: one of the wild rank may be taken, a
    printed joker that was kept only where the table allows it.
    """
    if event.from_ == "stock" or table.law.joker_from_discard or table.blind:
        return NONE
    card = first_drawn(event) or (table.pile[-1] if table.pile else None)
    if card is None or not table.pile:
        return NONE
    first = table.untouched and len(table.pile) == 1
    takeable = first and table.rules.flag("upcard_joker_takeable")
    if card == UNKNOWN and not takeable:
        table.skip("joker-from-discard", "a card taken from the open pile was not seen")
    if not is_wild(card, table.wild) or (first and (takeable or card != JOKER)):
        return NONE
    parameter = "upcard_joker_takeable" if first else "joker_from_discard"
    return (table.found("joker-from-discard", event, parameter, seat=event.seat, card=card),)


def discards_another_card(table: IndianTable, event: Discard | Declare) -> Findings:
    """Where the rules say so, the card just taken from the open pile is not discarded at once.

    It is no breach if the player held another copy of it.
    """
    if table.law.discard_just_taken or table.blind:
        return NONE
    seat, card = (
        table.seats.get(event.seat),
        event.discard if isinstance(event, Declare) else event.card,
    )
    if seat is None or seat.taken is None or card is None:
        return NONE
    hand = table.hands[event.seat]
    if UNKNOWN in (seat.taken, card):
        if not hand.holds(card):
            table.skip("discard-just-taken", "the card taken or the one discarded was not seen")
        return NONE
    if seat.taken != card or hand.holds(card) > 1:
        return NONE
    elsewhere = table.pack.get(card, 0) - table.seen.get(card, 0)
    if hand.unknown and elsewhere:
        table.skip("discard-just-taken", "another copy may have been among the unseen cards")
        return NONE
    return (
        table.found("discard-just-taken", event, "discard_just_taken", seat=event.seat, card=card),
    )


def from_pile(table: IndianTable, event: Draw, card: str | None) -> str:
    """Take a card out of the open pile, the top one where the log names none."""
    pile = table.pile
    if not pile or event.from_ == "exposed":
        raise Impossible(table.found("draw-not-top", event, seat=event.seat, recorded=card))
    top = pile[-1]
    if card is None or card == top:
        place = len(pile) - 1
    elif top == UNKNOWN and not _lies_beneath(table, card):
        place = len(pile) - 1
        uncover(table, event, card)
        pile[place] = card
    elif card == UNKNOWN:
        place = len(pile) - 1
    elif card in pile:
        place = len(pile) - 1 - pile[::-1].index(card)
        table.covered = {at - (at > place): seat for at, seat in table.covered.items()}
    else:
        raise Impossible(
            table.found("draw-not-top", event, seat=event.seat, recorded=card, expected=top)
        )
    table.covered.pop(place, None)
    table.untouched = False
    taken = pile.pop(place)
    table.dark += taken == UNKNOWN
    return taken


def uncover(table: IndianTable, event: Event, card: str) -> None:
    """A card that was discarded face down comes to light, unless it is one that lay beneath."""
    if card in table.pile[:-1] and _are_all_seen(table, card):
        table.skip("draw-not-top", "a card of the open pile, or one taken from it, was not seen")
        return
    thrower = table.covered.get(len(table.pile) - 1)
    hand = table.hands.get(thrower) if thrower is not None else None
    if hand is None or not hand.gone:
        comes_to_light(table, card, event, thrower)
        return
    hand.gone -= 1
    if hand.holds(card):
        hand.give(card)
    else:
        hand.unknown -= 1
        comes_to_light(table, card, event, thrower)


def comes_to_light(table: IndianTable, card: str, event: Event, seat: int | None) -> None:
    """An unseen card is seen; where one was taken unseen it may be a copy seen before."""
    if not (table.dark and _are_all_seen(table, card)):
        table.sight(card, event, seat=seat)


def _are_all_seen(table: IndianTable, card: str) -> bool:
    return 0 < table.pack.get(card, 0) <= table.seen.get(card, 0)
