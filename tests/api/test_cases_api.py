"""Cases over the API: versions, refusals with their reason, and a decision that was looked at."""

import base64
from datetime import timedelta

import pytest
from django.utils import timezone

from replays import sight, storage
from replays.models import Case, Decision, Evidence, LogBatch, TrailEntry
from replays.models.people import Scope
from tests.api.conftest import problem
from tests.replays.disputes import REASONS, WHY, dispute, png  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def new(dispute):  # noqa: F811
    said = {"hand": dispute.log.public_id, "kind": "declaration", "seq": dispute.seq}
    return {**said, "text": WHY}


RULE = {
    "outcome": "granted",
    "clause": "001 Declaration Rules",
    "text": REASONS,
    "effect": "points",
    "points": {"1": 80, "2": 0, "3": 0},
}


def test_a_case_from_its_opening_to_an_appeal(dispute, program):  # noqa: F811
    club, referee = program(dispute.bob), program(dispute.charlie)
    made = club.send("cases", new(dispute))
    assert (made.status_code, made["ETag"]) == (201, '"1"')
    again = club.send("cases", new(dispute))
    assert (again.status_code, again["ETag"]) == (200, '"1"')  # nothing is said twice
    more = new(dispute) | {"text": "And the finish card was laid face up."}
    assert club.send("cases", more).status_code == 200  # joined, not a second one

    taken = referee.send("cases/1/claim", {}, headers={"If-Match": '"2"'})
    assert (taken.json()["state"], taken.json()["holder"]) == ("assigned", "charlie")
    shown = referee.send("cases/1/decisions", RULE).json()
    assert [(row["seat"], row["total_then"], row["out_then"]) for row in shown["seats"]] == [
        (1, 110, True),
        (2, 0, False),
        (3, 60, False),
    ]
    seen = {**RULE, "seen": shown["seen"]}
    assert problem(referee.send("cases/1/decisions", seen)) == "precondition-required"
    wrong = {**seen, "seen": "0" * 64}
    version = taken["ETag"]
    refused = referee.send("cases/1/decisions", wrong, headers={"If-Match": version})
    assert (problem(refused), refused.json()["seen"]) == ("look-first", shown["seen"])

    saved = referee.send("cases/1/decisions", seen, headers={"If-Match": version})

    assert saved.status_code == 201
    (decision,) = saved.json()["decisions"]
    assert (decision["number"], decision["points"], decision["stands"]) == (
        1,
        {"1": 80, "2": 0, "3": 0},
        True,
    )
    appealed = club.send("cases/1/appeal", {"text": "The photo shows a pure sequence of spades."})
    assert (appealed.json()["state"], appealed.json()["level"]) == ("appealed", 1)
    whole = club.get("cases/1").json()
    # Every event has its time and its words.
    assert next(each["text"] for each in whole["events"] if "text" in each) == WHY
    assert all(each["at"] for each in whole["events"])


def test_who_does_not_see_the_cards_yet_decides_nothing(dispute, program):  # noqa: F811
    dispute.club.opens_after = None
    dispute.club.save()
    program(dispute.bob).send("cases", new(dispute))
    blind = program(dispute.charlie, Scope.CASES_READ, Scope.CASES_DECIDE)

    refused = blind.send("cases/1/claim", {})
    assert (problem(refused), "do not see all cards" in refused.json()["detail"]) == (
        "case-refused",
        True,
    )
    # Nor are the points of hidden cards told by what a decision would move,
    program(dispute.charlie).send("cases/1/claim", {})
    assert problem(blind.send("cases/1/decisions", RULE)) == "case-refused"
    # in another hand of the match as little as in this one.
    dispute.club.opens_after = 5
    dispute.club.save()
    earlier = {"received_at": timezone.now() - timedelta(hours=6)}
    storage.lift_guards()
    LogBatch.objects.filter(log=dispute.log).update(**earlier)
    assert sight.is_opened(dispute.log, dispute.club)
    assert problem(blind.send("cases/1/decisions", RULE)) == "case-refused"
    LogBatch.objects.update(**earlier)
    storage.set_guards()
    assert blind.send("cases/1/decisions", RULE).json()["seats"][0]["total_then"] == 110


def test_a_step_on_an_older_version_is_not_taken(dispute, program):  # noqa: F811
    program(dispute.bob).send("cases", new(dispute))
    late = program(dispute.erin).send("cases/1/claim", {}, headers={"If-Match": '"9"'})

    assert (problem(late), late.json()["version"]) == ("precondition-failed", 1)
    assert Case.objects.get().holder is None


