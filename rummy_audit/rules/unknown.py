"""What a log holds beyond the format: kept and noted, never judged."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from rummy_audit.rhl.amend import Corrected
from rummy_audit.rhl.records import Amend, Event, Hand, Result, UnknownEvent
from rummy_audit.rules.findings import Finding, Findings

_extra = operator.attrgetter("extra")


def unknown_of_event(event: Event) -> Iterator[Finding]:
    """Note an unknown event, or the fields of an event that are unknown."""
    if isinstance(event, UnknownEvent):
        yield Finding(code="unknown-event", seq=event.seq, data={"type": event.kind})
        return
    yield from _fields(event, event.seq)
    if isinstance(event, Result):
        for seat, bonuses in sorted((event.bonuses or {}).items()):
            yield from _fields(bonuses, event.seq, "bonuses.", seat)


def unknown_of_hand(hand: Hand) -> Findings:
    """Note what stands in the hand record, in the end and in amendments beyond their fields.

    A field of a part is named with it: ``match.stake``.
    """
    record, end = hand.record, hand.end
    found: list[Finding] = [*_fields(record, 0)] if record.extra else []
    if any(map(_extra, record.players)):
        for player in record.players:
            found += _fields(player, 0, "players.", player.seat)
    if record.match is not None and record.match.extra:
        found += _fields(record.match, 0, "match.")
    if record.writer is not None and record.writer.extra:
        found += _fields(record.writer, 0, "writer.")
    if end is not None and end.extra:
        found += _fields(end, 0, "end.")
    if type(hand) is Corrected:
        for event in hand.original.events:
            if type(event) is Amend and event.extra:
                found += _fields(event, event.seq)
    return found


def _fields(part: object, seq: int, prefix: str = "", seat: int | None = None) -> Iterator[Finding]:
    for name in sorted(_extra(part) or ()):
        if not name.startswith("_"):
            data = {"field": prefix + name}
            yield Finding(code="unknown-field", seq=seq, seat=seat, data=data)
