"""Taking a club's data out: logs, reports and findings, line by line, in flat memory.

The order is that of the feed of verdicts: whoever goes on from a place gets what is new and
what has changed since, and passes over nothing.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from replays import logs, outbox, sight
from replays.access import Viewer
from replays.models import FeedEntry, FindingRow, HandLog

KINDS = ("log", "report", "finding")
_BATCH = 50

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of an export, and the place up to which it has come with them."""

    lines: bytes
    place: int


def export(
    viewer: Viewer,
    *,
    kinds: Collection[str] = KINDS,
    after: int = 0,
    since: datetime.datetime | None = None,
    until: datetime.datetime | None = None,
) -> Iterator[Piece]:
    """Yield the hands of a club that have ended and are judged, a batch of them at a time.

    A hand stands at its newest verdict, once. ``since`` and ``until`` are about when it got
    that verdict. Who may not see a hand whole yet gets its log as far as they may, no report.
    """
    # What comes while this runs is for the next one: so it has an end.
    entries = FeedEntry.objects.of_club(viewer).order_by("pk")
    last = entries.order_by("-pk").values_list("pk", flat=True).first() or 0
    entries = entries.filter(pk__lte=last, open=False)
    if since:
        entries = entries.filter(at__gte=since)
    if until:
        entries = entries.filter(at__lt=until)
    place = after
    while batch := list(entries.filter(pk__gt=place).select_related("audit")[:_BATCH]):
        place = batch[-1].pk
        yield Piece(_lines(viewer, batch, kinds), place)


def _lines(viewer: Viewer, batch: list[FeedEntry], kinds: Collection[str]) -> bytes:
    entries = FeedEntry.objects.filter(log__in={each.log_id for each in batch}).order_by("pk")
    newest: dict[int, int] = dict(entries.values_list("log_id", "pk"))
    seen = HandLog.objects.for_user(viewer).in_bulk(newest)
    chosen = [each for each in batch if newest[each.log_id] == each.pk and each.log_id in seen]
    hands = [seen[each.log_id] for each in chosen]
    parts = sight.parts_of(viewer, hands)
    records = logs.full_lines_of(hands) if "log" in kinds else {}
    findings: dict[int, list[Mapping[str, Any]]] = {}
    if "finding" in kinds:
        rows = FindingRow.objects.filter(log__in=[each.log_id for each in chosen])
        rows = rows.order_by("log_id", "number")
        for row in rows.values("log_id", "number", *outbox.FINDING_KEYS):
            findings.setdefault(row.pop("log_id"), []).append(row)
    lines: list[bytes] = []
    for each in chosen:
        each.log = log = seen[each.log_id]
        about = outbox.hand_told(log, each, whole=log.pk not in parts)
        if records.get(log.pk):
            told = _seen(records[log.pk], parts.get(log.pk, sight.WHOLE))
            lines.append(_encode({"kind": "log", "about": about, "records": told}))
        if log.pk in parts:
            continue
        if "report" in kinds and each.audit is not None:
            report = msgspec.Raw(bytes(each.audit.report))
            lines.append(_encode({"kind": "report", "about": about, "report": report}))
        for finding in findings.get(log.pk, ()):
            line = {"kind": "finding", "hand": log.public_id, "id": log.name, **finding}
            lines.append(_encode(line))
    return b"".join(line + b"\n" for line in lines)


def _seen(lines: Sequence[bytes], seen: sight.Sight) -> list[msgspec.Raw]:
    """Return the records of a log as far as they may be seen, for JSON as they are."""
    if not seen.whole:
        lines = sight.redacted(logs.hand_in(b"\n".join([*lines, b""])), seen).lines
    return [msgspec.Raw(line) for line in lines]
