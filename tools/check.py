"""Behind ./test: run every check; say at the end which passed, which failed, what was skipped."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What `python -m tests.services.postgres` ends with when this machine has no PostgreSQL.
NO_POSTGRES = 69
# A person may have these set for a service of their own: the tests bring their own.
NOT_FOR_TESTS = ("DATABASE_URL", "BROKER_URL", "DJANGO_SETTINGS_MODULE")

# What needs nothing but Python.
PURE = ("tests/rhl", "tests/rules", "tests/hands", "tests/reference", "rummy_audit")

# ./test must stay under five minutes: what takes them is shown each time.
SLOWEST = ("--durations=8", "--durations-min=4")


def main(python: Path, arguments: list[str]) -> int:
    """Return 0 when every check passed, else 1; with arguments, what pytest returned."""
    if arguments:
        status = _run([python, "-m", "pytest", *arguments])
        print(f"./test: pytest {'passed' if status == 0 else 'failed'}; nothing else was checked.")
        return status
    start = time.monotonic()
    outcome = _checks(python.parent)
    # Format and rules use one core, the service waits for the machine: they run side by side.
    folders = [folder for folder in PURE if Path(folder).is_dir()]
    run: list[str | Path] = [python, "-m", "pytest", *SLOWEST]
    with tempfile.TemporaryFile() as told:
        pure = folders and subprocess.Popen(
            [*run, *folders], env=_environment(NOT_FOR_TESTS), stdout=told, stderr=told
        )
        outcome["storage tests on PostgreSQL"] = _storage(python)
        print("\n== tests", flush=True)
        apart = [f"--ignore={folder}" for folder in folders]
        failed = _run([*run, *apart], without=NOT_FOR_TESTS)
        if pure:
            failed = pure.wait() or failed
            told.seek(0)
            print(told.read().decode(errors="replace"), flush=True)
        outcome["tests"] = _word(failed)
    return _close(outcome, time.monotonic() - start)


def _run(command: list[str | Path], *, without: tuple[str, ...] = ()) -> int:
    return subprocess.run(command, env=_environment(without), check=False).returncode


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


def _storage(python: Path) -> str:
    """Run the tests marked `storage` on PostgreSQL: that of DATABASE_URL, else a private one."""
    print("\n== storage tests on PostgreSQL", flush=True)
    pytest = ["-m", "pytest", "-m", "storage", "-q", "tests"]
    status = _run([python, "-m", "tests.services.postgres", *pytest], without=NOT_FOR_TESTS[1:])
    return "skipped" if status == NO_POSTGRES else _word(status)


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
