"""What gunicorn is told beside its command line (``--config python:rummy_audit.web``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gunicorn.workers.base import Worker


def post_worker_init(worker: Worker) -> None:
    """Have requests that wait be answered as soon as their process is asked to end."""
    from replays import waiting  # noqa: PLC0415 - within the process that serves

    waiting.end_when(lambda: not worker.alive)
