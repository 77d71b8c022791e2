"""A backup is whole or refused: what comes back is what was there."""

import hashlib
import json
import os
import random
import sqlite3
import subprocess
import tarfile
import time
from contextlib import closing
from pathlib import Path

import pytest

from replays import backup
from replays.models.people import Role
from tests.replays.conftest import join
from tests.replays.hands import hands
from tests.replays.service import Service, service
from tests.services.postgres import new_database

ROOT = Path(__file__).resolve().parents[2]
ROWS = (
    "SELECT string_agg(public_id || head || verdict, ',' ORDER BY public_id) FROM replays_handlog"
)
ROWS_SQLITE = "SELECT group_concat(public_id || head || verdict, ',') FROM replays_handlog"


def refused(one, file):
    with pytest.raises(AssertionError) as told:
        one.manage("restore", file)
    return str(told.value)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A backup of twelve hands in SQLite, and what their rows say."""
    folder = tmp_path_factory.mktemp("made")
    file = folder / "backup.tar"
    with service(folder, content=hands(12), judged=True) as one:
        assert "12 hands with" in one.manage("backup", file)
        return file, one.query(ROWS_SQLITE)


def test_a_backup_of_sqlite_comes_back_whole(made, tmp_path):
    file, before = made
    two = Service(tmp_path)

    assert "Restored and checked: 12 hands" in two.manage("restore", file)
    assert two.query(ROWS_SQLITE) == before


def test_a_database_with_people_is_not_empty_without_a_hand_either(club):
    backup._check_empty()

    join(club, "asha", Role.PLAYER)
    with pytest.raises(backup.BackupError, match="is not empty"):
        backup._check_empty()


def damaged(content, chance):
    """Copies that are cut, empty, or have one bit of the dump flipped."""
    yield from (b"", content[: len(content) // 2], content[:-20_000], b"PK\3\4" + content)
    for _time in range(20):
        place = chance.randrange(2048, len(content) - 10_240)
        yield content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


def test_a_damaged_backup_is_refused_before_anything_is_touched(made, tmp_path, settings):
    settings.VAR = tmp_path
    broken = tmp_path / "broken.tar"
    for content in damaged(made[0].read_bytes(), random.Random(3)):
        broken.write_bytes(content)
        with pytest.raises(backup.BackupError, match=r"is damaged|is not a backup"):
            backup.restore(broken)
    assert [path.name for path in tmp_path.iterdir()] == ["broken.tar"]


def test_a_backup_that_was_changed_with_its_checksum_still_meets_counts_and_chains(made, tmp_path):
    with tarfile.open(made[0]) as tar:
        # Debian's Python 3.11.2 knows no filters yet, later ones ask for one.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(tmp_path)
    database = tmp_path / "database"
    with closing(sqlite3.connect(database)) as changed:
        changed.execute("UPDATE replays_audit SET verdict = 'flagged' WHERE id = 3")
        changed.commit()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["events"] += 1
    manifest["sha256"] = hashlib.sha256(database.read_bytes()).hexdigest()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    file = tmp_path / "changed.tar"
    with tarfile.open(file, "w") as tar:
        for name in ("manifest.json", "database"):
            tar.add(tmp_path / name, arcname=name)
    (tmp_path / "two").mkdir()

    why = refused(Service(tmp_path / "two"), file)
    assert "does not belong to its row" in why
    assert f"events {manifest['events'] - 1}, expected {manifest['events']}" in why


@pytest.mark.ci
def test_a_backup_of_postgresql_comes_back_whole(tmp_path, postgres_server):
    file = tmp_path / "backup.tar"
    (tmp_path / "one").mkdir()
    with new_database(postgres_server) as first, new_database(postgres_server) as second:
        content = hands(12)
        with service(tmp_path / "one", database=first, content=content, judged=True) as one:
            one.manage("backup", file)
            before = one.query(ROWS)
        two = Service(tmp_path / "one", database=second)
        assert "Restored and checked: 12 hands" in two.manage("restore", file)
        assert two.query(ROWS) == before
        assert "is not empty" in refused(two, file)


def test_old_backups_are_let_go_of_once_a_new_one_is_made(tmp_path):
    """``deploy/backup``, with a program in the place of ``manage.py backup`` that makes a file."""
    folder = tmp_path / "backups"
    folder.mkdir()
    now = time.time()
    for name, days in (("2020-01-01.tar", 40), ("2020-02-01.tar", 20), ("before-move.tar", 40)):
        (folder / name).touch()
        os.utime(folder / name, (now - days * 86400,) * 2)
    python = tmp_path / "python"
    env = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "RUMMY_AUDIT_BACKUPS": str(folder),
        "RUMMY_AUDIT_BACKUP_DAYS": "30",
    }

    def run(ends_with):
        python.write_text(f'#!/bin/sh\n[ "$2" = backup ] && echo new >"$3"\nexit {ends_with}\n')
        python.chmod(0o755)
        done = subprocess.run([ROOT / "deploy" / "backup"], env=env, check=False)
        return done.returncode, sorted(each.name for each in folder.iterdir())[:3]

    failed, kept = run(3)
    assert (failed, kept[0]) == (3, "2020-01-01.tar")
    made, left = run(0)
    assert (made, left[0], left[-1]) == (0, "2020-02-01.tar", "before-move.tar")
