"""Reading logs: bytes in, hands and located errors out.

Both forms are read, told apart by content line by line. One bad hand never stops a
file: it is kept as it came and named, and reading goes on with the next ``hand``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from rummy_audit.rhl import build, canonical, jsonlines, records, text_read, text_shapes
from rummy_audit.rhl.blocks import lines_of
from rummy_audit.rhl.draft import Draft, ReadError, starts_hand
from rummy_audit.rhl.limits import MAX_LINE
from rummy_audit.rhl.misread import MisreadError, shortened

__all__ = ["ReadError", "read"]

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
    reading = _Reading(file)
    try:
        for block, lines in lines_of(data):
            yield from reading.block(block, lines)
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

    def block(self, block: bytes, lines: list[bytes]) -> Iterator[records.Hand | ReadError]:
        """Take the lines of a block; give the hands that they end."""
        usual = jsonlines.usual(block, lines)
        at = 0
        while at < len(lines):
            draft = self.draft
            taken = 0
            if draft is not None and draft.open:
                taken = draft.take_events(lines, usual, at)
                self.number += taken
            if not taken:
                taken = 1
                done = self._line(lines[at], usual.found[at], usual.written[at])
                if done is not None:
                    yield done
            at += taken

    def _line(self, line: bytes, record: records.Record | None, written: bytes) -> Done:
        """Take the next line, of which a block may have given the record already."""
        self.number += 1
        draft = self.draft
        body = line[:-1] if line[-1:] == b"\r" else line
        if draft is None or draft.in_text or draft.trouble is not None or body[:1] != b"{":
            return self._careful(line, body)
        if record is None or build.trouble(record) is not None:
            return self._json(draft, line, body)
        return self._record(draft, line, body, record, written)

    def finish(self) -> Done:
        """The last hand of the file, or why there is none."""
        if self.draft is not None:
            return self.draft.finish()
        found = "no hand in this file" if self.number else "an empty file"
        return ReadError(self.file, max(self.number, 1), 1, "", found, "a hand record")

    def _json(self, draft: Draft | None, line: bytes, body: bytes) -> Done:
        """Take a line of JSON."""
        try:
            if len(body) > MAX_LINE:
                raise _too_long()
            record, written = jsonlines.parse(body)
        except MisreadError as problem:
            return self._misread(line, problem)
        return self._record(draft, line, body, record, written)

    def _record(
        self, draft: Draft | None, line: bytes, body: bytes, record: records.Record, written: bytes
    ) -> Done:
        """Begin a hand with a record, or add it to the one under way."""
        if type(record) is records.HandRecord:
            done, draft = self._begin(Draft(self.file, self.number))
            draft.begin(record, written)
            draft.keep(line)
            return done
        if draft is None or draft.in_text:
            found, expected = "a record in JSON", "the text form, in which this hand began"
            return self._misread(line, MisreadError(found, expected, column=1))
        draft.keep(line)
        try:
            draft.take(record, written)
        except MisreadError as problem:
            draft.refuse(jsonlines.placed(problem, body.decode()), self.number)
        return None

    def _careful(self, line: bytes, body: bytes) -> Done:
        """Take a line that does not simply continue a hand in JSON."""
        draft = self.draft
        start = body.lstrip()
        if not start or start[:1] == b"#":
            if draft is not None:
                draft.keep(line)
            return None
        if (draft is None or draft.trouble is not None) and not starts_hand(body):
            self._stray(line, body)
            return None
        if start[:1] == b"{":
            return self._json(draft, line, body)
        try:
            return self._text(draft, line, body)
        except MisreadError as problem:
            return self._misread(line, problem)

    def _stray(self, line: bytes, body: bytes) -> None:
        """Keep a line of a hand that is refused already, or one before any hand."""
        if self.draft is None:
            self.draft = Draft(self.file, self.number)
            found = shortened(body[:200].decode(errors="replace"), most=40)
            self.draft.refuse(MisreadError(found, "a hand record", column=1), self.number)
        self.draft.keep(line)

    def _text(self, draft: Draft | None, line: bytes, body: bytes) -> Done:
        if len(body) > MAX_LINE:
            raise _too_long()
        text = jsonlines.decoded(body)
        words = text_read.split(text)
        name = words[0].text if words[0].kind == "word" else ""
        if name == "hand":
            header = text_read.Header()
            header.add(words, self.number)
            done, draft = self._begin(Draft(self.file, self.number, header=header))
            draft.keep(line)
            return done
        if draft is None or not draft.in_text:
            raise MisreadError(
                shortened(text, most=40), "a record in JSON, as this hand began", column=1
            )
        if draft.header is not None and name in text_shapes.HEADS:
            draft.header.add(words, self.number)
            draft.keep(line)
            return None
        draft.close_header()
        record = text_read.record(words, text, seq=len(draft.events) + 1)
        draft.keep(line)
        draft.take(record, canonical.encode(record))
        return None

    def _misread(self, line: bytes, problem: MisreadError) -> Done:
        """Refuse the hand that a line belongs to: the one under way, or one that it begins."""
        done, draft = None, self.draft
        if draft is None or starts_hand(line):
            done, draft = self._begin(Draft(self.file, self.number))
        draft.keep(line[: MAX_LINE + 1])
        draft.refuse(problem, self.number)
        return done

    def _begin(self, draft: Draft) -> tuple[Done, Draft]:
        """Put a new draft in the place of the one under way; give what that came to."""
        before, self.draft = self.draft, draft
        return (None if before is None else before.finish(next_hand=self.number)), draft


def _too_long() -> MisreadError:
    return MisreadError("a line of more than 64 KiB", "at most 64 KiB in a line", column=1)
