"""PostgreSQL's fast ways in and out; only ``storage`` calls them.

COPY takes rows as they are, in binary: no statement to write, no bytes to escape. A row
whose number others must know gets it first, from the sequence.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

from django.db import connection, models

from replays.models.matches import PAUSE, MatchVerdict
from replays.writes import Match, Values

M = TypeVar("M", bound=models.Model)

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


def take_keys(
    identities: Sequence[bytes], *, wanted: Sequence[bytes], numbered: type[models.Model] | None
) -> dict[str, list[tuple[bytes, int]]]:
    """Take the keys that are wanted and free; return numbers of hands, each with its identity.

    ``key`` are hands that are here, ``stone`` those that were purged, ``taken`` those whose key
    is taken now: in the order that was given; keys are taken in one order by everybody.
    ``number`` is one for a row of the model ``numbered``, that will be written.
    """
    statement = (
        "WITH here AS MATERIALIZED (SELECT 'key' AS kind, identity, log_id AS number "
        "FROM replays_handkey WHERE identity = ANY(%s::bytea[]) UNION ALL "
        "SELECT 'stone', identity, number FROM replays_tombstone "
        "WHERE identity = ANY(%s::bytea[])), "
        "numbered AS MATERIALIZED (SELECT identity, nextval((SELECT "
        "pg_get_serial_sequence('replays_handlog', 'id'))) AS number "
        "FROM unnest(%s::bytea[]) AS identity WHERE identity NOT IN (SELECT identity FROM here)), "
        "taken AS (INSERT INTO replays_handkey (identity, log_id) SELECT identity, number "
        "FROM numbered ORDER BY identity ON CONFLICT (identity) DO NOTHING "
        "RETURNING identity, log_id) "
        "SELECT kind, identity, number FROM here UNION ALL SELECT 'taken', identity, log_id "
        "FROM taken"
    )
    values: list[Any] = [list(identities), list(identities), list(wanted)]
    if numbered is not None:
        statement += " UNION ALL SELECT 'number', '', nextval(pg_get_serial_sequence(%s, 'id'))"
        values.append(numbered._meta.db_table)  # noqa: SLF001 - as above
    found: dict[str, list[tuple[bytes, int]]] = {
        kind: [] for kind in ("key", "stone", "taken", "number")
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        for kind, identity, number in cursor.fetchall():
            found[kind].append((bytes(identity), number))
    return found


def copy(rows: Sequence[models.Model]) -> None:
    """Write rows of one model by COPY, with their own numbers if the first has one.

    Values go as they stand on the rows: no expressions, no defaults of the database.
    """
    if not rows:
        return
    values = values_of(rows)
    copy_values(values.model, values.names, values.rows)


def values_of(rows: Sequence[models.Model]) -> Values:
    """Return rows of one model as the values of their columns, their number if they have one."""
    names = tuple(
        field.attname
        for field in rows[0]._meta.concrete_fields  # noqa: SLF001 - as above
        if not (field.primary_key and rows[0].pk is None and isinstance(field, models.AutoField))
    )
    values = itemgetter(*names)
    return Values(type(rows[0]), names, [values(row.__dict__) for row in rows])


def write(
    parts: Sequence[Sequence[models.Model] | Values],
    *,
    owed: Sequence[int] = (),
    soiled: Sequence[Match] = (),
) -> None:
    """Write rows of several models, few of each in one exchange with the server.

    What is much goes ahead by COPY: which row refers to which is looked at when all is
    committed. ``owed`` are the logs whose audit is owed with it, ``soiled`` the matches that
    have changed: rows as they are where they are new.
    """
    few: list[Values] = []
    for part in parts:
        values = part if isinstance(part, Values) else values_of(part)
        if _is_much(values.rows):
            copy_values(values.model, values.names, values.rows)
        else:
            few.append(values)
    if not (few or owed or soiled):
        return
    with connection.wrap_database_errors, connection.cursor() as cursor:
        literal = _literals(cursor.cursor)
        statements = [_insert(values, literal) for values in few]
        if owed:
            statements.append(OWE_AUDITS % literal(sorted(set(owed))))
        if soiled:
            statements.append(SOIL_MATCHES % tuple(map(literal, _columns_of(soiled))))
        cursor.execute("; ".join(statements))


def together(*statements: tuple[str, Sequence[Any]]) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Run statements in one exchange; return the columns and rows that the last one answers.

    Outside of a transaction they are one of their own.
    """
    with connection.wrap_database_errors, connection.cursor() as cursor:
        literal = _literals(cursor.cursor)
        cursor.execute("; ".join(each % tuple(map(literal, values)) for each, values in statements))
        while cursor.nextset():
            pass
        return [column.name for column in cursor.description], cursor.fetchall()


