"""Taking data out: everything line by line, and lists as tables for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from msgspec import Meta

from api import paging
from api.hands_out import Search
from api.moments import Moment
from api.operations import answer, operation
from api.problems import Problem
from replays import export, money, outbox, search, sheets_out, sight
from replays.models import FindingRow, HandLog
from replays.models.people import Scope

NDJSON = "application/x-ndjson"
CSV = "text/csv"
_MOST_ROWS = 10_000


class What(msgspec.Struct):
    """What to take out."""

    kinds: Annotated[
        str,
        Meta(
            description="What, with commas between: log, report, finding.",
            examples=["log,report"],
        ),
    ] = "log,report,finding"
    since: Annotated[Moment, Meta(description="Judged at or after.")] | None = None
    until: Annotated[Moment, Meta(description="Judged before.")] | None = None
    cursor: paging.Cursor = ""


EXAMPLE = (
    '{"kind":"log","about":{"hand":"7k2m9qxw4tbd3hnp",…},"records":[{"type":"hand",…},…]}\n'
    '{"kind":"report","about":{…},"report":{…}}\n'
    '{"kind":"end","next":"NDI:1uX…"}\n'
)


@operation(
    scope=Scope.EXPORT,
    query=What,
    answers={200: (NDJSON,)},
    produces=(NDJSON,),
    problems=("bad-cursor",),
    examples={"200": {NDJSON: EXAMPLE}},
)
def everything(request: HttpRequest, *, query: What) -> HttpResponse:
    """Take out logs, reports and findings of hands that have ended, a line each.

    A line of the kind `cursor` says how far it has come; the last one is of the kind `end`.
    Its `next` as the cursor gives what is new and what has changed since. An answer without
    the last line broke off: go on from its last cursor. `records` of a log, a line each, can
    be sent to `POST /hands` as they are.
    """
    kinds = dict.fromkeys(filter(None, query.kinds.split(",")))
    if not kinds or not set(kinds) <= set(export.KINDS):
        why = _("Take some of %(known)s.") % {"known": ", ".join(export.KINDS)}
        raise Problem("bad-parameter", why, place={"parameter": "kinds"})
    after = paging.place_of(query.cursor, salt="export") or 0
    pieces = export.export(
        request.viewer, kinds=kinds, after=after, since=query.since, until=query.until
    )
    response = StreamingHttpResponse(_lines(pieces, after), content_type=NDJSON)
    response["Cache-Control"] = "private, no-store"
    return response


def _lines(pieces: Iterator[export.Piece], place: int) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.lines
        place = piece.place
        yield _mark("cursor", place)
    yield _mark("end", place)


def _mark(kind: str, place: int) -> bytes:
    told = {"kind": kind, "next": paging.cursor_of(place, salt="export")}
    return msgspec.json.encode(told) + b"\n"


# --- lists as tables ---------------------------------------------------------------------------


class Listed(Search):
    """Which hands."""

    limit: Annotated[int, Meta(ge=1, le=_MOST_ROWS, description="How many at most.")] = _MOST_ROWS


_HANDS = (
    "public_id",
    "name",
    "source",
    "event",
    "table",
    "match",
    "deal",
    "ruleset",
    "detail",
    "ingested_at",
    "verdict",
    "errors",
    "breaches",
    "notes",
)
_FINDINGS = ("number", "code", "category", "severity", "handled", "seq", "seat")


@operation(
    scope=Scope.EXPORT,
    query=Listed,
    answers={200: (CSV,)},
    produces=(CSV,),
    problems=("bad-cursor",),
)
def hands_table(request: HttpRequest, *, query: Listed) -> HttpResponse:
    """Take out the list of hands as CSV for a spreadsheet, the newest first.

    The filters are those of the list of hands; only hands that have ended are in it. No cell
    is taken for a formula. Where there are more hands than a table takes, the header `Link`
    has the address of the rest, with `rel="next"`.
    """
    rows, rest = _listed(request, query)
    told = [[_cell(getattr(log, name)) for name in _HANDS] for log in rows]
    return _table(_HANDS, told, rest)


@operation(
    scope=Scope.EXPORT,
    query=Listed,
    answers={200: (CSV,)},
    produces=(CSV,),
    problems=("bad-cursor",),
)
def findings_table(request: HttpRequest, *, query: Listed) -> HttpResponse:
    """Take out the findings of those hands as CSV, a row each; `Link` as there."""
    listed, rest = _listed(request, query)
    rows = {log.pk: log for log in listed}
    mine = HandLog.objects.for_user(request.viewer)
    whole = mine.filter(sight.opened(request.viewer), pk__in=rows)
    found = FindingRow.objects.for_user(request.viewer).filter(log__in=whole)
    if not money.shown_to(request.viewer):
        found = found.exclude(code__in=money.CODES)
    told = [
        [
            *(_cell(value) for value in (rows[pk].public_id, rows[pk].name, rows[pk].event)),
            *map(_cell, rest),
        ]
        for pk, *rest in found.order_by("-log_id", "number").values_list("log_id", *_FINDINGS)
    ]
    return _table(("hand", "name", "event", *_FINDINGS), told, rest)


def _listed(request: HttpRequest, query: Listed) -> tuple[list[HandLog], str]:
    """Return the hands of a table, and the address of the rest: empty where there is none."""
    wanted = search.Wanted(**{name: getattr(query, name) for name in search.FIELDS})
    before = paging.place_of(query.cursor, salt="hands")
    found = search.hands(request.viewer, wanted, before=before, most=query.limit + 1)
    page, more = paging.cut(found, query.limit)
    rest = ""
    if more:
        asked = request.GET.copy()
        asked["cursor"] = paging.cursor_of(page[-1].pk, salt="hands")
        rest = f"{request.path}?{asked.urlencode()}"
    return [log for log in sight.as_listed(request.viewer, page) if not log.is_open], rest


def _table(header: Sequence[str], rows: Iterable[Sequence[object]], rest: str) -> HttpResponse:
    headers = {"Link": f'<{rest}>; rel="next"'} if rest else {}
    body = sheets_out.csv_of(header, rows)
    return answer(body, media_type=f"{CSV}; charset=utf-8", headers=headers)


def _cell(value: object) -> str | int | None:
    if isinstance(value, datetime):
        return outbox.as_text(value)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)
