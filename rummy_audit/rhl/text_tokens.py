"""The words of a line in the text form.

A line is words with spaces between them: bare words, ``"texts"`` quoted as in JSON,
``key=value`` pairs whose value is bare, quoted, or a JSON list or object, ``@8120``
(short for ``ms=8120``) and the signs ``|``, ``+``, ``/``, ``>``, ``:``, ``;``. A word
that begins with ``#`` starts a comment.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Literal, NamedTuple

from rummy_audit.rhl import jsonscan
from rummy_audit.rhl.limits import MAX_TEXT
from rummy_audit.rhl.misread import MisreadError

SIGNS = frozenset("|+/>:;")

_GAP = re.compile(r"\s*")
_BARE = re.compile(r"\S+")
# Most lines of play are cards and seats alone, where a word is what stands between spaces.
_SIMPLE = re.compile(r"[A-Za-z0-9?|+/> -]*")
_KEY = re.compile(r'[^\s"=#@|+/>:;][^\s"=]*(?==)')
_MS = re.compile(r"@([0-9]+)")
_PIECE = re.compile(r"[|+/>]|[^|+/>,]+")


class Token(NamedTuple):
    """One word of a line: where it stands (characters from 1) and what it says.

    Of a pair ``text`` is the key and ``value`` what stands behind the sign, as it is
    written if ``bare``, else decoded. A ``quoted`` key is never a seat.
    """

    kind: Literal["word", "text", "pair", "sign"]
    column: int
    text: str
    value: Any = None
    bare: bool = False
    quoted: bool = False
    value_column: int = 0
    end: int = 0


def tokens(line: str, *, closing: str = "") -> list[Token]:
    """The words of a line up to its comment.

    Signs in *closing* are words of their own also when they close another word.

    Raises MisreadError with the column of a word that cannot be read.
    """
    if len(line) <= MAX_TEXT and _SIMPLE.fullmatch(line) is not None:
        return [
            Token("sign" if word.group() in SIGNS else "word", word.start() + 1, word.group())
            for word in _BARE.finditer(line)
        ]
    if "\0" in line:
        raise MisreadError("a NUL character", "text without NUL", column=line.index("\0") + 1)
    made: list[Token] = []
    at = _skip(line, 0)
    while at < len(line) and line[at] != "#":
        token = _token(line, at, closing)
        made.append(token)
        at = token.end
        if at < len(line) and not line[at].isspace() and line[at] not in closing:
            raise MisreadError(
                line[at], "a space after the closing quote or bracket", column=at + 1
            )
        at = _skip(line, at)
    return made


def pieces(words: list[Token]) -> list[Token]:
    """Cards as people type them, taken apart: ``4H,5H|8S`` is four words.

    >>> [token.text for token in pieces(tokens("4H,5H|8S /KC"))]
    ['4H', '5H', '|', '8S', '/', 'KC']
    """
    made: list[Token] = []
    for word in words:
        if word.kind != "word":
            made.append(word)
            continue
        for match in _PIECE.finditer(word.text):
            kind: Literal["sign", "word"] = "sign" if match.group() in SIGNS else "word"
            made.append(Token(kind, word.column + match.start(), match.group(), end=word.end))
    return made


def tidy(bare: str, column: int) -> str:
    """A bare word in NFC.

    Raises MisreadError when it is longer than a text may be.
    """
    text = bare if bare.isascii() else unicodedata.normalize("NFC", bare)
    if len(text) > MAX_TEXT:
        found = f"{len(text)} characters"
        raise MisreadError(found, f"at most {MAX_TEXT} characters", column=column)
    return text


def _skip(line: str, at: int) -> int:
    match = _GAP.match(line, at)
    return at if match is None else match.end()


def _token(line: str, at: int, closing: str) -> Token:
    if line[at] == '"':
        text, end = jsonscan.string_at(line, at)
        if line[end : end + 1] == "=":
            return _pair(line, at, text, end + 1, closing, quoted=True)
        return Token("text", at + 1, text, end=end)
    key = _KEY.match(line, at)
    if key is not None:
        return _pair(line, at, tidy(key.group(), at + 1), key.end() + 1, closing, quoted=False)
    word = _bare(line, at, closing)
    end = at + len(word)
    ms = _MS.fullmatch(word)
    if ms is not None:
        return Token("pair", at + 1, "ms", ms[1], bare=True, value_column=at + 2, end=end)
    return Token("sign" if word in SIGNS else "word", at + 1, tidy(word, at + 1), end=end)


def _pair(line: str, at: int, key: str, start: int, closing: str, *, quoted: bool) -> Token:
    sign = line[start : start + 1]
    bare = sign not in ('"', "[", "{")
    if bare:
        written = _bare(line, start, closing)
        if not written:
            raise MisreadError("nothing", f'a value after {key}=, or ""', column=start + 1)
        value: Any = tidy(written, start + 1)
        end = start + len(written)
    else:
        value, end = jsonscan.value_at(line, start)
    return Token("pair", at + 1, key, value, bare, quoted, start + 1, end)


def _bare(line: str, at: int, closing: str) -> str:
    match = _BARE.match(line, at)
    word = "" if match is None else match.group()
    shorter = word.rstrip(closing) if closing else word
    return shorter or word[:1]
