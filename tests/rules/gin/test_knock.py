"""003 Knocking, Illegal Knock: who may knock, with how much, and what must be laid down."""

import pytest

from tests.rules.gin.hands import (
    DEAL,
    KNOCK,
    LAYOFF,
    REFUSED,
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

ABANDONED = "end abandoned"
DREW = "draw 1 stock 5S\n"
SHOW_ALL = "show 2 KH KD KC + TS TH 8C 6D 5C 2C AD"
OVER = "knock 1 7S 7H 7D + JS QS KS AH 2H 2D 3C / 5S"  # 38 points of deadwood


def answered(spread, *, score="score 1=24 2=0 winner=1"):
    return f"{DREW}{spread}\n{LAYOFF}\n{SHOW}\n{score}"


def test_the_printed_example():
    # 13 points unmelded, 8 after the 5 of spades: a knock; 32 against 8 is 24.
    result = judged(f"{DREW}{SHOWDOWN}")

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})
    assert [(term.cards, term.points) for term in result.result.breakdown[1]] == [
        (("TH", "AD", "6D", "2C", "5C", "8C"), 32),
        (("AH", "2H", "2D", "3C"), -8),
    ]


def test_more_than_ten_points_are_too_many():
    result = judged(f"{DREW}{OVER}\n{SHOW_ALL}\nscore 1=4 2=0 winner=1")

    assert said(result) == ["knock-over-limit 7/1", "arrangement-not-best 7/1 note"]
    assert [(each.recorded, each.expected) for each in result.findings] == [(38, 10), (38, 8)]
    # Accepting it means that it stands: 42 against 38.
    assert result.result.scores == {1: 4, 2: 0}


@pytest.mark.parametrize(("limit", "expected"), [(8, []), (7, ["knock-over-limit 7/1"])])
def test_the_limit_is_a_parameter(limit, expected):
    assert found(f"{DREW}{SHOWDOWN}", rules=f"knock_max={limit}") == expected


@pytest.mark.parametrize(
    ("upcard", "ace", "expected"),
    [
        ("9H", 1, []),
        ("QC", 1, []),
        ("7C", 1, ["knock-over-limit 7/1"]),
        ("AC", 1, ["knock-over-limit 7/1"]),
        ("AC", 0, ["knock-over-limit 7/1"]),
    ],
)
def test_oklahoma_takes_the_limit_from_the_upcard(upcard, ace, expected):
    result = judged(
        f"{DREW}{SHOWDOWN}",
        start=REFUSED.replace("9H", upcard),
        rules=f"knock_max=upcard oklahoma_ace={ace}",
    )

    assert said(result) == expected
    assert all(each.expected in (7, ace) for each in result.findings)


def test_a_knock_needs_a_draw():
    nine = f"knock 1 7S 7H 7D | JS QS KS + AH 2H 2D / 3C\n{LAYOFF}\n{SHOW}\n"

    assert found(f"{nine}score 1=27 2=0 winner=1") == ["knock-without-draw 6/1"]
    assert found(f"{turns(1, 2, 1)}\n{nine}score 1=27 2=0 winner=1") == ["knock-without-draw 12/1"]


def test_a_knock_after_the_own_discard_comes_without_a_draw():
    assert found(f"{turns(1)}\n{KNOCK.replace('2D 3C / 5S', '2D / 3C')}", end=ABANDONED) == [
        "knock-without-draw 8/1"
    ]


def test_the_discard_of_a_knock_is_not_the_card_just_taken():
    taken = f"{DEAL}\nupcard 5S\ndraw 1 discard\n{SHOWDOWN}"

    assert found(taken, start="") == ["discard-just-taken 5/1"]
    assert found(taken, start="", rules="discard_just_taken=true") == []


@pytest.mark.parametrize(
    ("loose", "expected", "unsure"),
    [
        ("AH 2H 2D 3C", ["discard-just-taken 5/1"], False),  # every other card lies there
        ("AH 2H 2D 5S", [], False),  # so does the card taken
        ("AH 2H 2D ??", [], True),
    ],
)
def test_which_card_was_thrown_unseen_shows_in_the_hand_laid_down(loose, expected, unsure):
    knock = f"knock 1 7S 7H 7D | JS QS KS + {loose} / ??"
    result = judged(
        f"{DEAL}\nupcard 5S\ndraw 1 discard\n{knock}\n{LAYOFF}\n{SHOW}", start="", end=ABANDONED
    )

    assert (said(result), "discard-just-taken" in not_run(result)) == (expected, unsure)


