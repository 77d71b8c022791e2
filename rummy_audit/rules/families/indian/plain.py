"""The plain course of play: a deal, draws and discards of which no rule has anything to say.

Nearly every event is one. They are gone through here in one loop, as long as nothing
at all is out of the ordinary; the first that is not plain is left to the judges.
"""

from __future__ import annotations

# What a Counter counts by, quicker than any loop here.
from collections import _count_elements  # type: ignore[attr-defined]
from collections.abc import Sequence
from typing import cast

from rummy_audit.rhl.records import JOKER, UNKNOWN, Deal, Discard, Draw, Event, Miss, Upcard, Wild
from rummy_audit.rules.cards import pack
from rummy_audit.rules.families.indian import deal
from rummy_audit.rules.families.indian.table import IndianTable

# What has been seen of a pack before the deal, without printed jokers and with them.
_NONE_SEEN = (pack(0), pack(0) | {JOKER: 0})


def goes_plainly(table: IndianTable, events: Sequence[Event], at: int, until: int) -> int:  # noqa: C901, PLR0915 - one loop: this is where most events go
    """Move the cards of the plain turns from event *at* on; return the place of the next event.

    ``may_draw`` and ``may_discard`` name the seat whose turn it plainly is. That seat
    draws one card: from a stock that has one, in no known order, or the known top card of
    the open pile which is no joker that has to stay there. Then it discards a card that
    is known to be in the hand, and was not just taken where that is barred.
    """
    if not table.drawn_from:
        if at or not _is_plainly_dealt(table, events, until):
            return at  # what the first draw closes is for the judges to say
        at = len(table.order) + 2
        if type(events[at]) is not Draw or events[at].extra or table.turn is None:
            return at
        table.begun = table.drawn_from = True
        table.mark()
    number = table.may_draw or table.may_discard
    if not number:
        return at
    drawn = table.may_discard != 0
    if type(events[at]) not in (Discard if drawn else Draw, Miss):
        return at
    law, stock, pile, seen, left = table.law, table.stock, table.pile, table.seen, table.left
    hands, seats, copies_of = table.hands, table.seats, table.pack.get
    any_joker, retaken = law.joker_from_discard, law.discard_just_taken
    wild = table.wild
    covered = bool(table.covered)
    begun, first, was_drawn, touched = at, number, drawn, drawn or not table.untouched
    last, taken = table.passed, seats[number].taken if drawn else None
    hand = hands[number]
    known = hand.known
    for at in range(begun, until):
        event = events[at]
        if drawn:
            if type(event) is not Discard or event.seat != number or event.extra:
                break
            card = event.card
            count = known.get(card)
            if not count or (taken == card and not retaken):
                break
            if count == 1:
                del known[card]
            else:
                known[card] = count - 1
            if hand.public and hand.public.get(card):
                hand.public[card] -= 1
            pile.append(card)
            taken = None
            last = number
            number = left[number]
            hand = hands[number]
            known = hand.known
            drawn = False
        else:
            if type(event) is not Draw or event.seat != number or event.cards or event.extra:
                break
            face = event.card
            if event.from_ == "stock":
                if not stock:
                    break
                if face is None:
                    hand.unknown += 1
                else:
                    copies = seen.get(face, 0) + 1
                    if copies > copies_of(face, 0):
                        break
                    seen[face] = copies
                    known[face] = known.get(face, 0) + 1
                stock -= 1
            else:
                if covered or not pile or event.from_ != "discard":
                    break
                top = pile[-1]
                joker = not any_joker and (top == JOKER or top[0] == wild)
                if face not in (top, None) or top == UNKNOWN or joker:
                    break
                taken = pile.pop()
                known[top] = known.get(top, 0) + 1
                hand.public[top] = hand.public.get(top, 0) + 1
                touched = True
            drawn = True
    else:
        at = until
    if at > begun:
        seats[first].taken = None
        each = left[first] if was_drawn else first
        for _ in range(min((at - begun + (not was_drawn)) // 2, len(table.live))):
            seat = seats[each]
            seat.taken = None
            seat.drew = seat.acted = True
            seat.misses = 0
            each = left[each]
        if drawn:
            seats[number].taken = taken
        table.stock, table.turn, table.drawn, table.passed = stock, number, drawn, last
        table.last_discard = None if drawn else last
        table.untouched = not touched and at == begun + 1
        table.may_draw, table.may_discard = (0, number) if drawn else (number, 0)
    if at < until and not drawn and type(events[at]) is Miss:
        return at + _is_plainly_missed(table, cast("Miss", events[at]))
    return at


def _is_plainly_missed(table: IndianTable, event: Miss) -> bool:
    """Pass the turn on if it is missed by the seat that may draw, and not the last time."""
    number, most = table.may_draw, table.law.misses_to_drop
    seat = table.seats[number]
    if event.seat != number or event.extra or (most is not None and seat.misses + 1 >= most):
        return False
    seat.misses += 1
    table.strays.discard(number)
    table.turn = table.may_draw = table.left[number]
    table.passed, table.last_discard = number, None
    return True


def _is_plainly_dealt(table: IndianTable, events: Sequence[Event], until: int) -> bool:
    """Move the cards of a deal that is as it should be, first of all events; say whether it was.

    Every seat has its number of cards, all of them known and none too often. An open card
    and the wild joker are turned, and neither is a printed joker.
    """
    order, law, copies = table.order, table.law, table.pack
    dealt = len(order)
    if until < dealt + 3 or table.blind:
        return False
    one, other = events[dealt : dealt + 2]
    upcard, wild = (one, other) if type(one) is Upcard else (other, one)
    if type(upcard) is not Upcard or type(wild) is not Wild or upcard.extra or wild.extra:
        return False
    turned, indicator = upcard.card, wild.card
    if JOKER in (turned, indicator):
        return False
    size, none_seen = law.hand_size, _NONE_SEEN[JOKER in copies]
    seen = none_seen.copy()
    hands = _counted(events[:dealt], size, (turned, indicator), seen)
    if hands is None or sorted(hands) != order or len(seen) > len(none_seen):
        return False
    if max(seen.values()) > law.fewest_copies and any(seen[card] > copies[card] for card in seen):
        return False
    table.deals += cast("tuple[Deal, ...]", events[:dealt])
    for seat, known in hands.items():
        table.hands[seat].known = known
        table.seats[seat].dealt = size
    table.seen = seen
    table.stock = law.cards - size * dealt - 2
    table.upcard, table.untouched = upcard, True
    table.pile.append(turned)
    table.wild_card, table.wild = indicator, indicator[0]
    table.dealing = False
    table.turn = table.left.get(table.record.dealer or 0) or deal.first_to_play(table)
    return True


def _counted(
    deals: Sequence[Event], size: int, turned: Sequence[str], seen: dict[str, int]
) -> dict[int, dict[str, int]] | None:
    """Return the hands that were dealt, and count what was *seen* of them and turned.

    None where a hand is not known, or not of that *size*.
    """
    hands: dict[int, dict[str, int]] = {}
    _count_elements(seen, turned)
    for event in deals:
        if type(event) is not Deal or event.extra:
            return None
        cards = event.cards
        if cards is None or len(cards) != size:
            return None
        _count_elements(seen, cards)
        known: dict[str, int] = {}
        _count_elements(known, cards)
        hands[event.seat] = known
    return hands
