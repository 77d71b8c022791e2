"""The trail: leaving an entry, reading it, taking it away."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils import timezone

from replays.access import Viewer
from replays.models import TrailEntry
from replays.writes import Writes

PAGE = 100


def leave(
    viewer: Viewer,
    verb: str,
    *,
    target: str = "",
    before: Any = None,
    after: Any = None,
    address: str | None = None,
    writes: Writes | None = None,
) -> TrailEntry:
    """Write down an act within the transaction that does it; ``verb`` is ``thing.act``.

    With ``writes`` the entry is written with all that it is about.
    """
    entry = TrailEntry(
        club=viewer.club,
        at=timezone.now(),
        user=viewer.user,
        via=viewer.via,
        address=address or viewer.address,
        verb=verb,
        target=target,
        before=before,
        after=after,
    )
    if writes is None:
        entry.save(force_insert=True)
    else:
        writes.add([entry])
    return entry


@dataclass(frozen=True, slots=True)
class Page:
    """A page of entries, newest first; ``next`` is the cursor of the page after it, 0 for none."""

    rows: list[TrailEntry]
    next: int


def page(viewer: Viewer, *, before: int = 0, most: int = PAGE) -> Page:
    """Return the club's entries from below the cursor ``before``, newest first."""
    entries = TrailEntry.objects.for_user(viewer).order_by("-id")
    if before:
        entries = entries.filter(id__lt=before)
    rows = list(entries.select_related("user")[: most + 1])
    return Page(rows[:most], rows[most - 1].pk if len(rows) > most else 0)


def lines(viewer: Viewer) -> Iterator[bytes]:
    """Give the club's whole trail as JSON Lines, oldest first; people by their number."""
    for entry in TrailEntry.objects.for_user(viewer).order_by("id").iterator():
        line = {
            "id": entry.pk,
            "at": entry.at,
            "user": entry.user_id,
            "via": entry.via,
            "address": entry.address,
            "verb": entry.verb,
            "target": entry.target,
            "before": entry.before,
            "after": entry.after,
        }
        yield msgspec.json.encode(line) + b"\n"
