"""The corpus of Indian hands: right ones are clean, wrong ones say what is wrong and no more."""

import json
from pathlib import Path

import pytest

from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import for_hand

CORPUS = Path(__file__).parents[2] / "corpus" / "indian"


def hands(name):
    return list(read((CORPUS / f"{name}.rhl.jsonl").read_bytes()))


def labels(name, key):
    lines = (CORPUS / f"{name}.labels.jsonl").read_text().splitlines()
    return {label[key]: label for label in map(json.loads, lines)}


CLEAN = labels("clean", "id")
FAULTY = labels("faulty", "hand")


def name_of(found):
    return found.record.id if isinstance(found, Hand) else found.hand


@pytest.mark.parametrize("hand", hands("clean"), ids=name_of)
def test_right_hands_are_clean(hand):
    label, result = CLEAN[hand.record.id], replay(hand)

    assert [each for each in result.findings if each.severity != "note"] == []
    assert result.verdict == "clean"
    for note in label["expect_notes"]:
        assert any(
            each.code == note["code"]
            and each.seq == note.get("seq", each.seq)
            and each.seat == note.get("seat", each.seat)
            for each in result.findings
        ), note
    points = {str(seat): value for seat, value in result.result.scores.items()}
    if hand.record.detail == "scores":
        assert points == {}  # points without play are nobody's but the sheet's
        return
    assert points == label.get("points", {})
    if result.result.outcome == "won":
        assert result.result.winner == label["winner"]


@pytest.mark.parametrize("hand", hands("faulty"), ids=name_of)
def test_wrong_hands_say_what_is_wrong(hand):
    label = FAULTY[name_of(hand)]
    if label["must"] == ["unreadable"]:
        assert isinstance(hand, ReadError)
        return
    result = replay(hand)
    codes = [each.code for each in result.findings]

    for code in label["must"]:
        assert code in codes
    for several in label.get("any", ()):
        assert set(several) & set(codes)
    assert not set(label.get("never", ())) & set(codes)
    named = [each for each in result.findings if each.code in label["must"]]
    if "seq" in label:
        assert any(each.seq in label["seq"] for each in named)
    if "seat" in label and label["must"] != ["unknown-event"]:
        assert any(each.seat == label["seat"] for each in named)
    if "severity" in label:
        assert any(each.severity == label["severity"] for each in named)
    if "points" in label:
        points = {str(seat): value for seat, value in result.result.scores.items()}
        assert points == label["points"]
    known = {*label["must"], *label.get("allow", ())}
    if "*" not in known:
        beside = [each for each in result.findings if each.severity != "note"]
        assert [each for each in beside if each.code not in known] == []


@pytest.mark.parametrize("hand", hands("clean")[::3], ids=name_of)
def test_open_hands_are_right_at_every_step(hand):
    """A hand that goes on has nothing wrong yet, but for what its table has still to answer."""
    waiting = {(each.code, each.seq) for each in replay(hand).findings if each.handled}
    for length in range(len(hand.events) + 1):
        part = Hand(record=hand.record, events=hand.events[:length], lines=hand.lines[: length + 1])
        result = replay(part)

        wrong = {(each.code, each.seq) for each in result.findings if each.severity != "note"}
        assert wrong <= waiting
        assert result.verdict == "unfinished"


def test_a_report_is_the_same_twice():
    for hand in hands("clean")[:10]:
        first, second = (hand_report(hand, for_hand(hand.record), replay(hand)) for _ in range(2))
        assert first == second
