"""A live table writes its hand as it is played: events are appended where the log ends.

An append names the seq that it follows. Nothing is buffered: what begins beyond the end is
refused with how far the log goes. What is there already must be the same, and then the
append is answered as if for the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import msgspec
from django.http import Http404

from replays import arrivals, ingest, logs, sight, storage, trail
from replays.access import Viewer
from replays.arrivals import Arrival, Refusal
from replays.models import DealEntry, HandLog, Upload
from replays.models.uploads import OutcomeKind
from rummy_audit.rhl.draft import FOLLOWS_THE_END
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand


class AppendError(Exception):
    """An append that is refused; ``log`` is the hand as it stays, locked no more."""

    def __init__(self, log: HandLog) -> None:
        """Keep how far the log goes."""
        super().__init__(log.public_id)
        self.log = log


class BeyondError(AppendError):
    """The events begin beyond the end of the log."""


class DiffersError(AppendError):
    """The log holds other events at these places."""


class EndedError(AppendError):
    """The hand has ended, and these events cannot follow its end."""


class MisfitError(AppendError):
    """A record cannot be read, or cannot stand in its place: which one, and why."""

    def __init__(self, log: HandLog, *, number: int, found: str, expected: str) -> None:
        """Name the record by its place among those sent, from 0."""
        super().__init__(log)
        self.number = number
        self.found = found
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Written:
    """A hand as far as the events that were sent, and the head of its log there."""

    log: HandLog
    hand: Hand
    head: str


def append(viewer: Viewer, public_id: str, *, after: int, lines: Sequence[bytes]) -> Written:
    """Append records (canonical JSON, one a line) behind the event ``after``.

    Raises Http404 for a hand that this viewer cannot read, and AppendError.
    """
    return storage.in_transaction(partial(_append, viewer, public_id, after=after, lines=lines))


def _append(viewer: Viewer, public_id: str, *, after: int, lines: Sequence[bytes]) -> Written:
    found = storage.locked(HandLog.objects.for_user(viewer).filter(public_id=public_id))
    log = next(iter(found), None)
    if log is None:
        raise Http404
    if DealEntry.objects.filter(log=log).exists():
        # Who may still correct it, and until when, is known at the table alone.
        raise MisfitError(
            log,
            number=0,
            found="a deal that was entered at a table",
            expected="its correction on the page of that table",
        )
    if after > log.seq:
        raise BeyondError(log)
    arrival = _arrival(log, after=after, lines=lines)
    kind = ingest.continue_log(log, arrival)
    if kind is OutcomeKind.CONFLICT:
        raise DiffersError(log)
    if kind is OutcomeKind.APPENDED:
        reached = {"seq": log.seq, "ended": not log.is_open}
        trail.leave(viewer, "hand.append", target=log.public_id, after=reached)
    return Written(log=log, hand=arrival.hand, head=arrival.chain.head)


def _arrival(log: HandLog, *, after: int, lines: Sequence[bytes]) -> Arrival:
    """Return the hand as it would be with these records behind the event ``after``."""
    stored = logs.stored_lines([log.pk])[log.pk].split(b"\n")[:-1]
    ended = log.ended_after
    # The end stands behind event `ended`; who sends it again sends it at the same place.
    keeps_end = ended is not None and (after > ended or (after == ended and not _is_end(lines[0])))
    before = stored[: 1 + after + keeps_end]
    items = list(read(b"\n".join([*before, *lines])))
    upload = Upload(club=log.club, source=log.source, event=log.event)
    [*first, last] = arrivals.prepare(items, upload=upload, number=0)
    if first or isinstance(last, Refusal):
        _refuse(log, items, before=len(before), ended=keeps_end)
    return last


def _is_end(line: bytes) -> bool:
    return bool(msgspec.json.decode(line).get("type") == "end")


def _refuse(log: HandLog, items: Sequence[Hand | ReadError], *, before: int, ended: bool) -> None:
    wrong = next((each for each in items if isinstance(each, ReadError)), None)
    if ended and (wrong is None or wrong.expected == FOLLOWS_THE_END):
        raise EndedError(log)
    if wrong is None:
        raise MisfitError(log, number=0, found="another hand", expected="events of this hand")
    number = max(0, wrong.line - 1 - before)
    raise MisfitError(log, number=number, found=wrong.found, expected=wrong.expected)


def seen_by(viewer: Viewer, written: Written) -> Hand:
    """Return the hand as far as it was written, as this viewer may see it there."""
    # By what was written, not by what the log has become since: the same answer comes again.
    ended = written.hand.end is not None and sight.is_opened(written.log, viewer.club)
    whole = ended or sight.reveals(viewer)
    return written.hand if whole else sight.redacted(written.hand, sight.PUBLIC)
