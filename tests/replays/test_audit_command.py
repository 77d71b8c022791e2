"""`manage.py audit`: reports of files, without any database."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from django.core.management import CommandError, call_command

from replays import files
from tests.replays.hands import SHOWN, hand
from tests.replays.service import ROOT

SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text())
CORPUS = sorted(Path("tests/corpus").rglob("*.rhl.jsonl"))
WRONG = SHOWN.replace("2=80", "2=45")
BAD = hand("bad").replace(b"wild 7D", b"wild 7D 7D")


@pytest.fixture
def audit(tmp_path, capsys):
    """Audit contents as files; gives the exit code and what was printed."""

    def audit(*contents, form="json"):
        names = []
        for number, content in enumerate(contents):
            names.append(str(tmp_path / f"{number}.rhl"))
            Path(names[-1]).write_bytes(content)
        code = 0
        try:
            call_command("audit", *names, format=form)
        except SystemExit as end:
            code = end.code
        return code, capsys.readouterr().out

    return audit


def test_a_right_hand_ends_with_0(audit):
    code, said = audit(hand())

    report = json.loads(said)
    assert code == 0
    assert list(report) == ["schema", "engine", "hands", "matches", "errors"]
    (one,) = report["hands"]
    assert (one["id"], one["verdict"], one["scores"]) == ("T4-17", "clean", {"1": 0, "2": 80})
    assert (one["ruleset"]["id"], one["winner"]) == ("indian-13@1", 1)
    assert (report["matches"], report["errors"]) == ([], [])


def test_a_wrong_hand_ends_with_1(audit):
    code, said = audit(hand(), hand("wrong", lines=WRONG))

    assert code == 1
    assert [each["verdict"] for each in json.loads(said)["hands"]] == ["clean", "flagged"]


def test_an_unreadable_hand_stands_in_errors_and_ends_with_2(audit, tmp_path):
    code, said = audit(hand("one") + b"\n" + BAD + b"\n" + hand("two", lines=WRONG))

    report = json.loads(said)
    assert code == 2
    assert [each["id"] for each in report["hands"]] == ["one", "two"]
    assert report["errors"] == [
        {
            "file": str(tmp_path / "0.rhl"),
            "line": 13,
            "column": 9,
            "hand": "bad",
            "found": report["errors"][0]["found"],
            "expected": report["errors"][0]["expected"],
        }
    ]


def test_rules_that_cannot_be_stand_in_errors_with_their_name(audit):
    code, said = audit(hand(lines="rules set_max=9999\nend\n"))

    (error,) = json.loads(said)["errors"]
    assert (code, error["hand"], error["line"]) == (2, "T4-17", 1)
    assert "set_max" in error["found"]


def test_a_missing_file_stops_no_other(tmp_path, capsys):
    there = tmp_path / "there.rhl"
    there.write_bytes(hand())

    with pytest.raises(SystemExit) as end:
        call_command("audit", str(tmp_path / "gone"), str(there), format="json")

    report = json.loads(capsys.readouterr().out)
    assert (end.value.code, len(report["hands"])) == (2, 1)
    assert report["errors"][0]["found"] == "no such file or directory"


def test_jsonl_is_one_hand_a_line_as_it_goes(audit):
    content = hand("one") + b"\n" + BAD + b"\n" + hand("two")
    _, whole = audit(content)
    code, said = audit(content, form="jsonl")

    first, error, last = map(json.loads, said.splitlines())
    report = json.loads(whole)
    assert code == 2
    assert [first, last] == report["hands"]
    assert error == {"error": report["errors"][0]}


def test_text_says_it_as_a_club_member_would(audit):
    code, said = audit(hand("wrong", lines=WRONG) + b"\n" + BAD, form="text")

    assert code == 2
    assert "wrong: flagged (an error), by indian-13@1" in said
    assert re.search(r"● error at event 4, seat 2: .+\n +score-wrong; 001 ", said)
    assert "recorded 45, expected 80" in said
    assert re.search(
        r"line 13, column 9 \(hand bad\): could not be read: found .+, expected ", said
    )
    assert said.endswith("1 hand: 1 flagged. 1 could not be read.\n")


def test_under_another_ruleset_says_where_the_verdicts_differ_and_why(tmp_path, capsys):
    groups = "5D 5C JK 5H 5S | 2S 3S 4S 5S | 7C 8C 9C TC"
    lines = f"wild QH\ndeclare 1 {groups} / KC\nscore 1=0 2=80 winner=1\nend\n"
    name = tmp_path / "set-of-five.rhl"
    name.write_bytes(hand(lines=lines))

    with pytest.raises(SystemExit) as end:
        call_command("audit", str(name), under="indian-13-circle")

    first, *differences = capsys.readouterr().out.splitlines()
    assert end.value.code == 1
    assert first == "T4-17: flagged by indian-13@1, clean by indian-13-circle@1"
    assert "  finding of seat 1: set-too-long at event 2 / nothing" in differences[::2]
    assert set(differences[1::2]) == {
        "      by set_max: 4 (001 Set Rules) / none (003 How to Form Sets?)"
    }


def test_a_setting_that_is_on_or_off_is_written_as_in_a_log(tmp_path, capsys):
    name = tmp_path / "hand.rhl"
    name.write_text(
        "hand T rhl=1 ruleset=tile-easy detail=table\nplayer 1\nplayer 2\ndeal 1 x14\ndeal 2 x14\n"
        "play 1 R9 R10 JK R12\ndraw 2 stock\nplay 1 R9 R10 JK | R12 B12 K12\nend abandoned\n"
    )

    call_command("audit", str(name), under="tile-rrrummy")
    said = "by joker_meld_locked: false (004 Using Jokers) / true (004 Using Jokers)"
    assert said in capsys.readouterr().out


def test_an_unknown_ruleset_to_judge_under_is_the_fault_of_the_option(tmp_path):
    name = tmp_path / "one.rhl"
    name.write_bytes(hand())

    with pytest.raises(CommandError, match="--under whist: expected one of basic, ") as refused:
        call_command("audit", str(name), under="whist")

    assert refused.value.returncode == 2


def test_hands_of_one_file_that_name_the_same_match_are_audited_as_it(audit):
    deals = [
        hand(
            f"D-{number}",
            head="",
            lines=f"match M format=pool-101 deal={number} seats=1,2\n"
            + SHOWN.replace("winner=1", f"winner=1 totals 1=0 2={total}"),
        )
        for number, total in ((1, 80), (2, 150))
    ]
    code, said = audit(b"\n".join(deals))

    (match,) = json.loads(said)["matches"]
    assert (code, match["id"], match["verdict"]) == (1, "M", "flagged")
    assert {"total-wrong"} <= {finding["code"] for finding in match["findings"]}
    assert {finding["hand"] for finding in match["findings"]} == {"D-2"}
    _, apart = audit(*deals)
    assert len(json.loads(apart)["matches"]) == 2


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: "-".join(path.parts[2:]))
def test_every_report_is_as_its_schema_says(path, tmp_path):
    lines = path.read_bytes().splitlines(keepends=True)
    some = tmp_path / path.name
    some.write_bytes(b"".join(lines[:1200]))

    report = json.loads(json.dumps(files.report([str(some)])))

    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    # The last hand of a piece may be cut off; no other may fail.
    assert len(report["hands"]) > 1
    assert [error for error in report["errors"] if "engine" in error["found"]] == []


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_no_database_is_touched(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "audit", "-", "--format", "json"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "RUMMY_AUDIT_VAR": str(tmp_path / "var"),
            "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        },
        input=hand().decode(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["hands"][0]["verdict"] == "clean"
