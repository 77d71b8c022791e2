"""Melding and laying off: what may be put on the table, and when.

A meld is judged when it is laid and grows only by lay-offs that fit, on
anyone's meld; nobody takes a card back. An invalid one stays as a fact.
"""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Discard, Draw, Layoff, Meld
from rummy_audit.rules.families.basic.readings import extended, read_extended
from rummy_audit.rules.families.basic.show import held_of
from rummy_audit.rules.families.basic.table import NAMES, UNCOUNTED, BasicTable, Laid
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.groups import Breach, Reading, group_findings, read_group


def meld_stands(table: BasicTable, event: Meld) -> Findings:
    """A meld is a set or a run by the rules of groups.

    Of one with cards that cannot be there only that is said, when they move.
    """
    if UNKNOWN in event.cards:
        table.skip("meld-invalid", "not every card of a meld was written down")
        return NONE
    reading = read_group(event.cards, table.settings.groups)
    if reading.valid or not _may_move(table, event):
        return NONE
    parameter = NAMES.get(reading.breaches[0].parameter, reading.breaches[0].parameter)
    number = len(table.melds) + 1
    cards = list(event.cards)
    found = table.found("meld-invalid", event, parameter, seat=event.seat, cards=cards, meld=number)
    reasons = group_findings(
        reading, table.rules, cards=cards, seq=event.seq, seat=event.seat, names=NAMES
    )
    return [found, *reasons]


def layoff_fits(table: BasicTable, event: Layoff) -> Findings:
    """Cards may be laid off on any meld, as long as it stays a meld."""
    laid = _meld(table, event.meld)
    if laid is None:
        found = table.found(
            "layoff-invalid", event, seat=event.seat, cards=list(event.cards), meld=event.meld
        )
        return [found]
    if UNKNOWN in event.cards or UNKNOWN in laid.cards:
        table.skip("layoff-invalid", "not every card of a meld was written down")
        return NONE
    if laid.readings and extended(laid.readings, event.cards, table.settings.groups):
        return NONE
    breaches, misfits = _breaches(table, laid, event.cards)
    if not breaches or not _may_move(table, event):
        return NONE
    parameter = NAMES.get(breaches[0].parameter, breaches[0].parameter)
    found = table.found(
        "layoff-invalid",
        event,
        parameter,
        seat=event.seat,
        cards=misfits,
        meld=event.meld,
        on=list(laid.cards),
    )
    reasons = group_findings(
        Reading("invalid", tuple(breaches)),
        table.rules,
        cards=[*laid.cards, *misfits],
        seq=event.seq,
        seat=event.seat,
        names=NAMES,
    )
    return [found, *reasons]


def _may_move(table: BasicTable, event: Meld | Layoff) -> bool:
    """Whether the cards can be those of this hand; a draw may not have been written down."""
    if not table.live or table.may_hold_more(event.seat):
        return all(card in table.pack for card in event.cards)
    return not held_of(table, table.hand(event.seat), event.cards)[1]


def _breaches(
    table: BasicTable, laid: Laid, new: tuple[str, ...]
) -> tuple[list[Breach], list[str]]:
    """Name what each card that does not fit breaks, after those that do.

    On a meld that never stood only what the new cards add is named: the rest was
    found when it was laid.
    """
    rules = table.settings.groups
    if not laid.readings:
        before = {breach.code for breach in read_group(laid.cards, rules).breaches}
        grown = read_group((*laid.cards, *new), rules)
        breaches = [breach for breach in grown.breaches if breach.code not in before]
        return breaches, list(new)
    standing, waiting = laid.readings, list(new)
    fitting = True
    while fitting:
        fitting = False
        for card in list(waiting):
            if grown_by := extended(standing, (card,), rules):
                standing, fitting = grown_by, True
                waiting.remove(card)
    found: dict[str, Breach] = {}
    for card in waiting:
        for breach in read_extended(standing, tuple(laid.cards), card, rules).breaches:
            found.setdefault(breach.code, breach)
    return list(found.values()), waiting


def _meld(table: BasicTable, number: int) -> Laid | None:
    return table.melds[number - 1] if 1 <= number <= len(table.melds) else None


def layoff_after_own_meld(table: BasicTable, event: Layoff) -> Findings:
    """Where the rules ask for it, a player lays off only after an own meld."""
    if not table.live or not table.settings.layoff_needs_meld:
        return NONE
    if table.seat_course(event.seat).own_meld:
        return NONE
    found = table.found(
        "layoff-before-meld",
        event,
        "layoff_needs_meld",
        seat=event.seat,
        cards=list(event.cards),
        meld=event.meld,
    )
    return [found]


def melded_too_early(table: BasicTable, event: Discard | Draw) -> Findings:
    """Where melds wait for going out, a turn that lays cards must end the hand.

    Only the end of the turn shows it; the finding stands at the turn's first meld.
    """
    if not table.live or not table.settings.only_going_out or table.done:
        return NONE
    if table.waiting is not None and isinstance(event, Draw):
        return [not_allowed_yet(table, *table.waiting)]  # the hand went on
    seat = event.seat if isinstance(event, Discard) else table.turn
    if seat is None or (isinstance(event, Draw) and event.seat == seat):
        return NONE
    early = table.seat_course(seat).early
    if early is None:
        return NONE
    if isinstance(event, Discard) and not 1 < table.seat_course(seat).size < UNCOUNTED // 2:
        return NONE
    if table.may_be_out(seat):
        return NONE
    return [not_allowed_yet(table, seat, early)]


def not_allowed_yet(table: BasicTable, seat: int, seq: int) -> Finding:
    """Return the finding of a meld or lay-off before its time."""
    return table.found("meld-not-allowed-yet", seq, "meld_when", seat=seat)


def out_without_discard(table: BasicTable, event: Meld | Layoff) -> Findings:
    """Where a final discard is required, the last card must not be melded or laid off."""
    if not table.live or table.done or not table.settings.final_discard:
        return NONE
    course = table.seat_course(event.seat)
    if course.size != len(event.cards):
        return NONE
    undrawn = table.detail == "table" and not (course.drawn or course.undrawn)
    if undrawn or table.may_hold_more(event.seat):
        table.skip("out-without-discard", "a draw that was found missing may have been made")
        return NONE
    return [table.found("out-without-discard", event, "final_discard", seat=event.seat)]
