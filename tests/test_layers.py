"""What may import what: the drawing of the house, held to the code."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# The format and the rules stand on these and on nothing else; msgspec loads typing_extensions.
ALLOWED = {"rummy_audit", "msgspec", "typing_extensions", *sys.stdlib_module_names}
LIST_IMPORTED = """
import importlib, pkgutil, sys
before = set(sys.modules)
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
print(*sorted(set(sys.modules) - before), sep="\\n")
"""


def imported(package: str) -> list[str]:
    """Return what is loaded once every module of a package is imported in a fresh interpreter."""
    run = subprocess.run(
        [sys.executable, "-c", LIST_IMPORTED, package],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return run.stdout.split()


@pytest.mark.parametrize("package", ["rummy_audit.rhl", "rummy_audit.rules"])
def test_format_and_rules_load_nothing_but_the_standard_library_and_msgspec(package):
    modules = imported(package)

    assert [name for name in modules if name.partition(".")[0] not in ALLOWED] == []
    assert [name for name in modules if name.startswith("rummy_audit.settings")] == []


def test_the_format_loads_no_rule():
    assert [name for name in imported("rummy_audit.rhl") if ".rules" in name] == []


def test_the_project_package_is_empty():
    assert (ROOT / "rummy_audit" / "__init__.py").read_text() == ""


def test_every_package_of_the_project_stands_under_the_contracts():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}

    assert packages - {"tests"} == set(pyproject["tool"]["importlinter"]["root_packages"])


def test_a_rule_that_reads_the_clock_breaks_a_contract(tmp_path):
    """The contracts themselves are held by ./test; here, that they would notice."""
    pure = tmp_path / "rummy_audit" / "rules"
    for package in ("rummy_audit", "rummy_audit/rhl", "rummy_audit/rules", "replays"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    for game in ("basic", "gin"):
        (pure / "families" / game).mkdir(parents=True)
        (pure / "families" / game / "__init__.py").touch()
    (pure / "families" / "__init__.py").touch()
    (tmp_path / "rummy_audit" / "urls.py").touch()
    (tmp_path / "rummy_audit" / "settings.py").touch()
    (pure / "turn.py").write_text("import time\n")
    (pure / "families" / "gin" / "knock.py").write_text(
        "from rummy_audit.rules.families import basic\n"
    )
    (tmp_path / "rummy_audit" / "rhl" / "read.py").write_text("import replays\n")
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())

    run = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )

    assert [line.rpartition(" ")[2] for line in run.stdout.splitlines() if " BROKEN" in line] == [
        "BROKEN",
        "BROKEN",
        "BROKEN",
    ]
