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

from replays import sight, storage
from replays.access import Viewer
from replays.asked import Asked
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
from replays.models.matches import MatchVerdict
from replays.models.scope import new_public_id
from replays.models.webhooks import WebhookEvent
from rummy_audit.rules.matches import MatchReport

# Club, event, what is told, and what those are told who may not see hidden cards: None, nothing.
Message = tuple[int, str, Mapping[str, Any], Mapping[str, Any] | None]
# Endpoints that want an event of a club, each with whether it may see hidden cards.
Wants = Mapping[tuple[int, str], Sequence[tuple[int, bool]]]

_encode = msgspec.json.Encoder(order="sorted").encode

_LISTENING: Asked[WebhookEndpoint] = Asked(
    lambda: WebhookEndpoint.objects.filter(disabled_at=None).order_by("pk"), "club"
)

FINDING_KEYS = ("code", "category", "severity", "handled", "seq", "seat")


def tell(club: Club | int, event: str, data: Mapping[str, Any]) -> int:
    """Tell a club's endpoints of something; return how many will be told.

    Call it within the transaction that does what is told. ``event`` is one of
    ``WebhookEvent``; ``data`` is for JSON and holds public ids, never a name or a card.
    """
    if event not in WebhookEvent.values:
        raise ValueError(f"{event}: no event of that name")
    pk = club.pk if isinstance(club, Club) else club
    return send(wanted([pk]), [(pk, event, data, data)])


def wanted(clubs: Iterable[int]) -> dict[tuple[int, str], list[tuple[int, bool]]]:
    """Return which endpoints want which event of these clubs: a query for each club."""
    found: dict[tuple[int, str], list[tuple[int, bool]]] = {}
    for club in set(clubs):
        for each in _LISTENING(club):
            for event in each.events:
                found.setdefault((club, event), []).append((each.pk, each.reveals))
    return found


def send(wants: Wants, messages: Iterable[Message]) -> int:
    """Store messages for those who want them; return how many."""
    now = timezone.now()
    rows = [
        message(endpoint, event, told, now=now)
        for club, event, data, public in messages
        for endpoint, reveals in wants.get((club, event), ())
        if (told := data if reveals else public) is not None
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
    when it ends: some rest on cards that nobody at the table may know yet. Endpoints that may
    not see hidden cards are told no more than the club's members, who see them when the club
    opens the hand.
    """
    wants = wanted(entry.club_id for entry in entries)
    if not wants:
        return
    told = _told_before(again) if again else {}
    opened = _opened(wants, entries)
    messages: list[Message] = []
    for entry in entries:
        hand = hand_told(entry.log, entry, whole=not entry.open)
        is_opened = not entry.open and entry.log_id in opened
        public = hand_told(entry.log, entry, whole=is_opened)
        messages.append((entry.club_id, WebhookEvent.HAND_AUDITED, hand, public))
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
            public = data if is_opened else None
            messages.append((entry.club_id, WebhookEvent.FINDING_CREATED, data, public))
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
    wants = wanted([club])
    public = data
    if any(not reveals for _pk, reveals in wants.get((club, WebhookEvent.MATCH_AUDITED), ())):
        closed = sight.closed_match(Viewer(club=Club.objects.get(pk=club)))
        if MatchRow.objects.filter(closed, pk=row.pk).exists():
            hidden = {"verdict": MatchVerdict.WAITING.value, "totals": {}, "winner": None}
            public = {**data, **hidden, "findings": 0}
    return send(wants, [(club, WebhookEvent.MATCH_AUDITED, data, public)])


def _opened(wants: Wants, entries: Sequence[FeedEntry]) -> set[int]:
    """Return which of these hands lie open for all members; asked where it matters to somebody."""
    narrow = {club for (club, _event), some in wants.items() if not all(r for _pk, r in some)}
    found: set[int] = set()
    for club in Club.objects.filter(pk__in=narrow):
        pks = [each.log_id for each in entries if each.club_id == club.pk]
        rows = HandLog.objects.filter(sight.opened(Viewer(club=club)), pk__in=pks)
        found |= set(rows.values_list("pk", flat=True))
    return found


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
