"""The JSON Schema of a record says what readers and writers do."""

import json
from pathlib import Path

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given

from rummy_audit.rhl import build, canonical, jsonlines
from rummy_audit.rhl.cards_text import CARD_FACES, FACES
from rummy_audit.rhl.misread import MisreadError
from tests.rhl import hostile, strategies
from tests.rhl.profile import quick

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "rhl" / "rhl-1.schema.json").read_text(encoding="utf-8"))
LOGS = sorted((ROOT / "tests").glob("corpus/*/*.rhl.jsonl")) + sorted(
    (ROOT / "tests" / "rhl" / "golden").glob("*.rhl.jsonl")
)
is_valid = jsonschema_rs.validator_for(SCHEMA).is_valid


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_record_of_the_corpus_is_valid(path):
    records = map(json.loads, path.read_bytes().splitlines())

    assert [each for each in records if not is_valid(each)] == []


def test_two_validators_agree_on_a_sample():
    slow = jsonschema.Draft202012Validator(SCHEMA)
    for path in LOGS:
        for line in path.read_bytes().splitlines()[::400]:
            assert list(slow.iter_errors(json.loads(line))) == []


@quick
@given(strategies.RECORDS)
def test_what_is_written_is_valid(record):
    assert is_valid(json.loads(canonical.encode(record)))


# What a schema of one record cannot say: it sees neither text nor the lines before.
UNSEEN = {
    *("key-twice", "key-twice-in-nfc", "type-twice", "player-key-twice", "float", "exponent"),
    *("nul-escaped", "nul-in-a-key", "surrogate", "surrogates-the-wrong-way"),
    *("surrogate-in-utf-8", "nine-levels", "nine-levels-of-objects", "thousand-levels"),
    *("thirty-thousand-levels", "5001-events", "a-line-that-grows", "seq-gap", "seq-again"),
    *("seat-taken", "started-in-month-13", "event-after-the-end", "end-twice"),
    "before-any-hand",
}


def records_of(data):
    """The records of a hostile log; none if a line of it is no JSON."""
    try:
        return [json.loads(line) for line in data.splitlines()]
    except (ValueError, RecursionError):
        return []


REFUSED = {
    name: records
    for name, data in hostile.IN_JSON.items()
    if name not in UNSEEN and (records := records_of(data))
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_readers_refuse_is_invalid(name):
    assert not all(map(is_valid, REFUSED[name]))


@quick
@given(strategies.RECORDS)
def test_what_is_valid_is_read(record):
    line = canonical.encode(record)
    try:
        read = jsonlines.parse(line)
    except MisreadError as problem:
        pytest.fail(f"{problem.found}, expected {problem.expected}")
    assert read[1] == line


def test_every_record_and_face_has_its_place():
    known = set(SCHEMA["$defs"])

    assert known >= set(build.RECORDS)
    for cls in build.RECORDS.values():
        properties = set(SCHEMA["$defs"][cls.__struct_config__.tag]["properties"])
        assert properties == {"type", *cls.__struct_encode_fields__} - {"\u212b"}
    for face in FACES:
        assert is_valid({"type": "wild", "seq": 1, "card": face})
    for face in CARD_FACES:
        if face.startswith("T"):
            assert not is_valid({"type": "wild", "seq": 1, "card": f"10{face[1]}"})
        assert not is_valid({"type": "wild", "seq": 1, "card": face.lower()})
