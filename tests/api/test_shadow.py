"""Shadow runs: many hands judged without counting, grouped by the settings that explain them."""

import pytest

from replays import audit, policies, shadow, stopping
from replays.models import FeedEntry, HandLog, ShadowPart, TrailEntry
from replays.models.people import Scope
from replays.sweep import give_up_exhausted
from tests.api.conftest import problem

pytestmark = [pytest.mark.django_db]
TEXT = "text/plain"


def sheet(name, lines, *, head="", ruleset="indian-13"):
    first = f"hand {name} rhl=1 ruleset={ruleset} detail=scores {head}\n"
    players = "player 1 Asha\nplayer 2 Bilal\nplayer 3 Chitra\n"
    return f"{first}{players}{lines}end\n\n".encode()


def week(ours=3, first_drop=4, both=2, slips=1):
    """Hands of a platform: like ours, with other drops, and with slips of its own."""
    points = {
        "ours": (ours, "score 1=20 2=0 3=40"),
        "drop": (first_drop, "score 1=25 2=0 3=40"),
        "both": (both, "score 1=25 2=0 3=50"),
    }
    hands = [
        sheet(f"{name}-{n}", f"{score} winner=2 marks 1=first-drop 3=middle-drop\n")
        for name, (count, score) in points.items()
        for n in range(count)
    ]
    slip = "score 1=1 2=0 3=40 winner=1 marks 1=full 3=middle-drop\n"
    return b"".join([*hands, *[sheet(f"slip-{n}", slip) for n in range(slips)]])


def work_off():
    while shadow.judge_due():
        pass


def numbers(api, run):
    return [each["number"] for each in api.get(run["url"]).json()["groups"]]


@pytest.fixture
def run(api):
    """A run over the week's hands, uploaded and judged."""
    made = api.send("shadow", {"words": "May"}).json()
    assert api.send(made["url"] + "/hands", week(), TEXT).json() == {"hands": 10, "unreadable": 0}
    work_off()
    return made


@pytest.mark.storage
def test_hands_that_differ_are_grouped_by_the_settings_that_explain_them(api, run):
    told = api.get(run["url"]).json()

    counts = {name: told[name] for name in ("percent", "hands", "agreeing", "differing")}
    assert counts == {"percent": 100, "hands": 10, "agreeing": 3, "differing": 7}
    [drop, both] = (each.pop("number") for each in told["groups"])
    assert drop != both
    assert told["groups"] == [
        {
            "ruleset": "indian-13@1",
            "settings": {"first_drop": 25},
            "hands": 4,
            "codes": {"penalty-points-wrong": 4},
            "examples": ["drop-0", "drop-1", "drop-2", "drop-3"],
        },
        {
            "ruleset": "indian-13@1",
            "settings": {"first_drop": 25, "middle_drop": 50},
            "hands": 2,
            "codes": {"penalty-points-wrong": 2},
            "examples": ["both-0", "both-1"],
        },
    ]
    assert told["unexplained"] == 1
    assert {each["code"]: (each["hands"], each["examples"]) for each in told["left"]} == {
        "score-wrong": (1, ["slip-0"]),
        "winner-wrong": (1, ["slip-0"]),
    }


def test_nothing_of_a_run_counts_or_stays(api, run):
    assert HandLog.objects.count() == FeedEntry.objects.count() == 0
    assert {bytes(part.body) for part in ShadowPart.objects.all()} == {b""}


@pytest.mark.storage
def test_a_run_over_stored_hands_changes_none_of_them(api, send):
    send(week(ours=20, first_drop=30, both=0, slips=0))
    audit.audit_due()
    before = list(HandLog.objects.values("verdict", "audit", "version"))
    made = api.send("shadow", {"stored": {"since": "2001-01-01T00:00:00Z"}}).json()
    half = api.get(made["url"]).json()
    work_off()

    told = api.get(made["url"]).json()
    assert (half["percent"], half["hands"]) == (0, 0)
    assert ShadowPart.objects.count() == 2
    assert (told["percent"], told["hands"], told["agreeing"]) == (100, 50, 20)
    [group] = told["groups"]
    assert (group["settings"], group["hands"]) == ({"first_drop": 25}, 30)
    assert all(api.get(f"hands/{each}").status_code == 200 for each in group["examples"])
    assert list(HandLog.objects.values("verdict", "audit", "version")) == before
    assert problem(api.send(made["url"] + "/hands", week(), TEXT)) == "bad-value"


def test_a_group_is_adopted_into_the_clubs_rules_and_explains_itself_away(api, run):
    made = api.send(run["url"] + "/adopt", {"name": "house", "groups": numbers(api, run)})
    told = made.json()

    assert (made.status_code, told["id"], told["active"]) == (201, "house@1", False)
    assert told["settings"] == {"first_drop": 25, "middle_drop": 50}
    api.send(told["url"] + "/activate", {"valid_from": "2026-01-01"})
    again = api.send("shadow", {}).json()
    hands = week().replace(b"ruleset=indian-13", b"ruleset=house")
    api.send(again["url"] + "/hands", hands, TEXT)
    work_off()
    found = api.get(again["url"]).json()
    assert found["agreeing"] == 2
    groups = {tuple(each["settings"].items()): each["hands"] for each in found["groups"]}
    assert groups[("middle_drop", 40),] == 4
    assert {each["ruleset"] for each in found["groups"]} == {"house@1"}

    first = numbers(api, again)[:1]
    further = api.send(again["url"] + "/adopt", {"name": "house", "groups": first}).json()
    assert (further["id"], further["base"]) == ("house@2", "indian-13@1")
    assert set(further["settings"]) == {"first_drop", "middle_drop"}


