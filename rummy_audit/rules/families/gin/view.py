"""The table of gin as a step shows it."""

from __future__ import annotations

from rummy_audit.rules.families.gin.deadwood import cards_of
from rummy_audit.rules.families.gin.spread import Spread
from rummy_audit.rules.families.gin.table import GinTable, Knocked
from rummy_audit.rules.groups import Reading, read_group
from rummy_audit.rules.view import GroupView, MeldView, SeatView, TableView


def view(table: GinTable) -> TableView:
    """Return the table as it stands, frozen.

    A card thrown face down with a knock lies as ``??`` on the pile; its face stands
    with the knocker as ``finish``.
    """
    knock = table.knock
    pile = list(table.pile)
    if knock is not None and knock.fell is not None and pile:
        pile[-1] = "??"
    return TableView(
        seats=tuple(_seat(table, seat) for seat in table.order),
        turn=None if table.is_over else table.turn,
        stock=table.stock,
        pile=tuple(pile),
        melds=() if knock is None else _melds(table, knock),
        scores={} if not table.scores else _scores(table),
        notes=tuple(f"{card} lies open beside the pile." for card in table.exposed if card),
    )


def _scores(table: GinTable) -> dict[str, int]:
    points = table.scores[-1].points or {}
    return {str(seat): points[seat] for seat in sorted(points)}


def _melds(table: GinTable, knock: Knocked) -> tuple[MeldView, ...]:
    return tuple(
        MeldView(
            number=number,
            cards=cards,
            kind=_kind(read_group(cards, table.law.groups)),
            seat=knock.seat,
            added=tuple(
                (table.opponent(knock.seat) or 0, card)
                for card in cards[len(knock.spread.groups[number - 1]) :]
            ),
        )
        for number, cards in enumerate(knock.melds, 1)
    )


def _seat(table: GinTable, seat: int) -> SeatView:
    hand, state, knock = table.hands[seat], table.seats[seat], table.knock
    spread = knock.spread if knock is not None and knock.seat == seat else state.shown
    return SeatView(
        seat=seat,
        state="in" if seat in table.playing else "out",
        cards=hand.cards(),
        unknown=hand.unknown,
        public=hand.open_cards(),
        groups=() if spread is None else _groups(table, spread),
        loose=() if spread is None else cards_of(spread.loose),
        finish=knock.fell if knock is not None and knock.seat == seat else None,
    )


def _groups(table: GinTable, spread: Spread) -> tuple[GroupView, ...]:
    shown = []
    for cards in spread.groups:
        reading = read_group(cards, table.law.groups)
        shown.append(
            GroupView(
                cards=cards,
                kind=_kind(reading),
                codes=tuple(breach.code for breach in reading.breaches),
            )
        )
    return tuple(shown)


def _kind(reading: Reading) -> str:
    """Without jokers a run is neither pure nor impure."""
    return "sequence" if reading.is_sequence else reading.kind
