"""``manage.py simulate``: hands of every family, right and wrong, the same for the same seed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

ROOT = Path(__file__).resolve().parents[2]


def simulate(*options):
    return subprocess.run(
        [sys.executable, "manage.py", "simulate", *options],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("ruleset", ["indian-13", "basic", "gin", "tile-easy"])
def test_right_hands_are_printed_and_clean(ruleset):
    first, second = (
        simulate("--ruleset", ruleset, "--hands", "3", "--seed", "5") for _ in range(2)
    )
    hands = list(read(first.stdout))

    assert first.stdout == second.stdout
    assert len({hand.record.id for hand in hands}) == 3
    assert [replay(hand).verdict for hand in hands] == ["clean"] * 3


def test_faults_are_labelled(tmp_path):
    labels = tmp_path / "labels.jsonl"
    options = ("--ruleset", "indian-13", "--hands", "2", "--players", "4", "--detail", "table")
    run = simulate(*options, "--faults", "second-draw", "--labels", str(labels))
    told = [json.loads(line) for line in labels.read_text().splitlines()]

    for hand, label in zip(read(run.stdout), told, strict=True):
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
        (
            ("--ruleset", "indian-13", "--detail", "scores", "--faults", "second-draw"),
            "second-draw did not come about",
        ),
    ],
)
def test_what_cannot_be_simulated_is_said(options, said):
    run = simulate(*options)

    assert (run.returncode, run.stdout) == (1, b"")
    assert said in run.stderr.decode()
