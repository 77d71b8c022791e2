"""Strict JSON: what it cannot take it names by its place, and never guesses.

Refused are duplicate keys, floats and NaN, whole numbers from 2^53 on, NUL and unpaired
surrogates, more than 32 levels, and what is no UTF-8. Logs of hands are read by ``rhl``,
which is stricter still.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from api.problems import Problem, shown

MOST_LEVELS = 32
_MOST_INTEGER = 2**53 - 1
_MOST_DIGITS = 17
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


class _Refused(NamedTuple):
    """A value that cannot stand, kept so that its place can be named."""

    why: str


def loads(body: bytes) -> Any:
    """Return the value of a JSON text. Raises Problem ``bad-json`` with the place."""
    text = _decoded(body)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        found = shown(text[error.pos : error.pos + 20]) or _("the end of the body")
        raise Problem(
            "bad-json", _("%(found)s cannot stand here.") % {"found": found}, place=place
        ) from None
    except RecursionError:
        raise Problem("bad-json", _too_deep(), place={"pointer": ""}) from None
    for why, steps in _faults(value, (), 1):
        raise Problem("bad-json", why, place={"pointer": pointer(steps)})
    return value


def pointer(steps: tuple[str | int, ...]) -> str:
    """Return a JSON Pointer (RFC 6901).

    >>> pointer(("groups", 0, "a/b"))
    '/groups/0/a~1b'
    """
    told = [str(step).replace("~", "~0").replace("/", "~1") for step in steps]
    return "".join(f"/{shown(step)}" for step in told)


def _decoded(body: bytes) -> str:
    try:
        return body.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        before = body[: error.start]
        place = {
            "line": before.count(b"\n") + 1,
            "column": len(before.rpartition(b"\n")[2].decode(errors="replace")) + 1,
        }
        raise Problem("bad-json", _("The body is not UTF-8."), place=place) from None


def _too_deep() -> str:
    return _("At most %(most)s levels can be read.") % {"most": MOST_LEVELS}


def _faults(
    value: Any, steps: tuple[str | int, ...], level: int
) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    if isinstance(value, _Refused):
        yield value.why, steps
    elif isinstance(value, str):
        if _NOT_TEXT.search(value):
            yield _("Text may hold neither NUL nor unpaired surrogates."), steps
    elif isinstance(value, dict | list):
        if level > MOST_LEVELS:
            yield _too_deep(), steps
            return
        for step, each in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(step, str) and _NOT_TEXT.search(step):
                yield _("A key may hold neither NUL nor unpaired surrogates."), (*steps, step)
            yield from _faults(each, (*steps, step), level + 1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _value in pairs:
            if key in seen:
                made[key] = _Refused(_("This key stands twice."))
            seen.add(key)
    return made


def _whole(text: str) -> int | _Refused:
    if len(text) > _MOST_DIGITS or abs(int(text)) > _MOST_INTEGER:
        return _Refused(_("Whole numbers must lie below 2^53."))
    return int(text)


def _no_fraction(_text: str) -> _Refused:
    return _Refused(_("Only whole numbers are taken, without fraction or exponent."))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_once,
    parse_int=_whole,
    parse_float=_no_fraction,
    parse_constant=_no_fraction,
    strict=True,
)
