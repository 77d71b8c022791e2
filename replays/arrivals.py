"""Hands on their way in: everything about them but what is stored already."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import msgspec
from django.utils import timezone

from replays import logs
from replays.models import Club, Upload
from replays.rulesets_of_clubs import Own, OwnRules
from rummy_audit.rhl import digests
from rummy_audit.rhl.read import ReadError
from rummy_audit.rhl.records import Hand
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import RulesetError

_encode = msgspec.json.Encoder().encode


def identity_of(club: Club, *, source: str, event: str, name: str) -> bytes:
    """Return the digest of what tells a hand from every other."""
    return hashlib.sha256(_encode([club.pk, source, event, name])).digest()


@dataclass(frozen=True, slots=True)
class Arrival:
    """A readable hand on its way in, with all that needs no database."""

    number: int
    hand: Hand
    source: str
    event: str
    identity: bytes
    ruleset: str
    stored: Sequence[bytes]
    chain: digests.Chain

    @classmethod
    def of(cls, hand: Hand, *, upload: Upload, number: int, own: Own) -> Self:
        """Prepare a hand of an upload. Raises RulesetError if its rules cannot be."""
        record = hand.record
        source = record.source or upload.source
        event = record.event or upload.event
        return cls(
            number=number,
            hand=hand,
            source=source,
            event=event,
            identity=identity_of(upload.club, source=source, event=event, name=record.id),
            ruleset=rulesets.for_hand(record, own(record)).preset,
            stored=logs.stored_form(hand),
            chain=digests.chain(hand),
        )

    @property
    def seq(self) -> int:
        """The seq of its last event."""
        return len(self.hand.events)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A hand that cannot be taken, where, and why; ``raw`` is all that came."""

    number: int
    name: str
    line: int
    column: int
    found: str
    expected: str
    raw: bytes

    @classmethod
    def of(cls, error: ReadError, *, number: int) -> Self:
        """Refuse what could not be read."""
        name = error.hand[:500]
        found, expected = error.found, error.expected
        return cls(number, name, error.line, error.column, found, expected, error.raw)

    @classmethod
    def for_rules(cls, hand: Hand, error: RulesetError, *, number: int) -> Self:
        """Refuse a hand whose rules cannot be."""
        found = f"{error.parameter} {error.found}"
        raw = b"\n".join(hand.lines)
        return cls(number, hand.record.id, hand.line, 1, found, error.expected, raw)


def prepare(
    items: Iterable[Hand | ReadError], *, upload: Upload, number: int
) -> list[Arrival | Refusal]:
    """Prepare hands of an upload, the first of them its ``number``-th.

    The database is asked only for rules of the club's own.
    """
    prepared: list[Arrival | Refusal] = []
    own = OwnRules().on(upload.club_id, timezone.now().date())
    for place, item in enumerate(items, number):
        if isinstance(item, ReadError):
            prepared.append(Refusal.of(item, number=place))
            continue
        try:
            prepared.append(Arrival.of(item, upload=upload, number=place, own=own))
        except RulesetError as error:
            prepared.append(Refusal.for_rules(item, error, number=place))
    return prepared
