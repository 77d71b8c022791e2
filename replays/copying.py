"""PostgreSQL's fast ways in and out; only ``storage`` calls them.

COPY takes rows as they are, in binary: no statement to write, no bytes to escape. A row
whose number others must know gets it first, from the sequence.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from django.db import connection, models

from replays.writes import Values

# From so many rows or bytes on, COPY of a table is quicker than its part of a statement.
_MANY = 40
_LARGE = 64 * 1024


def reserve(model: type[models.Model], count: int) -> list[int]:
    """Return numbers for rows that will be written."""
    table = model._meta.db_table  # noqa: SLF001 - Django's own documented interface
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [table, count],
        )
        return [number for (number,) in cursor.fetchall()]


def look_up(
    identities: Sequence[bytes], *, numbered: type[models.Model] | None
) -> dict[str, list[int]]:
    """Return numbers of hands by identity: ``key`` of those here, ``stone`` of those purged.

    ``number`` is one for a row of the model ``numbered``, that will be written.
    """
    statement = (
        "SELECT 'key', log_id FROM replays_handkey WHERE identity = ANY(%s::bytea[]) UNION ALL "
        "SELECT 'stone', number FROM replays_tombstone WHERE identity = ANY(%s::bytea[])"
    )
    values: list[Any] = [list(identities)] * 2
    if numbered is not None:
        statement += " UNION ALL SELECT 'number', nextval(pg_get_serial_sequence(%s, 'id'))"
        values.append(numbered._meta.db_table)  # noqa: SLF001 - as above
    found: dict[str, list[int]] = {"key": [], "stone": [], "number": []}
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        for kind, number in cursor.fetchall():
            found[kind].append(number)
    return found


def take_keys(identities: Sequence[bytes]) -> dict[bytes, int]:
    """Take the keys that are free, each with a number for its hand; return those, by identity.

    Numbers are in the order that was given; keys are taken in one order by everybody.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH numbered AS MATERIALIZED (SELECT identity, nextval((SELECT "
            "pg_get_serial_sequence('replays_handlog', 'id'))) AS log FROM unnest(%s::bytea[]) "
            "AS identity) INSERT INTO replays_handkey (identity, log_id) SELECT identity, log "
            "FROM numbered ORDER BY identity ON CONFLICT (identity) DO NOTHING "
            "RETURNING identity, log_id",
            [list(identities)],
        )
        return {bytes(identity): number for identity, number in cursor.fetchall()}


def copy(rows: Sequence[models.Model]) -> None:
    """Write rows of one model by COPY, with their own numbers if the first has one.

    Values go as they stand on the rows: no expressions, no defaults of the database.
    """
    if not rows:
        return
    values = _values_of(rows)
    copy_values(values.model, values.names, values.rows)


def _values_of(rows: Sequence[models.Model]) -> Values:
    names = tuple(
        field.attname
        for field in rows[0]._meta.concrete_fields  # noqa: SLF001 - as above
        if not (field.primary_key and rows[0].pk is None and isinstance(field, models.AutoField))
    )
    values = itemgetter(*names)
    return Values(type(rows[0]), names, [values(row.__dict__) for row in rows])


def write(parts: Sequence[Sequence[models.Model] | Values], *, owed: Sequence[int] = ()) -> None:
    """Write rows of several models, few of each in one exchange with the server.

    What is much goes ahead by COPY: which row refers to which is looked at when all is
    committed. ``owed`` are the logs whose audit is owed with it.
    """
    statements: list[tuple[str, Sequence[Any]]] = []
    for part in parts:
        values = part if isinstance(part, Values) else _values_of(part)
        if _is_much(values.rows):
            copy_values(values.model, values.names, values.rows)
            continue
        statement, special = _insert(values.model, values.names, len(values.rows))
        flat = [value for row in values.rows for value in row]
        for place, field in special:
            flat[place] = field.get_db_prep_save(flat[place], connection)
        statements.append((statement, flat))
    if owed:
        statements.append((OWE_AUDITS, [sorted(set(owed))]))
    if not statements:
        return
    with connection.wrap_database_errors, connection.cursor() as cursor:
        if connection.features.uses_server_side_binding:
            for statement, bound in statements:
                cursor.execute(statement, bound)
            return
        # Bound here, each by itself: the driver keeps the form of short statements only.
        cursor.execute("; ".join(cursor.mogrify(*each) for each in statements))


def _is_much(rows: Sequence[Sequence[Any]]) -> bool:
    size = sum(len(value) for row in rows for value in row if isinstance(value, bytes))
    return len(rows) > _MANY or size > _LARGE


@cache
def _insert(
    model: type[models.Model], names: tuple[str, ...], count: int
) -> tuple[str, list[tuple[int, Any]]]:
    """Return a statement that inserts so many rows, and the places of values to be prepared."""
    meta = model._meta  # noqa: SLF001 - as above
    by_name = {field.attname: field for field in meta.concrete_fields}
    fields = [by_name[name] for name in names] * count
    columns = ", ".join(f'"{by_name[name].column}"' for name in names)
    row = f"({', '.join(['%s'] * len(names))})"
    special = [(place, each) for place, each in enumerate(fields) if isinstance(each, _PREPARED)]
    statement = f'INSERT INTO "{meta.db_table}" ({columns}) VALUES {", ".join([row] * count)}'  # noqa: S608 - our own tables
    return statement, special


# Fields whose values the driver does not know as they stand on a row.
_PREPARED = (models.JSONField, models.GenericIPAddressField)

OWE_AUDITS = (
    "INSERT INTO replays_auditjob (log_id, due, lease, attempts, failed, reason) "
    "SELECT log, statement_timestamp(), '', 0, false, '' FROM unnest(%s::bigint[]) log "
    "ON CONFLICT (log_id) DO UPDATE SET due = excluded.due, lease = '', attempts = 0, "
    "failed = false, reason = ''"
)


def copy_values(
    model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Write rows by COPY, each the values of the named columns; all columns must be named."""
    meta = model._meta  # noqa: SLF001 - as above
    by_name = {field.attname: field for field in meta.concrete_fields}
    columns = ", ".join(f'"{by_name[name].column}"' for name in names)
    types = [str(by_name[name].db_type(connection)).partition("(")[0] for name in names]
    statement = f'COPY "{meta.db_table}" ({columns}) FROM STDIN (FORMAT BINARY)'
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(statement) as stream,
    ):
        stream.set_types(types)
        for row in rows:
            stream.write_row(row)


def by_columns(statement: str, rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Run a statement that takes each column of the rows as one array; return what it answers."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    if not columns:
        return []
    with connection.cursor() as cursor:
        cursor.execute(statement, columns)
        return cursor.fetchall() if cursor.description else []
