"""The gin cases of tests/cases: what people and other programs asked of a rummy judge."""

import json
from pathlib import Path

import pytest

from rummy_audit.rules.families.gin.deadwood import melds_in
from rummy_audit.rules.families.gin.law import knock_limit, law
from rummy_audit.rules.judging import judge
from rummy_audit.rules.rulesets import ruleset
from tests.rules.gin.hands import DEAL, DEALT, KNOCK, REFUSED, SHOWDOWN, dealt, found, judged

CASES = Path(__file__).resolve().parents[2] / "cases" / "cases.jsonl"
ROWS = {
    row["id"]: row
    for row in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    if row["game"] == "gin"
}
# Another game: Hollywood scoring keeps three games on one sheet.
WAITING = {"gin-044"}

DREW = "draw 1 stock 5S\n"


def by_kind(*kinds):
    return [name for name, row in ROWS.items() if set(kinds) <= row["expected"].keys()]


def test_every_case_is_looked_at():
    covered = {
        *by_kind("deadwood"),
        *by_kind("discards"),
        *(f"gin-0{number}" for number in (18, 19, 24, 25, 26, 27, 30, 31, 32, 33, 38, 39, 50)),
        *("gin-052", "gin-053"),
    }

    assert ROWS.keys() - covered == WAITING


@pytest.mark.parametrize("name", by_kind("deadwood"))
def test_least_deadwood(name):
    row = ROWS[name]

    assert judge(cards=row["cards"], rules="gin")["points"] == row["expected"]["deadwood"]


@pytest.mark.parametrize("name", by_kind("discards"))
def test_discards_that_allow_a_knock(name):
    row = ROWS[name]
    answer = judge(cards=row["cards"], rules="gin")
    gin = judge(cards=row["cards"], rules="gin", house={"knock_max": 0})["knock_discards"]

    assert answer["knock_discards"] == row["expected"]["discards"]
    assert gin == row["expected"].get("gin", gin)


def test_018_there_are_185_melds_of_three_to_five_cards():
    assert len(melds_in((1 << 52) - 1)) == ROWS["gin-018"]["expected"]["count"]


def test_019_breaking_the_eights():
    row = ROWS["gin-019"]
    melds = [["KS", "KC", "KD"], ["5S", "6S", "7S"], ["9C", "TC", "JC"]]
    best = judge(cards=row["hands"]["defender"], lay_on=melds, rules="gin")["best"]

    assert best["points"] == row["expected"]["best_defender_deadwood"]
    start = dealt("5S 6S 7S 9C TC JC KS KC KD JD", "2S 2C 2D 2H 8S 8C 8D 9S 7C AC", "4H")
    body = (
        "draw 1 stock 4D\nknock 1 KS KC KD | 5S 6S 7S | 9C TC JC + JD / 4D\n"
        "layoff 2 8S 9S > 2\nlayoff 2 8C 7C > 3\nshow 2 2S 2C 2D 2H + 8D AC\n"
        "score 1=0 2=21 winner=2"
    )
    assert found(body, start=start, rules="undercut_bonus=20") == []


@pytest.mark.parametrize(("ace", "limit"), [(1, 1), (0, 0)])
def test_024_an_ace_as_upcard(ace, limit):
    house = {"knock_max": "upcard", "oklahoma_ace": ace}

    assert knock_limit(law(ruleset("gin", house=house)), "AC") == limit


def test_025_oklahoma_limits():
    oklahoma = law(ruleset("gin", house={"knock_max": "upcard"}))

    assert {card: knock_limit(oklahoma, card) for card in ("7D", "QH")} == (
        ROWS["gin-025"]["expected"]
    )


def test_026_ten_against_eight():
    start = dealt(DEALT[1], "KH KD KC TD TH TC 5H 3D AC AD")
    show = "show 2 KH KD KC | TD TH TC + 5H 3D AC AD"

    assert found(f"{DREW}{KNOCK}\n{show}\nscore 1=2 2=0 winner=1", start=start) == []


def test_027_thirty_two_against_eight():
    assert judged(f"{DREW}{SHOWDOWN}").result.scores == {1: 24, 2: 0}


def test_030_lay_offs_on_a_run():
    row = ROWS["gin-030"]
    melds = [["AC", "2C", "3C"], ["4D", "5D", "6D"], ["7H", "8H", "9H"]]
    best = judge(cards=row["hands"]["defender"], lay_on=melds, rules="gin")["best"]

    assert [each["card"] for each in best["layoffs"]] == row["expected"]["layoffs"]
    assert best["points"] == row["expected"]["defender_deadwood"]


LOW = dealt("AC 2C 3C 7D 8D 9D JS QS KS AH", "5C 4C 6D 5D TH 9S 6H 5H 4H 2S", "4S")
LOW_KNOCK = "draw 1 stock 3S\nknock 1 AC 2C 3C | 7D 8D 9D | JS QS KS + AH / 3S\n"


def test_031_the_five_before_the_four():
    assert "layoff-invalid 8/2" in found(f"{LOW_KNOCK}layoff 2 5C > 1", start=LOW, end="")
    assert found(f"{LOW_KNOCK}layoff 2 4C > 1\nlayoff 2 5C > 1", start=LOW, end="") == []


def test_032_two_cards_at_the_low_end():
    assert found(f"{LOW_KNOCK}layoff 2 6D > 2\nlayoff 2 5D > 2", start=LOW, end="") == []


def test_033_the_upcard_is_not_thrown_back():
    start = f"{DEAL}\nupcard JD\n"

    assert found("draw 1 discard\ndiscard 1 JD", start=start, end="end abandoned") == [
        "discard-just-taken 5/1"
    ]


@pytest.mark.parametrize(("bonus", "points"), [(25, 85), (20, 80)])
def test_038_gin_against_sixty(bonus, points):
    start = dealt("7S 7H 7D JS QS KS AH 2H 3H 4H", "KD KC QD QC 8C 5D 3D 2C AC AD")
    gin = f"{DREW}knock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H / 5S\n"
    show = "show 2 + KD KC QD QC 8C 5D 3D 2C AC AD\n"
    sixty = f"{gin}{show}score 1={points} 2=0 winner=1"

    assert found(sixty, start=start, rules=f"gin_bonus={bonus}") == []


def test_052_a_run_grows_without_limit():
    start = dealt("3S 4S 5S 7D 8D 9D JH QH KH AH", "6S 7S 8S 6C 5D TC 9C 6H 5H 2S", "4D")
    body = "draw 1 stock 3D\nknock 1 3S 4S 5S | 7D 8D 9D | JH QH KH + AH / 3D\n"
    laid = "layoff 2 6S > 1\nlayoff 2 7S > 1\nlayoff 2 8S > 1"

    assert found(f"{body}{laid}", start=start, end="") == []


def test_053_a_knockers_hand_is_public_and_the_opponents_is_not():
    from rummy_audit.rules.replay import replay
    from tests.rules.gin.hands import hand

    steps = replay(hand(f"{DREW}{SHOWDOWN}", start=REFUSED), keep_steps=True).steps
    knocked, shown = steps[6].table, steps[8].table

    assert len(knocked.seats[0].public) == 10
    assert knocked.seats[1].public == ()
    assert len(shown.seats[1].public) == 9
