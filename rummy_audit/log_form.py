"""Logs that a program can read: one JSON object a line, without keys and passwords."""

import logging
import re
from collections.abc import MutableMapping
from typing import Any

import structlog

# What must never be written: keys, link tokens and passwords, wherever they turn up.
_SECRETS = re.compile(
    r"rma_[0-9a-f]{12}_[\w-]+|whsec_[\w+/=-]+|(?i:bearer\s+)\S+|://[^/\s:@]*:[^/\s@]+@"
)


def without_secrets(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Blot out secrets in a log entry (a structlog processor)."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _SECRETS.sub("[…]", value)
    return event


def as_json() -> logging.Formatter:
    """Return the formatter that writes each entry as one JSON object."""
    before: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=before,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            without_secrets,
            structlog.processors.JSONRenderer(),
        ],
    )
