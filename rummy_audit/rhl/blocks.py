"""Lines from bytes of any size, block by block, and whether they can be text at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from rummy_audit.rhl.limits import MAX_LINE
from rummy_audit.rhl.misread import MisreadError

PIECE = MAX_LINE
"""Bytes that are read at once: what is no more has no line that is too long."""
_HEAD = 1024
# A control character so early is no slip of the pen; later it refuses its hand alone.
_START = 16
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r")
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
_MAGIC = tuple([magic for magic, _ in _NO_LOG])


def lines_of(data: bytes | BinaryIO | Iterable[bytes]) -> Iterator[tuple[bytes, list[bytes]]]:
    """The lines of a file, block by block: the bytes of a block, and its lines.

    Of a line longer than any may be only the beginning is given.

    Raises MisreadError when the file is no text.
    """
    if isinstance(data, bytes) and len(data) <= PIECE:
        whole = _text(data).removesuffix(b"\n")
        if whole:
            yield whole, whole.split(b"\n")
        return
    rest = b""
    first = True
    for piece in _pieces(data):
        block = rest + piece
        if first and len(block) < _HEAD:
            rest = block
            continue
        if first:
            block = _text(block)
            first = False
        cut = block.rfind(b"\n")
        rest = block[cut + 1 :][: MAX_LINE + 1]
        if cut >= 0:
            whole = block[:cut]
            yield whole, whole.split(b"\n")
    if first:
        rest = _text(rest)
    rest = rest.removesuffix(b"\n")
    if rest:
        yield rest, rest.split(b"\n")


def _pieces(data: bytes | BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in pieces of a bounded size."""
    if isinstance(data, bytes | bytearray | memoryview):
        for start in range(0, len(data), PIECE):
            yield bytes(data[start : start + PIECE])
        return
    read = getattr(data, "read", None)
    if read is None:
        for chunk in data:
            yield from _pieces(chunk)
        return
    while block := read(PIECE):
        yield block


def _text(head: bytes) -> bytes:
    """The beginning of a file without its byte order mark.

    Raises MisreadError when it is no UTF-8 text.
    """
    if head.startswith(_MAGIC):
        raise MisreadError(
            next(what for magic, what in _NO_LOG if head.startswith(magic)), _EXPECTED
        )
    if not _CONTROLS.isdisjoint(head[:_START]):
        evens, odds = head[0:_HEAD:2].count(0), head[1:_HEAD:2].count(0)
        one_sided = min(evens, odds) == 0 and max(evens, odds) > 0
        raise MisreadError("UTF-16 text" if one_sided else "bytes that are no text", _EXPECTED)
    return head.removeprefix(_BOM)
