"""Everything runs, and then something falls over, many times; rows 1, 5, 6 and 32.

``python -m tests.soak.outages load --seconds 60`` has eight clients send for so long, through the
page of uploads or, with ``--by api``, as programs with a key; ``… web --times 1000`` and
``… database --times 1000`` kill web processes, or the database with all its processes, under
clients that repeat what got no answer; ``… away --times 20`` takes the database and the broker
away in turns. Each ends with every hand that was answered for stored
once, judged, and with chains that hold. ``./test`` does the same in small
(tests/replays/test_outages.py).
"""

import argparse
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from benchmarks.ground import Client, Ground, hands, until
from tests.services.postgres import private_server
from tests.services.valkey import private_valkey

# The answer for a hand that is new, by how it was sent.
WAYS = {"page": 302, "api": 201}
# What the processes are known by, for the account of what they cost.
KINDS = {
    "gunicorn": "web",
    "worker_process": "workers",
    "manage.py worker": "sweeper",
    "valkey-server": "Valkey",
}

# A database that is away is not worth a page of words for each question.
FAST = {
    "RUMMY_AUDIT_LEASE": 4,
    "RUMMY_AUDIT_HAND_SECONDS": 1,
    "RUMMY_AUDIT_LOG": "CRITICAL",
}


@contextmanager
def everything(folder):
    """Give web with two processes, worker, PostgreSQL that syncs, Valkey."""
    with private_server(durable=True) as postgres, private_valkey() as valkey:
        one = Ground(folder, database=postgres.url, broker=valkey.url, **FAST)
        one.postgres, one.valkey = postgres, valkey
        try:
            one.prepare()
            one.start_web(preload=True)
            one.worker = one.start_worker()
            yield one
        finally:
            one.stop()


class Line:
    """A client that costs next to nothing: one connection, kept open, and requests made of bytes.

    It runs beside the service on the same machine: what it takes, the service has not.
    """

    def __init__(self, one, *, by):
        self.where = ("127.0.0.1", one.port)
        self.socket = None
        if by == "api":
            self.head = (
                "POST /api/v1/hands?event=%s HTTP/1.1\r\nHost: localhost\r\n"
                f"Authorization: Bearer {one.key}\r\n"
                "Content-Type: application/vnd.rhl+jsonl\r\nContent-Length: %d\r\n\r\n"
            )
            self.before, self.after = "", b""
            return
        mark, token = "-" * 8 + "hands", "0" * 32
        part = f'--{mark}\r\nContent-Disposition: form-data; name="'
        self.head = (
            "POST /upload HTTP/1.1\r\nHost: localhost\r\n"
            f"Cookie: csrftoken={token}; sessionid={one.session}\r\nX-CSRFToken: {token}\r\n"
            f"Content-Type: multipart/form-data; boundary={mark}\r\nContent-Length: %d\r\n\r\n"
        )
        self.before = (
            f'{part}event"\r\n\r\n%s\r\n{part}text"\r\n\r\n\r\n'
            f'{part}files"; filename="hands.jsonl"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        self.after = f"\r\n--{mark}--\r\n".encode()

    def send(self, content, *, event):
        """Send a hand; return the status."""
        if self.before:
            before = (self.before % event).encode()
            content = before + content + self.after
            head = self.head % len(content)
        else:
            head = self.head % (event, len(content))
        if self.socket is None:
            self.socket = socket.create_connection(self.where, timeout=120)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(head.encode() + content)
        answer = b""
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self._more()
        said = answer[:end].lower()
        size = int(said.partition(b"content-length:")[2].split(b"\r", 1)[0])
        left = end + 4 + size - len(answer)
        while left > 0:
            left -= len(self._more())
        if b"connection: close" in said:
            self.close()
        status = int(said[9:12])
        return 401 if b"/login" in said else status

    def _more(self):
        some = self.socket.recv(65536)
        if not some:
            raise ConnectionResetError
        return some

    def close(self):
        """Hang up; the next request connects anew."""
        if self.socket is not None:
            self.socket.close()
            self.socket = None


def spent(one):
    """Return the seconds of processor that each kind of process has taken so far."""
    seconds = Counter(clients=time.process_time())
    parents = [one.postgres.process.pid, *_children(one.postgres.process.pid)]
    kinds = dict.fromkeys(parents, "PostgreSQL")
    for pid, words in one._processes():
        spoken = words.replace("\0", " ")
        kinds[pid] = next((kind for name, kind in KINDS.items() if name in spoken), "else")
    for pid, kind in kinds.items():
        with suppress(OSError):
            times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
            seconds[kind] += sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return seconds


def _children(pid):
    return map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


class Senders:
    """Clients that send hands of their own, one a request, until they are told to stop."""

    def __init__(self, one, bodies, *, clients, patient, by="page"):
        self.one, self.bodies, self.patient = one, bodies, patient
        self.by, self.good = by, WAYS[by]
        self.answers = Counter()
        self.taken = []
        self.delays = []
        self.over = threading.Event()
        self.threads = [
            threading.Thread(target=self._send, args=(f"c{number}-{id(self)}",))
            for number in range(clients)
        ]

    def _send(self, name):
        client, number = Line(self.one, by=self.by), 0
        while not self.over.is_set():
            event, body = f"{name}-{number}", self.bodies[number % len(self.bodies)]
            # Whoever gets no answer asks again, with the same hand.
            while not self.over.is_set():
                began = time.monotonic()
                try:
                    status = client.send(body, event=event)
                except OSError:
                    client.close()
                    status = 0
                self.answers[status] += 1
                if status == self.good:
                    self.taken.append(event)
                    self.delays.append(time.monotonic() - began)
                if self.patient:
                    time.sleep(0.15)
                if status == self.good or not self.patient:
                    break
            number += 1
        client.close()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_error):
        self.over.set()
        for thread in self.threads:
            thread.join()


