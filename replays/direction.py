"""Marks that turn the direction of a text: kept in what is stored, taken out of what people see.

A name may hold U+202E or its like, by accident or to make the points beside it read backwards.
No page can be turned by it: in running text such marks are left out. Logs, downloads, the API
and the fields of forms give a text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

# Embeddings, overrides and isolates, and what ends them. The marks U+200E, U+200F and U+061C turn
# nothing that stands beside them.
_MARKS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_IN_BYTES = re.compile(b"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])")
# Tags, with their attributes, and what is between those of a field: a form gives it back.
_KEPT = re.compile(r"(<textarea\b.*?</textarea>|<[^>]*>)", re.DOTALL)


def plain(value: Any) -> Any:
    r"""Return text, or all text in lists and dictionaries, without marks that turn its direction.

    >>> plain({"say": ["1: Asha\u202e drops"]})
    {'say': ['1: Asha drops']}
    """
    if isinstance(value, str):
        return _MARKS.sub("", value)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def plain_page(html: str) -> str:
    r"""Return a page whose running text holds no such marks.

    >>> plain_page('<b title="a\u202eb">c\u202ed</b>') == '<b title="a\u202eb">cd</b>'
    True
    """
    parts = _KEPT.split(html)
    parts[::2] = map(plain, parts[::2])
    return "".join(parts)


class KeepDirection:
    """Middleware: no text on a page turns the direction of what stands beside it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Remember what comes next."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer; look through what is a page and holds such a mark."""
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming and _IN_BYTES.search(response.content):
            response.content = plain_page(response.content.decode()).encode()
        return response
