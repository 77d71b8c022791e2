"""Canonical bytes: the one way to write a record, which digests are taken of.

JSON in UTF-8 with keys sorted by code point, no spaces, nothing escaped that need
not be, strings in NFC, what is unknown left out, cards in canonical form.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec

from rummy_audit.rhl import records

_EXTRA = records.Record.__struct_encode_fields__[0]
_EXTRA_KEY = msgspec.json.encode(_EXTRA)

dumps = msgspec.json.Encoder(order="sorted").encode
"""Canonical bytes of plain values whose strings are NFC already."""


def encode(record: msgspec.Struct) -> bytes:
    """The canonical bytes of a record.

    >>> from rummy_audit.rhl.records import Discard
    >>> encode(Discard(seq=7, seat=2, card="KS"))
    b'{"card":"KS","seat":2,"seq":7,"type":"discard"}'
    """
    if type(record) in _WITH_SEAT_KEYS:
        return dumps(plain(record))
    written = dumps(record)
    if _EXTRA_KEY in written or not _is_nfc(written):
        return dumps(plain(record))
    return written


def plain(record: msgspec.Struct) -> dict[str, Any]:
    """A record as plain values, as its JSON states it: what it carried beyond its fields too.

    >>> from rummy_audit.rhl.records import Score
    >>> plain(Score(seq=9, points={1: 0, 2: 20}, extra={"_pen": "blue"}))
    {'type': 'score', 'seq': 9, 'points': {'1': 0, '2': 20}, '_pen': 'blue'}
    """
    made: dict[str, Any] = msgspec.to_builtins(record, str_keys=True)
    if isinstance(record, records.Amend):
        replace = made.get("replace", ())
        for each in (replace,) if isinstance(replace, dict) else replace:
            _name(each)
    _name(made)
    merged: dict[str, Any] = _merged(made)
    return merged


def _name(made: dict[str, Any]) -> None:
    """Give an unknown event the type it was written with."""
    if made.get("type") == "?":
        made["type"] = made.pop("kind")


def _merged(value: Any) -> Any:  # noqa: ANN401
    """The value in NFC, with what its records carried beyond their fields back in its place."""
    if isinstance(value, dict):
        extra = value.pop(_EXTRA, {})
        return {
            unicodedata.normalize("NFC", key): _merged(each)
            for key, each in (value | extra).items()
        }
    if isinstance(value, list | tuple):
        return [_merged(each) for each in value]
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    return value


def _is_nfc(written: bytes) -> bool:
    return written.isascii() or unicodedata.is_normalized("NFC", written.decode())


# JSON's keys are strings, and an encoder that sorts takes no others.
_WITH_SEAT_KEYS = frozenset({records.Score, records.Result, records.Amend, records.UnknownEvent})
