"""The games: one referee a family, each behind the same few names.

A family is a package with a ``referee`` module that has

- ``start(record, rules) -> Table``: the table before the first event;
- ``JUDGES``: for each event type the ordered rules a referee would ask; a rule
  takes the table and the event and returns what is wrong, mostly nothing;
- ``advance(table, event)``: moves the cards as they moved, legal or not, and
  raises Impossible where they cannot have moved so;
- ``goes_plainly(table, events, at, until)`` (may be left out): moves the cards of the
  plainest events from place ``at`` on, of which no rule has anything to say, and returns
  the place of the first that is not so plain, at most ``until``;
- ``finish(table, hand) -> findings``: what only the whole hand shows;
- ``result(table) -> Result`` and ``view(table) -> TableView``;
- ``LAWS``: what follows from what, for the pass over causes.

It may publish ``MOVES``, a move for each event type that it moves by; the fold then
takes that and asks ``advance`` only for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from rummy_audit.rhl.records import Event, Hand, HandRecord
from rummy_audit.rules.causes import Law
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.table import Table
from rummy_audit.rules.view import Result, TableView

Judge = Callable[[Any, Any], Sequence[Finding]]


class Referee(Protocol):
    """What a family's ``referee`` module offers; T is the family's own table."""

    JUDGES: Mapping[type[Event], tuple[Judge, ...]]
    LAWS: tuple[Law, ...]

    def start(self, record: HandRecord, rules: Ruleset) -> Table:
        """Return the table before the first event."""

    def advance(self, table: Any, event: Event) -> None:  # noqa: ANN401
        """Move the cards as they moved; raise Impossible where they cannot have."""

    def finish(self, table: Any, hand: Hand) -> Sequence[Finding]:  # noqa: ANN401
        """Return what only the whole hand shows."""

    def result(self, table: Any) -> Result:  # noqa: ANN401
        """Return how the hand ended by the rules."""

    def view(self, table: Any) -> TableView:  # noqa: ANN401
        """Return the table as it stands, frozen."""


@cache
def referee(family: str) -> Referee:
    """Return the referee of a family."""
    return cast("Referee", import_module(f"{__name__}.{family}.referee"))
