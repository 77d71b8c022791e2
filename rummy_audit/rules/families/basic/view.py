"""What a step of basic rummy shows: hands, stock, pile, and the melds with who laid what."""

from __future__ import annotations

from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.families.basic.show import shown_cards
from rummy_audit.rules.families.basic.table import UNCOUNTED, BasicTable, Laid
from rummy_audit.rules.groups import read_group
from rummy_audit.rules.view import GroupView, MeldView, SeatView, TableView


def view(table: BasicTable) -> TableView:
    """Return the table as it stands, frozen."""
    return TableView(
        seats=tuple(_seat(table, seat) for seat in table.order),
        turn=None if table.ended is not None else table.turn,
        stock=table.stock,
        pile=tuple(table.pile),
        melds=tuple(_meld(table, laid) for laid in table.melds),
        scores=_scores(table),
    )


def _scores(table: BasicTable) -> dict[str, int]:
    if not table.scores or table.scores[-1].points is None:
        return {}
    return {str(seat): points for seat, points in sorted(table.scores[-1].points.items())}


def _seat(table: BasicTable, seat: int) -> SeatView:
    hand = table.hands[seat]
    unknown = hand.unknown - hand.gone
    ended = table.ended
    state = "in"
    if ended is not None and ended.winner == seat:
        state = "won"
    elif table.deals and seat not in table.playing:
        state = "out"
    event = table.shows.get(seat)
    groups = () if event is None else (event.groups or ())
    return SeatView(
        seat=seat,
        state=state,
        cards=hand.cards(),
        unknown=unknown if 0 < unknown < UNCOUNTED // 2 else 0,
        public=hand.open_cards(),
        groups=tuple(_group(table, group) for group in groups),
        loose=() if event is None else shown_cards(event)[sum(map(len, groups)) :],
    )


def _group(table: BasicTable, cards: tuple[str, ...]) -> GroupView:
    reading = read_group(cards, table.settings.groups)
    return GroupView(
        cards=cards,
        kind=kind_of(reading.kind),
        stands_for=reading.places if JOKER in cards else (),
        codes=tuple(breach.code for breach in reading.breaches),
    )


def kind_of(kind: str) -> str:
    """Return the kind of a group where purity is nothing: sequence, set or invalid."""
    return "sequence" if kind.endswith("sequence") else kind


def _meld(table: BasicTable, laid: Laid) -> MeldView:
    faces = laid.readings[0] if laid.readings else ()
    kind = kind_of(read_group(faces or laid.cards, table.settings.groups).kind)
    return MeldView(
        number=laid.number,
        cards=tuple(laid.cards),
        kind=kind if laid.readings else "invalid",
        seat=laid.seat,
        added=tuple(laid.added),
        stands_for=faces if JOKER in laid.cards else (),
    )
