"""Tables to look at and to take away: the season, and lists and standings as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays import seasons
from replays.access import needs
from replays.models import HandLog, MatchRow
from replays.models.people import Scope
from replays.queries import hand_page
from replays.sheets_out import Cell, csv_response
from replays.standings import NoMatchError, Standings, match_page, standings
from replays.views.reference import FAMILY_TITLES
from replays.wording import format_words

# A list that is longer is taken away as logs, over the API.
_MOST = 20_000


@require_safe
@needs(Scope.HANDS_READ)
def season(request: HttpRequest) -> HttpResponse:
    """The table of a season: totals, wins and deals of the roster over events."""
    known = seasons.events_of(request.viewer)
    chosen = [event for event in known if event in request.GET.getlist("event")]
    ctx = {
        "games": [
            (FAMILY_TITLES.get(game.family, game.family), format_words(game.format), game)
            for game in seasons.season(request.viewer, events=chosen)
        ],
        "events": [(event, event in chosen) for event in known],
        "query": request.GET.urlencode(),
    }
    return render(request, "replays/standings.html", ctx)


@require_safe
@needs(Scope.EXPORT)
def season_csv(request: HttpRequest) -> HttpResponse:
    """The table of a season as CSV."""
    known = set(seasons.events_of(request.viewer))
    chosen = [event for event in request.GET.getlist("event") if event in known]
    header = [_("Game"), _("Format"), _("Player"), _("Matches"), _("Matches won"), _("Deals"),
              _("Deals won"), _("Points")]  # fmt: skip
    rows = (
        (game.family, game.format, line.player, line.matches, line.wins, line.deals,
         line.deals_won, line.points)
        for game in seasons.season(request.viewer, events=chosen)
        for line in game.lines
    )  # fmt: skip
    return csv_response("season", header, rows)


@require_safe
@needs(Scope.EXPORT)
def matches_csv(request: HttpRequest) -> HttpResponse:
    """The list of matches as CSV, with the filters of its page."""
    page = match_page(
        request.viewer,
        verdict=request.GET.get("verdict", "")[:10],
        event=request.GET.get("event", "")[:500],
        most=_MOST,
    )
    header = [_("Match"), _("Event"), _("Format"), _("Verdict"), _("Winner"), _("Deals"),
              _("Errors"), _("Breaches")]  # fmt: skip
    rows = (
        (row.name, row.event, row.format, row.verdict, row.winner_name, row.deal_count, row.errors,
         row.breaches)
        for row in page.rows
    )  # fmt: skip
    return csv_response("matches", header, rows)


@require_safe
@needs(Scope.EXPORT)
def hands_csv(request: HttpRequest) -> HttpResponse:
    """The list of hands as CSV, with the filters of its page."""
    page = hand_page(
        request.viewer,
        verdict=request.GET.get("verdict", "")[:12],
        code=request.GET.get("code", "")[:60],
        most=_MOST,
    )
    header = [_("Hand"), _("Event"), _("Match"), _("Deal"), _("Table"), _("Rules"), _("Verdict"),
              _("Errors"), _("Breaches"), _("Notes"), _("Came in")]  # fmt: skip
    return csv_response("hands", header, map(_hand_cells, page.rows))


def _hand_cells(log: HandLog) -> tuple[Cell, ...]:
    came = log.ingested_at.isoformat(timespec="seconds")
    return (log.name, log.event, log.match, log.deal, log.table, log.ruleset, log.verdict,
            log.errors, log.breaches, log.notes, came)  # fmt: skip


@require_safe
@needs(Scope.EXPORT)
def standings_csv(request: HttpRequest, public_id: str) -> HttpResponse:
    """The deals of a match as CSV: what each player has of it, and the totals by the rules."""
    rows = MatchRow.objects.for_user(request.viewer).select_related("club")
    row = get_object_or_404(rows, public_id=public_id)
    try:
        found = standings(row, request.viewer)
    except NoMatchError:
        raise Http404 from None
    header = [_("Deal")]
    for seat in found.seats:
        name = found.name_of(seat)
        header += [name, _("total of %(who)s") % {"who": name}]
    return csv_response(f"match-{row.public_id}", [*header, _("Findings")], _deals(found))


def _deals(found: Standings) -> Iterator[tuple[Cell, ...]]:
    for row in found.report.rows:
        cells: list[Cell] = [row.deal]
        for seat in found.seats:
            cells += [row.points.get(seat), row.totals.get(seat)]
        yield (*cells, " ".join(finding.code for finding in found.at(row.hand)))
