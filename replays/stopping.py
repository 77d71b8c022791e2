"""Whether this process, and those it forked, are asked to stop: then long work ends soon.

Celery's parent hears the signal, its processes do the work: they share one byte of memory,
made before they are forked.
"""

import mmap
import time

_asked = mmap.mmap(-1, 1)
_LOOK_SECONDS = 0.1


class StopAskedError(Exception):
    """Raised out of long work when it is asked to stop."""


def ask() -> None:
    """Ask this process, and those forked from it, to end what takes long."""
    _asked[0] = 1


def asked() -> bool:
    """Whether somebody asked."""
    return bool(_asked[0])


def rest(seconds: float) -> None:
    """Do nothing for so long, or until somebody asks."""
    until = time.monotonic() + seconds
    while not asked() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, _LOOK_SECONDS))


def check() -> None:
    """Raise StopAskedError if somebody asked."""
    if asked():
        raise StopAskedError
