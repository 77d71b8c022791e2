"""Records from plain values, field by field, as their annotations say.

This is the careful way into :mod:`rummy_audit.rhl.records`: it takes what readers
may take (``10H`` for ``TH``), keeps unknown fields and unknown events, and names
the exact value that cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from msgspec import inspect

from rummy_audit.rhl import records
from rummy_audit.rhl.fields import EXTRA, Reader, reader_of, struct_reader, under
from rummy_audit.rhl.limits import MAX_LIST
from rummy_audit.rhl.misread import MisreadError, excerpt

VERSION = 1
EVENTS: dict[str, type[records.Event]] = {
    kind.__struct_config__.tag: kind for kind in get_args(records.KnownEvent)
}
RECORDS: dict[str, type[records.Record]] = {
    "hand": records.HandRecord,
    "end": records.End,
    **EVENTS,
}

_TIME = re.compile(
    r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
    r"T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]00:00)",
    re.ASCII,
)
_FEBRUARY = 2
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def record(plain: Mapping[str, Any]) -> records.Record:
    """The record that *plain*, a decoded JSON object, states.

    Raises MisreadError with the path to the value that cannot be read.
    """
    kind = _type(plain)
    if kind == "hand":
        _version(plain)
        _present(plain, "id", "the hand's id")
    elif kind != "end":
        _present(plain, "seq", "the seq of this event")
    if kind not in RECORDS:
        return _unknown_event(plain, kind)
    made: records.Record = _READERS[kind](plain)
    problem = trouble(made)
    if problem is not None:
        raise problem
    return made


def trouble(made: records.Record) -> MisreadError | None:
    """What is wrong with a record beyond the kinds of its fields."""
    # Not isinstance, which is slow on structs: it is asked for every line.
    if type(made) is records.HandRecord:
        return _hand_trouble(made)
    if type(made) is records.Amend:
        return _amend_trouble(made)
    return None


def _hand_trouble(made: records.HandRecord) -> MisreadError | None:
    if made.rhl != VERSION:
        return MisreadError(f"rhl {made.rhl}", f"rhl {VERSION}", path=("rhl",))
    if not made.id:
        return MisreadError("no id", "the hand's id", path=("id",))
    return _seats_trouble(made)


def _seats_trouble(made: records.HandRecord) -> MisreadError | None:
    seen: set[int] = set()
    for place, player in enumerate(made.players):
        if player.seat in seen:
            return MisreadError(
                f"seat {player.seat} a second time",
                "every player at a seat of their own",
                path=("players", place, "seat"),
            )
        seen.add(player.seat)
    if made.started is not None and not _is_time(made.started):
        return MisreadError(
            excerpt(made.started), "a UTC time like 2026-11-20T18:30:00Z", path=("started",)
        )
    return None


def _is_time(text: str) -> bool:
    found = _TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = _DAYS[month - 1] + (month == _FEBRUARY and leap)
    return year > 0 and day <= days


def _amend_trouble(made: records.Amend) -> MisreadError | None:
    if made.target == 0:
        if not isinstance(made.replace, records.HandRecord):
            return MisreadError(
                "an amendment of the hand record (target 0) without a hand record",
                "the corrected hand record in replace",
                path=("replace",) if made.replace is not None else ("target",),
            )
        problem = _seats_trouble(made.replace)
        return None if problem is None else problem.under("replace")
    if isinstance(made.replace, records.HandRecord):
        return MisreadError("a hand record", "an event in the place of an event", path=("replace",))
    return None


def _type(plain: Mapping[str, Any]) -> str:
    kind = plain.get("type")
    if kind is None:
        raise MisreadError("a record without a type", "a type, such as hand, draw or end")
    if not isinstance(kind, str) or not kind:
        raise MisreadError(excerpt(kind), "a type, such as hand, draw or end", path=("type",))
    return kind


def _version(plain: Mapping[str, Any]) -> None:
    """A log of another version is refused for that, before its fields are looked at."""
    if "rhl" not in plain:
        raise MisreadError("no rhl", f"rhl, the version of the format: {VERSION}")
    version = plain["rhl"]
    if type(version) is not int or version != VERSION:
        raise MisreadError(f"rhl {excerpt(version)}", f"rhl {VERSION}", path=("rhl",))


def _present(plain: Mapping[str, Any], key: str, expected: str) -> None:
    if key not in plain:
        raise MisreadError(f"no {key}", expected)


def _unknown_event(plain: Mapping[str, Any], kind: str) -> records.UnknownEvent:
    known = {}
    for name, reader in _common().items():
        if name in plain:
            known[name] = under(name, reader, plain[name])
    extra = {key: value for key, value in plain.items() if key not in known and key != "type"}
    return records.UnknownEvent(kind=kind, extra=extra or None, **known)


def _replacement(value: object) -> Any:  # noqa: ANN401
    """What an amendment puts in the place of its target: a record, or a list of events."""
    if isinstance(value, list):
        if len(value) > MAX_LIST:
            raise MisreadError(f"a list of {len(value)}", f"at most {MAX_LIST}")
        made = tuple([under(place, _inside, each) for place, each in enumerate(value)])
        for place, each in enumerate(made):
            if isinstance(each, records.HandRecord):
                raise MisreadError("a hand record", "an event in a list of events", path=(place,))
        return made
    return _inside(value)


def _inside(value: object) -> records.Record:
    if not isinstance(value, Mapping):
        raise MisreadError(excerpt(value), "an event without seq")
    kind = _type(value)
    if kind in ("amend", "end"):
        raise MisreadError(f'"{kind}"', "an event that an amendment can put in", path=("type",))
    if kind != "hand" and "seq" in value:
        raise MisreadError(
            "a seq", "no seq: an amendment's event takes its target's", path=("seq",)
        )
    if kind == "hand" and "rhl" in value:
        _version(value)
    if kind not in RECORDS:
        return _unknown_event(value, kind)
    made: records.Record = _READERS[kind](value)
    return made


def _info(cls: type[records.Record]) -> inspect.StructType:
    info = inspect.type_info(cls)
    if not isinstance(info, inspect.StructType):
        raise TypeError(cls)
    return info


class _Readers(dict[str, Reader]):
    """The reader of each kind of record, made when the first of its kind is read.

    To make all takes a tenth of a second, which a process that reads no log need not spend.
    """

    def __missing__(self, kind: str) -> Reader:
        cls = RECORDS[kind]
        special = {"replace": _replacement} if cls is records.Amend else {}
        self[kind] = reader = struct_reader(_info(cls), special)
        return reader


_READERS = _Readers()


@cache
def _common() -> dict[str, Reader]:
    """What every event may state, known or not."""
    return {
        field.encode_name: reader_of(field.type)
        for field in _info(records.UnknownEvent).fields
        if field.encode_name not in (EXTRA, "kind")
    }
