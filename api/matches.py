"""Matches: the list, and one with its report and totals."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from msgspec import UNSET, Meta, UnsetType

from api import paging
from api.operations import answer, operation
from api.problems import Problem
from api.shapes import Answer, PublicId
from replays.models import MatchRow
from replays.models.people import Scope
from replays.standings import NoMatchError, as_told, match_page, standings

MatchWord = Literal["waiting", "clean", "flagged", "irregular", "failed"]


class MatchShown(Answer):
    """A match as lists show it."""

    id: PublicId
    url: str
    name: str
    source: str
    event: str
    format: str
    verdict: MatchWord
    audited: Annotated[bool, Meta(description="Whether the verdict is of its hands as they are.")]
    deals: int
    errors: int
    breaches: int
    winner: int | UnsetType = UNSET


class MatchPage(Answer):
    """A page of matches, the newest first; `next` is the cursor of the page after it."""

    matches: list[MatchShown]
    next: str | UnsetType = UNSET


class MatchWhole(MatchShown, omit_defaults=False):
    """A match with its totals by the rules, by seat, and its report (docs/report.schema.json)."""

    totals: dict[str, int] = {}
    report: dict[str, Any] = {}


class WhichMatches(paging.Paged):
    """Which matches; what is given holds for all of them."""

    verdict: MatchWord | None = None
    event: str = ""


@operation(
    scope=Scope.HANDS_READ, query=WhichMatches, answers={200: MatchPage}, problems=("bad-cursor",)
)
def match_list(request: HttpRequest, *, query: WhichMatches) -> HttpResponse:
    """List matches, the newest first."""
    page = match_page(
        request.viewer,
        verdict=query.verdict or "",
        event=query.event,
        before=paging.place_of(query.cursor, salt="matches") or 0,
        most=query.limit,
    )
    shown = MatchPage(matches=[MatchShown(**_fields(row)) for row in page.rows])
    if page.next:
        shown.next = paging.cursor_of(page.next, salt="matches")
    return answer(shown)


def _fields(row: MatchRow) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "url": reverse("api:match", args=[row.public_id]),
        "name": row.name,
        "source": row.source,
        "event": row.event,
        "format": row.format,
        "verdict": row.verdict,
        "audited": not row.is_dirty,
        "deals": row.deal_count,
        "errors": row.errors,
        "breaches": row.breaches,
        "winner": UNSET if row.winner is None else row.winner,
    }


@operation(
    scope=Scope.HANDS_READ, answers={200: MatchWhole}, problems=("not-found", "cannot-be-judged")
)
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """One match: totals and findings over its deals, as stored or worked out while it waits."""
    row = get_object_or_404(MatchRow.objects.for_user(request.viewer), public_id=public_id)
    try:
        report = standings(row, request.viewer).report
    except NoMatchError as error:
        raise Problem("cannot-be-judged", str(error)) from None
    totals = {str(seat): total for seat, total in sorted(report.totals.items())}
    (row,) = as_told(request.viewer, [row])
    return answer(MatchWhole(**_fields(row), totals=totals, report=report.to_report()))
