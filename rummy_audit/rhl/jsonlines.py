"""One line of JSON Lines: its record and its canonical bytes.

There are two ways in. The quick one lets msgspec decode the line and write it
again; when nothing was lost on that way, the two are right. Anything unusual goes
the careful way, which decides alone what is taken, refused and where. Both give the
same for every line that the quick one takes.
"""

from __future__ import annotations

import bisect
import operator
import unicodedata
from collections.abc import Sequence
from typing import cast

import msgspec

from rummy_audit.rhl import build, canonical, jsonscan, records
from rummy_audit.rhl.limits import MAX_EVENTS, MAX_LINE
from rummy_audit.rhl.lines import Lines
from rummy_audit.rhl.misread import MisreadError

# Amendments are rare and hold other records: they always go the careful way.
_decoder: msgspec.json.Decoder[records.AmendedRecord | records.End] = msgspec.json.Decoder(
    records.AmendedRecord | records.End
)
_encoder = msgspec.json.Encoder(order="sorted")
_END = b',"type":"end"}\n'
_FEW = 16
_COUNTING = [*range(1, MAX_EVENTS + 1)]
_seq = operator.attrgetter("seq")
_WITH_SEAT_KEYS = frozenset({records.Score, records.Result})
_NO_EVENTS = frozenset({records.HandRecord, records.End, type(None)})
_APART = _WITH_SEAT_KEYS | _NO_EVENTS

Parsed = tuple[records.Record, bytes]
"""A record and its canonical bytes."""

Found = list[records.Record | None]
"""What was decoded of some lines; None where a line needs care."""


class Block:
    """The lines of a block that were read the quick way: their records and canonical bytes.

    A record is None where a line needs care.
    """

    def __init__(
        self,
        found: Sequence[records.Record | None],
        written: Sequence[bytes],
        apart: Sequence[int] | None = None,
    ) -> None:
        self.found = found
        self.written = written
        apart = _apart(found) if apart is None else apart
        self.stops = [at for at in apart if type(found[at]) in _NO_EVENTS]

    def parsed(self, at: int, line: bytes) -> Parsed:
        """The record and the canonical bytes of line *at*, which a hand does not simply go on with.

        Raises MisreadError with the column of what cannot be read.
        """
        record = self.found[at]
        # Without a seq an event has the one of an amendment's events.
        if record is None or getattr(record, "seq", 1) == 0 or build.trouble(record) is not None:
            return careful(line)
        return record, self.written[at]

    def whole_hand(self, at: int) -> int:
        """How many lines a hand takes from *at* on to its end, if all is as it should be; else 0.

        Corrections may still follow the end.
        """
        record = self.found[at]
        if type(record) is not records.HandRecord:
            return 0
        end = self.run_end(at + 1)
        if end == len(self.found) or type(self.found[end]) is not records.End:
            return 0
        seqs = [*map(_seq, cast("Sequence[records.Event]", self.found[at + 1 : end]))]
        if seqs != _COUNTING[: len(seqs)] or build.trouble(record) is not None:
            return 0
        return end - at + 1

    def followed(self, at: int) -> bool:
        """Whether line *at* begins another hand, so that nothing can correct the one before."""
        return at < len(self.found) and type(self.found[at]) is records.HandRecord

    def hand(self, at: int, count: int, *, file: str, line: int) -> records.Hand:
        """The whole hand of so many lines from *at* on."""
        written = self.written[at : at + count]
        return _hand(self.found[at : at + count], tuple(written), file=file, line=line)

    def run_end(self, at: int) -> int:
        """The place of the first line from *at* on that is no event."""
        after = bisect.bisect_left(self.stops, at)
        return self.stops[after] if after < len(self.stops) else len(self.found)


def _apart(found: Sequence[records.Record | None]) -> list[int]:
    """The places of what is no event like most of them: few of the lines of a block."""
    return [at for at, record in enumerate(found) if type(record) in _APART]


def one_hand(whole: bytes, found: Found, file: str) -> records.Hand | None:
    """The hand in a file of which these records were *found*; None where it needs care.

    The file is that one hand from its record to its end, byte for byte as it is written:
    nothing in it is unknown, and no event is an amendment.
    """
    # Keys in another order or with spaces show at the end of the end already.
    if not found or not whole.endswith(_END):
        return None
    record, end = found[0], found[-1]
    if type(record) is not records.HandRecord or type(end) is not records.End:
        return None
    try:
        count = len(found) - 2
        if _seq(found[-2]) != count or [*map(_seq, found[1:-1])] != _COUNTING[:count]:
            return None
        made: list[object] = [*found]
        if type(found[-2]) in _WITH_SEAT_KEYS:
            # The table's score is the last event of nearly every hand.
            made[-2] = msgspec.to_builtins(found[-2], str_keys=True)
        if _encoder.encode_lines(made) != whole:
            return None
    except (AttributeError, TypeError):
        return None  # the record of another hand, or a score amid the events
    if b"\\" in whole or not _is_nfc(whole) or build.trouble(record) is not None:
        return None
    return _hand(found, Lines(whole), file=file, line=1)


