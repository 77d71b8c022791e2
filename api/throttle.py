"""How often a key may ask: a flat cost a request, the same for every route."""

from __future__ import annotations

import math

from api.problems import Problem
from replays import keys
from replays.models import ApiKey


def spend(key: ApiKey) -> None:
    """Count a request of a key. Raises Problem ``too-many-requests`` with when to go on."""
    _refuse_until(keys.allowed(key))


def refuse_wrong(address: str | None) -> None:
    """Count a wrong key from an address. Raises Problem ``too-many-requests`` after too many."""
    _refuse_until(keys.wrong(address))


def _refuse_until(wait: float) -> None:
    if wait:
        headers = {"Retry-After": str(math.ceil(wait))}
        raise Problem("too-many-requests", headers=headers)
