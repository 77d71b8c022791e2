"""How cards move in a turn: draws, discards, missed turns."""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Declare, Discard, Draw, Miss
from rummy_audit.rules.families.indian import pile, stock
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.families.indian.turn import may_be_on
from rummy_audit.rules.findings import Impossible


def draw(table: IndianTable, event: Draw) -> None:
    """Move the drawn card into the hand, and the turn to whoever drew."""
    if table.declared:
        table.goes_on(event)
    if table.blind:
        return
    seat = table.seats.get(event.seat)
    if seat is None:
        raise Impossible(table.found("out-of-turn", event, seat=event.seat))
    cards = event.cards or (event.card,)
    hand = table.hands[event.seat]
    for card in cards:
        if event.from_ == "stock":
            stock.draw(table, event, card)
            hand.take(card)
        else:
            taken = pile.from_pile(table, event, card)
            hand.take(taken)
            hand.public[taken] = hand.public.get(taken, 0) + 1
            seat.taken = taken
    if seat.state in ("missed", "won") and not table.scores:
        _play_on(table, event.seat)
    if table.over or table.scores:
        seat.slipped = True
    if seat.state != "in" or table.scores:
        return
    if event.seat == table.late:
        table.late = None
        seat.slipped = False
        table.slack -= 1
        table.mark()
        return
    again = (table.drawn and event.seat == table.turn) or event.seat in table.pending
    if again or len(cards) > 1:
        seat.slipped = table.muddled = True
        table.grace += event.from_ == "stock"
        table.owed += event.seat in table.pending
    seat.drew = seat.acted = True
    seat.misses = 0
    if event.from_ == "stock":
        seat.taken = None
    table.begin(event.seat, event.seq)


def discard(table: IndianTable, event: Discard) -> None:
    """Move a card from the hand to the open pile, and the turn to the left neighbour."""
    if table.declared:
        table.goes_on(event)
    if table.blind:
        return
    throw(table, event, event.card)
    if event.card == UNKNOWN:
        table.covered[len(table.pile)] = event.seat
    table.pile.append(event.card)
    table.untouched = False
    seat = table.seats[event.seat]
    if seat.state in ("missed", "won") and not table.scores:
        _play_on(table, event.seat)
    if seat.state != "in" or table.scores:
        return
    undrawn = _end_strangely(table, event)
    seat.acted = True
    seat.misses = 0
    seat.taken = None
    table.pass_on(event.seat)
    table.last_discard = event.seat
    if undrawn:
        table.late = event.seat
        table.slack += 1
        seat.perhaps = table.pile[-2] if table.pile[1:] else None
        stock.loses_its_order(table, "a draw is missing, and nobody knows whether it was made")
        table.mark()


def _end_strangely(table: IndianTable, event: Discard) -> bool:
    """Note what a discard that ends no turn of the usual kind does to the turns after it.

    Return whether it is one that a draw is missing for.
    """
    if table.answers_late(event.seat):
        table.answer(event.seat)
        return False
    turn = table.turn
    if (table.drawn and event.seat == turn) or event.seat in table.pending:
        return False
    table.seats[event.seat].slipped = table.muddled = True
    if table.drawn and turn is not None and turn == table.jumper and event.seat in table.also:
        # Somebody drew in this seat's turn, and now it is ended: no discard is owed for it.
        table.seats[turn].slipped = True
        table.drawn = False
        table.also, table.jumper = (), None
        return False
    if turn != event.seat and event.seat != table.last_to_discard():
        table.skip_to(event.seat)
    table.doubted += event.seat != turn
    return event.seat == turn


def throw(table: IndianTable, event: Discard | Declare, card: str) -> None:
    """Take a card out of a hand; raise Impossible where it cannot have been there."""
    hand = table.hands.get(event.seat)
    known = hand.give(card) if hand is not None else None
    if known is None:
        code = "card-not-held" if card in table.pack or card == UNKNOWN else "card-not-in-deck"
        raise Impossible(table.found(code, event, seat=event.seat, card=card))
    if not known and card != UNKNOWN:
        table.unseen = True
        if card == table.seats[event.seat].perhaps:
            return
        pile.comes_to_light(table, card, event, event.seat)


def miss(table: IndianTable, event: Miss) -> None:
    """Count a missed turn; the last one allowed is the drop.

    A miss between draw and discard leaves a dead hand of one card too many.
    """
    table.goes_on(event)
    seat = table.seats.get(event.seat)
    if seat is None or seat.state != "in" or table.scores:
        return
    if not (may_be_on(table) or (table.over == "alone" and table.played_on)):
        return
    after = table.turn or event.seat
    if event.seat == table.passed and event.seat not in (after, table.left[after], *table.also):
        return  # the turn of this seat is just over: it has missed no other
    in_turn = event.seat == table.turn
    dead = in_turn and table.drawn and not table.blind
    passed_by = table.pass_by(event.seat, event.seq, "out-of-turn")
    seat.misses += 1
    most = table.law.misses_to_drop
    if dead:
        table.put_out(event.seat, "dropped", charge(table, "middle_drop"), event)
    elif most is not None and seat.misses >= most:
        table.put_out(event.seat, "missed", charge(table, "middle_drop"), event)
    table.last_discard = None
    if in_turn:
        table.drawn = False
    elif not passed_by:
        table.skip_to(event.seat)
    table.pass_on(event.seat)


def _play_on(table: IndianTable, number: int) -> None:
    """Let a seat play on that was not taken out, unless nobody knows whether it was.

    A declaration that cannot be judged may have left a dead hand; its acts move no turn then.
    """
    if not may_be_dead(table, number):
        table.bring_back(number)


def may_be_dead(table: IndianTable, number: int) -> bool:
    """Whether a seat acts behind a declaration of its own that nobody can judge."""
    unjudged = any(each.seat == number and each.right is None for each in table.declared)
    if unjudged:
        table.skip("acted-after-drop", "whether the declaration before was wrong is not known")
    return unjudged


def charge(table: IndianTable, parameter: str) -> str:
    """Return the parameter that says what it costs to be out: another where nobody may drop."""
    return parameter if table.law.drops else "no_drops_points"
