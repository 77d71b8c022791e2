"""Reading the text form: from a line to the plain values that JSON would hold.

What a line says is checked where both forms meet, in :mod:`rummy_audit.rhl.build`;
here is only what stands where.
"""

from __future__ import annotations

import difflib
import re
from typing import Any, NamedTuple

import msgspec

from rummy_audit.rhl import build, jsonscan, records
from rummy_audit.rhl.limits import MAX_LEVELS
from rummy_audit.rhl.misread import ITS_KEY, MisreadError, Path
from rummy_audit.rhl.text_fields import Kind, kind_of, read_bare
from rummy_audit.rhl.text_line import Line
from rummy_audit.rhl.text_shapes import HEADS, SHAPES
from rummy_audit.rhl.text_tokens import Token, pieces, tidy, tokens

SECTIONS: dict[str, dict[str, str]] = {
    "score": {"": "points", "totals": "totals", "amounts": "amounts", "marks": "marks"},
    "result": {"": "totals", "amounts": "amounts", "bonus": "bonuses"},
}
"""Where ``1=45`` belongs in a score or result: by the word before it."""
UNKNOWN_EVENT = re.compile(r"[a-z][a-z0-9_-]*")
LINES = frozenset((*build.RECORDS, *HEADS))

_NOTE = re.compile(r'\s*note\s+(?=[^\s"])')
_COMMENT = re.compile(r"(?:^|\s)#")
_MS = re.compile(r"(?:^|\s)@([0-9]{1,16})$")
_SEAT = re.compile(r"[0-9]+")
_SEAT_BONUS = re.compile(r"([0-9]+)\.(.+)")
_HEAD_TYPES: dict[str, type[msgspec.Struct]] = {
    "hand": records.HandRecord,
    "player": records.Player,
    "match": records.Match,
    "writer": records.Writer,
}


class Said(NamedTuple):
    """What a line says, as plain values, and the column of each."""

    plain: dict[str, Any]
    places: dict[Path, int]


class Header:
    """The lines of a hand record, until the first event closes it."""

    def __init__(self) -> None:
        self.plain: dict[str, Any] = {"type": "hand", "players": []}
        self.places: dict[Path, tuple[int, int]] = {}

    def add(self, words: list[Token], line: int) -> None:
        """Add one line: ``hand``, ``player``, ``match``, ``rules`` or ``writer``.

        Raises MisreadError with the column of what cannot be read.
        """
        name, column = words[0].text, words[0].column
        said = Line([word for word in words[1:] if word.kind != "pair"], column)
        _pairs(said, words, _HEAD_TYPES.get(name))
        HEADS[name].take(said)
        under: Path = ()
        if name == "hand":
            for key, value in said.plain.items():
                if key in self.plain:
                    place = said.places[(key,)]
                    raise MisreadError(f"{key} a second time", "every field once", column=place)
                self.plain[key] = value
        elif name == "player":
            under = ("players", len(self.plain["players"]))
            self.plain["players"].append(said.plain)
        elif name in self.plain:
            raise MisreadError(f"{name} a second time", f"one line of {name}", column=column)
        else:
            under = (name,)
            self.plain[name] = said.plain
        for path, place in said.places.items():
            self.places[(*under, *path)] = (line, place)

    def record(self) -> records.HandRecord:
        """The hand record.

        Raises MisreadError with the line and the column of what cannot be read.
        """
        try:
            _check_levels(self.plain)
            made = build.record(self.plain)
        except MisreadError as problem:
            line, column = _nearest(self.places, problem.path)
            raise MisreadError(problem.found, problem.expected, line=line, column=column) from None
        if not isinstance(made, records.HandRecord):
            raise TypeError(made)
        return made


def split(text: str) -> list[Token]:
    """The words of a line.

    Raises MisreadError with the column of a word that cannot be read.
    """
    if _NOTE.match(text) is not None and "\0" not in text:
        return _note_words(text)
    return tokens(text, closing=":;" if text.split(None, 1)[:1] == ["amend"] else "")


