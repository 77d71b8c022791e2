"""A live table: its events are appended as they are played, and what is wrong is told at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta

from api import bodies, strict_json
from api.hands_in import JSON_LINES, pointer_to
from api.hands_out import report_of
from api.operations import JSON, answer, operation
from api.problems import Problem
from api.shapes import Appended
from replays import live, sight
from replays.access import Viewer
from replays.models import HandLog
from replays.models.people import Scope
from rummy_audit.rhl import canonical, limits

# A hand has no more records than this; who has more to send sends another hand's, or nonsense.
MOST_RECORDS = limits.MAX_EVENTS + 1
_MOST = 2 * 1024 * 1024
_SEQ = re.compile(r'"?([0-9]{1,9})"?')

Record = dict[str, Any]
# Where a record stands in what was sent: its line, or a JSON pointer.
At = dict[str, Any]


class Batch(msgspec.Struct, forbid_unknown_fields=True):
    """Events to append; without a seq of their own they are counted from `expect` on."""

    events: Annotated[list[Record], Meta(description="RHL events, in order.")] = []
    expect: (
        Annotated[int, Meta(ge=0, le=10_000, description="The seq that the first event follows.")]
        | None
    ) = None
    end: Annotated[Record, Meta(description="The end record, behind the events.")] | None = None


EXAMPLE = {
    "expect": 4,
    "events": [
        {"type": "draw", "seat": 1, "from": "stock", "card": "9H"},
        {"type": "discard", "seat": 1, "card": "QC"},
    ],
}


@operation(
    scope=Scope.HANDS_WRITE,
    body={JSON: Batch, JSON_LINES: None, "application/x-ndjson": None},
    examples={"body": {JSON: EXAMPLE}},
    answers={200: Appended},
    problems=(
        "not-found",
        "bad-json",
        "bad-value",
        "behind-the-head",
        "log-differs",
        "hand-ended",
        "cannot-follow",
        "cannot-be-judged",
        "precondition-required",
        "too-large",
        "too-many-records",
    ),
    headers={"If-Match": 'The seq that the first event follows, as `"12"`.'},
    most_bytes=_MOST,
)
def events_in(request: HttpRequest, public_id: str) -> HttpResponse:
    """Append events to a hand that goes on.

    They follow the last event of the log, or repeat some of its end. What begins beyond it
    is refused with the head of the log, and nothing of it is kept. The same events again
    get the same answer.
    """
    viewer = request.viewer
    kind = bodies.check_type(request, (JSON, JSON_LINES, "application/x-ndjson"))
    with bodies.spooled(request, most=_MOST) as body:
        content = body.read()
    if kind == JSON:
        batch = bodies.converted(strict_json.loads(content), Batch)
        # One that says nothing is for the reader to refuse: left out, the hand would go on.
        end = [] if batch.end is None else [{"type": "end", **batch.end}]
        records, expect = [*batch.events, *end], batch.expect
        pointers = [pointer_to(at, len(batch.events)) for at in range(1, len(records) + 1)]
        places = [{"pointer": each} for each in pointers]
    else:
        records, expect, places = [], None, []
        for number, record in _lines(content):
            records.append(record)
            places.append({"line": number})
    if len(records) > MOST_RECORDS:
        raise _too_many(places[MOST_RECORDS])
    after = _numbered(records, _expected(request, expect), places)
    lines = [canonical.dumps(record) for record in records]
    try:
        written = live.append(viewer, public_id, after=after, lines=lines)
    except live.AppendError as error:
        raise _refused(viewer, error, places) from None
    return _answered(viewer, written)


def _lines(content: bytes) -> Iterator[tuple[int, Record]]:
    """Yield records, each with its line; one more than are taken, and what follows is not read."""
    count = 0
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = strict_json.loads(line)
        except Problem as problem:
            raise Problem(problem.code, problem.detail, place={"line": number}) from None
        if not isinstance(record, dict):
            raise Problem("bad-value", _("A record is an object."), place={"line": number})
        yield number, record
        count += 1
        if count > MOST_RECORDS:
            return


def _too_many(place: At) -> Problem:
    detail = _("At most %(most)s records are taken at once: no hand has more.")
    return Problem(
        "too-many-records", detail % {"most": MOST_RECORDS}, place=place, most=MOST_RECORDS
    )


def _expected(request: HttpRequest, expect: int | None) -> int | None:
    """Return the seq that the sender has seen, from If-Match or the body."""
    header = request.headers.get("If-Match")
    if header is None:
        return expect
    found = _SEQ.fullmatch(header.strip())
    if not found or (expect is not None and expect != int(found.group(1))):
        why = _("If-Match holds the seq that the first event follows, as in the body.")
        raise Problem("bad-value", why, place={"header": "If-Match"})
    return int(found.group(1))


def _numbered(records: list[Record], expect: int | None, places: list[At]) -> int:
    """Give events without a seq theirs; return the seq that the first of them follows."""
    if not records:
        raise Problem("bad-value", _("There is nothing to append."), place={"pointer": "/events"})
    first = records[0].get("seq")
    if expect is None:
        if not isinstance(first, int) or isinstance(first, bool) or first < 1:
            raise Problem("precondition-required")
        expect = first - 1
    seq = expect
    for record, place in zip(records, places, strict=True):
        if record.get("type") == "end":
            continue
        seq += 1
        if record.setdefault("seq", seq) != seq or isinstance(record["seq"], bool):
            why = _("The seq here must be %(seq)s.") % {"seq": seq}
            at = {"pointer": f"{place['pointer']}/seq"} if "pointer" in place else place
            raise Problem("bad-value", why, place=at)
    return expect


def _refused(viewer: Viewer, error: live.AppendError, places: list[At]) -> Problem:
    head = {"head": _head(viewer, error.log)}
    match error:
        case live.BeyondError():
            return Problem("behind-the-head", _goes_to(error.log), **head)
        case live.DiffersError():
            return Problem("log-differs", _goes_to(error.log), **head)
        case live.EndedError():
            return Problem("hand-ended", **head)
        case live.MisfitError():
            return Problem(
                "cannot-follow",
                _("Found %(found)s, expected %(expected)s.")
                % {"found": error.found, "expected": error.expected},
                place=places[min(error.number, len(places) - 1)],
                **head,
            )
    raise AssertionError(error)


def _goes_to(log: HandLog) -> str:
    return _("The log goes as far as event %(seq)s.") % {"seq": log.seq}


def _head(viewer: Viewer, log: HandLog) -> dict[str, Any]:
    head: dict[str, Any] = {"seq": log.seq}
    if sight.sees_all(viewer, log):
        head["head"] = log.head
    return head


def _answered(viewer: Viewer, written: live.Written) -> HttpResponse:
    """Answer for the log as far as what was sent: the same whenever it is sent again."""
    seen = live.seen_by(viewer, written)
    whole = seen is written.hand
    said = report_of(written.log, seen, whole=whole)
    shown = Appended(
        id=written.log.public_id,
        seq=len(written.hand.events),
        open=written.hand.end is None,
        verdict=said["verdict"],
        findings=said["findings"],
        head=written.head if whole else UNSET,
    )
    return answer(shown, headers={"ETag": f'"{shown.seq}"'})
