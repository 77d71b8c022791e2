"""What the service's benchmarks stand on: the real thing on this machine, and hands to send.

PostgreSQL that syncs its commits, Valkey as the broker, gunicorn and the worker, all private
and gone afterwards.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import psycopg

from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from rummy_audit.rhl.write import to_json
from rummy_audit.simulators.indian.simulator import FAULTS, simulate
from tests.replays.service import Service
from tests.services.postgres import private_server
from tests.services.process import free_port
from tests.services.valkey import private_valkey

ROOT = Path(__file__).resolve().parents[1]
CORES = 2
# One hand in so many has a fault, as at a table where people are careful.
_FAULTY = 20


# --- hands ---------------------------------------------------------------------------------------


def _hand(players: tuple[int, ...], number: int) -> bytes:
    # The simulator names every match alike: ten hands are one here.
    return _simulated(players, number).replace(b'"id":"M1"', b'"id":"M%d"' % (number // 10), 1)


def _simulated(players: tuple[int, ...], number: int) -> bytes:
    kinds = sorted(FAULTS)
    fault = kinds[number // _FAULTY % len(kinds)] if number % _FAULTY == 0 else None
    table = players[number % len(players)]
    with suppress(ValueError):  # this fault did not come about
        faulty = to_json(simulate("indian-13", seed=number, players=table, fault=fault))
        items = list(read(faulty))
        # Some faults make two hands of one name, or none that can be read.
        if all(isinstance(item, Hand) and item.record.id.endswith(f"-{number}") for item in items):
            return faulty
    return to_json(simulate("indian-13", seed=number, players=table))


def hands(count: int, *, players: tuple[int, ...] = (3,)) -> list[bytes]:
    """Return hands of Indian rummy, about 60 events each, every one of its own."""
    with ProcessPoolExecutor(CORES) as pool:
        return list(pool.map(partial(_hand, players), range(1, count + 1), chunksize=100))


# --- the service ---------------------------------------------------------------------------------


class Ground(Service):
    """The service on PostgreSQL and Valkey, as its own processes."""

    port: int = 0
    session: str = ""
    key: str = ""

    def python(self, code: str, *, content: bytes = b"") -> str:
        """Run code within Django in a process of its own; return what it printed."""
        command = [sys.executable, "-c", f"import django; django.setup()\n{code}"]
        done = subprocess.run(
            command, cwd=ROOT, env=self.env, input=content, capture_output=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stderr.decode())
        return done.stdout.decode()

    def prepare(self) -> None:
        """Make the tables, a scorekeeper who is signed in, for pages, and a key for programs."""
        self.session, self.key = self.python(_MEMBER).split()

    def column(self, question: str) -> list[str]:
        """Ask the database from outside; give the first values of all rows."""
        with psycopg.connect(self.database) as connection:
            return [value for (value,) in connection.execute(question)]

    def web_processes(self) -> list[int]:
        """Return the processes that gunicorn's parent started."""
        parent = next(one.pid for one in self.running if "gunicorn" in one.args)
        listed = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
        return [int(pid) for pid in listed.split()]

    def start_web(self, *, processes: int = CORES, threads: int = 4, preload: bool = False) -> None:
        """Start gunicorn and wait until it answers; ``preload`` has each process start at once."""
        self.port = free_port()
        module = "benchmarks.preloaded" if preload else "rummy_audit.wsgi"
        command = [sys.executable, "-m", "gunicorn", f"{module}:application"]
        command += ["--preload"] if preload else []
        command += ["--bind", f"127.0.0.1:{self.port}", "--worker-class", "gthread"]
        command += ["--workers", str(processes), "--threads", str(threads)]
        command += ["--log-level", "warning", "--no-control-socket"]
        self.running.append(
            subprocess.Popen(command, cwd=ROOT, env=self.env, start_new_session=True)
        )
        until(self._answers)

    def _answers(self) -> bool:
        with closing(Client(self)) as client:
            try:
                return client.get("/healthz") == http.HTTPStatus.OK
            except OSError:
                return False

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start the worker with its sweeper, and wait until it is ready."""
        said = self.folder / "said"
        before = said.read_text().count("ready") if said.exists() else 0
        worker = self.start("worker")
        until(lambda: worker.poll() is not None or said.read_text().count("ready") > before)
        if worker.poll() is not None:
            raise RuntimeError(said.read_text())
        return worker

    def waiting(self) -> int:
        """Return how many hands are owed a verdict."""
        return self.query("SELECT count(*) FROM replays_auditjob WHERE NOT failed")

    def memory(self) -> dict[str, float]:
        """Return the resident megabytes of each process of the service, by what it is."""
        found: dict[str, float] = {}
        for pid, words in self._processes():
            name = next((n for n in ("gunicorn", "worker_process", "manage.py") if n in words), "")
            try:
                status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
            except OSError:
                continue
            if name and "VmRSS:" in status:
                found[f"{name} {pid}"] = int(status.split("VmRSS:")[1].split()[0]) / 1024
        return found


@contextmanager
def ground(folder: Path, **settings: object) -> Iterator[Ground]:
    """Give the service with its tables and nothing in them."""
    with private_server(durable=True) as postgres, private_valkey() as valkey:
        one = Ground(folder, database=postgres.url, broker=valkey.url, **settings)
        try:
            one.prepare()
            yield one
        finally:
            one.stop()


_MEMBER = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.contrib.sessions.backends.db import SessionStore
from django.conf import settings
from django.utils import timezone
from replays import access, keys
from replays.models import Membership, default_club
call_command("migrate", verbosity=0, skip_checks=True)
user = get_user_model().objects.create(username="bob")
member = Membership.objects.create(
    club=default_club(), user=user, role="scorekeeper", since=timezone.now())
store = SessionStore()
store[SESSION_KEY] = str(user.pk)
store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
store[HASH_SESSION_KEY] = user.get_session_auth_hash()
store.create()
scopes = ["hands:read", "hands:write"]
_key, secret = keys.make_key(access.member(member), name="bench", scopes=scopes, rate=1_000_000)
print(store.session_key, secret)
"""


