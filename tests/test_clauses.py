"""The clause registers: no clause, parameter, rule, finding or test stands alone."""

import tomllib
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from rummy_audit.rules.findings import codes
from rummy_audit.rules.rulesets import HOUSE, SILENT, _formats, parameters, presets

ROOT = Path(__file__).parents[1]
FAMILIES = ROOT / "rummy_audit" / "rules" / "families"
REGISTERS = sorted(path.parent.name for path in FAMILIES.glob("*/clauses.toml"))

# Not a place in a rulebook.
NO_BOOK = {HOUSE, SILENT, "common practice"}


@cache
def register(family):
    return tomllib.loads((FAMILIES / family / "clauses.toml").read_text(encoding="utf-8"))


def named(family, field):
    return {each for clause in register(family)["clauses"] for each in clause[field]}


def rule(name):
    """Return the function a clause names, below ``rummy_audit.rules``."""
    module, _, function = name.rpartition(".")
    try:
        return getattr(import_module(f"rummy_audit.rules.{module}"), function)
    except ModuleNotFoundError:
        module, _, kind = module.rpartition(".")
        return attrgetter(f"{kind}.{function}")(import_module(f"rummy_audit.rules.{module}"))


def name_of(function):
    return f"{function.__module__}.{function.__name__}".removeprefix("rummy_audit.rules.")


def judges(family):
    """Return the judges of a family, those behind one that only passes on as well."""
    referee = import_module(f"rummy_audit.rules.families.{family}.referee")
    passes_on = register(family).get("passes_on", {})
    found = [judge for rules in referee.JUDGES.values() for judge in rules]
    for judge in found:
        found += getattr(referee, passes_on.get(name_of(judge), ""), ())
    return {name_of(judge) for judge in found} - passes_on.keys()


def sources(family):
    """Return the places in rulebooks that the presets and formats of a family cite."""
    cited = {
        setting.source
        for preset in presets().values()
        if preset.family == family
        for setting in preset.rules.values()
    }
    cited |= {each.source for form in _formats(family).values() for each in form.values()}
    return {each for each in cited - NO_BOOK if not each.startswith("not stated")}


@pytest.mark.parametrize("family", REGISTERS)
class TestARegister:
    def test_every_clause_is_whole(self, family):
        for clause in register(family)["clauses"]:
            assert clause.keys() == {"sources", "words", "parameters", "rules", "codes", "tests"}
            assert clause["sources"]
            assert clause["rules"]
            assert clause["tests"]
            assert clause["words"].endswith(".")

    def test_every_source_that_a_setting_cites_has_its_clause(self, family):
        assert sorted(sources(family) - named(family, "sources")) == []

    def test_every_parameter_has_its_clause_and_every_one_named_exists(self, family):
        assert named(family, "parameters") == parameters(family).keys()

    def test_every_judge_has_its_clause_and_every_rule_named_exists(self, family):
        for name in named(family, "rules"):
            assert rule(name).__doc__, name
        assert sorted(judges(family) - named(family, "rules")) == []

    def test_every_finding_has_its_clause_and_every_code_named_exists(self, family):
        text = (FAMILIES / family / "messages.toml").read_text(encoding="utf-8")

        assert sorted(tomllib.loads(text).keys() - named(family, "codes")) == []
        assert sorted(named(family, "codes") - codes().keys()) == []

    def test_every_test_named_exists_and_every_test_file_is_named(self, family):
        files = set()
        for name in named(family, "tests"):
            path, _, function = name.partition("::")
            if not function:
                assert (ROOT / "tests" / f"{path}.rhl").is_file(), name
                continue
            files.add(Path(path).name)
            assert f"def {function}(" in (ROOT / "tests" / path).read_text(encoding="utf-8"), name
        # Of no single clause:
        whole = {"test_corpus.py", "test_cases.py", "test_anything.py"}
        beside = {path.name for path in (ROOT / "tests" / "rules" / family).glob("test_*.py")}
        assert sorted(beside - files - whole) == []
