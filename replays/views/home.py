"""The first page: for a newcomer three doors; for a member what waits; and what is new."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Count, F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from replays.access import Viewer
from replays.cases import desk
from replays.models import Case, DealEntry
from replays.models.cases import State
from replays.models.people import Scope
from replays.queries import newest_hands

_NEW = 8
_CASES = 5
_TABLES = 5
# Older deals that nobody confirmed are of no evening that still goes on.
_DAYS = 7


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what to do first, what waits for this person, and the newest verdicts they may see."""
    mine = _cases(request.viewer)
    ctx = {
        "to_decide": _to_decide(request.viewer),
        "to_confirm": _to_confirm(request.viewer),
        "hands": newest_hands(request.viewer, most=_NEW),
        "cases": mine[:_CASES],
        "more_cases": len(mine) > _CASES,
    }
    return render(request, "replays/home.html", ctx)


def _cases(viewer: Viewer) -> list[desk.Waiting]:
    """Return the cases that concern somebody and are not over, what is due first."""
    if viewer.user is None or not viewer.may(Scope.CASES_READ):
        return []
    rows = desk.queue(viewer, only="mine")
    return [row for row in rows if row.case.runs or row.case.state == State.DRAFT]


def _to_decide(viewer: Viewer) -> int:
    """Return how many cases wait for a referee, for one who may decide them."""
    if viewer.user is None or not viewer.may(Scope.CASES_DECIDE):
        return 0
    waiting = Case.objects.for_user(viewer).filter(state__in=(State.OPEN, State.APPEALED))
    return waiting.filter(holder=None).count()


def _to_confirm(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the tables of these days with deals that nobody has confirmed, the newest first."""
    if viewer.user is None or not viewer.may(Scope.HANDS_WRITE):
        return []
    since = timezone.localdate() - timedelta(days=_DAYS)
    entered = DealEntry.objects.for_user(viewer).filter(
        taken_back=False, match__locked_at=None, match__table__evening__date__gte=since
    )
    by_table = entered.exclude(confirmed_version=F("log__version")).values(
        evening=F("match__table__evening__name"),
        table=F("match__table__name"),
        table_id=F("match__table__public_id"),
        date=F("match__table__evening__date"),
    )
    return list(by_table.annotate(count=Count("pk")).order_by("-date", "table_id")[:_TABLES])
