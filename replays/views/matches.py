"""Pages of matches: the list, one match with its deals and totals, and its report."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays import decisions, finding_items
from replays.access import needs
from replays.cases import desk_of
from replays.models import HandLog, MatchRow
from replays.models.matches import MatchVerdict
from replays.models.people import Scope
from replays.standings import (
    TROUBLED,
    NoMatchError,
    Standings,
    flagged_deals,
    match_of,
    match_page,
    standings,
)
from replays.views.cases import case_about
from replays.wording import format_words
from rummy_audit.rules.matches import Row

_CURSOR = re.compile(r"[0-9]{1,18}")


@require_safe
@needs(Scope.HANDS_READ)
def match_list(request: HttpRequest) -> HttpResponse:
    """Matches newest first, by verdict or event, a page at a time."""
    verdict = request.GET.get("verdict", "")
    if verdict not in MatchVerdict.values:
        verdict = ""
    event = request.GET.get("event", "")[:500]
    before = request.GET.get("before", "")
    cursor = int(before) if _CURSOR.fullmatch(before) else 0
    page = match_page(request.viewer, verdict=verdict, event=event, before=cursor)
    chosen = {key: value for key, value in (("verdict", verdict), ("event", event)) if value}
    flagged = flagged_deals(request.viewer, page.rows)
    ctx = {
        "matches": [(row, format_words(row.format), flagged.get(row.pk)) for row in page.rows],
        "next": urlencode({**chosen, "before": page.next}) if page.next else "",
        "chosen": urlencode(chosen),
        "verdict": verdict,
        "event": event,
        "filtered": bool(chosen or cursor),
        "verdicts": MatchVerdict.choices,
    }
    return render(request, "replays/matches.html", ctx)


@require_safe
@needs(Scope.HANDS_READ)
def hand_match(request: HttpRequest, public_id: str) -> HttpResponse:
    """The match that a hand belongs to, at its own address."""
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    row = match_of(log)
    if row is None:
        raise Http404
    return redirect("match", row.public_id)


def _get_match_for_user(request: HttpRequest, public_id: str) -> MatchRow:
    return get_object_or_404(
        MatchRow.objects.for_user(request.viewer).select_related("club"), public_id=public_id
    )


@require_safe
@needs(Scope.HANDS_READ)
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """A match: verdict, deals, totals recorded and by the rules, and who is out when."""
    row = _get_match_for_user(request, public_id)
    decided = decisions.of_match(row)
    by_decision = bool(decided) and _by_decision(request, row)
    try:
        ruled = decisions.laid_over(decided) if by_decision else None
        found = standings(row, request.viewer, ruled=ruled)
    except NoMatchError as error:
        ctx = {"row": row, "title": row.name, "reason": str(error)}
        return render(request, "replays/match.html", ctx)
    ctx = _context(row, found, disputes=request.viewer.may(Scope.CASES_WRITE))
    ctx |= {"by_decision": by_decision, "decided": [decided[pk] for pk in sorted(decided)]}
    return render(request, "replays/match.html", ctx)


def _by_decision(request: HttpRequest, row: MatchRow) -> bool:
    """Whether decided scores count: as the address says, else as the club has it."""
    asked = request.GET.get("by", "")
    return asked == "decision" if asked else desk_of(row.club).by_decided


@require_safe
@needs(Scope.HANDS_READ)
def match_report(request: HttpRequest, public_id: str) -> HttpResponse:
    """The report of the match as data."""
    row = _get_match_for_user(request, public_id)
    decided = decisions.of_match(row) if request.GET.get("by") == "decision" else {}
    try:
        ruled = decisions.laid_over(decided)
        return JsonResponse(standings(row, request.viewer, ruled=ruled).shown.to_report())
    except NoMatchError:
        raise Http404 from None


def _context(row: MatchRow, found: Standings, *, disputes: bool) -> dict[str, Any]:
    report = found.report
    seats = found.seats
    names = [found.name_of(seat) for seat in seats]
    from replays import match_charts  # noqa: PLC0415 - drawing takes its time to load

    return {
        "row": row,
        "title": row.name,
        "waiting": not found.fresh,
        "format": format_words(found.format),
        "report": report,
        "verdict_label": MatchVerdict(report.verdict).label,
        "sentence": _sentence(found),
        "flagged": sum(log.verdict in TROUBLED for log in found.logs.values()),
        "names": names,
        "rows": [
            _row(found, each, seats) | {"dispute": _dispute(found, each.hand) if disputes else ""}
            for each in report.rows
        ],
        "totals": [report.totals.get(seat) for seat in seats],
        "chart": match_charts.totals_chart(report.rows, seats, names, limit=found.limit),
        "money": [
            {"hand": log, "amounts": [amounts.get(seat) for seat in seats]}
            for log, amounts in (found.money() if row.club.money else ())
        ],
        "findings": [
            {
                "hand": found.logs.get(placed.hand),
                "item": finding_items.finding_item(placed.finding, report.family, found.names),
                "dispute": _dispute(found, placed.hand) if disputes else "",
            }
            for placed in found.shown.findings
        ],
        "left_out": len(report.findings) - len(found.shown.findings),
    }


def _dispute(found: Standings, hand: Any) -> str:
    """Return where a case about a total, an elimination or the winner is opened."""
    log = found.logs.get(hand)
    return f"{case_about(log)}&kind=total" if log else ""


def _sentence(found: Standings) -> str:
    """Return what there is to say first: who has won, else who is still in."""
    report = found.report
    if report.winner is not None:
        return _("%(who)s has won.") % {"who": found.name_of(report.winner)}
    out = report.rows[-1].out if report.rows else ()
    if not out:
        return _("The match is not over.")
    still = [found.name_of(seat) for seat in found.seats if seat not in out]
    return _("The match is not over. Still in: %(who)s.") % {"who": ", ".join(still)}


def _row(found: Standings, row: Row, seats: list[int]) -> dict[str, Any]:
    """Return one deal of the grid: a cell a seat, and its hand's verdict."""
    wrong = {finding.seat for finding in found.at(row.hand) if finding.code == "total-wrong"}
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
        "found": [
            {
                "shape": finding_items.SHAPES[each.severity],
                "code": each.code,
                "severity": each.severity,
            }
            for each in found.at(row.hand)
        ],
    }
