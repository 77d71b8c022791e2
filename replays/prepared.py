"""Statements that PostgreSQL keeps ready for a connection: read and planned once, then run.

A statement that every request makes costs the server more to read and plan than to run.
"""

from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.utils import CursorWrapper


def cursor() -> CursorWrapper:
    """Return a cursor whose statements are kept ready; their values stand at ``$1``, ``$2``, ….

    For statements of a few fixed wordings only, on PostgreSQL only.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        driver = connection.connection
        # Django's own cursors put values into their statements themselves, and prepare none.
        driver.prepare_threshold = 0
        return connection._prepare_cursor(_raw_cursor()(driver))  # noqa: SLF001 - wraps and logs


@cache
def _raw_cursor() -> Any:
    from psycopg import RawCursor  # noqa: PLC0415 - SQLite has no need of it

    return RawCursor
