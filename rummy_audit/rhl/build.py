"""Records from plain values, field by field, as their annotations say.

This is the careful way into :mod:`rummy_audit.rhl.records`: it takes what readers
may take (``10H`` for ``TH``), keeps unknown fields and unknown events, and names
the exact value that cannot be read.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from msgspec import inspect

from rummy_audit.rhl import cards_text, records
from rummy_audit.rhl.limits import MAX_LIST, MAX_SEAT
from rummy_audit.rhl.misread import ITS_KEY, MisreadError, excerpt

Reader = Callable[[Any], Any]
"""Takes a plain value, gives the field's value, raises MisreadError."""

VERSION = 1
EVENTS: dict[str, type[records.Event]] = {
    kind.__struct_config__.tag: kind for kind in get_args(records.KnownEvent)
}
RECORDS: dict[str, type[records.Record]] = {
    "hand": records.HandRecord,
    "end": records.End,
    **EVENTS,
}
AFTER_END = ("amend", "ruling", "note")

_EXTRA = records.Record.__struct_encode_fields__[0]
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]00:00)", re.ASCII)


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
    if not _TIME.fullmatch(text):
        return False
    try:
        dt.datetime.fromisoformat(text[:19])
    except ValueError:
        return False
    return True


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
    for name, reader in _COMMON.items():
        if name in plain:
            known[name] = _under(name, reader, plain[name])
    extra = {key: value for key, value in plain.items() if key not in known and key != "type"}
    return records.UnknownEvent(kind=kind, extra=extra, **known)


def _under(step: str | int, reader: Reader, value: object) -> Any:  # noqa: ANN401
    try:
        return reader(value)
    except MisreadError as problem:
        raise problem.under(step) from None


# Readers, one for each kind of annotation.


def _card(value: object) -> str:
    if isinstance(value, str):
        try:
            return cards_text.parse_card(value)
        except ValueError:
            pass
    raise MisreadError(excerpt(value), cards_text.EXPECTED)


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise MisreadError(excerpt(value), "true or false")


def _whole(kind: inspect.IntType, expected: str) -> Reader:
    least, most = kind.ge, kind.le

    def read(value: object) -> int:
        if (
            type(value) is int
            and (least is None or value >= least)
            and (most is None or value <= most)
        ):
            return value
        raise MisreadError(excerpt(value), expected)

    return read


def _text(kind: inspect.StrType, expected: str) -> Reader:
    least, most = kind.min_length or 0, kind.max_length

    def read(value: object) -> str:
        if isinstance(value, str) and len(value) >= least and (most is None or len(value) <= most):
            return value
        raise MisreadError(excerpt(value), expected)

    return read


def _word(kind: inspect.LiteralType) -> Reader:
    words = frozenset(kind.values)
    expected = "one of " + ", ".join(str(word) for word in kind.values)

    def read(value: object) -> str:
        if isinstance(value, str) and value in words:
            return value
        raise MisreadError(excerpt(value), expected)

    return read


def _list(kind: inspect.VarTupleType, expected: str) -> Reader:
    item, most = _reader(kind.item_type), kind.max_length

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise MisreadError(excerpt(value), expected)
        if most is not None and len(value) > most:
            raise MisreadError(f"a list of {len(value)}", f"at most {most}")
        return tuple([_under(place, item, each) for place, each in enumerate(value)])

    return read


def _by_key(kind: inspect.DictType) -> Reader:
    item = _reader(kind.value_type)
    if not isinstance(kind.key_type, inspect.Metadata):
        raise TypeError(kind)
    seats = isinstance(kind.key_type.type, inspect.IntType)
    expected = (kind.key_type.extra or {})["expected"]
    spelled = {str(seat): seat for seat in range(1, MAX_SEAT + 1)}

    def read(value: object) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise MisreadError(excerpt(value), "an object")
        made: dict[Any, Any] = {}
        for key, each in value.items():
            if (seats and key not in spelled) or not key:
                raise MisreadError(excerpt(key), f"{expected} as the key", path=(key, ITS_KEY))
            made[spelled[key] if seats else key] = _under(key, item, each)
        return made

    return read


