"""Whether this process, and those it forked, are asked to stop: then long work ends soon.

Celery's parent hears the signal, its processes do the work: they share one byte of memory,
made before they are forked.
"""

import mmap

_asked = mmap.mmap(-1, 1)


class StopAskedError(Exception):
    """Raised out of long work when it is asked to stop."""


def ask() -> None:
    """Ask this process, and those forked from it, to end what takes long."""
    _asked[0] = 1


def asked() -> bool:
    """Whether somebody asked."""
    return bool(_asked[0])


def check() -> None:
    """Raise StopAskedError if somebody asked."""
    if asked():
        raise StopAskedError
