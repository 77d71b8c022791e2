"""Running rummy-audit on one machine: what `up` and `worker` share."""

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from django.db import DatabaseError, close_old_connections, connection

from replays import processes
from replays.models import WebhookEndpoint
from replays.supervise import Child, StartError, Stopped, on_stop_raise, run, stop
from replays.sweep import Sweeper

log = logging.getLogger(__name__)


def lock_of_up() -> Path:
    """Return the file that a running `up` holds locked, with its address in it."""
    path: Path = settings.VAR / "up.lock"
    return path


def address_of_up() -> str | None:
    """Return where the pages of a running `up` are reached, None when none runs."""
    with suppress(FileNotFoundError), lock_of_up().open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return lock.read().strip() or None
    return None


@contextmanager
def until_stopped(children: list[Child], say: OutputWrapper) -> Iterator[None]:
    """Start and look after processes within: Ctrl-C, SIGTERM or a failed start stops them all."""
    try:
        on_stop_raise()
        yield
    except StartError as error:
        raise CommandError(str(error)) from error
    except Stopped:
        say.write("Stopping.")
    finally:
        stop(children)


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
