"""A PostgreSQL for the tests: that of DATABASE_URL, else a private server from local binaries.

`python -m tests.services.postgres -m pytest -m storage` runs Python with these arguments while a
server is up and DATABASE_URL says where; ./test does so to run the storage tests a second time.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.services.missing import REQUIRED, missing
from tests.services.process import Server, free_port, other_user, short_folder

NOT_HERE = "no PostgreSQL on this machine (Debian and Ubuntu: apt install postgresql)"
# The exit code for "service unavailable" of sysexits.h; tools/check.py reads it as a skip.
UNAVAILABLE = 69
# The server is thrown away afterwards, so nothing needs to reach the disk.
SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60")
# As a club would run it: what was promised is on the disk. For benchmarks and crashes.
DURABLE = ("shared_buffers=512MB", "max_wal_size=4GB", "max_connections=60")
if sys.platform == "linux":
    # After a kill all is synced before anything else: a thousand files one by one take longer.
    DURABLE += ("recovery_init_sync_method=syncfs",)


def binaries() -> Path | None:
    """Return the folder of the newest server binaries, Debian's first."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    initdb = found[-1] if found else shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


class Postgres(Server):
    """A private server; `url` names its first database."""

    def __init__(self, folder: Path, user: str | None, settings: tuple[str, ...] = SETTINGS):
        self.folder = folder
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        bin_ = binaries()
        data = folder / "data"
        options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(
            [bin_ / "initdb", "-D", data, *options],
            check=True,
            capture_output=True,
            user=user,
            extra_groups=[] if user else None,
            cwd="/",
        )
        command = [bin_ / "postgres", "-D", data, "-p", self.port, "-k", folder]
        command += ["-c", "listen_addresses=127.0.0.1"]
        for setting in settings:
            command += ["-c", setting]
        super().__init__(command, log=folder / "log", ready=self._answers, user=user)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """End it with all its processes: each has a group of its own, and holds the memory."""
        main = self.process.pid if self.process else 0
        if not main or self.process.poll() is not None:
            return
        # One that stands still starts no more of them.
        os.kill(main, signal.SIGSTOP)
        children = _children(main)
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        super().kill()
        give_up = time.monotonic() + 10
        while any(map(_runs, children)) and time.monotonic() < give_up:
            time.sleep(0.005)


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def private_server(*, durable: bool = False) -> Iterator[Postgres]:
    """Give a private server, gone afterwards."""
    user = other_user("postgres")
    with short_folder(user) as folder:
        server = Postgres(folder, user, DURABLE if durable else SETTINGS)
        try:
            server.start()
            yield server
        finally:
            # Before the orderly end the server would wait for every client; nothing is to be kept.
            server.kill()


@contextmanager
def new_database(server_url: str) -> Iterator[str]:
    """Give the URL of an empty database on a server, dropped afterwards."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(server_url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server where a test may make databases."""
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres"):
        yield given
    elif binaries() is None:
        missing(NOT_HERE)
    else:
        with private_server() as server:
            yield server.url


@pytest.fixture
def postgres_url(postgres_server) -> Iterator[str]:
    """The URL of an empty database of the test's own."""
    with new_database(postgres_server) as url:
        yield url


def main(arguments: list[str]) -> int:
    """Run Python with `arguments` beside a server and return its exit code."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.run([sys.executable, *arguments], check=False).returncode
    if binaries() is None:
        print(f"{NOT_HERE}.", flush=True)
        return 1 if REQUIRED else UNAVAILABLE
    with private_server() as server:
        env = {**os.environ, "DATABASE_URL": server.url}
        return subprocess.run([sys.executable, *arguments], env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
