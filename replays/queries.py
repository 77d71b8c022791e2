"""What pages ask of the database: lists with cursors, and one hand with its log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgspec
from django.db.models import QuerySet

from replays.logs import full_lines
from replays.models import Audit, FindingRow, HandLog
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a list, newest first; ``next`` is the cursor of the older ones, 0 at the end."""

    rows: Sequence[HandLog]
    next: int


def newest_hands(user: object, *, most: int) -> Sequence[HandLog]:
    """Return the hands that came in last."""
    return HandLog.objects.for_user(user).order_by("-id")[:most]


def hand_page(
    user: object, *, verdict: str = "", code: str = "", before: int = 0, most: int = 50
) -> Page:
    """Return hands newest first, those of a verdict or with a finding, below a cursor."""
    hands: QuerySet[HandLog] = HandLog.objects.for_user(user)
    if verdict:
        hands = hands.filter(verdict=verdict)
    if code:
        found = FindingRow.objects.for_user(user).filter(code=code)
        if before:
            found = found.filter(log_id__lt=before)
        # The index walks the findings of one code, newest hand first: no hand is looked at twice.
        wanted = found.order_by("-log_id").values_list("log_id", flat=True).distinct()
        hands = hands.filter(pk__in=list(wanted[: most + 1]))
    if before:
        hands = hands.filter(pk__lt=before)
    rows = list(hands.order_by("-id")[: most + 1])
    return Page(rows[:most], rows[most - 1].pk if len(rows) > most else 0)


def hand_of(log: HandLog) -> Hand:
    """Return the hand as it came, but for what has been forgotten since."""
    lines = full_lines(log)
    (hand,) = read(b"\n".join(lines) + b"\n")
    return cast("Hand", hand)


def newest_audit(log: HandLog) -> tuple[Audit, dict[str, Any]] | None:
    """Return the newest audit of a hand with its report, or None while it waits."""
    audit = log.audits.order_by("-id").first()
    return (audit, msgspec.json.decode(bytes(audit.report))) if audit else None
