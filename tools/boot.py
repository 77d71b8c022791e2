"""Behind ./run and ./test: make .venv from the hashed lists, then start or check the project.

Standard library only, since it runs before anything is installed.
"""

import fcntl
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
# dev.txt holds all of prod.txt, so a venv made for ./test serves ./run as well.
FIRST_PIP_WITH_PYTHON_OPTION = (22, 3)
LISTS = {"run": ("prod",), "test": ("prod", "dev"), "install": ("prod", "dev")}
# Compiled code is kept here, also where a machine says not to write any beside the source: each of
# the processes of ./run would compile Django anew, two seconds of work.
BYTECODE = ROOT / ".cache" / "bytecode"
NO_VENV = """\
The Python {version} of this machine cannot make a virtual environment: it has no {missing}.
On Debian and Ubuntu: apt install python3-venv python3-pip
"""
NO_INSTALL = """\
The packages could not be installed (pip said why, above). Nothing was started.
The first start needs the network, to reach the Python package index. Check it, then start again.
"""


def main(arguments: list[str]) -> NoReturn:
    """Carry out `run` or `test` with the arguments behind it; `install` only prepares a `test`."""
    command, *rest = arguments
    python = ensure_venv(ROOT, LISTS[command])
    if command == "install":
        sys.exit()
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
    if command == "run":
        os.execv(python, [str(python), "manage.py", "up", *rest])  # noqa: S606 - the venv's python
    sys.path.insert(0, str(ROOT / "tools"))
    import check  # noqa: PLC0415 - ./run has no need of it

    sys.exit(check.main(python, rest))


def ensure_venv(root: Path, lists: tuple[str, ...]) -> Path:
    """Return the python of root/.venv with the named lists installed, by hash, once.

    A stamp written last says what is in it: a venv without a stamp is half made and is made anew,
    one with an older list gets the newer one installed over it. Of two starts at once the second
    waits for the first.
    """
    python = root / ".venv" / "bin" / "python"
    wanted = {name: _digest(root / "requirements" / f"{name}.txt") for name in lists}
    if _is_ready(python, wanted):
        return python
    with _only_one(root / ".venv.lock"):
        if not _is_ready(python, wanted):
            _install(root, python, wanted)
    return python


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _version() -> str:
    return ".".join(map(str, sys.version_info[:2]))


def _stamp(python: Path) -> Path:
    return python.parent.parent / "installed.json"


def _read_stamp(python: Path) -> dict[str, str]:
    """Return what the venv says is in it: nothing if it is missing, half made or broken."""
    try:
        stamp: dict[str, str] = json.loads(_stamp(python).read_bytes())
        # The system's python3 may have moved to another version below the venv's feet.
        version = subprocess.run(
            [python, "-c", "import sys; print(*sys.version_info[:2], sep='.')"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, ValueError, subprocess.CalledProcessError):
        return {}
    return stamp if stamp.get("python") == version else {}


def _is_ready(python: Path, wanted: dict[str, str]) -> bool:
    return wanted.items() <= _read_stamp(python).items()


@contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another start is installing packages here; waiting for it.", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(root: Path, python: Path, wanted: dict[str, str]) -> None:
    """Make the venv if there is no sound one, then install the last of the wanted lists."""
    print("Installing the packages that rummy-audit needs into .venv (once) …", flush=True)
    start = time.monotonic()
    pip = _pip(python)
    if not _read_stamp(python):
        shutil.rmtree(root / ".venv", ignore_errors=True)
        # The machine's own pip saves the seconds it takes to put one into the venv.
        venv.create(root / ".venv", symlinks=True, with_pip=pip[0] == python)
    _stamp(python).unlink(missing_ok=True)
    requirements = root / "requirements" / f"{list(wanted)[-1]}.txt"
    # The lists are complete, so pip need not ask for dependencies. What is imported is compiled
    # when it is imported, a small part of the whole.
    options = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--no-compile", "-qq"]
    options += ["--no-input", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "install", *options, "-r", requirements], check=False)
    if done.returncode:
        sys.exit(NO_INSTALL)
    _stamp(python).write_text(json.dumps({"python": _version(), **wanted}))
    print(f"Installed in {time.monotonic() - start:.0f} s.", flush=True)


def _pip(python: Path) -> list[str | Path]:
    """Return the command that installs into the venv: the machine's pip, else the venv's own.

    Ends the program with what to install when there is neither.
    """
    with suppress(ImportError, ValueError):
        major, minor = importlib.metadata.version("pip").split(".")[:2]
        if (int(major), int(minor)) >= FIRST_PIP_WITH_PYTHON_OPTION:
            return [sys.executable, "-m", "pip", "--python", python]
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(NO_VENV.format(version=_version(), missing="pip, and no ensurepip to make one"))
    return [python, "-m", "pip"]


if __name__ == "__main__":
    main(sys.argv[1:])
