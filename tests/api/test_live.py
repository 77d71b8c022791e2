"""A live table: events come in as they are played, and what is wrong is told at once."""

import json

import pytest

from replays.models import LogBatch
from replays.models.people import Scope
from rummy_audit.rhl import digests
from rummy_audit.rhl.read import read
from tests.api.conftest import problem

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
JSON_LINES = "application/vnd.rhl+jsonl"

RECORD = {
    "type": "hand",
    "rhl": 1,
    "id": "live-1",
    "ruleset": "gin",
    "detail": "full",
    "dealer": 2,
    "players": [{"seat": 1, "name": "Asha"}, {"seat": 2, "name": "Bilal"}],
}
ONE = ["AS", "2S", "3S", "4H", "5H", "6H", "7D", "8D", "9D", "KC"]
TWO = ["AH", "2H", "3H", "4S", "5S", "6S", "7C", "8C", "9C", "KD"]
EVENTS = [
    {"type": "deal", "seat": 1, "cards": ONE},
    {"type": "deal", "seat": 2, "cards": TWO},
    {"type": "upcard", "card": "QS"},
    {"type": "draw", "seat": 1, "from": "discard", "card": "QS"},
    {"type": "discard", "seat": 1, "card": "QS"},
    {"type": "draw", "seat": 2, "from": "stock", "card": "JC"},
    {"type": "discard", "seat": 2, "card": "QD"},  # which they do not hold
]
NOT_HELD = "card-not-held"
END = {"status": "abandoned"}


def numbered(events, first=1):
    return [{**event, "seq": seq} for seq, event in enumerate(events, first)]


@pytest.fixture
def table(api):
    """The address of an open hand with its deal."""
    lines = [RECORD, *numbered(EVENTS[:3])]
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return api.send("hands", body, JSON_LINES).json()["outcomes"][0]["url"]


def test_events_are_appended_and_what_is_wrong_comes_back(api, table):
    first = api.send(f"{table}/events", {"expect": 3, "events": EVENTS[3:5]})
    second = api.send(f"{table}/events", {"events": numbered(EVENTS[5:], 6)})

    assert (first.status_code, second.status_code) == (200, 200)
    assert [each["code"] for each in first.json()["findings"]] == ["discard-just-taken"]
    assert (second.json()["seq"], second.json()["open"]) == (7, True)
    hand = next(read(api.get(f"{table}/log").content))
    assert len(hand.events) == 7
    assert second.json()["head"] == digests.chain(hand).head
    assert first.json()["head"] == digests.chain(hand).heads[5]
    assert second.json()["findings"] == api.get(f"{table}/report").json()["findings"]


def test_the_same_events_again_are_the_same_answer(api, table):
    batch = {"expect": 3, "events": EVENTS[3:5]}
    first = api.send(f"{table}/events", batch)
    api.send(f"{table}/events", {"expect": 5, "events": EVENTS[5:], "end": END})

    again = api.send(f"{table}/events", batch)

    assert (again.status_code, again.json()) == (200, first.json())
    assert LogBatch.objects.count() == 3


def test_what_begins_beyond_the_head_is_refused_and_nothing_of_it_is_kept(api, table):
    answer = api.send(f"{table}/events", {"expect": 4, "events": EVENTS[4:]})

    assert (answer.status_code, problem(answer)) == (409, "behind-the-head")
    head = api.get(table).json()["head"]
    assert answer.json()["head"] == {"seq": 3, "head": head}
    assert len(next(read(api.get(f"{table}/log").content)).events) == 3


def test_an_overlap_must_be_the_same(api, table):
    same = api.send(f"{table}/events", {"expect": 1, "events": EVENTS[1:5]})
    other = api.send(f"{table}/events", {"expect": 3, "events": EVENTS[4:6]})

    assert (same.status_code, same.json()["seq"]) == (200, 5)
    assert (other.status_code, problem(other)) == (409, "log-differs")
    assert other.json()["head"]["seq"] == 5


def test_json_lines_and_if_match_do_as_well(api, table):
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in EVENTS[3:5])

    answer = api.send(f"{table}/events", lines, JSON_LINES, headers={"if-match": '"3"'})
    missing = api.send(f"{table}/events", lines, JSON_LINES)

    assert (answer.status_code, answer["ETag"], answer.json()["seq"]) == (200, '"5"', 5)
    assert (missing.status_code, problem(missing)) == (428, "precondition-required")


def test_who_saw_no_hidden_cards_gets_the_same_answer_after_the_end(program, alice, api, table):
    player = program(alice, Scope.HANDS_READ, Scope.HANDS_WRITE)
    said = {"expect": 3, "events": EVENTS[3:7]}
    first = player.send(f"{table}/events", said)
    api.send(f"{table}/events", {"expect": 7, "events": [], "end": END})

    again = player.send(f"{table}/events", said)

    assert (first.status_code, again.status_code) == (200, 200)
    assert (again.json(), again["ETag"]) == (first.json(), first["ETag"])
    assert NOT_HELD not in [each["code"] for each in again.json()["findings"]]


def test_the_end_closes_the_hand_and_amendments_may_follow(api, table):
    amend = {"type": "amend", "target": 3, "replace": {"type": "upcard", "card": "QH"}, "by": "s"}
    api.send(f"{table}/events", {"expect": 3, "events": [], "end": END})

    again = api.send(f"{table}/events", {"expect": 3, "events": [], "end": END})
    late = api.send(f"{table}/events", {"expect": 3, "events": EVENTS[3:4]})
    amended = api.send(f"{table}/events", {"expect": 3, "events": [amend]})

    assert (again.status_code, again.json()["open"]) == (200, False)
    assert (late.status_code, problem(late)) == (409, "hand-ended")
    assert (amended.status_code, amended.json()["seq"]) == (200, 4)