def changed_unsynced(model: type[M], statement: str, values: Sequence[Any]) -> list[M]:
    """Run a statement that ends in ``RETURNING *`` without a wait for the disk; return its rows."""
    unsynced = "SET LOCAL synchronous_commit = off"
    columns, rows = together((unsynced, []), (statement, values))
    fields = model._meta.concrete_fields  # noqa: SLF001 - as above
    converts = [field.get_db_converters(connection) for field in fields]
    found = []
    for row in rows:
        by_column = dict(zip(columns, row, strict=True))
        held = [by_column[field.column] for field in fields]
        for place, each in enumerate(converts):
            for convert in each:
                held[place] = convert(held[place], None, connection)
        found.append(model.from_db(connection.alias, [field.attname for field in fields], held))
    return found


def _is_much(rows: Sequence[Sequence[Any]]) -> bool:
    size = sum(len(value) for row in rows for value in row if isinstance(value, bytes))
    return len(rows) > _MANY or size > _LARGE


def _literals(driver: Any) -> Callable[[Any], str]:
    """Return what writes a value into a statement, with the quotes of this connection.

    The driver's own binding looks at each statement for places of values first, which takes
    longer than to write them; and of most values the literal is plain.
    """
    from psycopg.adapt import Transformer  # noqa: PLC0415 - SQLite has no need of it

    quoted = Transformer.from_context(driver).as_literal

    def literal(value: Any) -> str:
        kind = type(value)
        if kind is int:
            return str(value)
        if value is None:
            return "NULL"
        if kind is bool:
            return "true" if value else "false"
        if kind is str and (not value or (value.isalnum() and value.isascii())):
            return f"'{value}'"
        return quoted(value).decode()

    return literal


def _insert(values: Values, literal: Callable[[Any], str]) -> str:
    """Return a statement that inserts rows."""
    beginning, special = _into(values.model, values.names)
    rows = values.rows
    if special:
        rows = [list(row) for row in rows]
        for row in rows:
            for place, field in special:
                row[place] = field.get_db_prep_save(row[place], connection)
    return beginning + ", ".join(f"({', '.join(map(literal, row))})" for row in rows)


@cache
def _into(model: type[models.Model], names: tuple[str, ...]) -> tuple[str, list[tuple[int, Any]]]:
    """Return how a statement that inserts rows begins, and the places of values to prepare."""
    meta = model._meta  # noqa: SLF001 - as above
    by_name = {field.attname: field for field in meta.concrete_fields}
    fields = [by_name[name] for name in names]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    special = [(place, each) for place, each in enumerate(fields) if isinstance(each, PREPARED)]
    return f'INSERT INTO "{meta.db_table}" ({columns}) VALUES ', special  # noqa: S608 - our own tables


# Fields whose values the driver does not know as they stand on a row.
PREPARED = (models.JSONField, models.GenericIPAddressField)

OWE_AUDITS = (
    "INSERT INTO replays_auditjob (log_id, due, lease, attempts, failed, reason) "
    "SELECT log, statement_timestamp(), '', 0, false, '' FROM unnest(%s::bigint[]) log "
    "ON CONFLICT (log_id) DO UPDATE SET due = excluded.due, lease = '', attempts = 0, "
    "failed = false, reason = ''"
)


# In one order for everybody, so that nobody waits for each other. A match that is dirty already
# keeps its time: a stream of hands cannot put it off.
SOIL = (
    "INSERT INTO replays_matchrow (club_id, public_id, identity, source, event, name, due, "
    "version, audited_version, lease, attempts, failed, reason, engine, report, family, format, "
    "verdict, deal_count, errors, breaches) SELECT new.*, statement_timestamp() + {pause}, "
    "1, 0, '', 0, false, '', '', '', '', '', {verdict}, 0, 0, 0 "
    "FROM {new} AS new (club, public_id, identity, source, event, name) ORDER BY identity "
    "ON CONFLICT (identity) DO UPDATE SET version = replays_matchrow.version + 1, "
    "due = CASE WHEN replays_matchrow.version = replays_matchrow.audited_version "
    "THEN excluded.due ELSE replays_matchrow.due END, attempts = 0, failed = false, reason = ''"
)
SOIL_MATCHES = SOIL.format(
    new="unnest(%s::bigint[], %s::text[], %s::bytea[], %s::text[], %s::text[], %s::text[])",
    pause="%s",
    verdict="%s",
)


def _columns_of(matches: Sequence[Match]) -> list[Any]:
    return [PAUSE, MatchVerdict.WAITING.value, *map(list, zip(*matches, strict=True))]


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
