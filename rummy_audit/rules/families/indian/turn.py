"""Turns: one draw, one discard, clockwise from the dealer's left.

While nothing is out of the ordinary one comparison answers it all (``may_draw``,
``may_discard``); what follows below is asked only then.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Deal, Declare, Discard, Draw, Drop, Event, Miss, Reshuffle
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import NONE, Findings

Act = Draw | Discard | Declare | Drop | Miss

# 001 Turn Structure Rules


def draws_in_turn(table: IndianTable, event: Draw) -> Findings:
    """Whoever's turn it is draws exactly one card before discarding."""
    if event.seat == table.may_draw:
        return NONE if event.cards is None or len(event.cards) == 1 else _second_draw(table, event)
    return _with_what_bars(table, event, _begins(table, event))


def discards_in_turn(table: IndianTable, event: Discard) -> Findings:
    """Whoever has drawn discards exactly one card, which ends the turn."""
    if event.seat == table.may_discard:
        return NONE
    return _with_what_bars(table, event, _ends(table, event))


def declares_in_turn(table: IndianTable, event: Declare) -> Findings:
    """A declaration ends the own turn of a player who has drawn."""
    if event.seat == table.may_discard:
        return NONE
    if event.seat in table.pending or table.answers_late(event.seat):
        found = _ends(table, event)
    elif event.seat in (table.turn, table.last_to_discard()):
        found = NONE  # what is wrong with it is that no card was drawn: the declaration says so
    else:
        found = _begins(table, event)
    return _with_what_bars(table, event, found)


def misses_in_turn(table: IndianTable, event: Miss) -> Findings:
    """Only the seat whose turn it is can miss it; a seat that is out misses nothing."""
    if event.seat not in table.seats or table.seats[event.seat].state != "in":
        return NONE
    if event.seat == table.turn or event.seat in table.pending:
        return NONE if not (table.over or table.scores) else _with_what_bars(table, event, NONE)
    return _with_what_bars(table, event, _begins(table, event))


def _begins(table: IndianTable, event: Act) -> Findings:
    """Say what is wrong with a turn that begins with this act."""
    seat, turn = event.seat, table.turn
    if turn is None:
        return NONE
    if seat in table.pending:
        # The draw before this one was never followed by a discard, unless it began no turn.
        missing = NONE if seat in table.strays else _discard_missing(table, event, seat)
        return missing if seat == turn else _second_draw(table, event)
    if seat == turn:
        return _second_draw(table, event) if table.drawn else NONE
    if seat in table.also or (seat == table.late and isinstance(event, Draw)):
        return NONE  # the draw that was missing comes behind its discard
    if table.drawn and seat == table.left[turn]:
        return _discard_missing(table, event, turn)
    if (owing := table.follows(seat)) is not None and isinstance(event, Draw):
        return _discard_missing(table, event, owing)
    if not table.drawn and seat == table.next_present():
        return NONE  # the same seats are skipped as before: that is said
    return _out_of_turn(table, event)


def _ends(table: IndianTable, event: Discard | Declare) -> Findings:
    """Say what is wrong with a turn that ends with this act."""
    seat = event.seat
    if table.turn is None:  # whoever begins has not drawn
        return (table.found("draw-missing", event, seat=seat, card=_thrown(event)),)
    if seat in table.pending or (table.drawn and seat == table.turn):
        return NONE
    if table.answers_late(seat) and not (table.over or table.scores):
        # The neighbour who had passed this seat by was too early, no discard was missing.
        seq, early, code = table.passed_by[seat]
        table.take_back("discard-missing", seq)
        return (table.found(code, seq, seat=early, expected=seat),)
    if seat == table.turn or seat in table.also:
        return (table.found("draw-missing", event, seat=seat, card=_thrown(event)),)
    if seat == table.last_to_discard():
        return (table.found("second-discard", event, seat=seat, card=_thrown(event)),)
    return _out_of_turn(table, event)


def _thrown(event: Discard | Declare) -> str | None:
    return event.card if isinstance(event, Discard) else event.discard


def _out_of_turn(table: IndianTable, event: Act) -> Findings:
    return (table.found("out-of-turn", event, seat=event.seat, expected=table.turn),)


def _second_draw(table: IndianTable, event: Act) -> Findings:
    return (table.found("second-draw", event, seat=event.seat),)


def _discard_missing(table: IndianTable, event: Act, seat: int) -> Findings:
    return (table.found("discard-missing", event, seat=seat),)


# Who may act at all


def _with_what_bars(table: IndianTable, event: Act, found: Findings) -> Findings:
    """Add to what is wrong with a turn what bars this seat from acting at all."""
    if table.blind:
        return NONE
    end = after_the_end(table, event) if table.over or table.scores else NONE
    if table.scores or (table.over and table.played_on is None):
        return end
    seat = table.seats.get(event.seat)
    if seat is None or seat.state == "out":
        new = table.say_once("out-of-turn", event.seat)
        return [*end, *_out_of_turn(table, event)] if new else end
    if seat.state == "in":
        return [*end, *found] if end else found
    if seat.state == "missed":
        return [*end, *_should_be_out(table, event)]
    # A seat whose right declaration was refused may do what it likes: that is said there.
    if seat.state != "won" and table.say_once("acted-after-drop", event.seat):
        return [
            *end,
            table.found("acted-after-drop", event, seat=event.seat, state=seat.state),
        ]
    return end


def moves_cards_before_the_end(table: IndianTable, event: Deal | Reshuffle) -> Findings:
    """Cards are dealt and the stock is renewed while the hand is on, or when it is dealt again."""
    if table.blind or table.called is not None or not (table.over or table.scores):
        return NONE
    return after_the_end(table, event)


def _should_be_out(table: IndianTable, event: Act) -> Findings:
    """001 Drop rules: so many missed turns in a row drop a player from the hand."""
    missing = table.found("auto-drop-missing", event, "misses_to_drop", seat=event.seat)
    in_order = table.passed is not None and event.seat == table.left_of(
        table.passed, [*table.live, event.seat]
    )
    if in_order or table.turn is None:
        return (missing,)
    return (missing, *_out_of_turn(table, event))


def is_unsure(table: IndianTable) -> bool:
    """Whether the table may not have seen that the hand is decided.

    It may have refused the declaration that decided it, or not have dropped a player who
    missed the last turn allowed.
    """
    return table.over == "declared" or (
        table.over == "alone" and any(seat.state == "missed" for seat in table.seats.values())
    )


def may_be_on(table: IndianTable) -> bool:
    """Whether play may be going on, as it does where the table refuses a declaration."""
    decided = table.over and (table.over != "declared" or table.blind)
    return not (decided or table.scores)


def after_the_end(table: IndianTable, event: Event) -> Findings:
    """Once the hand is decided or scored nobody plays on.

    After a right declaration, and where one player is left alone by missed turns, the
    table may have seen it otherwise (``played_on``): play is judged on then, and if
    another finding says what happened this one is taken back.
    """
    if is_unsure(table) and not table.scores:
        table.played_on = table.played_on or event
        if any(declared.right and declared.ruled is False for declared in table.declared):
            return NONE  # it was refused, and that is what was wrong
    elif not table.scores:
        table.played_on = None
    # Behind the score nobody plays on, whatever the table made of a declaration before.
    scored = table.scores and table.played_on is not None
    if table.say_once("event-after-end", -1 if scored else 0):
        return (table.found("event-after-end", event, seat=getattr(event, "seat", None)),)
    return NONE
