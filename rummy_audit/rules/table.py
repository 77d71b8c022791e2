"""The table of a hand while it is replayed: one mutable state inside the fold.

What is common to card games stands here: who sits where, what each hand is
known to hold, where every copy of a card was last seen. The families add their
own course of play. At lower details most cards are unknown; they are counted,
and what becomes known later is checked against everything seen before.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from rummy_audit.rhl.records import UNKNOWN, Event, HandRecord
from rummy_audit.rules.findings import Finding, Impossible, Term
from rummy_audit.rules.rulesets import Ruleset


class Holding(msgspec.Struct, eq=False):
    """What is known of one seat's cards.

    ``known`` counts the cards that are certainly there unless ``gone`` cards left
    unseen; ``unknown`` is how many more there are. Copies are not told apart.
    """

    known: dict[str, int] = {}
    unknown: int = 0
    gone: int = 0
    public: dict[str, int] = {}

    def __len__(self) -> int:
        return sum(self.known.values()) + self.unknown - self.gone

    def take(self, card: str | None) -> None:
        """Add a card, or an unknown one."""
        if card is None or card == UNKNOWN:
            self.unknown += 1
        else:
            self.known[card] = self.known.get(card, 0) + 1

    def holds(self, card: str) -> int:
        """Return how many copies of the card are known to be here."""
        return self.known.get(card, 0)

    def may_hold(self, card: str) -> bool:
        """Whether the card can be here, by all that was seen."""
        return self.unknown > 0 or card in self.known

    def give(self, card: str) -> bool | None:
        """Take the card out: True if it was known, False if it was an unknown one.

        None if it cannot have been here; nothing is moved then. ``??`` leaves
        unseen.
        """
        if card == UNKNOWN:
            if len(self) == 0:
                return None
            if not self.known:
                self.unknown -= 1
            else:
                self.gone += 1
            return False
        count = self.known.get(card)
        if count:
            if count == 1:
                del self.known[card]
            else:
                self.known[card] = count - 1
            seen = self.public.get(card)
            if seen:
                self.public[card] = seen - 1
            return True
        if self.unknown:
            self.unknown -= 1
            return False
        return None

    def cards(self) -> tuple[str, ...]:
        """Return the known cards, sorted."""
        return tuple(card for card in sorted(self.known) for _ in range(self.known[card]))

    def open_cards(self) -> tuple[str, ...]:
        """Return the known cards that everyone at the table has seen, sorted."""
        return tuple(card for card in sorted(self.public) for _ in range(self.public[card]))


class Table:
    """The state that every family's table shares.

    ``order`` holds the seats clockwise. ``pack`` maps each face to its copies and
    ``seen`` to the copies whose place is known now. ``skipped`` maps a check that
    could not run to the reason, ``handled`` an event to the codes there that the
    table dealt with rightly; ``taken_back`` holds codes and events of which a later
    event showed that they were something else. ``anew`` are the deals with which a
    hand began again in this log.
    """

    __slots__ = (
        "anew",
        "detail",
        "handled",
        "hands",
        "order",
        "pack",
        "pile",
        "record",
        "rules",
        "seen",
        "skipped",
        "stock",
        "taken_back",
    )

    def __init__(self, record: HandRecord, rules: Ruleset, pack: dict[str, int]) -> None:
        """Seat the players; nothing is dealt yet."""
        self.record = record
        self.rules = rules
        self.detail = record.detail
        self.order: list[int] = sorted([player.seat for player in record.players])
        self.hands: dict[int, Holding] = {seat: Holding() for seat in self.order}
        self.pack = pack
        self.seen: dict[str, int] = {}
        self.stock: int | None = None
        self.pile: list[str] = []
        self.skipped: dict[str, str] = {}
        self.handled: dict[int, frozenset[str]] = {}
        self.taken_back: set[tuple[str, int]] = set()
        self.anew: tuple[int, ...] = ()

    def skip(self, check: str, why: str) -> None:
        """Note that a check could not run; the first reason stays."""
        self.skipped.setdefault(check, why)

    def handle(self, seq: int, codes: Iterable[str]) -> None:
        """Note that the table dealt rightly with these codes at an event."""
        self.handled[seq] = self.handled.get(seq, frozenset()) | frozenset(codes)

    def take_back(self, code: str, seq: int) -> None:
        """Withdraw what was said of an event: a later one showed it in another light."""
        self.taken_back.add((code, seq))

    def found(
        self,
        code: str,
        event: Event | int,
        parameter: str | None = None,
        *,
        seat: int | None = None,
        recorded: object = None,
        expected: object = None,
        breakdown: tuple[Term, ...] = (),
        **data: object,
    ) -> Finding:
        """Make a finding at an event, resting on a parameter of the rules."""
        return Finding(
            code=code,
            seq=event if isinstance(event, int) else event.seq,
            seat=seat,
            rule=self.rules.cite(parameter) if parameter else None,
            recorded=recorded,
            expected=expected,
            breakdown=breakdown,
            data=data,
        )

    def sight(self, card: str, event: Event, *, seat: int | None = None) -> None:
        """Note that an unseen copy of a card has come to light.

        Raises Impossible when the deck has no such card, or no more copies of it.
        """
        if card == UNKNOWN:
            return
        copies = self.pack.get(card)
        if copies is None:
            raise Impossible(self.found("card-not-in-deck", event, seat=seat, card=card))
        count = self.seen.get(card, 0) + 1
        if count > copies:
            raise Impossible(
                self.found(
                    "too-many-copies", event, seat=seat, card=card, expected=copies, recorded=count
                )
            )
        self.seen[card] = count

    def lose_sight(self, cards: Iterable[str]) -> None:
        """Note that cards went where nobody can follow them, as in a reshuffle."""
        for card in cards:
            if card != UNKNOWN:
                self.seen[card] -= 1

    def left_of(self, seat: int, among: Iterable[int]) -> int | None:
        """Return the next seat upwards among those given, round the table.

        >>> from types import SimpleNamespace
        >>> Table.left_of(SimpleNamespace(), 5, [1, 3, 5])
        1
        """
        seats = sorted(among)
        if not seats:
            return None
        return next((other for other in seats if other > seat), seats[0])
