"""The Celery worker as a process of its own: ``python -m replays.worker_process``.

The same as ``celery worker``, whose command line takes half a second to load what a worker
has no use for.
"""

import os
import sys

from django.conf import settings

from rummy_audit.celery_app import app


def main() -> int:
    """Work until told to stop; return the exit code."""
    # Celery would check every page, which a worker never shows.
    os.environ["CELERY_SKIP_CHECKS"] = "1"
    worker = app.Worker(
        concurrency=settings.WORKER_PROCESSES,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main())
