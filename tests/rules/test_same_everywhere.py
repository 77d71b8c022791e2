"""A report is the same under every hash seed, locale and time zone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAMILIES = ("indian", "basic", "gin", "tile")

PROBE = """
import hashlib, json, sys
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import for_hand

whole = hashlib.sha256()
for name in sys.argv[1:]:
    for hand in read(open(name, "rb").read()):
        if isinstance(hand, Hand):
            report = hand_report(hand, for_hand(hand.record), replay(hand))
            whole.update(json.dumps(report).encode())
print(whole.hexdigest())
"""


def digest_of_reports(family, **environment):
    files = sorted(map(str, (ROOT / "tests" / "corpus" / family).glob("*y.rhl.jsonl")))
    run = subprocess.run(
        [sys.executable, "-c", PROBE, *files],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
        text=True,
    )
    assert files
    return run.stdout


@pytest.mark.parametrize("family", FAMILIES)
def test_reports_are_the_same_byte_for_byte(family):
    first = digest_of_reports(family, PYTHONHASHSEED="0", LC_ALL="C", TZ="UTC")
    other = digest_of_reports(
        family, PYTHONHASHSEED="4711", LC_ALL="tr_TR.UTF-8", TZ="Asia/Kolkata"
    )

    assert first == other