def all_there_once_and_judged(one, taken, *, seconds=120):
    """Assert that every hand that was answered for is there once, with its verdict, and whole."""
    until(lambda: one.waiting() == 0, seconds=seconds)
    counts = Counter(one.column("SELECT event FROM replays_handlog WHERE event LIKE 'c%'"))
    assert [event for event in taken if counts[event] != 1] == []
    assert one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'waiting'") == 0
    assert one.column("SELECT concat_ws(' ', attempts, failed, reason) FROM replays_auditjob") == []
    # No half hand: every log has its batch, its seats, its key.
    half = (
        "SELECT count(*) FROM replays_handlog l WHERE "
        "NOT EXISTS (SELECT 1 FROM replays_logbatch b WHERE b.log_id = l.id) OR "
        "NOT EXISTS (SELECT 1 FROM replays_seat s WHERE s.log_id = l.id) OR "
        "NOT EXISTS (SELECT 1 FROM replays_handkey k WHERE k.log_id = l.id) OR "
        "NOT EXISTS (SELECT 1 FROM replays_outcome o WHERE o.log_id = l.id)"
    )
    assert one.query(half) == 0


def chains_hold(one):
    """Assert that every stored byte is what was stored."""
    assert one.manage("verify").startswith("All as it was stored")


def load(one, bodies, *, seconds, by="page"):
    """Have eight clients send for a while; nothing is lost or refused. Give the senders."""
    before = spent(one)
    with Senders(one, bodies, clients=8, patient=False, by=by) as senders:
        time.sleep(seconds)
    senders.spent = spent(one)
    senders.spent.subtract(before)
    assert set(senders.answers) == {senders.good}, senders.answers
    all_there_once_and_judged(one, senders.taken)
    return senders


def kill_one_of_the_web(one):
    """kill -9 a process of gunicorn; its parent starts another."""
    pids = one.web_processes()
    if pids:
        with suppress(ProcessLookupError):  # it has just ended by itself
            os.kill(random.choice(pids), signal.SIGKILL)


def kills(one, bodies, *, web, database):
    """Kill web processes and the database under those who send; every answer holds."""
    times = max(web, database)
    with Senders(one, bodies, clients=4, patient=True) as senders:
        for number in range(times):
            time.sleep(random.uniform(0.001, 0.5))
            if number * web // times != (number + 1) * web // times:
                kill_one_of_the_web(one)
            if number * database // times != (number + 1) * database // times:
                one.postgres.kill()
                one.postgres.start()
        before = len(senders.taken)
        until(lambda: len(senders.taken) > before + 10)
    assert 500 not in senders.answers, senders.answers
    all_there_once_and_judged(one, senders.taken)
    chains_hold(one)
    return senders


def away(one, client, body, *, name):
    """Take the database away, then the broker: it says when to come back, and goes on."""
    one.postgres.kill()
    began = time.monotonic()
    assert [client.get(path) for path in ("/healthz", "/hands")] == [503, 503]
    assert client.send(body, event="down") == 503
    assert client.said["Retry-After"] == "5"
    assert time.monotonic() - began < 6
    one.postgres.start()
    until(lambda: client.get("/hands") == 200, seconds=15)

    one.valkey.kill()
    assert client.send(body, event=name) == 302
    one.valkey.start()
    all_there_once_and_judged(one, [name])


def main():
    """Run one of them in full and say what came of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("what", choices=("load", "web", "database", "away"))
    options.add_argument("--seconds", type=int, default=60, help="of load")
    options.add_argument("--by", choices=tuple(WAYS), default="page", help="of load")
    options.add_argument("--times", type=int, default=1000)
    asked = options.parse_args()
    bodies, begun = hands(200), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, everything(Path(folder)) as one:
        if asked.what == "load":
            done = load(one, bodies, seconds=asked.seconds, by=asked.by)
            late = 1000 * sorted(done.delays)[int(len(done.delays) * 0.99)]
            rate = len(done.taken) / asked.seconds
            print(f"by {asked.by}: {rate:.0f} hands/s, p99 {late:.0f} ms, none lost")
            each = {kind: 1000 * took / len(done.taken) for kind, took in done.spent.most_common()}
            print("ms of processor a hand:", ", ".join(f"{k} {ms:.1f}" for k, ms in each.items()))
        elif asked.what == "away":
            with closing(Client(one)) as client:
                for number in range(asked.times):
                    away(one, client, bodies[number % len(bodies)], name=f"c-away-{number}")
            chains_hold(one)
            print(f"{asked.times} times without database and broker, none lost")
        else:
            some = {"web": 0, "database": 0, asked.what: asked.times}
            done = kills(one, bodies, **some)
            print(f"{asked.times} kills, {len(done.taken)} hands answered for, none lost")
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
