"""Misdeals: what makes one, whether it was called, and whether in time.

001 Misdeals: a wrong number of cards to anyone, a card exposed in the deal, decks
that were not shuffled. Once the first player has drawn, the deal stands.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Draw, Event, Irregularity, Misdeal
from rummy_audit.rules.families.indian import deal
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.families.indian.turn import is_unsure
from rummy_audit.rules.findings import NONE, Findings

# What the table notices in the deal: the code of it, and the parameter that makes it a misdeal.
IN_THE_DEAL = {
    "wrong-count": ("deal-count", "misdeal_wrong_count"),
    "exposed-card": ("deal-exposed", "misdeal_exposed_card"),
    "not-shuffled": ("deal-unshuffled", "misdeal_not_shuffled"),
}
PARAMETERS = dict(IN_THE_DEAL.values())


def notices_in_the_deal(table: IndianTable, event: Irregularity) -> Findings:
    """What the table notices before the first draw is part of the deal.

    A wrong number of cards that the log itself counts is said at the deal.
    """
    if event.kind == "wrong-dealer":
        return (table.found("dealer-wrong", 0, "dealer_moves", seat=event.seat),)
    if event.kind not in IN_THE_DEAL or table.over or table.scores:
        return NONE
    if table.drawn_from:
        # The deal stands by then, and it did: nothing else was due.
        return (table.found("irregularity-handled", event, "deal_stands", seat=event.seat),)
    code, parameter = IN_THE_DEAL[event.kind]
    if code == "deal-count" and _is_counted(table, event.seat):
        return NONE
    if event.card is None:
        return (table.found(code, event, parameter, seat=event.seat),)
    return (table.found(code, event, parameter, seat=event.seat, card=event.card),)


def _is_counted(table: IndianTable, seat: int | None) -> bool:
    """Whether the log itself says how many cards were dealt."""
    if seat is None:
        return bool(table.deals) and all(each.dealt is not None for each in table.seats.values())
    return seat in table.seats and table.seats[seat].dealt is not None


def irregularity(table: IndianTable, event: Irregularity) -> None:
    """Note what makes a misdeal due."""
    if event.kind not in IN_THE_DEAL or table.drawn_from or table.over or table.scores:
        return
    code, _ = IN_THE_DEAL[event.kind]
    if code != "deal-count" or not _is_counted(table, event.seat):
        table.due[event.seq] = code


def opens_the_play(table: IndianTable, event: Event) -> Findings:
    """Before the first act of play the deal is closed, and the first open card lies."""
    if deal.follows_a_misdeal(table):
        deal.begin_anew(table, event)
    if table.begun:
        return NONE
    found = [*deal.closes_the_deal(table, event)]
    if not table.blind:
        found += deal.buries_a_printed_joker(table)
        # A card the log left out makes the stock one smaller than it counts.
        table.slack += (table.upcard is None) + (table.wild_card is None)
    table.begun = True
    table.mark()
    return found


def lets_the_deal_stand(table: IndianTable, event: Event) -> Findings:
    """With the first draw the deal stands: a misdeal that was due is past then."""
    if table.drawn_from:
        return NONE
    table.drawn_from = True
    if table.blind:
        _leave_open_when(table)
    found = [*is_called(table, event)]
    if not table.blind:
        found += deal.turns_a_wild_joker(table, event)
    return found


def _leave_open_when(table: IndianTable) -> None:
    """Without the play nobody can tell whether something was noticed in the deal or later."""
    dealt = {deal.seq for deal in table.deals}
    for seq in [seq for seq in table.due if seq not in dealt]:
        code = table.due.pop(seq)
        table.take_back(code, seq)
        table.skip(code, "whether it was noticed before the first draw is not in this log")


def is_called(table: IndianTable, event: Event) -> Findings:
    """A misdeal that is due is called before the first player draws."""
    due = [code for code in table.due.values() if table.rules.flag(PARAMETERS[code])]
    if not due or (table.over and not is_unsure(table)) or table.scores:
        return NONE
    seat = event.seat if isinstance(event, Draw) else None
    return (
        table.found(
            "misdeal-not-called", event, PARAMETERS[due[0]], seat=seat, reasons=sorted(set(due))
        ),
    )


def calls_a_misdeal(table: IndianTable, event: Misdeal) -> Findings:
    """A misdeal is called for one of the reasons the rules know, before the first draw."""
    found = [*deal.closes_the_deal(table)]
    wrong = judge_call(table, event, event.cause)
    table.rightly_called = not wrong
    return [*found, *wrong]


def judge_call(table: IndianTable, event: Event | int, cause: str | None) -> Findings:
    """Judge a misdeal by its cause and by what the log itself shows of the deal."""
    if table.over in ("void", "misdeal"):
        return NONE
    stands = table.drawn_from and table.rules.flag("deal_stands")
    # What only stands at the end may have been called before the score was written.
    if table.over or stands or (table.scores and event):
        return (table.found("misdeal-too-late", event, "deal_stands", recorded=cause),)
    if (parameter := _reason(table, cause)) is not None:
        return (table.found("misdeal-unfounded", event, parameter, recorded=cause),)
    return NONE


def _reason(table: IndianTable, cause: str | None) -> str | None:
    """Return the parameter that speaks against a misdeal; None where it was called with reason."""
    if any(table.rules.flag(PARAMETERS[code]) for code in table.due.values()):
        return None
    if cause is None:
        counted = all(each.cards is not None or each.count is not None for each in table.deals)
        if table.detail == "full" and table.deals and counted:
            return "misdeal_wrong_count"
        table.skip("misdeal-unfounded", "the cause is not recorded")
        return None
    if cause not in IN_THE_DEAL:
        return "misdeal_wrong_count"
    _, parameter = IN_THE_DEAL[cause]
    if not table.rules.flag(parameter):
        return parameter
    if cause == "wrong-count":
        if _is_counted(table, None):
            return parameter
        table.skip("misdeal-unfounded", "how many cards were dealt is not in this log")
    return None


def misdeal(table: IndianTable, event: Misdeal) -> None:
    """End the hand: it is dealt again. What the call was for was dealt with rightly."""
    table.called = event
    if table.over or table.scores:
        return
    handle_the_deal(table)
    table.decide("misdeal", event)


def handle_the_deal(table: IndianTable) -> None:
    """Mark what a misdeal was called for in time, as the table's own doing."""
    if table.drawn_from and table.rules.flag("deal_stands"):
        return
    for seq, code in table.due.items():
        if table.rules.flag(PARAMETERS[code]):
            table.handle(seq, (code,))
