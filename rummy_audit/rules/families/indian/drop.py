"""Dropping out of a hand, and leaving the table in the middle of one."""

from __future__ import annotations

from rummy_audit.rhl.records import Drop, Leave
from rummy_audit.rules.families.indian.play import charge
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.families.indian.turn import after_the_end, may_be_on
from rummy_audit.rules.findings import NONE, Findings

# 001 Drop rules


def drops_where_allowed(table: IndianTable, event: Drop) -> Findings:
    """Some formats know no drops."""
    seat = table.seats.get(event.seat)
    if table.law.drops or seat is None or seat.state != "in" or not may_be_on(table):
        return NONE
    return (table.found("drop-not-allowed", event, "drops", seat=event.seat),)


def drops_in_time(table: IndianTable, event: Drop) -> Findings:
    """A player drops in turn, before drawing; who is out already cannot drop again.

    After the last missed turn allowed a drop only says what has happened already.
    """
    seat = table.seats.get(event.seat)
    if table.blind or (seat is not None and seat.state in ("missed", "left")):
        return NONE
    if table.over or table.scores:
        end = after_the_end(table, event)
        on = table.played_on is not None and not table.scores
        return [*end, *_in_time(table, event)] if on else end
    return _in_time(table, event)


def _in_time(table: IndianTable, event: Drop) -> Findings:
    seat = table.seats.get(event.seat)
    if seat is None or seat.state == "out":
        return (table.found("out-of-turn", event, seat=event.seat, expected=table.turn),)
    if seat.state in ("dropped", "wrong") and table.say_once("acted-after-drop", event.seat):
        return (table.found("acted-after-drop", event, seat=event.seat, state=seat.state),)
    if seat.state != "in" or not table.law.drops:
        return NONE
    if table.turn is None:
        table.skip("drop-late", "who dealt is not in this log, so who begins is not known")
        return NONE
    if table.drawn and event.seat == table.left[table.turn]:
        return (table.found("discard-missing", event, seat=table.turn),)
    in_turn = event.seat == table.turn or event.seat in table.also
    if in_turn and not (event.seat == table.turn and table.drawn):
        return NONE
    if not table.drawn and event.seat == table.next_present():
        return NONE  # the same seats are skipped as before: that is said
    if in_turn and table.rules.flag("drop_after_draw"):
        return NONE
    when = "drawn" if in_turn or event.seat in table.pending else "turn"
    return (table.found("drop-late", event, "drop_after_draw", seat=event.seat, when=when),)


def drop(table: IndianTable, event: Drop) -> None:
    """Take the seat out of the hand at the cost of a first or a middle drop."""
    table.goes_on(event)
    seat = table.seats.get(event.seat)
    if seat is not None and seat.state == "missed" and not table.scores:
        seat.state = "dropped"  # the same drop, now said aloud: whoever acts then, acts after it
    if seat is None or seat.state != "in" or (table.over and not may_be_on(table)):
        return  # written down behind the score it ends the hand all the same
    if table.law.drops:
        first = not seat.acted and not seat.drew
        parameter = "first_drop" if first else "middle_drop"
        if table.blind:
            parameter = "middle_drop" if seat.acted else "first_drop or middle_drop"
    else:
        parameter = "no_drops_points"
    _go(table, event, "dropped", parameter)


def leave(table: IndianTable, event: Leave) -> None:
    """Take the seat of a player who has left out of the hand, at any time.

    The charge depends on whether the player had drawn a card in this hand. Whoever
    leaves between draw and discard leaves a dead hand of one card too many.
    """
    seat = table.seats.get(event.seat)
    if seat is None or seat.state != "in" or not may_be_on(table):
        return
    when = "leave_after_draw" if seat.drew else "leave_before_draw"
    if table.blind:
        both = {table.rules.choice(each) for each in ("leave_before_draw", "leave_after_draw")}
        when = when if len(both) == 1 else "leave_before_draw or leave_after_draw"
    _go(table, event, "left", charge(table, when))


def _go(table: IndianTable, event: Drop | Leave, state: str, parameter: str) -> None:
    early = isinstance(event, Drop) and table.pass_by(event.seat, event.seq, "drop-late")
    in_turn = event.seat == table.turn or early
    table.put_out(event.seat, "left" if state == "left" else "dropped", parameter, event)
    table.pending.discard(event.seat)
    table.last_discard = None
    if in_turn:
        if event.seat != table.jumper:  # the seat that was skipped may still take its turn
            table.also, table.jumper = (), None
        table.pass_on(event.seat)
    elif table.turn is not None and (isinstance(event, Drop) or event.seat in table.also):
        # Some tables go on from whoever dropped out of turn, some from whose turn it was.
        table.also, table.jumper = (table.left[event.seat],), None
    table.mark()
