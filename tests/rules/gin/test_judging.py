"""Judging gin cards without a log: deadwood, melds, discards to knock with, a showdown."""

import json

import pytest

from rummy_audit.rules.judging import JudgeError, judge, judge_batch, judge_text


def asked(cards="", **settings):
    return judge(cards=cards.split(), rules="gin", **settings)


def test_the_least_deadwood_of_a_hand():
    answer = asked("7S 7H 7D JS QS KS AH 2H 2D 3C")

    assert (answer["points"], answer["valid"], answer["declarable"]) == (8, True, True)
    assert answer["best"] == {
        "groups": [["JS", "QS", "KS"], ["7S", "7H", "7D"]],
        "layoffs": [],
        "loose": ["AH", "2H", "2D", "3C"],
        "points": 8,
    }
    assert "knock_discards" not in answer


def test_eleven_cards_are_judged_after_the_best_discard():
    answer = asked("7S 7H 7D JS QS KS AH 2H 2D 3C 5S")

    assert (answer["points"], answer["discard"]) == (8, "5S")
    assert answer["knock_discards"] == ["3C", "5S"]


def test_with_oklahoma_the_limit_is_not_known():
    answer = asked("7S 7H 7D JS QS KS AH 2H 2D 3C 5S", house={"knock_max": "upcard"})

    assert (answer["knock_discards"], answer["declarable"]) == (None, False)


def test_a_long_run_is_shown_as_one():
    assert asked("4H 5H 6H 7H 8H 9H TH KS QD AC")["best"]["groups"] == [
        ["4H", "5H", "6H", "7H", "8H", "9H", "TH"]
    ]


def test_melds_as_named_and_at_their_best():
    answer = judge_text("7S 7H 7D | JS QS KS AH + 2H 2D 3C", rules="gin")

    assert [group["kind"] for group in answer["groups"]] == ["set", "invalid"]
    assert [finding["code"] for finding in answer["findings"]] == [
        "sequence-mixed-suits",
        "sequence-wraps",
    ]
    assert (answer["valid"], answer["points"], answer["best"]["points"]) == (False, 38, 8)


def test_a_card_in_two_melds_counts_in_the_first():
    answer = judge_text("7S 7H 7D | 6H 7H 8H + 2D", rules="gin")

    assert [finding["code"] for finding in answer["findings"]] == [
        "card-in-two-groups",
        "group-too-short",
        "sequence-gap",
    ]
    assert answer["points"] == 16


@pytest.mark.parametrize(
    ("cards", "code"), [("7S 7S 8H", "too-many-copies"), ("7S JK 8H", "card-not-in-deck")]
)
def test_cards_that_one_pack_does_not_hold(cards, code):
    answer = asked(cards)

    assert [finding["code"] for finding in answer["findings"]] == [code]
    assert answer["valid"] is False


KNOCKER = [["5S", "6S", "7S"], ["9C", "TC", "JC"], ["KS", "KC", "KD"]]


def test_a_showdown_solves_melds_and_lay_offs_together():
    answer = asked("2S 2C 2D 2H 8S 8C 8D 9S 7C AC", lay_on=KNOCKER)

    assert answer["best"] == {
        "groups": [["2S", "2H", "2D", "2C"]],
        "layoffs": [
            {"card": "8S", "meld": 1},
            {"card": "9S", "meld": 1},
            {"card": "8C", "meld": 2},
            {"card": "7C", "meld": 2},
        ],
        "loose": ["8D", "AC"],
        "points": 9,
    }


def test_melds_as_named_lay_off_what_is_loose():
    answer = judge(
        cards=["9S", "7C", "AC"],
        groups=[["2S", "2C", "2D", "2H"], ["8S", "8C", "8D"]],
        lay_on=KNOCKER,
        rules="gin",
    )

    assert (answer["points"], answer["best"]["points"], answer["valid"]) == (17, 9, True)


def test_only_valid_melds_can_be_laid_off_on():
    with pytest.raises(JudgeError, match="lay_on: '5S 6S', expected a valid run or set"):
        asked("2S 2C 2D", lay_on=[["5S", "6S"]])


def test_questions_are_bounded():
    forty = [rank + suit for suit in "SHDC" for rank in "A23456789T"]

    assert judge(cards=forty, rules="gin")["points"] == 0
    with pytest.raises(JudgeError, match="at most 40 cards"):
        judge(cards=[*forty, "KS"], rules="gin")
    with pytest.raises(JudgeError, match="at most 13 cards to lay off from"):
        judge(cards=forty[:30], lay_on=[["JS", "QS", "KS"]], rules="gin")


def test_a_batch():
    lines = [
        {
            "id": "a",
            "ruleset": "gin",
            "cards": ["7S", "7H", "7D", "JS", "QS", "KS", "AH", "2H", "2D", "3C"],
        },
        {"id": "b", "ruleset": "gin", "cards": ["8S", "9S"], "lay_on": KNOCKER},
        {"id": "c", "ruleset": "gin", "groups": [["7S", "7H", "7D"]], "loose": ["KD"]},
    ]

    answers = list(judge_batch(map(json.dumps, lines)))
    assert [(each["id"], each["points"]) for each in answers] == [("a", 8), ("b", 0), ("c", 10)]
