"""003 How Your Winnings Are Calculated: what can stand on a sheet, who was there, and money."""

import pytest

from tests.rules.indian.hands import found, judged, not_run, said, scored


def sheet(score, **settings):
    return found(score, **{"detail": "scores", "start": "", **settings})


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=0 2=33 3=80 winner=1", []),
        ("score 1=0 2=0 3=80 winner=1", []),
        ("score 1=0 2=33 3=80", []),
        ("score 1=0 2=-3 3=80 winner=1", ["score-impossible 1/2"]),
        ("score 1=0 2=81 3=80 winner=1", ["score-impossible 1/2"]),
        ("score 1=0 2=1 3=80 winner=1", ["score-impossible 1/2"]),
        ("score 1=1 2=33 3=80 winner=1", ["score-impossible 1/1"]),
        ("score 1=1 2=33 3=80", ["score-impossible 1/1"]),
        ("score 1=5 2=1 3=80 winner=1", ["score-impossible 1/2", "score-impossible 1/1"]),
        ("score 1=5 2=33 3=80", ["score-impossible 1"]),
        ("score 1=5 2=33 3=80 winner=1", ["score-impossible 1/1"]),
        ("score 1=5 2=0 3=80 winner=1", ["winner-wrong 1/1"]),
        ("score 1=5 2=0 3=80 marks 1=won", ["winner-wrong 1/1"]),
        ("score 1=5 2=33 3=80 marks 1=won", ["score-impossible 1/1"]),
        ("score 1=0 3=80 winner=1", ["score-missing 1/2"]),
        ("score 1=0 3=80 winner=1 marks 2=absent", []),
        ("score 1=0 2=30 3=80 marks 2=first-drop", ["penalty-points-wrong 1/2"]),
        ("score 1=0 2=81 3=80 marks 2=wrong", ["penalty-points-wrong 1/2"]),
        ("score totals 1=90 2=0 3=40", ["score-missing 1"]),
        ("", ["score-missing 0"]),
    ],
)
def test_what_cannot_be_on_a_score_sheet(score, expected):
    assert sheet(score) == expected


def test_what_can_be_on_a_score_sheet_depends_on_the_rules():
    assert sheet("score 1=0 2=95 3=20", rules="wrong_declaration_points=95") == []
    assert sheet("score 1=0 2=95 3=20", rules="cap=none") == []
    # Two lowest hands may be equally low, and the books do not say what then.
    assert sheet("score 1=5 2=5 3=20", rules="stock_exhausted=lowest-wins") == []
    assert sheet("score 1=0 2=1 3=20", rules="card_points=ace-one") == []
    assert sheet("score 1=0 2=1 3=20", rules="first_drop=1") == []
    assert sheet("score 1=0 2=61 3=20", match="M1 format=pool-61") == ["score-impossible 1/2"]
    assert sheet("score 1=0 2=80 3=20 marks 2=left", match="M1 format=deals-2") == []
    assert sheet("score 1=0 2=40 3=20 marks 2=left", match="M1 format=deals-2") == [
        "penalty-points-wrong 1/2"
    ]


# Money: 003 How Your Winnings Are Calculated


POINTS = {"match": "M1 format=points point_value=4 fee=10", "detail": "scores", "start": ""}


def test_003_the_winner_gets_the_points_of_the_others_times_their_value():
    score = "score 1=45 2=78 3=23 4=20 5=40 6=0 winner=6 amounts 6={}"
    settings = {**POINTS, "match": "M1 format=points point_value=4", "players": 6}

    assert found(score.format(824), **settings) == []
    assert found(score.format(823), **settings) == ["amount-wrong 1/6"]


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ("1=202", []),
        ("1=202 2=-132 3=-80", []),
        ("1=212", ["amount-wrong 1/1"]),
        ("1=202 2=-131 3=-80", ["amount-wrong 1/2"]),
        ("1=0 2=132 3=80", ["amount-wrong 1/1", "amount-wrong 1/2", "amount-wrong 1/3"]),
    ],
)
def test_what_the_winner_gets_and_the_losers_pay(amounts, expected):
    assert found(f"score 1=0 2=33 3=20 winner=1 amounts {amounts}", **POINTS) == expected


