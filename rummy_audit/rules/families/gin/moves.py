"""How cards move in play: from the stock, the pile or beside it into a hand, and out again.

Legal or not, they move as the log says; where they cannot have moved so the
replay stops.
"""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Discard, Draw, Event, Pass, Reshuffle
from rummy_audit.rules.families.gin import correction
from rummy_audit.rules.families.gin.offer import passed_for_the_other
from rummy_audit.rules.families.gin.pile import (
    from_beside,
    from_pile,
    from_stock,
    stranger,
    throw,
)
from rummy_audit.rules.families.gin.table import GinTable


def draw(table: GinTable, event: Draw) -> None:
    """Move drawn cards into the hand; the turn is with whoever drew."""
    if table.blind:
        return
    seat = event.seat
    hand = table.hands.get(seat)
    if hand is None:
        raise stranger(table, event, seat)
    if draws_for_the_knock(table, event):
        from_stock(table, event, event.card)
        if event.card is not None:
            hand.take(event.card)
        return
    reopen(table)
    taken: str | None = None
    for card in (event.card,) if event.cards is None else event.cards:
        if event.from_ == "stock":
            from_stock(table, event, card)
            hand.take(card)
        elif event.from_ == "discard":
            taken = from_pile(table, event, card)
            hand.take(taken)
            hand.public[taken] = 1
        else:
            hand.take(from_beside(table, event, card))
    if not table.first_draw:
        table.first_draw = event.seq
        table.played_on = event.seq if table.due else 0
    table.undrawn.discard(seat)
    if not table.is_over:
        _begin(table, event, taken)
        table.look_away()


def _begin(table: GinTable, event: Draw, taken: str | None) -> None:
    """Say whose turn it is after a draw that may be out of the ordinary."""
    seat, turn = event.seat, table.turn
    state = table.seats[seat]
    if seat not in table.left:
        table.drawn[seat] = taken
        return
    if table.paid:
        # By another's draw the turn behind that discard is over.
        table.paid, turn = 0, seat
        table.take_turn(seat)
    table.last_discard = None
    table.owing = -seat if table.owing == seat != turn else 0
    if table.dead:
        table.crossed = True
    if state.correction is not None and not state.correction.drew:
        state.correction.drew = event.seq
    if seat in table.drawn:
        made_good = seat == turn and table.lacking.pop(seat, False)
        state.kept = state.kept or ("" if made_good else "draw")
        if made_good or taken is not None:
            table.drawn[seat] = taken
        return
    state.loses_draw = None
    if table.offer or turn is None:
        table.offer = ""
        table.take_turn(seat)
    elif seat != turn:
        if not _draw_ahead(table, event, seat, turn):
            return
        if seat in table.lacking and seat != table.turn:
            table.lacking[seat] = True
    table.drawn[seat] = taken


def _draw_ahead(table: GinTable, event: Draw, seat: int, turn: int) -> bool:
    """Draw when it is the other's turn; say False where no turn begins with that."""
    state = table.seats[seat]
    if state.correction is not None and len(table.hands[seat]) <= table.law.hand_size:
        correction.settle(table, event, seat)  # put right at once, outside the turn order
        return False
    if turn in table.drawn:
        if correction.is_done(table, turn):
            table.drawn.pop(turn)
            correction.settle(table, event, turn)
            table.take_turn(seat)
        elif len(table.hands[turn]) <= table.law.hand_size and turn in table.lacking:
            # It had discarded too early, which was found: with its draw that turn is over.
            table.drawn.pop(turn)
            table.lacking.pop(turn)
            table.take_turn(seat)
        else:
            table.ahead = (event.seq, seat, turn)
    elif (lost := table.seats[turn].loses_draw) is not None:
        lost.state = "followed"
        table.seats[turn].loses_draw = None
        table.take_turn(seat)
    return True


def draw_unseen(table: GinTable, seat: int) -> None:
    """Note a draw that a log without the course of play leaves out."""
    table.hands[seat].take(None)
    table.drawn[seat] = None


def discard(table: GinTable, event: Discard) -> None:
    """Move a card from the hand to the discard pile, and the turn to the left neighbour."""
    if table.blind:
        return
    seat = event.seat
    reopen(table)
    if seat in table.left and seat not in table.drawn and correction.pays_late(table, seat):
        throw(table, event, seat, event.card)
        table.seats[seat].kept = ""
        table.paid = event.seq if seat == table.turn else 0
        table.look_closer()
        return
    throw(table, event, seat, event.card)
    if table.is_over:
        return
    end_turn(table, event, seat)
    if seat in table.left:
        table.last_discard = seat
    if table.stock is not None and table.stock <= table.law.stock_floor:
        table.dead = True
    table.look_away()


