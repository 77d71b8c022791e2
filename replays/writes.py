"""Rows on their way into the database, together: ``storage.write`` inserts them.

A hand by itself is a row or two of seven tables. A statement for each costs far more than the
rows do; PostgreSQL takes them in one exchange.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import models


@dataclass(frozen=True, slots=True)
class Values:
    """Rows of a model as values, by the names of its columns: all but perhaps its number."""

    model: type[models.Model]
    names: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


class Match(NamedTuple):
    """A match of which a hand has changed: the beginning of its row, where it is new."""

    club_id: int
    public_id: str
    identity: bytes
    source: str
    event: str
    name: str


class Writes:
    """What is still to be inserted, the logs whose audit is to be owed, the matches they are of.

    What is referred to stands before what refers to it. Rows that are objects may change until
    they are written.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.parts: list[Sequence[models.Model] | Values] = []
        self.audits: list[int] = []
        self.matches: dict[bytes, Match] = {}

    def add(self, rows: Sequence[models.Model]) -> None:
        """Add objects of one model."""
        if rows:
            self.parts.append(rows)

    def add_values(
        self, model: type[models.Model], names: tuple[str, ...], rows: Sequence[Sequence[Any]]
    ) -> None:
        """Add rows of a model as values."""
        if rows:
            self.parts.append(Values(model, names, rows))

    def take_over(self, other: "Writes") -> None:
        """Add all that another was to write, which has nothing left."""
        self.parts += other.parts
        self.audits += other.audits
        self.matches |= other.matches
        other.clear()

    def clear(self) -> None:
        """Have nothing to write."""
        self.parts, self.audits, self.matches = [], [], {}
