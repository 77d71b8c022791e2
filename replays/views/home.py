"""The first page: for a newcomer three doors; for a member what waits; and what is new."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from replays.access import Viewer
from replays.cases import desk
from replays.models.cases import State
from replays.models.people import Scope
from replays.queries import newest_hands

_NEW = 8
_CASES = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what to do first, what waits for this person, and the newest verdicts they may see."""
    mine = _cases(request.viewer)
    ctx = {
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
