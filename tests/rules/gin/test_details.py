"""What each detail lets be judged: full, table, shown and scores; and hands that are open."""

import pytest

from rummy_audit.rules.replay import replay
from tests.rules.gin.hands import (
    DEALT,
    KNOCK,
    LAYOFF,
    REFUSED,
    SCORE,
    SHOW,
    SHOWDOWN,
    dealt,
    found,
    hand,
    judged,
    not_run,
    said,
    to_the_wall,
    turns,
)

DREW = "draw 1 stock 5S\n"
PLAY = "the play is not in a log of detail %s"
CARDS = "no cards are in a log of detail scores"
OF_PLAY = {
    "card-not-held",
    "count-correction-wrong",
    "deal-count",
    "deck-order",
    "discard-just-taken",
    "discard-missing",
    "draw-missing",
    "draw-not-top",
    "draw-while-barred",
    "event-after-end",
    "exposed-card-taken",
    "hand-not-ended",
    "knock-while-barred",
    "knock-without-draw",
    "misdeal-not-called",
    "out-of-turn",
    "reshuffle-early",
    "second-discard",
    "second-draw",
    "stock-floor-crossed",
    "upcard-order",
}
OF_CARDS = {
    "arrangement-not-best",
    "card-in-two-groups",
    "card-not-in-deck",
    "group-invalid",
    "group-too-short",
    "hand-size",
    "knock-over-limit",
    "knock-wrong-deadwood",
    "layoff-invalid",
    "layoff-on-gin",
    "score-wrong",
    "sequence-gap",
    "sequence-mixed-suits",
    "sequence-wraps",
    "set-mixed-ranks",
    "set-repeated-suit",
    "set-too-long",
    "too-many-copies",
}


@pytest.mark.parametrize("detail", ["full", "table"])
def test_the_play_is_judged_where_it_is_in_the_log(detail):
    result = judged(f"{turns(1, 2)}\n{DREW}{SHOWDOWN}", detail=detail)

    assert (said(result), not_run(result)) == ([], {})
    assert result.result.scores == {1: 24, 2: 0}


def test_shown_hands_are_enough_for_the_score():
    result = judged(SHOWDOWN, start="", detail="shown")

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})
    assert not_run(result) == dict.fromkeys(OF_PLAY, PLAY % "shown")


def test_a_score_sheet_says_only_what_can_be():
    result = judged(SCORE, start="", detail="scores")

    assert (said(result), result.result.scores, result.verdict) == ([], {}, "clean")
    assert not_run(result) == (
        dict.fromkeys(OF_PLAY, PLAY % "scores") | dict.fromkeys(OF_CARDS, CARDS)
    )


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=24 2=0 winner=1", []),
        ("score 1=24 2=0", []),
        ("score 1=0 2=0", []),
        ("score 1=-5 2=0", ["score-impossible 1/1"]),
        ("score 1=10 2=10", ["score-impossible 1"]),
        ("score 1=126 2=0", ["score-impossible 1/1"]),
        ("score 1=125 2=0", []),
        ("score 1=24 2=0 winner=2", ["winner-wrong 1"]),
        ("score 1=0 2=0 winner=1", ["winner-wrong 1"]),
        ("score 1=24 2=0 marks 2=won", ["winner-wrong 1"]),
        ("score 1=24 2=0 winner=1 marks 1=won", []),
        ("score 1=24 2=0 winner=1 marks 2=won", ["winner-wrong 1"]),
        ("score 1=24 2=0 winner=2 marks 1=won", ["winner-wrong 1"]),
        ("score 1=24 2=0 marks 1=won 2=won", ["winner-wrong 1"]),
        ("score 1=24", ["score-missing 1/2"]),
        ("score winner=1", ["score-missing 1"]),
        ("", ["score-missing 0"]),
    ],
)
def test_a_score_sheet(score, expected):
    assert found(score, start="", detail="scores") == expected


@pytest.mark.parametrize(
    ("marks", "named"),
    [("", []), (" marks 1=won", []), (" marks 2=won", [2]), (" marks 1=won 2=won", [2])],
)
@pytest.mark.parametrize("detail", ["full", "table", "shown"])
def test_a_mark_names_a_winner_beside_the_one_that_is_named(marks, named, detail):
    body = f"{SHOWDOWN}{marks}" if detail == "shown" else f"{DREW}{SHOWDOWN}{marks}"
    result = judged(body, detail=detail, **({"start": ""} if detail == "shown" else {}))

    assert [each.recorded for each in result.findings if each.code == "winner-wrong"] == named
    assert len(result.findings) == len(named)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=24 2=0 marks 3=absent", []),
        ("score 1=24 2=0 3=0 winner=1 marks 3=absent", []),
        ("score 1=0 3=31 marks 2=absent", []),
        ("score 1=24 2=31 marks 3=absent", ["score-impossible 1"]),
        ("score 1=24 marks 3=absent", ["score-missing 1/2"]),
        ("score 1=24 2=0 3=5 marks 3=absent", ["player-count 0", "score-impossible 1"]),
        ("score 1=24 2=0 3=0", ["player-count 0"]),
        ("score 1=24 marks 2=absent 3=absent", ["player-count 0"]),
    ],
)
def test_who_was_not_there_is_no_player_of_the_hand(score, expected):
    """Two play, and a third of the evening is marked absent: nothing was dealt there."""
    assert found(score, start="", detail="scores", seats=(1, 2, 3)) == expected


