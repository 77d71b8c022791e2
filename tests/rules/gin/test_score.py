"""003 Scoring: difference, gin, undercut, and what the table wrote down of them."""

import pytest

from tests.rules.gin.hands import (
    DEAL,
    DEALT,
    KNOCK,
    LAYOFF,
    SCORE,
    SHOW,
    SHOWDOWN,
    dealt,
    found,
    judged,
    not_run,
    said,
    turns,
)

DREW = "draw 1 stock 5S\n"
PLAYED = f"{DREW}{KNOCK}\n{LAYOFF}\n{SHOW}\n"

# Seat 1 of DEALT has 8 points; these opponents have fewer, as many, and more.
SIX = dealt(DEALT[1], "KH KD KC TD TH TC 3H AS AC AD")
EIGHT = dealt(DEALT[1], "KH KD KC TD TH TC 5H AS AC AD")


def played(start, show, score, **settings):
    return judged(f"{DREW}{KNOCK}\n{show}\n{score}", start=start, **settings)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=24 2=0 winner=1", []),
        ("score 1=24 2=0", []),
        ("score 1=23 2=0 winner=1", ["score-wrong 10/1"]),
        ("score 1=24 2=8 winner=1", ["score-wrong 10/2"]),
        ("score 1=0 2=24 winner=2", ["score-wrong 10", "winner-wrong 10"]),
        ("score 1=24 2=0 winner=2", ["winner-wrong 10"]),
        ("score 1=24 2=0 3=5 winner=1", ["score-wrong 10/3"]),
        ("score 1=24 winner=1", ["score-missing 10/2"]),
        ("score winner=1", ["score-missing 10"]),
        ("score 1=24 2=0 marks 1=won", []),
        ("score 1=24 2=0 marks 2=won", ["winner-wrong 10"]),
    ],
)
def test_the_score_is_the_difference_of_the_deadwoods(score, expected):
    assert found(f"{PLAYED}{score}") == expected


def test_a_wrong_score_shows_the_way_to_the_right_one():
    result = judged(f"{PLAYED}score 1=23 2=0 winner=1")

    (wrong,) = result.findings
    assert (wrong.recorded, wrong.expected) == ({1: 23}, {1: 24})
    assert [(term.cards, term.points) for term in wrong.breakdown] == [
        (("TH", "AD", "6D", "2C", "5C", "8C"), 32),
        (("AH", "2H", "2D", "3C"), -8),
    ]


def test_the_printed_undercut():
    # Six against eight: the difference of two and the bonus of 25.
    start = dealt(DEALT[1], "KH KD KC TD TH TC 2C 2S AC AD")
    show = "show 2 KH KD KC | TD TH TC + 2C 2S AC AD"
    result = played(start, show, "score 1=0 2=27 winner=2")

    assert (said(result), result.result.scores, result.result.winner) == ([], {1: 0, 2: 27}, 2)


def test_equal_deadwood_is_an_undercut_where_the_rules_say_so():
    show = "show 2 KH KD KC | TD TH TC + 5H AS AC AD"
    aces = "show 2 KH KD KC | TD TH TC | AS AC AD + 5H"
    assert said(played(EIGHT, show, "score 1=0 2=25 winner=2")) == ["arrangement-not-best 8/2 note"]
    assert said(played(EIGHT, show, "score 1=0 2=0", rules="undercut_on_tie=false")) == [
        "arrangement-not-best 8/2 note"
    ]
    tied = played(EIGHT, show, "score 1=0 2=0", rules="undercut_on_tie=false").result
    assert (tied.outcome, tied.winner, tied.scores) == ("drawn", None, {1: 0, 2: 0})
    assert said(played(EIGHT, aces, "score 1=0 2=28 winner=2")) == []


def test_the_bonus_of_an_undercut_is_a_parameter():
    show = "show 2 KH KD KC | TD TH TC | AS AC AD + 3H"

    assert said(played(SIX, show, "score 1=0 2=15 winner=2", rules="undercut_bonus=10")) == []


