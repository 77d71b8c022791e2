"""Judging cards without a log: what ``judge``, the page and the API answer.

A question is some cards, or groups as somebody would lay them, and a ruleset.
Each family answers in ``families/<family>/judging.py`` with one function::

    def answer(question: Question) -> dict[str, Any]

It returns ``valid``, ``groups``, ``findings``, ``points``, ``declarable`` and
``best`` as ``Answer`` lays down (make it with ``Answer(...).to_report(...)``), and
what is the family's own beside them (``most_tiles``, ``knock_discards``). What comes to
it has been read and bounded here: canonical faces of the family, at most
``MOST[family]`` of them, groups that are not empty, a wild rank. It raises
``JudgeError`` for what it cannot judge, also where a search goes over its budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, BinaryIO, Protocol, cast

import msgspec

from rummy_audit.rhl.cards_text import CARD_FACES, JOKER, TILE_FACES, parse_card
from rummy_audit.rules.cards import parse_wild
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.report import finding_report
from rummy_audit.rules.rulesets import Ruleset, RulesetError, Value, ruleset

# The most cards of a question, all in all: a search over more could take for ever.
MOST = {"indian": 40, "basic": 40, "gin": 40, "tile": 106}

# More than this is no hand of cards: the search for a rack of tiles may take a second.
LARGE = 40

MOST_LINE = 65_536  # bytes of one question in a batch

Cards = tuple[str, ...]
Groups = tuple[Cards, ...]


class JudgeError(ValueError):
    """A question that cannot be judged: which part of it, what was found, what was expected."""

    def __init__(self, part: str, found: object, expected: str) -> None:
        """Name the part of the question, what was found there and what was expected."""
        super().__init__(f"{part}: {found!r}, expected {expected}")
        self.part = part
        self.found = found
        self.expected = expected

    def to_report(self) -> dict[str, Any]:
        """Return the error as data for JSON."""
        return {"part": self.part, "found": self.found, "expected": self.expected}


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Cards to be judged: without ``groups`` (None), what is the best of ``cards``.

    With groups, ``cards`` are the loose ones beside them. ``wild``: the card that
    was turned for it, or a rank (``Q``; ``JK`` for a printed joker). ``lay_on`` (gin): the
    melds of the knocker to lay off on; ``table`` (tile): the melds that lie there.
    """

    rules: Ruleset
    cards: Cards = ()
    groups: Groups | None = None
    wild: str | None = None
    lay_on: Groups = ()
    table: Groups = ()


class Best(msgspec.Struct, frozen=True):
    """The best arrangement; a lay-off is a card with the number of the meld it goes to."""

    groups: Groups
    loose: Cards
    points: int
    layoffs: tuple[tuple[str, int], ...] = ()


class JudgedGroup(msgspec.Struct, frozen=True):
    """One group as named: its kind (``sequence`` where purity is nothing), what is wrong."""

    cards: Cards
    kind: str
    findings: Sequence[Finding] = ()
    places: Cards = ()


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What every family answers.

    ``valid``: the groups stand as named (without groups: the cards can be
    declared). ``findings`` are all that is wrong, those of the groups among them;
    ``points`` is what a loser would be charged.
    """

    valid: bool
    points: int
    declarable: bool
    best: Best
    groups: Sequence[JudgedGroup] = ()
    findings: Sequence[Finding] = ()

    def to_report(self, family: str) -> dict[str, Any]:
        """Return the answer as data for JSON."""
        return {
            "valid": self.valid,
            "groups": [
                {
                    "cards": list(group.cards),
                    "kind": group.kind,
                    "places": list(group.places),
                    "findings": [finding_report(each, family) for each in group.findings],
                }
                for group in self.groups
            ],
            "findings": [finding_report(each, family) for each in self.findings],
            "points": self.points,
            "declarable": self.declarable,
            "best": {
                "groups": [list(group) for group in self.best.groups],
                "layoffs": [{"card": card, "meld": meld} for card, meld in self.best.layoffs],
                "loose": list(self.best.loose),
                "points": self.best.points,
            },
        }


class Judging(Protocol):
    """What a family's ``judging`` module offers."""

    def answer(self, question: Question) -> dict[str, Any]:
        """Judge the cards; raise JudgeError for what cannot be judged."""


@cache
def _family(name: str) -> Judging:
    return cast("Judging", import_module(f"rummy_audit.rules.families.{name}.judging"))


def judge_text(
    text: str,
    *,
    rules: str = "indian-13",
    wild: str | None = None,
    house: Mapping[str, Value] | None = None,
    lay_on: str = "",
    table: str = "",
) -> dict[str, Any]:
    """Judge cards as they are typed: groups divided by ``|``, loose cards after a ``+``.

    Without ``|`` and ``+`` the best arrangement of the cards is sought. A finish
    card after a ``/``, as a log has it, is out of play. Raises JudgeError.

    >>> judge_text("5H 6H 7H | 6D 7D QS 9D + KS", wild="Q")["groups"][1]["kind"]
    'impure-sequence'
    """
    held = text.partition("/")[0].replace(",", " ")
    named, plus, loose = held.partition("+")
    grouped = "|" in held or bool(plus)
    groups = [part.split() for part in named.split("|")] if grouped else None
    return judge(
        cards=(loose if grouped else held).split(),
        groups=groups,
        rules=rules,
        wild=wild,
        house=house,
        lay_on=[part.split() for part in lay_on.split("|")],
        table=[part.split() for part in table.split("|")],
    )


