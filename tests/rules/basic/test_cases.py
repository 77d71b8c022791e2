"""What people really asked about basic rummy, under every value of the setting that decides."""

import json
from pathlib import Path

import pytest

from rummy_audit.rules.judging import judge
from rummy_audit.rules.rulesets import ruleset
from tests.rules.basic.play import found_in

PATH = Path(__file__).resolve().parents[2] / "cases" / "cases.jsonl"
CASES = {case["id"]: case for case in map(json.loads, PATH.read_text("utf-8").splitlines())}


def valid(name, **house):
    return judge(groups=CASES[name]["groups"], rules="basic", house=house)["valid"]


@pytest.mark.parametrize("name", ["bas-001", "bas-002"])
def test_where_the_ace_stands_depends_on_the_rules(name):
    expected = CASES[name]["expected"]

    assert valid(name, ace="low") is expected["ace_low"]
    assert valid(name, ace="high-or-low") is expected["ace_high_low"]
    assert valid(name, ace="round-corner") is expected.get("round_corner", True)


def test_bas_003_two_alike_in_a_set():
    assert valid("bas-003") is CASES["bas-003"]["expected"]["default"] is False
    assert valid("bas-003", decks=2) is False
    assert valid("bas-003", set_duplicates=True) is True
    assert valid("bas-003", set_duplicates=True, decks=2) is True


@pytest.mark.parametrize("preset", ["basic", "basic-winner-takes-all", "basic-general"])
def test_bas_008_the_card_taken_is_not_discarded(preset):
    lines = "deal 2 x10\ndeal 1 x10\nupcard 8H\ndraw 2 discard 8H\ndiscard 2 8H"

    found = found_in(lines, ruleset=preset, detail="table")

    assert (found == []) is CASES["bas-008"]["expected"]["legal"]
    assert found == [("discard-just-taken", 5, 2)]
    allowed = found_in(lines, ruleset=preset, detail="table", rules="discard_just_taken=true")
    assert allowed == []


def test_bas_009_targets_by_players():
    expected = CASES["bas-009"]["expected"]

    assert {
        players: ruleset("basic-winner-takes-all", players=int(players))["target"]
        for players in expected
    } == expected


def test_every_case_of_basic_rummy_is_here():
    ours = {name for name, case in CASES.items() if case["game"] == "basic_rummy"}

    assert ours == {"bas-001", "bas-002", "bas-003", "bas-008", "bas-009"}
