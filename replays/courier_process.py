"""The courier as a process of its own: ``python -m replays.courier_process``.

Apart from the workers: a receiver that takes its time must not keep a hand from its verdict.
"""

import logging
import os
import signal
import sys
import threading
import time

import django
from django.db import DatabaseError, close_old_connections, connection

log = logging.getLogger(__name__)

# From the signal to the end of the last try that is waited for (seconds).
_STOP_SECONDS = 1.5
# Between two looks at the outbox (seconds).
_PAUSE = 0.25
_LET_GO_EVERY = 3600.0


def main() -> int:
    """Carry messages until told to stop; return the exit code."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_audit.settings")
    django.setup()
    from replays import couriers, stopping  # noqa: PLC0415 - models need Django set up

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_about: (stop.set(), stopping.ask()))
    courier, swept = couriers.Courier(), -_LET_GO_EVERY
    while not stop.wait(_PAUSE):
        close_old_connections()
        try:
            courier.round()
            if time.monotonic() - swept > _LET_GO_EVERY:
                swept = time.monotonic()
                couriers.let_go()
        except DatabaseError as error:
            log.warning("the courier cannot reach the database: %s", type(error).__name__)
            connection.close()
            stop.wait(1.0)
        if courier.is_held_up:
            log.warning("the courier is held up by its receivers; it begins anew")
            break
    try:
        courier.end(seconds=_STOP_SECONDS)
    except DatabaseError as error:
        log.warning("the courier cannot reach the database: %s", type(error).__name__)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
