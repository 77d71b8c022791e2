"""One line of JSON Lines: its record and its canonical bytes.

There are two ways in. The quick one lets msgspec decode the line and write it
again; when nothing was lost on that way, the two are right. Anything unusual goes
the careful way, which decides alone what is taken, refused and where. Both give the
same for every line that the quick one takes.
"""

from __future__ import annotations

import bisect
import contextlib
import unicodedata
from collections.abc import Sequence

import msgspec

from rummy_audit.rhl import build, canonical, jsonscan, records
from rummy_audit.rhl.misread import MisreadError

# Amendments are rare and hold other records: they always go the careful way.
_decoder: msgspec.json.Decoder[records.AmendedRecord | records.End] = msgspec.json.Decoder(
    records.AmendedRecord | records.End
)
_encoder = msgspec.json.Encoder(order="sorted")
_EVENTS = frozenset(build.EVENTS.values())
_WITH_SEAT_KEYS = frozenset({records.Score, records.Result})

Parsed = tuple[records.Record, bytes]
"""A record and its canonical bytes."""


class Block:
    """The lines of a block that were read the quick way: their records and canonical bytes.

    A record is None where a line needs care.
    """

    def __init__(self, found: Sequence[records.Record | None], written: Sequence[bytes]) -> None:
        self.found = found
        self.written = written
        self.stops = [at for at, each in enumerate(found) if type(each) not in _EVENTS]

    def run_end(self, at: int) -> int:
        """The place of the first line from *at* on that is no event."""
        after = bisect.bisect_left(self.stops, at)
        return self.stops[after] if after < len(self.stops) else len(self.found)


def usual(block: bytes, lines: Sequence[bytes]) -> Block:
    """The quick way for all lines of a block at once."""
    if b"{" not in block:
        return Block((None,) * len(lines), (b"",) * len(lines))
    found: list[records.Record] = []
    if _is_nfc(block):
        with contextlib.suppress(msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            found += _decoder.decode_lines(block)
    if len(found) != len(lines):
        return _halves(lines)
    # An encoder that sorts takes no keys but text: not those of a score's seats.
    written = _encoder.encode_lines(
        [
            msgspec.to_builtins(each, str_keys=True) if type(each) in _WITH_SEAT_KEYS else each
            for each in found
        ]
    ).split(b"\n")[:-1]
    if b"\\" not in block and list(map(len, lines)) == list(map(len, written)):
        return Block(found, written)
    return Block(
        [
            record if b"\\" not in line and _as_long(line, back) else None
            for line, record, back in zip(lines, found, written, strict=True)
        ],
        written,
    )


def _halves(lines: Sequence[bytes]) -> Block:
    """The quick way for each half of a block that holds a line which needs care."""
    if len(lines) == 1:
        return Block((None,), (b"",))
    middle = len(lines) // 2
    first, second = (usual(b"\n".join(half), half) for half in (lines[:middle], lines[middle:]))
    return Block((*first.found, *second.found), (*first.written, *second.written))


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
    if record is None or build.trouble(record) is not None:
        return careful(line)
    return record, block.written[0]


def decoded(line: bytes) -> str:
    """The text of a line.

    Raises MisreadError where its bytes are not UTF-8.
    """
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


def _as_long(line: bytes, back: bytes) -> bool:
    """Whether a line and what was written back differ in length by spaces alone.

    Decoding drops unknown fields and doubled keys, and nothing can grow on the way back:
    so nothing was lost.
    """
    return len(line) - line.count(b" ") == len(back) - back.count(b" ")


def _is_nfc(block: bytes) -> bool:
    if block.isascii():
        return True
    try:
        return unicodedata.is_normalized("NFC", block.decode())
    except UnicodeDecodeError:
        return False
