"""Matches of Indian rummy: those of the corpus, right ones and those with one fault."""

import json
from pathlib import Path

import pytest

from rummy_audit.rules.matches import audit_match, by_match
from tests.rules.indian.hands import deals

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "indian"


def matches(name):
    return by_match(deals((CORPUS / f"{name}.rhl.jsonl").read_bytes()))


def labels(name):
    lines = (CORPUS / f"{name}.labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [pytest.param(label, id=label["match"]) for label in map(json.loads, lines)]


RIGHT, WRONG = matches("matches"), matches("matches-faulty")


@pytest.mark.parametrize("label", labels("matches"))
def test_a_right_match_is_clean_and_added_up_alike(label):
    played = RIGHT[label["match"]]
    report = audit_match(played)

    assert [each.replay.verdict for each in played] == ["clean"] * len(played)
    assert (report.verdict, report.findings) == ("clean", ())
    assert report.winner == label.get("winner")
    if "totals" in label:
        assert {str(seat): total for seat, total in report.totals.items()} == label["totals"]


@pytest.mark.parametrize("label", labels("matches-faulty"))
def test_a_fault_is_found_where_it_stands_and_nothing_beside_it(label):
    played = WRONG[label["match"]]
    report = audit_match(played)
    in_match = [(placed.hand, placed.finding) for placed in report.findings]
    in_hands = [(deal.id, each) for deal in played for each in deal.replay.findings]
    found = [
        (hand, each.code, each.seq, each.seat)
        for hand, each in in_match + in_hands
        if each.severity != "note"
    ]

    assert {code for _, code, _, _ in found} <= {*label["must"], *label.get("allow", ())}
    for code in label["must"]:
        places = [(h, q, s) for h, c, q, s in found if c == code]
        assert [(h, q) for h, q, _ in places] == [(label["hand"], label["seq"][0])]
        assert label.get("seat") in (None, places[0][2])


def test_deals_are_taken_by_number_not_by_arrival():
    hands = [deal for deals_ in WRONG.values() for deal in deals_][:5]
    name = hands[0].match.id
    played = [deal for deal in hands if deal.match.id == name]

    assert audit_match(played[::-1]) == audit_match(played)
