"""The plain course of play: draws and discards of which no rule has anything to say.

Nearly every event is one. They are gone through here in one loop, as long as nothing
at all is out of the ordinary; the first that is not plain is left to the judges.
"""

from __future__ import annotations

from collections.abc import Sequence

from rummy_audit.rhl.records import JOKER, UNKNOWN, Discard, Draw, Event
from rummy_audit.rules.families.indian.table import IndianTable


def goes_plainly(table: IndianTable, events: Sequence[Event], at: int, until: int) -> int:  # noqa: C901, PLR0915 - one loop: this is where most events go
    """Move the cards of the plain turns from event *at* on; return the place of the next event.

    ``may_draw`` and ``may_discard`` name the seat whose turn it plainly is. That seat
    draws one card: from a stock that has one, in no known order, or the known top card of
    the open pile which is no joker that has to stay there. Then it discards a card that
    is known to be in the hand, and was not just taken where that is barred.
    """
    number = table.may_draw or table.may_discard
    if not number or not table.drawn_from:
        return at  # what the first draw closes is for the judges to say
    drawn = table.may_discard != 0
    law, stock, pile, seen, left = table.law, table.stock, table.pile, table.seen, table.left
    hands, seats, copies_of = table.hands, table.seats, table.pack.get
    any_joker, retaken = law.joker_from_discard, law.discard_just_taken
    wild = table.wild
    covered = bool(table.covered)
    begun, touched, last = at, not table.untouched, table.passed
    while at < until:
        event = events[at]
        if event.extra:
            break
        if drawn:
            if type(event) is not Discard or event.seat != number:
                break
            card = event.card
            hand = hands[number]
            known = hand.known
            count = known.get(card)
            seat = seats[number]
            if not count or (seat.taken == card and not retaken):
                break
            if count == 1:
                del known[card]
            else:
                known[card] = count - 1
            if hand.public and hand.public.get(card):
                hand.public[card] -= 1
            pile.append(card)
            seat.taken = None
            last, touched = number, True
            number = left[number]
            drawn = False
        else:
            if type(event) is not Draw or event.seat != number or event.cards:
                break
            face = event.card
            seat = seats[number]
            if event.from_ == "stock":
                if not stock:
                    break
                if face is None:
                    hands[number].unknown += 1
                else:
                    copies = seen.get(face, 0) + 1
                    if copies > copies_of(face, 0):
                        break
                    seen[face] = copies
                    known = hands[number].known
                    known[face] = known.get(face, 0) + 1
                stock -= 1
                seat.taken = None
            else:
                if covered or not pile or event.from_ != "discard":
                    break
                top = pile[-1]
                joker = not any_joker and (top == JOKER or top[0] == wild)
                if face not in (top, None) or top == UNKNOWN or joker:
                    break
                pile.pop()
                hand = hands[number]
                hand.known[top] = hand.known.get(top, 0) + 1
                hand.public[top] = hand.public.get(top, 0) + 1
                seat.taken = top
                touched = True
            seat.drew = seat.acted = True
            seat.misses = 0
            drawn = True
        at += 1
    if at > begun:
        table.stock, table.turn, table.drawn, table.passed = stock, number, drawn, last
        table.last_discard = None if drawn else last
        table.untouched = not touched
        table.may_draw, table.may_discard = (0, number) if drawn else (number, 0)
    return at
