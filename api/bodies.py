"""Bodies of requests: read to a cap, unpacked to a cap, then read strictly."""

from __future__ import annotations

import re
import tempfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeVar

import msgspec
from django.http import HttpRequest
from django.utils.translation import gettext as _

from api import moments, strict_json
from api.problems import Problem, shown

T = TypeVar("T")

MOST_JSON = 1024 * 1024
_PIECE = 64 * 1024
_IN_MEMORY = 2 * 1024 * 1024
# gzip members of a body: more than one is lawful (RFC 1952), thousands of empty ones are not meant.
_MOST_MEMBERS = 1000
_GZIP = 31
_STEP = re.compile(r"\w+")


def media_type(request: HttpRequest) -> str:
    """Return the media type of the body, without its parameters."""
    return (request.META.get("CONTENT_TYPE") or "").partition(";")[0].strip().lower()


def check_type(request: HttpRequest, known: tuple[str, ...]) -> str:
    """Return the media type of the body. Raises Problem unless it is a known one, in UTF-8."""
    kind = media_type(request)
    if kind not in known:
        found = shown(kind) or _("nothing")
        raise Problem(
            "unsupported-media-type",
            _("Content-Type says %(found)s.") % {"found": found},
            place={"header": "Content-Type"},
            known=list(known),
        )
    charset = (request.content_params or {}).get("charset", "utf-8").lower()
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise Problem(
            "unsupported-media-type",
            _("Only UTF-8 is read."),
            place={"header": "Content-Type"},
            known=list(known),
        )
    return kind


def json_body(request: HttpRequest, shape: type[T], *, most: int = MOST_JSON) -> T:
    """Return a JSON body as ``shape``. Raises Problem with the place."""
    check_type(request, ("application/json",))
    with spooled(request, most=most) as body:
        value = strict_json.loads(body.read())
    return converted(value, shape)


def converted(value: Any, shape: type[T]) -> T:
    """Return plain data as ``shape``. Raises Problem with the JSON pointer of what is wrong."""
    try:
        made = msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        what, pointer = _told(str(error))
        raise Problem("bad-value", shown(what), place={"pointer": pointer}) from None
    for steps in moments.beyond(made):
        place = {"pointer": strict_json.pointer(steps)}
        raise Problem("bad-value", str(moments.BEYOND), place=place)
    return made


def _told(error: str) -> tuple[str, str]:
    """Return what msgspec says of a value, and where, as a JSON pointer.

    Of a map it tells not which of its keys it means: then the pointer is to the map.

    >>> _told("Expected `str`, got `int` - at `$.groups[0][2]`")
    ('Expected `str`, got `int`', '/groups/0/2')
    >>> _told("Expected `int` <= 9 - at `$.points[...]`")
    ('Expected `int` <= 9', '/points')
    >>> _told("Expected `str` of length <= 2 - at `key` in `$.points`")
    ('Expected `str` of length <= 2', '/points')
    """
    what, at, where = error.rpartition(" - at ")
    if not at:
        return error, ""
    path = where.rpartition("`$")[2].rstrip("`").partition("[...]")[0]
    return what, "".join(f"/{step}" for step in _STEP.findall(path))


def spooled(request: HttpRequest, *, most: int) -> BinaryIO:
    """Return the body, unpacked, as a file at its beginning. Raises Problem.

    What is announced or comes beyond ``most`` bytes is refused before it is kept.
    """
    announced = request.META.get("CONTENT_LENGTH") or "0"
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > most:
        raise too_large(most)
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - handed on
    try:
        for piece in _capped(_unpacked(request, most), most):
            file.write(piece)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file  # type: ignore[return-value]


def too_large(most: int) -> Problem:
    """Return the refusal of a body beyond ``most`` bytes."""
    detail = _("At most %(most)s bytes are taken, unpacked.") % {"most": most}
    return Problem("too-large", detail, most=most)


def _unpacked(request: HttpRequest, most: int) -> Iterator[bytes]:
    encoding = request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower()
    pieces = _capped(_as_sent(request), most)
    if encoding in ("", "identity"):
        yield from pieces
    elif encoding in ("gzip", "x-gzip"):
        yield from _gunzipped(pieces)
    else:
        raise Problem(
            "unsupported-media-type",
            _("Content-Encoding says %(found)s.") % {"found": shown(encoding)},
            place={"header": "Content-Encoding"},
            known=["gzip", "identity"],
        )


def _as_sent(request: HttpRequest) -> Iterator[bytes]:
    """Yield the body as it comes.

    A body in chunks says no length, and without one Django reads none: the server below it
    knows where such a body ends, and says so by ``wsgi.input_terminated``.
    """
    environ = request.environ  # type: ignore[attr-defined]
    read = request.read
    if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        if not environ.get("wsgi.input_terminated"):
            raise Problem("bad-request", _("Send the body with its Content-Length."))
        read = environ["wsgi.input"].read
    while True:
        try:
            piece = read(_PIECE)
        except Exception:  # noqa: BLE001 - each server has exceptions of its own for it
            why = _("The body breaks off before its end, or its chunks are none.")
            raise Problem("bad-request", why) from None
        if not piece:
            return
        yield piece


def _capped(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            raise too_large(most)
        yield piece


def _gunzipped(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the content of gzip members, never more than a piece at once."""
    members, member = 0, None
    for data in pieces:
        rest = data
        while rest:
            if member is None:
                members += 1
                if members > _MOST_MEMBERS:
                    raise Problem("bad-encoding", _("Too many gzip members."))
                member = zlib.decompressobj(_GZIP)
            try:
                yield (piece := member.decompress(rest, _PIECE))
                rest = member.unconsumed_tail
                while not rest and not member.eof and len(piece) == _PIECE:
                    # The window may still hold more than came out at once.
                    yield (piece := member.decompress(b"", _PIECE))
            except zlib.error:
                first = _("It is no gzip, or damaged.")
                why = first if members == 1 else _("Something else follows the gzip.")
                raise Problem("bad-encoding", why) from None
            if member.eof:
                rest, member = member.unused_data, None
    if member is not None or not members:
        raise Problem("bad-encoding", _("It breaks off before its end."))
