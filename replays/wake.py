"""Waking the workers. A message is only a hint: it may be lost, doubled or late.

What is to be done stands in the database, and the sweeper wakes again for whatever is
still due. So a broker that is away costs a second or two, never a hand.
"""

import logging
import os
import threading
import time
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction

log = logging.getLogger(__name__)

AUDIT = "replays.audit_due"
AUDIT_MATCHES = "replays.audit_matches"
READ_UPLOADS = "replays.read_uploads"
SHADOW = "replays.judge_shadow"

# After a failure nobody waits for the broker again for this long (seconds).
_PAUSE = 3.0
# A hint that nobody took by then is not worth taking (seconds).
_STALE = 60
# No more hints than this lie in the queue.
_ENOUGH = 16
# What is committed within this time of a wake-up (seconds) shares the next: a message costs a
# request as much as its hand does, and a worker is quicker with several hands than with each.
_TOGETHER = 0.3
_paused_until = 0.0
_lock = threading.Lock()
_woken_at: dict[str, float] = {}
_coming: set[str] = set()


def after_commit(task: str) -> None:
    """Wake a worker when the current transaction is in the database, or in a moment."""
    transaction.on_commit(lambda: _soon(task), robust=True)


def _soon(task: str) -> None:
    """Wake now, or once for all that comes in the moment after a wake-up."""
    with _lock:
        if task in _coming:
            return
        now = time.monotonic()
        pause = _woken_at.get(task, -_TOGETHER) + _TOGETHER - now
        if pause > 0:
            _coming.add(task)
            threading.Timer(pause, _late, [task]).start()
            return
        _woken_at[task] = now
    wake(task)


def _late(task: str) -> None:
    with _lock:
        # First: whoever commits from here on cannot count on this one.
        _coming.discard(task)
        _woken_at[task] = time.monotonic()
    wake(task)


def _begin_anew() -> None:
    """Forget, in a process just forked, what threads of its parent had before them."""
    global _lock  # noqa: PLW0603 - it may be held by a thread that is not here
    _lock = threading.Lock()
    _coming.clear()
    _woken_at.clear()


os.register_at_fork(after_in_child=_begin_anew)


def wake(task: str, *, times: int = 1) -> bool:
    """Send ``times`` wake-ups, unless enough are waiting; whether the broker answered."""
    global _paused_until  # noqa: PLW0603 - one broker a process
    if time.monotonic() < _paused_until:
        return False
    try:
        with _producers().acquire(block=True, timeout=2) as producer:
            times = min(times, _ENOUGH - _waiting(producer))
            for _time in range(times):
                _app().send_task(
                    task, producer=producer, retry=False, expires=_STALE, ignore_result=True
                )
    except _failures() as error:
        _paused_until = time.monotonic() + _PAUSE
        log.warning("no wake-up sent, the sweeper will see to it: %s", type(error).__name__)
        return False
    return True


def _waiting(producer: Any) -> int:
    """Return how many wake-ups nobody has taken yet: without a worker they would pile up."""
    queue = _app().amqp.queues[settings.CELERY_TASK_DEFAULT_QUEUE]
    return int(queue(producer.channel).queue_declare().message_count)


@cache
def _app() -> Any:
    # Celery costs a quarter of a second to load: only those who send pay for it.
    from rummy_audit.celery_app import app  # noqa: PLC0415 - as above

    return app


@cache
def _failures() -> tuple[type[Exception], ...]:
    from kombu.exceptions import KombuError  # noqa: PLC0415 - as above

    connection = _app().connection_for_write()
    return (OSError, KombuError, *connection.connection_errors, *connection.channel_errors)


@cache
def _producers() -> Any:
    from kombu.pools import producers  # noqa: PLC0415 - as above

    # By default a publisher tries to connect for ever, and a request with it.
    options = {
        **settings.CELERY_BROKER_TRANSPORT_OPTIONS,
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
    }
    return producers[_app().connection_for_write(transport_options=options)]
