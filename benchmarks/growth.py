"""What a hand costs when many are stored: taking it in, the list of hands, a search by finding.

    python benchmarks/growth.py [--sizes 1000,100000,1000000] [--json]

A thousand simulated hands are taken in and judged. Then the tables are filled with copies of
them under new names, each with its log, seats, key, audit, findings, match and verdict on the
feed, as far as each size. At each size the same is measured by HTTP, in turns with a service
that keeps the thousand alone: batches of 200 new hands by the API, the first page of the list,
and the first page of the hands with a finding that many have, so that the page is full at each
size. The target is at most 1.2 times what it takes with the thousand; the middle of the tries
counts. A million hands take some 12 GB of disk.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

from benchmarks.ground import Client, Ground, ground, hands
from benchmarks.rows import Row, tell

FIRST = 1_000
SIZES = "1000,100000,1000000"
AT_ONCE = 200
ROUNDS = 15
# Tries before those that count: they bring pages of the database in, and write them whole.
WARM = 5
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
    "replays_feedentry": {
        "id": "id + {by}",
        "log_id": "log_id + {by}",
        "audit_id": "audit_id + {by}",
    },
    "replays_matchrow": {
        "id": "id + {by}",
        "public_id": "substr(md5(public_id || {copy}), 1, 12)",
        "identity": "sha256(identity || int8send({copy}))",
        "name": "name || '-' || {copy}",
        "audited_version": "version",
    },
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
    if left := one.waiting():
        why = one.query("SELECT string_agg(DISTINCT reason, '; ') FROM replays_auditjob")
        raise RuntimeError(f"{left} hands without a verdict: {why}")


def tops(one: Ground) -> dict[str, int]:
    """Return of each table up to which number its rows belong to the first hands."""
    return {
        table: one.query(f"SELECT max({_which(own)}) FROM {table}") or 0
        for table, own in TABLES.items()
    }


def _which(own: dict[str, str]) -> str:
    return "log_id" if "log_id" in own else "id"


def fill(one: Ground, copies: range, top: dict[str, int]) -> None:
    """Store copies of the first hands, those up to these numbers, under new names."""
    began = time.perf_counter()
    with psycopg.connect(one.database) as connection:
        # Keys to other tables are not looked up: what they point to comes in the same statement.
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET synchronous_commit = off")
        statements = {table: _copy(connection, table, top[table]) for table in TABLES}
        for first in range(copies.start, copies.stop, COPIES):
            last = min(first + COPIES, copies.stop) - 1
            for statement in statements.values():
                connection.execute(statement, (first, last))
            connection.commit()
    with psycopg.connect(one.database, autocommit=True) as connection:
        for table, own in TABLES.items():
            place = f"pg_get_serial_sequence('{table}', 'id')"
            if "id" in own:
                connection.execute(f"SELECT setval({place}, (SELECT max(id) FROM {table}))")
        connection.execute("VACUUM (ANALYZE)")
        connection.execute("CHECKPOINT")
    size = one.query("SELECT pg_size_pretty(pg_database_size(current_database()))")
    took = time.perf_counter() - began
    print(
        f"{copies.stop * FIRST:,} hands stored, {size}, {took:.0f} s", file=sys.stderr, flush=True
    )


def _copy(connection: psycopg.Connection, table: str, top: int) -> str:
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
    return (
        f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} FROM {table}, "
        f"generate_series(%s::bigint, %s::bigint) AS copy WHERE {_which(own)} <= {top}"
    )


@contextmanager
def copy_of(one: Ground) -> Iterator[Ground]:
    """Give the same service on a copy of its database, which nobody may be using now."""
    place = urlsplit(one.database)
    with psycopg.connect(place._replace(path="/template1").geturl(), autocommit=True) as beside:
        beside.execute(f"CREATE DATABASE copy TEMPLATE {place.path[1:]}")
    url = place._replace(path="/copy").geturl()
    other = Ground(one.folder, database=url, broker=one.env["BROKER_URL"])
    other.session, other.key = one.session, one.key
    try:
        yield other
    finally:
        other.stop()


def in_turns(works: Sequence[Callable[[int], None]], *, rounds: int = ROUNDS) -> list[float]:
    """Return the middle of the milliseconds of each, after some that do not count."""
    times: list[list[float]] = [[] for _ in works]
    for number in range(WARM + rounds):
        for work, taken in zip(works, times, strict=True):
            began = time.perf_counter()
            work(number)
            taken.append(1000 * (time.perf_counter() - began))
    return [statistics.median(taken[WARM:]) for taken in times]


def costs(
    services: Sequence[Ground], batches: list[bytes], size: int, code: str
) -> dict[str, list[float]]:
    """Return milliseconds of each service: a hand taken in, the list, the search."""

    def post(client: Client) -> Callable[[int], None]:
        def send(number: int) -> None:
            status = client.post(batches[number % len(batches)], event=f"at-{size}-{number}")
            if status != 201:
                raise RuntimeError(f"answer {status}")

        return send

    def get(client: Client, path: str) -> Callable[[int], None]:
        def ask(_number: int) -> None:
            status = client.get(path)
            if status != 200:
                raise RuntimeError(f"{path}: answer {status}")

        return ask

    with ExitStack() as stack:
        clients = [stack.enter_context(closing(Client(one))) for one in services]
        found = {"ingest": [each / AT_ONCE for each in in_turns([post(one) for one in clients])]}
        for what, path in (("list page", "/hands"), ("search by finding", f"/hands?code={code}")):
            asked = [get(one, path) for one in clients]
            found[what] = in_turns(asked, rounds=2 * ROUNDS)
        return found


def main() -> int:
    """Measure at each size and print what grew."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="one JSON line a row")
    parser.add_argument("--sizes", default=SIZES, help=f"thousands of hands, default: {SIZES}")
    wanted = parser.parse_args()
    sizes = sorted({int(size) for size in wanted.sizes.split(",")} - {FIRST})
    bodies = hands(FIRST)
    batches = [b"".join(bodies[at : at + AT_ONCE]) for at in range(0, FIRST, AT_ONCE)]
    rows = []
    with tempfile.TemporaryDirectory() as folder, ground(Path(folder)) as small:
        small.start_web(processes=1)
        first_hands(small, bodies)
        small.stop()
        with copy_of(small) as large:
            small.start_web(processes=1)
            large.start_web(processes=1)
            code, top, copied = large.query(COMMON), tops(large), 1
            for size in sizes:
                # What was sent for measuring stays; it is few beside the rest.
                fill(large, range(copied, size // FIRST), top)
                copied = size // FIRST
                for what, (least, cost) in costs((small, large), batches, size, code).items():
                    name = f"{what} at {size:,} hands against {FIRST:,}"
                    detail = f"{least:.2f} ms at {FIRST:,}, {cost:.2f} ms at {size:,}, in turns"
                    rows.append(Row(name, cost / least, 1.2, None, "x", detail, less=True))
            stored = large.query("SELECT count(*) FROM replays_handlog")
            if stored < max(sizes, default=FIRST):
                raise RuntimeError(f"{stored} hands")
    return tell(*rows, as_json=wanted.json)


if __name__ == "__main__":
    sys.exit(main())
