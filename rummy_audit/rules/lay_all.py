"""The search for groups that take in all cards of a hand, as a declaration needs them.

Like the search for the least points it takes the dearest card that is still open and asks
where it goes.
"""

from __future__ import annotations

from typing import NamedTuple

from rummy_audit.rules.candidates import Candidate
from rummy_audit.rules.planes import WILD_BITS, take
from rummy_audit.rules.search import BUDGET, Cards, TooHard, lone_runs, lone_sets


class _Laid(Exception):
    """The way out of a search that has found what it looked for."""


class _Open(NamedTuple):
    """What is still to be done when laying all: cards, jokers, sequences owed, room for jokers."""

    state: int
    jokers: int
    owed: int
    pure: int
    room: int

    def after(self, each: Candidate, *, pure: bool, most: int) -> _Open:
        """Return what is left after a group; a pure one takes in no more jokers."""
        return _Open(
            take(self.state, each.bits),
            self.jokers - each.jokers,
            max(self.owed - each.sequence, 0),
            self.pure - pure,
            self.room if pure else min(self.room + each.room, most),
        )


class LayAll:
    """The search for groups that take in all cards, jokers too, with the sequences needed.

    ``found`` holds the groups and whether each has to stay pure, so that it takes
    in no more jokers; None where there are none. Raises TooHard over the budget.
    """

    __slots__ = ("cards", "found", "laid", "seen")

    def __init__(self, cards: Cards, *, sequences: int, pure: int) -> None:
        """Search until all cards are laid."""
        self.cards = cards
        self.found: list[tuple[Candidate, bool]] | None = None
        self.laid: list[tuple[Candidate, bool]] = []
        self.seen: set[_Open] = set()
        if not cards.hopeless(cards.state, cards.jokers)[-1]:
            try:
                self._go(_Open(cards.state, cards.jokers, sequences, pure, 0))
            except _Laid:
                self.found = self.laid

    def _go(self, now: _Open) -> None:
        """Take the dearest card that is still open, or see to the jokers."""
        if now in self.seen:
            return
        self.seen.add(now)
        if len(self.seen) > BUDGET:
            raise TooHard
        low = now.state & -now.state
        if not low or low >= WILD_BITS:
            self._end(now)
            return
        for options in self.cards.options(low, now.state, now.jokers):
            for _, need, _, each in options:
                if need <= now.jokers:
                    if now.pure and each.pure:
                        self._lay(each, now, pure=True)
                    self._lay(each, now, pure=False)

    def _lay(self, each: Candidate, now: _Open, *, pure: bool) -> None:
        self.laid.append((each, pure))
        self._go(now.after(each, pure=pure, most=self.cards.jokers))
        self.laid.pop()

    def _end(self, now: _Open) -> None:
        """Lay jokers where there is room, else in groups of their own."""
        if now.pure:
            return
        if not now.owed and now.jokers <= now.room:
            raise _Laid
        for each in lone_runs(self.cards, now.state, now.jokers):
            self._lay(each, now, pure=False)
        for each in lone_sets(self.cards, now.state, now.jokers):
            self._lay(each, now, pure=False)
