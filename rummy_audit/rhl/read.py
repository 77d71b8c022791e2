"""Reading logs: bytes in, hands and located errors out.

Both forms are read, told apart by content line by line. One bad hand never stops a
file: it is kept as it came and named, and reading goes on with the next ``hand``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from rummy_audit.rhl import canonical, jsonlines, records, text_read, text_shapes
from rummy_audit.rhl.blocks import PIECE, lines_of
from rummy_audit.rhl.draft import (
    FOLLOWS_THE_END,
    Draft,
    ReadError,
    follows_end,
    kind_of,
    starts_hand,
)
from rummy_audit.rhl.limits import MAX_LINE
from rummy_audit.rhl.misread import MisreadError, shortened

__all__ = ["ReadError", "read"]

_BOM = b"\xef\xbb\xbf"

Done = records.Hand | ReadError | None
"""What a line brought to its end: the hand before it, or nothing yet."""


def read(
    data: bytes | BinaryIO | Iterable[bytes], *, file: str = ""
) -> Iterator[records.Hand | ReadError]:
    """Read the hands of a file, in order, each as soon as the next one begins.

    A file of any size passes in flat memory. A hand that cannot be read comes out
    as a :class:`ReadError`; so does a file that is no log at all.

    >>> log = b'''hand T4-17 rhl=1 ruleset=indian-13 detail=shown
    ... player 1 Asha
    ... wild 7D
    ... end'''
    >>> [hand.record.id for hand in read(log)]
    ['T4-17']
    """
    found: jsonlines.Found | None = None
    if isinstance(data, bytes) and data.startswith(b"{") and len(data) <= PIECE:
        whole = data if data.endswith(b"\n") else data + b"\n"
        found = jsonlines.at_once(whole)
        hand = jsonlines.one_hand(whole, found, file)
        if hand is not None:
            yield hand
            return
    reading = _Reading(file)
    try:
        for block, lines in lines_of(data):
            yield from reading.block(block, lines, found)
    except MisreadError as problem:
        yield ReadError(file, 1, 1, "", problem.found, problem.expected)
        return
    last = reading.finish()
    if last is not None:
        yield last


class _Reading:
    """The reading of one file: the hand under way and the number of the line."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.number = 0
        self.draft: Draft | None = None

    def block(
        self, block: bytes, lines: list[bytes], found: jsonlines.Found | None
    ) -> Iterator[records.Hand | ReadError]:
        """Take the lines of a block, or what was *found* in it already; give the hands they end."""
        bodies = lines
        if b"\r" in block:
            bodies = [line.removesuffix(b"\r") for line in lines]
            block = b"\n".join(bodies)
        usual = jsonlines.usual(block, bodies, found)
        at = 0
        while at < len(lines):
            draft = self.draft
            taken = 0
            if draft is not None and draft.open:
                taken = draft.take_events(lines, usual, at)
                self.number += taken
            elif taken := usual.whole_hand(at):
                yield from self._whole(lines, usual, at, taken)
            if not taken:
                taken = 1
                self.number += 1
                done = self._line(lines[at], bodies[at], usual, at)
                if done is not None:
                    yield done
            at += taken

    def _whole(
        self, lines: list[bytes], block: jsonlines.Block, at: int, count: int
    ) -> Iterator[records.Hand | ReadError]:
        """Take a hand of which every line to its end lies here and is as usual."""
        first = self.number + 1
        self.number += count
        if self.draft is not None:
            yield self.draft.finish(next_hand=first)
        self.draft = None
        if block.followed(at + count):
            yield block.hand(at, count, file=self.file, line=first)
            return
        self.draft = Draft(self.file, first)
        self.draft.take_whole(lines, block, at, count)

    def _line(self, line: bytes, body: bytes, block: jsonlines.Block, at: int) -> Done:
        """Take one line; *body* is what it says, without its carriage return."""
        start = body.lstrip()
        if start[:3] == _BOM:
            # Files joined by hand carry a mark in the middle.
            body = start = start[3:]
        draft = self.draft
        if not start or start[:1] == b"#":
            if draft is not None:
                draft.keep(line)
            return None
        known = type(block.found[at]) is records.HandRecord
        if (draft is None or draft.trouble is not None) and not (known or starts_hand(body)):
            self._stray(line, body)
            return None
        try:
            if start[:1] == b"{":
                return self._json(line, body, *block.parsed(at, body))
            return self._text(line, body)
        except MisreadError as problem:
            return self._misread(line, problem)

    def finish(self) -> Done:
        """The last hand of the file, or why there is none."""
        if self.draft is not None:
            return self.draft.finish()
        found = "no hand in this file" if self.number else "an empty file"
        return ReadError(self.file, max(self.number, 1), 1, "", found, "a hand record")

    def _json(self, line: bytes, body: bytes, record: records.Record, written: bytes) -> Done:
        """Begin a hand with a record, or add it to the one under way."""
        if type(record) is records.HandRecord:
            draft = Draft(self.file, self.number)
            draft.begin(record, written)
            draft.keep(line)
            return self._begin(draft)[0]
        hand = self.draft
        if hand is None or hand.in_text:
            found, expected = "a record in JSON", "the text form, in which this hand began"
            raise MisreadError(found, expected, column=1)
        if not hand.belongs(record):
            raise MisreadError(f"{kind_of(record)} after the end", FOLLOWS_THE_END, column=1)
        hand.keep(line)
        try:
            hand.take(record, written)
        except MisreadError as problem:
            hand.refuse(jsonlines.placed(problem, body.decode()), self.number)
        return None

    def _stray(self, line: bytes, body: bytes) -> None:
        """Keep a line of a hand that is refused already, or one before any hand."""
        if self.draft is None:
            self.draft = Draft(self.file, self.number)
            found = shortened(body[:200].decode(errors="replace"), most=40)
            self.draft.refuse(MisreadError(found, "a hand record", column=1), self.number)
        self.draft.keep(line)

    def _text(self, line: bytes, body: bytes) -> Done:
        """Take a line in the text form."""
        text = jsonlines.decoded(body)
        words = text_read.split(text)
        if not words:
            # Blank after all: a space of another kind, or a comment behind a mark.
            if self.draft is not None:
                self.draft.keep(line)
            return None
        name = words[0].text if words[0].kind == "word" else ""
        if name == "hand":
            header = text_read.Header()
            header.add(words, self.number)
            done, draft = self._begin(Draft(self.file, self.number, header=header))
            draft.keep(line)
            return done
        hand = self.draft
        if hand is None or not hand.in_text:
            found = shortened(text, most=40)
            raise MisreadError(found, "a record in JSON, as this hand began", column=1)
        if hand.header is not None and name in text_shapes.HEADS:
            hand.header.add(words, self.number)
            hand.keep(line)
            return None
        hand.close_header()
        record = text_read.record(words, text, seq=len(hand.events) + 1)
        written = canonical.encode(record)
        hand.keep(line)
        try:
            hand.take(record, written)
        except MisreadError as problem:
            hand.refuse(text_read.placed(problem, words), self.number)
        return None

    def _misread(self, line: bytes, problem: MisreadError) -> Done:
        """Refuse the hand that a line belongs to: the one under way, or one that it begins.

        An ended hand is not lost by what follows it, unless that was to correct it.
        """
        done, draft = None, self.draft
        if (
            draft is None
            or starts_hand(line)
            or (draft.end is not None and draft.trouble is None and not follows_end(line))
        ):
            done, draft = self._begin(Draft(self.file, self.number))
        draft.keep(line[: MAX_LINE + 1])
        draft.refuse(problem, self.number)
        return done

    def _begin(self, draft: Draft) -> tuple[Done, Draft]:
        """Put a new draft in the place of the one under way; give what that came to."""
        before, self.draft = self.draft, draft
        return (None if before is None else before.finish(next_hand=self.number)), draft
