"""Who is let in, to what, and how everybody else is refused."""

from datetime import timedelta

import msgspec
import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils import timezone

from replays import keys
from replays.models import HandLog, TrailEntry
from replays.models.people import Scope
from tests.api.conftest import Program, problem
from tests.replays.hands import hand

pytestmark = pytest.mark.django_db
TEXT = "text/plain"


def test_a_key_without_the_scope_is_told_which_one_is_missing(program, alice):
    reader = program(alice, Scope.HANDS_READ)

    answer = reader.send("hands", hand(), TEXT)

    assert (answer.status_code, problem(answer)) == (403, "missing-scope")
    assert answer.json()["scope"] == "hands:write"
    assert HandLog.objects.count() == 0
    assert reader.get("hands").json() == {"hands": []}


@pytest.mark.parametrize("end", ["revoked", "expired", "cut"])
def test_a_key_that_has_ended_opens_nothing(alice, end):
    words = {"expires_at": timezone.now() - timedelta(seconds=1)} if end == "expired" else {}
    key, secret = keys.make_key(alice, name="k", scopes=[Scope.HANDS_READ], **words)
    if end == "revoked":
        keys.revoke_key(alice, key)

    answer = Program(secret[:-1] if end == "cut" else secret).get("hands")

    assert (answer.status_code, problem(answer)) == (401, "not-signed-in")
    assert answer["WWW-Authenticate"] == 'Bearer realm="api"'


def test_a_wrong_key_is_not_saved_by_a_session(alice, signed_in):
    client = signed_in(alice)

    assert client.get("/api/v1/hands").status_code == 200
    wrong = client.get("/api/v1/hands", headers={"authorization": "Bearer rma_x_y"})
    assert problem(wrong) == "not-signed-in"


ASKED = ("hands", "hands?limit=x", "hands/none/report", "no-such-route", "docs", "openapi.json")


@pytest.mark.parametrize("path", ASKED)
def test_what_a_program_gets_is_what_it_would_get_past_all_that_serves_browsers(api, path):
    """The short way leaves out what has nothing to do for a program, not what it is owed."""
    api.send("hands", hand(), TEXT)
    whole = [each for each in settings.MIDDLEWARE if each != "api.straight.StraightToOperations"]
    assert len(whole) == len(settings.MIDDLEWARE) - 1

    short = api.get(path)
    api.handler = type(api.handler)(api.handler.enforce_csrf_checks)
    with override_settings(MIDDLEWARE=whole):
        long = api.get(path)

    one, other = ({**each.headers, "X-Request-Id": ""} for each in (short, long))
    for said in (one, other):
        said["Content-Security-Policy"] = set(said["Content-Security-Policy"].split("; "))
    assert (short.status_code, one) == (long.status_code, other)
    if path != "docs":  # a page has a nonce
        assert short.content == long.content


def test_a_members_session_writes_only_from_our_own_page(bob):
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob.user)

    answer = client.post("/api/v1/hands", hand(), content_type=TEXT)

    assert (answer.status_code, problem(answer)) == (403, "csrf")
    assert HandLog.objects.count() == 0


def test_a_members_page_writes_with_the_token_in_a_header(bob):
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob.user)
    client.get("/evenings/new")
    token = client.cookies["csrftoken"].value

    answer = client.post("/api/v1/hands", hand(), content_type=TEXT, headers={"X-CSRFToken": token})

    assert (answer.status_code, answer.json()["created"]) == (201, 1)
    wrong = client.post(
        "/api/v1/hands", hand("other"), content_type=TEXT, headers={"X-CSRFToken": token[::-1]}
    )
    assert problem(wrong) == "csrf"


def test_a_key_over_its_rate_is_told_when_to_go_on(program, alice):
    slow = program(alice, rate=20)

    answers = [slow.get("hands") for _ in range(3)]

    assert answers[0].status_code == 200
    assert (answers[-1].status_code, problem(answers[-1])) == (429, "too-many-requests")
    assert 1 <= int(answers[-1]["Retry-After"]) <= 3


