"""The upcard offer: to the non-dealer, then to the dealer, then the stock.

003 Gameplay: whoever takes the upcard has drawn; refused by both it stays, and the
non-dealer draws the top card of the stock.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Discard, Draw, Pass
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import NONE, Findings


def draws_by_the_offer(table: GinTable, event: Draw) -> Findings:
    """Who is offered the upcard takes it or passes; after both passed the stock is next.

    003 Premature Play: a draw before the dealer has refused a passed upcard stands.
    """
    in_order = table.turn in (None, event.seat)
    wanted = "discard" if table.offer == "offer" else "stock"
    if in_order and event.from_ in (wanted, "exposed"):
        return NONE
    if in_order and table.offer == "offer" and event.seat == table.starter and table.refused:
        # The dealer passed too early, which was found: with this draw the non-dealer passes too.
        return NONE
    if _passed_twice(table, event):
        return NONE
    if wanted == event.from_ == "discard" and passed_for_the_other(table, event):
        return NONE
    return _slip(table, event)


def _passed_twice(table: GinTable, event: Draw) -> bool:
    """Whether the non-dealer, who passed for the dealer too, which was found, draws after that."""
    slip, seat = table.slip, event.seat
    twice = slip is not None and slip[0] == seat == table.starter and seat in table.refused
    return twice and event.from_ == "stock" and table.offer == "offer"


def passes_by_the_offer(table: GinTable, event: Pass) -> Findings:
    """Only who is being offered the upcard can refuse it."""
    in_order = table.turn in (None, event.seat) or passed_for_the_other(table, event)
    if table.offer == "offer" and in_order:
        return NONE
    return _slip(table, event)


def passed_for_the_other(table: GinTable, event: Draw | Pass) -> bool:
    """Whether the dealer answers now: the pass before, found too early, was the non-dealer's."""
    early = table.slip is not None and table.slip[0] == event.seat != table.starter
    return early and event.seat in table.refused and table.starter not in table.refused


def refuses_late(table: GinTable, seat: int) -> bool:
    """Whether a pass only follows late on the draw that showed it missing: one slip."""
    turn, slip = table.turn, table.slip
    early = slip is not None and slip[0] == turn and slip[1] == table.first_draw
    return early and turn in table.drawn and seat != turn and seat not in table.refused


def discards_by_the_offer(table: GinTable, event: Discard) -> Findings:
    """Nobody discards before a card was drawn: by the seat whose draw is due, it is missing."""
    if table.turn in (None, event.seat):
        return (table.found("draw-missing", event, seat=event.seat, card=event.card),)
    return _slip(table, event)


def _slip(table: GinTable, event: Draw | Pass | Discard) -> Findings:
    table.slip = (event.seat, event.seq)
    return (
        table.found("upcard-order", event, "upcard_offer", seat=event.seat, expected=table.turn),
    )
