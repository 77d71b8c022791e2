"""A backup of a million events: it comes back whole in time, and a damaged one is refused; row 30.

``python -m tests.soak.backup --megabytes 64 --damaged 20`` takes in a file of about 18,000
hands or a million events, has all judged, makes a backup, tries to restore copies of it with a
bit flipped or an end cut off, and restores the whole one into a new database, which checks all
chains; on PostgreSQL. ``./test`` does the same with twelve hands
(tests/replays/test_backup.py).
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.ground import Ground
from benchmarks.upload import large_file
from tests.services.postgres import new_database, private_server

MOST_SECONDS = 300
FILL = """
import io, sys
from django.core.management import call_command
from replays import running, uploads
from replays.models import default_club
call_command("migrate", verbosity=0, skip_checks=True)
uploads.receive(io.BytesIO(sys.stdin.buffer.read()), club=default_club(), file="large")
running.work_off()
"""
ROWS = (
    "SELECT md5(string_agg(public_id || head || verdict, ',' ORDER BY public_id)) "
    "FROM replays_handlog"
)


def damaged(content, dice):
    """Return a backup with one bit flipped, or without its end."""
    if dice.random() < 0.5:
        return content[: dice.randrange(len(content))]
    place = dice.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << dice.randrange(8)]) + content[place + 1 :]


def refused(one, file):
    """Whether a restore says no; a flip in what tar pads with changes nothing, and is let in."""
    try:
        one.manage("restore", file)
    except AssertionError:
        return True
    return False


def main():
    """Make the backup, damage it, restore it, and say how long that took."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=int, default=64)
    options.add_argument("--damaged", type=int, default=20)
    asked = options.parse_args()
    content, count = large_file(asked.megabytes)
    dice = random.Random(30)
    with tempfile.TemporaryDirectory() as name, private_server(durable=True) as server:
        folder = Path(name)
        one = Ground(folder, database=server.url, broker="memory://")
        one.python(FILL, content=content)
        before = one.query(ROWS)
        events = one.query("SELECT sum(seq) FROM replays_handlog")
        file = folder / "backup.tar"
        began = time.perf_counter()
        one.manage("backup", file)
        print(f"{count:,} hands, {events:,} events: backup {time.perf_counter() - began:.0f} s")

        whole = file.read_bytes()
        spoilt = folder / "damaged.tar"
        let_in = 0
        for _number in range(asked.damaged):
            spoilt.write_bytes(damaged(whole, dice))
            with new_database(server.url) as url:
                other = Ground(folder, database=url, broker="memory://")
                if not refused(other, spoilt):
                    let_in += 1
                    # Only where nothing that counts was touched.
                    assert other.query(ROWS) == before
        print(f"{asked.damaged} damaged ones, {asked.damaged - let_in} refused, the others whole")

        with new_database(server.url) as url:
            other = Ground(folder, database=url, broker="memory://")
            began = time.perf_counter()
            other.manage("restore", file)
            took = time.perf_counter() - began
            assert other.query(ROWS) == before
        print(f"restored and checked in {took:.0f} s, at most {MOST_SECONDS}")
    return int(took > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
