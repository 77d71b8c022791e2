"""Take hands in and judge them, everything running on this machine, for a minute.

    python benchmarks/everything.py [--seconds 60] [--batch 50] [--json]

gunicorn with two processes, the worker with two, PostgreSQL that syncs, and Valkey. Clients
send hands of about 60 events to the API, by a key, a batch at a time, and hold back while
more hands are owed a verdict than one second's work: what comes in is what is judged. Counted
are the hands that were accepted **and** judged within the time; the delay of a verdict is from
the arrival of its batch until its audit is written, both as the database has them.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

from benchmarks.ground import Client, Ground, ground, hands, until
from benchmarks.rows import Row, arguments, tell

CLIENTS = 4
# More than so many hands that wait for their verdict: clients wait too.
OWED = 600
WARM_SECONDS = 5
DELAY = 5.0
DELAYS = """
SELECT percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY
    extract(epoch FROM a.made_at - u.received_at)::float8)
FROM replays_audit a
JOIN replays_outcome o ON o.log_id = a.log_id JOIN replays_upload u ON u.id = o.upload_id
WHERE u.id > %s
"""


class Load:
    """Clients that send batches until they are told to stop."""

    def __init__(self, one: Ground, batches: list[bytes]) -> None:
        """Start the clients."""
        self.one, self.batches = one, batches
        self.over = threading.Event()
        self.free = threading.Event()
        self.wrong: list[int] = []
        self.threads = [
            threading.Thread(target=self._send, args=(number,)) for number in range(CLIENTS)
        ]
        self.threads.append(threading.Thread(target=self._watch))
        for thread in self.threads:
            thread.start()

    def _send(self, client_number: int) -> None:
        number = 0
        with closing(Client(self.one)) as client:
            while not self.over.is_set():
                if self.free.wait(0.5):
                    content = self.batches[(number * CLIENTS + client_number) % len(self.batches)]
                    status = client.post(content, event=f"e{id(self)}-{client_number}-{number}")
                    self.wrong += [status] * (status != 201)
                    number += 1

    def _watch(self) -> None:
        question = "SELECT count(*) FROM replays_auditjob WHERE NOT failed"
        with psycopg.connect(self.one.database, autocommit=True) as connection:
            while not self.over.wait(0.1):
                owed = connection.execute(question).fetchone()
                if owed and owed[0] > OWED:
                    self.free.clear()
                else:
                    self.free.set()

    def end(self) -> None:
        """Stop the clients; raise if one was refused."""
        self.over.set()
        self.free.set()
        for thread in self.threads:
            thread.join()
        if self.wrong:
            raise RuntimeError(f"answers {self.wrong}")


def measured(one: Ground, batches: list[bytes], seconds: int) -> tuple[int, float, float, float]:
    """Return hands accepted and judged in the time, its seconds, and delays: median and p99."""
    load = Load(one, batches)
    time.sleep(WARM_SECONDS)
    first = one.query("SELECT max(id) FROM replays_upload") or 0
    before, began = one.verdicts(), time.monotonic()
    time.sleep(seconds)
    done, took = one.verdicts() - before, time.monotonic() - began
    load.end()
    until(lambda: one.waiting() == 0, seconds=60)
    with psycopg.connect(one.database) as connection:
        found = connection.execute(DELAYS, (first,)).fetchone()
    median, late = found[0] if found and found[0] else (0.0, 0.0)
    return done, took, median, late


def main() -> int:
    """Measure, and print the rate and the delay."""
    wanted = arguments(__doc__ or "", seconds=60, batch=50)
    bodies = hands(2_000 if wanted.seconds >= 30 else 400)
    batches = [
        b"".join(bodies[at : at + wanted.batch])
        for at in range(0, len(bodies) - wanted.batch + 1, wanted.batch)
    ]
    with tempfile.TemporaryDirectory() as folder, ground(Path(folder)) as one:
        one.start_web()
        one.start_worker()
        done, took, median, late = measured(one, batches, wanted.seconds)
        stored = one.query("SELECT count(*) FROM replays_handlog")
        missing = one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'waiting'")
        failed = one.query("SELECT count(*) FROM replays_auditjob")
        memory = max(one.memory().values())
    if missing or failed:
        raise RuntimeError(f"{missing} of {stored} hands without a verdict, {failed} failed")
    detail = f"{done:,} hands in {took:.0f} s by {CLIENTS} clients, largest process {memory:.0f} MB"
    rate = Row("accepted and judged, everything", done / took, 300, 1000, "hands/s", detail)
    detail = f"from the arrival of a batch to its audits, median {median:.2f} s"
    delay = Row("verdict after, p99", late, DELAY, None, "s", detail, less=True)
    return tell(rate, delay, as_json=wanted.json)


if __name__ == "__main__":
    sys.exit(main())
