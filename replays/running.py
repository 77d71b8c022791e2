"""Running rummy-audit on one machine: what `up` and `worker` share."""

import logging

from django.db import DatabaseError, close_old_connections, connection

from replays import processes
from replays.models import WebhookEndpoint
from replays.supervise import Child, run
from replays.sweep import Sweeper

log = logging.getLogger(__name__)


def look_after(children: list[Child]) -> None:
    """Keep the processes alive and the work flowing, until Stopped. The worker comes last.

    A courier joins them when the first webhook is wanted: most clubs never need one.
    """
    worker, courier = children[-1], processes.courier()
    sweeper = Sweeper()

    def sweep() -> None:
        close_old_connections()
        try:
            sweeper.sweep()
            if courier not in children and _webhooks_are_wanted():
                courier.start()
                children.append(courier)
        except DatabaseError as error:
            # It comes back or it does not: either way the next look is in a second.
            log.warning("the sweeper cannot reach the database: %s", type(error).__name__)
            connection.close()
        if sweeper.is_deaf:
            log.warning("the worker does not take up its work; starting it again")
            worker.kill()
            sweeper.heard()

    run(children, every_second=sweep)


def _webhooks_are_wanted() -> bool:
    return WebhookEndpoint.objects.filter(disabled_at=None).exists()


def work_off() -> int:
    """Read and judge what is due, here and now, without any worker; return the hands judged."""
    from replays import audit, uploads  # noqa: PLC0415 - the engine takes its time to load

    while uploads.read_due():
        pass
    done = 0
    while judged := audit.audit_due():
        done += judged
    return done
