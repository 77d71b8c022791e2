"""Celery's tasks: a wake-up comes in, the work is looked up in the database and delegated."""

import os
from pathlib import Path
from typing import Any

from celery.signals import worker_ready, worker_shutting_down

from replays import audit, counting, match_audits, shadow, stopping, uploads, wake
from rummy_audit.celery_app import app

# A verdict is late by no more than this (seconds), and only where others come with it.
_REST = 0.3


@app.task(name=wake.AUDIT)
def audit_due() -> None:
    """Judge what is due; pass the word on if the time was not enough for all."""
    if audit.audit_due(rest=_REST):
        wake.wake(wake.AUDIT)
    counting.tell("worker")


@app.task(name=wake.AUDIT_MATCHES)
def audit_matches() -> None:
    """Audit the matches that are due; pass the word on if the time was not enough for all."""
    if match_audits.audit_due():
        wake.wake(wake.AUDIT_MATCHES)


# A large file takes minutes; each of its batches has an alarm of its own.
@app.task(name=wake.READ_UPLOADS, time_limit=3600)
def read_uploads() -> None:
    """Read on in the uploads that are due; pass the word on while there is more."""
    if uploads.read_due():
        wake.wake(wake.READ_UPLOADS)
    counting.tell("worker")


@app.task(name=wake.SHADOW)
def judge_shadow() -> None:
    """Judge a part of a shadow run; pass the word on while there is more."""
    if shadow.judge_due():
        wake.wake(wake.SHADOW)


@worker_ready.connect
def _say_ready(**_kwargs: Any) -> None:
    if path := os.environ.get("RUMMY_AUDIT_READY_FILE"):
        Path(path).touch()


@worker_shutting_down.connect
def _end_what_takes_long(**_kwargs: Any) -> None:
    stopping.ask()
