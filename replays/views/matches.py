"""The page of a match: deals, totals, who is out, and where the sheet went wrong."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays import viewing, wording
from replays.access import needs
from replays.models import HandLog
from replays.models.people import Scope
from replays.standings import Standings, as_report, standings


def _get_standings_for_user(request: HttpRequest, public_id: str) -> tuple[HandLog, Standings]:
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    found = standings(request.viewer, log)
    if found is None:
        raise Http404
    return log, found


@require_safe
@needs(Scope.HANDS_READ)
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """The match that a hand belongs to."""
    log, found = _get_standings_for_user(request, public_id)
    seats = sorted({*found.names, *found.report.totals})
    ctx = {
        "title": log.match,
        "report": found.report,
        "players": [(seat, _name(found, seat)) for seat in seats],
        "rows": [_row(found, row, seats) for row in found.report.rows],
        "totals": [found.report.totals.get(seat) for seat in seats],
        "winner": _name(found, found.report.winner) if found.report.winner else "",
        "findings": [
            {
                "hand": found.logs.get(placed.hand),
                "item": viewing.finding_item(placed.finding, found.report.family, found.names),
            }
            for placed in found.report.findings
        ],
        "hand": log,
    }
    return render(request, "replays/match.html", ctx)


def _name(found: Standings, seat: int) -> str:
    return found.names.get(seat) or _("seat %(seat)s") % {"seat": seat}


def _row(found: Standings, row: Any, seats: list[int]) -> dict[str, Any]:
    wrong = {
        seat
        for seat in seats
        if seat in row.totals
        and seat in row.recorded_totals
        and row.totals[seat] != row.recorded_totals[seat]
    }
    return {
        "hand": found.logs.get(row.hand),
        "deal": row.deal if row.deal is not None else "",
        "cells": [
            {
                "points": row.points.get(seat),
                "total": row.totals.get(seat),
                "recorded": row.recorded_totals.get(seat),
                "differs": seat in wrong,
                "out": seat in row.out,
            }
            for seat in seats
        ],
        "wrong": [wording.named(f"seat {seat}", found.names) for seat in sorted(wrong)],
    }


@require_safe
@needs(Scope.HANDS_READ)
def match_report(request: HttpRequest, public_id: str) -> HttpResponse:
    """The report of the match as data."""
    _log, found = _get_standings_for_user(request, public_id)
    return HttpResponse(as_report(found), content_type="application/json")
