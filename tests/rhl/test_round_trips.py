"""Text, JSON Lines and records say the same, whatever a log holds."""

import json
import unicodedata
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rummy_audit.rhl import build, canonical, jsonlines, write
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Amend, Drop, Hand, HandRecord, Note
from tests.effort import some
from tests.rhl import strategies
from tests.rhl.profile import quick

ROOT = Path(__file__).resolve().parent.parent
CORPUS = sorted((ROOT / "corpus").glob("*/*.rhl.jsonl"))
GOLDEN = sorted((ROOT / "rhl" / "golden").glob("*.rhl"))


def read_one(data):
    """The only hand of a file."""
    (hand,) = read(data)
    assert isinstance(hand, Hand), hand
    return hand


def said(hand):
    """A hand without the place it was read from."""
    return msgspec.structs.replace(hand, file="", line=0)


@quick
@given(strategies.hands())
def test_any_hand_comes_back_from_json(hand):
    written = write.to_json(hand)
    back = read_one(written)

    assert msgspec.structs.replace(said(back), lines=()) == hand
    assert b"".join(line + b"\n" for line in back.lines) == written
    assert write.to_json(back) == written


@quick
@given(strategies.hands())
@example(Hand(record=HandRecord(rhl=1, id="a b", ruleset="gin", detail="full", players=())))
@example(
    Hand(
        record=HandRecord(rhl=1, id="1", ruleset="gin", detail="full", players=()),
        events=(Note(seq=1, text="@8"), Note(seq=2, text="a @8"), Drop(seq=3, seat=1, ms=-5)),
    )
)
def test_any_hand_comes_back_from_text(hand):
    text = write.to_text(hand)
    back = read_one(text.encode())

    assert back.lines == read_one(write.to_json(hand)).lines
    assert msgspec.structs.replace(said(back), lines=()) == hand
    assert write.to_text(back) == text


@quick
@given(strategies.RECORDS)
def test_canonical_bytes_are_what_any_program_would_sort(record):
    written = canonical.encode(record)

    plain = json.loads(written)
    again = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert written == again.encode()
    assert unicodedata.is_normalized("NFC", again)


def test_what_looks_like_an_unknown_event_is_one_only_where_events_are():
    written = (
        b'{"_x":{"kind":"a","type":"?"},"detail":"full","id":"1","match":{"kind":"b","type":"?"},'
        b'"players":[],"rhl":1,"rules":{"type":"?"},"ruleset":"gin","type":"hand"}\n'
        b'{"by":"?","replace":[{"kind":1,"type":"?"},{"type":"?"}],"seq":1,"target":9,'
        b'"type":"amend"}\n'
        b'{"kind":{"type":"?"},"seq":2,"type":"?"}\n'
    )
    hand = read_one(written)

    assert write.to_json(hand) == written
    assert write.to_json(read_one(write.to_text(hand).encode())) == written


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_corpus_hand_goes_round(path):
    """Text and JSON give equal records, and writing canonical twice is byte-equal."""
    found = list(read(path.read_bytes()))
    refused = [each.hand for each in found if isinstance(each, ReadError)]
    for hand in some(each for each in found if isinstance(each, Hand)):
        text = write.to_text(hand)
        back = read_one(text.encode())
        assert (back.lines, back.record, back.events, back.end, back.ended_after) == (
            hand.lines,
            hand.record,
            hand.events,
            hand.end,
            hand.ended_after,
        )
        assert write.to_text(back) == text
        written = write.to_json(hand)
        assert b"".join(line + b"\n" for line in hand.lines) == written
        assert said(read_one(written)) == said(hand)
    gaps = [f"F-seq-gap-0{number}" for number in range(5)]
    assert refused == (gaps if path.parent.name == "indian" and path.stem == "faulty.rhl" else [])


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_corpus_lines_are_sorted_as_they_were_written(path):
    """Nothing is lost or added: the canonical line is the line that was written, sorted."""
    for line in some(path.read_bytes().splitlines()):
        written = jsonlines.parse(line)[1]
        again = json.dumps(json.loads(line), sort_keys=True, separators=(",", ":"))
        assert written == again.encode()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_logs_say_the_same_in_both_forms(path):
    text = path.read_bytes()
    lines = path.with_suffix(".rhl.jsonl").read_bytes()
    from_text, from_json = list(read(text)), list(read(lines))

    assert b"".join(map(write.to_json, from_text)) == lines
    assert "".join(map(write.to_text, from_json)).encode() == text
    assert [(hand.record, hand.events, hand.end) for hand in from_text] == [
        (hand.record, hand.events, hand.end) for hand in from_json
    ]


@pytest.mark.parametrize("value", [5, "a b", True, {}])
def test_a_field_that_only_other_records_know_is_kept_in_both_forms(value):
    """An end with a time, a show with a card laid away: what is not known can be anything."""
    logs = [path.with_suffix(".rhl.jsonl").read_text() for path in GOLDEN]
    lines = [json.loads(line) for log in logs for line in log.splitlines() if line[:1] == "{"]
    each = {record["type"]: record for record in lines if record["type"] != "end"}
    records = [each.pop("hand"), *each.values(), {"type": "end", "status": "completed"}]
    for seq, record in enumerate(records[1:-1], start=1):
        record["seq"] = seq
    for record in records:
        cls = build.RECORDS.get(record["type"], Amend)
        foreign = strategies.KNOWN - {*cls.__struct_encode_fields__, *record}
        record.update(dict.fromkeys(sorted(foreign), value))
    hand = read_one("\n".join(map(json.dumps, records)).encode())

    assert hand.lines == read_one(write.to_text(hand).encode()).lines
    assert hand.end.extra["ms"] == hand.end.extra["seq"] == value


@pytest.mark.parametrize("ms", [0, 8120, 10**15, 2**53 - 1])
def test_a_time_behind_a_bare_note_is_a_time(ms):
    hand = read_one(f"hand T rhl=1 ruleset=gin detail=full\nnote lights out @{ms}\nend".encode())

    assert (hand.events[0].text, hand.events[0].ms) == ("lights out", ms)
    assert read_one(write.to_text(hand).encode()).lines == hand.lines


def test_every_record_has_a_golden_log():
    from rummy_audit.rhl import build

    assert {path.stem for path in GOLDEN} >= set(build.RECORDS)


@quick
@given(st.lists(strategies.hands(most=3), max_size=2), st.sampled_from(("json", "text", "both")))
def test_hands_of_a_file_are_read_in_order_whatever_their_form(hands, form):
    parts = []
    for number, hand in enumerate(hands):
        whole = (
            hand
            if hand.end is not None
            else msgspec.structs.replace(
                hand, end=strategies.records.End(status="completed"), ended_after=len(hand.events)
            )
        )
        in_text = form == "text" or (form == "both" and number % 2)
        parts.append((whole, write.to_text(whole).encode() if in_text else write.to_json(whole)))
    data = b"".join(written for _, written in parts)
    found = list(read(data)) if parts else []

    assert [msgspec.structs.replace(said(hand), lines=()) for hand in found] == [
        whole for whole, _ in parts
    ]
    assert [hand.line for hand in found] == [
        1 + sum(written.count(b"\n") for _, written in parts[:number])
        for number in range(len(parts))
    ]
