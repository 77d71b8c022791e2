"""Strict JSON with the place of every value, to say where a line cannot be read.

Refused are, besides what is no JSON: duplicate keys, floats, NaN, null, whole
numbers from 2^53 on, NUL and unpaired surrogates, more than 8 levels and strings
over 500 characters. Strings and keys come out in NFC.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, NoReturn

from rummy_audit.rhl.limits import MAX_INTEGER, MAX_LEVELS, MAX_TEXT
from rummy_audit.rhl.misread import ITS_KEY, MisreadError, Path, excerpt, shortened

Places = dict[Path, int]
"""Where each value of a line begins: characters from 1."""

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<float>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_WORD = re.compile(r"-?[A-Za-z_][A-Za-z0-9_]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DIGITS = 16


def loads(text: str) -> dict[str, Any]:
    """The object that a line of JSON holds.

    Raises MisreadError with the column of what is wrong.
    """
    try:
        value = _tidy(_DECODER.decode(text), 1)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    return scan(text)[0]


def scan(text: str) -> tuple[dict[str, Any], Places]:
    """The object that a line of JSON holds, and the place of every value in it.

    Raises MisreadError with the column of what is wrong.
    """
    line = _Line(text)
    start = line.space(0)
    if text[start : start + 1] != "{":
        line.fail(start, "a record: a JSON object in braces")
    value, end = line.value(start, (), 1)
    end = line.space(end)
    if end < len(text):
        line.fail(end, "the end of the line")
    return value, line.places


def value_at(text: str, at: int) -> tuple[Any, int]:
    """The JSON value that begins at place *at*, and the place after it.

    Raises MisreadError with the column of what is wrong.
    """
    return _Line(text).value(at, (), 1)


def string_at(text: str, at: int) -> tuple[str, int]:
    """The JSON string that begins at place *at*, and the place after it.

    Raises MisreadError with the column of what is wrong.
    """
    return _Line(text).string(at)


def too_deep(value: object, level: int = 1) -> Path | None:
    """The way to a value on a level that no record may have."""
    if not isinstance(value, dict | list | tuple):
        return None
    if level > MAX_LEVELS:
        return ()
    for step, each in value.items() if isinstance(value, dict) else enumerate(value):
        path = too_deep(each, level + 1)
        if path is not None:
            return (step, *path)
    return None


class _Line:
    """One line while it is read; every reading method takes a place and gives the next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places: Places = {}

    def fail(self, at: int, expected: str, found: str = "") -> NoReturn:
        if not found:
            rest = self.text[at : at + 20]
            found = shortened(rest) if rest else "the end of the line"
        raise MisreadError(found, expected, column=at + 1)

    def space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return at if match is None else match.end()

    def value(self, at: int, path: Path, level: int) -> tuple[Any, int]:
        self.places[path] = at + 1
        sign = self.text[at : at + 1]
        if sign in ("{", "["):
            if level > MAX_LEVELS:
                self.fail(at, f"at most {MAX_LEVELS} levels", f"level {level}")
            return self.object(at, path, level) if sign == "{" else self.list(at, path, level)
        if sign == '"':
            return self.string(at)
        return self.word(at)

    def object(self, at: int, path: Path, level: int) -> tuple[dict[str, Any], int]:
        made: dict[str, Any] = {}
        at = self.space(at + 1)
        if self.text[at : at + 1] == "}":
            return made, at + 1
        while True:
            if self.text[at : at + 1] != '"':
                self.fail(at, "a key in double quotes")
            start = at
            key, at = self.string(at)
            if key in made:
                self.fail(start, "every key once", f"{excerpt(key)} a second time")
            self.places[(*path, key, ITS_KEY)] = start + 1
            at = self.space(at)
            if self.text[at : at + 1] != ":":
                self.fail(at, "a colon after the key")
            made[key], at = self.value(self.space(at + 1), (*path, key), level + 1)
            at = self.space(at)
            if self.text[at : at + 1] == "}":
                return made, at + 1
            if self.text[at : at + 1] != ",":
                self.fail(at, "a comma or a closing brace")
            at = self.space(at + 1)

    def list(self, at: int, path: Path, level: int) -> tuple[list[Any], int]:
        made: list[Any] = []
        at = self.space(at + 1)
        if self.text[at : at + 1] == "]":
            return made, at + 1
        while True:
            value, at = self.value(at, (*path, len(made)), level + 1)
            made.append(value)
            at = self.space(at)
            if self.text[at : at + 1] == "]":
                return made, at + 1
            if self.text[at : at + 1] != ",":
                self.fail(at, "a comma or a closing bracket")
            at = self.space(at + 1)

    def string(self, at: int) -> tuple[str, int]:
        match = _STRING.match(self.text, at)
        end = at if match is None else match.end()
        stop = self.text[end : end + 1]
        if stop == "\\":
            self.fail(end, "an escape that JSON knows")
        if not stop:
            self.fail(end, "a closing quote")
        if stop != '"':
            self.fail(end, "text without control characters")
        value = unicodedata.normalize("NFC", json.loads(self.text[at : end + 1]))
        if "\0" in value:
            self.fail(at, "text without NUL", "a NUL character")
        if _SURROGATE.search(value):
            self.fail(at, "text that UTF-8 can write", "an unpaired surrogate")
        if len(value) > MAX_TEXT:
            self.fail(at, f"at most {MAX_TEXT} characters", f"{len(value)} characters")
        return value, end + 1

    def word(self, at: int) -> tuple[int | bool, int]:
        number = _NUMBER.match(self.text, at)
        if number is not None:
            written = number.group()
            if number.group("float"):
                self.fail(at, "a whole number", shortened(written))
            # Python refuses to read thousands of digits; so many are never needed.
            if len(written) > _DIGITS + 1 or abs(int(written)) > MAX_INTEGER:
                self.fail(at, "a whole number below 2^53", shortened(written))
            return int(written), number.end()
        word = _WORD.match(self.text, at)
        written = "" if word is None else word.group()
        if written in ("true", "false"):
            return written == "true", at + len(written)
        if written == "null":
            self.fail(at, "the key left out when its value is not known", "null")
        if written in ("NaN", "Infinity", "-Infinity"):
            self.fail(at, "a whole number", written)
        return self.fail(at, "a value")


def _refuse(written: str) -> NoReturn:
    raise ValueError(written)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


_DECODER = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=_refuse, parse_constant=_refuse, strict=True
)


def _tidy(value: Any, level: int) -> Any:  # noqa: ANN401
    """The value with its strings in NFC; ValueError for anything :func:`scan` refuses."""
    if isinstance(value, str):
        text = value if value.isascii() else unicodedata.normalize("NFC", value)
        if len(text) > MAX_TEXT or "\0" in text or _SURROGATE.search(text):
            raise ValueError
        return text
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise ValueError
        return value
    if value is None or level > MAX_LEVELS:
        raise ValueError
    if isinstance(value, list):
        return [_tidy(each, level + 1) for each in value]
    made = {_tidy(key, level): _tidy(each, level + 1) for key, each in value.items()}
    if len(made) != len(value):
        raise ValueError
    return made
