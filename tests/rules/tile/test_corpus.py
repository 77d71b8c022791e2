"""The corpus of tile rummy: right hands pass, each fault is found, and nothing beside it."""

import json
from pathlib import Path

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.judging import judge
from rummy_audit.rules.replay import replay

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "tile"


def labels(name, key):
    lines = (CORPUS / name).read_text(encoding="utf-8").splitlines()
    return {label[key]: label for label in map(json.loads, lines)}


def hands(name):
    return {hand.record.id: hand for hand in read((CORPUS / name).read_bytes())}


CLEAN, FAULTY = labels("clean.labels.jsonl", "id"), labels("faulty.labels.jsonl", "hand")
CLEAN_HANDS, FAULTY_HANDS = hands("clean.rhl.jsonl"), hands("faulty.rhl.jsonl")
POSITIONS = labels("arrangeable.jsonl", "id")


def broken(found):
    return [each for each in found.findings if each.severity != "note"]


def scores(found):
    return {str(seat): points for seat, points in found.result.scores.items()}


@pytest.mark.parametrize("name", CLEAN)
def test_a_right_hand_is_clean_and_scored_alike(name):
    label, found = CLEAN[name], replay(CLEAN_HANDS[name])
    wrong_turns = [
        {"code": each.code, "seat": each.seat, "seq": each.seq}
        for each in found.findings
        if each.code == "table-invalid"
    ]

    assert broken(found) == []
    assert found.verdict == "clean"
    assert scores(found) == label["points"]
    assert found.result.winner == label["winner"]
    assert wrong_turns == label.get("handled", [])
    assert all(each.handled for each in found.findings)


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_found_where_it_stands_and_nothing_beside_it(name):
    label, found = FAULTY[name], replay(FAULTY_HANDS[name])
    codes = {each.code for each in broken(found)}
    must, either = set(label.get("must", ())), label.get("any", [])
    named = must.union(*either)

    assert must <= codes
    assert all(set(some) & codes for some in either)
    assert not set(label.get("never", ())) & codes
    if "*" not in label.get("allow", ()):
        assert codes <= named | set(label.get("allow", ()))
    for each in broken(found):
        if each.code in named:
            assert each.seq in label.get("seq", [each.seq])
            assert each.seat == label.get("seat", each.seat)


def test_every_hand_of_the_corpus_has_a_label():
    assert CLEAN.keys() == CLEAN_HANDS.keys()
    assert FAULTY.keys() == FAULTY_HANDS.keys()


@pytest.mark.parametrize("name", POSITIONS)
def test_the_most_that_can_be_laid(name):
    position = POSITIONS[name]
    if position["kind"] == "arrangeable":
        answer = judge(cards=position["tiles"], rules="tile-easy")
        assert answer["declarable"] is position["arrangeable"]
        return
    lying = position.get("table_tiles_shuffled", [])
    answer = judge(cards=position["rack"], table=[lying], rules="tile-easy")

    assert answer["most_tiles"] == position["max_tiles_playable"]
    assert answer["most_value"] == position["max_value_playable"]
    if "can_open_30" in position:
        assert (answer["most_value"] >= 30) is position["can_open_30"]


def test_a_hand_is_judged_at_every_prefix():
    """An open hand has no finding that only the end of it could show."""
    for name in ("tile-easy-4-08", "tile-50-2-00-table", "tile-rrrummy-3-08"):
        hand = CLEAN_HANDS[name]
        for count in range(len(hand.events)):
            cut = type(hand)(record=hand.record, events=hand.events[:count], lines=hand.lines)
            found = replay(cut)
            pending = hand.events[count - 1].seq if count else 0

            assert found.verdict == "unfinished"
            assert [each for each in broken(found) if each.seq != pending] == []
