"""Pages by cursor: a stable order, and a mark of ours that says where to go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from django.core import signing
from msgspec import Meta

from api.problems import Problem

MOST = 300
USUAL = 50
_MOST_CURSOR = 300

R = TypeVar("R")

Limit = Annotated[
    int, Meta(ge=1, le=MOST, description="How many at most, 1 to 300.", examples=[USUAL])
]
Cursor = Annotated[
    str,
    Meta(
        max_length=_MOST_CURSOR,
        description="The `next` of the page before; leave it out to begin.",
    ),
]


class Paged(msgspec.Struct, kw_only=True):
    """The parameters of every list; a list's own parameters come with it."""

    limit: Limit = USUAL
    cursor: Cursor = ""


def cursor_of(place: Any, *, salt: str) -> str:
    """Return an opaque, signed mark for a place in the list named by ``salt``."""
    return signing.dumps(place, salt=f"api.{salt}", compress=False)


def place_of(cursor: str, *, salt: str) -> Any:
    """Return the place that a cursor marks, None for the beginning. Raises Problem."""
    if not cursor:
        return None
    try:
        return signing.loads(cursor, salt=f"api.{salt}")
    except (signing.BadSignature, ValueError):
        raise Problem("bad-cursor", place={"parameter": "cursor"}) from None


def cut(rows: Sequence[R], limit: int) -> tuple[Sequence[R], bool]:
    """Part ``limit + 1`` rows into the page and whether more follow."""
    return rows[:limit], len(rows) > limit
