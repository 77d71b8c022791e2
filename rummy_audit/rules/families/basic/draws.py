"""How cards leave the stock and come back to it: dealing, turning up, drawing, renewing.

Nothing is judged here and nothing repaired. Where cards cannot have moved so the
move raises Impossible.
"""

from __future__ import annotations

from collections import Counter

from rummy_audit.rhl.records import (
    JOKER,
    UNKNOWN,
    Deal,
    Deck,
    Draw,
    Event,
    Misdeal,
    Reshuffle,
    Shuffle,
    Upcard,
)
from rummy_audit.rules.deck import Order, Pull, first_contradiction, is_whole
from rummy_audit.rules.families.basic.deal import pulls_of_the_deal
from rummy_audit.rules.families.basic.stock import is_turned, reshuffled_cards, to_move
from rummy_audit.rules.families.basic.table import UNCOUNTED, BasicTable, Course
from rummy_audit.rules.findings import Impossible
from rummy_audit.rules.table import Holding


def deck(table: BasicTable, event: Deck) -> None:
    """Keep the stated order of a whole pack."""
    if is_whole(event.cards, table.pack) and not table.deals:
        table.deck = event.cards


def shuffle(table: BasicTable, event: Shuffle) -> None:
    """Keep the shuffle that a seed will be held against, and what comes off the pack."""
    table.shuffle = event
    table.recording = not table.deals


def deal(table: BasicTable, event: Deal) -> None:
    """Give a seat its cards; seats that are dealt nothing stay outside the turn order."""
    if isinstance(table.annulled, Misdeal):
        table.gather()
    if not table.live:
        _deal_before_unseen_play(table, event)
        return
    if not table.deals:
        _begin_to_deal(table)
    seat = event.seat
    _count_together(table, event)
    table.deals.append(event)
    hand, course = table.hand(seat), table.seat_course(seat)
    count = len(event.cards) if event.cards is not None else event.count
    if count is None:
        hand.unknown = course.size = UNCOUNTED
        table.stock = None
    else:
        course.size += count
        if table.stock is not None:
            table.stock = max(table.stock - count, 0)
    if count is not None and course.size != table.settings.hand_size:
        table.faults[event.seq] = "wrong-count"
    if seat not in table.playing and count != 0:
        table.seat_players([*table.playing, seat])
    if event.cards is None:
        hand.unknown += count or 0
    for card in event.cards or ():
        table.sight(card, event, seat=seat)
        hand.take(card)
    if table.record.dealer is not None and table.first_draw is None:
        table.turn = table.next_seat(table.record.dealer)


def _begin_to_deal(table: BasicTable) -> None:
    """Let nobody hold a card, nor play, before the first one is dealt."""
    table.seat_players(())
    table.stock = sum(table.pack.values())
    for each in table.order:
        table.hands[each] = Holding()
        table.course[each] = Course()


def _count_together(table: BasicTable, event: Deal) -> None:
    """Count cards together that were dealt to a seat one event at a time."""
    for piece in table.deals:
        if piece.seat == event.seat and piece.seq != event.seq:
            table.faults.pop(piece.seq, None)
            table.take_back("deal-count", piece.seq)


def _deal_before_unseen_play(table: BasicTable, event: Deal) -> None:
    """Leave out who was dealt nothing; of the cards of others nobody knows where they went.

    Where the log is not of the play, a deal that it leaves out says nothing.
    """
    if event.count == 0:
        table.seat_players([each for each in table.playing if each != event.seat])


