"""Golden hands: readable logs, each named for the rare thing in it, with all that is found.

``python -m tests.hands.test_golden NAME…`` writes what a hand gives now beside it, to be
looked at before it is kept.
"""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import for_hand

HANDS = Path(__file__).parent
FAMILIES = HANDS.parents[1] / "rummy_audit" / "rules" / "families"

# What the matches' own report says; it stands in no hand's.
OF_MATCHES = {
    *("total-wrong", "prize-wrong", "eliminated-too-early", "eliminated-player-dealt-in"),
    *("match-over", "match-deal-missing", "match-deal-doubled", "match-settings-differ"),
}
NAMES = sorted(path.stem for path in HANDS.glob("*.rhl"))


def given(name):
    """Return what a golden hand gives: verdict, scores, and the findings without sentences."""
    (hand,) = read((HANDS / f"{name}.rhl").read_bytes(), file=f"{name}.rhl")
    assert isinstance(hand, Hand), hand
    report = hand_report(hand, for_hand(hand.record), replay(hand))
    findings = [
        {key: value for key, value in finding.items() if key != "message"}
        for finding in report["findings"]
    ]
    kept = ("id", "verdict", "outcome", "scores", "winner")
    return json.loads(json.dumps({**{key: report[key] for key in kept}, "findings": findings}))


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_hand(name):
    assert given(name) == json.loads((HANDS / f"{name}.expected.json").read_text())


@pytest.mark.parametrize("family", sorted({name.split("-")[0] for name in NAMES}))
def test_every_code_of_a_family_has_its_golden_hand(family):
    codes = tomllib.loads((FAMILIES / family / "messages.toml").read_text()).keys() - OF_MATCHES
    shown = {
        finding["code"]
        for name in NAMES
        if name.startswith(f"{family}-")
        for finding in given(name)["findings"]
    }

    assert sorted(codes - shown) == []


def test_every_golden_hand_has_what_it_must_give_and_nothing_lies_about():
    expected = sorted(path.name.removesuffix(".expected.json") for path in HANDS.glob("*.json"))

    assert expected == NAMES


if __name__ == "__main__":
    for each in sys.argv[1:]:
        text = json.dumps(given(each), indent=1, ensure_ascii=False)
        (HANDS / f"{each}.expected.json").write_text(text + "\n")
