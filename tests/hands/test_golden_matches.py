"""Golden matches: readable logs of several hands, each with all that the match's report says.

``python -m tests.hands.test_golden_matches NAME…`` writes what a match gives now beside it,
to be looked at before it is kept.
"""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from tests.hands.test_golden import FAMILIES, OF_MATCHES

MATCHES = Path(__file__).parent / "matches"
NAMES = sorted(path.stem for path in MATCHES.glob("*.rhl"))


def given(name):
    """Return what a golden match gives, its findings without sentences; its hands are right."""
    hands = list(read((MATCHES / f"{name}.rhl").read_bytes(), file=f"{name}.rhl"))
    replays = [replay(hand) for hand in hands]
    assert [found.findings for found in replays] == [()] * len(hands)
    report = audit_match(
        [
            Deal(hand=hand, rules=for_hand(hand.record), replay=found)
            for hand, found in zip(hands, replays, strict=True)
        ]
    ).to_report()
    for finding in report["findings"]:
        del finding["message"]
    return json.loads(json.dumps(report))


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_match(name):
    assert given(name) == json.loads((MATCHES / f"{name}.expected.json").read_text())


def test_every_code_of_matches_has_its_golden_match_in_each_family_that_knows_it():
    shown = {
        (name.split("-")[0], finding["code"])
        for name in NAMES
        for finding in given(name)["findings"]
    }
    known = {
        (folder.name, code)
        for folder in FAMILIES.iterdir()
        if (folder / "messages.toml").is_file()
        for code in tomllib.loads((folder / "messages.toml").read_text()).keys() & OF_MATCHES
    }

    assert sorted(known - shown) == []
    assert sorted(OF_MATCHES - {code for _, code in shown}) == []


def test_every_golden_match_has_what_it_must_give_and_nothing_lies_about():
    assert (
        sorted(path.name.removesuffix(".expected.json") for path in MATCHES.glob("*.json")) == NAMES
    )


if __name__ == "__main__":
    for each in sys.argv[1:]:
        text = json.dumps(given(each), indent=1, ensure_ascii=False)
        (MATCHES / f"{each}.expected.json").write_text(text + "\n")
