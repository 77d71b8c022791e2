"""How the cards move at the table of basic rummy, legal or not.

Nothing is judged here and nothing repaired. Where cards cannot have moved so the
move raises Impossible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_audit.rhl.records import (
    JOKER,
    UNKNOWN,
    Call,
    Deal,
    Deck,
    Discard,
    Draw,
    Event,
    Irregularity,
    Layoff,
    Meld,
    Misdeal,
    Reshuffle,
    Score,
    Show,
    Shuffle,
    Upcard,
    Void,
)
from rummy_audit.rules.deck import Order, Pull, first_contradiction, is_whole
from rummy_audit.rules.families.basic.calls import rummy_hopeless, why_no_stalemate
from rummy_audit.rules.families.basic.deal import pulls_of_the_deal
from rummy_audit.rules.families.basic.misdeal import NOTICED
from rummy_audit.rules.families.basic.readings import extended, readings
from rummy_audit.rules.families.basic.show import held_of, shown_cards, sound
from rummy_audit.rules.families.basic.stock import (
    RENEWED,
    is_turned,
    reshuffled_cards,
    to_move,
)
from rummy_audit.rules.families.basic.table import UNCOUNTED, BasicTable, Course, Ended, Laid
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
    if not table.deals:
        table.playing = []
        table.stock = sum(table.pack.values())
        for each in table.order:
            table.hands[each] = Holding()
            table.course[each] = Course()
    table.deals.append(event)
    seat = event.seat
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
        table.playing = sorted([*table.playing, seat])
    if event.cards is None:
        hand.unknown += count or 0
    for card in event.cards or ():
        table.sight(card, event, seat=seat)
        hand.take(card)
    if table.record.dealer is not None and table.first_draw is None:
        table.turn = table.next_seat(table.record.dealer)


def upcard(table: BasicTable, event: Upcard) -> None:
    """Turn a card up beside the stock; a printed joker that lay there goes under the stock."""
    if table.first_draw is None and not table.turned_up:
        _close_the_deal(table)
    buried = table.pile == [JOKER] and table.first_draw is None
    _from_stock(table, event, event.card)
    if buried:
        table.pile.clear()
        table.lose_sight((JOKER,))
        _pulled(table, Pull("under", JOKER, event.seq))
        if table.stock is not None:
            table.stock += 1
    table.pile.append(event.card)
    table.upcard_due = table.upcard_free = False
    table.turned_up = True


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
        if table.stock == 0 and table.small:
            table.ripe = True
    if table.known is not None or table.recording:
        _pulled(table, Pull("top", card, event.seq, seat))
    if card is not None:
        table.sight(card, event, seat=seat)


def draw(table: BasicTable, event: Draw) -> None:
    """Move a card from the stock or the pile to a hand."""
    seat = event.seat
    if table.first_draw is None:
        if not table.turned_up:
            # A card the log left out: the stock is one smaller than it counts.
            _close_the_deal(table)
            table.stock = table.known = None
            table.recording = False
        table.first_draw = event.seq
    _plays_on(table, event)
    course, hand = table.seat_course(seat), table.hand(seat)
    _begin_turn(table, seat, course)
    course.drawn, course.undrawn = True, False
    table.turn = table.actor = seat
    table.also = None
    table.upcard_due = False
    for card in event.cards or (event.card,):
        if event.from_ == "stock":
            if table.stock == 0:
                _renew(table)
            _from_stock(table, event, card, seat)
            hand.take(card)
        else:
            _from_pile(table, event, card)
        course.size += 1


def _begin_turn(table: BasicTable, seat: int, course: Course) -> None:
    """End what was left open, and begin a turn unless this one has begun."""
    if course.drawn and table.actor == seat:
        return
    turn = table.turn
    if turn is not None and turn != seat and seat == table.next_seat(turn):
        before = table.seat_course(turn)
        if before.drawn:
            before.close()
    if course.undrawn and turn == seat and (course.melds or course.layoffs):
        return
    course.close()
    course.turns += 1


def _from_pile(table: BasicTable, event: Draw, card: str | None) -> None:
    seat, pile = event.seat, table.pile
    if not pile or (card is not None and card not in pile and UNKNOWN not in (card, *pile)):
        raise Impossible(table.found("draw-not-top", event, seat=seat, card=card))
    hand, course = table.hand(seat), table.seat_course(seat)
    if card is None or card in (UNKNOWN, pile[-1]):
        taken = pile.pop()
    else:
        taken = card
        if card in pile:
            pile.remove(card)
        else:
            pile.remove(UNKNOWN)
            table.sight(card, event, seat=seat)
    course.taken = taken
    course.spare = _other_copy(table, hand, taken)
    hand.take(taken)
    if taken != UNKNOWN:
        hand.public[taken] = hand.public.get(taken, 0) + 1


def _other_copy(table: BasicTable, hand: Holding, card: str) -> bool | None:
    """Whether the hand held a copy of the card before it was taken; None: not known."""
    if hand.holds(card) and not hand.gone:
        return True
    if hand.unknown or hand.gone:
        unseen = table.seen.get(card, 0) < table.pack.get(card, 0)
        return None if unseen or hand.gone else False
    return False


def _renew(table: BasicTable) -> None:
    """Let the pile have become the stock, for a draw that shows it though the log does not."""
    turned = table.settings.exhausted == "turn-over"
    moved = to_move(table, turned=turned)
    if not moved:
        return
    table.lose_sight(moved)
    table.pile = [] if turned else table.pile[len(moved) :]
    table.stock, table.known, table.recording = len(moved), None, False
    table.reshuffles += 1
    if turned:
        up = moved[0]
        table.stock -= 1
        if up != UNKNOWN:
            table.seen[up] += 1
        table.pile = [up]


def reshuffle(table: BasicTable, event: Reshuffle) -> None:
    """Make the pile the stock."""
    ended = table.ended
    if ended is not None and (ended.loose or ended.by_stock) and table.late is None:
        table.ended = None
    elif ended is not None:
        _plays_on(table, event)
    wrong = bool(reshuffled_cards(table, event))
    turned = is_turned(table, event)
    moved = to_move(table, turned=turned)
    left = table.stock
    table.lose_sight(moved)
    table.pile = [] if turned else table.pile[len(moved) :]
    table.stock = None if left is None else left + len(moved)
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


def discard(table: BasicTable, event: Discard) -> None:
    """Move a card from a hand to the top of the pile."""
    seat = event.seat
    _plays_on(table, event)
    hand, course = table.hand(seat), table.seat_course(seat)
    _give(table, event, hand, event.card)
    course.size -= 1
    table.pile.append(event.card)
    table.actor, table.turn = seat, table.next_seat(seat)
    table.also = None
    if course.size == 0 and table.ended is None:
        _goes_out(table, event, seat, course)
    else:
        _end_turn(table, course, event)


def meld(table: BasicTable, event: Meld) -> None:
    """Move cards from a hand to a new meld on the table."""
    _lay(table, event)
    course = table.seat_course(event.seat)
    course.own_meld = True
    standing = () if UNKNOWN in event.cards else readings(event.cards, table.settings.groups)
    table.melds.append(Laid(len(table.melds) + 1, event.seat, list(event.cards), standing))
    _laid(table, event, course)


def layoff(table: BasicTable, event: Layoff) -> None:
    """Move cards from a hand to a meld on the table; without such a meld they just lie there."""
    _lay(table, event)
    if 1 <= event.meld <= len(table.melds):
        laid = table.melds[event.meld - 1]
        rules = table.settings.groups
        grown = extended(laid.readings, event.cards, rules) if laid.readings else ()
        laid.cards += event.cards
        laid.added += [(event.seat, card) for card in event.cards]
        laid.readings = grown or (() if UNKNOWN in laid.cards else readings(laid.cards, rules))
    _laid(table, event, table.seat_course(event.seat))


def _lay(table: BasicTable, event: Meld | Layoff) -> None:
    """Take the cards out of the hand."""
    seat = event.seat
    if not table.live:
        for card in event.cards:
            table.sight(card, event, seat=seat)
        return
    _plays_on(table, event)
    hand = table.hand(seat)
    _, lacking = held_of(table, hand, event.cards)
    for card in (*lacking, *event.cards):
        _give(table, event, hand, card)


def _give(table: BasicTable, event: Discard | Meld | Layoff, hand: Holding, card: str) -> None:
    """Take a card out of a hand; one that cannot be there stops the replay."""
    known = hand.give(card)
    if known:
        return
    if card == UNKNOWN and known is False:
        _forget(table, hand)
        return
    copies = table.pack.get(card)
    if known is None or (copies is not None and table.seen.get(card, 0) >= copies):
        raise Impossible(table.found("card-not-held", event, seat=event.seat, card=card))
    table.sight(card, event, seat=event.seat)


def _forget(table: BasicTable, hand: Holding) -> None:
    """After a card that left unseen nobody knows which cards a hand still holds."""
    if hand.gone:
        known = hand.cards()
        table.lose_sight(known)
        hand.unknown += len(known) - hand.gone
        hand.gone = 0
        hand.known.clear()
        hand.public.clear()


def _laid(table: BasicTable, event: Meld | Layoff, course: Course) -> None:
    """Count what was laid on this turn, and see whether it was the last card."""
    if not table.live:
        return
    seat = event.seat
    own_turn = course.drawn or table.turn in (seat, None) or table.also == seat
    if own_turn and not (course.drawn or course.melds or course.layoffs):
        course.turns += 1
        table.turn = seat
    if isinstance(event, Meld):
        course.melds += 1
    else:
        course.layoffs += 1
    if course.early is None:
        course.early = event.seq
    course.size -= len(event.cards)
    if course.size == 0 and table.ended is None:
        _goes_out(table, event, seat, course)
    elif not course.drawn:
        course.undrawn = True
        if not own_turn:
            course.close()
            course.undrawn = True
            table.also = table.next_seat(seat)
    table.actor = seat


def _goes_out(table: BasicTable, event: Event, seat: int, course: Course) -> None:
    """Let a player who has no card left have won, and see whether that was going rummy."""
    rules = table.settings
    rummy = (
        not course.laid_before
        and course.melds + course.layoffs > 0
        and (rules.with_layoffs or not course.layoffs)
        and (rules.first_turn or course.turns > 1)
    )
    loose = rules.final_discard and not isinstance(event, Discard)
    table.decide(Ended("won", event.seq, winner=seat, loose=loose, rummy=rummy))


def _end_turn(table: BasicTable, course: Course, event: Event) -> None:
    """End a turn, and the hand with it where the stock has run out for the last time."""
    course.close()
    rules = table.settings
    if table.stock == 0 and table.ended is None and table.live:
        if rules.exhausted not in RENEWED:
            table.decide(Ended("exhausted", event.seq, by_stock=True))
        elif rules.reshuffles_max is not None and table.reshuffles >= rules.reshuffles_max:
            table.decide(Ended("stalemate", event.seq, by_stock=True))
    if course.size > _FEW:
        table.small = table.ripe = False
    elif not table.small:
        table.small = all(table.seat_course(seat).at_rest <= _FEW for seat in table.playing)
        table.ripe = table.small and table.stock == 0


_FEW = 2


def _plays_on(table: BasicTable, event: Event) -> None:
    """A play event after the end: one that fell against the rules is undone by it."""
    if table.ended is None:
        return
    if table.ended.loose:
        table.ended = None
    elif table.late is None:
        table.late = event.seq


def call(table: BasicTable, event: Call) -> None:
    """Keep a call of rummy for the end of the turn; a called stalemate ends the hand."""
    if event.what == "rummy":
        if not rummy_hopeless(table, event):
            course = table.seat_course(event.seat)
            out = table.ended is not None
            begun = course.drawn or course.melds or course.layoffs or out
            number = course.turns if begun else course.turns + 1
            table.calls.append((event.seq, event.seat, number))
    elif table.ended is None:
        table.decide(Ended("stalemate", event.seq, loose=why_no_stalemate(table) is not None))


def irregularity(table: BasicTable, event: Irregularity) -> None:
    """Keep what the table noticed of the deal."""
    if table.first_draw is None:
        table.faults[event.seq] = event.kind


def annul(table: BasicTable, event: Misdeal | Void) -> None:
    """Let the hand be annulled."""
    table.annulled = event
    if isinstance(event, Misdeal):
        # A hand that is dealt again because of the deal was dealt with rightly.
        for seq, kind in table.faults.items():
            table.handle(seq, (NOTICED.get(kind, "deal-count"),))
    if table.ended is None or table.ended.loose:
        outcome = "misdeal" if isinstance(event, Misdeal) else "void"
        table.decide(Ended(outcome, event.seq))


def show(table: BasicTable, event: Show) -> None:
    """Let a hand be seen as far as it can be the one that was played."""
    table.shows[event.seat] = event
    if not table.live:
        return
    hand, cards = table.hand(event.seat), shown_cards(event)
    if sound(table, event):
        table.sound[event.seat] = cards
    for card in held_of(table, hand, cards)[0]:
        hand.unknown -= 1
        hand.take(card)
        table.sight(card, event, seat=event.seat)
    for card in cards:
        hand.public[card] = min(cards.count(card), hand.holds(card))


def score(table: BasicTable, event: Score) -> None:
    """Keep what the table wrote down."""
    table.scores.append(event)


MOVES: dict[type[Event], Callable[[Any, Any], None]] = {
    Deck: deck,
    Shuffle: shuffle,
    Deal: deal,
    Upcard: upcard,
    Draw: draw,
    Discard: discard,
    Meld: meld,
    Layoff: layoff,
    Reshuffle: reshuffle,
    Call: call,
    Irregularity: irregularity,
    Misdeal: annul,
    Void: annul,
    Show: show,
    Score: score,
}

# Without the course of play only what was laid, shown and written down counts.
UNSEEN: dict[type[Event], Callable[[Any, Any], None]] = {
    kind: MOVES[kind] for kind in (Meld, Layoff, Misdeal, Void, Show, Score)
}
