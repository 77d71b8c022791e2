"""Taking data out: loss-free line by line, and tables that no spreadsheet runs (row 23)."""

import csv
import io
import json

import pytest

from replays import audit
from replays.models import HandLog
from replays.models.people import Scope
from tests.api.conftest import problem
from tests.replays.hands import SHOWN, hand, hands

pytestmark = [pytest.mark.django_db]
JSON_LINES = "application/vnd.rhl+jsonl"
# What a spreadsheet may run: signs, signs behind blanks and line ends, wide forms, calls.
PAYLOADS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x","y")',
    "=IMPORTXML(A1)",
    "==1",
    "+1+1",
    "+SUM(A1)",
    "-1+1",
    "-2-3",
    "-SUM(A1)",
    "@SUM(A1)",
    "@A1",
    " =1+1",
    "  +1",
    "\u00a0=1",
    "'=1",
    '"=1+1',
    "=1;2",
    "=1,2",
    "%0A=1",
    "|=1",
    "=",
    "+",
    "-",
    "@",
    "-1",
    "+49 30 1234",
    "=A1&B1",
    "=DDE(1)",
    "=MSEXCEL|x",
    "@import",
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1",
    "\uff20A1",
    "=①",
    "=é",
    "-é",
    "@é",
    "+é",
]
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def lines(answer):
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def logs(told):
    return [each for each in told if each["kind"] == "log"]


@pytest.mark.storage
def test_all_kinds_come_and_go_on_from_the_cursor(api, send):
    send(hands(2))
    audit.audit_due()

    told = lines(api.get("export"))
    kinds = [each["kind"] for each in told]
    assert (kinds.count("log"), kinds.count("report")) == (2, 2)
    assert kinds.count("finding") == sum(
        len(e["report"]["findings"]) for e in told if e["kind"] == "report"
    )
    assert kinds[-2:] == ["cursor", "end"]
    assert told[-1]["next"]
    nothing = lines(api.get(f"export?cursor={told[-1]['next']}"))
    assert [each["kind"] for each in nothing] == ["end"]

    send(hand("later"))
    audit.audit_due()
    more = lines(api.get(f"export?kinds=log&cursor={nothing[-1]['next']}"))
    assert [each["about"]["id"] for each in logs(more)] == ["later"]


def test_an_export_taken_in_by_another_club_is_byte_equal(api, program, mallory, send):
    texts = [
        hand("plain"),
        hand(
            "named",
            names=('"Zoë, die Katze"', '"=1+1"'),
            head='table="Table 4" started=2026-05-01T20:00:00Z',
        ),
        hand("late")
        + b"note the lights went out\n"
        + b'amend 3 by=scorer reason="typed wrong" : score 1=0 2=79 winner=1\n',
    ]
    send(b"\n".join(texts), source="evening book", event="May")
    audit.audit_due()
    raw = b"".join(api.get("export").streaming_content)
    told = logs([json.loads(line) for line in raw.splitlines()])
    assert len(told) == 3

    theirs = program(mallory)
    for each in told:
        body = b"".join(json.dumps(record).encode() + b"\n" for record in each["records"])
        about = each["about"]
        path = f"hands?source={about['source'].replace(' ', '+')}&event={about['event']}"
        assert theirs.send(path, body, JSON_LINES).status_code == 201
    audit.audit_due()
    second = b"".join(theirs.get("export").streaming_content)

    def bare(raw):
        """Log and report lines without what is each club's own: random ids and times."""
        kept = []
        for line in raw.splitlines():
            each = json.loads(line)
            if each["kind"] in ("log", "report"):
                start = line.index(b'"records"' if each["kind"] == "log" else b'"report":')
                about = {k: v for k, v in each["about"].items() if k not in ("hand", "audited_at")}
                kept.append((about, line[start:]))
        return kept

    assert bare(raw) == bare(second)
    assert [log.head for log in HandLog.objects.filter(club=mallory.club).order_by("pk")] == [
        log.head for log in HandLog.objects.exclude(club=mallory.club).order_by("pk")
    ]