def test_amounts_that_follow_from_wrong_points_are_no_second_mistake():
    settings = {"match": POINTS["match"]}

    assert said(scored("score 1=0 2=43 3=55 winner=1 amounts 1=382", **settings)) == [
        "score-wrong 10/2"
    ]
    assert said(scored("score 1=0 2=43 3=55 winner=1 amounts 1=342", **settings)) == [
        "score-wrong 10/2"
    ]
    assert said(scored("score 1=0 2=33 3=55 winner=1 amounts 1=352", **settings)) == [
        "amount-wrong 10/1"
    ]


def test_amounts_of_other_matches_are_not_judged_here():
    score = "score 1=0 2=33 3=20 winner=1 amounts 1=7"

    assert sheet(score) == []
    assert sheet(score, match="M1 format=pool-101 point_value=4") == []
    unknown = judged(score, **{**POINTS, "match": "M1 format=points"})
    assert (said(unknown), "amount-wrong" in not_run(unknown)) == ([], True)


# The number of players


def test_how_many_may_play():
    seven = {"detail": "scores", "start": "", "seats": (1, 2, 3, 4, 5, 6, 7)}
    score = "score 1=0 2=20 3=20 4=20 5=20 6=20 7=20"

    assert found(score, **seven) == ["player-count 0"]
    assert found(score, **seven, rules="players_max=7") == []
    assert found("score 1=0", detail="scores", start="", players=1) == ["player-count 0"]


def test_who_is_marked_absent_is_no_player_of_the_hand():
    seven = {"detail": "scores", "start": "", "seats": (1, 2, 3, 4, 5, 6, 7)}
    score = "score 1=0 2=20 3=20 4=20 5=20 6=20{} marks 7=absent"

    assert found(score.format(""), **seven) == []
    assert found(score.format(" 7=0"), **seven) == []
    # With points written down they played.
    assert found(score.format(" 7=20"), **seven) == ["player-count 0"]
    assert found(score.format(""), **{**seven, "seats": (*range(1, 9),)}) == [
        "player-count 0",
        "score-missing 1/8",
    ]
    assert sheet("score 1=0 2=20 winner=3 marks 3=absent") == ["winner-wrong 1/3"]
    assert sheet("score 1=5 2=20 3=0 marks 3=absent") == ["score-impossible 1"]
    # Somebody alone plays no hand: then the mark cannot be meant so.
    assert sheet("score 1=0 marks 2=absent", players=2) == []


def test_the_amount_of_a_winner_comes_from_those_who_were_there():
    money = {**POINTS, "detail": "scores", "start": "", "players": 3}
    score = "score 1=0 2=33 winner=1 amounts 1={} marks 3=absent"

    assert (found(score.format(122), **money), found(score.format(123), **money)) == (
        [],
        ["amount-wrong 1/1"],
    )


def test_who_was_absent_leaves_the_last_of_two_alone():
    absent = "drop 2\nscore 1={} 2=20 winner=1 marks 3=absent"
    settings = {"detail": "shown", "start": "wild 7H"}

    assert judged(absent.format(0), **settings).result.winner == 1
    assert found(absent.format(5), **settings) == ["score-wrong 3/1"]


def test_who_was_dealt_nothing_does_not_count_among_too_many():
    settings = {"detail": "scores", "seats": (*range(1, 8),)}
    deals = "\n".join(f"deal {seat} x13" for seat in range(1, 7))

    assert (
        found("score 1=0 2=33 3=80 4=80 5=80 6=80", start=f"{deals}\ndeal 7 x0", **settings) == []
    )
