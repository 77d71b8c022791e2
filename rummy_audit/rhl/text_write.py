"""Writing the text form: the same slots as in reading, the other way round."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from rummy_audit.rhl import build, canonical, records
from rummy_audit.rhl.text_fields import kind_of, quoted, write_pair
from rummy_audit.rhl.text_read import LINES, SECTIONS, UNKNOWN_EVENT
from rummy_audit.rhl.text_shapes import HEADS, SHAPES

_PLAIN_NOTE = re.compile(r"[\w'’,.!?()-]+(?: [\w'’,.!?()-]+)*")
_BONUS = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def hand_lines(record: records.HandRecord) -> list[str]:
    """The lines of a hand record: ``hand``, then its players, match, rules and writer."""
    return _head(canonical.plain(record))


def record_line(record: records.Record) -> str:
    """The line of an event or end.

    >>> record_line(records.Draw(seq=9, seat=2, from_="stock", card="9H", ms=8120))
    'draw 2 stock 9H @8120'
    """
    plain = canonical.plain(record)
    if isinstance(record, records.Event):
        # Counted, not written; an end has none, and may hold anything of that name.
        plain.pop("seq", None)
    return _line(plain)


def _head(plain: dict[str, Any]) -> list[str]:
    rest = {key: value for key, value in plain.items() if key != "type"}
    players = rest.pop("players", [])
    apart = {name: rest.pop(name) for name in ("match", "rules", "writer") if name in rest}
    return [
        _head_line("hand", rest, records.HandRecord),
        *(_head_line("player", player, records.Player) for player in players),
        *(_head_line(name, value, _APART[name]) for name, value in apart.items()),
    ]


def _head_line(name: str, plain: dict[str, Any], cls: type[msgspec.Struct] | None) -> str:
    rest = dict(plain)
    words = HEADS[name].give(rest)
    order = _ORDER.get(name, ())
    keys = sorted(rest, key=lambda key: (order.index(key) if key in order else len(order), key))
    pairs = [
        write_pair(key, rest[key], "any" if cls is None else kind_of(cls, key)) for key in keys
    ]
    return " ".join((name, *words, *pairs))


def _line(plain: dict[str, Any]) -> str:
    rest = dict(plain)
    kind = rest.pop("type")
    if kind == "note":
        return _note(rest)
    if kind == "amend":
        return _amend(rest)
    if kind in SECTIONS:
        words = _by_seat(kind, rest)
    elif kind in SHAPES:
        words = SHAPES[kind].give(rest)
    else:
        known = kind in LINES or UNKNOWN_EVENT.fullmatch(kind) is None
        name = quoted(kind) if known else kind
        return " ".join((name, *_pairs(rest, records.UnknownEvent)))
    return " ".join((kind, *words, *_pairs(rest, build.RECORDS[kind])))


def _pairs(rest: dict[str, Any], cls: type[msgspec.Struct]) -> list[str]:
    """What is left of a record: the time, then ``key=value`` by key."""
    parts = []
    ms = rest.get("ms")
    if type(ms) is int and ms >= 0:  # an end has no time, and may hold anything of that name
        parts.append(f"@{rest.pop('ms')}")
    parts.extend(write_pair(key, rest[key], kind_of(cls, key)) for key in sorted(rest))
    return parts


def _note(rest: dict[str, Any]) -> str:
    text = rest.pop("text")
    pairs = _pairs(rest, records.Note)
    bare = _PLAIN_NOTE.fullmatch(text) and all(pair.startswith("@") for pair in pairs)
    return " ".join(("note", text if bare else quoted(text), *pairs))


def _by_seat(kind: str, rest: dict[str, Any]) -> list[str]:
    """The objects by seat of a score or result, each behind its word."""
    parts: list[str] = []
    for word, name in SECTIONS[kind].items():
        if _fits(rest.get(name), bonuses=name == "bonuses"):
            parts.extend(filter(None, (word, *_seats(rest.pop(name)))))
        if not word:
            parts.extend(
                write_pair(key, rest.pop(key), "number") for key in ("winner", "net") if key in rest
            )
    return parts


def _fits(by_seat: dict[str, Any] | None, *, bonuses: bool) -> bool:
    """Whether an object by seat can be written without JSON."""
    if not by_seat:
        return False
    return not bonuses or all(
        each and all(_BONUS.fullmatch(key) and type(value) is int for key, value in each.items())
        for each in by_seat.values()
    )


def _seats(by_seat: dict[str, Any]) -> list[str]:
    parts: list[str] = []
    for seat in sorted(by_seat, key=int):
        value = by_seat[seat]
        if isinstance(value, dict):
            parts.extend(f"{seat}.{key}={value[key]}" for key in sorted(value))
        else:
            parts.append(f"{seat}={value}")
    return parts


def _amend(rest: dict[str, Any]) -> str:
    target = rest.pop("target")
    replace = rest.pop("replace", None)
    head = " ".join(("amend", str(target), *_pairs(rest, records.Amend)))
    if replace is None:
        return head
    if isinstance(replace, list):
        # A list of one keeps its semicolon: an event and a list of it are two things.
        return " ".join((head, ":", " ; ".join(map(_line, replace)), ";")).replace(":  ;", ": ;")
    if replace["type"] == "hand":
        return f"{head} : " + " ; ".join(_head(replace))
    return f"{head} : {_line(replace)}"


_APART: dict[str, type[msgspec.Struct] | None] = {
    "match": records.Match,
    "rules": None,
    "writer": records.Writer,
}
_ORDER: dict[str, tuple[str, ...]] = {
    "hand": ("rhl", "ruleset", "detail", "dealer", "first", "source", "event", "counter"),
    "match": ("format", "game", "deal", "seats"),
}
"""The keys that a person looks for first; the others follow by name."""
