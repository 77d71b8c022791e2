"""What gunicorn is told beside its command line (``--config python:rummy_audit.web``)."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gunicorn.workers.base import Worker

# Nothing of what is loaded now is garbage: looking for it takes a tenth of a start.
gc.disable()


def post_worker_init(worker: Worker) -> None:
    """All is loaded; have requests that wait be answered once their process is asked to end."""
    from replays import waiting  # noqa: PLC0415 - within the process that serves

    gc.freeze()
    gc.enable()
    waiting.end_when(lambda: not worker.alive)