def record(words: list[Token], text: str, *, seq: int) -> records.Record:
    """The event or end that a line states; its seq is counted, not written.

    Raises MisreadError with the column of what cannot be read.
    """
    said = _said(words, text)
    if said.plain["type"] != "end":
        said.plain.setdefault("seq", seq)
    try:
        if "[" in text or "{" in text:
            _check_levels(said.plain)
        return build.record(said.plain)
    except MisreadError as problem:
        column = problem.column or _nearest(said.places, problem.path)
        raise MisreadError(problem.found, problem.expected, column=column) from None


def placed(problem: MisreadError, words: list[Token]) -> MisreadError:
    """The problem with the column of the ``key=value`` that its path leads to."""
    for word in words:
        if word.kind == "pair" and problem.path == (word.text,):
            return problem.at(word.value_column)
    return problem


def _said(words: list[Token], text: str) -> Said:
    """What the words of one event say."""
    first = words[0]
    kind = first.text
    line = Line([word for word in words[1:] if word.kind != "pair"], first.column)
    if first.kind not in ("word", "text"):
        raise MisreadError(kind, "an event, such as draw or discard", column=first.column)
    line.put("type", kind, first.column)
    if first.kind == "text" or kind not in build.RECORDS:
        _unknown(line, words)
    elif kind == "note":
        _note(line, words, text)
    elif kind in SECTIONS:
        _by_seat(line, words, SECTIONS[kind])
    elif kind == "amend":
        _amend(line, words, text)
    else:
        shape = SHAPES[kind]
        if shape.cards:
            line.words = pieces(line.words)
        _pairs(line, words, build.RECORDS[kind])
        shape.take(line)
    return Said(line.plain, line.places)


def _pairs(line: Line, words: list[Token], cls: type[msgspec.Struct] | None) -> None:
    """Put every ``key=value`` among the words into the line's record."""
    for word in words:
        if word.kind == "pair":
            value = word.value
            if word.bare:
                value = _bare(word, "any" if cls is None else kind_of(cls, word.text))
            line.put(word.text, value, word.value_column)
            line.places[(word.text, ITS_KEY)] = word.column


def _bare(word: Token, kind: Kind) -> Any:  # noqa: ANN401
    """The value of a bare ``key=value``."""
    try:
        return read_bare(word.value, kind)
    except MisreadError as problem:
        raise problem.at(word.value_column) from None


def _unknown(line: Line, words: list[Token]) -> None:
    """An event that RHL 1 does not know says all it says in pairs."""
    first = words[0]
    if first.kind == "word" and (line.words or UNKNOWN_EVENT.fullmatch(first.text) is None):
        if first.text in HEADS:
            expected = "this line before the first event"
        else:
            near = difflib.get_close_matches(first.text.lower(), sorted(LINES), n=1)
            expected = "an event such as draw or discard"
            expected += f" (is {near[0]} meant?)" if near else ""
        raise MisreadError(first.text, expected, column=first.column)
    if line.words:
        raise MisreadError(line.words[0].text, "key=value", column=line.words[0].column)
    _pairs(line, words, records.UnknownEvent)


def _note_words(text: str) -> list[Token]:
    """The words of ``note lights went out``: all that follows is the note."""
    comment = _COMMENT.search(text)
    text = (text if comment is None else text[: comment.start()]).rstrip()
    start = text.index("note") + 1
    made = [Token("word", start, "note", end=start + 3)]
    ms = _MS.search(text)
    if ms is not None:
        at = ms.start(1)
        made.append(Token("pair", at, "ms", ms[1], bare=True, value_column=at + 1, end=len(text)))
        text = text[: ms.start()].rstrip()
    said = text[start + 3 :].lstrip()
    if said:
        at = len(text) - len(said) + 1
        made.insert(1, Token("text", at, tidy(said, at), end=len(text)))
    return made


def _note(line: Line, words: list[Token], text: str) -> None:
    said = words[1:]
    if said and said[0].kind != "text":
        # Only inside an amendment: elsewhere an unquoted note is one word already.
        last = words.pop() if words[-1].kind == "pair" and words[-1].text == "ms" else None
        start, end = said[0].column, words[-1].end
        if end >= start:
            line.put("text", tidy(text[start - 1 : end], start), start)
        words = [] if last is None else [last]
    elif said:
        line.put("text", said[0].text, said[0].column)
        if line.words[1:]:
            word = line.words[1]
            raise MisreadError(word.text, "the end of the line, or key=value", column=word.column)
    _pairs(line, words, records.Note)


