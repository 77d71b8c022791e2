"""The outbox: what a club's endpoints are to be told, stored with what it tells of.

A message stands in the database in the same transaction as the verdict or the decision, or
not at all; ``couriers`` take it from there. Where nobody wants to be told nothing is stored.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.utils import timezone

from replays import storage
from replays.models import (
    Club,
    FeedEntry,
    FindingRow,
    HandLog,
    MatchRow,
    WebhookDelivery,
    WebhookEndpoint,
)
from replays.models.hands import Verdict
from replays.models.scope import new_public_id
from replays.models.webhooks import WebhookEvent
from rummy_audit.rules.matches import MatchReport

# Club, event, and what is told.
Message = tuple[int, str, Mapping[str, Any]]

_encode = msgspec.json.Encoder(order="sorted").encode

FINDING_KEYS = ("code", "category", "severity", "handled", "seq", "seat")


def tell(club: Club | int, event: str, data: Mapping[str, Any]) -> int:
    """Tell a club's endpoints of something; return how many will be told.

    Call it within the transaction that does what is told. ``event`` is one of
    ``WebhookEvent``; ``data`` is for JSON and holds public ids, never a name or a card.
    """
    if event not in WebhookEvent.values:
        raise ValueError(f"{event}: no event of that name")
    pk = club.pk if isinstance(club, Club) else club
    return send(wanted([pk]), [(pk, event, data)])


def wanted(clubs: Iterable[int]) -> dict[tuple[int, str], list[int]]:
    """Return which endpoints want which event of these clubs: one query."""
    rows = WebhookEndpoint.objects.filter(club__in=set(clubs), disabled_at=None).order_by("pk")
    found: dict[tuple[int, str], list[int]] = {}
    for pk, club, events in rows.values_list("pk", "club_id", "events"):
        for event in events:
            found.setdefault((club, event), []).append(pk)
    return found


def send(wants: Mapping[tuple[int, str], Sequence[int]], messages: Iterable[Message]) -> int:
    """Store messages for those who want them; return how many."""
    now = timezone.now()
    rows = [
        message(endpoint, event, data, now=now)
        for club, event, data in messages
        for endpoint in wants.get((club, event), ())
    ]
    storage.insert(rows)
    return len(rows)


def message(
    endpoint: int, event: str, data: Mapping[str, Any], *, now: datetime.datetime
) -> WebhookDelivery:
    """Return a message for an endpoint, unsaved: the body is fixed, every try sends the same."""
    body = {"type": event, "timestamp": as_text(now), "data": data}
    return WebhookDelivery(
        endpoint_id=endpoint,
        public_id=new_public_id(),
        event=event,
        body=_encode(body),
        made_at=now,
        due=at_once(now),
    )


def at_once(now: datetime.datetime) -> datetime.datetime:
    """Return from when a message is due that is to go out now.

    The second as it began: SQLite's clock has no digits beyond the millisecond, and would take
    what has them for something of the next one.
    """
    return now.replace(microsecond=0)


def as_text(moment: datetime.datetime) -> str:
    """Return a moment as the log format writes it.

    >>> as_text(datetime.datetime(2026, 5, 1, 20, 0, 7, 250, tzinfo=datetime.UTC))
    '2026-05-01T20:00:07.000250Z'
    """
    text = moment.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
    return re.sub(r"(:\d\d)Z", r"\1.000000Z", text)


# --- verdicts --------------------------------------------------------------------------------


def hand_told(log: HandLog, entry: FeedEntry, *, whole: bool) -> dict[str, Any]:
    """Return what the feed and the event ``hand.audited`` say of a verdict.

    ``whole`` is false for those who may not see the hidden cards of a hand: its verdict may
    rest on them.
    """
    audit = entry.audit
    return {
        "hand": log.public_id,
        "id": log.name,
        "source": log.source,
        "event": log.event,
        "match": log.match,
        "version": entry.version,
        "open": entry.open,
        "verdict": entry.verdict if whole else _untold(entry),
        "errors": entry.errors if whole else 0,
        "breaches": entry.breaches if whole else 0,
        "notes": entry.notes if whole else 0,
        "engine": audit.engine if audit else None,
        "ruleset": {"id": audit.ruleset, "digest": audit.ruleset_digest} if audit else None,
        "report_digest": audit.report_digest if audit and whole else None,
        "audited_at": as_text(entry.at),
    }


def _untold(entry: FeedEntry) -> str:
    return (Verdict.UNFINISHED if entry.open else Verdict.WAITING).value


Found = Mapping[int, Sequence[Mapping[str, Any]]]


def tell_audited(entries: Sequence[FeedEntry], findings: Found, *, again: Sequence[int]) -> None:
    """Tell of verdicts and of what is newly found; before the old findings of ``again`` go.

    ``findings`` are those of the reports, by hand. Findings of a hand that goes on are told
    when it ends: some rest on cards that nobody at the table may know yet.
    """
    wants = wanted(entry.club_id for entry in entries)
    if not wants:
        return
    told = _told_before(again) if again else {}
    messages: list[Message] = []
    for entry in entries:
        hand = hand_told(entry.log, entry, whole=not entry.open)
        messages.append((entry.club_id, WebhookEvent.HAND_AUDITED, hand))
        if entry.open:
            continue
        before = Counter(told.get(entry.log_id, ()))
        for number, finding in enumerate(findings.get(entry.log_id, ())):
            key = tuple(finding[name] for name in FINDING_KEYS)
            if before[key]:
                before[key] -= 1
                continue
            data = {name: finding[name] for name in FINDING_KEYS}
            data |= {"hand": entry.log.public_id, "id": entry.log.name, "number": number}
            messages.append((entry.club_id, WebhookEvent.FINDING_CREATED, data))
    send(wants, messages)


def tell_match(club: int, row: MatchRow, report: MatchReport) -> int:
    """Tell that a match has been audited: its totals and winner by the rules."""
    data = {
        "match": row.public_id,
        "id": row.name,
        "source": row.source,
        "event": row.event,
        "verdict": report.verdict,
        "deals": len(report.rows),
        "totals": {str(seat): total for seat, total in sorted(report.totals.items())},
        "winner": report.winner,
        "findings": len(report.findings),
    }
    return tell(club, WebhookEvent.MATCH_AUDITED, data)


def _told_before(logs: Sequence[int]) -> dict[int, list[tuple[Any, ...]]]:
    """Return the findings that were told of, by hand: those of hands that had ended."""
    newest: dict[int, bool] = dict(
        FeedEntry.objects.filter(log__in=logs).order_by("pk").values_list("log_id", "open")
    )
    ended = [log for log in logs if newest.get(log) is False]
    found: dict[int, list[tuple[Any, ...]]] = {}
    rows = FindingRow.objects.filter(log__in=ended).values_list("log_id", *FINDING_KEYS)
    for log, *rest in rows:
        found.setdefault(log, []).append(tuple(rest))
    return found
