"""The search for hands: every filter of the lists, one cursor."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime

from django.db.models import Exists, OuterRef

from replays import sight
from replays.access import Viewer
from replays.models import FindingRow, HandLog, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which hands: what is empty does not matter. ``ruleset`` is a name or a version of it."""

    verdict: str | None = None
    code: str = ""
    table: str = ""
    player: str = ""
    ruleset: str = ""
    match: str = ""
    event: str = ""
    source: str = ""
    name: str = ""
    since: datetime | None = None
    until: datetime | None = None


FIELDS = tuple(each.name for each in fields(Wanted))
_PLAIN = ("table", "match", "event", "source", "name")


def hands(viewer: Viewer, wanted: Wanted, *, before: int | None, most: int) -> list[HandLog]:
    """Return up to ``most`` hands that this viewer may read, newest first, below ``before``."""
    rows = HandLog.objects.for_user(viewer).order_by("-id")
    rows = rows.filter(
        **{name: value for name in _PLAIN if (value := getattr(wanted, name))},
    )
    if wanted.verdict:
        rows = rows.filter(sight.with_verdict(viewer, wanted.verdict))
    if wanted.ruleset:
        # `indian-13` is every version of it, and not `indian-13-b@1`.
        exact = "@" in wanted.ruleset
        rows = rows.filter(
            **{"ruleset": wanted.ruleset}
            if exact
            else {"ruleset__startswith": f"{wanted.ruleset}@"}
        )
    if wanted.code:
        found = FindingRow.objects.for_user(viewer).filter(log=OuterRef("pk"), code=wanted.code)
        rows = rows.filter(Exists(found))
        # What was found may rest on hidden cards.
        rows = rows.filter(sight.opened(viewer))
    if wanted.player:
        sat = Seat.objects.for_user(viewer).filter(log=OuterRef("pk"), ref=wanted.player)
        rows = rows.filter(Exists(sat))
    if wanted.since:
        rows = rows.filter(ingested_at__gte=wanted.since)
    if wanted.until:
        rows = rows.filter(ingested_at__lt=wanted.until)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return list(rows[:most])
