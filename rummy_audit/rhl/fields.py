"""Readers of single fields, made from the annotations of a record.

Each takes a plain value and gives the field's value, or says what stood there and
what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import inspect

from rummy_audit.rhl import cards_text, records
from rummy_audit.rhl.limits import MAX_SEAT
from rummy_audit.rhl.misread import ITS_KEY, MisreadError, excerpt

Reader = Callable[[Any], Any]
"""Takes a plain value, gives the field's value, raises MisreadError."""

_NONE: Mapping[str, Reader] = {}
EXTRA = records.Record.__struct_encode_fields__[0]
"""The field that holds what a record carried beyond its known ones."""


def under(step: str | int, read: Reader, value: object) -> Any:  # noqa: ANN401
    """Read a value that stands at *step* of another."""
    try:
        return read(value)
    except MisreadError as problem:
        raise problem.under(step) from None


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
    item, most = reader_of(kind.item_type), kind.max_length

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise MisreadError(excerpt(value), expected)
        if most is not None and len(value) > most:
            raise MisreadError(f"a list of {len(value)}", f"at most {most}")
        return tuple([under(place, item, each) for place, each in enumerate(value)])

    return read


def _by_key(kind: inspect.DictType) -> Reader:
    item = reader_of(kind.value_type)
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
            made[spelled[key] if seats else key] = under(key, item, each)
        return made

    return read


def struct_reader(kind: inspect.StructType, own: Mapping[str, Reader] = _NONE) -> Reader:
    """The reader of an object with known fields; what it carries beyond is kept in ``extra``.

    *own* are readers of fields whose annotation does not say it all.
    """
    cls: type[Any] = kind.cls
    fields: dict[str, tuple[str, Reader]] = {}
    required: list[str] = []
    for field in kind.fields:
        if field.encode_name != EXTRA:
            read_field = own.get(field.name) or reader_of(field.type)
            fields[field.encode_name] = (field.name, read_field)
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
                name, read_field = fields[key]
                try:
                    known[name] = read_field(each)
                except MisreadError as problem:
                    raise problem.under(key) from None
            elif key != "type" or tag is None:
                extra[key] = each
        for key in required:
            if key not in value:
                raise MisreadError(f"no {key}", f"{key}, which every {tag or 'one'} has")
        return cls(extra=extra or None, **known)

    return read


def _either(kinds: list[inspect.Type]) -> Reader:
    readers = [reader_of(kind) for kind in kinds]
    flag = any(isinstance(kind, inspect.BoolType) for kind in kinds)
    expected = "text, a whole number, true or false" if flag else "text or a whole number"

    def read(value: object) -> Any:  # noqa: ANN401
        for read_one in readers:
            try:
                return read_one(value)
            except MisreadError:
                continue
        raise MisreadError(excerpt(value), expected)

    return read


def reader_of(kind: inspect.Type, expected: str = "") -> Reader:
    """The reader for one annotation; *expected* comes from its ``Meta``."""
    match kind:
        case inspect.Metadata():
            says = (kind.extra or {}).get("expected", expected)
            return _card if says == cards_text.EXPECTED else reader_of(kind.type, says)
        case inspect.UnionType():
            kinds = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
            return reader_of(kinds[0]) if len(kinds) == 1 else _either(kinds)
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
            return struct_reader(kind)
    raise TypeError(kind)
