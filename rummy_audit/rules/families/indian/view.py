"""What a step of Indian rummy shows: the table, frozen."""

from __future__ import annotations

from rummy_audit.rhl.records import Declare, Show
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.groups import Reading
from rummy_audit.rules.view import GroupView, SeatView, TableView

STATES = {"in": "in", "missed": "dropped", "dropped": "dropped", "left": "left", "wrong": "wrong"}


def view(table: IndianTable) -> TableView:
    """Return the table as it stands: seats, stock, open pile, wild joker, what was shown."""
    scores = table.scores[-1].points if table.scores else None
    return TableView(
        seats=tuple(_seat(table, number) for number in table.order),
        turn=None if table.over or table.scores else table.turn,
        stock=table.stock,
        pile=tuple(table.pile),
        wild=table.wild_card,
        scores={str(seat): scores[seat] for seat in sorted(scores)} if scores else {},
    )


def _seat(table: IndianTable, number: int) -> SeatView:
    seat, hand = table.seats[number], table.hands[number]
    groups: tuple[GroupView, ...] = ()
    loose: tuple[str, ...] = ()
    laid = _laid(table, number)
    if laid is not None:
        event, readings = laid
        groups = tuple(
            _group(cards, readings[place] if place < len(readings) else None)
            for place, cards in enumerate(event.groups or ())
        )
        loose = event.loose or ()
    return SeatView(
        seat=number,
        state=STATES.get(seat.state, seat.state),
        cards=hand.cards(),
        unknown=max(0, hand.unknown - hand.gone),
        public=hand.open_cards(),
        groups=groups,
        loose=loose,
        finish=seat.finish,
    )


def _laid(table: IndianTable, number: int) -> tuple[Declare | Show, tuple[Reading, ...]] | None:
    """Return what a seat last laid open, and how its groups read."""
    seat = table.seats[number]
    if isinstance(seat.shown, Show):
        return seat.shown, seat.count.readings if seat.count else ()
    for declared in reversed(table.declared):
        if declared.seat == number:
            return declared.event, declared.judged.readings if declared.judged else ()
    return None


def _group(cards: tuple[str, ...], reading: Reading | None) -> GroupView:
    if reading is None:
        return GroupView(cards, "invalid")
    return GroupView(
        cards=cards,
        kind=reading.kind,
        stands_for=reading.places,
        codes=tuple(breach.code for breach in reading.breaches),
    )
