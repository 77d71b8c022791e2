"""Running rummy-audit on one machine: what `up` and `worker` share."""

import logging
from collections.abc import Sequence

from django.db import DatabaseError, close_old_connections, connection

from replays.supervise import Child, run
from replays.sweep import Sweeper

log = logging.getLogger(__name__)


def look_after(children: Sequence[Child]) -> None:
    """Keep the processes alive and the work flowing, until Stopped. The worker comes last."""
    worker = children[-1]
    sweeper = Sweeper()

    def sweep() -> None:
        close_old_connections()
        try:
            sweeper.sweep()
        except DatabaseError as error:
            # It comes back or it does not: either way the next look is in a second.
            log.warning("the sweeper cannot reach the database: %s", type(error).__name__)
            connection.close()
        if sweeper.is_deaf:
            log.warning("the worker does not take up its work; starting it again")
            worker.kill()
            sweeper.heard()

    run(children, every_second=sweep)


def work_off() -> int:
    """Read and judge what is due, here and now, without any worker; return the hands judged."""
    from replays import audit, uploads  # noqa: PLC0415 - the engine takes its time to load

    while uploads.read_due():
        pass
    done = 0
    while judged := audit.audit_due():
        done += judged
    return done
