"""One hand while its lines come in, until it is whole, open or refused."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import cast

import msgspec

from rummy_audit.rhl import canonical, jsonlines, records
from rummy_audit.rhl.limits import MAX_EVENTS, MAX_HAND, MAX_LINE
from rummy_audit.rhl.misread import MisreadError, shortened
from rummy_audit.rhl.text_read import Header

_GUESS = re.compile(rb'"id"\s*:\s*"((?:[^"\\]|\\.){1,500}?)"|^\s*hand\s+"?([^\s"=]+)(?=["\s]|$)')


_seq = operator.attrgetter("seq")


class ReadError(msgspec.Struct, frozen=True):
    """What could not be read: a hand, or a whole file when ``hand`` is empty.

    ``line`` and ``column`` count from 1, columns in characters. ``found`` and
    ``expected`` are phrases for a person. ``raw`` holds the bytes of the refused
    lines as they came (of more than 8 MiB the beginning).
    """

    file: str
    line: int
    column: int
    hand: str
    found: str
    expected: str
    raw: bytes = b""


class Draft:
    """The records of one hand so far, its raw lines, and the first thing wrong with it."""

    # What a hand begins with: set on the draft itself once it changes.
    record: records.HandRecord | None = None
    end: records.End | None = None
    ended_after: int | None = None
    size = 0
    trouble: MisreadError | None = None
    trouble_line = 0

    def __init__(self, file: str, line: int, *, header: Header | None = None) -> None:
        self.file = file
        self.first_line = line
        self.header = header
        self.in_text = header is not None
        self.events: list[records.Event] = []
        self.lines: list[bytes] = []
        self.raw: list[bytes] = []

    def keep(self, line: bytes) -> None:
        """Keep a line as it came."""
        self.size += len(line) + 1
        if self.size <= MAX_HAND:
            self.raw.append(line)

    def refuse(self, problem: MisreadError, line: int) -> None:
        """Remember the first problem; what came before is of no use any more."""
        if self.trouble is None:
            self.trouble = problem
            self.trouble_line = problem.line or line
            self.events = []
            self.lines = []

    def begin(self, record: records.HandRecord, written: bytes) -> None:
        """Set the hand record.

        Raises MisreadError when it is too long to be written.
        """
        _check_length(written, line=self.first_line)
        self.record = record
        self.lines.append(written)

    @property
    def open(self) -> bool:
        """Whether any event in JSON may follow: no end yet, nothing wrong."""
        return (
            self.end is None and self.trouble is None and not self.in_text and self.size <= MAX_HAND
        )

    def take_events(self, lines: list[bytes], block: jsonlines.Block, at: int) -> int:
        """Add the events that simply follow from *at* on; give how many there were.

        The first line that is no event, or not the next one, is for :meth:`take` to judge.
        """
        end = min(block.run_end(at), at + MAX_EVENTS - len(self.events))
        if end == at:
            return 0
        events = cast("Sequence[records.Event]", block.found[at:end])
        first = len(self.events) + 1
        seqs = list(map(_seq, events))
        if seqs != list(range(first, first + len(seqs))):
            wrong = next(place for place, seq in enumerate(seqs) if seq != first + place)
            end = at + wrong
            events = events[:wrong]
        came = lines[at:end]
        size = sum(map(len, came)) + end - at
        while self.size + size > MAX_HAND:
            end -= 1
            size -= len(lines[end]) + 1
            came, events = lines[at:end], events[: end - at]
        self.events += events
        self.lines += came if block.written is lines else block.written[at:end]
        self.raw += came
        self.size += size
        return end - at

    def take_whole(self, lines: list[bytes], block: jsonlines.Block, at: int, count: int) -> None:
        """Take a whole hand of so many lines, of which the block says that nothing is wrong."""
        record, *events, end = block.found[at : at + count]
        self.record = cast("records.HandRecord", record)
        self.end = cast("records.End", end)
        self.events = cast("list[records.Event]", events)
        self.ended_after = len(events)
        self.raw = lines[at : at + count]
        self.lines = self.raw[:] if block.written is lines else [*block.written[at : at + count]]
        self.size = sum(map(len, self.raw)) + count

    def belongs(self, record: records.Record) -> bool:
        """Whether a record is this hand's, rightly or not: nearly all are until the end.

        After it an event that is not the next one, and no amendment, ruling or note, comes
        from a hand whose first line is lost.
        """
        return (
            self.end is None
            or type(record) in _CORRECTIONS
            or type(record) is records.End
            or getattr(record, "seq", 0) == len(self.events) + 1
        )

    def take(self, record: records.Record, written: bytes) -> None:
        """Add an event or the end.

        Raises MisreadError when the record cannot stand here; with the path to the value that
        says so.
        """
        if type(record) is records.End:
            if self.end is not None:
                raise MisreadError("a second end", FOLLOWS_THE_END)
            self.end = record
            self.ended_after = len(self.events)
        elif isinstance(record, records.Event):
            count = len(self.events) + 1
            if record.seq != count:
                raise MisreadError(f"seq {record.seq}", f"seq {count}", path=("seq",))
            if count > MAX_EVENTS:
                raise MisreadError(f"event {count}", f"at most {MAX_EVENTS} events in a hand")
            if self.end is not None and type(record) not in _AFTER_END:
                raise MisreadError(f"{kind_of(record)} after the end", FOLLOWS_THE_END)
            self.events.append(record)
        _check_length(written)
        if self.size > MAX_HAND:
            raise MisreadError("a hand of more than 8 MiB", "at most 8 MiB in a hand")
        self.lines.append(written)

    def close_header(self) -> None:
        """Build the hand record of a text hand, whose head takes several lines.

        Raises MisreadError with the line and column of what cannot be read.
        """
        header, self.header = self.header, None
        if header is None:
            return
        record = header.record()
        self.begin(record, canonical.encode(record))

    def finish(self, *, next_hand: int = 0) -> records.Hand | ReadError:
        """The hand, or why it cannot be read; *next_hand* is the line of the hand after it."""
        if self.trouble is None:
            try:
                self.close_header()
            except MisreadError as problem:
                self.refuse(problem, self.first_line)
        if self.trouble is None and next_hand and self.end is None:
            found = "a second hand record before the end"
            expected = f"the end of hand {self.id}, which began in line {self.first_line}"
            self.refuse(MisreadError(found, expected, column=1), next_hand)
        if self.trouble is None and self.record is not None:
            return records.Hand(
                record=self.record,
                events=tuple(self.events),
                end=self.end,
                ended_after=self.ended_after,
                lines=tuple(self.lines),
                file=self.file,
                line=self.first_line,
            )
        why = self.trouble or MisreadError("no hand record", "a hand record")
        return ReadError(
            file=self.file,
            line=self.trouble_line,
            column=why.column or 1,
            hand=self.id,
            found=why.found,
            expected=why.expected,
            raw=b"\n".join(self.raw),
        )

    @property
    def id(self) -> str:
        """The hand's id, as far as it can be made out."""
        if self.record is not None:
            return self.record.id
        guess = _GUESS.search(self.raw[0]) if self.raw and starts_hand(self.raw[0]) else None
        if guess is None:
            return ""
        return shortened((guess[1] or guess[2]).decode(errors="replace"))


