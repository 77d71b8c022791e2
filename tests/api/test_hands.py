"""Hands in and out: what was sent, what became of it, and how it is read again."""

import gzip
import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from replays import audit, uploads
from replays.models import Club
from replays.models.people import Scope
from rummy_audit.rhl import write
from rummy_audit.rhl.read import read
from tests.api.conftest import problem
from tests.replays.hands import SHOWN, hand, hands

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
JSON_LINES = "application/vnd.rhl+jsonl"
TEXT = "text/plain"


def as_lines(text):
    return b"".join(write.to_json(each) for each in read(text))


def as_json(text):
    record, *events = [json.loads(line) for line in as_lines(text).splitlines()]
    end = events.pop()
    return {"hand": record, "events": events, "end": end}


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (TEXT, hand()),
        (JSON_LINES, as_lines(hand())),
        ("application/x-ndjson; charset=utf-8", as_lines(hand())),
        ("application/json", json.dumps(as_json(hand())).encode()),
    ],
)
def test_a_hand_is_taken_in_every_form_and_is_the_same_hand(api, content_type, body):
    first = api.send("hands", body, content_type)
    again = api.send("hands", as_lines(hand()), JSON_LINES)

    assert (first.status_code, again.status_code) == (201, 200)
    [created], [duplicate] = first.json()["outcomes"], again.json()["outcomes"]
    assert created["outcome"] == "created"
    assert duplicate == {**created, "outcome": "duplicate", "place": duplicate["place"]}
    shown = api.get(created["url"]).json()
    assert shown["name"] == "T4-17"
    assert (shown["seq"], shown["open"]) == (created["stored"]["seq"], False)
    assert shown["head"] == created["stored"]["head"]


def test_every_hand_of_a_file_is_answered_by_itself(api, program, alice):
    api.send("hands", hand("A"), TEXT)
    other = hand("A", lines=SHOWN.replace("score 1=0 2=80", "score 1=0 2=20"))
    longer = hand("B") + b"note the lights went out\n"
    api.send("hands", hand("B"), TEXT)

    answer = api.send("hands", b"\n".join([hand("C"), other, longer, hand("A"), b"hand D x"]), TEXT)

    assert answer.status_code == 201
    said = answer.json()
    assert [(each["name"], each["outcome"]) for each in said["outcomes"]] == [
        ("C", "created"),
        ("A", "conflict"),
        ("B", "appended"),
        ("A", "duplicate"),
        ("D", "rejected"),
    ]
    conflict, rejected = said["outcomes"][1], said["outcomes"][4]
    assert conflict["stored"]["head"] != conflict["sent"]["head"]
    assert rejected["place"]["line"] == 38
    assert rejected["expected"]
    assert api.get(said["url"]).json() == said

    # Of cards that may be hidden nothing is told to who only reads: no digest, no word of a log.
    seen = program(alice, Scope.HANDS_READ).get(said["url"]).json()
    assert ("sha256" in said, "sha256" in seen) == (True, False)
    assert seen["outcomes"][1]["sent"] == {"seq": conflict["sent"]["seq"]}
    assert seen["outcomes"][1]["found"] == "another hand"
    assert {"found", "expected"} & set(seen["outcomes"][4]) == set()


def test_people_see_what_a_program_has_sent_by_a_name(api, alice):
    api.send("hands?source=shop-1", hand(), TEXT)
    client = Client()
    client.force_login(alice.user)

    page = client.get("/upload").content.decode()

    assert re.search(r'<a href="/uploads/\w+">sent by a program \(shop-1\)</a>', page)


def test_a_hand_by_itself_costs_few_statements(api, django_assert_num_queries):
    answers = [api.send("hands", hand("T-0"), "text/plain")]
    with django_assert_num_queries({"postgresql": 3, "sqlite": 13}[connection.vendor]):
        answers.append(api.send("hands", hand("T-1"), "text/plain"))

    assert [each.json()["outcomes"][0]["outcome"] for each in answers] == ["created"] * 2


LISTS = ("hands", "verdicts", "export?kinds=log,report", "export/hands.csv")


def test_lists_cost_as_much_for_three_hands_as_for_one(program, alice):
    Club.objects.filter(pk=alice.club.pk).update(opens_after=5)
    blind = program(alice, Scope.HANDS_READ, Scope.HANDS_WRITE, Scope.EXPORT)

    def costs(count):
        sent = blind.send("hands", hands(count), TEXT).json()
        audit.audit_due()
        found = []
        for path in (*LISTS, sent["url"]):
            with CaptureQueriesContext(connection) as asked:
                told = b"".join(blind.get(path))
            assert told.count(b"H-") >= count
            found.append(len(asked))
        return found

    assert costs(1) == costs(3)


def test_where_nothing_was_taken_the_status_says_so(api):
    api.send("hands", hand("A"), TEXT)
    other = hand("A", lines=SHOWN.replace("score 1=0 2=80", "score 1=0 2=20"))

    conflict = api.send("hands", other, TEXT)
    unreadable = api.send("hands", b"hand D x\n", TEXT)

    assert (conflict.status_code, problem(conflict)) == (409, "hand-conflict")
    assert conflict.json()["outcomes"][0]["outcome"] == "conflict"
    assert (unreadable.status_code, problem(unreadable)) == (422, "not-taken")
    assert unreadable.json()["place"] == {"line": 1, "column": 8}


