"""rummy-audit as its own processes, for tests that kill them."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parents[2]
POISON = Path(__file__).parent / "poison"


def wait_until(true, *, seconds=90.0, pause=0.05):
    """Wait for something to come true; fail with its last value."""
    give_up = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < give_up, f"not within {seconds} s: {value!r}"
        time.sleep(pause)
    return value


class Service:
    """A folder, a database and a broker, and the processes that use them."""

    def __init__(self, folder, *, database="", broker="", poisoned=False, **settings):
        self.folder = folder
        self.database = database
        self.env = {
            **os.environ,
            "RUMMY_AUDIT_VAR": str(folder),
            "RUMMY_AUDIT_LOG": "ERROR",
            "DJANGO_SETTINGS_MODULE": "rummy_audit.settings",
            "DATABASE_URL": database,
            "BROKER_URL": broker,
            **{name: str(value) for name, value in settings.items()},
        }
        if poisoned:
            self.env["PYTHONPATH"] = str(POISON)
        self.running = []

    def manage(self, *arguments):
        """Run a command to its end and return what it said."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def run(self, script, words=""):
        """Have a process that reads the words do what a script says; return what it said."""
        done = subprocess.run(
            [sys.executable, "-c", f"import django; django.setup()\n{script}"],
            cwd=ROOT,
            env=self.env,
            input=words,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, *arguments):
        """Start a command in a group of its own, its words in the folder."""
        with (self.folder / "said").open("ab") as said:
            process = subprocess.Popen(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=self.env,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        self.running.append(process)
        return process

    def upload(self, content, *, anew=False, judged=False):
        """Have a process take a file in, and end.

        A start costs more than the work: the same one makes the tables first, ``anew``, and
        judges what came in.
        """
        self.run(TAKE, json.dumps({"content": content.decode(), "anew": anew, "judged": judged}))

    def query(self, question):
        """Ask the database from outside; give the first value."""
        if self.database:
            with psycopg.connect(self.database) as connection:
                return connection.execute(question).fetchone()[0]
        with closing(sqlite3.connect(self.folder / "rummy-audit.sqlite3", timeout=20)) as one:
            return one.execute(question).fetchone()[0]

    def is_over(self):
        """Whether what was started last has ended."""
        return self.running[-1].poll() is not None

    def verdicts(self):
        return self.query("SELECT count(*) FROM replays_audit")

    def celery_workers(self):
        """The main processes of the workers that run in this folder."""
        return [pid for pid, words in self._processes() if "worker_process" in words]

    def _processes(self):
        """All processes of this service, those that lost their parents too."""
        mark = f"RUMMY_AUDIT_VAR={self.folder}".encode()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    environment = set((entry / "environ").read_bytes().split(b"\0"))
                    words = (entry / "cmdline").read_bytes().decode(errors="replace")
                except OSError:
                    continue
                # A Valkey writes its title over its environment; its socket stands in it.
                if mark in environment or f"{self.folder}/" in words:
                    yield int(entry.name), words

    def kill_worker(self):
        """kill -9 the worker and its processes; its parent stays."""
        for pid in self.celery_workers():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def stop(self):
        for process in self.running:
            if process.poll() is None:
                process.terminate()
        for process in self.running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for pid, _words in self._processes():
            os.kill(pid, signal.SIGKILL)


TAKE = """
import io, json, sys
from django.core.management import call_command
from replays import running, uploads
from replays.models import default_club
asked = json.load(sys.stdin)
if asked["anew"]:
    call_command("migrate", verbosity=0, skip_checks=True)
uploads.receive(io.BytesIO(asked["content"].encode()), club=default_club(), file="test")
while uploads.read_due(): pass
if asked["judged"]:
    running.work_off()
"""


@contextmanager
def service(folder, *, content=None, judged=False, **settings):
    """Give a service with its tables, or with hands and their verdicts.

    Nothing of it is left running.
    """
    one = Service(folder, **settings)
    try:
        if content:
            one.upload(content, anew=True, judged=judged)
        else:
            one.manage("migrate", "-v0", "--skip-checks")
        yield one
    finally:
        one.stop()
