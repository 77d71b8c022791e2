"""Connections to the database that stand from one request to the next.

Django asks each of them for ``SELECT 1`` at the start of a request, or the request after a
restart of the database would fail. On a connection that was used a moment ago the socket
tells as much: a server that is gone, or about to go, has said so on it.
"""

import select
import threading
import time
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import connection

# After so long (seconds) somebody between here and the server may have dropped it in silence.
_QUIET = 5.0
TRUST = "trust a quiet connection"

_thread = threading.local()


def watch() -> None:
    """Let requests that follow each other closely begin without a question to the database."""
    request_started.connect(_trust_if_quiet, dispatch_uid=TRUST)
    request_finished.connect(_note, dispatch_uid="note when a connection was used")


def _note(**_signal: Any) -> None:
    _thread.used_at = time.monotonic()


def _trust_if_quiet(**_signal: Any) -> None:
    # Comes after Django's own receiver, which has closed what failed or is too old.
    if connection.connection is None or connection.health_check_done:
        return
    recently = time.monotonic() - getattr(_thread, "used_at", -_QUIET) < _QUIET
    connection.health_check_done = recently and _says_nothing(connection.connection)


def _says_nothing(driver: Any) -> bool:
    """Whether the server has sent nothing that was not asked for, not even an end."""
    if not hasattr(driver, "fileno"):
        return True  # a file, and nobody at its other end
    if driver.closed:
        return False
    poll = select.poll()
    poll.register(driver.fileno(), select.POLLIN | select.POLLPRI)
    return not poll.poll(0)