def test_to_ask_for_what_a_key_may_not_do_costs_as_much(program, alice):
    slow = program(alice, Scope.EXPORT, rate=20)

    assert [problem(slow.get("hands")) for _ in range(3)][::2] == [
        "missing-scope",
        "too-many-requests",
    ]


def test_what_is_not_there_is_named_with_what_is(api):
    parameter = api.get("hands", {"club": "x"})
    method = api.send("hands", {}, method="DELETE")
    form = api.get("hands", headers={"accept": "text/html"})
    kind = api.send("judge", b"a=1", "application/x-www-form-urlencoded")

    assert problem(parameter) == "unknown-parameter"
    assert parameter.json()["place"] == {"parameter": "club"}
    assert "verdict" in parameter.json()["known"]
    assert (problem(method), method["Allow"]) == ("method-not-allowed", "GET, HEAD, POST")
    assert (problem(form), form.json()["known"]) == ("not-acceptable", ["application/json"])
    assert problem(kind) == "unsupported-media-type"
    assert kind.json()["known"] == ["application/json", "application/x-ndjson"]


def test_every_write_leaves_an_entry_on_the_trail(api):
    answer = api.send("hands", hand(), TEXT)
    upload = answer.json()["id"]

    entry = TrailEntry.objects.get(verb="upload.receive")
    assert (entry.target, entry.after["size"]) == (upload, len(hand()))
    assert entry.via.startswith("key ")


def test_judge_and_audit_store_nothing_and_say_what_the_commands_say(api, tmp_path, capsys):
    from django.core.management import call_command

    file = tmp_path / "hand.rhl"
    file.write_bytes(hand())
    call_command("audit", str(file), format="json")
    by_command = capsys.readouterr().out.replace(str(file), "")
    call_command("judge", "5H 6H 7H | 6D 7D QS 9D + KS", wild="Q", format="json")
    judged_by_command = capsys.readouterr().out

    audited = api.send("audit", hand(), TEXT)
    groups = [["5H", "6H", "7H"], ["6D", "7D", "QS", "9D"]]
    asked = {"ruleset": "indian-13", "wild": "Q", "groups": groups, "loose": ["KS"]}
    judged = api.send("judge", asked)

    assert audited.content.decode() == by_command.strip()
    assert judged.content.decode() == judged_by_command.strip()
    assert HandLog.objects.count() == 0


def test_a_question_that_cannot_be_judged_is_refused_with_its_part(api):
    answer = api.send("judge", {"ruleset": "indian-13", "cards": ["XX"]})

    assert (answer.status_code, problem(answer)) == (422, "cannot-be-judged")
    assert answer.json()["place"] == {"pointer": "/cards"}
    none = api.send("judge", {"ruleset": "indian-13", "cards": []}).json()
    assert none["detail"] == "Found nothing, expected some cards."


def test_questions_are_answered_line_by_line(api):
    lines = b'{"id":1,"ruleset":"gin","cards":["KS"]}\n{"id":2}\n'

    answer = api.send("judge", lines, "application/x-ndjson")

    said = [line for line in answer.content.split(b"\n") if line]
    assert answer["Content-Type"] == "application/x-ndjson"
    assert len(said) == 2
    assert b'"error"' in said[1]


def test_large_racks_are_judged_a_few_at_once(api):
    rack = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 12)]
    line = msgspec.json.encode({"ruleset": "tile-easy", "cards": rack}) + b"\n"

    taken = api.send("judge", line, "application/x-ndjson")
    refused = api.send("judge", line * 11, "application/x-ndjson")

    assert msgspec.json.decode(taken.content)["most_tiles"] == len(rack)
    assert (refused.status_code, problem(refused)) == (413, "too-large")
    assert (
        refused.json()["detail"] == "At most 10 questions of more than 40 cards or tiles at once."
    )
