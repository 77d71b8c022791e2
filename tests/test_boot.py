"""./run and ./test from the outside: what they make, what they say, what they never break.

Each test has a small project of its own whose list holds one package, built here, so no network is
needed; only `manage.py` is a stand-in, since what it starts is tested elsewhere.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MANAGE = "import sys, stock; print(stock.CARDS, 'cards:', *sys.argv[1:])"


def wheel(folder, cards):
    """Build a package `stock` that knows a number of cards; return its line for a hashed list."""
    info = f"stock-{cards}.dist-info"
    path = folder / f"stock-{cards}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("stock.py", f"CARDS = {cards}\n")
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: stock\nVersion: {cards}\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return f"stock=={cards} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def new_project(folder):
    project = folder / "project"
    (project / "requirements").mkdir(parents=True)
    (project / "manage.py").write_text(MANAGE)
    shutil.copytree(ROOT / "tools", project / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for command in ("run", "test"):
        shutil.copy(ROOT / command, project / command)
    (folder / "wheels").mkdir()
    (project / "requirements" / "prod.txt").write_text(wheel(folder / "wheels", 106))
    return project


@pytest.fixture
def project(tmp_path):
    """A folder with the two commands and a list of one package."""
    return new_project(tmp_path)


@pytest.fixture(scope="module")
def _once(tmp_path_factory):
    project = new_project(tmp_path_factory.mktemp("once"))
    run(project)
    return project.parent


@pytest.fixture
def installed(_once, tmp_path):
    """The same after a first ./run."""
    shutil.copytree(_once, tmp_path, symlinks=True, dirs_exist_ok=True)
    return tmp_path / "project"


def environment(project, **more):
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PIP_")},
        "PATH": f"{Path(sys.executable).resolve().parent}:{os.environ['PATH']}",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(project.parent / "wheels"),
        **more,
    }


def run(project, *arguments, **more):
    return subprocess.run(
        [project / "run", *arguments],
        cwd="/",
        env=environment(project, **more),
        check=False,
        capture_output=True,
        text=True,
    )


def test_first_run_installs_and_hands_its_options_on_and_the_second_only_starts(project):
    first = run(project, "--port", "8017")
    second = run(project)

    assert first.stdout.splitlines()[-1] == "106 cards: up --port 8017"
    assert (first.returncode, first.stderr) == (0, "")
    assert second.stdout == "106 cards: up\n"


def test_what_is_compiled_is_kept_apart_even_where_the_machine_says_to_keep_none(installed):
    run(installed, PYTHONDONTWRITEBYTECODE="1")

    assert list((installed / ".cache" / "bytecode").rglob("stock.*.pyc"))
    assert not list(installed.rglob("__pycache__"))


@pytest.mark.ci
def test_new_list_is_installed_over_the_old(installed):
    (installed / "requirements" / "prod.txt").write_text(wheel(installed.parent / "wheels", 104))

    assert run(installed).stdout.splitlines()[-1] == "104 cards: up"


@pytest.mark.ci
def test_package_with_another_hash_is_refused_and_nothing_starts(project):
    listed = project / "requirements" / "prod.txt"
    listed.write_text(re.sub(r"sha256:\w+", f"sha256:{'0' * 64}", listed.read_text()))

    refused = run(project)

    assert refused.returncode == 1
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in refused.stderr
    assert "Nothing was started." in refused.stderr
    assert "cards: up" not in refused.stdout


@pytest.mark.ci
@pytest.mark.parametrize("damage", ["interrupted", "python gone", "another python", "not a venv"])
def test_venv_that_is_half_made_or_broken_is_made_anew(installed, damage):
    venv = installed / ".venv"
    stamp = venv / "installed.json"
    left = venv / "left-over"
    left.touch()
    if damage == "interrupted":
        stamp.unlink()
    elif damage == "python gone":
        (venv / "bin" / "python").unlink()
        (venv / "bin" / "python").symlink_to("/nowhere/python3")
    elif damage == "another python":
        stamp.write_text(json.dumps({**json.loads(stamp.read_text()), "python": "3.10"}))
    else:
        shutil.rmtree(venv)
        venv.mkdir()

    assert run(installed).stdout.splitlines()[-1] == "106 cards: up"
    assert not left.exists()


@pytest.mark.ci
def test_two_starts_at_once_make_one_venv(project):
    starts = [
        subprocess.Popen(
            [project / "run"], env=environment(project), stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = sorted(process.communicate()[0] for process in starts)

    assert [text.splitlines()[-1] for text in said] == ["106 cards: up", "106 cards: up"]
    assert [text.splitlines()[0].partition(" ")[0] for text in said] == ["Another", "Installing"]


def old_python(folder, name="python3"):
    """Put a Python on a PATH of its own that is older than rummy-audit can use."""
    folder.mkdir()
    script = folder / name
    script.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit 0\nexit 1\n')
    script.chmod(0o755)
    (folder / "dirname").symlink_to(shutil.which("dirname"))
    return folder


def test_old_python_is_told_what_to_install(project, tmp_path):
    told = run(project, PATH=str(old_python(tmp_path / "bin")))

    assert told.returncode == 1
    assert told.stdout == ""
    assert told.stderr == (
        "rummy-audit needs Python 3.11 or newer, and this machine has Python 3.9.2.\n"
        "On Debian 12 or Ubuntu 24.04 and later: apt install python3 python3-venv python3-pip\n"
    )


def test_newer_python_beside_an_old_one_is_used(installed, tmp_path):
    path = old_python(tmp_path / "bin")
    (path / "python3.12").symlink_to(Path(sys.executable).resolve())

    assert run(installed, PATH=str(path)).stdout.splitlines()[-1] == "106 cards: up"


def test_python_that_can_make_no_venv_is_told_what_to_install(project):
    boot = """