def upcard(table: BasicTable, event: Upcard) -> None:
    """Turn a card up beside the stock; a printed joker that lay there goes under the stock."""
    if table.late_upcard == "lies" and table.pile[-1:] == [event.card]:
        table.late_upcard = ""
        return
    if table.first_draw is None and not table.turned_up:
        _close_the_deal(table)
    turned_over = table.settings.exhausted == "turn-over" and not table.upcard_due
    renews = table.stock == 0 and turned_over and table.first_draw is not None
    # Of a renewal: it says nothing of the card that is turned up after the deal.
    later = renews or table.upcard_due or table.upcard_free
    if renews:
        _renew(table, upcard=False)
    late = table.first_draw is not None and not table.turned_up and not later
    if late and table.pile[:1] != [UNKNOWN] and table.seen.get(event.card):
        # It was taken before it was written down.
        table.turned_up = True
        table.slack -= 1
        table.stock = table.stock and table.stock - 1
        return
    buried = table.pile == [JOKER] and table.first_draw is None
    _from_stock(table, event, event.card)
    if buried:
        table.pile.clear()
        table.lose_sight((JOKER,))
        _pulled(table, Pull("under", JOKER, event.seq))
        if table.stock is not None:
            table.stock += 1
    if late:
        table.slack -= 1
        if table.pile[:1] == [UNKNOWN]:
            del table.pile[0]
    table.pile.append(event.card)
    table.upcard_due = table.upcard_free = False
    table.late_upcard = ""
    table.turned_up = table.turned_up or not later


def _close_the_deal(table: BasicTable) -> None:
    """Lay the deal over a stated pack: what is left of it is the stock, in order."""
    if table.deck is None and not table.recording:
        return
    pulls = pulls_of_the_deal(table)
    if not pulls:
        table.recording = False
        return
    if table.deck is not None and first_contradiction(table.deck, pulls) is None:
        table.known = Order(table.deck)
    for pull in pulls:
        _pulled(table, pull)


def _pulled(table: BasicTable, pull: Pull) -> None:
    """Follow a known order card by card; once contradicted it is known no more."""
    if table.recording:
        table.pulls.append(pull)
    if table.known is not None:
        if table.known.expects(pull):
            table.known = None
        else:
            table.known.pull(pull)


def _from_stock(table: BasicTable, event: Event, card: str | None, seat: int | None = None) -> None:
    """Take the top card off the stock; a card that was not seen stays unseen."""
    if table.stock:
        table.stock -= 1
        if table.stock == 0:
            table.slack = 0
            table.ripe = table.ripe or table.small
    if table.known is not None or table.recording:
        _pulled(table, Pull("top", card, event.seq, seat))
    if card is not None:
        table.sight(card, event, seat=seat)


def draw(table: BasicTable, event: Draw) -> None:
    """Move a card from the stock or the pile to a hand."""
    seat = event.seat
    if table.first_draw is None:
        if not table.turned_up:
            # The log left a card out, which lies there unseen, or turns it up late.
            _close_the_deal(table)
            table.slack, table.known, table.recording = 1, None, False
            table.pile.append(UNKNOWN)
        table.first_draw = event.seq
    if table.ended is not None:
        table.plays_on(event)
    table.late_upcard, table.waiting = "", None
    if table.unwritten:
        table.unwritten = "before" if table.stock else ""
    if table.upcard_due:
        _turn_up_unseen(table, event)
    course = table.seat_course(seat)
    if course.owes == "draw" and table.actor == seat:
        course.owes = ""
        course.more -= 1
        table.slack -= 1
    else:
        _begin_turn(table, seat, course)
        course.drawn, course.undrawn = True, False
        if seat in table.neighbours:
            table.turn = table.actor = seat
            table.also = None
    for card in (event.card,) if event.cards is None else event.cards:
        if event.from_ == "stock":
            if table.stock == 0:
                _renew(table)
            _from_stock(table, event, card, seat)
            table.hand(seat).take(card)
        else:
            _from_pile(table, event, card)
        course.size += 1


def _turn_up_unseen(table: BasicTable, event: Draw) -> None:
    """Let a card have been turned up that the log left out, unless it is the one drawn now."""
    table.upcard_due, table.late_upcard = False, "due"
    if table.known is None:
        return
    up = table.known.expects(Pull("top", "", event.seq))
    if up is not None and up != event.card and table.stock:
        _from_stock(table, event, up)
        table.pile.append(up)
        table.late_upcard = "lies"


def _begin_turn(table: BasicTable, seat: int, course: Course) -> None:
    """End what was left open, and begin a turn unless this one has begun."""
    if course.drawn and table.actor == seat:
        course.more -= 1
        return
    turn = table.turn
    if turn is not None and turn != seat and seat == table.next_seat(turn):
        before = table.seat_course(turn)
        before.paid = 0
        if before.drawn and not before.ahead:
            before.owes = "discard"
            before.more -= 1
            table.unthrown += 1
        if before.drawn:
            before.close()
        before.ahead = False
    course.owes, course.paid = "", 0
    if course.undrawn and turn == seat and (course.melds or course.layoffs):
        course.more -= 1
        table.slack -= 1
        return
    course.more -= course.drawn
    table.unthrown += course.drawn
    course.close()
    course.turns += 1


