"""Moments in requests: those that no calendar in UTC holds are refused where they are read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext_lazy
from msgspec import Meta

# RFC 3339, with the offset from UTC.
Moment = Annotated[datetime, Meta(tz=True)]
BEYOND = gettext_lazy("In UTC it lies outside the years 1 to 9999.")


def beyond(value: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield where in a value stands a moment that UTC has no day for: some hours past either end.

    >>> list(beyond(datetime.fromisoformat("0001-01-01T00:00:00+23:59"), ("since",)))
    [('since',)]
    """
    if isinstance(value, datetime):
        try:
            value.astimezone(UTC)
        except OverflowError:
            yield steps
    elif isinstance(value, msgspec.Struct):
        # Not structs.fields(): it reads all annotations anew each time.
        for name, shown in zip(
            value.__struct_fields__, value.__struct_encode_fields__, strict=True
        ):
            yield from beyond(getattr(value, name), (*steps, shown))
