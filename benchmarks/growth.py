"""What a hand costs when many are stored: taking it in, the list of hands, a search by finding.

    python benchmarks/growth.py [--most 1000000] [--json]

A thousand simulated hands are taken in and judged. Then the tables are filled with copies of
them under new names, each with its log, seats, key, audit and findings, as far as 10,000,
100,000 and 1,000,000. At each size the same is measured by HTTP: batches of 200 new hands by
the API, the first page of the list, and the first page of the hands with a finding that many
have, so that the page is full at each size. The target is at most 1.2 times what it takes at
1,000; the middle of the tries counts.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

from benchmarks.ground import Client, Ground, ground, hands
from benchmarks.rows import Row, arguments, tell

FIRST = 1_000
SIZES = (FIRST, 10_000, 100_000, 1_000_000)
AT_ONCE = 200
ROUNDS = 9
# Copies of the first thousand that one statement makes.
COPIES = 25
# What of a hand lies in which table, in an order in which keys find what they point to. Beside
# them the columns that a copy has of its own; every other is as in the hand that is copied.
TABLES: dict[str, dict[str, str]] = {
    "replays_audit": {"id": "id + {by}", "log_id": "log_id + {by}"},
    "replays_handlog": {
        "id": "id + {by}",
        "audit_id": "audit_id + {by}",
        "public_id": "substr(md5(public_id || {copy}), 1, 12)",
        "identity": "sha256(identity || int8send({copy}))",
        "name": "name || '-' || {copy}",
        "match": "match || '-' || {copy}",
    },
    "replays_handkey": {
        "identity": "sha256(identity || int8send({copy}))",
        "log_id": "log_id + {by}",
    },
    "replays_logbatch": {"id": "id + {by}", "log_id": "log_id + {by}"},
    "replays_seat": {"id": "id + 8 * {by}", "log_id": "log_id + {by}"},
    "replays_findingrow": {"id": "id + 8 * {by}", "log_id": "log_id + {by}"},
    "replays_outcome": {"id": "id + {by}", "log_id": "log_id + {by}", "number": "number + {by}"},
}
# Numbers of one copy lie so far from those of the next; of seats and findings eight times.
APART = 10_000
COMMON = "SELECT code FROM replays_findingrow GROUP BY code ORDER BY count(*) DESC, code LIMIT 1"


def first_hands(one: Ground, bodies: list[bytes]) -> None:
    """Take the first thousand in and have them judged."""
    with closing(Client(one)) as client:
        for at in range(0, len(bodies), AT_ONCE):
            status = client.post(b"".join(bodies[at : at + AT_ONCE]), event=f"first-{at}")
            if status != 201:
                raise RuntimeError(f"answer {status}")
    one.manage("worker", "--once")
    if one.waiting():
        raise RuntimeError("hands without a verdict")


def fill(one: Ground, copies: range, *, top: int) -> None:
    """Store copies of the first hands, those up to number ``top``, under new names."""
    with psycopg.connect(one.database) as connection:
        # Keys to other tables are not looked up: what they point to comes in the same statement.
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET synchronous_commit = off")
        for first in range(copies.start, copies.stop, COPIES):
            last = min(first + COPIES, copies.stop)
            for table in TABLES:
                connection.execute(_copy(connection, table, range(first, last), top))
            connection.commit()
    with psycopg.connect(one.database, autocommit=True) as connection:
        for table, own in TABLES.items():
            place = f"pg_get_serial_sequence('{table}', 'id')"
            if "id" in own:
                connection.execute(f"SELECT setval({place}, (SELECT max(id) FROM {table}))")
        connection.execute("VACUUM (ANALYZE)")
        connection.execute("CHECKPOINT")


def _copy(connection: psycopg.Connection, table: str, copies: range, top: int) -> str:
    own = TABLES[table]
    rows = connection.execute(
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER'",
        (table,),
    )
    columns = [name for (name,) in rows]
    values = [
        own.get(name, f'"{name}"').format(by=f"{APART} * copy", copy="copy") for name in columns
    ]
    names = ", ".join(f'"{name}"' for name in columns)
    log = "log_id" if "log_id" in own else "id"
    return (
        f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} FROM {table}, "
        f"generate_series({copies.start}::bigint, {copies.stop - 1}) AS copy WHERE {log} <= {top}"
    )


def middle(work: Callable[[int], None], *, rounds: int = ROUNDS) -> float:
    """Return the middle of the milliseconds that some work takes, after one that does not count."""
    times = []
    for number in range(rounds + 1):
        began = time.perf_counter()
        work(number)
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times[1:])


def costs(one: Ground, batches: list[bytes], size: int, code: str) -> dict[str, float]:
    """Return milliseconds: a hand taken in, the list, the search."""

    def post(number: int) -> None:
        status = client.post(batches[number % len(batches)], event=f"at-{size}-{number}")
        if status != 201:
            raise RuntimeError(f"answer {status}")

    def get(path: str) -> Callable[[int], None]:
        def ask(_number: int) -> None:
            status = client.get(path)
            if status != 200:
                raise RuntimeError(f"{path}: answer {status}")

        return ask

    with closing(Client(one)) as client:
        return {
            "ingest": middle(post) / AT_ONCE,
            "list page": middle(get("/hands"), rounds=3 * ROUNDS),
            "search by finding": middle(get(f"/hands?code={code}"), rounds=3 * ROUNDS),
        }


def main() -> int:
    """Measure at each size and print what grew."""
    wanted = arguments(__doc__ or "", most=SIZES[-1])
    bodies = hands(FIRST)
    batches = [b"".join(bodies[at : at + AT_ONCE]) for at in range(0, FIRST, AT_ONCE)]
    sizes = [size for size in SIZES if size <= max(wanted.most, FIRST)]
    found: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder, ground(Path(folder)) as one:
        one.start_web(processes=1)
        first_hands(one, bodies)
        code, top = one.query(COMMON), one.query("SELECT max(id) FROM replays_handlog")
        for before, size in zip([FIRST, *sizes], sizes, strict=False):
            # What was sent for measuring stays; it is few beside the rest.
            fill(one, range(max(1, before // FIRST), size // FIRST), top=top)
            found[size] = costs(one, batches, size, code)
        stored = one.query("SELECT count(*) FROM replays_handlog")
    if stored < sizes[-1]:
        raise RuntimeError(f"{stored} hands")
    rows = []
    for size in sizes[1:]:
        for what, cost in found[size].items():
            least = found[FIRST][what]
            name = f"{what} at {size:,} hands against {FIRST:,}"
            detail = f"{least:.2f} ms at {FIRST:,}, {cost:.2f} ms at {size:,}"
            rows.append(Row(name, cost / least, 1.2, None, "x", detail, less=True))
    return tell(*rows, as_json=wanted.json)


if __name__ == "__main__":
    sys.exit(main())