def test_a_knocker_who_shows_the_hand_too_claims_nothing_new():
    """What is wrong with a claim is found once, at the knock."""
    named = "7S 7H 7D | JS QS 3C + AH 2H 2D KS"
    kept_back = "7S 7H 7D | JS QS KS + AH 2H 2D"

    assert found(f"{DREW}knock 1 {named} / 5S\nshow 1 {named}", end=ABANDONED) == [
        "sequence-mixed-suits 7/1",
        "sequence-gap 7/1",
        "knock-over-limit 7/1",
        "arrangement-not-best 7/1 note",
    ]
    assert found(f"{DREW}knock 1 {kept_back} / 5S\nshow 1 {kept_back}", end=ABANDONED) == [
        "knock-wrong-deadwood 7/1"
    ]


def test_a_knock_needs_its_discard():
    result = judged(
        f"{DREW}knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C 5S\n{LAYOFF}\n{SHOW}\n{SCORE}"
    )

    assert said(result) == ["discard-missing 7/1"]
    assert (result.result.outcome, result.result.scores) == ("undecided", {})


def test_a_discard_that_is_not_held_cannot_fall():
    result = judged(f"{DREW}knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C / 4C")

    assert (said(result), result.verdict) == (["card-not-held 7/1"], "impossible")


# The spread: every card, once


@pytest.mark.parametrize(
    ("spread", "expected", "points"),
    [
        pytest.param(
            "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D / 5S",
            ["knock-wrong-deadwood 7/1"],
            24,
            id="left-out",
        ),
        pytest.param(
            "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3D / 5S",
            ["card-not-held 7/1"],
            24,
            id="not-held",
        ),
        pytest.param(
            "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C 3D / 5S",
            ["card-not-held 7/1"],
            24,
            id="one-more",
        ),
        pytest.param(
            "knock 1 7S 7H 7D | JS QS KS + AH 2H 3D / 5S",
            ["card-not-held 7/1", "knock-wrong-deadwood 7/1"],
            24,
            id="one-for-two",
        ),
        pytest.param(
            "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C 3C / 5S",
            ["card-in-two-groups 7/1"],
            24,
            id="twice",
        ),
        pytest.param(
            "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C 5S / 5S",
            ["card-in-two-groups 7/1"],
            24,
            id="thrown-and-kept",
        ),
        pytest.param(
            "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D JK / 5S",
            ["card-not-in-deck 7/1"],
            24,
            id="joker",
        ),
    ],
)
def test_every_card_is_laid_down_once(spread, expected, points):
    result = judged(answered(spread))

    assert said(result) == expected
    assert result.result.scores == {1: points, 2: 0}


def test_the_first_group_keeps_a_card_and_the_second_is_judged_without_it():
    # 7-7-7 keeps the seven of hearts.
    start = DEAL.replace("AH 2H 2D 3C", "6H 8H 2D 3C") + "\nupcard 9H\npass 1\npass 2\n"
    result = judged(
        f"{DREW}knock 1 7S 7H 7D | JS QS KS | 6H 7H 8H + 2D 3C / 5S", start=start, end=ABANDONED
    )

    assert said(result) == [
        "card-in-two-groups 7/1",
        "group-too-short 7/1",
        "sequence-gap 7/1",
        "knock-over-limit 7/1",
    ]


@pytest.mark.parametrize(
    ("groups", "loose", "codes"),
    [
        ("7S 7H 7D | JS QS | KS", "AH 2H 2D 3C", ["group-too-short", "group-too-short"]),
        ("7S 7H 7D KS | JS QS", "AH 2H 2D 3C", ["set-mixed-ranks", "group-too-short"]),
        ("7S 7H 7D | JS QS KS AH", "2H 2D 3C", ["sequence-mixed-suits", "sequence-wraps"]),
        ("7S 7H 7D | JS QS KS | AH 2H 3C", "2D", ["sequence-mixed-suits"]),
        ("7S 7H 7D | JS QS KS | AH 2H 2D 3C", "", ["group-invalid"]),
    ],
)
def test_a_group_that_is_no_meld_counts_as_deadwood(groups, loose, codes):
    result = judged(f"{DREW}knock 1 {groups} + {loose} / 5S", end=ABANDONED)
    declared = [each for each in result.findings if each.code in codes]

    assert [each.code for each in declared] == codes
    assert {each.code for each in result.findings} - set(codes) <= {
        "knock-over-limit",
        "arrangement-not-best",
    }


@pytest.mark.parametrize(
    ("group", "code"),
    [
        ("KS AS 2S", "sequence-wraps"),
        ("QS KS AS", "sequence-wraps"),
        ("4S 5S 7S", "sequence-gap"),
        ("4S 5S 6H", "sequence-mixed-suits"),
        ("4S 4H 5D", "set-mixed-ranks"),
        ("4S 6H 9D", "group-invalid"),
    ],
)
def test_the_breaches_of_a_meld(group, code):
    run = "7C 8C 9C TC JC QC KC"
    start = dealt(f"{group} {run}", "AH 2H 3H 4D 5H 6D 7H 8H 9H TH", "2D")
    if code == "group-invalid":
        start = start.replace("4D", "JD")
    knock = f"draw 1 stock 3D\nknock 1 {run} | {group} / 3D"
    result = judged(knock, start=start, end=ABANDONED)

    assert [each.code for each in result.findings if each.code != "knock-over-limit"] == [code]
    assert result.findings[0].rule.source.startswith("003 ")


