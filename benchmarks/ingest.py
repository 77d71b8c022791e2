"""Take hands in over HTTP, against COPY of the same bytes on the same PostgreSQL.

    python benchmarks/ingest.py [--hands 6000] [--json]

Clients send 200 hands at a time to the API, one after another, to gunicorn with two
processes; a hand is counted when it is answered for: read, checked, stored with its log and
its work, committed and synced. The yardstick writes a key and the same bytes, 500 to a
commit. Both in turns.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.ground import Client, Ground, copied, ground, hands
from benchmarks.rows import Row, arguments, tell

AT_ONCE = 200
CLIENTS = 3
ROUNDS = 3


def sent(one: Ground, files: list[bytes], event: str) -> float:
    """Return hands a second over HTTP."""
    left = list(enumerate(files))
    wrong: list[int] = []

    def send() -> None:
        with closing(Client(one)) as client:
            while left:
                number, content = left.pop()
                status = client.post(content, event=f"{event}-{number}")
                if status != 201:
                    wrong.append(status)

    threads = [threading.Thread(target=send) for _ in range(CLIENTS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    if wrong:
        raise RuntimeError(f"answers {wrong}")
    return len(files) * AT_ONCE / seconds


def main() -> int:
    """Measure both in turns."""
    wanted = arguments(__doc__ or "", hands=6000)
    bodies = hands(wanted.hands)
    files = [b"".join(bodies[at : at + AT_ONCE]) for at in range(0, len(bodies), AT_ONCE)]
    with tempfile.TemporaryDirectory() as folder, ground(Path(folder)) as one:
        one.start_web()
        warm = files[: CLIENTS * 2]
        sent(one, warm, "warm")
        pairs = []
        for turn in range(ROUNDS):
            copy = copied(one.database, bodies)
            pairs.append((sent(one, files, f"turn-{turn}"), copy))
        stored = one.query("SELECT count(*) FROM replays_handlog")
    assert stored == (ROUNDS * len(files) + len(warm)) * AT_ONCE
    ratio = statistics.median(http / copy for http, copy in pairs)
    http, copy = (statistics.median(each) for each in zip(*pairs, strict=True))
    size = sum(map(len, bodies)) / len(bodies) / 1000
    detail = f"{http:,.0f} hands/s over HTTP, {copy:,.0f}/s by COPY, {size:.1f} kB a hand"
    row = Row("bulk ingest over HTTP against COPY", ratio, 1 / 15, 1 / 8, "x", detail)
    return tell(row, as_json=wanted.json)


if __name__ == "__main__":
    sys.exit(main())