def _struct(kind: inspect.StructType) -> Reader:
    """An object with known fields; what it carries beyond them is kept in ``extra``."""
    cls: type[Any] = kind.cls
    fields: dict[str, tuple[str, Reader]] = {}
    required: list[str] = []
    for field in kind.fields:
        if field.encode_name != _EXTRA:
            fields[field.encode_name] = (field.name, _reader(field.type))
            if field.required:
                required.append(field.encode_name)
    tag = kind.tag

    def read(value: object) -> Any:  # noqa: ANN401
        if not isinstance(value, Mapping):
            raise MisreadError(excerpt(value), "an object")
        known: dict[str, Any] = {}
        extra: dict[str, Any] = {}
        for key, each in value.items():
            if key in fields:
                name, reader = fields[key]
                try:
                    known[name] = reader(each)
                except MisreadError as problem:
                    raise problem.under(key) from None
            elif key != "type" or tag is None:
                extra[key] = each
        for key in required:
            if key not in value:
                raise MisreadError(f"no {key}", f"{key}, which every {tag or 'one'} has")
        return cls(extra=extra, **known)

    return read


def _either(kinds: list[inspect.Type]) -> Reader:
    readers = [_reader(kind) for kind in kinds]
    flag = any(isinstance(kind, inspect.BoolType) for kind in kinds)
    expected = "text, a whole number, true or false" if flag else "text or a whole number"

    def read(value: object) -> Any:  # noqa: ANN401
        for reader in readers:
            try:
                return reader(value)
            except MisreadError:
                continue
        raise MisreadError(excerpt(value), expected)

    return read


def _reader(kind: inspect.Type, expected: str = "") -> Reader:
    """The reader for one annotation; *expected* comes from its ``Meta``."""
    match kind:
        case inspect.Metadata():
            says = (kind.extra or {}).get("expected", expected)
            return _card if says == cards_text.EXPECTED else _reader(kind.type, says)
        case inspect.UnionType():
            kinds = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
            if len(kinds) > 1 and any(isinstance(each, inspect.StructType) for each in kinds):
                return _replacement
            return _reader(kinds[0]) if len(kinds) == 1 else _either(kinds)
        case inspect.BoolType():
            return _flag
        case inspect.IntType():
            return _whole(kind, expected)
        case inspect.StrType():
            return _text(kind, expected)
        case inspect.LiteralType():
            return _word(kind)
        case inspect.VarTupleType():
            return _list(kind, expected or "a list")
        case inspect.DictType():
            return _by_key(kind)
        case inspect.StructType():
            return _struct(kind)
    raise TypeError(kind)


def _replacement(value: object) -> Any:  # noqa: ANN401
    """What an amendment puts in the place of its target: a record, or a list of events."""
    if isinstance(value, list):
        if len(value) > MAX_LIST:
            raise MisreadError(f"a list of {len(value)}", f"at most {MAX_LIST}")
        made = tuple([_under(place, _inside, each) for place, each in enumerate(value)])
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
    reader = _READERS.get(kind)
    made: records.Record = _unknown_event(value, kind) if reader is None else reader(value)
    return made


def _info(cls: type[records.Record]) -> inspect.StructType:
    info = inspect.type_info(cls)
    if not isinstance(info, inspect.StructType):
        raise TypeError(cls)
    return info


_READERS: dict[str, Reader] = {kind: _struct(_info(cls)) for kind, cls in RECORDS.items()}
_COMMON: dict[str, Reader] = {
    field.encode_name: _reader(field.type)
    for field in _info(records.UnknownEvent).fields
    if field.encode_name not in (_EXTRA, "kind")
}
