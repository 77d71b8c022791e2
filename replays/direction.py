"""The direction of a text: a name turns nothing that stands beside it on any page.

A name may hold U+202E or its like, by accident or to make the points beside it read backwards: in
running text such marks are left out. A name that is written from right to left would take the
points behind it along, to the wrong side of it: in running text a mark ends it. Logs, downloads,
the API and the fields of forms give a text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

# Embeddings, overrides and isolates, and what ends them. The marks U+200E, U+200F and U+061C turn
# nothing that stands beside them.
_MARKS = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Hebrew, Arabic and their kin, in words with their spaces.
_LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_LEFTWARD_WORDS = re.compile(f"[{_LEFTWARD}]+(?:[ '’.-]+[{_LEFTWARD}]+)*")
# What comes after it goes on to the right. It is seen by nobody.
_END = "\u200e"
_IN_BYTES = re.compile(
    b"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])"
    b"|[\xd6-\xdf]|\xe0[\xa0-\xa3]|\xef[\xac-\xb7\xb9-\xbb]|\xf0[\x90\x9e]"
)
# Tags, with their attributes, and what is between those of a field: a form gives it back. Of a log
# that is shown somebody may take a copy.
_KEPT = re.compile(r"(<textarea\b.*?</textarea>|<pre\b.*?</pre>|<[^>]*>)", re.DOTALL)


def plain(value: Any) -> Any:
    r"""Return text, or all text in lists and dictionaries, as nothing in it turns the rest.

    >>> plain({"say": ["1: Asha\u202e drops"]})
    {'say': ['1: Asha drops']}
    >>> plain("\u05d3\u05d5\u05d3 45") == "\u05d3\u05d5\u05d3\u200e 45"
    True
    """
    if isinstance(value, str):
        return _LEFTWARD_WORDS.sub(lambda found: found[0] + _END, _MARKS.sub("", value))
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def plain_page(html: str) -> str:
    r"""Return a page whose running text is as ``plain`` has it.

    >>> plain_page('<b title="a\u202eb">c\u202ed</b>') == '<b title="a\u202eb">cd</b>'
    True
    """
    parts = _KEPT.split(html)
    parts[::2] = map(plain, parts[::2])
    parts[1::2] = [_MARKS.sub("", tag) if tag.startswith("<pre") else tag for tag in parts[1::2]]
    return "".join(parts)


class KeepDirection:
    """Middleware: no text on a page turns the direction of what stands beside it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Remember what comes next."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer; look through what is a page and may hold such a text."""
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming and _IN_BYTES.search(response.content):
            response.content = plain_page(response.content.decode()).encode()
        return response
