"""What the viewer sees of a table of tiles: melds as they read, and which tiles moved."""

from __future__ import annotations

from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.families.tile.melds import MeldRules, readings
from rummy_audit.rules.families.tile.show import shown_tiles
from rummy_audit.rules.families.tile.table import UNCOUNTED, Meld, TileTable
from rummy_audit.rules.families.tile.turn import moved_tiles
from rummy_audit.rules.view import MeldView, SeatView, TableView


def view_of(table: TileTable) -> TableView:
    """Return the table as it stands; ``moved`` marks the tiles of the turn just played."""
    moved = _moved(table)
    rules = table.settings.melds
    melds = []
    for number, meld in enumerate(table.melds, start=1):
        places = moved.get(meld)
        melds.append(_meld(number, meld, rules, places.pop() if places else ()))
    return TableView(
        seats=tuple(_seat(table, seat) for seat in sorted(table.hands)),
        turn=None if table.ended or table.scores else table.turn,
        stock=table.stock,
        melds=tuple(melds),
        scores=_written(table),
        notes=("The last turn was taken back.",) if table.owed is not None else (),
    )


def _written(table: TileTable) -> dict[str, int]:
    """Return the points that were last written down."""
    points = table.scores[-1].points if table.scores else None
    return {str(seat): number for seat, number in sorted((points or {}).items())}


def _moved(table: TileTable) -> dict[Meld, list[tuple[int, ...]]]:
    """Return the moved places of the melds that the last play changed."""
    turn = table.shown
    found: dict[Meld, list[tuple[int, ...]]] = {}
    if turn is not None:
        for meld, places in zip(turn.come, moved_tiles(turn.gone, turn.come), strict=True):
            found.setdefault(meld, []).append(places)
    return found


def _meld(number: int, meld: Meld, rules: MeldRules, moved: tuple[int, ...]) -> MeldView:
    ways = readings(meld, rules)
    return MeldView(
        number=number,
        cards=meld,
        kind=ways[0].kind if ways else "invalid",
        stands_for=ways[0].places if ways and JOKER in meld else (),
        moved=moved,
    )


def _seat(table: TileTable, seat: int) -> SeatView:
    hand = table.hand(seat)
    ended = table.ended
    state = "won" if ended is not None and ended.winner == seat else "in"
    if table.deals and seat not in table.playing:
        state = "out"
    unknown = hand.unknown - hand.gone
    shown = table.shows.get(seat)
    return SeatView(
        seat=seat,
        state=state,
        cards=hand.cards(),
        unknown=0 if unknown > UNCOUNTED // 2 else max(0, unknown),
        public=hand.open_cards(),
        loose=shown_tiles(table, shown) if shown is not None else (),
    )