def _check_length(written: bytes, *, line: int = 0) -> None:
    """Refuse a record that no line can hold: a log that is read can be written and read again.

    Typed as several lines, or with marks that NFC takes apart, it may have come in shorter.
    """
    if len(written) > MAX_LINE:
        found = "a record of more than 64 KiB in the canonical form"
        raise MisreadError(found, "at most 64 KiB in a record", column=1, line=line)


FOLLOWS_THE_END = "amend, ruling, note or the next hand"
_CORRECTIONS = frozenset({records.Amend, records.Ruling, records.Note})
# What this version does not know may follow the end too.
_AFTER_END = _CORRECTIONS | {records.UnknownEvent}
_HAND = re.compile(rb'"type"\s*:\s*"hand"')
_AMEND = re.compile(rb'"type"\s*:\s*"amend"')
_CORRECTION = re.compile(rb'"type"\s*:\s*"(?:amend|ruling|note)"|^\s*(?:amend|ruling|note)\b')
_TEXT_HAND = re.compile(rb"\s*hand(?:\s|$)")


class _Typed(msgspec.Struct):
    type: str = ""


_typed = msgspec.json.Decoder(_Typed).decode


def starts_hand(line: bytes) -> bool:
    """Whether a line, readable or not, looks like the first one of a hand."""
    if line.lstrip()[:1] != b"{":
        return _TEXT_HAND.match(line) is not None
    found = _HAND.search(line) is not None
    if not found and b"\\" not in line:
        return False  # any letter may be written as an escape
    try:
        return _typed(line).type == "hand"
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        # An amendment of the hand record holds one inside.
        return found and _AMEND.search(line) is None


def follows_end(line: bytes) -> bool:
    """Whether a line, readable or not, looks like a correction of a hand that has ended."""
    return _CORRECTION.search(line) is not None


def kind_of(record: records.Record) -> str:
    """The type of a record as it is written."""
    if isinstance(record, records.UnknownEvent):
        return record.kind
    return str(type(record).__struct_config__.tag)
