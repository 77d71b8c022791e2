"""``manage.py simulate``: hands of every family, right and wrong, the same for the same seed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def simulate(capsysbinary):
    """Run the command in this process; gives what it prints."""

    def simulate(*options):
        call_command("simulate", *options)
        return capsysbinary.readouterr().out

    return simulate


@pytest.mark.parametrize("ruleset", ["indian-13", "basic", "gin", "tile-easy"])
def test_right_hands_are_printed_and_clean(ruleset, simulate):
    first, second = (
        simulate("--ruleset", ruleset, "--hands", "3", "--seed", "5") for _ in range(2)
    )
    hands = list(read(first))

    assert first == second
    assert len({hand.record.id for hand in hands}) == 3
    assert [replay(hand).verdict for hand in hands] == ["clean"] * 3


def test_no_more_play_than_the_rules_allow(simulate):
    printed = simulate("--ruleset", "tile-easy", "--rules", "players_max=2", "--hands", "3")

    assert [len(hand.record.players) for hand in read(printed)] == [2, 2, 2]
    printed = simulate("--ruleset", "tile-easy", "--rules", "players_max=5", "--players", "5")
    assert [replay(hand).verdict for hand in read(printed)] == ["clean"]


def test_another_process_prints_the_same(simulate):
    options = ("simulate", "--ruleset", "indian-13", "--seed", "5")
    command = [sys.executable, "manage.py", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == simulate(*options[1:])


def test_who_has_read_enough_ends_it_without_a_trace():
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} manage.py simulate --ruleset gin --hands 200 | head -n 1"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )

    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")


def test_faults_are_labelled(tmp_path, simulate):
    labels = tmp_path / "labels.jsonl"
    options = ("--ruleset", "indian-13", "--hands", "2", "--players", "4", "--detail", "table")
    printed = simulate(*options, "--faults", "second-draw", "--labels", str(labels))
    told = [json.loads(line) for line in labels.read_text().splitlines()]

    for hand, label in zip(read(printed), told, strict=True):
        found = [(each.code, each.seq, each.seat) for each in replay(hand).findings]
        assert (label["hand"], label["code"]) == (hand.record.id, "second-draw")
        assert (label["code"], label["seq"], label["seat"]) in found
        assert (hand.record.detail, len(hand.record.players)) == ("table", 4)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--ruleset", "whist"), "ruleset: 'whist'"),
        (("--ruleset", "gin", "--faults", "cheating"), "cheating: expected one of"),
        (("--ruleset", "gin", "--rules", "knock_max=99"), "knock_max: 99"),
        (("--ruleset", "gin", "--players", "3"), "players: 3, expected 2 by this ruleset"),
        (("--ruleset", "tile-easy", "--players", "1"), "players: 1, expected 2 to 4"),
        (("--ruleset", "indian-13", "--players", "13"), "players: 13, expected 2 to 6"),
        (("--ruleset", "basic", "--players", "0"), "players: 0, expected 2 to 6"),
        (
            ("--ruleset", "indian-13", "--detail", "scores", "--faults", "second-draw"),
            "second-draw did not come about",
        ),
    ],
)
def test_what_cannot_be_simulated_is_said(options, said, capsysbinary):
    with pytest.raises(CommandError, match=re.escape(said)):
        call_command("simulate", *options)
    assert capsysbinary.readouterr().out == b""
