"""Questions that every request asks: worded once, asked with other values.

Django writes the statement of a query set anew each time it is asked. For a row that is found
by its key this takes several times as long as asking does; and who somebody is, every page and
every call of the API asks first.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models.query import get_related_populators
from django.utils import timezone

from replays import storage

M = TypeVar("M", bound=models.Model)


class Asked(Generic[M]):
    """A query set that is filtered by ``by``, lookups of its own columns, with values to come.

    ::

        _BY_PREFIX = Asked(lambda: ApiKey.objects.select_related("club"), "prefix")
        keys = _BY_PREFIX(prefix)

    The answer is that of the query set: the same objects, as they are in the database now.
    ``rows`` is called when first asked.
    """

    def __init__(self, rows: Callable[[], models.QuerySet[M]], *by: str) -> None:
        """Keep what will be asked."""
        self._rows, self._by = rows, by

    def __call__(self, *values: Any) -> list[M]:
        """Return the rows for these values, one for each lookup."""
        worded = self._worded
        asked = [
            field.get_db_prep_value(value, connection)
            for field, value in zip(worded.fields, values, strict=True)
        ]
        with worded.cursor() as cursor:
            cursor.execute(worded.statement, asked)
            return list(worded.objects(cursor.fetchall()))

    @cached_property
    def _worded(self) -> "_Worded":
        rows = self._rows()
        meta = rows.model._meta  # noqa: SLF001 - Django's own documented interface
        fields = [meta.get_field(lookup.partition("__")[0]) for lookup in self._by]
        for lookup, field in zip(self._by, fields, strict=True):
            rows = rows.filter(**{lookup: _some_value(field)})
        compiler = rows.query.get_compiler(connection=connection)
        statement, values = compiler.as_sql()
        if len(values) != len(fields):
            raise ValueError(f"{statement}: other values than {self._by}")
        cursor, statement = storage.kept_ready(statement, len(fields))
        info, columns = compiler.klass_info, [column for column, *_rest in compiler.select]
        return _Worded(
            cursor=cursor,
            statement=statement,
            fields=fields,
            model=rows.model,
            names=[columns[place].target.attname for place in info["select_fields"]],
            converters=list(compiler.get_converters(columns).items()),
            related=get_related_populators(info, compiler.select, connection.alias),
        )


def _some_value(field: Any) -> Any:
    """Return a value that a column could have, to word a question with."""
    if isinstance(field, models.DateTimeField):
        return timezone.now()
    return "x" if isinstance(field, models.CharField) else 1


@dataclass(frozen=True, slots=True)
class _Worded:
    """A statement, and how its rows become objects: as Django's own iteration makes them."""

    cursor: Callable[[], Any]
    statement: str
    fields: list[Any]
    model: type[models.Model]
    names: list[str]
    converters: list[tuple[int, Any]]
    related: list[Any]

    def objects(self, rows: Iterable[Iterable[Any]]) -> Iterator[Any]:
        """Yield the object of each row, with those that were asked for along with it."""
        for row in map(list, rows):
            for place, (converts, column) in self.converters:
                for convert in converts:
                    row[place] = convert(row[place], column, connection)
            one = self.model.from_db(connection.alias, self.names, row[: len(self.names)])
            for each in self.related:
                each.populate(row, one)
            yield one
