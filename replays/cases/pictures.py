"""Pictures as evidence: what they are is read from their first bytes, never believed.

They are kept as they came, not drawn by us: the type on the way out is the one found
here, and a picture is only ever sent as a download.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

MOST_BYTES = 8 * 1024 * 1024
MOST_SIDE = 12_000
MOST_PIXELS = 60_000_000

ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
# Start of frame: the markers before which a JPEG says how large it is.
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_MARK, _SCAN = 0xFF, 0xDA
_BARE = {0x01, *range(0xD0, 0xD9)}


class PictureError(ValueError):
    """What was sent is no picture that can be kept; the text says why."""


class Picture(NamedTuple):
    """What a picture is: its type, width and height in pixels."""

    media_type: str
    width: int
    height: int


def read(body: bytes) -> Picture:
    """Return what a picture is. Raises PictureError for anything but PNG, JPEG and WebP.

    >>> read(b"GIF89a")
    Traceback (most recent call last):
    replays.cases.pictures.PictureError: neither a PNG, a JPEG nor a WebP
    """
    if len(body) > MOST_BYTES:
        raise PictureError(f"larger than {MOST_BYTES >> 20} MB")
    try:
        found = _read(body)
    except (struct.error, IndexError):
        raise PictureError("cut off") from None
    if not (0 < found.width <= MOST_SIDE and 0 < found.height <= MOST_SIDE):
        raise PictureError(f"a side is not between 1 and {MOST_SIDE} pixels")
    if found.width * found.height > MOST_PIXELS:
        raise PictureError(f"more than {MOST_PIXELS // 1_000_000} million pixels")
    return found


def _read(body: bytes) -> Picture:
    if body.startswith(_PNG):
        return _png(body)
    if body.startswith(_JPEG):
        return _jpeg(body)
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return _webp(body)
    raise PictureError("neither a PNG, a JPEG nor a WebP")


def _png(body: bytes) -> Picture:
    length, kind, width, height = struct.unpack_from(">I4sII", body, 8)
    if (length, kind) != (13, b"IHDR"):
        raise PictureError("a PNG without its header")
    return Picture("image/png", width, height)


def _jpeg(body: bytes) -> Picture:
    place = 2
    while True:
        if body[place] != _MARK:
            raise PictureError("a JPEG with a broken part")
        marker = body[place + 1]
        if marker == _MARK:
            place += 1
        elif marker in _BARE:
            place += 2
        elif marker in _FRAMES:
            height, width = struct.unpack_from(">HH", body, place + 5)
            return Picture("image/jpeg", width, height)
        elif marker == _SCAN:
            raise PictureError("a JPEG that does not say how large it is")
        else:
            (length,) = struct.unpack_from(">H", body, place + 2)
            place += 2 + max(2, length)


def _webp(body: bytes) -> Picture:
    kind = body[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 26)
        return Picture("image/webp", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 21)
        return Picture("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8X":
        low, high = struct.unpack_from("<HB", body, 24), struct.unpack_from("<HB", body, 27)
        width, height = (part[0] + (part[1] << 16) + 1 for part in (low, high))
        return Picture("image/webp", width, height)
    raise PictureError("a WebP of an unknown kind")