GIN = dealt("7S 7H 7D JS QS KS AH 2H 3H 4H", DEALT[2])
GIN_KNOCK = f"{DREW}knock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H / 5S\n"
ALL = "show 2 KH KD KC + TS TH 8C 6D 5C 2C AD\n"


@pytest.mark.parametrize(("rules", "points"), [("", 67), ("gin_bonus=20", 62)])
def test_gin_takes_all_of_the_opponents_deadwood_and_a_bonus(rules, points):
    assert found(f"{GIN_KNOCK}{ALL}score 1={points} 2=0 winner=1", start=GIN, rules=rules) == []


def test_gin_is_never_undercut():
    start = dealt("7S 7H 7D JS QS KS AH 2H 3H 4H", "KH KD KC TD TH TC 5C 6C 8C 7C")
    body = f"{GIN_KNOCK}show 2 KH KD KC | TD TH TC | 5C 6C 7C 8C\nscore 1=25 2=0 winner=1"

    assert found(body, start=start) == []


def test_nothing_is_laid_off_on_gin():
    body = f"{GIN_KNOCK}layoff 2 TS > 2\n{SHOW}\nscore 1=%d 2=0 winner=1"
    result = judged(body % 57, start=GIN)

    assert said(result) == ["layoff-on-gin 8/2", "score-wrong 10/1"]
    assert (result.findings[1].cause.code, result.result.scores) == ("layoff-on-gin", {1: 67, 2: 0})
    assert found(body % 67, start=GIN) == ["layoff-on-gin 8/2"]
    assert found(body % 57, start=GIN, rules="layoff_on_gin=true") == []


BIG = "draw 1 stock 5H\nknock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H 5H\n"


def test_big_gin_keeps_its_eleventh_card_where_it_is_played():
    assert found(f"{BIG}{ALL}score 1=73 2=0 winner=1", start=GIN, rules="big_gin_bonus=31") == []
    result = judged(f"{BIG}{ALL}score 1=67 2=0 winner=1", start=GIN)
    assert (said(result), result.result.scores) == (["discard-missing 7/1"], {1: 67, 2: 0})


def test_eleven_cards_are_big_gin_by_the_best_of_them_where_that_is_judged():
    body = BIG.replace("| AH 2H 3H 4H 5H", "+ AH 2H 3H 4H 5H") + ALL
    best = "big_gin_bonus=31 judge_knocker=best"

    assert found(f"{body}score 1=73 2=0 winner=1", start=GIN, rules=best) == [
        "arrangement-not-best 7/1 note"
    ]
    assert "discard-missing 7/1" in found(body, start=GIN, rules="big_gin_bonus=31")


def test_gin_with_a_discard_is_no_big_gin():
    body = BIG.strip().replace("4H 5H", "4H / 5H")

    assert found(f"{body}\n{ALL}score 1=67 2=0 winner=1", start=GIN, rules="big_gin_bonus=31") == []


def test_ten_melded_cards_and_a_loose_one_are_no_big_gin():
    body = f"{DREW}knock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H + 5S\n{ALL}"

    assert found(f"{body}{SCORE}", start=GIN, rules="big_gin_bonus=31") == [
        "discard-missing 7/1",
        "arrangement-not-best 8/2 note",
    ]


# Lay-offs and the opponent's own melds


def test_the_opponent_may_do_better_by_breaking_a_meld():
    start = dealt("5S 6S 7S 9C TC JC KS KC KD JD", "2S 2C 2D 2H 8S 8C 8D 9S 7C AC", "4H")
    knock = "draw 1 stock 4D\nknock 1 5S 6S 7S | 9C TC JC | KS KC KD + JD / 4D\n"
    kept = "show 2 2S 2C 2D 2H | 8S 8C 8D + 9S 7C AC\nscore 1=7 2=0 winner=1"
    broken = "layoff 2 8S 9S > 1\nlayoff 2 8C 7C > 2\nshow 2 2S 2C 2D 2H + 8D AC\n"

    result = judged(f"{knock}{kept}", start=start)
    assert said(result) == ["arrangement-not-best 8/2 note"]
    assert (result.findings[0].recorded, result.findings[0].expected) == (17, 9)
    assert found(f"{knock}{broken}score 1=0 2=26 winner=2", start=start) == []


