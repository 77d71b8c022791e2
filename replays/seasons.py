"""The table of a season: what the people of the roster have won over many matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from replays import sight
from replays.access import Viewer
from replays.models import MatchRow, MatchSeat, Seat

# A season of a club has some hundred matches; more than this is not added up on a page.
MOST = 5000
_MOST_EVENTS = 500


@dataclass(frozen=True, slots=True)
class Line:
    """What one player of the roster has over the matches of one game."""

    player: str
    matches: int
    wins: int
    deals: int
    deals_won: int
    points: int


@dataclass(frozen=True, slots=True)
class Game:
    """The table of one game and format: points of different games cannot be added up.

    ``loose`` are seats of matches that no player of the roster is known to have had.
    """

    family: str
    format: str
    lines: list[Line] = field(default_factory=list)
    loose: int = 0


def events_of(viewer: Viewer) -> list[str]:
    """Return the events that have matches, newest first."""
    rows = MatchRow.objects.for_user(viewer).order_by("-id").values_list("event", flat=True)
    return list(dict.fromkeys(rows[:MOST]))[:_MOST_EVENTS]


def season(viewer: Viewer, *, events: Sequence[str] = ()) -> list[Game]:
    """Return the tables over these events, or over all: three queries, whatever their number.

    A player is who the roster says has the seat, at whatever table. Waiting matches count
    as their last audit left them; one with a hand that is not open to this person does not yet.
    """
    rows = MatchRow.objects.for_user(viewer).exclude(verdict__in=("waiting", "failed"))
    rows = rows.exclude(sight.closed_match(viewer))
    sat = Seat.objects.for_user(viewer).filter(player__isnull=False).exclude(log__match="")
    if events:
        rows, sat = rows.filter(event__in=events), sat.filter(log__event__in=events)
    matches = {row.pk: row for row in rows.defer("report").order_by("-id")[:MOST]}
    # Those of other matches are not asked for: a platform has many more than are added up.
    sat = sat.filter(log__match__in={row.name for row in matches.values()})
    people: dict[tuple[str, str, str, int], dict[int, str]] = {}
    for source, event, match, seat, pk, name in sat.values_list(
        "log__source", "log__event", "log__match", "seat", "player", "player__name"
    ).distinct():
        people.setdefault((source, event, match, seat), {})[pk] = name
    seats = MatchSeat.objects.for_user(viewer).filter(match__in=list(matches)).order_by("pk")
    totals: dict[tuple[str, str], dict[tuple[int, str], Counter[str]]] = {}
    loose = Counter[tuple[str, str]]()
    for seat in seats:
        row = matches[seat.match_id]
        game = (row.family, row.format)
        table = totals.setdefault(game, {})
        who = people.get((row.source, row.event, row.name, seat.seat), {})
        if len(who) != 1:
            # Nobody, or two people in one seat: whose points these are is not known.
            loose[game] += 1
            continue
        ((pk, name),) = who.items()
        table.setdefault((pk, name), Counter()).update(
            matches=1,
            wins=int(seat.won),
            deals=seat.deal_count,
            deals_won=seat.deals_won,
            points=seat.points,
        )
    return [
        Game(family, form, _lines(table), loose[family, form])
        for (family, form), table in sorted(totals.items())
    ]


def _lines(table: dict[tuple[int, str], Counter[str]]) -> list[Line]:
    lines = [
        Line(name, *(count[key] for key in ("matches", "wins", "deals", "deals_won", "points")))
        for (_pk, name), count in table.items()
    ]
    return sorted(lines, key=lambda line: (-line.wins, -line.deals_won, line.player))
