"""Processes that belong together: started in order, restarted when they die, stopped as one.

Only standard library. One thread: the parent's loop. On Linux a child is told to end when
its parent is gone, so even a killed parent leaves nobody behind.
"""

import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

log = logging.getLogger(__name__)

# A child that dies sooner than this (seconds) after its start waits longer each time.
_SETTLED = 10.0
_LONGEST_WAIT = 30.0
_TICK = 0.1
# From the signal to the last child gone; ours is five seconds.
_STOP_SECONDS = 3.0


class StartError(Exception):
    """A process that did not come up; the message says which and what to look at."""


class Stopped(BaseException):
    """Somebody asked to stop; raised out of whatever the parent is doing."""


def _never() -> bool:
    return True


def _prepare() -> None:
    pass


def _follow_parent() -> None:
    """Have the kernel end this process when its parent is gone (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


@dataclass
class Child:
    """One process. ``answers`` says whether it is up; ``prepare`` runs before each start.

    ``forgiven`` is how often it may die before it has answered for the first time;
    ``log`` is where it writes, if not with the parent.
    """

    name: str
    command: Sequence[str]
    cwd: Path
    env: dict[str, str] = field(default_factory=dict)
    answers: Callable[[], bool] = _never
    prepare: Callable[[], None] = _prepare
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    next_start: float = 0.0
    deaths: int = 0
    forgiven: int = 0
    log: Path | None = None

    def start(self) -> None:
        """Start it, in a process group of its own: Ctrl-C is for the parent alone."""
        self.prepare()
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - a command we wrote
            self.command,
            cwd=self.cwd,
            env={**os.environ, **self.env},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_follow_parent,  # noqa: PLW1509 - the parent has one thread
        )

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self.process is not None and self.process.poll() is None

    def revive(self) -> None:
        """Start it again if it died, later each time that it dies at once."""
        if self.is_alive:
            return
        now = time.monotonic()
        if not self.next_start:
            wait = min(_LONGEST_WAIT, 2.0**self.deaths - 1)
            self.deaths = self.deaths + 1 if now - self.started_at < _SETTLED else 0
            self.next_start = now + wait
            self.kill()
            code = self.process.returncode if self.process else None
            log.warning("%s ended (%s); starting it again in %.0f s", self.name, _how(code), wait)
        if now >= self.next_start:
            self.next_start = 0.0
            self.start()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to its process."""
        if self.process and self.is_alive:
            self.process.send_signal(number)

    def kill(self) -> None:
        """End its whole process group at once."""
        if self.process:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def _how(code: int | None) -> str:
    if code is None:
        return "never started"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def on_stop_raise() -> None:
    """Turn Ctrl-C and SIGTERM into Stopped."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        # A second one must not break off the orderly end.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        raise Stopped

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def wait_for(children: Sequence[Child], *, seconds: float) -> None:
    """Wait until all answer; raise StartError if one dies or stays silent."""
    give_up = time.monotonic() + seconds
    for child in children:
        pause = 0.02
        while not child.answers():
            if not child.is_alive and child.deaths < child.forgiven:
                child.deaths += 1
                child.start()
            if not child.is_alive:
                code = child.process.returncode if child.process else None
                where = child.log or "above"
                raise StartError(f"{child.name} did not start ({_how(code)}): see {where}.")
            if time.monotonic() > give_up:
                raise StartError(f"{child.name} does not answer after {seconds:.0f} s.")
            time.sleep(pause)
            pause = min(0.2, pause * 1.3)


def run(children: Sequence[Child], *, every_second: Callable[[], None]) -> None:
    """Keep the children alive, and call ``every_second`` about once a second, until Stopped."""
    due = time.monotonic()
    while True:
        for child in children:
            child.revive()
        if time.monotonic() >= due:
            every_second()
            due = time.monotonic() + 1.0
        time.sleep(_TICK)


def stop(children: Sequence[Child]) -> None:
    """Ask each to end, the first started last; what does not end in time is killed."""
    give_up = time.monotonic() + _STOP_SECONDS
    # The broker is the first to start and must outlive those who talk to it.
    for group in (children[1:], children[:1]):
        for child in group:
            child.signal(signal.SIGTERM)
        while any(child.is_alive for child in group) and time.monotonic() < give_up:
            time.sleep(0.02)
    for child in children:
        child.kill()
