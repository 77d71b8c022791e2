"""How the value of a field is written in the text form.

What a bare word means depends on the field it stands for: ``table=4`` is the text
"4", ``dealer=4`` a seat. Where a field takes anything (house rules, unknown fields),
whole numbers, ``true`` and ``false`` are what they look like, and a text that looks
like one of them is quoted.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import inspect

from rummy_audit.rhl import cards_text, records
from rummy_audit.rhl.canonical import dumps
from rummy_audit.rhl.limits import MAX_INTEGER
from rummy_audit.rhl.misread import MisreadError, shortened

Kind = Literal["text", "number", "flag", "numbers", "texts", "any"]

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_SAFE = re.compile(r"\w(?:[\w.:@-]*\w)?")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_MOST_SIGNS = 17


def kind_of(cls: type[msgspec.Struct], name: str) -> Kind:
    """What a bare word means in the field *name* of a record."""
    return _kinds(cls).get(name, "any")


def read_bare(bare: str, kind: Kind) -> Any:  # noqa: ANN401
    """The plain value of a bare word; a word that does not fit stays text, to be refused.

    >>> read_bare("1,2,3", "numbers"), read_bare("none", "any"), read_bare("4", "text")
    ([1, 2, 3], 'none', '4')
    """
    match kind:
        case "text":
            return bare
        case "number":
            return number(bare)
        case "numbers":
            return [number(piece) for piece in bare.split(",")]
        case "texts":
            return bare.split(",")
    if bare in ("true", "false"):
        return bare == "true"
    return bare if kind == "flag" else number(bare)


def number(bare: str) -> int | str:
    """A whole number, or the word as it is when it is none.

    Raises MisreadError for a number too big for any log.
    """
    if _NUMBER.fullmatch(bare) is None:
        return bare
    if len(bare) > _MOST_SIGNS or abs(int(bare)) > MAX_INTEGER:
        raise MisreadError(shortened(bare), "a whole number below 2^53")
    return int(bare)


def is_number(bare: str) -> bool:
    """Whether a bare word reads as a whole number."""
    return _NUMBER.fullmatch(bare) is not None


def write_pair(name: str, value: object, kind: Kind) -> str:
    """One ``key=value``.

    >>> write_pair("table", "Table 4", "text"), write_pair("set_max", "4", "any")
    ('table="Table 4"', 'set_max="4"')
    """
    key = name if _KEY.fullmatch(name) else quoted(name)
    return f"{key}={_value(value, kind)}"


def write_word(text: str) -> str:
    """A text where a word stands: bare when it is one, else quoted."""
    return text if _SAFE.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """A text in double quotes, as in JSON."""
    return json.dumps(text, ensure_ascii=False)


def _value(value: object, kind: Kind) -> str:
    if isinstance(value, str):
        plain = kind == "text" or not (is_number(value) or value in ("true", "false"))
        return write_word(value) if plain else quoted(value)
    if isinstance(value, list) and value:
        if kind == "numbers":
            return ",".join(map(str, value))
        if kind == "texts" and all(map(_SAFE.fullmatch, value)):
            return ",".join(value)
    return dumps(value).decode()


def _kind(kind: inspect.Type) -> Kind:
    match kind:
        case inspect.Metadata():
            if (kind.extra or {}).get("expected") == cards_text.EXPECTED:
                return "text"
            return _kind(kind.type)
        case inspect.UnionType():
            kinds = {_kind(each) for each in kind.types if not isinstance(each, inspect.NoneType)}
            return kinds.pop() if len(kinds) == 1 else "any"
        case inspect.StrType() | inspect.LiteralType():
            return "text"
        case inspect.IntType():
            return "number"
        case inspect.BoolType():
            return "flag"
        case inspect.VarTupleType():
            return _LISTS.get(_kind(kind.item_type), "any")
    return "any"


_LISTS: dict[Kind, Kind] = {"text": "texts", "number": "numbers"}


@cache
def _kinds(cls: type[msgspec.Struct]) -> dict[str, Kind]:
    info = inspect.type_info(cls)
    if not isinstance(info, inspect.StructType):
        raise TypeError(cls)
    kinds = {field.encode_name: _kind(field.type) for field in info.fields}
    if cls is records.UnknownEvent:
        # Its type as written; a field of this name is one of its unknown ones.
        del kinds["kind"]
    return kinds
