"""Backups: a copy of the whole database in one file that says what is in it.

The file is a tar of two members: the database's own dump, and ``manifest.json`` with its
SHA-256, how much is in it, and one digest over the heads of all hands. Restoring reads the
whole file first, goes into an empty database only, and believes nothing until every
chain and digest has been checked.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from replays import checking

FORMAT = 1
_MANIFEST, _DATA = "manifest.json", "database"
_CHUNK = 1024 * 1024
_HEADS = "SELECT public_id, version, head, chain FROM replays_handlog ORDER BY id"
_COUNTS = {
    "hands": "SELECT count(*) FROM replays_handlog",
    "events": "SELECT coalesce(sum(seq), 0) FROM replays_handlog",
    "audits": "SELECT count(*) FROM replays_audit",
}
_AT_ONCE = 10_000
# What a database that somebody has used has rows of: by its table, the question for one.
_USED = {
    "replays_handlog": "SELECT 1 FROM replays_handlog LIMIT 1",
    "replays_trailentry": "SELECT 1 FROM replays_trailentry LIMIT 1",
    "auth_user": "SELECT 1 FROM auth_user LIMIT 1",
}

Ask = Callable[[str], Iterable[tuple[Any, ...]]]


class BackupError(Exception):
    """A backup that cannot be made or used; the message says why and what to do."""


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself. ``root`` is one digest over the heads of all hands."""

    format: int
    database: str
    made_at: str
    sha256: str
    hands: int
    events: int
    audits: int
    root: str


# --- making ------------------------------------------------------------------------------------


def make(path: Path) -> Manifest:
    """Write a backup of the whole database, as it stands at one moment, while work goes on."""
    with tempfile.TemporaryDirectory(dir=path.absolute().parent) as folder:
        data = Path(folder) / _DATA
        content = _dump_sqlite(data) if settings.SQLITE else _dump_postgres(data)
        manifest = Manifest(
            format=FORMAT,
            database="sqlite" if settings.SQLITE else "postgresql",
            made_at=timezone.now().isoformat(),
            sha256=_sha256(data),
            **content,
        )
        words = Path(folder) / _MANIFEST
        words.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
        whole = Path(folder) / "whole"
        with tarfile.open(whole, "w") as tar:
            for each in (words, data):
                tar.add(each, arcname=each.name, filter=_plain)
        with whole.open("rb") as file:
            os.fsync(file.fileno())
        whole.chmod(0o600)
        # In its place only when it is whole: an older backup is not lost to a half one.
        whole.replace(path)
    return manifest


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _dump_sqlite(data: Path) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(data)])
    with closing(sqlite3.connect(data)) as copy:
        return _content(copy.execute)


def _dump_postgres(data: Path) -> dict[str, Any]:
    # The dump and what is counted are of the same moment: pg_dump takes this transaction's view.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        content = _content(_asked(cursor))
        _run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={data}")
    return content


def _asked(cursor: Any) -> Ask:
    def ask(question: str) -> Iterator[tuple[Any, ...]]:
        cursor.execute(question)
        while rows := cursor.fetchmany(_AT_ONCE):
            yield from rows

    return ask


def _content(ask: Ask) -> dict[str, Any]:
    """Return the counts and the root digest of a database."""
    found: dict[str, Any] = {name: int(next(iter(ask(sql)))[0]) for name, sql in _COUNTS.items()}
    root = hashlib.sha256()
    for public_id, version, head, chain in ask(_HEADS):
        root.update(f"{public_id} {version} {head} {bytes(chain).hex()}\n".encode())
    return {**found, "root": root.hexdigest()}


# --- restoring ---------------------------------------------------------------------------------