def test_a_hand_that_was_amended_comes_once_as_it_is_now(api, send):
    send(hand("A"))
    audit.audit_due()
    send(hand("B"))
    audit.audit_due()
    before = lines(api.get("export?kinds=log"))[-1]["next"]
    send(hand("A") + b"note late\n")
    audit.audit_due()

    assert [e["about"]["id"] for e in logs(lines(api.get("export?kinds=log")))] == ["B", "A"]
    [changed] = logs(lines(api.get(f"export?kinds=log&cursor={before}")))
    assert (changed["about"]["id"], changed["about"]["version"]) == ("A", 2)
    assert changed["records"][-1]["text"] == "late"


def test_times_and_open_hands(api, send):
    send(hand("open", lines=SHOWN.replace("end\n", "")) + b"\n" + hand("ended"))
    audit.audit_due()

    assert [e["about"]["id"] for e in logs(lines(api.get("export")))] == ["ended"]
    assert logs(lines(api.get("export?since=2999-01-01T00:00:00Z"))) == []
    assert logs(lines(api.get("export?until=2001-01-01T00:00:00Z"))) == []
    assert len(logs(lines(api.get("export?since=2001-01-01T00:00:00Z")))) == 1


def test_queries_grow_with_the_hands_of_a_batch_only(api, send, django_assert_max_num_queries):
    send(hands(60))
    audit.audit_due()
    with django_assert_max_num_queries(20):
        told = lines(api.get("export?kinds=report,finding"))

    assert [each["kind"] for each in told].count("cursor") == 2


def test_what_cannot_be_taken_out(api, program, alice, mallory, send):
    send(hand())
    audit.audit_due()
    for query in ("kinds=", "kinds=names", "kinds=log,", "since=yesterday"):
        refused = api.get(f"export?{query}")
        if query == "kinds=log,":
            assert len(logs(lines(refused))) == 1
        else:
            assert problem(refused) == "bad-parameter"
    assert problem(api.get("export?cursor=1")) == "bad-cursor"
    assert problem(program(alice, Scope.HANDS_READ).get("export")) == "missing-scope"
    assert [each["kind"] for each in lines(program(mallory).get("export"))] == ["end"]


# --- tables ------------------------------------------------------------------------------------


def cells(answer):
    assert answer["Content-Type"].startswith("text/csv")
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_no_cell_is_taken_for_a_formula(api, send):
    send(hands(len(PAYLOADS)))
    columns = ("name", "source", "event", "table", "match")
    for log, payload in zip(HandLog.objects.order_by("pk"), PAYLOADS, strict=True):
        HandLog.objects.filter(pk=log.pk).update(**dict.fromkeys(columns, payload))

    header, *rows = cells(api.get("export/hands.csv"))
    assert len(rows) == len(PAYLOADS) >= 40
    assert [cell for row in (*rows, header) for cell in row if cell.startswith(STARTS)] == []
    # A mark in front, and the blanks around it: nothing else is changed.
    for row, payload in zip(reversed(rows), PAYLOADS, strict=True):
        told = {row[header.index(column)] for column in columns}
        assert {cell.removeprefix("'").replace("\\|", "|") for cell in told} == {payload.strip()}


def test_a_table_that_does_not_hold_all_says_where_the_rest_is(api, send):
    send(hands(5) + b"\n" + hand("A&B", event="May"))
    names, path, links = [], "export/hands.csv?since=2001-01-01T00:00:00%2B01:00&limit=4", []
    while path:
        answer = api.get(path)
        names += [row[1] for row in cells(answer)[1:]]
        links.append(answer.get("Link", ""))
        path = links[-1].partition(">")[0].removeprefix("<")

    assert names == ["A&B", "H-4", "H-3", "H-2", "H-1", "H-0"]
    assert [link.endswith('; rel="next"') for link in links] == [True, False]


def test_findings_are_a_table_too(api, send):
    send(hand("=1+1"))
    audit.audit_due()

    header, *rows = cells(api.get("export/findings.csv"))
    assert header[:4] == ["hand", "name", "event", "number"]
    shown = api.get("hands").json()["hands"][0]
    found = api.get(shown["url"] + "/findings").json()["findings"]
    code = header.index("code")
    assert [row[code] for row in rows] == [each["code"] for each in found]
    assert {row[1] for row in rows} == {"'=1+1"}
    assert cells(api.get("export/findings.csv?verdict=flagged"))[1:] == []
