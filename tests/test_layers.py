"""What may import what: the drawing of the house, held to the code."""

import re
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


def test_contracts_notice_a_clock_a_neighbour_and_a_step_up(tmp_path):
    """That they hold is checked by ./test; here, that they would not hold anything."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    layers = [line for contract in contracts for line in contract.get("layers", [])]
    named = {name for line in layers for name in re.findall(r"[\w.]+", line)}
    wrong = {
        "rummy_audit.rules.turn": "import time",
        "rummy_audit.rules.families.basic": "",
        "rummy_audit.rules.families.gin": "from rummy_audit.rules.families import basic",
        "rummy_audit.simulators.basic": "",
        "rummy_audit.simulators.gin": "from rummy_audit.simulators import basic",
        "rummy_audit.simulators.tile": "import time",
        "rummy_audit.rhl.read": "import replays",
        "replays.models.hands": "from replays import views",
    }
    for module in (*named, *wrong, "rummy_audit.settings"):
        package = tmp_path.joinpath(*module.split("."))
        package.mkdir(parents=True, exist_ok=True)
        for folder in (package, *package.parents[: module.count(".")]):
            (folder / "__init__.py").touch()
        (package / "__init__.py").write_text(wrong.get(module, "") + "\n")
    (tmp_path / "pyproject.toml").write_text(text)

    run = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )

    broken = re.findall(r"^(.+) BROKEN$", run.stdout, re.MULTILINE)
    assert broken == [contract["name"] for contract in contracts]