def restore(path: Path) -> Manifest:
    """Put a backup into this empty database and check all of it; raises BackupError."""
    with _opened(path) as (manifest, data):
        if manifest.database != ("sqlite" if settings.SQLITE else "postgresql"):
            raise BackupError(
                f"This backup is of a {manifest.database} database: restore it into one."
            )
        _check_empty()
        if settings.SQLITE:
            _load_sqlite(data)
        else:
            _load_postgres(data)
    _check(manifest)
    return manifest


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Manifest, Path]]:
    """Unpack a backup and compare it with its own manifest, before anything is touched."""
    with tempfile.TemporaryDirectory(dir=settings.VAR) as folder:
        data = Path(folder) / _DATA
        try:
            with tarfile.open(path, "r:") as tar:
                words, body = tar.next(), tar.next()
                if not words or not body or [words.name, body.name] != [_MANIFEST, _DATA]:
                    raise BackupError(f"{path.name} is not a backup of rummy-audit.")
                manifest = msgspec.json.decode(_member(tar, words).read(_CHUNK), type=Manifest)
                with data.open("wb") as file:
                    shutil.copyfileobj(_member(tar, body), file, _CHUNK)
        except (tarfile.TarError, msgspec.DecodeError, EOFError, OSError) as error:
            raise BackupError(f"{path.name} is damaged: {error}. Take another backup.") from error
        if manifest.format != FORMAT:
            raise BackupError(f"{path.name} is of format {manifest.format}: update rummy-audit.")
        if _sha256(data) != manifest.sha256:
            raise BackupError(
                f"{path.name} is damaged: its content is not what it was made with. "
                "Take another backup."
            )
        yield manifest, data


def _member(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = tar.extractfile(member)
    if file is None:
        raise tarfile.TarError(f"{member.name} is not a file")
    return file


def _check_empty() -> None:
    tables = connection.introspection.table_names()
    full = bool(tables)
    if settings.SQLITE:
        # Whatever runs here first makes the tables and the one club; people and acts come after.
        full = any(table in tables and any(_ask(asked)) for table, asked in _USED.items())
    if full:
        raise BackupError(
            "This database is not empty, and a restore never overwrites one. Point DATABASE_URL "
            "or RUMMY_AUDIT_VAR at a new, empty one."
        )


def _load_sqlite(data: Path) -> None:
    name = connection.settings_dict["NAME"]
    connection.close()
    for rest in ("-wal", "-shm"):
        Path(f"{name}{rest}").unlink(missing_ok=True)
    shutil.move(data, name)


def _load_postgres(data: Path) -> None:
    # Without these two, a restore that fails half way still ends as if all were well.
    options = ["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"]
    _run("pg_restore", *options, f"--dbname={connection.settings_dict['NAME']}", str(data))


def _check(manifest: Manifest) -> None:
    try:
        found = _content(_ask)
        wrong = [
            f"{name} {found[name]}, expected {getattr(manifest, name)}"
            for name in found
            if found[name] != getattr(manifest, name)
        ]
        wrong += [f"{each.hand}: {each.what}" for each in checking.faults(checking.Tally())]
    except DatabaseError as error:
        wrong = [str(error)]
    if wrong:
        raise BackupError(
            f"What was restored is not what was backed up: {'; '.join(wrong[:10])}. "
            "Do not use this database."
        )


def _ask(question: str) -> Iterable[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        yield from _asked(cursor)(question)


# --- both --------------------------------------------------------------------------------------


def _run(program: str, *options: str) -> None:
    """Run one of PostgreSQL's programs on our database; the password goes by the environment."""
    about = connection.settings_dict
    environment = {
        "PGHOST": about["HOST"],
        "PGPORT": str(about["PORT"]),
        "PGUSER": about["USER"],
        "PGPASSWORD": about["PASSWORD"],
        "PGDATABASE": about["NAME"],
    }
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's
        [_program(program), *options],
        env={**os.environ, **{name: value for name, value in environment.items() if value}},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip() or done.returncode}")


def _program(name: str) -> str:
    # Debian's wrapper on PATH picks a version by cluster; the newest is always able to read.
    found = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3])
    )
    program = str(found[-1]) if found else shutil.which(name)
    if program is None:
        raise BackupError(f"{name} is not on this machine: install PostgreSQL's client programs.")
    return program


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
