"""Behind ./test: run every check; say at the end which passed, which failed, what was skipped."""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

# What `python -m tests.services.postgres` ends with when this machine has no PostgreSQL.
NO_POSTGRES = 69
# A person may have these set for a service of their own: the tests bring their own.
NOT_FOR_TESTS = ("DATABASE_URL", "BROKER_URL", "DJANGO_SETTINGS_MODULE")

# Parts of the tests that can run beside each other: each has a database and services of its own.
# The longest begin first, those that wait beside those that work; what no part names begins second.
PARTS = {
    "tests that kill workers and brokers": (
        "tests/replays/test_crashes.py",
        "tests/services/test_services.py",
    ),
    "tests that kill servers": (
        "tests/replays/test_outages.py",
        "tests/replays/test_backup.py",
    ),
    "tests of format and rules": (
        "tests/rhl",
        "tests/rules",
        "tests/simulators",
        "tests/hands",
        "tests/reference",
        "rummy_audit/rhl",
        "rummy_audit/rules",
        "rummy_audit/simulators",
    ),
    "tests in a browser": ("tests/browser",),
    "tests of pages, cases and sight": (
        "tests/replays/test_access.py",
        "tests/replays/test_access_limits.py",
        "tests/replays/test_access_threads.py",
        "tests/replays/test_access_trail.py",
        "tests/replays/test_accounts.py",
        "tests/replays/test_accounts_called.py",
        "tests/replays/test_cases.py",
        "tests/replays/test_cases_from.py",
        "tests/replays/test_cases_machine.py",
        "tests/replays/test_cases_pages.py",
        "tests/replays/test_cases_policies.py",
        "tests/replays/test_cases_threads.py",
        "tests/replays/test_cases_together.py",
        "tests/replays/test_direction.py",
        "tests/replays/test_pages.py",
        "tests/replays/test_pages_deals.py",
        "tests/replays/test_pages_home.py",
        "tests/replays/test_pages_money.py",
        "tests/replays/test_pages_words.py",
        "tests/replays/test_privacy.py",
        "tests/replays/test_sight.py",
        "tests/replays/test_sight_cards.py",
        "tests/replays/test_sight_fields.py",
        "tests/replays/test_sight_matches.py",
    ),
    "tests that start": (
        "tests/replays/test_up.py",
        "tests/replays/test_evenings_lan.py",
        "tests/test_boot.py",
        "tests/test_readme.py",
    ),
    "tests of the API": ("tests/api", "api"),
}
LAST_PART = "tests of the service"
# ./test has five minutes, .ci/run twelve: it says so by this variable, and leaves nothing out.
WHOLE = os.environ.get("RUMMY_AUDIT_REQUIRE_SERVICES") == "1"
LEFT_OUT = () if WHOLE else ("-m", "not ci")
STORED = "storage" if WHOLE else "storage and not (ci or ci_on_postgres)"
# A command, and the variables that it must not see.
Part = tuple[list[str | Path], tuple[str, ...]]
# Who kills and starts and looks at pages waits more than they work: four keep two cores busy.
AT_ONCE = 4
STORAGE = "storage tests on PostgreSQL"
# Plugins that take seconds to load, and the one part that needs each.
PLUGINS = {"playwright": "tests in a browser", "schemathesis": "tests of the API"}
# What pytest and its plugins do around each test, for one that is over in a millisecond: half of
# the time of thousands.
AROUND = ("anyio", "django", "logging")
WITHOUT_THESE = "tests of format and rules"

FAILED_ONLY = ("--last-failed", "--last-failed-no-failures=none")

# ./test must stay under five minutes: what takes them is shown each time.
SLOWEST = ("--durations=8", "--durations-min=4")


def main(python: Path, arguments: list[str]) -> int:
    """Return 0 when every check passed, else 1; with arguments, what pytest returned."""
    if arguments:
        status = _run([python, "-m", "pytest", *arguments])
        print(f"./test: pytest {'passed' if status == 0 else 'failed'}; nothing else was checked.")
        return status
    start = time.monotonic()
    outcome = _everything(python)
    return _close(outcome, time.monotonic() - start)


