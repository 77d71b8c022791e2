"""How often a key may ask: a flat cost a request, the same for every route."""

from __future__ import annotations

from api.problems import Problem
from replays import keys
from replays.models import ApiKey


def spend(key: ApiKey) -> None:
    """Count a request of a key. Raises Problem ``too-many-requests`` with when to go on."""
    allowed = getattr(keys, "allowed", None)
    wait = allowed(key) if allowed else None
    if wait:
        raise Problem("too-many-requests", headers={"Retry-After": str(max(1, int(wait)))})
