"""The corpus of basic rummy: right hands pass, each fault is found, and nothing beside it."""

import json
from pathlib import Path

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.matches import Deal, audit_match, by_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "basic"


def labels(name, key):
    lines = (CORPUS / f"{name}.labels.jsonl").read_text(encoding="utf-8").splitlines()
    return {label[key]: label for label in map(json.loads, lines)}


def hands(name):
    return {hand.record.id: hand for hand in read((CORPUS / f"{name}.rhl.jsonl").read_bytes())}


CLEAN, FAULTY = labels("clean", "id"), labels("faulty", "hand")
CLEAN_HANDS, FAULTY_HANDS = hands("clean"), hands("faulty")


def broken(found):
    return [each for each in found.findings if each.severity != "note"]


def scores(found):
    return {str(seat): points for seat, points in found.result.scores.items()}


@pytest.mark.parametrize("name", CLEAN)
def test_a_right_hand_is_clean_and_scored_alike(name):
    label, found = CLEAN[name], replay(CLEAN_HANDS[name])

    assert broken(found) == []
    assert found.verdict == "clean"
    assert scores(found) == label["points"]
    assert found.result.winner == label.get("winner")
    assert {each.code for each in found.findings} == set(label.get("expect_notes", ()))


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_found_where_it_stands_and_nothing_beside_it(name):
    label, found = FAULTY[name], replay(FAULTY_HANDS[name])
    codes = [each.code for each in broken(found)]
    must, either = label.get("must", []), label.get("any", [])
    named = set(must).union(*either)

    assert set(must) <= set(codes)
    assert all(set(some) & set(codes) for some in either)
    assert not set(label.get("never", ())) & set(codes)
    if "*" not in label.get("allow", ()):
        assert set(codes) <= named | set(label.get("allow", ()))
    for code in must:
        at = [each for each in broken(found) if each.code == code]
        assert [each.seq for each in at if each.seq in label.get("seq", [each.seq])]
        assert label.get("seat") in (None, *(each.seat for each in at))
        assert label.get("severity") in (None, *(each.severity for each in at))
    if "points" in label:
        assert scores(found) == label["points"]


def test_every_hand_of_the_corpus_has_a_label():
    assert CLEAN.keys() == CLEAN_HANDS.keys()
    assert FAULTY.keys() == FAULTY_HANDS.keys()


def matches(name):
    deals = [
        Deal(hand=hand, rules=for_hand(hand.record), replay=replay(hand))
        for hand in hands(name).values()
    ]
    return {match: audit_match(some) for match, some in by_match(deals).items()}


MATCH_LABELS, MATCHES = labels("matches", "match"), matches("matches")
WRONG_MATCHES = matches("matches-faulty")


@pytest.mark.parametrize("name", MATCH_LABELS)
def test_a_right_match_is_clean_and_totalled_alike(name):
    label, report = MATCH_LABELS[name], MATCHES[name].to_report()

    assert report["verdict"] == "clean"
    assert report["findings"] == []
    assert report["totals"] == label["totals"]
    assert report["winner"] == label["winner"]


@pytest.mark.parametrize("name", labels("matches-faulty", "hand"))
def test_a_fault_of_a_match_stands_at_its_hand_and_nothing_beside_it(name):
    label = labels("matches-faulty", "hand")[name]
    report = WRONG_MATCHES[name.rpartition("-")[0]]
    found = [placed.finding for placed in report.findings if placed.finding.severity != "note"]

    assert [placed.hand for placed in report.findings] == [name]
    assert [each.code for each in found] == label["must"]
    assert found[0].seq in label.get("seq", [0])
    assert found[0].seat == label.get("seat")


@pytest.mark.parametrize("name", ["matches", "matches-faulty"])
def test_the_hands_of_a_match_are_clean(name):
    for hand in hands(name).values():
        assert broken(replay(hand)) == []
