"""Leaving an entry on the trail: who did what, when, from where."""

from typing import Any

from django.utils import timezone

from replays.access import Viewer
from replays.models import TrailEntry


def leave(
    viewer: Viewer,
    verb: str,
    *,
    target: str = "",
    before: Any = None,
    after: Any = None,
    address: str | None = None,
) -> TrailEntry:
    """Write down an act within the transaction that does it; ``verb`` is ``thing.act``."""
    return TrailEntry.objects.create(
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