def judge(
    *,
    cards: Iterable[str] = (),
    groups: Iterable[Iterable[str]] | None = None,
    rules: str = "indian-13",
    wild: str | None = None,
    house: Mapping[str, Value] | None = None,
    lay_on: Iterable[Iterable[str]] = (),
    table: Iterable[Iterable[str]] = (),
) -> dict[str, Any]:
    """Judge cards, or groups with loose cards beside them; ``house`` sets parameters.

    Card texts are read as people write them (``10h``, ``7♥``, ``PJ``). Raises
    JudgeError.

    >>> judge(cards="5D 5C PJ QH QS".split(), rules="indian-13", wild="Q")["points"]
    10
    """
    try:
        law = ruleset(rules, house=house)
    except RulesetError as error:
        raise JudgeError(error.parameter, error.found, error.expected) from None
    family = law.family
    question = Question(
        rules=law,
        cards=_read(cards, family, "cards"),
        groups=None if groups is None else _read_groups(groups, family, "groups"),
        wild=_read_wild(wild) if wild else None,
        lay_on=_read_groups(lay_on, family, "lay_on"),
        table=_read_groups(table, family, "table"),
    )
    count = len(question.cards) + sum(
        len(group) for group in (*(question.groups or ()), *question.lay_on, *question.table)
    )
    if not count:
        raise JudgeError("cards", "", "some cards")
    if count > MOST[family]:
        raise JudgeError("cards", count, f"at most {MOST[family]} cards")
    return ask(question)


def ask(question: Question) -> dict[str, Any]:
    """Judge cards that have been read and bounded already; raises JudgeError.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> ask(Question(rules=ruleset("indian-13"), cards=("5D", "5C", "QH")))["points"]
    20
    """
    return _family(question.rules.family).answer(question)


def _read(cards: Iterable[str], family: str, part: str) -> Cards:
    faces = TILE_FACES if family == "tile" else CARD_FACES
    like = "a tile like R7 or JK" if family == "tile" else "a card like 7H, TC or JK"
    read: list[str] = []
    for text in cards:
        if len(read) > MOST[family]:
            break  # too many: counted by the caller
        try:
            face = parse_card(text)
        except ValueError:
            raise JudgeError(part, text[:20], like) from None
        if face != JOKER and face not in faces:
            raise JudgeError(part, text[:20], like)
        read.append(face)
    return tuple(read)


def _read_groups(groups: Iterable[Iterable[str]], family: str, part: str) -> Groups:
    read: list[Cards] = []
    for group in groups:
        if len(read) > MOST[family]:
            break
        cards = _read(group, family, part)
        if cards:
            read.append(cards)
    return tuple(read)


def _read_wild(text: str) -> str:
    try:
        return parse_wild(text)
    except ValueError:
        raise JudgeError("wild", text[:20], "a rank like Q, or a card like 7D or JK") from None


class BatchLine(msgspec.Struct, frozen=True):
    """One line of a batch as it comes in."""

    ruleset: str
    id: str | int | None = None
    rules: dict[str, int | bool | str] = {}
    wild: str | None = None
    cards: list[str] = []
    groups: list[list[str]] | None = None
    loose: list[str] = []
    lay_on: list[list[str]] = []
    table: list[list[str]] = []


_line = msgspec.json.Decoder(BatchLine)


def judge_batch(lines: Iterable[str | bytes]) -> Iterator[dict[str, Any]]:
    """Judge one question a line (JSON), each answered in its turn; blank lines are passed over.

    An answer carries the question's ``id``. A line that cannot be judged is
    answered with ``error`` and its number, and the next one follows.

    >>> lines = ['{"id": 1, "ruleset": "indian-13", "cards": ["KS", "AS", "2S"]}', "{"]
    >>> for answer in judge_batch(lines):
    ...     print(answer.get("points"), answer.get("error", {}).get("line"))
    22 None
    None 2
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        asked: BatchLine | None = None
        try:
            asked = _decode(line)
            answer = judge(
                cards=(*asked.cards, *asked.loose),
                groups=asked.groups,
                rules=asked.ruleset,
                wild=asked.wild,
                house=asked.rules,
                lay_on=asked.lay_on,
                table=asked.table,
            )
        except JudgeError as error:
            answer = {"error": {"line": number, **error.to_report()}}
        yield {"id": asked.id, **answer} if asked and asked.id is not None else answer


def count_large(lines: Iterable[str | bytes]) -> int:
    """Count the questions of a batch that take long: those of more than ``LARGE`` cards.

    >>> count_large(['{"ruleset": "tile-easy", "cards": ["R7"]}', "{", ""])
    0
    """
    return sum(map(_is_large, lines))


def _is_large(line: str | bytes) -> bool:
    try:
        asked = _decode(line)
    except JudgeError:
        return False
    groups = (*(asked.groups or ()), *asked.lay_on, *asked.table)
    return len(asked.cards) + len(asked.loose) + sum(map(len, groups)) > LARGE


def questions(file: BinaryIO) -> Iterator[bytes]:
    r"""Yield the lines of a batch, the rest of one that is too long left out.

    >>> from io import BytesIO
    >>> [len(line) for line in questions(BytesIO(b"x" * 200_000 + b"\n{}\n"))]
    [65537, 3]
    """
    while line := file.readline(MOST_LINE + 1):
        yield line
        while not line.endswith(b"\n") and (line := file.readline(MOST_LINE)):
            pass


def _decode(line: str | bytes) -> BatchLine:
    if len(line) > MOST_LINE:
        raise JudgeError("line", len(line), f"at most {MOST_LINE} characters")
    try:
        return _line.decode(line)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise JudgeError("line", str(error), "one question in JSON") from None
