"""What stands in one cell of a score sheet: points, a mark in words, or nothing."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from django.utils.translation import gettext as _

# Words of score sheets, for each mark of the log. The first one is what we write ourselves.
WORDS = {
    "first-drop": ("drop", "first drop", "dropped", "initial drop", "d", "fd"),
    "middle-drop": ("middle drop", "mid drop", "second drop", "md"),
    "wrong": ("wrong", "wrong show", "wrong declaration", "wrong declare", "invalid", "ws"),
    "full": ("full", "full count", "full hand", "fc"),
    "left": ("left", "leave", "quit"),
    "absent": ("absent", "away", "abs", "a", "not playing"),
    "won": ("won", "win", "winner", "show", "declared", "w"),
}
MARKS = {word: mark for mark, words in WORDS.items() for word in words}
# What a mark is charged: the parameters of the ruleset that say so.
CHARGES = {
    "first-drop": ("first_drop",),
    "middle-drop": ("middle_drop",),
    "wrong": ("wrong_declaration_points",),
    "full": ("cap",),
}
REJOIN = frozenset({"rejoin", "rejoined", "re entry", "reentry", "rj", "re join"})
NOTHING = frozenset({"", "-", "–", "—", "x", ".", "/", "out", "n/a"})
TOTALS = frozenset({"total", "totals", "sum", "sums", "grand total", "final", "final total"})

_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """What a player has in a deal as the sheet says it; ``problem`` where it cannot be read."""

    points: int | None = None
    mark: str = ""
    rejoined: bool = False
    problem: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands there."""
        return self == EMPTY


EMPTY = Entry()


def plain(text: str) -> str:
    """Return a cell's text in one form for comparing: small letters, plain digits and spaces.

    >>> plain(" Middle-Drop "), plain("'=Asha")
    ('middle drop', '=asha')
    """
    small = unicodedata.normalize("NFKC", text).strip().lower()
    # A spreadsheet's own mark for text, and ours for what begins like a formula.
    small = small.removeprefix("'")
    return small if small in NOTHING else " ".join(re.sub(r"[-_]+(?=\D)", " ", small).split())


def entry_of(text: str) -> Entry:
    """Read a cell of a player's column: a number, a mark in words, or both.

    >>> entry_of("10 "), entry_of("middle drop"), entry_of("80 (wrong)")
    (Entry(points=10, mark='', rejoined=False, problem=''), \
Entry(points=None, mark='middle-drop', rejoined=False, problem=''), \
Entry(points=80, mark='wrong', rejoined=False, problem=''))
    """
    said = plain(text)
    if said in NOTHING:
        return EMPTY
    numbers = _NUMBER.findall(said)
    words = " ".join(re.sub(r"[()\[\].,:;*+]+", " ", _NUMBER.sub(" ", said)).split())
    rejoined = words in REJOIN or any(words.endswith(f" {word}") for word in REJOIN)
    if rejoined:
        longest = max((word for word in REJOIN if words.endswith(word)), key=len)
        words = words.removesuffix(longest).strip()
    mark = MARKS.get(words, "")
    points = _whole(numbers[0]) if len(numbers) == 1 else None
    if (numbers and points is None) or (words and not mark) or abs(points or 0) > _MOST:
        return Entry(problem=not_read(text))
    if not numbers and not mark and not rejoined:
        return Entry(problem=not_read(text))
    return Entry(points=points, mark=mark, rejoined=rejoined)


def is_entry(text: str) -> bool:
    """Whether a cell holds points or a mark."""
    read = entry_of(text)
    return not read.is_empty and not read.problem


def number_of(text: str) -> int | None:
    """Return the whole number in a cell such as ``3``, ``Deal 3`` or ``# 3``, if there is one."""
    numbers = re.findall(r"[0-9]+", plain(text))
    return int(numbers[0]) if len(numbers) == 1 and len(numbers[0]) < 7 else None  # noqa: PLR2004


def total_of(text: str) -> int | None:
    """Return a total that stands alone in a cell."""
    return _whole(plain(text))


def _whole(text: str) -> int | None:
    found = re.fullmatch(r"([+-]?[0-9]{1,7})(?:[.,]0+)?", text)
    return int(found[1]) if found else None


def not_read(text: str) -> str:
    """Return what to write in the place of a cell that cannot be read."""
    words = ", ".join(each[0] for each in WORDS.values())
    return _("“%(text)s” is no whole number and none of the words %(words)s.") % {
        "text": text,
        "words": words,
    }
