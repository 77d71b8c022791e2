"""Strict query parameters: an allowlist, each with its type; anything else is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec
from django.http import HttpRequest
from django.utils.translation import gettext as _
from msgspec import inspect

from api import moments
from api.problems import Problem, shown

T = TypeVar("T", bound=msgspec.Struct)

_MOST_CHARACTERS = 500
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,15})")
_NOT_TEXT = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def query_of(request: HttpRequest, shape: type[T]) -> T:
    """Return the query of a request as ``shape``: a struct with a field for each parameter.

    Fields are text, whole numbers, moments (RFC 3339) or literals. Raises Problem.
    """
    known = _known(shape)
    given: dict[str, Any] = {}
    for name, value in _pairs(request.META.get("QUERY_STRING", "")):
        if name not in known:
            raise Problem(
                "unknown-parameter",
                _("There is no parameter %(name)s here.") % {"name": shown(name)},
                place={"parameter": shown(name)},
                known=sorted(known),
            )
        if name in given:
            raise _bad(name, _("It stands twice."))
        given[name] = _typed(name, value, known[name])
    try:
        made = msgspec.convert(given, shape)
    except msgspec.ValidationError as error:
        what, _at, path = str(error).partition(" - at `$.")
        raise _bad(path.rstrip("`") or "?", what) from None
    for (name,) in moments.beyond(made):
        raise _bad(str(name), str(moments.BEYOND))
    return made


@cache
def _known(shape: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Return the type of each parameter by its name."""
    return {field.encode_name: field.type for field in msgspec.structs.fields(shape)}


def _pairs(query: str) -> list[tuple[str, str]]:
    pairs = []
    for part in filter(None, query.split("&")):
        name, _equals, value = part.partition("=")
        pairs.append((_text(name, name), _text(name, value)))
    return pairs


def _text(name: str, quoted: str) -> str:
    try:
        # The server hands over bytes as Latin-1; here they must be UTF-8.
        text = unquote_to_bytes(quoted.replace("+", " ").encode("latin-1", "replace")).decode()
    except UnicodeDecodeError:
        raise _bad(name, _("It is not UTF-8.")) from None
    if _NOT_TEXT.search(text):
        raise _bad(name, _("It holds a character that is no text."))
    if len(text) > _MOST_CHARACTERS:
        raise _bad(name, _("At most %(most)s characters.") % {"most": _MOST_CHARACTERS})
    return text


def _typed(name: str, text: str, kind: Any) -> Any:
    if not _is_whole(kind):
        return text
    if not _WHOLE.fullmatch(text):
        raise _bad(name, _("%(found)s is not a whole number.") % {"found": shown(text)})
    return int(text)


@cache
def _is_whole(kind: Any) -> bool:
    info = _bare(inspect.type_info(kind))
    kinds = info.types if isinstance(info, inspect.UnionType) else (info,)
    return any(isinstance(_bare(each), inspect.IntType) for each in kinds)


def _bare(info: inspect.Type) -> inspect.Type:
    """Return a type without what is only told about it; each part of a union may have that."""
    while isinstance(info, inspect.Metadata):
        info = info.type
    return info


def _bad(name: str, why: str) -> Problem:
    return Problem("bad-parameter", why, place={"parameter": shown(name)})