@pytest.mark.parametrize("detail", ["full", "table", "shown"])
def test_the_hand_of_two_is_counted_where_a_third_was_not_there(detail):
    play = {"start": ""} if detail == "shown" else {}
    body = SHOWDOWN if detail == "shown" else f"{DREW}{SHOWDOWN}"
    about = {"detail": detail, "seats": (1, 2, 3), **play}
    result = judged(f"{body} marks 3=absent", **about)

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})
    wrong = f"{body} marks 3=absent".replace("1=24", "1=25")
    assert [each.code for each in judged(wrong, **about).findings] == ["score-wrong"]
    # Without that word there are three of them.
    assert [each.code for each in judged(body, **about).findings][:1] == ["player-count"]


def test_where_nobody_could_win_anything_a_winner_of_nothing_may_be():
    rules = "gin_bonus=0 undercut_bonus=0"

    assert found("score 1=0 2=0 winner=1", start="", detail="scores", rules=rules) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(SHOWDOWN.replace("1=24", "1=23"), ["score-wrong 4/1"], id="score"),
        pytest.param(
            f"{KNOCK}\n{LAYOFF}\n{SHOW.replace('AD', 'AH')}\n{SCORE}",
            ["card-not-held 3/2"],
            id="twice",
        ),
        pytest.param(
            f"{KNOCK}\n{LAYOFF}\n{SHOW.replace(' AD', '')}\n{SCORE}", ["hand-size 3/2"], id="short"
        ),
        pytest.param(
            f"{KNOCK.replace(' 3C', '')}\n{LAYOFF}\n{SHOW}\n{SCORE}",
            ["knock-wrong-deadwood 1/1"],
            id="left-out",
        ),
        pytest.param(
            f"{KNOCK} deadwood=9\n{LAYOFF}\n{SHOW}\n{SCORE}",
            ["knock-wrong-deadwood 1/1"],
            id="called",
        ),
    ],
)
def test_shown_hands_are_judged(body, expected):
    assert found(body, start="", detail="shown") == expected


def test_noughts_beside_a_void_are_no_score_that_speaks_against_it():
    body = f"{turns(1, 2)}\nscore 1={{}} 2=0"

    assert found(body.format(0), detail="table", end="end void") == []
    assert found(body.format(24), detail="table", end="end void") == [
        "void-unfounded 0",
        "score-wrong 10/1",
    ]


MISDEAL = "misdeal cause=wrong-count\n"


@pytest.mark.parametrize("upcard", ["", "upcard 9H\n"])
def test_a_hand_that_is_shown_after_a_misdeal_was_dealt_again(upcard):
    again = f"{MISDEAL}{upcard}{SHOWDOWN}"
    result = judged(again, start="", detail="shown")

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})
    at = 5 + bool(upcard)
    wrong = again.replace("1=24", "1=25")
    assert found(wrong, start="", detail="shown") == [f"score-wrong {at}/1"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("upcard 3H\n", "upcard 9H\n", []),
        ("upcard 9H\n", "upcard 3H\n", ["knock-over-limit 4/1"]),
        ("upcard 3H\n", "", []),
    ],
)
def test_the_upcard_of_the_deal_that_was_played_sets_the_limit(before, after, expected):
    body = f"{before}{MISDEAL}{after}{SHOWDOWN}"

    assert found(body, start="", detail="shown", rules="knock_max=upcard") == expected


@pytest.mark.parametrize(
    ("score", "end", "expected"),
    [
        (SCORE, "end", []),
        ("score 1=10 2=10", "end", ["score-impossible 2"]),
        ("score 1=0 2=0", "end", []),
        (SCORE, "end misdeal", ["score-wrong 2/1"]),
        ("score 1=0 2=0", "end misdeal", []),
        ("", "end misdeal", []),
    ],
)
@pytest.mark.parametrize("detail", ["shown", "scores"])
def test_a_sheet_of_a_hand_that_was_dealt_again(score, end, expected, detail):
    """The deals are not in such a log: a hand that was completed was dealt after all."""
    assert found(f"{MISDEAL}{score}", start="", detail=detail, end=end) == expected


def test_at_shown_detail_a_discard_may_be_left_out():
    assert found(SHOWDOWN.replace(" / 5S", ""), start="", detail="shown") == []


