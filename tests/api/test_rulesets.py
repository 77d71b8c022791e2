"""Rulesets over the API: read, made, checked, tried on stored hands, put in force."""

import pytest

from replays import audit
from replays.models import ClubRuleset, HandLog
from replays.models.people import Scope
from rummy_audit.rules import rulesets
from tests.api.conftest import problem
from tests.replays.hands import hand, hands

pytestmark = [pytest.mark.django_db]
HOUSE = {"name": "house", "base": "indian-13", "settings": {"cap": 100}, "title": "Our rules"}


def test_every_preset_is_listed_and_shown_with_the_source_of_each_value(api):
    listed = api.get("rulesets").json()["rulesets"]
    assert [each["id"] for each in listed] == list(rulesets.presets())

    [gin] = api.get("rulesets?family=gin").json()["rulesets"]
    whole = api.get(gin["url"]).json()
    assert {name: whole[name] for name in gin} == gin
    rules = rulesets.ruleset("gin")
    assert {each["parameter"]: (each["value"], each["source"]) for each in whole["parameters"]} == {
        name: (rules[name], rules.source(name)) for name in rules.values
    }
    assert problem(api.get("rulesets/gin/2")) == "not-found"
    assert problem(api.get("rulesets/gin/99999999999999999999")) == "not-found"


def test_a_clubs_own_rules_are_made_in_versions_and_put_in_force(api, send):
    first = api.send("rulesets", HOUSE)
    again = api.send("rulesets", HOUSE).json()
    second = api.send("rulesets", {**HOUSE, "settings": {"cap": 101}}).json()
    told = first.json()

    assert (first.status_code, first["Location"], again) == (201, told["url"], told)
    assert (told["id"], second["id"], told["active"]) == ("house@1", "house@2", False)
    assert (told["base"], told["settings"]) == ("indian-13@1", {"cap": 100})
    assert told["digest"] == rulesets.ruleset("indian-13", house={"cap": 100}).digest

    active = api.send(told["url"] + "/activate", {"valid_from": "2026-01-01"}).json()
    assert active == {**told, "active": True, "valid_from": "2026-01-01"}
    assert [each["id"] for each in api.get("rulesets").json()["rulesets"]][-2:] == [
        "house@2",
        "house@1",
    ]
    [cap] = [e for e in api.get(told["url"]).json()["parameters"] if e["parameter"] == "cap"]
    assert (cap["value"], cap["source"]) == (100, "own rule of the club")

    api.send("hands", hand().replace(b"ruleset=indian-13", b"ruleset=house"), "text/plain")
    audit.audit_due()
    shown = api.get("hands").json()["hands"][0]
    assert shown["ruleset"] == "house@1"
    report = api.get(shown["url"] + "/report").json()
    assert report["ruleset"] == {"id": "house@1", "digest": told["digest"], "rules": {}}
    assert report["scores"] == {"1": 0, "2": 84}


def test_contradictions_and_unlawful_values_are_all_named(api):
    bad = {**HOUSE, "settings": {"cap": -1, "set_min": 4, "set_max": 3, "knock_max": 5}}
    checked = api.send("rulesets/check", bad).json()
    refused = api.send("rulesets", bad)

    named = [each["parameter"] for each in checked["problems"]]
    assert named == ["cap", "knock_max", "set_min, set_max"]
    assert problem(refused) == "bad-rules"
    assert refused.json()["problems"] == checked["problems"]
    assert api.send("rulesets/check", HOUSE).json() == {"problems": []}
    assert ClubRuleset.objects.count() == 0


@pytest.mark.parametrize("name", ["indian-13", "gin", "tile-ours"])
def test_names_of_presets_are_not_a_clubs(api, name):
    assert problem(api.send("rulesets", {**HOUSE, "name": name})) == "bad-rules"