@pytest.mark.parametrize("end", [{}, {"status": "over"}])
def test_an_end_that_cannot_be_is_refused_and_its_events_with_it(api, table, end):
    answer = api.send(f"{table}/events", {"expect": 3, "events": EVENTS[3:5], "end": end})

    assert (answer.status_code, problem(answer)) == (422, "cannot-follow")
    assert answer.json()["place"] == {"pointer": "/end"}
    assert api.get(table).json()["seq"] == 3


def test_steps_as_a_seat_sees_them(api, table):
    shown = api.get(f"{table}/steps?seat=1").json()

    assert shown["seat"] == 1
    deals = [(step["event"].get("cards"), step["event"].get("count")) for step in shown["steps"]]
    assert deals == [(ONE, None), (None, 10), (None, None)]
    refused = api.get(f"{table}/steps?seat=3")
    assert (problem(refused), refused.json()["known"]) == ("bad-parameter", [1, 2])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"expect": 3, "events": [{**EVENTS[3], "seq": 9}]}, "/events/0/seq"),
        ({"expect": 3, "events": []}, "/events"),
        ({"expect": 3, "events": [EVENTS[3]], "extra": 1}, ""),
        ({"expect": -1, "events": [EVENTS[3]]}, "/expect"),
    ],
)
def test_what_cannot_stand_there_is_refused_with_its_place(api, table, body, pointer):
    answer = api.send(f"{table}/events", body)

    assert (answer.status_code, problem(answer)) == (400, "bad-value")
    assert answer.json()["place"] == {"pointer": pointer}


@pytest.mark.parametrize(
    ("events", "pointer"),
    [
        ([{"type": "drop"}], "/events/0"),
        ([EVENTS[3], RECORD], "/events/1"),
        ([{**EVENTS[3], "seat": 99}], "/events/0"),
        ([EVENTS[3], {**EVENTS[4], "note": "x" * 501}], "/events/1"),
    ],
)
def test_a_record_that_cannot_follow_is_refused_with_its_place(api, table, events, pointer):
    answer = api.send(f"{table}/events", {"expect": 3, "events": events})

    assert (answer.status_code, problem(answer)) == (422, "cannot-follow")
    assert answer.json()["place"] == {"pointer": pointer}
    assert answer.json()["head"]["seq"] == api.get(table).json()["seq"] == 3


def test_a_line_is_named_by_its_number_in_the_body(api, table):
    body = b"\n\n".join(json.dumps({**each, "seq": 9}).encode() for each in EVENTS[3:5])

    answer = api.send(f"{table}/events", body, JSON_LINES, headers={"if-match": '"8"'})

    assert answer.json()["place"] == {"line": 3}


# --- what lies face down -----------------------------------------------------------------------


@pytest.fixture
def blind(program, alice):
    """A client that may write hands, but not see what is hidden."""
    return program(alice, Scope.HANDS_READ, Scope.HANDS_WRITE)


HIDDEN = [card for card in (*ONE, *TWO, "JC") if card != "QS"]


def test_nothing_hidden_is_told_without_the_right_to_it(blind, api, table):
    answer = blind.send(f"{table}/events", {"expect": 3, "events": EVENTS[3:]})
    paths = ("", "/log", "/report", "/steps", "/findings", "/steps?seat=1")
    found = [*(blind.get(f"{table}{path}") for path in paths), blind.get("/api/v1/hands")]
    assert {each.status_code for each in (answer, *found)} == {200}
    said = [each.content for each in (answer, *found)]
    said.append(blind.send(f"{table}/events", {"expect": 9, "events": EVENTS[:1]}).content)

    told = b"\n".join(said).decode()
    assert [card for card in HIDDEN if f'"{card}"' in told] == []
    assert '"head":"' not in told
    assert "core_digest" not in told
    codes = [each["code"] for each in answer.json()["findings"]]
    assert codes == ["discard-just-taken"]
    assert NOT_HELD in api.get(f"{table}/findings").content.decode()


def test_a_search_for_findings_says_nothing_of_what_is_hidden(blind, api, table):
    from replays import audit

    api.send(f"{table}/events", {"expect": 3, "events": EVENTS[3:]})
    audit.audit_due()

    found = [len(each.get("hands", {"code": NOT_HELD}).json()["hands"]) for each in (api, blind)]

    assert found == [1, 0]


def test_when_the_hand_is_over_everybody_sees_all(blind, table):
    blind.send(f"{table}/events", {"expect": 3, "events": EVENTS[3:], "end": END})

    assert '"JC"' in blind.get(f"{table}/log").content.decode()
    assert blind.get(table).json()["head"]


def test_more_records_than_a_hand_has_are_refused_with_what_to_do(api, table):
    note = {"type": "note", "text": "?"}
    line = json.dumps(note).encode() + b"\n"
    bodies = (
        ({"expect": 3, "events": [note] * 5002}, "application/json", {"pointer": "/events/5001"}),
        (line * 5002, JSON_LINES, {"line": 5002}),
    )

    for body, kind, place in bodies:
        refused = api.send(f"{table}/events", body, kind)
        said = refused.json()
        assert (refused.status_code, problem(refused)) == (413, "too-many-records")
        assert (said["place"], said["most"]) == (place, 5001)
        assert "at most as many records" in said["next"]
    too_large = api.send(f"{table}/events", line + b" " * 2**21, JSON_LINES)
    assert (problem(too_large), too_large.json()["most"]) == ("too-large", 2**21)
    assert LogBatch.objects.count() == 1
