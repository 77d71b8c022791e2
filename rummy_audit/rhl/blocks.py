"""Lines from bytes of any size, block by block, and whether they can be text at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from rummy_audit.rhl.limits import MAX_LINE
from rummy_audit.rhl.misread import MisreadError

_BLOCK = 256 * 1024
_HEAD = 1024
_BOM = b"\xef\xbb\xbf"
_EXPECTED = "a log as UTF-8 text"
_NO_LOG = (
    (b"\xff\xfe\0\0", "UTF-32 text"),
    (b"\0\0\xfe\xff", "UTF-32 text"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PK\x03\x04", "a zip file"),
    (b"%PDF", "a PDF file"),
)


def lines_of(data: bytes | BinaryIO | Iterable[bytes]) -> Iterator[tuple[list[bytes], bool]]:
    """The lines of a file in blocks, and whether a block is ASCII without a backslash.

    Of a line longer than any may be only the beginning is given.

    Raises MisreadError when the file is no text.
    """
    rest = b""
    first = True
    for block in _blocks(data):
        rest += block
        if first:
            if len(rest) < _HEAD:
                continue
            rest = _text(rest)
            first = False
        lines = rest.split(b"\n")
        rest = lines.pop()[: MAX_LINE + 1]
        yield lines, block.isascii() and b"\\" not in block
    if first:
        rest = _text(rest)
    lines = rest.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if lines:
        yield lines, False


def _blocks(data: bytes | BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in blocks of a bounded size."""
    if isinstance(data, bytes | bytearray | memoryview):
        for start in range(0, len(data), _BLOCK):
            yield bytes(data[start : start + _BLOCK])
        return
    read = getattr(data, "read", None)
    if read is None:
        for chunk in data:
            yield from _blocks(chunk)
        return
    while block := read(_BLOCK):
        yield block


def _text(head: bytes) -> bytes:
    """The beginning of a file without its byte order mark.

    Raises MisreadError when it is no UTF-8 text.
    """
    for magic, what in _NO_LOG:
        if head.startswith(magic):
            raise MisreadError(what, _EXPECTED)
    if b"\0" in head[:_HEAD]:
        halves = head[0:_HEAD:2].count(0), head[1:_HEAD:2].count(0)
        found = "UTF-16 text" if min(halves) == 0 else "bytes that are no text"
        raise MisreadError(found, _EXPECTED)
    return head.removeprefix(_BOM)
