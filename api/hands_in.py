"""Hands come in: one, a few, or a file of many; each is answered by itself."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, BinaryIO

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta

from api import bodies, paging, problems, strict_json
from api.addresses import address_of
from api.once import once
from api.operations import JSON, answer, operation
from api.problems import Problem
from api.shapes import Extent, OutcomeShown, OutcomeWord, Place, UploadShown
from replays import sight, uploads
from replays.access import Viewer
from replays.models import Outcome, Upload
from replays.models.people import Scope
from replays.models.uploads import OUTCOMES, OutcomeKind
from rummy_audit.rhl import canonical

JSON_LINES = "application/vnd.rhl+jsonl"
TAKEN = (JSON_LINES, "application/x-ndjson", "text/plain", JSON)
_TAKEN_IN = (OutcomeKind.CREATED, OutcomeKind.APPENDED, OutcomeKind.DUPLICATE)
_DIGESTS = re.compile(r"(\d+) events, head ([0-9a-f]{64})")

Series = Annotated[str, Meta(max_length=200)]


class SeriesQuery(msgspec.Struct):
    """Under which series hands are filed that name none."""

    source: Annotated[
        Series, Meta(description="The system that writes, for hands that name none.")
    ] = ""
    event: Annotated[
        Series, Meta(description="The evening or tournament, for hands that name none.")
    ] = ""


class HandSent(msgspec.Struct, forbid_unknown_fields=True):
    """One hand as JSON: RHL records, docs/log-format.md."""

    hand: Annotated[dict[str, Any], Meta(description="The hand record.")]
    events: Annotated[list[dict[str, Any]], Meta(description="Its events, in order.")] = []
    end: Annotated[dict[str, Any], Meta(description="The end record; none: it goes on.")] | None = (
        None
    )


EXAMPLE_TEXT = """\
hand T4-17 rhl=1 ruleset=indian-13 detail=shown
player 1 Asha
player 2 Bilal
wild 7D
declare 1 4H 5H 6H 7H | 8S 9S TS | 9H 9D 9C | KD KS KH / QC
show 2 2H 3H 4H + 9S JD QD KD 2C 8H 9C 3S TD 4C
score 1=0 2=80 winner=1
end
"""


@operation(
    scope=Scope.HANDS_WRITE,
    query=SeriesQuery,
    body={JSON_LINES: None, "application/x-ndjson": None, "text/plain": None, JSON: HandSent},
    examples={"body": {"text/plain": EXAMPLE_TEXT}},
    answers={201: UploadShown, 200: UploadShown, 202: UploadShown},
    problems=("bad-encoding", "bad-json", "hand-conflict", "key-reused", "not-taken", "too-large"),
    headers={"Idempotency-Key": "The same key and body again get the same answer."},
    most_bytes=settings.UPLOAD_MOST_BYTES,
)
def hands_in(request: HttpRequest, *, query: SeriesQuery) -> HttpResponse:
    """Send hands: RHL as JSON Lines or text, or one hand as JSON.

    Up to 200 hands are taken at once (201 when one is new); of more the answer is 202, and
    the address in Location tells how far they are. The same hand again changes nothing.
    """
    kind = bodies.check_type(request, TAKEN)
    viewer = request.viewer
    most = settings.UPLOAD_MOST_BYTES if kind != JSON else bodies.MOST_JSON * 8
    with bodies.spooled(request, most=most) as body:
        content, events = body, None
        if kind == JSON:
            sent = hand_in_json(body.read())
            content, events = io.BytesIO(as_lines(sent)), len(sent.events)
        source = query.source or (viewer.key.name if viewer.key else "")
        take = partial(_take, request, content, source=source, event=query.event, events=events)
        return once(request, body, take)


def hand_in_json(body: bytes) -> HandSent:
    """Return one hand as it was sent in JSON. Raises Problem."""
    return bodies.converted(strict_json.loads(body), HandSent)


def as_lines(sent: HandSent) -> bytes:
    """Return a hand as JSON Lines: its record, its events, its end."""
    end = [] if sent.end is None else [{"type": "end", **sent.end}]
    records = [{"type": "hand", **sent.hand}, *sent.events, *end]
    return b"".join(canonical.dumps(record) + b"\n" for record in records)


def _take(
    request: HttpRequest, content: BinaryIO, *, source: str, event: str, events: int | None
) -> HttpResponse:
    """Take hands in; ``events`` is how many there are of a hand in JSON, None in other forms."""
    viewer = request.viewer
    content.seek(0)
    try:
        upload = uploads.receive(
            content, club=viewer.club, viewer=viewer, source=source, event=event
        )
    except uploads.TooLargeError:
        raise bodies.too_large(settings.UPLOAD_MOST_BYTES) from None
    shown = _shown(viewer, upload, upload.taken or (), events=events)
    counts = {word: getattr(upload, word) for word in OUTCOMES}
    if upload.finished_at is None:
        return answer(shown, status=202, headers={"Location": shown.url})
    if any(counts[word] for word in _TAKEN_IN):
        status = 201 if counts[OutcomeKind.CREATED] else 200
        return answer(shown, status=status, headers={"Location": shown.url})
    # Nothing was taken: whoever looks at the status alone must not believe it was.
    code = "hand-conflict" if counts[OutcomeKind.CONFLICT] else "not-taken"
    first = shown.outcomes[0]
    return problems.response(
        Problem(
            code,
            _found(first),
            place=msgspec.to_builtins(first.place),
            upload=shown.url,
            outcomes=msgspec.to_builtins(shown.outcomes),
        )
    )


def _found(outcome: OutcomeShown) -> str:
    return _("Found %(found)s, expected %(expected)s.") % {
        "found": outcome.found,
        "expected": outcome.expected,
    }


# --- uploads -----------------------------------------------------------------------------------


class OutcomeQuery(paging.Paged):
    """Which outcomes of an upload."""

    outcome: Annotated[OutcomeWord, Meta(description="Only these.")] | None = None


@operation(
    scope=Scope.HANDS_READ,
    query=OutcomeQuery,
    answers={200: UploadShown},
    problems=("not-found", "bad-cursor"),
)
def upload_shown(request: HttpRequest, public_id: str, *, query: OutcomeQuery) -> HttpResponse:
    """How far an upload is, and what became of its hands, in their order."""
    upload = get_object_or_404(Upload.objects.for_user(request.viewer), public_id=public_id)
    after = paging.place_of(query.cursor, salt=f"outcomes.{upload.pk}")
    rows = _rows(upload, kind=query.outcome, after=after, most=query.limit + 1)
    page, more = paging.cut(rows, query.limit)
    shown = _shown(request.viewer, upload, page)
    if more:
        shown.next = paging.cursor_of(page[-1].number, salt=f"outcomes.{upload.pk}")
    return answer(shown)


def _rows(
    upload: Upload,
    *,
    kind: str | None = None,
    after: int | None = None,
    most: int = settings.UPLOAD_AT_ONCE,
) -> list[Outcome]:
    rows = upload.outcomes.select_related("log").order_by("number")
    if kind:
        rows = rows.filter(kind=kind)
    if after is not None:
        rows = rows.filter(number__gt=after)
    return list(rows[:most])


def _shown(
    viewer: Viewer, upload: Upload, rows: Sequence[Outcome], *, events: int | None = None
) -> UploadShown:
    parts = sight.parts_of(viewer, [row.log for row in rows if row.log is not None])
    shown = UploadShown(
        id=upload.public_id,
        url=address_of("api:upload", upload.public_id),
        finished=upload.finished_at is not None,
        failed=upload.failed,
        percent=upload.percent,
        size=upload.size,
        sha256=upload.sha256 if _knows(viewer) else UNSET,
        received_at=upload.received_at,
        **{word: getattr(upload, word) for word in OUTCOMES},
        outcomes=[
            _outcome(viewer, row, whole=row.log_id not in parts, events=events) for row in rows
        ],
    )
    if upload.failed:
        shown.reason = upload.reason
    return shown


def _knows(viewer: Viewer) -> bool:
    """Whether somebody is told of what was sent: they send hands, or see all cards anyway."""
    return viewer.may(Scope.HANDS_WRITE) or viewer.may(Scope.HANDS_REVEAL)


def pointer_to(record: int, events: int) -> str:
    """Return where in a hand in JSON a record stands: 0 is the hand, the last one its end.

    >>> [pointer_to(record, events=2) for record in range(4)]
    ['/hand', '/events/0', '/events/1', '/end']
    """
    if record < 1:
        return "/hand"
    return f"/events/{record - 1}" if record <= events else "/end"


def _outcome(viewer: Viewer, row: Outcome, *, whole: bool, events: int | None) -> OutcomeShown:
    place = Place(line=row.line, column=row.column)
    if events is not None:
        place = Place(pointer=pointer_to(row.line - 1, events))
    shown = OutcomeShown(
        number=row.number + 1, outcome=row.kind, name=row.name, place=place, id=UNSET
    )
    log = row.log
    if row.kind == OutcomeKind.REJECTED and _knows(viewer):
        shown.found, shown.expected = row.found, row.expected
    if log is None:
        return shown
    shown.id, shown.url = log.public_id, address_of("api:hand", log.public_id)
    shown.stored = Extent(seq=log.seq, head=log.head if whole else UNSET)
    shown.core_digest = log.core_digest if whole else UNSET
    if row.kind == OutcomeKind.CONFLICT and (sent := _DIGESTS.match(row.found)):
        shown.sent = Extent(seq=int(sent.group(1)), head=UNSET)
        shown.found, shown.expected = _("another hand"), _("the hand that is stored")
        if _knows(viewer):
            shown.sent.head, shown.found = sent.group(2), row.found
        if whole:
            shown.expected = row.expected
    return shown
