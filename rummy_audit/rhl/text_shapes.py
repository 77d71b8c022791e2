"""What stands where in a line of the text form.

An event's shape is a list of slots. A slot takes its words from a line and puts
fields into a record, and the other way round; a value that it cannot write plainly
it leaves, to be written as ``key=value``. Both ways use the same list, so what is
written is read again as it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

from rummy_audit.rhl.misread import MisreadError
from rummy_audit.rhl.text_fields import is_number, write_pair, write_word
from rummy_audit.rhl.text_line import Line

_MANY_WORDS = ("id", "name")
_COUNT = re.compile(r"x([0-9]{1,9})")


class Slot(Protocol):
    """A place in a line."""

    def take(self, line: Line) -> None:
        """Read what stands here from *line* into its record."""

    def give(self, rest: dict[str, Any], parts: list[str], /) -> None:
        """Write what *rest* has for this place to *parts*, and drop it there."""


@dataclass(frozen=True)
class _Number:
    """A whole number, such as a seat."""

    name: str
    optional: bool = False

    def take(self, line: Line) -> None:
        if line.next_is_word() and not (self.optional and not is_number(line.words[0].text)):
            line.number(self.name, line.words.pop(0))

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        if self.name in rest:
            parts.append(str(rest.pop(self.name)))


@dataclass(frozen=True)
class _Word:
    """A word or a quoted text."""

    name: str
    default: str = ""

    def take(self, line: Line) -> None:
        if line.next_is_word():
            word = line.words.pop(0)
            line.put(self.name, word.text, word.column)
        elif self.default:
            line.plain.setdefault(self.name, self.default)

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        if self.name in rest:
            text = rest.pop(self.name)
            if not self.default or text != self.default:
                parts.append(write_word(text))


@dataclass(frozen=True)
class _Card:
    """One card."""

    name: str = "card"

    def take(self, line: Line) -> None:
        if line.next_is_word():
            word = line.words.pop(0)
            line.put(self.name, word.text, word.column)

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        if self.name in rest:
            parts.append(rest.pop(self.name))


@dataclass(frozen=True)
class _Cards:
    """Cards up to the next sign; ``x13`` is a count, if the event may have one.

    With *single*, one card is a ``card`` and several are ``cards``.
    """

    counted: bool = False
    single: bool = False

    def take(self, line: Line) -> None:
        if not line.next_is_word():
            return
        first = line.words[0]
        count = _COUNT.fullmatch(first.text) if self.counted else None
        if count is not None:
            line.words.pop(0)
            line.put("count", int(count[1]), first.column)
            return
        if self.counted and is_number(first.text):
            expected = f"cards, or x{first.text} for a number of them"
            raise MisreadError(first.text, expected, column=first.column)
        cards = line.cards("cards")
        if self.single and len(cards) == 1:
            line.put("card", cards[0], first.column)
        else:
            line.put("cards", cards, first.column)

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        if self.single and "card" in rest:
            parts.append(rest.pop("card"))
        elif len(rest.get("cards", ())) > self.single:
            parts.extend(rest.pop("cards"))
        elif self.counted and "cards" not in rest and rest.get("count", -1) >= 0:
            parts.append(f"x{rest.pop('count')}")


@dataclass(frozen=True)
class _Table:
    """All melds on the table, ``|`` between them."""

    name: str = "table"

    def take(self, line: Line) -> None:
        if line.next_is_word():
            column = line.words[0].column
            line.put(self.name, line.groups(self.name), column)

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        groups = rest.get(self.name)
        if groups and all(groups):
            parts.append(" | ".join(map(" ".join, rest.pop(self.name))))


@dataclass(frozen=True)
class _Claim:
    """Groups, then ``+`` and the loose cards, then ``/`` and the card laid away.

    A line with any of these has groups, if only none: ``show 3 + KD 2C``. A ``show`` lays
    no card away: what it carries under that name can be anything.
    """

    lays_away: bool = True

    def take(self, line: Line) -> None:
        if not line.words:
            return
        column = line.words[0].column
        groups = line.groups("groups")
        if line.next_is_sign("+"):
            sign = line.words.pop(0)
            line.put("loose", line.cards("loose"), sign.column)
        if line.next_is_sign("/"):
            sign = line.words.pop(0)
            if not line.next_is_word():
                raise MisreadError("/", "the card laid away after /", column=sign.column)
            word = line.words.pop(0)
            line.put("discard", word.text, word.column)
        if groups or "groups" not in line.plain:
            line.put("groups", groups, column)

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        groups = rest.get("groups")
        if groups is None or not all(groups):
            return
        discard = self.lays_away and "discard" in rest
        if not groups and "loose" not in rest and not discard:
            return
        rest.pop("groups")
        if groups:
            parts.append(" | ".join(map(" ".join, groups)))
        if "loose" in rest:
            parts.extend(("+", *rest.pop("loose")))
        if discard:
            parts.extend(("/", rest.pop("discard")))


@dataclass(frozen=True)
class _Sign:
    """A sign that stands between two slots."""

    sign: str

    def take(self, line: Line) -> None:
        if line.next_is_sign(self.sign):
            line.words.pop(0)

    def give(self, _: dict[str, Any], parts: list[str]) -> None:
        parts.append(self.sign)


@dataclass(frozen=True)
class _Pair:
    """A ``key=value`` that is written here rather than at the end; read anywhere."""

    name: str

    def take(self, line: Line) -> None:
        """Pairs are read apart from the words."""

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        if self.name in rest:
            parts.append(write_pair(self.name, rest.pop(self.name), "text"))


@dataclass(frozen=True)
class _Flag:
    """A word that says true; it may stand anywhere among the cards."""

    name: str

    def take(self, line: Line) -> None:
        for word in line.words:
            if word.kind == "word" and word.text == self.name:
                line.words.remove(word)
                line.put(self.name, value=True, column=word.column)
                return

    def give(self, rest: dict[str, Any], parts: list[str]) -> None:
        if rest.get(self.name) is True:
            parts.append(self.name)
            del rest[self.name]


@dataclass(frozen=True)
class Shape:
    """The slots of an event in the order they are written, and whether it has cards.

    Flags are taken first: no card looks like one.
    """

    slots: tuple[Slot, ...] = ()
    cards: bool = False

    def take(self, line: Line) -> None:
        """Read the words of a line.

        Raises MisreadError where a word is one too many, or one twice.
        """
        for slot in sorted(self.slots, key=lambda each: not isinstance(each, _Flag)):
            slot.take(line)
        if line.words:
            word, expected = line.words[0], "the end of the line, or key=value"
            if any(isinstance(slot, _Word) and slot.name in _MANY_WORDS for slot in self.slots):
                expected = 'key=value, or quotes around words that are one: "Chitra K"'
            raise MisreadError(word.text, expected, column=word.column)

    def give(self, rest: dict[str, Any]) -> list[str]:
        """The words for what the slots can write of *rest*; they are dropped there."""
        parts: list[str] = []
        for slot in self.slots:
            slot.give(rest, parts)
        return parts


_SEAT = _Number("seat")
_ONLY_SEAT = Shape((_SEAT,))
_CLAIM = Shape((_SEAT, _Claim()), cards=True)
_CAUSE = Shape((_Pair("cause"), _Pair("reason")))

SHAPES: dict[str, Shape] = {
    "deck": Shape((_Cards(),), cards=True),
    "shuffle": Shape((_Pair("scheme"), _Pair("commit"))),
    "reveal": Shape((_Pair("seed"),)),
    "deal": Shape((_SEAT, _Cards(counted=True)), cards=True),
    "upcard": Shape((_Card(),)),
    "wild": Shape((_Card(),)),
    "draw": Shape((_SEAT, _Word("from"), _Cards(single=True)), cards=True),
    "pass": _ONLY_SEAT,
    "discard": Shape((_SEAT, _Card(), _Flag("facedown"), _Flag("auto"))),
    "meld": Shape((_SEAT, _Cards()), cards=True),
    "layoff": Shape((_SEAT, _Cards(), _Sign(">"), _Number("meld")), cards=True),
    "play": Shape((_SEAT, _Table(), _Flag("undone")), cards=True),
    "penalty": Shape((_SEAT, _Cards(counted=True), _Pair("reason")), cards=True),
    "reshuffle": Shape((_Flag("turned"), _Cards()), cards=True),
    "drop": _ONLY_SEAT,
    "miss": _ONLY_SEAT,
    "leave": _ONLY_SEAT,
    "declare": _CLAIM,
    "knock": _CLAIM,
    "show": Shape((_SEAT, _Claim(lays_away=False)), cards=True),
    "call": Shape((_SEAT, _Word("what"))),
    "choice": Shape((_SEAT, _Word("what"))),
    "irregularity": Shape((_Word("kind"), _Number("seat", optional=True), _Card())),
    "ruling": Shape((_Word("by"), _Number("target"), _Word("outcome"), _Pair("reason"))),
    "misdeal": _CAUSE,
    "void": _CAUSE,
    "end": Shape((_Word("status", default="completed"),)),
}
"""Every record with slots; ``hand``, ``score``, ``result``, ``amend`` and ``note`` have lines of
their own kind."""

HEADS: dict[str, Shape] = {
    "hand": Shape((_Word("id"),)),
    "player": Shape((_SEAT, _Word("name"))),
    "match": Shape((_Word("id"),)),
    "rules": Shape(),
    "writer": Shape((_Word("name"),)),
}
"""The lines that a hand record is made of."""
