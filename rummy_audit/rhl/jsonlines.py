"""One line of JSON Lines: its record and its canonical bytes.

There are two ways in. The quick one lets msgspec decode the line and write it
again; when nothing was lost on that way, the two are right. Anything unusual goes
the careful way, which decides alone what is taken, refused and where.
"""

from __future__ import annotations

import unicodedata

import msgspec

from rummy_audit.rhl import build, canonical, jsonscan, records
from rummy_audit.rhl.misread import MisreadError

_QuickRecord = records.AmendedRecord | records.End
_decode = msgspec.json.Decoder(_QuickRecord).decode
_dumps = canonical.dumps
_WITH_SEAT_KEYS = (records.Score, records.Result)


def quick(line: bytes) -> tuple[records.Record, bytes] | None:
    """The record of a line that is usual in every way, and its canonical bytes.

    The caller has seen that the line is NFC and holds no backslash. None says
    nothing about the line but that it has to be read with care.
    """
    try:
        record = _decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    if isinstance(record, _WITH_SEAT_KEYS):
        written = _dumps(msgspec.to_builtins(record, str_keys=True))
    else:
        written = _dumps(record)
    # Decoding drops unknown fields and doubled keys and nothing can grow on the way
    # back, so equal length but for spaces means that nothing was lost.
    if len(written) != len(line) and (
        len(written) - written.count(b" ") != len(line) - line.count(b" ")
    ):
        return None
    if type(record) is records.HandRecord and build.trouble(record) is not None:
        return None
    return record, written


def careful(line: bytes) -> tuple[records.Record, bytes]:
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


def parse(line: bytes) -> tuple[records.Record, bytes]:
    """The record of one line, and its canonical bytes.

    >>> parse(b'{"type":"draw","seq":3,"seat":2,"from":"stock","card":"10h"}')[1]
    b'{"card":"TH","from":"stock","seat":2,"seq":3,"type":"draw"}'

    Raises MisreadError with the column of what cannot be read.
    """
    if is_plain(line):
        usual = quick(line)
        if usual is not None:
            return usual
    return careful(line)


def is_plain(line: bytes) -> bool:
    """Whether a line may go the quick way: NFC, nothing escaped."""
    if b"\\" in line:
        return False
    if line.isascii():
        return True
    try:
        return unicodedata.is_normalized("NFC", line.decode())
    except UnicodeDecodeError:
        return False


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
