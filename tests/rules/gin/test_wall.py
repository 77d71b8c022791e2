"""003 Irregularities, the last two cards: the hand is dead when the stock has run out."""

import pytest

from tests.rules.gin.hands import (
    KNOCK,
    LAYOFF,
    SCORE,
    SHOW,
    dealt,
    found,
    judged,
    said,
    to_the_wall,
    turns,
)

ABANDONED = "end abandoned"
LAST_UPCARD = "wall=last-upcard"

# The discard of the fiftieth card is event 63.


@pytest.mark.parametrize(
    ("body", "end"),
    [
        ("void cause=stock-exhausted", "end void"),
        ("void", "end void"),
        ("", "end void"),
        ("", "end"),
        ("score 1=0 2=0", "end"),
    ],
)
def test_when_nobody_knocks_with_the_fiftieth_card_the_hand_is_dead(body, end):
    result = judged(f"{to_the_wall()}\n{body}", end=end)

    assert (said(result), result.verdict, result.result.outcome) == ([], "clean", "void")


def test_a_dead_hand_that_was_scored_brings_nobody_points():
    result = judged(f"{to_the_wall()}\nscore 1=0 2=0")

    assert (result.result.scores, result.result.winner) == ({1: 0, 2: 0}, None)
    assert found(f"{to_the_wall()}\nscore 1=5 2=0 winner=1") == ["score-wrong 64/1"]
    assert found(f"{to_the_wall()}\nscore 1=0 2=0 winner=1") == ["winner-wrong 64"]


def test_the_player_of_the_fiftieth_card_may_knock():
    body = f"{turns(*([1, 2] * 14))}\ndraw 1 stock 5S\n{KNOCK}\n{LAYOFF}\n{SHOW}\n{SCORE}"

    assert found(body) == []


@pytest.mark.parametrize("draw", ["draw 2 stock *\ndiscard 2 *", "draw 2 discard\ndiscard 2 TH"])
def test_any_later_draw_crosses_the_floor(draw):
    result = judged(f"{to_the_wall()}\n{draw}\ndraw 1 discard\ndiscard 1 3C\nvoid", end="end void")

    assert (said(result), result.result.outcome) == (["stock-floor-crossed 64/2"], "void")


def test_a_second_draw_may_cross_the_floor_too():
    body = f"{turns(*([1, 2] * 14))}\ndraw 1 stock *\ndraw 1 stock *\ndiscard 1 *\nvoid"

    assert found(body, end="end void") == ["second-draw 63/1", "stock-floor-crossed 63/1"]


def test_a_draw_after_a_card_was_kept_may_cross_the_floor_too():
    body = f"{turns(*([1, 2] * 14))}\ndraw 1 stock *\npass 1\ndraw 2 stock *\ndiscard 2 *\nvoid"

    assert found(body, end="end void") == ["discard-missing 63/1", "stock-floor-crossed 64/2"]


def test_the_floor_is_a_parameter():
    assert found(f"{to_the_wall()}\n{turns(2)}\nvoid", end="end void", rules="stock_floor=1") == []
    assert found(f"{to_the_wall()}\nvoid", end="end void", rules="stock_floor=1") == [
        "void-unfounded 64"
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("pass 2\nvoid", [], id="passed"),
        pytest.param("void", [], id="nobody-asked"),
        pytest.param(
            "draw 2 discard\ndiscard 2 TH\nvoid", ["stock-floor-crossed 65/2"], id="no-knock"
        ),
        pytest.param(f"{turns(2)}\nvoid", ["stock-floor-crossed 64/2"], id="from-the-stock"),
        pytest.param(
            f"pass 2\n{turns(1)}\nvoid", ["stock-floor-crossed 65/1"], id="after-the-pass"
        ),
    ],
)
def test_the_last_upcard_is_one_more_chance_to_knock(body, expected):
    assert found(f"{to_the_wall()}\n{body}", end="end void", rules=LAST_UPCARD) == expected


def test_a_knock_with_the_last_upcard():
    start = dealt("KH KD KC TS TH 8C 6D 5C 2C AD", "7S 7H 7D JS QS KS AH 2H 2D 3C")
    wall = f"{turns(*([1, 2] * 14))}\ndraw 1 stock 5S\ndiscard 1 5S"
    knock = "knock 2 7S 7H 7D | JS QS KS + AH 2H 2D 5S / 3C"
    shown = f"{LAYOFF}\n{SHOW}".replace("layoff 2", "layoff 1").replace("show 2", "show 1")
    taken = f"{wall}\ndraw 2 discard\n{knock}\n{shown}\nscore 1=0 2=22 winner=2"

    assert found(taken, start=start, rules=LAST_UPCARD) == []


@pytest.mark.parametrize(
    ("body", "end", "expected"),
    [
        pytest.param("void", "end void", ["void-unfounded 10"], id="no-cause"),
        pytest.param("void cause=stock-exhausted", "end void", ["void-unfounded 10"], id="not-so"),
        pytest.param("void cause=other", "end void", ["void-unfounded 10"], id="other"),
        pytest.param("void cause=agreed", "end void", [], id="agreed"),
        pytest.param("", "end void", ["void-unfounded 0"], id="by-the-end"),
    ],
)
def test_a_hand_is_not_void_without_a_reason(body, end, expected):
    assert found(f"{turns(1, 2)}\n{body}", end=end) == expected


def test_a_hand_that_was_knocked_on_is_not_void():
    knocked = f"draw 1 stock 5S\n{KNOCK}\n"

    assert found(f"{knocked}void", end="end void") == ["void-unfounded 8"]
    assert found(f"{knocked}void cause=agreed", end="end void") == []


def test_below_full_detail_a_void_without_a_cause_is_judged_by_the_stock_alone():
    assert found(f"{to_the_wall()}\nvoid", end="end void", detail="table") == []
    assert found(f"{turns(1, 2)}\nvoid", end="end void", detail="table") == []
    assert found(f"{turns(1, 2)}\nvoid cause=stock-exhausted", end="end void", detail="table") == [
        "void-unfounded 10"
    ]
