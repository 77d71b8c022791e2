"""Cases: disputes about hands, from the report to the decision that stands."""

from replays.cases.course import (
    appeal,
    claim,
    dismiss,
    holds,
    join,
    pin,
    release,
    reopen,
    say,
    tend,
    withdraw,
)
from replays.cases.opening import open_case, send
from replays.cases.record import RefusedError, StaleError, desk_of, is_official, set_desk, situation

__all__ = [
    "RefusedError",
    "StaleError",
    "appeal",
    "claim",
    "desk_of",
    "dismiss",
    "holds",
    "is_official",
    "join",
    "open_case",
    "pin",
    "release",
    "reopen",
    "say",
    "send",
    "set_desk",
    "situation",
    "tend",
    "withdraw",
]