def _hand(
    found: Sequence[records.Record | None],
    written: Lines | tuple[bytes, ...],
    *,
    file: str,
    line: int,
) -> records.Hand:
    """The hand that these records are, from the hand record to the end."""
    return records.Hand(
        record=cast("records.HandRecord", found[0]),
        events=cast("tuple[records.Event, ...]", tuple(found[1:-1])),
        end=cast("records.End", found[-1]),
        ended_after=len(found) - 2,
        lines=written,
        file=file,
        line=line,
    )


def usual(block: bytes, lines: Sequence[bytes], found: Found | None = None) -> Block:
    """The quick way for all lines of a block at once, or for what was *found* in it already."""
    if b"{" not in block:
        return Block((None,) * len(lines), (b"",) * len(lines))
    if found is None:
        found = at_once(block)
    apart = _apart(found)
    back = _written(found, apart)
    # Written as it is read, byte for byte, each line can only have been one record.
    short = len(block) <= MAX_LINE or max(map(len, lines)) <= MAX_LINE
    if (
        len(back) == len(block) + 1
        and back.startswith(block)
        and b"\\" not in block
        and short
        and _is_nfc(block)
    ):
        return Block(found, lines, apart)
    if not _fits(found, block, lines):
        found = _line_by_line(lines)
        back = _written(found, _apart(found))
    written = back.split(b"\n")[:-1]
    if short and None not in found and _is_whole(block, back[:-1]):
        return Block(found, written)
    return Block(
        [
            record if len(line) <= MAX_LINE and _is_whole(line, back) else None
            for line, record, back in zip(lines, found, written, strict=True)
        ],
        written,
    )


def _written(found: Found, apart: Sequence[int]) -> bytes:
    """The records as lines, sorted: an encoder that sorts takes no seats as keys, only text."""
    keyed = [(at, record) for at in apart if type(record := found[at]) in _WITH_SEAT_KEYS]
    if not keyed:
        return _encoder.encode_lines(found)
    made: list[object] = [*found]
    for at, record in keyed:
        made[at] = msgspec.to_builtins(record, str_keys=True)
    return _encoder.encode_lines(made)


def at_once(block: bytes) -> Found:
    """What msgspec makes of a block; nothing where it cannot take a line."""
    try:
        return cast("Found", _decoder.decode_lines(block))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return []


def _fits(found: Sequence[records.Record | None], block: bytes, lines: Sequence[bytes]) -> bool:
    """Whether what was decoded at once is one record of each line.

    Two records in a line and an empty line make as many as there are lines: never together.
    """
    return len(found) == len(lines) and block.count(b"}\n{") == len(lines) - 1 and _is_nfc(block)


def _line_by_line(lines: Sequence[bytes]) -> Found:
    """What msgspec makes of lines; a line it cannot take spoils none but itself."""
    if len(lines) == 1:
        return [None]
    step = _FEW if len(lines) > _FEW else 1
    made: Found = []
    for at in range(0, len(lines), step):
        part = lines[at : at + step]
        block = b"\n".join(part)
        found = at_once(block)
        made += found if _fits(found, block, part) else _line_by_line(part)
    return made


def _is_whole(text: bytes, back: bytes) -> bool:
    """Whether lines and what was written back differ in length by spaces alone.

    Decoding drops unknown fields and doubled keys, and nothing can grow on the way back:
    so nothing was lost.
    """
    return len(text) - text.count(b" ") == len(back) - back.count(b" ") and b"\\" not in text


def careful(line: bytes) -> Parsed:
    """The record of any line, and its canonical bytes.

    Raises MisreadError with the column of what cannot be read.
    """
    text = decoded(line)
    plain = jsonscan.loads(text)
    try:
        record = build.record(plain)
    except MisreadError as problem:
        raise placed(problem, text) from None
    return record, canonical.encode(record)


def parse(line: bytes) -> Parsed:
    """The record of one line, and its canonical bytes.

    >>> parse(b'{"type":"draw","seq":3,"seat":2,"from":"stock","card":"10h"}')[1]
    b'{"card":"TH","from":"stock","seat":2,"seq":3,"type":"draw"}'

    Raises MisreadError with the column of what cannot be read.
    """
    block = usual(line, (line,))
    record = block.found[0]
    return careful(line) if record is None else (record, block.written[0])


def decoded(line: bytes) -> str:
    """The text of a line.

    Raises MisreadError when it is too long, or where its bytes are not UTF-8.
    """
    if len(line) > MAX_LINE:
        raise MisreadError("a line of more than 64 KiB", "at most 64 KiB in a line", column=1)
    try:
        return line.decode()
    except UnicodeDecodeError as problem:
        column = len(line[: problem.start].decode()) + 1
        found = f"byte 0x{line[problem.start]:02x}, which is not UTF-8"
        raise MisreadError(found, "text in UTF-8", column=column) from None


def placed(problem: MisreadError, text: str) -> MisreadError:
    """The problem with the column of the value that its path leads to."""
    if problem.column:
        return problem
    places = jsonscan.scan(text)[1]
    path = problem.path
    while path not in places:
        path = path[:-1]
    return MisreadError(problem.found, problem.expected, path=problem.path, column=places[path])


def _is_nfc(block: bytes) -> bool:
    if block.isascii():
        return True
    try:
        return unicodedata.is_normalized("NFC", block.decode())
    except UnicodeDecodeError:
        return False
