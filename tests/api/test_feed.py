"""The feed of verdicts, finding codes and matches over the API."""

import time

import pytest

from replays import audit, keys, match_audits, waiting
from replays.models import HandLog, MatchRow
from replays.models.people import Scope
from rummy_audit.rules.findings import codes
from tests.api.conftest import Program, problem
from tests.replays.hands import SHOWN, hand, hands

pytestmark = [pytest.mark.django_db]


@pytest.mark.storage
def test_following_the_feed_gives_every_verdict_once(api, send):
    send(hands(3))
    audit.audit_due()

    first = api.get("verdicts?limit=2").json()
    second = api.get(f"verdicts?limit=2&cursor={first['next']}").json()
    nothing = api.get(f"verdicts?cursor={second['next']}").json()
    assert [each["id"] for each in first["verdicts"]] == ["H-0", "H-1"]
    assert [each["id"] for each in second["verdicts"]] == ["H-2"]
    assert (first["more"], second["more"], nothing["verdicts"]) == (True, False, [])

    send(hand("later"))
    audit.audit_due()
    after = api.get(f"verdicts?cursor={nothing['next']}").json()
    assert [each["id"] for each in after["verdicts"]] == ["later"]


def test_a_verdict_on_the_feed_says_what_the_report_says(api, send):
    send(hand())
    audit.audit_due()

    [shown] = api.get("verdicts").json()["verdicts"]
    report = api.get(shown["url"] + "/report").json()
    assert shown["verdict"] == report["verdict"]
    assert shown["report_digest"] == report["report_digest"]
    assert shown["ruleset"] == {
        "id": report["ruleset"]["id"],
        "digest": report["ruleset"]["digest"],
    }
    severities = [each["severity"] for each in report["findings"]]
    assert (shown["errors"], shown["notes"]) == (
        severities.count("error"),
        severities.count("note"),
    )


def test_from_the_newest_on_only_what_comes(api, send):
    send(hand("before"))
    audit.audit_due()
    start = api.get("verdicts?start=newest").json()
    send(hand("after"))
    audit.audit_due()

    assert start["verdicts"] == []
    after = api.get(f"verdicts?cursor={start['next']}").json()["verdicts"]
    assert [each["id"] for each in after] == ["after"]


def test_the_verdict_of_a_hand_that_goes_on_is_told_to_those_who_may_see_its_cards(
    program, alice, send
):
    send(hand(lines=SHOWN.replace("end\n", "")))
    audit.audit_due()
    log = HandLog.objects.get()

    everything, table = program(alice), program(alice, Scope.HANDS_READ)
    [whole] = everything.get("verdicts").json()["verdicts"]
    [part] = table.get("verdicts").json()["verdicts"]
    assert whole["open"] is part["open"] is True
    assert (whole["notes"], whole["report_digest"]) == (log.notes, log.audit.report_digest)
    assert log.notes > 0
    assert (part["verdict"], part["notes"], part["report_digest"]) == ("unfinished", 0, None)


@pytest.fixture
def while_waiting():
    """Have something done, once, while a request waits; gives a setter."""
    yield waiting.end_when
    waiting.end_when(lambda: False)


def test_who_waits_is_answered_as_soon_as_there_is_a_verdict(api, send, while_waiting):
    place = api.get("verdicts").json()["next"]
    send(hand("late"))

    def judged_meanwhile():
        audit.audit_due()
        return False

    while_waiting(judged_meanwhile)
    begun = time.monotonic()
    told = api.get(f"verdicts?cursor={place}&wait=20").json()
    assert [each["id"] for each in told["verdicts"]] == ["late"]
    # There is more: nothing is waited for.
    assert api.get(f"verdicts?cursor={place}&wait=20").json()["verdicts"] == told["verdicts"]
    assert time.monotonic() - begun < 10


def test_a_key_that_ends_while_it_waits_is_told_nothing(alice, send, while_waiting):
    key, secret = keys.make_key(alice, name="k", scopes=[Scope.HANDS_READ])
    reader = Program(secret)
    place = reader.get("verdicts").json()["next"]
    send(hand("late"))

    def revoked_meanwhile():
        keys.revoke_key(alice, key)
        audit.audit_due()
        return False

    while_waiting(revoked_meanwhile)
    assert problem(reader.get(f"verdicts?cursor={place}&wait=20")) == "not-signed-in"