class Client:
    """One connection of a scorekeeper's browser or program to the service."""

    def __init__(self, one: Ground) -> None:
        """Connect when first asked."""
        self.http = http.client.HTTPConnection("127.0.0.1", one.port, timeout=120)
        self.asked = time.monotonic()
        self.key = one.key
        token = "0" * 32
        self.headers = {
            "Host": "localhost",
            "Cookie": f"csrftoken={token}; sessionid={one.session}",
            "X-CSRFToken": token,
        }

    def close(self) -> None:
        """Hang up; the next question connects anew."""
        self.http.close()

    def get(self, path: str) -> int:
        """Ask for a page; return the status."""
        self._connect_anew()
        self.http.request("GET", path, headers=self.headers)
        return self._answer()

    def send(self, content: bytes, *, event: str) -> int:
        """Upload a file of hands, those that name no event under this one; return the status.

        302 if they were taken; 401 where the answer was to sign in first.
        """
        self._connect_anew()
        mark = uuid.uuid4().hex
        head = f'--{mark}\r\nContent-Disposition: form-data; name="event"\r\n\r\n{event}\r\n'
        head += f'--{mark}\r\nContent-Disposition: form-data; name="text"\r\n\r\n\r\n--{mark}\r\n'
        head += 'Content-Disposition: form-data; name="files"; filename="hands.jsonl"\r\n'
        head += "Content-Type: application/octet-stream\r\n\r\n"
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        self.http.request("POST", "/upload", body=body, headers={**self.headers, **kind})
        status = self._answer()
        return 401 if "/login" in self.said.get("Location", "") else status

    def post(self, content: bytes, *, event: str) -> int:
        """Send JSON Lines to the API; return the status: 201 for new hands, 202 for many."""
        self._connect_anew()
        headers = {"Host": "localhost", "Authorization": f"Bearer {self.key}"}
        headers["Content-Type"] = "application/vnd.rhl+jsonl"
        self.http.request("POST", f"/api/v1/hands?event={event}", body=content, headers=headers)
        return self._answer()

    def _connect_anew(self) -> None:
        # The server hangs up on who is silent for two seconds.
        if time.monotonic() - self.asked > 1:
            self.close()
        self.asked = time.monotonic()

    def _answer(self) -> int:
        answer = self.http.getresponse()
        answer.read()
        self.said = answer.headers
        return answer.status


def until(true: Callable[[], object], *, seconds: float = 60) -> None:
    """Wait for something to come true."""
    give_up = time.monotonic() + seconds
    while not true():
        if time.monotonic() > give_up:
            raise TimeoutError
        time.sleep(0.02)


# --- the yardsticks ------------------------------------------------------------------------------


def copied(url: str, bodies: list[bytes], *, at_once: int = 500) -> float:
    """Return hands a second of COPY: a key and the bytes of each, a commit for so many."""
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS yardstick (key bytea UNIQUE, body bytea)")
        connection.execute("TRUNCATE yardstick")
        connection.commit()
        began = time.perf_counter()
        for at in range(0, len(bodies), at_once):
            copy = "COPY yardstick FROM STDIN (FORMAT BINARY)"
            with connection.cursor() as cursor, cursor.copy(copy) as stream:
                stream.set_types(["bytea", "bytea"])
                for number, body in enumerate(bodies[at : at + at_once], at):
                    stream.write_row((number.to_bytes(32), body))
            connection.commit()
        seconds = time.perf_counter() - began
        connection.execute("DROP TABLE yardstick")
    return len(bodies) / seconds


def _judge_all(bodies: list[bytes]) -> int:
    from replays import audit  # noqa: PLC0415 - in the process that judges

    return sum(bool(audit.judge(hand)) for body in bodies for hand in read(body))


def _django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_audit.settings")
    import django  # noqa: PLC0415 - in the process that judges

    django.setup()
    _judge_all([_hand((3,), 1)])


def judged_purely(bodies: list[bytes]) -> float:
    """Return hands a second of the engine alone, read, judged and reported, on two processes."""
    parts = [bodies[at :: CORES * 4] for at in range(CORES * 4)]
    with ProcessPoolExecutor(CORES, initializer=_django) as pool:
        list(pool.map(_judge_all, [bodies[:1]] * CORES * 4))  # all are up
        began = time.perf_counter()
        count = sum(pool.map(_judge_all, parts))
        return count / (time.perf_counter() - began)
