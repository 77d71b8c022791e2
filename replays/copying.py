"""PostgreSQL's fast ways in and out; only ``storage`` calls them.

COPY takes rows as they are, in binary: no statement to write, no bytes to escape. A row
whose number others must know gets it first, from the sequence.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from django.db import connection, models


def reserve(model: type[models.Model], count: int) -> list[int]:
    """Return numbers for rows that will be written."""
    table = model._meta.db_table  # noqa: SLF001 - Django's own documented interface
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [table, count],
        )
        return [number for (number,) in cursor.fetchall()]


def copy(rows: Sequence[models.Model]) -> None:
    """Write rows of one model by COPY, with their own numbers if the first has one.

    Values go as they stand on the rows: no expressions, no defaults of the database.
    """
    if not rows:
        return
    meta = rows[0]._meta  # noqa: SLF001 - as above
    names = [
        field.attname
        for field in meta.concrete_fields
        if not (field.primary_key and rows[0].pk is None and isinstance(field, models.AutoField))
    ]
    values = itemgetter(*names)
    copy_values(type(rows[0]), names, [values(row.__dict__) for row in rows])


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