def test_what_cannot_be_adopted_is_refused(api, run):
    adopt = run["url"] + "/adopt"

    assert problem(api.send(adopt, {"name": "house", "groups": [7]})) == "bad-value"
    assert problem(api.send(adopt, {"name": "house", "groups": []})) == "bad-value"
    first = numbers(api, run)[:1]
    assert problem(api.send(adopt, {"name": "gin-ours", "groups": first})) == "bad-rules"


def test_a_group_keeps_its_number_when_others_grow_beyond_it(api, run):
    drop, both = numbers(api, run)
    api.send(run["url"] + "/hands", week(0, 0, 9, 0), TEXT)
    work_off()

    assert numbers(api, run) == [both, drop]
    made = api.send(run["url"] + "/adopt", {"name": "house", "groups": [drop]}).json()
    assert made["settings"] == {"first_drop": 25}


def test_hands_that_cannot_be_read_or_judged_are_counted(api):
    made = api.send("shadow", {}).json()
    body = week(1, 0, 0, 0) + b"hand broken x\n\n" + sheet("X", "", ruleset="house")
    added = api.send(made["url"] + "/hands", body, TEXT).json()
    work_off()

    told = api.get(made["url"]).json()
    assert added == {"hands": 2, "unreadable": 1}
    assert (told["hands"], told["unjudged"], told["unreadable"]) == (1, 1, 1)


def test_a_run_takes_so_many_hands_however_often_they_are_sent(api, monkeypatch):
    monkeypatch.setattr(shadow, "MOST_HANDS", 30)
    made = api.send("shadow", {"words": "May"}).json()

    first = api.send(made["url"] + "/hands", week(), TEXT)
    second = api.send(made["url"] + "/hands", week(), TEXT)

    assert (first.status_code, second.status_code) == (202, 400)
    assert second.json()["detail"] == "at most 30 hands: make another run for the rest"
    work_off()
    assert api.get(made["url"]).json()["hands"] == 10


def test_a_part_that_stops_its_worker_is_given_up_and_the_rest_goes_on(api, send):
    send(week(ours=30, first_drop=0, both=0, slips=0))
    made = api.send("shadow", {"stored": {}}).json()
    part = ShadowPart.objects.order_by("number").first()
    ShadowPart.objects.filter(pk=part.pk).update(attempts=3)
    give_up_exhausted()
    work_off()

    told = api.get(made["url"]).json()
    assert (told["percent"], told["hands"]) == (100, 5)


def test_a_worker_that_is_to_stop_puts_its_part_down_and_nothing_counts_twice(api, monkeypatch):
    made = api.send("shadow", {"words": "May"}).json()
    api.send(made["url"] + "/hands", week(), TEXT)
    reconcile = shadow.reconcile

    def asked_meanwhile(*hand, **fields):
        stopping.ask()
        return reconcile(*hand, **fields)

    monkeypatch.setattr(shadow, "reconcile", asked_meanwhile)
    try:
        assert shadow.judge_due()
    finally:
        stopping._asked[0] = 0
    part = ShadowPart.objects.get()
    assert (part.attempts, part.lease, part.found, part.finished_at) == (0, "", None, None)
    monkeypatch.undo()
    work_off()
    assert api.get(made["url"]).json()["hands"] == 10


def test_scopes_and_clubs(api, run, program, alice, mallory):
    theirs = program(mallory)

    assert theirs.get("shadow").json() == {"runs": []}
    assert problem(theirs.get(run["url"])) == "not-found"
    assert problem(theirs.send(run["url"] + "/hands", week(), TEXT)) == "not-found"
    assert problem(theirs.send(run["url"] + "/adopt", {"name": "x", "groups": [0]})) == "not-found"
    reader = program(alice, Scope.HANDS_READ)
    assert problem(reader.get(run["url"])) == "missing-scope"
    [listed] = api.get("shadow").json()["runs"]
    assert listed == run


# --- policies ----------------------------------------------------------------------------------


def test_a_club_says_by_code_what_is_counted_and_what_opens_a_case(api, program, alice, mallory):
    assert api.send("policies/score-wrong", {"act": "case"}, method="PUT").json() == {
        "code": "score-wrong",
        "act": "case",
    }

    told = {each["code"]: each["act"] for each in api.get("policies").json()["policies"]}
    assert {code for code, act in told.items() if act == "case"} == {"score-wrong"}
    assert policies.acts_of(alice.club) == told
    assert set(policies.acts_of(mallory.club).values()) == {"count"}
    assert TrailEntry.objects.filter(verb="policy.choose").values_list("target", "after").get() == (
        "score-wrong",
        "case",
    )
    assert problem(api.send("policies/no-code", {"act": "case"}, method="PUT")) == "not-found"
    assert problem(api.send("policies/score-wrong", {"act": "x"}, method="PUT")) == "bad-value"
    reader = program(alice, Scope.HANDS_READ)
    assert problem(reader.send("policies/score-wrong", {"act": "count"}, method="PUT")) == (
        "missing-scope"
    )
