"""What a step shows: the table after an event, frozen, one shape for every game.

Everything here is what the log knows. Who may see it is decided later, by
whoever serves it: ``public`` names the cards of a hand that everyone has seen.
"""

from __future__ import annotations

import msgspec

from rummy_audit.rhl.records import Event
from rummy_audit.rules.findings import Finding, Term


class GroupView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A group as somebody claimed it: its kind, and what each joker stands for.

    ``kind``: pure-sequence, impure-sequence, sequence, set or invalid.
    """

    cards: tuple[str, ...]
    kind: str
    stands_for: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


class MeldView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A meld on the table: its number, whose it was, and who laid off what.

    ``moved`` marks the tiles that came or moved in this turn.
    """

    number: int
    cards: tuple[str, ...]
    kind: str
    seat: int | None = None
    added: tuple[tuple[int, str], ...] = ()
    stands_for: tuple[str, ...] = ()
    moved: tuple[int, ...] = ()


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat: known cards, how many are unknown, and what its player showed.

    ``state``: in, dropped, left, wrong (a dead hand), won or out.
    """

    seat: int
    state: str = "in"
    cards: tuple[str, ...] = ()
    unknown: int = 0
    public: tuple[str, ...] = ()
    groups: tuple[GroupView, ...] = ()
    loose: tuple[str, ...] = ()
    finish: str | None = None


class TableView(msgspec.Struct, frozen=True, omit_defaults=True):
    """The table after an event: seats, stock (cards left, None unknown), open pile, melds.

    The last card of ``pile`` is its top.
    """

    seats: tuple[SeatView, ...] = ()
    turn: int | None = None
    stock: int | None = None
    pile: tuple[str, ...] = ()
    wild: str | None = None
    melds: tuple[MeldView, ...] = ()
    scores: dict[str, int] = msgspec.field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One step of a replay: the event, the table after it, and what was found at it."""

    number: int
    event: Event
    table: TableView
    findings: tuple[Finding, ...] = ()


class NotRun(msgspec.Struct, frozen=True):
    """A check that could not run, and why: never passed, never guessed."""

    check: str
    why: str


class Result(msgspec.Struct, frozen=True):
    """How a hand ended by the rules: points by seat where they can be known.

    ``outcome``: won, void, misdeal, abandoned, open, undecided; in basic rummy also
    stalemate (nobody scores) and exhausted (all are charged). ``breakdown``
    leads to the points of each seat.
    """

    outcome: str
    winner: int | None = None
    scores: dict[int, int] = msgspec.field(default_factory=dict)
    breakdown: dict[int, tuple[Term, ...]] = msgspec.field(default_factory=dict)


class Replay(msgspec.Struct, frozen=True):
    """A hand replayed: as far as it went, what was found, and how it ended.

    ``verdict``: clean, flagged, irregular, unfinished or impossible.
    """

    verdict: str
    findings: tuple[Finding, ...]
    result: Result
    not_run: tuple[NotRun, ...] = ()
    steps: tuple[Step, ...] = ()
