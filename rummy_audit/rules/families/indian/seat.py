"""What a seat has done in a hand of Indian rummy, and a declaration with the table's answer."""

from __future__ import annotations

from typing import Literal

from rummy_audit.rhl.records import Declare, Event
from rummy_audit.rules.families.indian.declaration import Declaration
from rummy_audit.rules.families.indian.losers import Count

State = Literal["in", "dropped", "missed", "left", "wrong", "won", "out"]


class Seat:
    """What one seat has done in this hand.

    ``charge`` is the parameter that says what it costs to be out, ``slipped``
    tells that the number of cards went wrong by a slip that was named already,
    ``taken`` is the card taken from the open pile in this turn, ``perhaps`` one that lay
    there when a draw was missing: it may have been that.
    """

    __slots__ = (
        "acted",
        "charge",
        "count",
        "dealt",
        "drew",
        "finish",
        "misses",
        "perhaps",
        "rest",
        "shown",
        "slipped",
        "state",
        "taken",
        "unclear",
    )

    def __init__(self) -> None:
        """Seat a player who has done nothing yet."""
        self.state: State = "in"
        self.drew = self.acted = self.slipped = False
        self.misses = 0
        self.unclear = ""
        self.dealt: int | None = None
        self.charge: str | None = None
        self.taken: str | None = None
        self.perhaps: str | None = None
        self.finish: str | None = None
        self.shown: Event | None = None
        self.count: Count | None = None
        self.rest: tuple[str, ...] | None = None


class Declared:
    """A declaration, how it was judged, and what the table said to it.

    ``right`` is None where it cannot be told. ``ruled`` is what a ruling said,
    ``resumed`` the first act of play after it; ``accepted`` is the answer that the whole
    hand shows (``declaring.is_accepted``).
    """

    __slots__ = ("accepted", "event", "judged", "resumed", "right", "ruled", "seat")

    def __init__(self, event: Declare, judged: Declaration | None, *, right: bool | None) -> None:
        """Note how the declaration was judged."""
        self.event = event
        self.seat = event.seat
        self.judged = judged
        self.right = right
        self.ruled: bool | None = None
        self.resumed: Event | None = None
        self.accepted: bool | None = None
