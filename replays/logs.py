"""A hand between the format and the database.

The stored log is in signing form: no names, digests for free texts. What was taken out is
kept beside it, so that it can be put back for a reader and forgotten for a person. Only
the end record keeps its head and signature, which say nothing about anybody and are judged.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from replays.models import FreeText, HandLog, LogBatch, Seat
from rummy_audit.rhl import canonical, digests
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand, HandRecord

Place = tuple[str | int, ...]
# The line within its batch, the place in its record, and what stood there.
Text = tuple[int, Place, Any]

_decode = msgspec.json.decode


class NoLogError(Exception):
    """A stored log cannot be read: a fault of the record, not of the hand."""


def hand_in(lines: bytes) -> Hand:
    """Return the hand of one log. Raises NoLogError."""
    for item in read(lines):
        if isinstance(item, ReadError):
            raise NoLogError(f"line {item.line}: {item.found}, expected {item.expected}")
        return item
    raise NoLogError("no hand in it")


def stored_form(hand: Hand) -> list[bytes]:
    """Return the records of a hand as they are stored, one a line."""
    lines = digests.signing_lines(hand)
    if hand.end is not None and (hand.end.head or hand.end.sig):
        place = 1 + (hand.ended_after or 0)
        kept = [((name,), getattr(hand.end, name)) for name in ("head", "sig")]
        lines[place] = put_back(lines[place], [each for each in kept if each[1] is not None])
    return lines


def taken_out(full: bytes, stored: bytes) -> list[tuple[Place, Any]]:
    """Return what a record lost on the way to its stored form, each with its place."""
    if full == stored:
        return []
    return list(_differences(_decode(full), _decode(stored), ()))


def _differences(full: Any, stored: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    if isinstance(full, dict) and isinstance(stored, dict):
        for key, value in full.items():
            if key not in stored:
                yield (*place, key), value
            elif value != stored[key]:
                yield from _differences(value, stored[key], (*place, key))
    elif isinstance(full, list) and isinstance(stored, list) and len(full) == len(stored):
        for index, value in enumerate(full):
            if value != stored[index]:
                yield from _differences(value, stored[index], (*place, index))
    else:
        yield place, full


def put_back(stored: bytes, texts: Iterable[tuple[Iterable[str | int], Any]]) -> bytes:
    """Return a record with its texts in their places again.

    >>> put_back(b'{"note":"sha256:00","type":"drop"}', [(["note"], "late")])
    b'{"note":"late","type":"drop"}'
    """
    record = _decode(stored)
    for (*way, last), value in texts:
        holder = record
        for step in way:
            holder = holder[step]
        holder[last] = value
    return canonical.dumps(record)


def stored_lines(logs: Iterable[int]) -> dict[int, bytes]:
    """Return the log of each hand as it is stored, in signing form, by id: one query."""
    bodies: dict[int, list[bytes]] = {}
    rows = LogBatch.objects.filter(log__in=list(logs)).order_by("log_id", "first_line")
    for pk, body in rows.values_list("log_id", "body"):
        bodies.setdefault(pk, []).append(bytes(body))
    return {pk: b"".join(parts) for pk, parts in bodies.items()}


def full_lines(log: HandLog) -> list[bytes]:
    """Return the log of a hand as it came, without what has been forgotten since.

    A forgotten name is gone, a forgotten text stays as its digest.
    """
    return full_lines_of([log])[log.pk]


def full_lines_of(hands: Iterable[HandLog]) -> dict[int, list[bytes]]:
    """Return the logs of hands as they came, by the hands' keys: two queries for any number."""
    tables = {log.pk: log.table for log in hands}
    lines: dict[int, list[bytes]] = {pk: [] for pk in tables}
    rows = LogBatch.objects.filter(log__in=tables).order_by("log_id", "first_line")
    for batch in rows.select_related("free_text"):
        texts = _texts(batch)
        for number, line in enumerate(bytes(batch.body).split(b"\n")[:-1]):
            whole = put_back(line, texts[number]) if number in texts else line
            lines[batch.log_id].append(whole)
    names: dict[int, dict[int, str]] = {pk: {} for pk in tables}
    for pk, seat, name in Seat.objects.filter(log__in=tables).values_list("log", "seat", "name"):
        names[pk][seat] = name
    for pk, each in lines.items():
        if each:  # it may just have been purged
            each[0] = _with_names(each[0], names[pk], tables[pk])
    return lines


def _texts(batch: LogBatch) -> dict[int, list[tuple[list[str | int], Any]]]:
    try:
        body = bytes(batch.free_text.body)
    except FreeText.DoesNotExist:
        return {}
    texts: dict[int, list[tuple[list[str | int], Any]]] = {}
    for line, place, value in _decode(body):
        texts.setdefault(line, []).append((place, value))
    return texts


def _with_names(line: bytes, names: Mapping[int, str], table: str) -> bytes:
    record = _decode(line)
    for player in record["players"]:
        if name := names.get(player["seat"]):
            player["name"] = name
    if table:
        record["table"] = table
    return canonical.dumps(record)


@dataclass(frozen=True, slots=True)
class HeadTexts:
    """What a hand record lost on the way to its stored form, by where it is kept."""

    names: Mapping[int, str]
    table: str
    others: list[tuple[Place, Any]]

    @classmethod
    def of(cls, record: HandRecord, full: bytes, stored: bytes) -> Self:
        """Part the texts of a hand record: names to the seats, the table to the hand."""
        names: dict[int, str] = {}
        table = ""
        others: list[tuple[Place, Any]] = []
        for place, value in taken_out(full, stored):
            match place:
                case ("players", int(index), "name"):
                    names[record.players[index].seat] = value
                case ("table",):
                    table = value
                case _:
                    others.append((place, value))
        return cls(names, table, others)
