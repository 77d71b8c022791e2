"""What was wrong with the deal, and whether a hand was annulled with reason.

The rulebooks of basic rummy know no misdeal: a wrong deal is named and played on.
A table that deals again because of it has dealt with it rightly.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Hand, Irregularity, Misdeal, Void
from rummy_audit.rules.families.basic.calls import why_no_stalemate
from rummy_audit.rules.families.basic.table import BasicTable
from rummy_audit.rules.findings import NONE, Findings

NOTICED = {
    "wrong-count": "deal-count",
    "exposed-card": "deal-exposed",
    "not-shuffled": "deal-unshuffled",
    "wrong-dealer": "dealer-wrong",
}


def notices_in_the_deal(table: BasicTable, event: Irregularity) -> Findings:
    """What the table notices before the first draw is part of the deal."""
    code = NOTICED.get(event.kind)
    if code is None or table.first_draw is not None or table.ended is not None:
        return NONE
    if code == "deal-count" and is_counted(table, event.seat):
        # The log itself says how many cards were dealt: said at the deal.
        return NONE
    if event.card is None:
        return [table.found(code, event, seat=event.seat)]
    return [table.found(code, event, seat=event.seat, card=event.card)]


def is_counted(table: BasicTable, seat: int | None) -> bool:
    """Whether the log itself says how many cards a seat was dealt; None: every seat."""
    seats = table.playing if seat is None else [seat]
    return table.live and bool(table.deals) and all(table.counted(each) for each in seats)


def misdeal_with_reason(table: BasicTable, event: Misdeal) -> Findings:
    """A hand is dealt again because of the deal, or by agreement before the first draw."""
    return judge_misdeal(table, event, event.cause)


def judge_misdeal(table: BasicTable, event: Misdeal | int, cause: str | None) -> Findings:
    """Judge a misdeal by its recorded cause and by what the log shows of the deal."""
    if table.ended is not None and table.ended.outcome in ("misdeal", "void"):
        return NONE
    out = table.ended is not None and table.ended.outcome == "won"
    before_play = table.first_draw is None and not out
    if not out and _faults(table, cause):
        return NONE
    if cause in (None, "other"):
        counted = is_counted(table, None)
        if out or (counted and table.detail == "full"):
            return [table.found("misdeal-unfounded", event, recorded=cause)]
        why = "the cause is not recorded" if counted else "how many cards were dealt is not here"
        table.skip("misdeal-unfounded", why)
        return NONE
    if cause == "wrong-count":
        if is_counted(table, None):
            return [table.found("misdeal-unfounded", event, "hand_size", recorded=cause)]
        table.skip("misdeal-unfounded", "how many cards were dealt is not in this log")
        return NONE
    if cause == "stock-exhausted" or not before_play:
        return [table.found("misdeal-unfounded", event, recorded=cause)]
    return NONE


def _faults(table: BasicTable, cause: str | None) -> bool:
    """Whether the log shows something wrong with the deal, of the kind that was named."""
    kinds = set(table.faults.values())
    return bool(kinds) if cause in (None, "other") else cause in kinds


def void_with_reason(table: BasicTable, event: Void) -> Findings:
    """A hand is void by agreement, or where by the rules nobody can score any more."""
    return judge_void(table, event, event.cause)


def judge_void(table: BasicTable, event: Void | int, cause: str | None) -> Findings:
    """Judge a hand called void by its recorded cause and by the state of the table."""
    ended = table.ended
    if ended is not None and ended.outcome in ("misdeal", "void", "stalemate"):
        return NONE
    out = ended is not None and ended.outcome == "won"
    if cause == "agreed" and not out:
        return NONE
    if not out and (_blocked(table) or _faults(table, cause)):
        return NONE
    if not table.live or (table.detail != "full" and not out and cause in (None, "other")):
        table.skip("void-unfounded", "the cause is not recorded, or play was not written down")
        return NONE
    if cause == "stock-exhausted" and table.stock != 0 and table.may_be_empty:
        table.skip("void-unfounded", "the size of the stock is not known")
        return NONE
    parameter = "stock_exhausted" if cause in (None, "stock-exhausted") else None
    return [table.found("void-unfounded", event, parameter, recorded=cause)]


def _blocked(table: BasicTable) -> bool:
    """Whether nobody can go on: a stalemate that would stand, or no card left to draw."""
    if not table.live:
        return False
    if table.stock == 0 and len(table.pile) <= 1:
        return True
    return table.settings.stalemate not in ("never", "table") and why_no_stalemate(table) is None


def closed_without_a_word(table: BasicTable, hand: Hand) -> Findings:
    """An end record that annuls the hand is judged like the call it leaves out."""
    status = hand.end.status if hand.end else None
    if table.annulled is not None:
        return NONE
    if status == "misdeal":
        for seq, kind in table.faults.items():
            table.handle(seq, (NOTICED.get(kind, kind),))
        return judge_misdeal(table, 0, None)
    if status == "void":
        return judge_void(table, 0, None)
    return NONE