import importlib.metadata, importlib.util, sys
importlib.metadata.version = lambda name: "20.3.4"
importlib.util.find_spec = lambda name: None
sys.path.insert(0, "tools")
import boot
boot.main(["run"])
"""
    told = subprocess.run(
        [sys.executable, "-c", boot], cwd=project, check=False, capture_output=True, text=True
    )

    assert told.returncode == 1
    assert told.stderr.splitlines()[1] == (
        "On Debian and Ubuntu: apt install python3-venv python3-pip"
    )
    assert not (project / ".venv").exists()


PYPROJECT = """
[tool.ruff]
exclude = [".cache"]
[tool.mypy]
files = ["hands"]
cache_dir = ".cache/mypy"
[tool.pytest.ini_options]
addopts = "-ra -p no:cacheprovider"
markers = ["storage"]
[tool.importlinter]
root_package = "hands"
[[tool.importlinter.contracts]]
name = "down only"
type = "layers"
layers = ["hands.replay", "hands.rules"]
"""
TESTS = """
import os

import pytest


@pytest.mark.storage
def test_stored():
    assert "DATABASE_URL" not in os.environ
"""


@pytest.fixture
def checked(tmp_path):
    """A project of two modules that passes every check, on a machine without PostgreSQL."""
    project = tmp_path / "checked"
    (project / "tests" / "services").mkdir(parents=True)
    (project / "hands").mkdir()
    files = {
        "pyproject.toml": PYPROJECT,
        "hands/__init__.py": "",
        "hands/rules.py": "POINTS: int = 80\n",
        "hands/replay.py": "",
        "tests/test_hands.py": TESTS.lstrip(),
        "tests/services/postgres.py": "import sys\n\nsys.exit(69)\n",
    }
    for name, text in files.items():
        (project / name).write_text(text)
    return project


def check(project, *arguments):
    """Run what ./test runs, with the tools of this venv."""
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "check.py", *arguments],
        cwd=project,
        env={
            **os.environ,
            "DATABASE_URL": "postgres://a-persons-own",
            # Loading the plugins takes longer than all the rest.
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        check=False,
        capture_output=True,
        text=True,
    )


def closing_lines(run):
    return [re.sub(r" \(\d+ s\)$", "", line) for line in run.stdout.splitlines()[-7:]]


def test_every_check_is_run_and_what_was_skipped_is_said(checked):
    run = check(checked)

    assert closing_lines(run) == [
        "  passed   lint",
        "  passed   format",
        "  passed   types",
        "  passed   layers",
        "  skipped  storage tests on PostgreSQL",
        "  passed   tests of the service",
        "./test: all passed, skipped: storage tests on PostgreSQL",
    ]
    assert run.returncode == 0


def test_one_failure_of_each_kind_fails_the_whole(checked):
    (checked / "hands" / "rules.py").write_text(
        "import os\nfrom hands import replay\nPOINTS: int = '80'\n"
    )
    (checked / "tests" / "test_hands.py").write_text("def test_points():\n    assert 80 == 40\n")
    (checked / "tests" / "services" / "postgres.py").write_text("import sys\n\nsys.exit(1)\n")

    run = check(checked)

    assert closing_lines(run) == [
        "  FAILED   lint",
        "  FAILED   format",
        "  FAILED   types",
        "  FAILED   layers",
        "  FAILED   storage tests on PostgreSQL",
        "  FAILED   tests of the service",
        (
            "./test: FAILED: lint, format, types, layers, storage tests on PostgreSQL, "
            "tests of the service"
        ),
    ]
    assert run.returncode == 1
    for words in ("`os` imported but unused", "Incompatible types", "down only BROKEN", "80 == 40"):
        assert words in run.stdout


def test_arguments_go_to_pytest_alone(checked):
    run = check(checked, "-k", "points")

    assert run.stdout.splitlines()[-1] == "./test: pytest failed; nothing else was checked."
    assert "1 deselected" in run.stdout
    assert run.returncode == 5


@pytest.mark.ci
def test_what_fails_beside_the_others_is_asked_again_by_itself(checked):
    (checked / "tests" / "test_hands.py").write_text(
        "from pathlib import Path\n\n\ndef test_points():\n"
        '    seen = Path("seen")\n    was = seen.exists()\n    seen.touch()\n    assert was\n'
    )

    run = check(checked)

    assert "tests of the service: FAILED" in run.stdout
    assert "tests of the service, what failed by itself: passed" in run.stdout
    assert "  passed   tests of the service" in run.stdout


def test_what_git_leaves_out_goes_into_no_image():
    def listed(name):
        lines = (ROOT / name).read_text().splitlines()
        return {line for line in lines if line and not line.startswith("#")}

    # A leading slash means the top folder to git; to Docker every pattern without ** does.
    wanted = {
        line.strip("/") if line.startswith("/") else f"**/{line.strip('/')}"
        for line in listed(".gitignore")
    }
    assert wanted - listed(".dockerignore") == set()
