"""What is stored of a log: enough to give it back, and to judge it without anybody's name."""

from itertools import islice
from pathlib import Path

import pytest

from replays import audit, logs
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand

CORPUS = sorted(Path("tests/corpus").rglob("*.rhl.jsonl"))


def name(path):
    return "-".join(path.parts[2:])


def hands_of(path):
    return [each for each in read(path.read_bytes()) if isinstance(each, Hand)]


@pytest.mark.parametrize("path", CORPUS, ids=name)
def test_what_is_stored_gives_the_log_back(path):
    for each in islice(hands_of(path), 0, None, 3):
        stored = logs.stored_form(each)
        texts = [logs.taken_out(*both) for both in zip(each.lines, stored, strict=True)]
        back = [logs.put_back(*both) for both in zip(stored, texts, strict=True)]
        assert tuple(back) == each.lines


@pytest.mark.parametrize("path", [path for path in CORPUS if path.parts[2] == "indian"], ids=name)
def test_forgetting_a_person_changes_no_verdict(path):
    for each in islice(hands_of(path), 0, None, 9):
        forgotten = logs.hand_in(b"\n".join(logs.stored_form(each)))
        assert audit.judge(forgotten) == audit.judge(each)