def test_an_over_limit_that_comes_from_a_bad_group_names_its_cause():
    result = judged(f"{DREW}knock 1 7S 7H 7D KS | JS QS + AH 2H 2D 3C / 5S", end=ABANDONED)
    over = next(each for each in result.findings if each.code == "knock-over-limit")

    assert (over.cause.code, over.cause.seq) == ("group-too-short", 7)


# The deadwood that is called


@pytest.mark.parametrize(
    ("called", "expected"),
    [(8, []), (7, ["knock-wrong-deadwood 7/1"]), (9, ["knock-wrong-deadwood 7/1"])],
)
def test_a_called_deadwood_is_the_right_one(called, expected):
    assert found(answered(f"{KNOCK} deadwood={called}")) == expected


def test_a_called_deadwood_that_leaves_out_a_card_is_one_slip():
    short = "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D / 5S deadwood=5"

    assert found(answered(short)) == ["knock-wrong-deadwood 7/1"]


def test_a_called_deadwood_that_trusts_a_bad_group_is_one_slip():
    bad = "knock 1 7S 7H 7D | JS QS KS | AH 2H 3C + 2D / 5S deadwood=2"

    assert found(answered(bad)) == ["sequence-mixed-suits 7/1"]


def test_the_opponent_too_may_call_a_deadwood():
    right, wrong = f"{SHOW} deadwood=32", f"{SHOW} deadwood=30"

    assert found(f"{DREW}{KNOCK}\n{LAYOFF}\n{right}\n{SCORE}") == []
    assert found(f"{DREW}{KNOCK}\n{LAYOFF}\n{wrong}\n{SCORE}") == ["knock-wrong-deadwood 9/2"]


def test_deadwood_that_was_not_written_down_is_what_is_left():
    assert found(answered("knock 1 7S 7H 7D | JS QS KS / 5S")) == []


# Judged by the best arrangement


def test_the_knocker_may_be_judged_by_the_best_melds():
    assert found(
        f"{DREW}{OVER}\n{SHOW_ALL}\nscore 1=34 2=0 winner=1", rules="judge_knocker=best"
    ) == ["arrangement-not-best 7/1 note"]


# 003 Illegal Knock, stage by stage


@pytest.mark.parametrize("answer", ["", f"{SHOW_ALL}\n", "ruling ref1 7 declaration-wrong\n"])
def test_an_illegal_knock_that_is_not_accepted_is_handled_and_play_goes_on(answer):
    result = judged(f"{DREW}{OVER}\n{answer}{turns(2, 1)}", end=ABANDONED)

    assert said(result) == ["knock-over-limit 7/1 note", "arrangement-not-best 7/1 note"]
    assert result.verdict == "clean"


@pytest.mark.parametrize("choice", ["hand-stays-open", "hand-picked-up"])
def test_once_cards_were_shown_the_opponent_chooses(choice):
    body = f"{DREW}{OVER}\n{SHOW_ALL}\nchoice 2 {choice}\n{turns(2)}\ndraw 1 stock 4C\n"
    knock = "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C / 4C"
    result = judged(f"{body}{knock}\n{LAYOFF}\n{SHOW}\n{SCORE}")

    assert said(result) == ["knock-over-limit 7/1 note", "arrangement-not-best 7/1 note"]
    assert result.result.scores == {1: 24, 2: 0}


def test_an_illegal_knock_may_be_accepted():
    accepted = f"{DREW}{OVER}\nchoice 2 accept-knock\n{SHOW_ALL}\nscore 1=4 2=0 winner=1"

    assert found(accepted) == ["knock-over-limit 7/1 note", "arrangement-not-best 7/1 note"]


def test_the_knocker_cannot_accept_the_own_knock():
    accepted = f"{DREW}{OVER}\nchoice 1 accept-knock\n{SHOW_ALL}\nscore 1=4 2=0 winner=1"

    assert found(accepted) == ["knock-over-limit 7/1", "arrangement-not-best 7/1 note"]


