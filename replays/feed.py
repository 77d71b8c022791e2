"""The feed of verdicts: published in one order, read by a place in it.

Numbers alone would not do: of two transactions the one with the higher number may commit
first, and whoever reads then passes over the other for ever. So one at a time publishes, as
the last act before its commit: what has a lower number is there before a higher one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from replays import storage
from replays.access import Viewer
from replays.models import FeedEntry, HandLog

_LOCK = "the feed of verdicts"


def publish(entries: Sequence[FeedEntry]) -> None:
    """Put verdicts on the feed, as the last act of the transaction that stores them.

    Whoever else publishes waits for its end, so nothing that takes time may come after.
    """
    if entries:
        storage.one_at_a_time(_LOCK)
        storage.insert(entries)


@dataclass(frozen=True, slots=True)
class Reading:
    """Entries with their hands and audits, and the place up to which all has been read."""

    entries: list[FeedEntry]
    place: int
    more: bool


def read(viewer: Viewer, *, after: int, most: int) -> Reading:
    """Return the verdicts behind a place, oldest first: three queries, whatever their number.

    Those of hands that this person may not see are left out; the place passes them.
    """
    rows = FeedEntry.objects.of_club(viewer).filter(pk__gt=after).order_by("pk")
    found = list(rows.select_related("audit").defer("audit__report")[: most + 1])
    page, more = found[:most], len(found) > most
    seen = HandLog.objects.for_user(viewer).in_bulk({each.log_id for each in page})
    shown = [each for each in page if each.log_id in seen]
    for each in shown:
        each.log = seen[each.log_id]
    return Reading(shown, page[-1].pk if page else after, more)


def has_more(viewer: Viewer, *, after: int) -> bool:
    """Whether there is a verdict behind a place: one short query."""
    return FeedEntry.objects.of_club(viewer).filter(pk__gt=after).exists()


def newest(viewer: Viewer) -> int:
    """Return the place behind the newest verdict: for a reader who wants only what comes."""
    last = FeedEntry.objects.of_club(viewer).order_by("-pk").values_list("pk", flat=True)
    return last.first() or 0