def test_oklahoma_without_its_upcard_has_no_limit():
    result = judged(SHOWDOWN, start="", detail="shown", rules="knock_max=upcard")

    assert said(result) == []
    assert not_run(result)["knock-over-limit"] == (
        "the upcard, which sets the limit, is not recorded"
    )
    assert found(SHOWDOWN, start="upcard 7C", detail="shown", rules="knock_max=upcard") == [
        "knock-over-limit 2/1"
    ]


def test_shown_without_a_knock_the_score_is_not_judged():
    result = judged(f"{SHOW}\n{SCORE}", start="", detail="shown")

    assert not_run(result)["score-wrong"] == "no knock is recorded at this detail"


# At the table a stock card is not seen; later it may be.


def test_a_hand_that_nobody_showed_has_no_points():
    result = judged(f"{DREW}{KNOCK}\n{SCORE}", detail="table")

    assert (said(result), result.result.scores, result.result.outcome) == ([], {}, "undecided")
    assert not_run(result)["score-wrong"] == (
        "the opponent's hand was not shown, or not all of it is known"
    )


def test_a_card_shown_that_lies_in_the_pile_is_not_held():
    body = f"{turns(1, 2)}\n{DREW}{KNOCK}\n{LAYOFF}\n%s\n{SCORE}"
    thrown = "AS"

    assert found(body % SHOW.replace("AD", thrown), detail="table") == ["card-not-held 13/2"]


def test_a_card_comes_to_light_only_once():
    body = "draw 1 stock 5S\ndiscard 1 5S\ndraw 2 stock 4D\ndiscard 2 5S"

    assert found(body, detail="table", end="end abandoned") == ["too-many-copies 9/2"]


def test_a_card_thrown_face_down_and_unseen():
    hidden = f"{DREW}{KNOCK.replace('/ 5S', '/ ??')}\n{LAYOFF}\n{SHOW}\n{SCORE}"

    for detail in ("full", "table"):
        result = judged(hidden, detail=detail)
        assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})


def test_a_face_down_discard_that_is_taken_comes_to_light():
    body = "draw 1 stock 5S\ndiscard 1 ??\ndraw 2 discard 5S\ndiscard 2 TH"

    assert found(body, end="end abandoned") == []
    assert found(f"{body}\ndraw 1 stock 4D\ndiscard 1 5S", end="end abandoned") == [
        "card-not-held 11/1"
    ]


def test_the_wall_is_counted_at_the_table():
    result = judged(f"{to_the_wall()}\n{turns(2)}", detail="table", end="end abandoned")

    assert said(result) == ["stock-floor-crossed 64/2"]


def test_a_log_without_a_deal():
    result = judged(f"upcard 9H\npass 1\npass 2\n{turns(1)}", start="", end="end abandoned")

    assert said(result) == []
    assert not_run(result) == {"deal-count": "no deal is in this log"}


# What a step shows


def steps(body):
    return replay(hand(body), keep_steps=True).steps


def test_a_step_shows_the_knock_and_what_is_laid_off():
    knocked, laid_off = (step.table for step in steps(f"{DREW}{SHOWDOWN}")[6:8])

    assert [(meld.number, meld.cards, meld.kind, meld.added) for meld in laid_off.melds] == [
        (1, ("7S", "7H", "7D"), "set", ()),
        (2, ("JS", "QS", "KS", "TS"), "sequence", ((2, "TS"),)),
    ]
    # The card thrown face down is known to its seat only.
    assert (knocked.pile, knocked.seats[0].finish) == (("9H", "??"), "5S")
    assert knocked.seats[0].loose == ("AH", "2H", "2D", "3C")
    assert (knocked.turn, knocked.seats[1].groups, knocked.seats[1].public) == (None, (), ())


def test_a_step_shows_whose_turn_it_is_and_what_lies_open():
    body = f"{turns(1)}\ndraw 2 discard\nirregularity saw-card 2 4D"
    offered, taken, seen = (step.table for step in (steps(body)[at] for at in (3, 7, 8)))

    assert (offered.turn, offered.stock, offered.pile) == (2, 31, ("9H",))
    assert (taken.turn, taken.seats[1].public) == (2, ("AS",))
    assert (seen.stock, seen.notes) == (29, ("4D lies open beside the pile.",))


# Open hands


def test_an_open_hand_is_judged_as_far_as_it_has_come():
    lines = f"{REFUSED}{turns(1, 2)}\n{DREW}{SHOWDOWN}".strip().splitlines()

    for length in range(len(lines) + 1):
        result = judged("\n".join(lines[:length]), start="", end="")
        assert (said(result), result.verdict) == ([], "unfinished")


def test_an_open_hand_does_not_say_what_nobody_showed():
    result = judged(f"{DREW}{KNOCK}", end="")

    assert (result.result.outcome, result.result.scores) == ("open", {})