def test_each_card_laid_off_fits_after_the_ones_before():
    start = dealt("7S 7H 7D AC 2C 3C JS QS KS 8H", "4C 5C 6D TD TH 9S 6H 5D 4H 2S", "4S")
    knock = "draw 1 stock 3S\nknock 1 7S 7H 7D | AC 2C 3C | JS QS KS + 8H / 3S\n"
    rest = "show 2 + 6D TD TH 9S 6H 5D 4H 2S\nscore 1=44 2=0 winner=1"

    assert found(f"{knock}layoff 2 4C 5C > 2\n{rest}", start=start) == []
    assert found(f"{knock}layoff 2 4C > 2\nlayoff 2 5C > 2\n{rest}", start=start) == []
    assert found(f"{knock}layoff 2 5C 4C > 2\n{rest}", start=start) == [
        "layoff-invalid 8/2",
        "sequence-gap 8/2",
        "arrangement-not-best 9/2 note",
        "score-wrong 10/1",
    ]


@pytest.mark.parametrize(
    ("layoff", "expected"),
    [
        ("layoff 2 8C > 1", ["layoff-invalid 8/2", "set-mixed-ranks 8/2"]),
        ("layoff 2 TH > 2", ["layoff-invalid 8/2", "sequence-mixed-suits 8/2"]),
        ("layoff 2 TS > 3", ["layoff-invalid 8/2"]),
        ("layoff 1 AH > 1", ["out-of-turn 8/1"]),
    ],
)
def test_a_lay_off_fits_its_meld_and_is_the_opponents(layoff, expected):
    body = f"{DREW}{KNOCK}\n{layoff}\n{ALL}score 1=34 2=0 winner=1"

    assert found(body) == [*expected, "arrangement-not-best 9/2 note"]


def test_a_card_laid_off_wrongly_need_not_be_shown_again():
    body = f"{DREW}{KNOCK}\nlayoff 2 8C > 1\n{ALL.replace('8C ', '')}score 1=34 2=0 winner=1"

    assert found(body) == [
        "layoff-invalid 8/2",
        "set-mixed-ranks 8/2",
        "arrangement-not-best 9/2 note",
    ]


def test_nothing_can_be_laid_off_on_a_group_that_is_no_meld():
    bad = "knock 1 7S 7H 7D | JS QS AH + KS 2H 2D 3C / 5S"
    result = judged(f"{DREW}{bad}\nlayoff 2 TS > 2\n{SHOW}", end="end abandoned")

    assert [code for code in said(result) if code.startswith("layoff")] == ["layoff-invalid 8/2"]


def test_a_card_that_is_not_held_cannot_be_laid_off():
    result = judged(f"{DREW}{KNOCK}\nlayoff 2 9S > 2")

    assert (said(result), result.verdict) == (["card-not-held 8/2"], "impossible")


def test_nobody_lays_off_before_a_knock():
    assert found(f"{DREW}layoff 2 TS > 1", end="end abandoned") == ["layoff-invalid 7/2"]


def test_a_lay_off_may_come_after_the_show():
    assert found(f"{DREW}{KNOCK}\n{ALL}{LAYOFF}\n{SCORE}") == []


def test_a_card_of_an_own_meld_is_not_laid_off_too():
    result = judged(f"{DREW}{KNOCK}\n{ALL}layoff 2 KD > 2\nscore 1=34 2=0 winner=1")

    assert said(result) == ["arrangement-not-best 8/2 note", "card-in-two-groups 9/2"]


# The opponent's hand


