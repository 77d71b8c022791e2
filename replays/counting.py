"""Counting what this process does, and telling of it now and then.

A count is kept in memory and written with all others as one row of the process
(ProcessBeat), at most every few seconds: counting costs the work nothing.
"""

import os
import resource
import socket
import sys
import threading
import time
from collections import Counter
from datetime import timedelta

from django.db import DatabaseError, connection
from django.utils import timezone

from replays.models.processes import ProcessBeat

EVERY_SECONDS = 5.0
# Processes that have not told of themselves for so long are forgotten.
FORGET_AFTER = timedelta(hours=1)

_lock = threading.Lock()
_counts: Counter[str] = Counter()
_told_at = 0.0
_pid, _started_at = 0, timezone.now()


def add(name: str, number: int = 1) -> None:
    """Count ``number`` more of something: ``hands_ingested``, ``verdict:clean``, ``code:…``."""
    global _pid, _started_at  # a forked worker begins anew
    with _lock:
        if _pid != os.getpid():
            _pid, _started_at = os.getpid(), timezone.now()
            _counts.clear()
        _counts[name] += number


def tell(kind: str) -> None:
    """Write down what was counted, if the last time is long enough ago; never fails the work."""
    global _told_at
    now = time.monotonic()
    with _lock:
        if now - _told_at < EVERY_SECONDS or not _counts or connection.in_atomic_block:
            return
        first, _told_at = not _told_at, now
        counts = dict(_counts)
    try:
        if first:
            forget()
        ProcessBeat.objects.update_or_create(
            host=socket.gethostname()[:100],
            pid=_pid,
            started_at=_started_at,
            defaults={"kind": kind, "at": timezone.now(), "memory": memory(), "counts": counts},
        )
    except DatabaseError:
        connection.close()


def forget() -> None:
    """Forget processes that are long gone; each process does so when it begins to tell."""
    ProcessBeat.objects.filter(at__lt=timezone.now() - FORGET_AFTER).delete()


def memory() -> int:
    """Return how much memory this process holds, in bytes."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - read every few seconds
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