def test_a_large_file_becomes_an_upload_that_tells_how_far_it_is(api):
    answer = api.send("hands", hands(201), TEXT)

    assert answer.status_code == 202
    at = answer["Location"]
    assert api.get(at).json()["finished"] is False
    while uploads.read_due():
        pass
    said = api.get(at, {"limit": 150}).json()
    rest = api.get(at, {"limit": 150, "cursor": said["next"]}).json()
    assert (said["finished"], said["created"], said["percent"]) == (True, 201, 100)
    numbers = [each["number"] for each in [*said["outcomes"], *rest["outcomes"]]]
    assert numbers == list(range(1, 202))
    assert "next" not in rest


def test_a_gzipped_body_is_unpacked(api):
    packed = gzip.compress(hand("A")) + gzip.compress(b"\n" + hand("B"))

    answer = api.send("hands", packed, TEXT, headers={"content-encoding": "gzip"})

    assert answer.json()["created"] == 2


def test_hands_are_found_by_what_is_known_of_them(api):
    lines = as_lines(hand("A")).replace(b'"name":"Asha"', b'"name":"Asha","ref":"p-7"')
    lines = lines.replace(b'"id":"A"', b'"id":"A","table":"Table 4","match":{"id":"M1"}')
    wrong = hand("B", event="finals", lines=SHOWN.replace("2=80", "2=79"))
    api.send("hands", lines, JSON_LINES)
    api.send("hands", wrong, TEXT)
    audit.audit_due()

    def names(**wanted):
        return [each["name"] for each in api.get("hands", wanted).json()["hands"]]

    assert names() == ["B", "A"]
    assert names(table="Table 4") == names(player="p-7") == names(match="M1") == ["A"]
    assert names(event="finals") == names(code="score-wrong") == ["B"]
    assert names(verdict="flagged") == ["B"]
    assert names(ruleset="indian-13") == names(ruleset="indian-13@1") == ["B", "A"]
    assert names(ruleset="indian") == names(since="2100-01-01T00:00:00Z") == []
    assert names(until="2100-01-01T00:00:00Z", name="A") == ["A"]


def test_a_list_is_read_page_by_page_while_hands_come_in(api):
    api.send("hands", hands(5), TEXT)
    seen, query = [], {"limit": 2}
    while True:
        page = api.get("hands", query).json()
        seen += [each["name"] for each in page["hands"]]
        api.send("hands", hand(f"late-{len(seen)}"), TEXT)
        if "next" not in page:
            break
        query["cursor"] = page["next"]

    assert seen == ["H-4", "H-3", "H-2", "H-1", "H-0"]


def test_the_log_comes_back_as_it_was_sent(api):
    at = api.send("hands", hand(), TEXT).json()["outcomes"][0]["url"]

    lines = api.get(f"{at}/log")
    text = api.get(f"{at}/log", headers={"accept": TEXT})

    assert (lines["Content-Type"], lines.content) == (JSON_LINES, as_lines(hand()))
    assert text["Content-Type"].startswith(TEXT)
    assert as_lines(text.content) == as_lines(hand())


def test_report_findings_and_steps_say_the_same(api):
    wrong = hand(lines=SHOWN.replace("2=80", "2=79"))
    at = api.send("hands", wrong, TEXT).json()["outcomes"][0]["url"]
    audit.audit_due()

    report = api.get(f"{at}/report").json()
    findings = api.get(f"{at}/findings").json()
    steps = api.get(f"{at}/steps").json()

    assert [each["code"] for each in report["findings"]] == ["arrangement-not-best", "score-wrong"]
    assert findings["findings"] == report["findings"]
    assert [each["seq"] for each in steps["steps"]] == [1, 2, 3, 4]
    assert [each for step in steps["steps"] for each in step["findings"]] == report["findings"]


def test_who_has_an_answer_already_is_told_only_that(api):
    at = api.send("hands", hand(), TEXT).json()["outcomes"][0]["url"]
    first = api.get(at)

    same = api.get(at, headers={"if-none-match": first["ETag"]})
    audit.audit_due()
    changed = api.get(at, headers={"if-none-match": first["ETag"]})

    assert (same.status_code, same.content) == (304, b"")
    assert (changed.status_code, changed.json()["verdict"]) == (200, "clean")


def test_another_clubs_hand_is_not_there(api, program, mallory):
    at = api.send("hands", hand(), TEXT).json()["outcomes"][0]["url"]
    stranger = program(mallory)

    for path in (at, f"{at}/log", f"{at}/report", f"{at}/steps", f"{at}/findings"):
        theirs, nobodys = stranger.get(path), stranger.get(f"/api/v1/hands/{'2' * 16}")
        assert (theirs.status_code, theirs.json()) == (404, nobodys.json())
    assert stranger.get("hands").json() == {"hands": []}