def test_an_accepted_illegal_knock_may_be_undercut():
    # 29 points against 42 less the ten of spades.
    over = "knock 1 JS QS KS + 7S 7H 7D AH 2H 2D 3C / 5S"
    body = f"{DREW}{over}\nchoice 2 accept-knock\nlayoff 2 TS > 1\n{SHOW}\nscore 1=3 2=0 winner=1"

    assert found(body) == ["knock-over-limit 7/1 note", "arrangement-not-best 7/1 note"]
    undercut = body.replace(OVER, over).replace("+ 7S 7H 7D", "+ 7S 7H 7D")
    assert judged(undercut).result.scores == {1: 3, 2: 0}


def test_once_cards_were_laid_off_an_illegal_knock_stands():
    over = "knock 1 JS QS KS + 7S 7H 7D AH 2H 2D 3C / 5S"
    body = f"{DREW}{over}\nlayoff 2 TS > 1\n{turns(2, 1)}"

    assert found(body, end=ABANDONED) == [
        "knock-over-limit 7/1",
        "arrangement-not-best 7/1 note",
        "event-after-end 9/2",
    ]


def test_a_hand_that_was_picked_up_has_no_gin_bonus():
    start = DEAL.replace("AH 2H 2D 3C", "AH 2H 3H 3C") + "\nupcard 9H\npass 1\npass 2\n"
    over = "knock 1 7S 7H 7D + JS QS KS AH 2H 3H 3C / 5S"
    gin = "knock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H / 3C"

    def score(choice, points):
        return found(
            f"{DREW}{over}\n{SHOW_ALL}\nchoice 2 {choice}\n{turns(2)}\ndraw 1 stock 4H\n{gin}\n"
            f"{SHOW_ALL}\nscore 1={points} 2=0 winner=1",
            start=start,
        )

    handled = ["knock-over-limit 7/1 note", "arrangement-not-best 7/1 note"]
    assert score("hand-picked-up", 42) == handled
    assert score("hand-stays-open", 67) == handled
    assert score("hand-picked-up", 67) == [*handled, "score-wrong 15/1"]


def test_a_hand_that_was_picked_up_has_no_undercut_bonus():
    start = dealt("7S 7H 7D JS QS KS AH 2H 2D 4C", "KH KD KC TS 9S 8S 3H 3C 2C AD")
    over = "knock 1 7S 7H 7D + JS QS KS AH 2H 2D 4C / 5S"
    show = "show 2 KH KD KC | TS 9S 8S + 3H 3C 2C AD"
    knock = "knock 2 KH KD KC | TS 9S 8S + 3H 3C 2C AD / 5H"  # nine
    reply = "show 1 7S 7H 7D + JS QS KS AH 2H 2D 4C"

    def score(choice, cards, points):
        return judged(
            f"draw 1 stock 5S\n{over}\n{show}\nchoice 2 {choice}\ndraw 2 stock 5H\n{knock}\n"
            f"{cards}\nscore 1={points} 2=0 winner=1",
            start=start,
        )

    handled = ["knock-over-limit 7/1 note", "arrangement-not-best 7/1 note"]
    # Spread well, seat 1 has nine as well: a tie, which is an undercut only with its bonus.
    melded = reply.replace("7S 7H 7D + JS QS KS", "7S 7H 7D | JS QS KS +")
    assert said(score("hand-stays-open", melded, 25)) == handled
    assert score("hand-picked-up", melded, 0).result.scores == {1: 0, 2: 0}


@pytest.mark.parametrize("choice", ["hand-stays-open", "hand-picked-up"])
def test_a_right_knock_cannot_be_refused(choice):
    assert found(f"{DREW}{KNOCK}\nchoice 2 {choice}\n{turns(2, 1)}", end=ABANDONED) == [
        "right-declaration-refused 8/1"
    ]


def test_play_after_a_right_knock_comes_after_the_end():
    assert found(f"{DREW}{KNOCK}\n{turns(2, 1)}", end=ABANDONED) == ["event-after-end 8/2"]


def test_play_after_the_score_comes_after_the_end():
    assert found(f"{DREW}{SHOWDOWN}\n{turns(2, 1)}") == ["event-after-end 11/2"]


# 003 Wrong Card Discarded


def test_a_wrong_card_thrown_with_a_knock_stays():
    # The three of clubs was meant; eleven points are left with the five.
    wrong = "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 5S / 3C"

    assert found(f"{DREW}{wrong}\n{LAYOFF}\n{SHOW}\nscore 1=22 2=0 winner=1") == []
    assert found(
        f"{DREW}{wrong}\nirregularity other 1 3C\n{turns(2)}", end=ABANDONED, rules="knock_max=8"
    ) == [
        "knock-over-limit 7/1 note",
        "irregularity-handled 8/1 note",
    ]


def test_somebody_who_does_not_sit_there_lays_nothing_off():
    result = judged(f"{DREW}{KNOCK}\nlayoff 5 TS > 2", end=ABANDONED)

    assert (result.verdict, said(result)) == ("impossible", ["out-of-turn 8/5"])
