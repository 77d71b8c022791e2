"""What is called out: going rummy, and a stalemate."""

from __future__ import annotations

from typing import Any, NamedTuple

from rummy_audit.rhl.records import Call
from rummy_audit.rules.families.basic.readings import fits
from rummy_audit.rules.families.basic.table import BasicTable, Course
from rummy_audit.rules.findings import NONE, Finding, Findings

# Two cards: with the one drawn and the one discarded no meld of three is left.
FEW = 2


class Why(NamedTuple):
    """Why a call is wrong: the parameter behind it, and what its sentence names."""

    parameter: str
    data: dict[str, Any]


def rummy_hopeless(table: BasicTable, event: Call) -> Why | None:
    """Say why a call of rummy is wrong already, or None while the turn may bear it out."""
    if not table.live:
        return None
    seat, ended = event.seat, table.ended
    course = table.seat_course(seat)
    if ended is not None and ended.outcome == "won" and ended.winner == seat:
        return None if ended.rummy else _why_not(table, seat)
    if ended is not None:
        return Why("going_rummy", {"over": ended.seq})
    if not course.drawn and table.turn is not None and seat not in (table.turn, table.also):
        return Why("going_rummy", {"turn_of": table.turn})
    if course.laid_before:
        return Why("going_rummy", {"earlier": course.turns})
    begun = course.drawn or course.melds or course.layoffs
    turn = course.turns if begun else course.turns + 1
    if turn <= 1 and not table.settings.first_turn:
        return Why("rummy_first_turn", {"turn": turn})
    return None


def _why_not(table: BasicTable, seat: int) -> Why:
    """Say why a player who went out did not go rummy; asked once the turn is over."""
    course = table.seat_course(seat)
    if course.laid_before:
        return Why("going_rummy", {"earlier": course.turns})
    if course.layoffs and not table.settings.with_layoffs:
        return Why("rummy_with_layoffs", {"layoffs": course.layoffs})
    return Why("rummy_first_turn", {"turn": course.turns})


def rummy_called_rightly(table: BasicTable, event: Call) -> Findings:
    """Rummy is called by a player who gets rid of the whole hand on this one turn.

    What only the end of the turn shows is found there (``rummy_borne_out``).
    """
    if event.what != "rummy" or not table.live:
        return NONE
    why = rummy_hopeless(table, event)
    return [_wrong(table, event.seq, event.seat, why)] if why else NONE


def rummy_borne_out(table: BasicTable) -> list[Finding]:
    """Judge the calls of rummy that their turn had to bear out, once it has ended."""
    found = []
    for seq, seat, turn in table.calls:
        course, ended = table.seat_course(seat), table.ended
        if table.may_be_out(seat):
            table.skip("rummy-call-wrong", "a discard that was found missing may have been made")
            continue
        if ended is None and course.turns == turn and _may_be_the_last(table, seat):
            table.skip("rummy-call-wrong", "how many cards the seat holds is not in this log")
            continue
        if ended is not None and ended.winner == seat and course.turns == turn:
            if not ended.rummy:
                found.append(_wrong(table, seq, seat, _why_not(table, seat)))
        elif ended is not None or course.turns > turn or (course.turns == turn and _passed(course)):
            left = Why("going_rummy", {"left": course.size} if table.counted(seat) else {})
            found.append(_wrong(table, seq, seat, left))
    return found


def _may_be_the_last(table: BasicTable, seat: int) -> bool:
    """Whether a seat of unknown cards may have gone out: nobody has begun a turn after it."""
    after = table.next_seat(seat)
    if table.counted(seat) or after is None or table.turn != after:
        return False
    return not table.seat_course(after).drawn


def _passed(course: Course) -> bool:
    return not course.drawn and not course.undrawn


def _wrong(table: BasicTable, seq: int, seat: int, why: Why) -> Finding:
    return table.found("rummy-call-wrong", seq, why.parameter, seat=seat, **why.data)


def why_no_stalemate(table: BasicTable) -> Why | None:
    """Say why a stalemate called now does not stand; None where it does or nobody can tell."""
    rule = table.settings.stalemate
    if rule == "never":
        return Why("stalemate_call", {})
    if rule == "table" or not table.live or not table.playing:
        return None
    if not all(table.counted(seat) for seat in table.playing):
        return None
    most = max(table.seat_course(seat).at_rest for seat in table.playing)
    if rule == "after-exhaustion":
        drawn = [seat for seat in table.playing if table.seat_course(seat).drawn]
        if drawn:
            return Why("stalemate_call", {"drawn": drawn[0]})
        if table.small:
            return (
                None
                if table.ripe or table.may_be_empty
                else Why("stalemate_call", {"stock": table.stock})
            )
        return Why("stalemate_call", {"most": most})
    if most > FEW:
        return Why("stalemate_call", {"most": most})
    return _can_still_lay(table)


def _can_still_lay(table: BasicTable) -> Why | None:
    """Every card that is in no meld is in a hand, the stock or the pile, wherever it is."""
    melded: dict[str, int] = {}
    for laid in table.melds:
        for card in laid.cards:
            melded[card] = melded.get(card, 0) + 1
    rules = table.settings.groups
    for card, copies in table.pack.items():
        if melded.get(card, 0) >= copies:
            continue
        for laid in table.melds:
            if laid.readings and fits(laid.readings, card, rules):
                return Why("stalemate_call", {"card": card, "meld": laid.number})
    return None


def stalemate_stands(table: BasicTable, event: Call) -> Findings:
    """A stalemate may be called when nobody can go out any more; nobody scores then.

    Who calls it after the stock ran out does so on the own turn.
    """
    if event.what != "stalemate" or not table.live:
        return NONE
    seat, ended = event.seat, table.ended
    if ended is not None and ended.outcome != "won":
        return NONE
    if not all(table.counted(each) for each in table.playing):
        table.skip("stalemate-premature", "not every hand was counted")
    won = Why("stalemate_call", {"winner": ended.winner}) if ended is not None else None
    why = won or why_no_stalemate(table)
    if why:
        return [table.found("stalemate-premature", event, why.parameter, seat=seat, **why.data)]
    on_turn = table.turn in (None, seat) or table.also == seat
    if table.settings.stalemate == "after-exhaustion" and not on_turn:
        return [table.found("out-of-turn", event, "stalemate_call", seat=seat, expected=table.turn)]
    return NONE