def test_an_unknown_base_and_bad_bodies_are_refused(api):
    assert problem(api.send("rulesets", {**HOUSE, "base": "canasta"})) == "bad-rules"
    for change in ({"name": "Our Rules"}, {"settings": {"cap": [1]}}, {"colour": 1}):
        assert problem(api.send("rulesets", {**HOUSE, **change})) == "bad-value"


# --- trying --------------------------------------------------------------------------------------


@pytest.mark.storage
def test_a_dry_run_says_how_many_verdicts_change_and_why(api, send):
    send(hands(2) + b"\n" + hand("short", lines="wild 7D\nend void\n"))
    audit.audit_due()
    before = list(HandLog.objects.values("verdict", "audit", "version"))

    told = api.send("rulesets/dry-run", {"base": "indian-13", "settings": {"cap": 100}}).json()

    assert (told["looked_at"], told["changed"], told["refused"]) == (3, 2, 0)
    assert told["verdicts"] == [{"before": "clean", "after": "flagged", "hands": 2}]
    assert told["codes"] == [{"code": "score-wrong", "appears": 2, "vanishes": 0}]
    assert told["settings"] == [{"parameters": ["cap"], "hands": 2}]
    assert [(each["name"], each["before"], each["after"]) for each in told["examples"]] == [
        ("H-0", "clean", "flagged"),
        ("H-1", "clean", "flagged"),
    ]
    assert "next" not in told
    assert list(HandLog.objects.values("verdict", "audit", "version")) == before


def test_a_dry_run_goes_on_by_its_cursor(api, send):
    send(hands(3))
    asked = {"base": "indian-13", "settings": {"cap": 100}}
    first = api.send("rulesets/dry-run?limit=2", asked).json()
    rest = api.send(f"rulesets/dry-run?limit=2&cursor={first['next']}", asked).json()

    assert [first["changed"], rest["changed"]] == [2, 1]
    assert "next" not in rest


def test_hands_of_other_games_and_times_are_left_out_and_house_rules_stay(api, send):
    send(hand("old"))
    HandLog.objects.update(ingested_at="2026-01-01T00:00:00Z")
    send(hand("own").replace(b"player 1", b"rules cap=90\nplayer 1", 1))
    gin = {"base": "gin", "settings": {"gin_bonus": 20}}
    new = {"base": "indian-13", "settings": {"cap": 100}, "since": "2026-02-01T00:00:00Z"}

    assert api.send("rulesets/dry-run", gin).json()["looked_at"] == 0
    # A hand's own rule is stronger than the ruleset's: nothing changes for it.
    told = api.send("rulesets/dry-run", new).json()
    assert (told["looked_at"], told["changed"]) == (1, 0)


def test_a_version_is_tried_by_its_name(api, send, program, mallory):
    send(hand())
    api.send("rulesets", HOUSE)

    assert api.send("rulesets/dry-run", {"ruleset": "house@1"}).json()["changed"] == 1
    assert api.send("rulesets/dry-run", {"ruleset": "indian-13"}).json()["changed"] == 0
    for name in ("house", "house@2", "hause@1", "@", "house@x"):
        assert problem(api.send("rulesets/dry-run", {"ruleset": name})) == "bad-rules"
    assert problem(api.send("rulesets/dry-run", {})) == "bad-value"
    theirs = program(mallory)
    assert problem(theirs.send("rulesets/dry-run", {"ruleset": "house@1"})) == "bad-rules"


def test_scopes_and_clubs(api, program, alice, mallory):
    told = api.send("rulesets", HOUSE).json()
    reader, theirs = program(alice, Scope.RULESETS_READ), program(mallory)

    assert reader.get(told["url"]).status_code == 200
    assert problem(reader.send("rulesets", HOUSE)) == "missing-scope"
    activate = told["url"] + "/activate"
    assert problem(reader.send(activate, {"valid_from": "2026-01-01"})) == "missing-scope"
    assert problem(theirs.get(told["url"])) == "not-found"
    assert problem(theirs.send(activate, {"valid_from": "2026-01-01"})) == "not-found"
    assert ClubRuleset.objects.get().active is False