def test_waiting_ends_by_itself_at_a_stop_and_where_many_wait(api, while_waiting):
    place = api.get("verdicts").json()["next"]
    begun = time.monotonic()
    assert api.get(f"verdicts?cursor={place}&wait=1").json()["verdicts"] == []
    assert time.monotonic() - begun >= 1

    begun = time.monotonic()
    while_waiting(lambda: True)
    assert api.get(f"verdicts?cursor={place}&wait=20").json()["verdicts"] == []
    while_waiting(lambda: False)
    told = []

    def beside(others):
        """Ask while so many others wait."""
        if others:
            return waiting.wait(lambda: beside(others - 1), seconds=20)
        told.append(api.get(f"verdicts?cursor={place}&wait=20").json()["verdicts"])
        return True

    assert (beside(waiting.MOST), told) == (True, [[]])
    assert time.monotonic() - begun < 10
    assert problem(api.get("verdicts?wait=21")) == "bad-parameter"


def test_the_feed_is_a_clubs_own(api, program, mallory, send):
    send(hand())
    audit.audit_due()
    theirs = program(mallory)
    cursor = api.get("verdicts").json()["next"]

    assert theirs.get("verdicts").json()["verdicts"] == []
    assert theirs.get(f"verdicts?cursor={cursor}").json()["verdicts"] == []


@pytest.mark.parametrize("cursor", ["x", "1", "MQ:1uX:abc", "%00"])
def test_a_cursor_that_is_not_ours_is_refused(api, cursor):
    assert problem(api.get(f"verdicts?cursor={cursor}")) in ("bad-cursor", "bad-parameter")


def test_a_cursor_of_another_list_is_refused(api, send):
    send(hands(2))
    cursor = api.get("hands?limit=1").json()["next"]

    assert problem(api.get(f"verdicts?cursor={cursor}")) == "bad-cursor"


# --- codes ---------------------------------------------------------------------------------------


def test_every_code_is_listed_with_its_clauses(api, program):
    listed = api.get("findings").json()["codes"]

    assert [each["code"] for each in listed] == list(codes())
    shown = api.get("findings/set-repeated-suit").json()
    assert shown in listed
    assert (shown["category"], shown["severity"]) == ("declaration", "error")
    assert {"indian", "basic"} <= {each["family"] for each in shown["clauses"]}
    assert any("001 Set Rules" in each["sources"] for each in shown["clauses"])
    assert problem(api.get("findings/set-repeated-colour")) == "not-found"


# --- matches -------------------------------------------------------------------------------------


def deal(number):
    return hand(f"D{number}", head="").replace(
        b"player 1", f"match M1 format=points deal={number}\nplayer 1".encode(), 1
    )


def test_a_match_is_listed_and_shown_with_totals_and_report(api, send):
    send(deal(1) + b"\n" + deal(2))
    audit.audit_due()
    MatchRow.objects.update(due="2026-01-01T00:00:00Z")
    match_audits.audit_due()

    [listed] = api.get("matches").json()["matches"]
    shown = api.get(listed["url"]).json()
    assert {key: shown[key] for key in listed} == listed
    assert (listed["name"], listed["deals"], listed["audited"]) == ("M1", 2, True)
    assert shown["totals"] == shown["report"]["totals"]
    assert shown["verdict"] == shown["report"]["verdict"]


def test_matches_are_paged_and_a_clubs_own(api, program, mallory, send):
    for number in range(3):
        send(hand(f"D{number}").replace(b"player 1", f"match M{number}\nplayer 1".encode(), 1))
    seen, cursor = [], ""
    while True:
        page = api.get(f"matches?limit=2&cursor={cursor}").json()
        seen += [each["name"] for each in page["matches"]]
        if not (cursor := page.get("next", "")):
            break

    assert seen == ["M2", "M1", "M0"]
    one = MatchRow.objects.first()
    assert program(mallory).get("matches").json() == {"matches": []}
    assert problem(program(mallory).get(f"matches/{one.public_id}")) == "not-found"
