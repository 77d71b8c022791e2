"""What is called out: going rummy, and a stalemate."""

from __future__ import annotations

from rummy_audit.rhl.records import Call
from rummy_audit.rules.families.basic.readings import fits
from rummy_audit.rules.families.basic.table import BasicTable
from rummy_audit.rules.findings import NONE, Finding, Findings

# Two cards: with the one drawn and the one discarded no meld of three is left.
_FEW = 2


def rummy_hopeless(table: BasicTable, event: Call) -> str | None:
    """Say why a call of rummy is wrong already, or None while the turn may bear it out."""
    if not table.live:
        return None
    seat, ended = event.seat, table.ended
    course = table.seat_course(seat)
    if ended is not None and ended.outcome == "won" and ended.winner == seat:
        return None if ended.rummy else _why_not(table, seat)
    if ended is not None:
        return "the hand was over"
    if not course.drawn and seat not in (table.turn, table.also) and table.turn is not None:
        return "it was not the player's turn"
    if course.laid_before:
        return "the player had laid cards on an earlier turn"
    begun = course.drawn or course.melds or course.layoffs
    first = course.turns + (0 if begun else 1) <= 1
    if first and not table.settings.first_turn:
        return "it was the player's first turn"
    return None


def _why_not(table: BasicTable, seat: int) -> str:
    """Say why a player who went out did not go rummy; asked once the turn is over."""
    course = table.seat_course(seat)
    if course.laid_before:
        return "the player had laid cards on an earlier turn"
    if course.layoffs and not table.settings.with_layoffs:
        return "the turn used lay-offs"
    return "it was the player's first turn"


def rummy_called_rightly(table: BasicTable, event: Call) -> Findings:
    """Rummy is called by a player who gets rid of the whole hand on this one turn.

    What only the end of the turn shows is found there (``rummy_borne_out``).
    """
    if event.what != "rummy":
        return NONE
    if not table.live:
        table.skip("rummy-call-wrong", "the course of play was not written down")
        return NONE
    why = rummy_hopeless(table, event)
    return [_wrong(table, event.seq, event.seat, why)] if why else NONE


def rummy_borne_out(table: BasicTable) -> list[Finding]:
    """Judge the calls of rummy that their turn had to bear out, once it has ended."""
    found = []
    for seq, seat, turn in table.calls:
        course, ended = table.seat_course(seat), table.ended
        if ended is not None and ended.winner == seat and course.turns == turn:
            if not ended.rummy:
                found.append(_wrong(table, seq, seat, _why_not(table, seat)))
        elif ended is not None or course.turns > turn or (course.turns == turn and _passed(course)):
            found.append(_wrong(table, seq, seat, "the player did not go out on that turn"))
    return found


def _passed(course: object) -> bool:
    return not getattr(course, "drawn", False) and not getattr(course, "undrawn", False)


def _wrong(table: BasicTable, seq: int, seat: int, why: str) -> Finding:
    parameter = {
        "it was the player's first turn": "rummy_first_turn",
        "the turn used lay-offs": "rummy_with_layoffs",
    }.get(why, "going_rummy")
    return table.found("rummy-call-wrong", seq, parameter, seat=seat, why=why)


def why_no_stalemate(table: BasicTable) -> str | None:
    """Say why a stalemate called now does not stand; None where it does or nobody can tell."""
    rule = table.settings.stalemate
    if rule == "never":
        return "no stalemate can be called"
    if rule == "table" or not table.live:
        return None
    if not all(table.counted(seat) for seat in table.playing):
        return None
    if rule == "after-exhaustion":
        if any(table.seat_course(seat).drawn for seat in table.playing):
            return "a card had been drawn"
        if not table.small:
            return "a player held more than two cards"
        return None if table.ripe else "the stock had not run out since"
    if any(table.seat_course(seat).at_rest > _FEW for seat in table.playing):
        return "a player held more than two cards"
    return _can_still_lay(table)


def _can_still_lay(table: BasicTable) -> str | None:
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
                return f"{card} could still be laid off on meld {laid.number}"
    return None


def stalemate_stands(table: BasicTable, event: Call) -> Findings:
    """A stalemate may be called when nobody can go out any more; nobody scores then."""
    if event.what != "stalemate" or not table.live:
        if event.what == "stalemate":
            table.skip("stalemate-premature", "the course of play was not written down")
        return NONE
    seat, ended = event.seat, table.ended
    if ended is not None:
        if ended.outcome != "won":
            return NONE
        why: str | None = "a player had gone out"
    else:
        if not all(table.counted(each) for each in table.playing):
            table.skip("stalemate-premature", "not every hand was counted")
        why = why_no_stalemate(table)
    if why:
        return [table.found("stalemate-premature", event, "stalemate_call", seat=seat, why=why)]
    on_turn = table.turn in (None, seat) or table.also == seat
    if ended is None and table.settings.stalemate == "after-exhaustion" and not on_turn:
        return [table.found("out-of-turn", event, "stalemate_call", seat=seat, expected=table.turn)]
    return NONE