@pytest.mark.parametrize(
    ("show", "expected", "points"),
    [
        ("show 2 KH KD KC + TH 8C 6D 5C 2C", ["hand-size 9/2"], 24),
        ("show 2 KH KD KC + TH 8C 6D 5C 2C AD 4H", ["card-not-held 9/2"], 24),
        ("show 2 KH KD KC + TS TH 8C 6D 5C 2C AD", ["card-not-held 9/2"], 24),
        ("show 2 KH KD KC + TH 8C 6D 5C 2C AC", ["card-not-held 9/2"], 24),
        ("show 2 KH KD KC + TH 8C 6D 5C 2C AD AD", ["card-in-two-groups 9/2"], 24),
        ("show 2 KH KD KC + TH 8C 6D 5C ?? AD AD", ["card-in-two-groups 9/2"], 24),
        ("show 2 KH KD KC | TH 8C 6D + 5C 2C AD", ["group-invalid 9/2"], 24),
        ("show 2 KH KD + KC TH 8C 6D 5C 2C AD", ["group-too-short 9/2"], 54),
    ],
)
def test_the_opponent_shows_every_card_once(show, expected, points):
    result = judged(f"{DREW}{KNOCK}\n{LAYOFF}\n{show}\nscore 1={points} 2=0 winner=1")

    notes = ["arrangement-not-best 9/2 note"] if points == 54 else []
    assert said(result) == [*expected, *notes]
    assert result.result.scores == {1: points, 2: 0}


def test_a_score_that_trusts_a_bad_group_is_its_consequence():
    show = "show 2 KH KD KC | TH 8C 6D + 5C 2C AD"
    result = judged(f"{DREW}{KNOCK}\n{LAYOFF}\n{show}\nscore 1=0 2=25 winner=2")

    # Eight against eight by the claim: an undercut; the winner follows from it too.
    assert said(result) == ["group-invalid 9/2", "score-wrong 10"]
    assert (result.findings[1].cause.code, result.findings[1].cause.seq) == ("group-invalid", 9)


def test_a_hand_that_was_never_shown_counts_at_its_best():
    assert found(f"{DREW}{KNOCK}\n{SCORE}") == []
    assert found(f"{DREW}{KNOCK}\n{LAYOFF}\n{SCORE}") == []


def test_the_opponent_may_be_judged_by_the_best_melds():
    loose = "show 2 + KH KD KC TS TH 8C 6D 5C 2C AD\n"
    note = ["arrangement-not-best 8/2 note"]

    assert found(f"{DREW}{KNOCK}\n{loose}score 1=64 2=0 winner=1") == note
    assert found(f"{DREW}{KNOCK}\n{loose}{SCORE}", rules="judge_defender=best") == note


# What the table wrote down


def test_a_completed_hand_has_a_score():
    assert found(PLAYED) == ["score-missing 0"]
    assert found(PLAYED, end="") == []
    assert found(PLAYED, end="end abandoned") == []


@pytest.mark.parametrize("score", ["score 1=24 2=0 winner=1", "score 1=0 2=0"])
def test_a_score_needs_an_ended_hand(score):
    result = judged(f"{turns(1, 2)}\n{score}")

    assert (said(result), result.result.scores) == (["hand-not-ended 10"], {})
    assert found(f"{turns(1, 2)}\n{score}", end="") == []


def test_a_score_that_a_ruling_corrected_is_handled():
    body = f"{PLAYED}score 1=23 2=0 winner=1\nruling ref1 10 score-corrected\n{SCORE}"

    assert found(body) == ["score-wrong 10/1 note"]
    assert found(f"{PLAYED}score 1=23 2=0 winner=1\n{SCORE}") == ["score-wrong 10/1"]


def test_an_annulled_hand_brings_nobody_points():
    assert found("void cause=agreed\nscore 1=5 2=0 winner=1", end="end void") == ["score-wrong 7/1"]


def test_three_hands_cannot_be_compared():
    start = f"{DEAL}\ndeal 3 3D 4D 5D 6H 8H 9C JC QD 3S 4S\nupcard 9H\npass 1\npass 2\npass 3\n"
    result = judged(f"{DREW}{SHOWDOWN}", start=start, seats=(1, 2, 3), dealer=3)

    assert said(result) == ["player-count 0"]
    assert not_run(result)["score-wrong"] == "there are not two hands to compare"