def _everything(python: Path) -> dict[str, str]:
    """Run the parts of the tests, some at once, and lint beside them; print each when it is done.

    What fails beside the others is asked once more by itself, and that is said: tests that
    kill processes and wait for them find no peace on a busy machine.
    """
    outcome = {}
    parts = _parts(python)
    if not WHOLE:
        print("== what takes long, marked ci, is left to .ci/run", flush=True)
    with ThreadPoolExecutor(AT_ONCE) as lanes:
        waiting = {
            lanes.submit(_part, command, without): name
            for name, (command, without) in parts.items()
        }
        checks = _checks(python.parent)
        for done in as_completed(waiting):
            name, (status, took, said) = waiting[done], done.result()
            outcome[name] = "skipped" if status == NO_POSTGRES else _word(status)
            print(f"\n== {name}: {outcome[name]} ({took})\n{said}", flush=True)
    for name in [name for name, word in outcome.items() if word == "FAILED"]:
        command, without = parts[name]
        status, took, said = _part([*command, *FAILED_ONLY], without)
        outcome[name] = _word(status)
        print(f"\n== {name}, what failed by itself: {outcome[name]} ({took})\n{said}")
    return checks | {name: outcome[name] for name in sorted(outcome)}


def _parts(python: Path) -> dict[str, Part]:
    """Return the parts that are there."""
    folders = {
        name: [folder for folder in folders if Path(folder).exists()]
        for name, folders in PARTS.items()
    }
    apart = [f"--ignore={folder}" for each in folders.values() for folder in each]
    wanted = {name: found for name, found in folders.items() if found}
    first = dict(list(wanted.items())[:1])
    wanted = first | {LAST_PART: apart} | wanted
    parts: dict[str, Part] = {
        name: ([python, *_pytest(name), *LEFT_OUT, *SLOWEST, *which], NOT_FOR_TESTS)
        for name, which in wanted.items()
    }
    # That of DATABASE_URL, else a private one.
    storage: list[str | Path] = [python, "-m", "tests.services.postgres", *_pytest(STORAGE)]
    parts[STORAGE] = ([*storage, "-m", STORED, *_storage_tests()], NOT_FOR_TESTS[1:])
    # Each remembers for itself what failed.
    return {
        name: ([*command, "-o", f"cache_dir=.cache/pytest-{number}"], without)
        for number, (name, (command, without)) in enumerate(parts.items())
    }


def _pytest(part: str) -> list[str]:
    without = [plugin for plugin, user in PLUGINS.items() if user != part]
    without += AROUND if part == WITHOUT_THESE else ()
    return ["-m", "pytest", "-q", *(f"-pno:{plugin}" for plugin in without)]


def _storage_tests() -> list[Path]:
    """Return the files with storage tests: to load all others costs more than to run these."""
    files = sorted(Path("tests").rglob("test_*.py"))
    return [file for file in files if "mark.storage" in file.read_text()] or [Path("tests")]


def _part(command: list[str | Path], without: tuple[str, ...]) -> tuple[int, str, str]:
    """Run a part; return its exit code, the time it took and what it said."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command,
            env=_environment(without),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        # Two cores work six hundred seconds in five minutes: what is spent is shown each time.
        _pid, status, spent = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        words = said.read().decode(errors="replace")
    work = spent.ru_utime + spent.ru_stime
    took = f"{time.monotonic() - start:.0f} s, {work:.0f} s of CPU"
    return process.returncode, took, words


def _run(command: list[str | Path]) -> int:
    return subprocess.run(command, check=False).returncode


def _environment(without: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in without}


def _checks(tools: Path) -> dict[str, str]:
    """Run lint, types and layers side by side; print what those that fail have to say."""
    commands: dict[str, list[str | Path]] = {
        "lint": [tools / "ruff", "check", "--quiet", "."],
        "format": [tools / "ruff", "format", "--diff", "--quiet", "."],
        "types": [tools / "mypy", "--no-error-summary"],
        "layers": [tools / "lint-imports", "--cache-dir", ".cache/import-linter"],
    }
    running = {
        name: subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
        for name, command in commands.items()
    }
    outcome = {}
    for name, process in running.items():
        said, _ = process.communicate()
        outcome[name] = _word(process.returncode)
        print(f"== {name}: {outcome[name]}", flush=True)
        if process.returncode:
            print(said.decode(errors="replace"), flush=True)
    return outcome


def _word(status: int) -> str:
    return "FAILED" if status else "passed"


def _close(outcome: dict[str, str], seconds: float) -> int:
    """Print the closing lines and return the exit code."""
    print()
    for name, word in outcome.items():
        print(f"  {word:8} {name}")
    failed = [name for name, word in outcome.items() if word == "FAILED"]
    skipped = [name for name, word in outcome.items() if word == "skipped"]
    verdict = f"FAILED: {', '.join(failed)}" if failed else "all passed"
    aside = f", skipped: {', '.join(skipped)}" if skipped else ""
    print(f"./test: {verdict}{aside} ({seconds:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.executable), sys.argv[1:]))