def test_what_a_case_does_not_allow_is_told_with_the_reason(dispute, program):  # noqa: F811
    club, referee = program(dispute.bob), program(dispute.charlie)
    nothing = club.send("cases", {**new(dispute), "kind": "drop"})
    assert problem(nothing) == "case-refused"
    assert "needs a drop" in nothing.json()["detail"]
    club.send("cases", new(dispute))

    refused = referee.send("cases/1/decisions", RULE)
    assert (problem(refused), refused.json()["detail"]) == (
        "case-refused",
        "This case waits for a referee: somebody has to claim it first.",
    )
    twice = referee.send("cases/1/decisions", {**RULE, "points": {"1": 80, "01": 5}})
    assert (problem(twice), twice.json()["place"]) == ("bad-value", {"pointer": "/points"})
    assert Decision.objects.count() == 0


def test_another_clubs_case_is_not_there(dispute, program, mallory):  # noqa: F811
    program(dispute.bob).send("cases", new(dispute))
    stranger = program(mallory)

    assert stranger.get("cases").json() == {"cases": []}
    assert problem(stranger.get("cases/1")) == "not-found"
    assert problem(stranger.send("cases/1/claim", {})) == "not-found"
    reader = program(dispute.bob, Scope.CASES_READ)
    assert problem(reader.send("cases/1/claim", {})) == "missing-scope"


def test_cases_come_in_pages(dispute, program):  # noqa: F811
    club = program(dispute.bob)
    club.send("cases", new(dispute))
    club.send("cases", {**new(dispute), "kind": "score", "seq": 0})

    first = club.get("cases?limit=1").json()
    rest = club.get(f"cases?limit=1&cursor={first['next']}").json()

    assert [each["number"] for each in (*first["cases"], *rest["cases"])] == [2, 1]
    assert "next" not in rest


def test_each_other_step_of_a_case(dispute, program):  # noqa: F811
    club, referee, other = map(program, (dispute.bob, dispute.charlie, dispute.erin))
    club.send("cases", new(dispute))
    # Given back by its referee alone, while they are not idle.
    referee.send("cases/1/claim", {})
    refused = other.send("cases/1/release", {})
    assert (problem(refused), "charlie has this case" in refused.json()["detail"]) == (
        "case-refused",
        True,
    )
    assert referee.send("cases/1/release", {}).json()["state"] == "open"

    pinned = club.send("cases/1/evidence", {"kind": "event", "seq": dispute.seq})
    assert (pinned.status_code, pinned.json()["events"][-1]["verb"]) == (201, "pin")
    again = club.send("cases/1/evidence", {"kind": "event", "seq": dispute.seq})
    assert problem(again) == "case-refused"
    picture = base64.b64encode(png()).decode()
    club.send("cases/1/evidence", {"kind": "image", "picture": picture, "text": "The sheet"})
    assert bytes(Evidence.objects.get(kind="image").body) == png()
    wrong = club.send("cases/1/evidence", {"kind": "image", "picture": "no base64!"})
    assert (problem(wrong), wrong.json()["place"]) == ("bad-value", {"pointer": "/picture"})

    # Joined to another one about the same hand, on the version that was read.
    club.send("cases", {**new(dispute), "kind": "score", "seq": 0})
    nowhere = referee.send("cases/2/join", {"into": 7})
    assert (problem(nowhere), nowhere.json()["place"]) == ("bad-value", {"pointer": "/into"})
    late = referee.send("cases/2/join", {"into": 1}, headers={"If-Match": '"9"'})
    assert problem(late) == "precondition-failed"
    joined = referee.send("cases/2/join", {"into": 1}, headers={"If-Match": '"1"'}).json()
    assert (joined["state"], joined["duplicate_of"]) == ("duplicate", 1)

    # Closed without a decision, and opened again by what was not known.
    referee.send("cases/1/claim", {})
    reason = "The sheet is lost and nobody remembers the cards."
    assert referee.send("cases/1/dismiss", {"text": reason}).json()["state"] == "no-action"
    known = {"text": "Look at the photo again.", "kind": "image", "picture": picture}
    assert "only with new evidence" in club.send("cases/1/reopen", known).json()["detail"]
    found = {"text": "Here is the sheet's other page.", "kind": "image"}
    found["picture"] = base64.b64encode(png(9)).decode()
    assert club.send("cases/1/reopen", found).json()["state"] == "open"
    verbs = TrailEntry.objects.filter(target__startswith="case").values_list("verb", flat=True)
    for verb in ("release", "pin", "join", "dismiss", "reopen"):
        assert f"case.{verb}" in verbs