def _from_pile(table: BasicTable, event: Draw, card: str | None) -> None:
    seat, pile = event.seat, table.pile
    hand, course = table.hand(seat), table.seat_course(seat)
    if pile and (card is None or card in (UNKNOWN, pile[-1])):
        taken = pile.pop()
    elif card not in pile and (UNKNOWN not in pile or _lies_in_sight(table, card)):
        raise Impossible(table.found("draw-not-top", event, seat=seat, card=card))
    else:
        taken = card or UNKNOWN
        if taken in pile:
            pile.remove(taken)
        else:
            # The nearest to the top that nobody saw.
            del pile[len(pile) - 1 - pile[::-1].index(UNKNOWN)]
            table.sight(taken, event, seat=seat)
    course.taken = taken
    course.spare = _other_copy(table, hand, taken)
    hand.take(taken)
    if taken != UNKNOWN:
        hand.public[taken] = hand.public.get(taken, 0) + 1


def _lies_in_sight(table: BasicTable, card: str | None) -> bool:
    """Whether every copy of a card is somewhere else: then it is none that nobody saw."""
    return card in table.pack and table.seen.get(str(card), 0) >= table.pack[str(card)]


def _other_copy(table: BasicTable, hand: Holding, card: str) -> bool | None:
    """Whether the hand held a copy of the card before it was taken; None: not known."""
    if hand.holds(card) and not hand.gone:
        return True
    if hand.unknown or hand.gone:
        unseen = table.seen.get(card, 0) < table.pack.get(card, 0)
        return None if unseen or hand.gone else False
    return False


def _renew(table: BasicTable, *, upcard: bool = True) -> None:
    """Let the pile have become the stock, for a draw that shows it though the log does not.

    A pile that was turned over has a card turned up too, unless that is what shows it.
    """
    turned = table.settings.exhausted == "turn-over"
    moved = to_move(table, turned=turned)
    if not moved:
        return
    table.lose_sight(moved)
    table.pile = [] if turned else table.pile[len(moved) :]
    size = len(moved) - (turned and upcard)
    table.stock, table.known, table.recording = size, None, False
    table.reshuffles += 1
    table.unwritten = "now"
    if table.pile_is_unsure():
        table.stock = None
    if turned and upcard:
        up = moved[0]
        if up != UNKNOWN:
            table.seen[up] += 1
        table.pile = [up]
        table.late_upcard = "lies"


def reshuffle(table: BasicTable, event: Reshuffle) -> None:
    """Make the pile the stock, unless a draw has shown that it was made so already."""
    if table.is_renewed:
        table.unwritten = ""
        return
    table.unwritten = ""
    ended = table.ended
    if ended is not None and (ended.loose or ended.by_stock) and table.late is None:
        table.ended = None
    elif ended is not None:
        table.plays_on(event)
    wrong = bool(reshuffled_cards(table, event))
    turned = is_turned(table, event)
    whole = event.cards is not None and Counter(event.cards) == Counter(table.pile)
    moved = list(table.pile) if whole else to_move(table, turned=turned)
    left = 0 if table.may_be_empty and table.stock is not None else table.stock
    # Whether a card was turned up that nobody wrote down, only a list of the pile says.
    unsure = UNKNOWN in moved and not table.turned_up
    size = len(moved) - (unsure and len(event.cards or moved) < len(moved))
    table.slack = int(unsure and event.cards is None)
    table.lose_sight(moved)
    table.pile = [] if turned else table.pile[len(moved) :]
    table.stock = None if left is None or table.pile_is_unsure() else left + size
    table.reshuffles += 1
    table.upcard_due = turned
    table.upcard_free = table.settings.exhausted == "turn-over" or not table.settings.keeps_top
    table.known, table.recording = None, False
    if wrong:
        return
    if event.cards is not None and len(event.cards) == table.stock:
        table.known = Order(event.cards)
    elif turned and not left:
        table.known = Order(moved)
