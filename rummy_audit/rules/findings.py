"""Findings: what a judge says of an event, with the rule behind it.

A finding is data. Its sentence is made from the data elsewhere (``messages``),
so that a corrected comma or another language changes no verdict.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

Category = Literal["declaration", "scoring", "integrity", "misdeal", "procedure", "note"]
Severity = Literal["error", "breach", "note"]

SEVERITY: dict[Category, Severity] = {
    "declaration": "error",
    "scoring": "error",
    "integrity": "error",
    "misdeal": "breach",
    "procedure": "breach",
    "note": "note",
}


class Code(msgspec.Struct, frozen=True):
    """A kind of finding. Stored and published: never rename one.

    ``severity`` is set where it differs from its category's.
    """

    code: str
    category: Category
    title: str
    what: str = ""
    remedy: str = ""
    severity: Severity | None = None


@cache
def codes() -> dict[str, Code]:
    """Return every finding code in the order of the register.

    >>> codes()["set-too-long"].category
    'declaration'
    """
    text = resources.files(__package__).joinpath("codes.toml").read_text(encoding="utf-8")
    return {
        code: msgspec.convert({"code": code, **entry}, Code)
        for code, entry in tomllib.loads(text).items()
    }


class Rule(msgspec.Struct, frozen=True):
    """The setting a finding rests on: parameter, its value, and where that comes from."""

    parameter: str
    value: int | str | bool
    source: str


class Term(msgspec.Struct, frozen=True):
    """One term of a sum: some cards and the points they count, or a named amount.

    >>> Term(cards=("KS",), points=10)
    Term(cards=('KS',), points=10, what='')
    """

    cards: tuple[str, ...] = ()
    points: int = 0
    what: str = ""


class Reason(msgspec.Struct, frozen=True):
    """Another finding of the same hand that this one follows from."""

    code: str
    seq: int


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong, or worth a note, at one event of a hand.

    ``seq`` is the event that shows it, 0 for the hand record or the hand as a
    whole. ``recorded`` stands against ``expected``; ``breakdown`` leads to what
    is expected. ``data`` holds what the sentence names (cards, ranks, counts).
    """

    code: str
    seq: int = 0
    seat: int | None = None
    rule: Rule | None = None
    recorded: Any = None
    expected: Any = None
    breakdown: tuple[Term, ...] = ()
    data: dict[str, Any] = msgspec.field(default_factory=dict)
    handled: bool = False
    cause: Reason | None = None

    @property
    def category(self) -> Category:
        """The category of the code."""
        return codes()[self.code].category

    @property
    def severity(self) -> Severity:
        """What the finding weighs: a note when the table dealt with it rightly."""
        if self.handled:
            return "note"
        code = codes()[self.code]
        return code.severity or SEVERITY[code.category]


Findings = tuple[Finding, ...] | list[Finding]

NONE: tuple[Finding, ...] = ()


class Impossible(Exception):
    """Cards cannot have moved so: the replay stops here, with the steps so far."""

    def __init__(self, finding: Finding) -> None:
        """Keep the finding that says why."""
        super().__init__(finding.code, finding.seq)
        self.finding = finding
