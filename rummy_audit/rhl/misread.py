"""What could not be read in one line: where, what stood there and what was expected."""

from __future__ import annotations

import json

Path = tuple[str | int, ...]
"""The way to a value inside a record: keys, and places in a list from 0."""


ITS_KEY = -1
"""As the last step of a path: not the value but the key it stands under."""


class MisreadError(ValueError):
    """A line that cannot be read; ``column`` counts characters from 1.

    ``column`` is 0 as long as only the ``path`` to the value is known. ``line`` is set
    only when it is not the line being read.
    """

    def __init__(
        self, found: str, expected: str, *, path: Path = (), column: int = 0, line: int = 0
    ) -> None:
        super().__init__(found, expected)
        self.found = found
        self.expected = expected
        self.path = path
        self.column = column
        self.line = line

    def under(self, step: str | int) -> MisreadError:
        """The same, seen from the value that holds this one."""
        return MisreadError(self.found, self.expected, path=(step, *self.path), column=self.column)

    def at(self, column: int) -> MisreadError:
        """The same, at a known column."""
        return MisreadError(self.found, self.expected, path=self.path, column=column)


def excerpt(value: object, *, most: int = 60) -> str:
    """A value as it may be shown in an error: as JSON, cut when it is long.

    >>> excerpt("7X")
    '"7X"'
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        text = f"a {type(value).__name__}"
    return shortened(text, most=most)


def shortened(text: str, *, most: int = 60) -> str:
    """A piece of a log as it may be shown in an error; what cannot be printed is escaped."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
