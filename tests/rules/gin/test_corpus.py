"""The corpus of gin: right hands pass, each fault is found, and nothing beside it."""

import json
from pathlib import Path

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.families.gin.deadwood import BIT, best_against, deadwood, mask_of
from rummy_audit.rules.judging import judge
from rummy_audit.rules.matches import Deal, audit_match, by_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "gin"


def rows(name):
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


def labels(name, key):
    return {label[key]: label for label in rows(f"{name}.labels.jsonl")}


def hands(name):
    return {hand.record.id: hand for hand in read((CORPUS / f"{name}.rhl.jsonl").read_bytes())}


CLEAN = {
    name: (label, file)
    for file in ("clean", "openspiel")
    for name, label in labels(file, "id").items()
}
CLEAN_HANDS = hands("clean") | hands("openspiel")
FAULTY, FAULTY_HANDS = labels("faulty", "hand"), hands("faulty")


def broken(found):
    return [each for each in found.findings if each.severity != "note"]


def scores(found):
    return {str(seat): points for seat, points in found.result.scores.items()}


@pytest.mark.parametrize("name", CLEAN)
def test_a_right_hand_is_clean_and_scored_alike(name):
    (label, _), found = CLEAN[name], replay(CLEAN_HANDS[name])

    assert found.verdict == "clean"
    assert scores(found) == label.get("points", {})
    assert found.result.winner == label.get("winner")
    assert [
        (each.code, each.seq, each.seat, each.recorded, each.expected) for each in found.findings
    ] == [
        (note["code"], note["seq"], note["seat"], note["recorded"], note["expected"])
        for note in label["findings"]
    ]


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_found_where_it_stands_and_nothing_beside_it(name):
    label, found = FAULTY[name], replay(FAULTY_HANDS[name])
    codes = [each.code for each in found.findings]
    must, either = label.get("must", []), label.get("any", [])
    named = set(must).union(*either)
    named_here = [each for each in found.findings if each.code in named]

    assert set(must) <= set(codes)
    assert all(set(some) & set(codes) for some in either)
    assert not set(label.get("never", ())) & set(codes)
    if "*" not in label.get("allow", ()):
        assert {each.code for each in broken(found)} <= named | set(label.get("allow", ()))
    assert [each.seq for each in named_here if each.seq in label.get("seq", [each.seq])]
    assert label.get("seat") in (None, *(each.seat for each in named_here))
    assert {each.severity for each in named_here} <= {
        label.get("severity", each.severity) for each in named_here
    }
    if "points" in label:
        assert scores(found) == label["points"]


def test_every_hand_of_the_corpus_has_a_label():
    assert CLEAN.keys() == CLEAN_HANDS.keys()
    assert FAULTY.keys() == FAULTY_HANDS.keys()


@pytest.mark.parametrize("name", ["clean", "matches"])
def test_a_right_hand_is_clean_as_far_as_it_has_come(name):
    for hand in list(hands(name).values())[::5]:
        for length in range(len(hand.events)):
            seen = type(hand)(record=hand.record, events=hand.events[:length])
            found = replay(seen)

            assert (found.verdict, broken(found)) == ("unfinished", [])


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

    assert (report["verdict"], report["findings"]) == ("clean", [])
    assert (report["totals"], report["winner"]) == (label["totals"], label["winner"])


@pytest.mark.parametrize("name", labels("matches-faulty", "hand"))
def test_a_fault_of_a_match_stands_at_its_hand_and_nothing_beside_it(name):
    label = labels("matches-faulty", "hand")[name]
    report = WRONG_MATCHES[label["match"]]

    assert {placed.hand for placed in report.findings} == {name}
    assert {placed.finding.code for placed in report.findings} == set(label["must"])
    assert {placed.finding.seq for placed in report.findings} == set(label["seq"])


@pytest.mark.parametrize("name", ["matches", "matches-faulty"])
def test_the_hands_of_a_match_are_clean(name):
    for hand in hands(name).values():
        assert broken(replay(hand)) == []


def test_least_deadwood_is_exact():
    for row in rows("deadwood.jsonl"):
        cards = mask_of(row["hand"])
        left = [cards] if row["n"] == 10 else [cards & ~BIT[card] for card in row["hand"]]

        assert min(map(deadwood, left)) == row["min_deadwood"], row["id"]
        assert judge(cards=row["hand"], rules="gin")["points"] == row["min_deadwood"], row["id"]


def test_least_deadwood_with_lay_offs_is_exact():
    for row in rows("layoff.jsonl"):
        melds = [mask_of(meld) for meld in row["knocker_melds"]]
        best = judge(cards=row["defender"], lay_on=row["knocker_melds"], rules="gin")["best"]

        assert best_against(mask_of(row["defender"]), melds).points == row["defender_min_deadwood"]
        assert best["points"] == row["defender_min_deadwood"], row["id"]
