"""Waiting for something within a request: a few at once, for some seconds, never past a stop.

A request that waits holds a thread of the web server. So only a few wait at a time in each
process; to the others the answer of this moment is given at once, and they ask again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

# Of the eight threads of a web process.
MOST = 3
_LOOK_EVERY = 1.0
_STOP_EVERY = 0.2

_places = threading.BoundedSemaphore(MOST)
_stops: list[Callable[[], bool]] = []


def end_when(stops: Callable[[], bool]) -> None:
    """Have whoever waits in this process be answered once ``stops`` says so."""
    _stops[:] = [stops]


def wait(comes: Callable[[], bool], *, seconds: float) -> bool:
    """Ask once a second whether something has come; return whether it did in time.

    Says no at once where too many wait already, and soon where the process is to stop.

    >>> wait(lambda: True, seconds=20), wait(lambda: False, seconds=0)
    (True, False)
    """
    if not _places.acquire(blocking=False):
        return False
    try:
        give_up = time.monotonic() + seconds
        while not comes():
            if not _sleep(min(_LOOK_EVERY, give_up - time.monotonic())):
                return False
        return True
    finally:
        _places.release()


def _sleep(seconds: float) -> bool:
    """Sleep; return whether there is time left and no stop asked for."""
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        if any(stops() for stops in _stops):
            return False
        time.sleep(min(_STOP_EVERY, left))
    return seconds > 0
