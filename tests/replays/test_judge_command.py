"""`manage.py judge`: the questions and answers of the command; the judging is tested elsewhere."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from rummy_audit.rules.judging import judge_batch, judge_text

CARDS = "4H 5H 6H 7H | 8S 9S TS | 9H 9D 9C | KD KS KH"


@pytest.fixture
def judge(capsys):
    def judge(*arguments, **options):
        call_command("judge", *arguments, **options)
        return capsys.readouterr().out

    return judge


def test_the_answer_in_json_is_that_of_the_engine(judge):
    said = judge(CARDS, wild="7D", format="json", rules=["set_max=none", "pure_min=2"])

    house = {"set_max": "none", "pure_min": 2}
    expected = judge_text(CARDS, rules="indian-13", wild="7D", house=house)
    assert json.loads(said) == json.loads(json.dumps(expected))
    assert {"valid", "groups", "findings", "points", "declarable", "best"} <= set(expected)


def test_the_cards_may_stand_behind_the_house_rules(judge):
    before = judge(CARDS, "--wild", "7D", "--rules", "set_max=none", "pure_min=2")

    assert judge("--wild", "7D", "--rules", "set_max=none", "pure_min=2", CARDS) == before
    with pytest.raises(CommandError, match="Give the cards to judge"):
        judge("--rules", "set_max=none", "pure_min=2")


def test_the_answer_in_words(judge):
    said = judge(CARDS.replace("8S 9S TS", "8S 9S JK"), wild="7D")

    assert "4H 5H 6H 7H: pure sequence" in said
    assert "8S 9S JK: impure sequence" in said
    assert "These groups stand." in said
    assert "Points as they lie: 0." in said


def test_what_is_wrong_is_said_in_words(judge):
    said = judge("4H 5H JK | KD KS KH", wild="7D")

    assert "These groups do not stand." in said
    assert "pure sequence" in said


def test_a_batch_is_answered_in_its_order(judge, tmp_path):
    lines = [
        {"id": "a", "ruleset": "indian-13", "wild": "Q", "cards": ["KS", "AS", "2S"]},
        {"id": "b", "ruleset": "indian-13", "groups": [["4H", "5H", "6H"]]},
        {"id": "c", "ruleset": "nowhere", "cards": ["KS"]},
    ]
    content = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "questions").write_text(content)

    said = judge(batch=str(tmp_path / "questions"))

    answers = [json.loads(line) for line in said.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", "b", "c"]
    assert answers == json.loads(json.dumps(list(judge_batch(io.StringIO(content)))))


@pytest.mark.parametrize(
    ("arguments", "options", "why"),
    [
        ([], {}, "Give the cards to judge"),
        (["KS"], {"batch": "x"}, "Give the cards to judge"),
        (["KS XX"], {}, "XX"),
        (["KS"], {"ruleset": "nowhere"}, "nowhere"),
        (["KS"], {"rules": ["set_max"]}, "expected KEY=VALUE"),
        ([], {"batch": "/nowhere"}, "No such file"),
    ],
)
def test_a_question_that_cannot_be_judged_says_why(arguments, options, why):
    with pytest.raises(CommandError, match=why):
        call_command("judge", *arguments, **options)
