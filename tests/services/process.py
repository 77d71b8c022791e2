"""A real server process with a folder of its own, stopped by its own id."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def short_folder(user: str | None = None) -> Iterator[Path]:
    """Give a folder whose path is short enough for unix sockets and open to `user` of the server.

    pytest's tmp_path is neither: long, and closed to other users when the tests run as root.
    """
    folder = Path(tempfile.mkdtemp(prefix="rummy-", dir="/tmp"))
    if user:
        shutil.chown(folder, user)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """Return a TCP port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def other_user(name: str) -> str | None:
    """Return the user that a server refuses to run without, when the tests run as root."""
    if os.geteuid() != 0:
        return None
    pwd.getpwnam(name)
    return name


class Server:
    """One server: started, killed and started again on the same data, as a test likes."""

    def __init__(self, command, *, log, ready, user=None, env=None, cwd="/", patience=30):
        self.command = [str(part) for part in command]
        self.log = log
        self.ready: Callable[[], bool] = ready
        self.user = user
        self.env = env
        self.cwd = cwd
        self.patience = patience
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                user=self.user,
                group=self.user and pwd.getpwnam(self.user).pw_gid,
                extra_groups=[] if self.user else None,
                env=self.env,
                cwd=self.cwd,
                # A group of its own: Ctrl-C of the tests is not for it, and kill() takes them all.
                start_new_session=True,
            )
        give_up = time.monotonic() + self.patience
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > give_up:
                self.kill()
                tail = self.log.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{self.command[0]} did not start:\n{tail}")
            time.sleep(0.02)

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        """End it in an orderly way."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(sign)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End it and its children at once, as a power cut would."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(15)