def _by_seat(line: Line, words: list[Token], sections: dict[str, str]) -> None:
    """A score or result: ``1=45`` goes where the word before says."""
    section = sections[""]
    rest: list[Token] = []
    for word in words[1:]:
        if word.kind != "pair":
            if word.text not in sections or word.kind != "word":
                known = ", ".join(filter(None, sections))
                expected = f"key=value, such as 1=45 or winner=1, or {known}"
                raise MisreadError(word.text, expected, column=word.column)
            section = sections[word.text]
        elif not word.quoted and section == "bonuses" and _SEAT_BONUS.fullmatch(word.text):
            seat, _, bonus = word.text.partition(".")
            value = _bare(word, "number") if word.bare else word.value
            _into(line, (section, seat), bonus, value, word)
        elif not word.quoted and _SEAT.fullmatch(word.text):
            number_like = word.bare and section != "marks"
            value = _bare(word, "number") if number_like else word.value
            _into(line, (section,), word.text, value, word)
        else:
            rest.append(word)
    _pairs(line, rest, build.RECORDS[line.plain["type"]])


def _into(line: Line, path: tuple[str, ...], key: str, value: object, word: Token) -> None:
    """Set a value in an object inside the record."""
    target = line.plain
    for depth, step in enumerate(path, 1):
        target = target.setdefault(step, {})
        line.places.setdefault(path[:depth], word.column)
    if key in target:
        raise MisreadError(f"{word.text} a second time", "every seat once", column=word.column)
    target[key] = value
    line.places[(*path, key)] = word.value_column
    line.places[(*path, key, ITS_KEY)] = word.column


def _amend(line: Line, words: list[Token], text: str) -> None:
    """``amend 40 by=scorer : discard 2 KH ; pass 3``: what stands in the target's place."""
    colon = next(
        (at for at, word in enumerate(words) if word.kind == "sign" and word.text == ":"), None
    )
    head = words if colon is None else words[:colon]
    line.words = [word for word in head[1:] if word.kind != "pair"]
    _pairs(line, head, records.Amend)
    if line.next_is_word():
        target = line.words.pop(0)
        line.number("target", target)
    if line.words:
        raise MisreadError(line.words[0].text, "a colon, or key=value", column=line.words[0].column)
    if colon is None:
        return
    column = words[colon].column
    parts: list[list[Token]] = [[]]
    for word in words[colon + 1 :]:
        if word.kind == "sign" and word.text == ";":
            parts.append([])
        else:
            parts[-1].append(word)
    many = len(parts) > 1
    if many and not parts[-1]:
        parts.pop()
    if many and parts == [[]]:
        parts.pop()
    if not all(parts):
        raise MisreadError(
            "nothing", "an event after the colon and on each side of ;", column=column
        )
    if parts and parts[0][0].text == "hand" and parts[0][0].kind == "word":
        line.put("replace", _amended_hand(line, parts), parts[0][0].column)
        return
    said = [_said(part, text) for part in parts]
    line.put("replace", [each.plain for each in said] if many else said[0].plain, column)
    for place, each in enumerate(said):
        under: Path = ("replace", place) if many else ("replace",)
        for path, at in each.places.items():
            line.places[(*under, *path)] = at


def _amended_hand(line: Line, parts: list[list[Token]]) -> dict[str, Any]:
    header = Header()
    for part in parts:
        again = part[0].text == "hand" and part is not parts[0]
        if again or part[0].kind != "word" or part[0].text not in HEADS:
            raise MisreadError(part[0].text, "a line of a hand record", column=part[0].column)
        header.add(part, 0)
    for path, (_, column) in header.places.items():
        line.places[("replace", *path)] = column
    return header.plain


def _check_levels(plain: dict[str, Any]) -> None:
    path = jsonscan.too_deep(plain)
    if path is not None:
        raise MisreadError(f"level {MAX_LEVELS + 1}", f"at most {MAX_LEVELS} levels", path=path)


def _nearest(places: dict[Path, Any], path: Path) -> Any:  # noqa: ANN401
    """The place of a value, or of the nearest value around it that has one."""
    while path not in places:
        path = path[:-1]
    return places[path]
