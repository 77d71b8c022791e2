"""A report is the same under every hash seed, locale, time zone and Python."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = [
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "4711", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kolkata"},
]
PROBE = """
import hashlib, json, sys
from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import for_hand

whole = hashlib.sha256()
for hand in read(sys.stdin.buffer):
    report = hand_report(hand, for_hand(hand.record), replay(hand))
    whole.update(json.dumps(report).encode())
print(whole.hexdigest())
"""


def some_hands():
    """Return the log of 40 hands: of every game five right ones and five wrong ones."""
    hands = []
    for family in ("indian", "basic", "gin", "tile"):
        for which in ("clean", "faulty"):
            name = ROOT / "tests" / "corpus" / family / f"{which}.rhl.jsonl"
            logs = re.split(rb'(?m)^(?=.*"type":"hand")', name.read_bytes())[1:]
            hands += logs[:: len(logs) // 5][:5]
    assert len(hands) == 40
    return b"".join(hands)


def digests_of_reports(environments, python=sys.executable):
    """Return the digest of the reports of those hands, by a program of its own for each."""
    log = some_hands()
    runs = [
        subprocess.Popen(
            [python, "-c", PROBE],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for environment in environments
    ]
    digests = [run.communicate(log)[0].decode() for run in runs]
    assert [run.returncode for run in runs] == [0] * len(runs)
    return digests


def test_reports_are_the_same_byte_for_byte():
    one, other = digests_of_reports(ENVIRONMENTS)

    assert one == other


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13", "python3.14"])
def test_another_python_makes_the_same_reports(name):
    python = shutil.which(name)
    program = [python or "", "-c", "import msgspec"]
    if python is None or subprocess.run(program, capture_output=True, check=False).returncode:
        pytest.skip(f"no {name} with msgspec is here")

    assert digests_of_reports(ENVIRONMENTS[:1], python) == digests_of_reports(ENVIRONMENTS[:1])
