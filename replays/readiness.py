"""Making a folder ready to run: tables and collected files, each only when something changed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from replays import storage


def migrate() -> None:
    """Bring the database to the newest migration; a look costs a tenth of a second."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
    storage.set_guards()


def collect_static() -> None:
    """Collect static files under hashed names, unless they are as they were."""
    stamp: Path = settings.STATIC_ROOT / "stamp"
    now = _fingerprint()
    if stamp.exists() and stamp.read_text() == now:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True, skip_checks=True)
    stamp.write_text(now)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, files in finder.list([]):
            stat = Path(files.path(name)).stat()
            digest.update(f"{name}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
