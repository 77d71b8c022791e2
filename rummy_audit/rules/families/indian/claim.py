"""What a player can hold: cards named in a declaration or show, against all that was seen."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import msgspec

from rummy_audit.rhl.records import UNKNOWN, Declare, Show
from rummy_audit.rules.cards import counted
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import NONE, Finding, Findings


class Named(msgspec.Struct):
    """The cards a player named, and which of them there can be.

    ``copies`` is the most of each face that this player can have, None where all is
    as named; a face the player cannot have at all is in ``found`` and is judged as
    named. ``sighted``
    are those that come to light with the claim, ``unseen`` cards known to be in
    the hand and not named. ``whole``: the cards are those of a known hand, each
    named once, and something was named.
    """

    cards: tuple[str, ...]
    found: tuple[Finding, ...] = ()
    copies: dict[str, int] | None = None
    sighted: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    doubt: str = ""
    whole: bool = False


def _are_all_there(named: Named, known: dict[str, int], finish: str | None) -> bool:
    """Whether all of a claim is in a hand of which every card is known; note what is not named."""
    counts = counted(named.cards)
    if finish in known:
        counts[finish] = counts.get(finish, 0) + 1
    if counts == known:
        named.whole = finish is None and bool(counts)
        return True
    left = known.copy()
    if finish is not None and finish in left:
        left[finish] -= 1
    for card in named.cards:
        count = left.get(card)
        if not count:
            return False
        left[card] = count - 1
    if any(left.values()):
        named.unseen = tuple(sorted(Counter(left).elements()))
    return True


def named_cards(event: Declare | Show) -> tuple[str, ...]:
    """Return every card of a claim, groups first, the finish card left out."""
    loose = event.loose or ()
    return (*chain(*event.groups, loose),) if event.groups else loose


def holds_nothing(table: IndianTable, event: Declare | Show) -> Findings:
    """Who has no place in the hand, or was dealt nothing, has no card to show.

    That the log has no deal for a seat of the table is not yet that it was dealt nothing.
    """
    seat = table.seats.get(event.seat)
    if seat is not None and seat.dealt is None:
        why = f"no deal of seat {event.seat} is in this log"
        table.skip("card-not-held", why)
        table.skip("score-wrong", why)
        return NONE
    named = Named(named_cards(event))
    if cards := [card for card in dict.fromkeys(named.cards) if card != UNKNOWN]:
        _say(table, event, named, "card-not-held", cards)
    return named.found


def hold_against(table: IndianTable, event: Declare | Show, *, finish: str | None = None) -> Named:
    """Hold the cards a player names against the hand and all that was seen.

    A card held once and named twice is for the caller to say, by ``copies``; a
    card that is not held or that no longer can be is said here.
    """
    named = Named(named_cards(event))
    hand = table.hands[event.seat]
    known, unknown = hand.known, hand.unknown
    if finish == UNKNOWN:
        finish = None  # any card of the hand may be the one that was put aside unseen
    if not (unknown or hand.gone or table.blind) and _are_all_there(named, known, finish):
        return named
    counts = Counter(named.cards)
    copies = named.copies = {}
    if finish is not None and finish in known:
        known = {**known, finish: known[finish] - 1}
    elif finish is not None:
        unknown -= 1
    slots = max(0, unknown)
    strange: dict[str, int] = {}
    sighted: list[str] = []
    for card, count in counts.items():
        if card == UNKNOWN:
            copies[card] = count
            continue
        held = known.get(card, 0)
        hidden = max(0, table.pack.get(card, 0) - table.seen.get(card, 0))
        hidden += card == table.seats[event.seat].perhaps
        hidden += table.dark
        if finish == card and card not in hand.known:
            hidden -= 1
        most = held + (hidden if table.blind else min(hidden, slots))
        if most >= count or (most and not table.blind):
            copies[card] = most
            sighted += [card] * (min(count, most) - held)
            if held < count > 1 and most >= count:
                table.skip("card-in-two-groups", "a card named twice may have been held once")
        else:
            copies[card] = strange[card] = count
    named.sighted = (*sighted,)
    table.unseen = table.unseen or bool(named.sighted)
    _say_what_cannot_be(table, event, named, strange, finish)
    if not table.blind:
        _leave_room(table, event, named, Counter(known), slots)
    return named


def _say_what_cannot_be(
    table: IndianTable,
    event: Declare | Show,
    named: Named,
    strange: dict[str, int],
    finish: str | None,
) -> None:
    """Say of faces that the player names why they cannot be there: once for each reason."""
    hand = table.hands[event.seat]
    unseen = table.blind or hand.unknown > 0
    reasons: dict[str, list[str]] = {}
    for card in strange:
        if not table.pack.get(card):
            reasons.setdefault("card-not-in-deck", []).append(card)
        else:
            reasons.setdefault("too-many-copies" if unseen else "card-not-held", []).append(card)
    for code, cards in reasons.items():
        numbers = {}
        if code == "too-many-copies":
            card = cards[0]
            seen = table.seen.get(card, 0) + strange[card] + (card == finish)
            numbers = {"recorded": seen, "expected": table.pack[card]}
        _say(table, event, named, code, cards, **numbers)


def _say(
    table: IndianTable,
    event: Declare | Show,
    named: Named,
    code: str,
    cards: list[str],
    **data: object,
) -> None:
    """Say of some cards of a claim, in one finding, that they cannot be there."""
    named.doubt = "cards were named that the player cannot have"
    if len(cards) > 1:
        data["cards"] = cards
    finding = table.found(code, event, seat=event.seat, card=cards[0], **data)  # type: ignore[arg-type]
    named.found += (finding,)


def _leave_room(
    table: IndianTable, event: Declare | Show, named: Named, known: Counter[str], unknown: int
) -> None:
    """A hand has room for as many unseen cards as it holds, beside those known to be there."""
    named.unseen = tuple(sorted((known - Counter(named.cards)).elements()))
    size = known.total() + unknown - table.hands[event.seat].gone
    if named.found or len(named.cards) > size or UNKNOWN in named.cards:
        return
    over = len(named.sighted) - unknown
    if over <= 0:
        return
    strange = list(dict.fromkeys(named.sighted[-over:]))
    _say(table, event, named, "card-not-held", strange, unseen=list(named.unseen))
    named.sighted = named.sighted[:-over]


def take_in(table: IndianTable, event: Declare | Show, named: Named) -> None:
    """Note what came to light: from now on the hand is what its player laid open."""
    hand = table.hands[event.seat]
    if named.copies is None and not named.unseen:
        hand.public = hand.known.copy()
        return
    # Of more cards than the hand has room for any may be one that is not there.
    size = _room(table, event.seat)
    surplus = max(0, len(named.cards) - size)
    for card, count in Counter(named.sighted).items():
        table.seen[card] = table.seen.get(card, 0) + max(0, count - surplus)
    if table.blind:
        hand.known, hand.unknown, hand.gone = {}, 0, 0
        for card in named.cards:
            hand.take(card)
    elif not named.found:
        if len(named.cards) == size and UNKNOWN not in named.cards:
            # What is not there any more went face down, and lies unseen in the open pile.
            table.lose_sight((Counter(hand.known) - Counter(named.cards)).elements())
            hand.known, hand.unknown, hand.gone = dict(Counter(named.cards)), 0, 0
        elif len(named.sighted) <= hand.unknown:
            for card in named.sighted:
                hand.take(card)
                hand.unknown -= 1
    shown = Counter(named.cards) & Counter(hand.known)
    hand.public = {card: max(count, hand.public.get(card, 0)) for card, count in shown.items()}


def _room(table: IndianTable, number: int) -> int:
    """Return how many cards a hand holds, as far as the log tells."""
    if not table.blind:
        return len(table.hands[number])
    dealt = table.seats[number].dealt
    return table.law.hand_size if dealt is None else dealt
