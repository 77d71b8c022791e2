"""A line of the text form while it is read."""

from __future__ import annotations

from typing import Any

from rummy_audit.rhl.misread import MisreadError, Path
from rummy_audit.rhl.text_fields import number
from rummy_audit.rhl.text_tokens import Token


class Line:
    """A line being read: the words still to come, the record so far, and where each value stood."""

    def __init__(self, words: list[Token], column: int) -> None:
        self.words = words
        self.plain: dict[str, Any] = {}
        self.places: dict[Path, int] = {(): column}

    def next_is_sign(self, sign: str) -> bool:
        """Whether *sign* is what comes next."""
        return bool(self.words) and self.words[0].kind == "sign" and self.words[0].text == sign

    def next_is_word(self) -> bool:
        """Whether a word or a quoted text comes next."""
        return bool(self.words) and self.words[0].kind != "sign"

    def put(self, name: str, value: object, column: int) -> None:
        """Set a field.

        Raises MisreadError when the line has set it before.
        """
        if name in self.plain:
            # Pairs are read before words: the second one is the one further on.
            second = max(column, self.places.get((name,), column))
            raise MisreadError(f"{name} a second time", "every field once", column=second)
        self.plain[name] = value
        self.places[(name,)] = column

    def number(self, name: str, word: Token) -> None:
        """Set a field to the number that a word states.

        Raises MisreadError when the line has set it before, or the number is too big.
        """
        try:
            value = number(word.text)
        except MisreadError as problem:
            raise problem.at(word.column) from None
        self.put(name, value, word.column)

    def cards(self, *path: str | int) -> list[str]:
        """The words up to the next sign; where each stood is noted under *path*."""
        made: list[str] = []
        while self.next_is_word():
            word = self.words.pop(0)
            self.places[(*path, len(made))] = word.column
            made.append(word.text)
        return made

    def groups(self, name: str) -> list[list[str]]:
        """Lists of words with ``|`` between them."""
        made: list[list[str]] = []
        while self.next_is_word():
            self.places[(name, len(made))] = self.words[0].column
            made.append(self.cards(name, len(made)))
            if self.next_is_sign("|"):
                bar = self.words.pop(0)
                if not self.next_is_word():
                    raise MisreadError("|", "a group on each side of |", column=bar.column)
        return made