def end_turn(table: GinTable, event: Event, seat: int) -> None:
    """End a turn that may be out of the ordinary: the left neighbour is next.

    Who discards first after two have drawn shows which of them slipped: the one
    who drew before the other had discarded, or the one who never discarded.
    """
    had_drawn = seat in table.drawn
    table.paid = 0
    table.drawn.pop(seat, None)
    if seat not in table.left:
        return  # who was dealt nothing is in no turn, and moves none
    if seat in table.lacking or (not had_drawn and len(table.hands[seat]) < table.law.hand_size):
        table.lacking[seat] = False
    if table.ahead is not None:
        at, early, late = table.ahead
        table.ahead = None
        if seat == late:
            table.late.append(table.found("out-of-turn", at, "premature_draw", seat=early))
        else:
            table.drawn.pop(late, None)
            table.seats[late].kept = "discard"
            table.late.append(table.found("discard-missing", at, seat=late, by=early))
    table.offer = ""
    state = table.seats[seat]
    undrawn = not had_drawn and seat == table.turn and state.loses_draw is None
    table.owing = seat if undrawn else 0
    if state.loses_draw is not None and seat == table.turn and not had_drawn:
        state.loses_draw.state = "followed"
        state.loses_draw = None
    correction.settle(table, event, seat)
    table.pass_on(seat)


def pass_by(table: GinTable, event: Pass) -> None:
    """Pass: the offer goes round, and a turn that is given up goes on."""
    seat = event.seat
    if table.blind:
        return
    reopen(table)
    if table.is_over or seat not in table.left:
        return
    table.last_discard = None
    table.owing = 0
    if table.offer == "offer":
        table.starter = table.starter or seat
        table.refused |= set(table.playing) if passed_for_the_other(table, event) else {seat}
        if table.refused.issuperset(table.playing):
            table.offer = "first"
            if table.slip is not None and table.slip[0] != table.starter:
                # The dealer passed first, which was found; who draws first may be taken alike.
                table.turn = None
            else:
                table.take_turn(table.starter or seat)
        else:
            table.pass_on(seat)
    elif not table.offer and seat == table.turn:
        if (lost := table.seats[seat].loses_draw) is not None:
            lost.state = "followed"
            table.seats[seat].loses_draw = None
        if seat in table.drawn:
            del table.drawn[seat]
            table.seats[seat].kept = "discard"
        correction.settle(table, event, seat)
        table.passed = table.dead
        table.pass_on(seat)
    table.look_away()


def reshuffle(table: GinTable, _event: Reshuffle) -> None:
    """Turn the discard pile but for its top card into the stock."""
    if table.stock is None:
        return
    under = table.pile[:-1]
    table.lose_sight(under)
    table.seen = {card: count for card, count in table.seen.items() if count}
    table.covered = {}
    table.pile = table.pile[-1:]
    table.stock += len(under)
    table.known_order = table.pulls = None
    table.dead = table.dead and table.stock <= table.law.stock_floor
    table.look_away()


def may_be_refused(table: GinTable) -> bool:
    """Whether the opponent may still answer the knock by playing on.

    003 Illegal Knock: not once it was accepted, nor once cards were laid off on it.
    """
    knock = table.knock
    return knock is not None and knock.wrong is not False and not (knock.accepted or knock.laid)


def draws_for_the_knock(table: GinTable, event: Draw) -> bool:
    """Whether a draw only follows late on the knock that showed it missing: one slip."""
    knock = table.knock
    if knock is None or knock.seat != event.seat or "knock-without-draw" not in knock.codes:
        return False
    one = event.from_ == "stock" and event.cards is None
    return one and may_be_refused(table) and not table.over and not table.scores


def reopen(table: GinTable) -> None:
    """Go on with play after a knock that does not stand."""
    knock = table.knock
    if knock is None or table.over or table.scores or not may_be_refused(table):
        return
    if knock.wrong is None:
        table.skip("event-after-end", "whether the knock stood cannot be told")
    else:
        table.handle(knock.seq, knock.codes | {"knock-while-barred"})
    table.seats[knock.seat].open = True
    for seat in table.seats.values():
        seat.shown = None
    table.knock = None
    table.look_away()


def follow_what_lies(table: GinTable, seat: int, cards: int, *, drew: bool = True) -> None:
    """A draw or discard that was found missing may only not have been written down.

    Of unseen cards the number that is laid open tells.
    """
    hand, state = table.hands[seat], table.seats[seat]
    if not hand.unknown:
        return
    if cards == len(hand) + 1 and (seat in table.lacking or not drew):
        hand.take(None)
        table.lacking.pop(seat, None)
    elif cards == len(hand) - 1 and state.kept:
        hand.give(UNKNOWN)
        state.kept = ""
