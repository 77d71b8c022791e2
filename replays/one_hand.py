"""A hand by itself, in one statement that PostgreSQL has read and planned before.

Most hands come alone, and most are new: such a hand, all that is written of it and its upload
are one exchange with the server, and a transaction of their own.
"""

import datetime
from functools import cache
from typing import Any

from django.db import connection, models

from replays import prepared
from replays.copying import PREPARED, SOIL, values_of
from replays.models import HandLog, Upload
from replays.models.matches import PAUSE, MatchVerdict
from replays.writes import Values, Writes

# Where a column holds a number that is not known before: that of the hand, that of its upload.
_REFERS = {"log_id": "taken.number", "upload_id": "filed.number"}
_OWN = {HandLog: "taken.number", Upload: "filed.number"}

Field = Any  # a field of a model
# The key is the only narrow place: whoever writes it first has the hand, and all else follows.
_NUMBERED = (
    "taken AS MATERIALIZED (INSERT INTO replays_handkey (identity, log_id) "
    "SELECT $1::bytea, {} WHERE NOT EXISTS "
    "(SELECT 1 FROM replays_tombstone WHERE identity = $1::bytea) "
    "ON CONFLICT (identity) DO NOTHING RETURNING log_id AS number), "
    "filed AS MATERIALIZED (SELECT {} AS number FROM taken)"
)
_ANSWERED = "SELECT taken.number, filed.number FROM taken, filed"

_Shape = tuple[tuple[type[models.Model], tuple[str, ...], int], ...]


def take(identity: bytes, writes: Writes) -> tuple[int, int] | None:
    """Write a new hand of a new upload, and owe its audit; return their numbers.

    None, and nothing written, where the hand is here or was purged.
    """
    parts = [part if isinstance(part, Values) else values_of(part) for part in writes.parts]
    matches = list(writes.matches.values())
    shape = tuple((part.model, part.names, len(part.rows)) for part in parts)
    values: list[Any] = [identity]
    for part in parts:
        places = _places(part.model, part.names)
        values += [_told(row[at], field) for row in part.rows for at, field in places]
    values += [_told(value, None) for each in matches for value in each]
    with prepared.cursor() as cursor:
        cursor.execute(_worded(shape, len(matches)), values)
        found: tuple[int, int] | None = cursor.fetchone()
        return found


def _told(value: Any, field: Field | None) -> Any:
    """Return a value as text where it has one: so that one plan serves for numbers of any size."""
    if field is not None:
        return field.get_db_prep_save(value, connection)
    if isinstance(value, int | str):
        return str(value)
    return value.isoformat() if isinstance(value, datetime.datetime) else value


@cache
def _places(model: type[models.Model], names: tuple[str, ...]) -> list[tuple[int, Field | None]]:
    """Return which values of a row are told, each with its field where it has to be prepared."""
    fields = _fields(model)
    return [
        (at, fields[name] if isinstance(fields[name], PREPARED) else None)
        for at, name in enumerate(names)
        if name not in _REFERS
    ]


def _fields(model: type[models.Model]) -> dict[str, Field]:
    return {field.attname: field for field in model._meta.concrete_fields}  # noqa: SLF001 - documented


@cache
def _worded(shape: _Shape, matches: int) -> str:
    """Return the statement for rows of these models."""
    number = 1

    def place(kind: str) -> str:
        nonlocal number
        number += 1
        return f"${number}::{kind}"

    steps = [_insert(*part, place=place) for part in shape]
    steps.append(
        "INSERT INTO replays_auditjob (log_id, due, lease, attempts, failed, reason) "
        "SELECT number, statement_timestamp(), '', 0, false, '' FROM taken"
    )
    for _match in range(matches):
        told = ", ".join(map(place, ("bigint", "text", "bytea", "text", "text", "text")))
        steps.append(
            SOIL.format(
                new=f"(SELECT {told} FROM taken)",  # noqa: S608 - places of values only
                pause=f"interval '{PAUSE.total_seconds()} seconds'",
                verdict=f"'{MatchVerdict.WAITING.value}'",
            )
        )
    named = [f"step_{at} AS ({step})" for at, step in enumerate(steps)]
    numbers = [f"nextval({_sequence(model)})" for model in (HandLog, Upload)]
    return f"WITH {', '.join((_NUMBERED.format(*numbers), *named))} {_ANSWERED}"


def _insert(model: type[models.Model], names: tuple[str, ...], count: int, *, place: Any) -> str:
    fields = _fields(model)
    told = [fields[name] for name in names if name not in _REFERS]
    kinds = [str(field.db_type(connection)).partition("(")[0] for field in told]
    numbers = {fields[name].column: _REFERS[name] for name in names if name in _REFERS}
    if model in _OWN:
        numbers["id"] = _OWN[model]
    columns = [f'"{column}"' for column in (*numbers, *(field.column for field in told))]
    rows = [", ".join(map(place, kinds)) for _row in range(count)]
    sources = {number.partition(".")[0] for number in numbers.values()} or {"taken"}
    told_rows, from_where = rows[0], ", ".join(sorted(sources))
    if count > 1:
        told_rows, from_where = "new.*", f"{from_where}, (VALUES ({'), ('.join(rows)})) AS new"
    values = ", ".join((*numbers.values(), told_rows))
    return (
        f'INSERT INTO "{model._meta.db_table}" ({", ".join(columns)}) '  # noqa: S608, SLF001 - our own tables
        f"SELECT {values} FROM {from_where}"
    )


@cache
def _sequence(model: type[models.Model]) -> str:
    """Return the name of what numbers the rows of a model, as a literal."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_literal(pg_get_serial_sequence(%s, 'id'))",
            [model._meta.db_table],  # noqa: SLF001 - documented
        )
        return f"{cursor.fetchone()[0]}::regclass"