# A card that nobody wrote down: ``??`` in a group or a lay-off

DARK = KNOCK.replace("7D", "??")


@pytest.mark.parametrize("detail", ["full", "table"])
@pytest.mark.parametrize(
    ("showdown", "over"),
    [
        (f"{DARK}\n{LAYOFF}\n{SHOW}\n{SCORE}", []),
        (f"{DARK}\nlayoff 2 8C > 1\n{SHOW.replace('8C', 'TS')}\n{SCORE}", []),
        (f"{KNOCK}\n{LAYOFF}\n{SHOW.replace('KC', '??')}\n{SCORE}", []),
        (f"{DARK.replace('| JS QS KS +', '+ JS QS KS')}\n{SCORE}", ["knock-over-limit 7/1"]),
    ],
)
def test_a_group_with_a_card_nobody_wrote_down_is_not_judged(detail, showdown, over):
    result = judged(f"{DREW}{showdown}", detail=detail)

    assert (said(result), result.result.outcome, result.result.scores) == (over, "undecided", {})
    assert "score-wrong" in {each.check for each in result.not_run}


@pytest.mark.parametrize("detail", ["full", "table"])
def test_a_card_laid_off_that_nobody_wrote_down_has_left_the_hand(detail):
    unseen = LAYOFF.replace("TS", "??")
    result = judged(f"{DREW}{KNOCK}\n{unseen}\n{SHOW}\n{SCORE}", detail=detail)

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})
    assert "layoff-invalid" in {each.check for each in result.not_run}


def test_what_fits_after_a_card_laid_off_that_nobody_wrote_down_is_not_known():
    start = dealt(DEALT[1], DEALT[2].replace("2C", "9S"))
    laid = "layoff 2 ?? > 2\nlayoff 2 9S > 2"
    show = SHOW.replace(" 2C", "")
    result = judged(f"{DREW}{KNOCK}\n{laid}\n{show}\nscore 1=22 2=0", start=start, detail="table")

    assert (said(result), result.result.scores) == ([], {1: 22, 2: 0})


@pytest.mark.parametrize(
    "thrown", ["discard 2 ??", KNOCK.replace("knock 1", "knock 2")[:-2] + "??"]
)
def test_of_two_cards_nobody_wrote_down_nobody_knows_whether_they_are_one(thrown):
    body = f"draw 1 stock 5S\ndiscard 1 ??\ndraw 2 discard\n{thrown}"

    assert "discard-just-taken 9/2" not in found(body, end="end abandoned")


def test_an_unseen_card_that_is_taken_may_be_the_top_one():
    body = (
        "draw 1 stock 5S\ndiscard 1 ??\ndraw 2 stock 4D\ndiscard 2 TH\n"
        "draw 1 discard ??\ndiscard 1 2D"
    )
    assert found(body, end="end abandoned") == []


def test_a_card_that_lies_in_sight_is_not_the_unseen_one_on_top():
    turn = "draw 1 stock 5S\ndiscard 1 ??\n"

    assert found(f"{turn}draw 2 discard 9H", end="end abandoned") == ["draw-not-top 8/2"]
    assert found(f"{turn}draw 2 discard 5S", end="end abandoned") == []


def test_eleven_cards_with_one_nobody_wrote_down_may_be_big_gin():
    eleven = "knock 1 7S 7H ?? | JS QS KS | AH 2H 3H 4H 5H"
    body = f"draw 1 stock\n{eleven}\n{SHOW.replace('KC +', 'KC + TS')}\nscore 1=73 2=0 winner=1"

    assert found(body, detail="table", rules="big_gin_bonus=31") == []


# A draw or a discard found missing may only not have been written down


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("discard 1 8S\n", ["draw-missing 6/1"]),
        ("draw 1 stock\n", ["discard-missing 7/1"]),
    ],
)
def test_the_number_of_cards_laid_open_tells_whether_a_missing_one_was_written_down(play, expected):
    played = f"{play}draw 2 stock\ndiscard 2 8D\ndraw 1 stock\n"
    result = judged(f"{played}{SHOWDOWN}", detail="table")

    assert (said(result), result.result.scores) == (expected, {1: 24, 2: 0})


def test_a_knock_whose_draw_was_not_written_down_is_one_slip():
    result = judged(SHOWDOWN, detail="table")

    assert (said(result), result.result.scores) == (["knock-without-draw 6/1"], {1: 24, 2: 0})


def test_with_a_draw_left_out_the_stock_may_have_run_out():
    body = f"discard 1 AH\n{turns(2, *([1, 2] * 13), 1)}"
    result = judged(f"{body}\nvoid cause=stock-exhausted", detail="table", end="end void")

    assert said(result) == ["draw-missing 6/1"]
    assert "void-unfounded" in not_run(result)
