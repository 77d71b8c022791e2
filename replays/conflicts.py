"""Two logs of one hand: where what was sent says otherwise than what is stored."""

from __future__ import annotations

from dataclasses import dataclass

from replays import queries, what_if
from replays.models import HandLog
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand
from rummy_audit.rhl.text_write import record_line

# More than a person puts right event by event.
MOST = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """One event, as the text form writes it, here and as it was sent; empty where it is missing.

    ``line`` is what the record would be amended to, empty where nothing can be.
    """

    seq: int
    here: str
    sent: str
    line: str


def differences(log: HandLog, sent: bytes) -> list[Difference]:
    """Return the events in which a log that was sent differs from the stored one, in their order.

    Empty where only the hand record differs, its players or its rules, or its end.
    """
    item = next(iter(read(sent)), None)
    if item is None or isinstance(item, ReadError):
        return []
    stored = queries.hand_of(log)
    here, there = _lines(stored), _lines(item)
    return [
        Difference(seq, mine, theirs, what_if.line_of(item, seq) if mine and theirs else "")
        for seq in sorted({*here, *there})
        if (mine := here.get(seq, "")) != (theirs := there.get(seq, ""))
    ][:MOST]


def _lines(hand: Hand) -> dict[int, str]:
    return {event.seq: record_line(event) for event in hand.events}
