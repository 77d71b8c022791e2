"""Checking the record against itself: what `manage.py verify` does."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from replays import logs, storage
from replays.cases.record import faults as case_faults
from replays.models import Audit, Case, HandLog, LogBatch, Tombstone
from rummy_audit.rhl import digests
from rummy_audit.rules.report import report_digest

_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the record that is not as it was stored."""

    hand: str
    what: str


@dataclass(slots=True)
class Tally:
    """How much was looked at."""

    hands: int = 0
    events: int = 0
    audits: int = 0


def faults(tally: Tally) -> Iterator[Fault]:
    """Yield every fault of the record: guards, batches, chains, heads, digests, reports."""
    if not storage.guards_stand():
        yield Fault("", "the triggers that keep logs from being changed are gone; run migrate")
    for stone in Tombstone.objects.filter(number__in=HandLog.objects.values("pk")):
        yield Fault(stone.public_id, "it has a tombstone and is still here")
    last = 0
    while rows := list(HandLog.objects.filter(pk__gt=last).order_by("pk")[:_AT_ONCE]):
        last = rows[-1].pk
        batches: dict[int, list[LogBatch]] = {}
        for batch in LogBatch.objects.filter(log__in=rows).order_by("log_id", "first_line"):
            batches.setdefault(batch.log_id, []).append(batch)
        for log in rows:
            tally.hands += 1
            tally.events += log.seq
            for what in _log_faults(log, batches.get(log.pk, [])):
                yield Fault(log.public_id, what)
        for audit in Audit.objects.filter(log__in=rows).select_related("log"):
            tally.audits += 1
            for what in _audit_faults(audit):
                yield Fault(audit.log.public_id, what)
        for case in Case.objects.filter(log__in=rows).select_related("log"):
            for what in case_faults(case):
                yield Fault(case.log.public_id, what)


def _log_faults(log: HandLog, batches: list[LogBatch]) -> Iterator[str]:
    lines, seq = 0, 0
    for batch in batches:
        if batch.first_line != lines or batch.first_seq != seq + 1:
            yield f"the part from event {batch.first_seq} on does not follow the one before it"
            return
        lines += bytes(batch.body).count(b"\n")
        seq = batch.last_seq
    if (lines, seq) != (log.line_count, log.seq):
        yield f"the log ends after event {seq}, the hand's row says {log.seq}"
        return
    body = b"".join(bytes(batch.body) for batch in batches)
    try:
        hand = logs.hand_in(body)
    except logs.NoLogError as error:
        yield f"the log cannot be read: {error}"
        return
    if b"".join(line + b"\n" for line in hand.lines) != body:
        yield "the log is not in canonical form"
    chain = digests.chain(hand)
    for batch in batches:
        if chain.links[batch.last_seq] != bytes(batch.chain):
            yield f"the chain is broken in the part that ends with event {batch.last_seq}"
            return
    if chain.links[-1] != bytes(log.chain) or chain.head != log.head:
        yield "the head is not that of the log"
    if chain.core_digest != log.core_digest:
        yield "the core digest is not that of the log"


def _audit_faults(audit: Audit) -> Iterator[str]:
    try:
        report = msgspec.json.decode(bytes(audit.report))
        found = report_digest(report)
    except (msgspec.DecodeError, KeyError, TypeError):
        yield f"the audit of {audit.made_at:%Y-%m-%d %H:%M} cannot be read"
        return
    if not found == audit.report_digest == report.get("report_digest"):
        yield f"the audit of {audit.made_at:%Y-%m-%d %H:%M} is not what its digest says"
    if report.get("verdict") != audit.verdict or report.get("head") != audit.head:
        yield f"the audit of {audit.made_at:%Y-%m-%d %H:%M} does not belong to its row"
