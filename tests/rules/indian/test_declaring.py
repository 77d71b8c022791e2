"""001 Declaration Rules: declaring at the table, and what the table said to it."""

import pytest

from tests.rules.indian.hands import RIGHT, SHOWN, WRONG, dealt, found, judged, not_run, said, turns

DRAW = "draw 1 stock 5D\n"
RIGHT_END = f"{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55 winner=1"
OTHER_WRONG = "declare 2 3S 4S 5S | 6S TD JD | QD KD 2C | 8H 9C AS 4C / 7S"
# What is wrong with WRONG, which puts KC beside 2D 3D 4D.
REASONS = ["sequence-mixed-suits 7/1", "sequence-gap 7/1", "wrong-declaration 7/1"]
OF_TWO = [each.replace("7/", "6/") for each in REASONS]  # with one deal less before it


def notes(codes):
    return [f"{each} note" for each in codes]


# A right declaration


def test_a_right_declaration_accepted():
    assert found(f"{DRAW}{RIGHT}\n{RIGHT_END}") == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("ruling ref1 7 declaration-wrong\nscore 1=80 2=0 3=0", id="ruling"),
        pytest.param("score 1=80 2=0 3=33 winner=2", id="score"),
        pytest.param("ruling ref1 7 declaration-wrong\n" + turns(2, 3), id="ruling-and-play"),
        pytest.param(turns(2, 3) + "\nscore 1=80 2=0 3=33 winner=2", id="play-goes-on"),
    ],
)
def test_a_right_declaration_refused(answer):
    result = judged(f"{DRAW}{RIGHT}\n{answer}")
    codes = said(result)

    assert "right-declaration-refused 7/1" in codes
    assert result.result.scores == {1: 0}  # the others' points nobody can know now
    expected = "score-wrong" if "score" in answer else "score-missing"
    assert sorted(each.split()[0] for each in codes) == ["right-declaration-refused", expected]


def test_an_open_hand_in_which_play_goes_on_after_a_right_declaration():
    assert found(f"{DRAW}{RIGHT}\n{turns(2, 3)}", end="") == ["right-declaration-refused 7/1"]


def test_a_right_declaration_that_the_score_accepts_ends_the_play():
    body = f"{DRAW}{RIGHT}\n{turns(2)}\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55 winner=1"

    assert found(body) == ["event-after-end 8/2"]
    out_of_turn = body.replace("draw 2 stock *", "draw 3 stock *").replace(
        "discard 2 *", "discard 3 *"
    )
    assert found(out_of_turn) == ["event-after-end 8/3"]


def test_a_ruling_goes_before_the_score():
    ruled = "ruling ref1 7 declaration-right\n"

    assert found(f"{DRAW}{RIGHT}\n{ruled}{SHOWN[2]}\n{SHOWN[3]}\nscore 1=80 2=33 3=55") == [
        "score-wrong 11/1"
    ]
    refused = "ruling ref1 7 declaration-wrong\n"
    assert found(f"{DRAW}{RIGHT}\n{refused}{RIGHT_END}") == ["right-declaration-refused 7/1"]


def test_the_last_ruling_counts():
    ruled = "ruling ref1 7 declaration-wrong\nruling ref2 7 declaration-right\n"

    assert found(f"{DRAW}{RIGHT}\n{ruled}{RIGHT_END}") == []


def test_a_ruling_after_the_end_counts_too():
    body = f"{DRAW}{RIGHT}\n{RIGHT_END}"
    after = "end\nruling ref1 7 declaration-wrong"

    assert found(body, end=after) == ["right-declaration-refused 7/1"]


def test_a_second_declaration_after_one_that_was_refused():
    second = "declare 2 3S 4S 5S 6S | TD JD QD KD | 2C 8H 9C | AS 4C / *".replace("*", "7S")
    body = f"{DRAW}{RIGHT}\nruling ref1 7 declaration-wrong\ndraw 2 stock 7S\n{second}"
    codes = found(body, end="")

    assert codes[0] == "right-declaration-refused 7/1"
    assert "wrong-declaration 10/2" in codes


def test_the_same_player_declares_again_after_being_refused():
    again = f"{turns(2, 3)}\ndraw 1 stock 8C\n{RIGHT.replace('/ KC', '/ 8C')}"
    body = f"{DRAW}{RIGHT}\nruling ref1 7 declaration-wrong\n{again}"

    assert found(body, end="") == ["right-declaration-refused 7/1"]
    # Without a ruling the score is the answer, and the first declaration was the right one.
    scored = f"{DRAW}{RIGHT}\n{again}\n{RIGHT_END}"
    assert found(scored) == ["event-after-end 8/2"]


# A wrong declaration


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("ruling ref1 6 declaration-wrong\nscore 1=80 2=0 winner=2", id="ruling"),
        pytest.param("score 1=80 2=0 winner=2", id="score"),
    ],
)
def test_a_wrong_declaration_charged_as_one_is_a_note(answer):
    result = judged(f"{DRAW}{WRONG}\n{answer}", players=2)

    assert (said(result), result.verdict) == (notes(OF_TWO), "clean")
    assert all(each.handled for each in result.findings)
    assert (result.result.scores, result.result.winner) == ({1: 80, 2: 0}, 2)


def test_a_wrong_declaration_charged_too_little():
    # That it was wrong the table saw; what it costs it got wrong.
    result = judged(f"{DRAW}{WRONG}\nscore 1=40 2=0 winner=2", players=2)

    assert said(result) == [*notes(OF_TWO), "penalty-points-wrong 7/1"]


@pytest.mark.parametrize(
    "answer",
    [
        "ruling ref1 7 declaration-right\n{shows}\nscore 1=0 2=33 3=55 winner=1",
        "{shows}\nscore 1=0 2=33 3=55 winner=1",
        "{shows}\nscore 1=5 2=33 3=55 winner=1",
    ],
)
def test_a_wrong_declaration_accepted(answer):
    answer = answer.format(shows=f"{SHOWN[2]}\n{SHOWN[3]}")
    result = judged(f"{DRAW}{WRONG}\n{answer}")

    assert said(result)[:4] == [*REASONS, "wrong-declaration-accepted 7/1"]
    assert said(result)[4:] == [f"penalty-points-wrong {len(answer.splitlines()) + 7}/1"]
    assert result.result.scores == {1: 80}  # only the declarer's points can be known
    penalty = result.findings[-1]
    assert (penalty.recorded in (0, 5), penalty.expected, penalty.cause.code) == (
        True,
        80,
        "wrong-declaration-accepted",
    )


def test_where_two_play_the_opponent_of_a_wrong_declarer_has_won():
    result = judged(f"{DRAW}{WRONG}\n{SHOWN[2]}\nscore 1=0 2=33 winner=1", players=2)

    assert said(result)[4:] == ["penalty-points-wrong 8/1", "score-wrong 8/2", "winner-wrong 8/1"]
    assert result.result.scores == {1: 80, 2: 0}


def test_the_others_play_on_after_a_wrong_declaration():
    body = f"{DRAW}{WRONG}\n{turns(2, 3, 2)}"

    assert found(body, end="") == notes(REASONS)
    assert found(f"{body}\n{turns(3, 1)}", end="") == [*notes(REASONS), "acted-after-drop 16/1"]


def test_a_hand_that_the_table_ends_with_a_wrong_declaration_has_not_ended():
    assert found(f"{DRAW}{WRONG}\nscore 1=80 2=0 3=0") == [*notes(REASONS), "hand-not-ended 8"]


def test_two_wrong_declarations_leave_the_third_player_the_hand():
    second = "declare 2 3S 4S 5S 6S | TD JD QD KD | 2C 8H 9C | AS 4C / 7S"
    body = f"{DRAW}{WRONG}\ndraw 2 stock 7S\n{second}\nscore 1=80 2=80 3=0 winner=3"
    result = judged(body)

    assert result.verdict == "clean"
    assert (result.result.scores, result.result.winner) == ({1: 80, 2: 80, 3: 0}, 3)


def test_a_drop_keeps_its_points_beside_a_wrong_declaration():
    body = f"drop 1\ndraw 2 stock 7S\n{OTHER_WRONG}\nscore 1=20 2=80 3=0 winner=3"

    assert judged(body).verdict == "clean"


def test_the_wrong_declarer_is_charged_even_if_the_hand_is_won_by_another():
    second = "declare 3 AH 2H 3H | TC JC QC | 5C 6C 7C | 6D 7D 8D | KH / JS"
    body = f"{DRAW}{WRONG}\n{turns(2)}\ndraw 3 stock 7C\n{second}"
    assert "wrong-declaration 11/3" in found(body, end="")


def test_misses_at_the_turn_of_a_wrong_declarer_are_nothing():
    body = f"{DRAW}{WRONG}\n" + ("miss 1\n" + turns(2, 3) + "\n") * 3

    assert found(body, end="") == notes(REASONS)


def test_a_wrong_declaration_ends_the_hand_where_the_rules_say_so():
    rules = {"rules": "wrong_declaration=end"}
    result = judged(f"{DRAW}{WRONG}\nscore 1=80 2=0 3=0", **rules)

    assert (said(result), result.result.winner) == (notes(REASONS), None)
    assert result.result.scores == {1: 80, 2: 0, 3: 0}
    named = found(f"{DRAW}{WRONG}\nscore 1=80 2=0 3=0 winner=2", **rules)
    assert named == [*notes(REASONS), "winner-wrong 8/2"]
    on = found(f"{DRAW}{WRONG}\n{turns(2, 3)}", **rules, end="")
    assert on == [*notes(REASONS), "event-after-end 8/2"]
    dropped = f"drop 1\ndraw 2 stock 7S\n{OTHER_WRONG}\nscore 1=20 2=80 3=0"
    assert judged(dropped, **rules).verdict == "clean"


def test_the_finish_card_stays_out_of_play():
    # The open top is unchanged: 7S lies there still, not the finish card.
    body = f"{turns(1, 2, 3)}\n{DRAW}{WRONG}\ndraw 2 discard 5D"

    assert found(body, end="")[-1] == "draw-not-top 14/2"


# What a declaration needs


@pytest.mark.parametrize(
    ("declared", "codes"),
    [
        pytest.param(
            "4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D + 5D / KC",
            ["declare-loose-cards"],
            id="loose",
        ),
        pytest.param(
            "4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D / KC",
            ["declare-card-count"],
            id="a-card-too-few",
        ),
        pytest.param(
            "4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D 5D KC",
            ["sequence-mixed-suits", "sequence-gap", "declare-card-count"],
            id="no-finish-card",
        ),
        pytest.param(
            "4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D 5D 5D / KC",
            ["card-in-two-groups"],
            id="one-card-twice",
        ),
        pytest.param(
            "4H 5H 6H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D / KC",
            ["card-in-two-groups"],
            id="one-for-another",
        ),
    ],
)
def test_a_declaration_as_a_whole(declared, codes):
    expected = [f"{code} 7/1" for code in [*codes, "wrong-declaration"]]

    assert found(f"{DRAW}declare 1 {declared}", end="") == expected


def test_without_drawing_nobody_declares():
    body = "declare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D KC"

    assert found(body, end="")[0] == "declare-without-draw 6/1"
    four = turns(1, 2, 3).replace("draw 1 stock *\ndiscard 1 *", "draw 1 stock 5D\ndiscard 1 KC")
    right = f"{four}\ndeclare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D 5D"
    assert found(right, end="") == ["declare-without-draw 12/1", "wrong-declaration 12/1"]


def test_declaring_out_of_turn():
    body = f"{DRAW}discard 1 KC\n{RIGHT.split(' /')[0]}"

    assert found(body, end="") == ["declare-without-draw 8/1", "wrong-declaration 8/1"]
    other = "declare 3 AH 2H 3H | TC JC QC | JS KH 6C | 8D AD 5C 6D"
    assert found(other, end="")[0] == "out-of-turn 6/3"


def test_a_card_that_is_not_held_leaves_open_what_the_declaration_is_worth():
    # The log contradicts itself: what follows for the score cannot be told from it.
    body = (
        f"{DRAW}{RIGHT.replace('5D /', 'AD /').replace('2D 3D 4D AD', 'AD 2D 3D 4D')}\n{RIGHT_END}"
    )
    result = judged(body)

    assert said(result) == ["card-not-held 7/1"]
    assert not_run(result)["wrong-declaration"] == "cards were named that the player cannot have"
    assert result.result.scores == {1: 0, 2: 33, 3: 55}


def test_a_finish_card_that_is_not_held_cannot_move():
    result = judged(f"{DRAW}{RIGHT.replace('/ KC', '/ 8C')}")

    assert (said(result), result.verdict) == (["card-not-held 7/1"], "impossible")


def test_judged_by_the_best_arrangement_where_the_rules_say_so():
    result = judged(
        f"{DRAW}{WRONG}\nscore 1=80 2=0 winner=2", rules="judge_declarer=best", players=2
    )

    assert said(result) == notes(OF_TWO)  # KC is no better placed anywhere
    other = RIGHT.replace("4H 5H 6H | 8S", "4H 5H | 6H 8S")
    assert judged(f"{DRAW}{other}\n{RIGHT_END}", rules="judge_declarer=best").verdict == "clean"
    assert judged(f"{DRAW}{other}\n{RIGHT_END}").verdict == "flagged"


# Hands that went wrong before


def test_a_misdealt_hand_that_stands_is_resolved_by_the_table():
    short = "\n".join([dealt(1)[:-3], dealt(2), dealt(3), "upcard KS", "wild 7H"])
    twelve = "draw 1 stock 8C\ndeclare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D / 8C"

    assert found(f"{twelve}\n{RIGHT_END}", start=short) == [
        "deal-count 1/1",
        "misdeal-not-called 6/1",
    ]


def test_a_second_draw_is_not_said_again_of_the_declaration():
    body = f"draw 1 stock 8C\n{DRAW}{RIGHT}\n{RIGHT_END}"

    assert found(body) == ["second-draw 7/1"]


# Lower details


def test_at_the_table_a_declaration_is_judged_by_what_is_laid_open():
    body = f"draw 1 stock\n{RIGHT}\n{RIGHT_END}"

    assert found(body, detail="table") == []


def test_at_the_table_a_card_taken_from_the_pile_has_to_be_laid_open():
    body = f"draw 1 discard KS\ndiscard 1 8C\n{turns(2, 3)}\ndraw 1 stock\n{RIGHT}\n{RIGHT_END}"
    result = judged(body, detail="table")

    assert said(result) == ["card-not-held 13/1"]
    assert result.findings[0].data["unseen"] == ["KS"]


def test_at_the_table_no_third_copy_can_be_laid_open():
    thrown = "draw 1 stock\ndiscard 1 KC\ndraw 2 stock\ndiscard 2 9H\ndraw 3 stock\ndiscard 3 9H"
    body = f"{thrown}\ndraw 1 stock\n{RIGHT}"

    assert found(body, detail="table", end="") == ["too-many-copies 13/1"]


@pytest.mark.parametrize("detail", ["table", "shown"])
def test_unknown_cards_of_a_declaration_that_the_best_groups_decide_are_not_judged(detail):
    draw = "draw 1 stock\n" if detail == "table" else ""
    dark = RIGHT.replace("2D 3D 4D 5D", "?? 3D 4D 5D").replace("5H 6H | 8S", "5H | 6H 8S")
    result = judged(f"{draw}{dark}\n{RIGHT_END}", detail=detail, rules="judge_declarer=best")

    assert (said(result), "wrong-declaration" in not_run(result)) == ([], True)


@pytest.mark.parametrize("detail", ["table", "shown"])
def test_unknown_cards_of_a_declaration_are_not_judged(detail):
    draw = "draw 1 stock\n" if detail == "table" else ""
    dark = RIGHT.replace("2D 3D 4D 5D", "?? ?? ?? ??")
    result = judged(f"{draw}{dark}\n{RIGHT_END}", detail=detail)

    assert said(result) == []
    assert not_run(result)["wrong-declaration"] == "not all cards of it are known"
    bad = dark.replace("9H 9D 9C", "9H 9D 8C")
    assert "set-mixed-ranks" in " ".join(found(f"{draw}{bad}\n{RIGHT_END}", detail=detail))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("", turns(3, 1), "out-of-turn 6/2", id="the-left-neighbour-goes-on"),
        pytest.param("", turns(1, 3), "out-of-turn 6/2", id="whose-turn-it-was-goes-on"),
        pytest.param(
            "draw 1 stock 8C", f"discard 1 8C\n{turns(3, 1)}", "out-of-turn 7/2", id="is-ended"
        ),
        pytest.param("draw 1 stock 8C", turns(3), "discard-missing 7/1", id="is-not-ended"),
    ],
)
def test_a_declaration_in_anothers_turn_is_one_slip_however_the_others_go_on(
    before, after, expected
):
    result = judged(f"{before}\n{OTHER_WRONG[:-5]}\n{after}", end="")

    plain = [each for each in result.findings if not each.handled]
    assert [f"{each.code} {each.seq}/{each.seat}" for each in plain] == [expected]


@pytest.mark.parametrize("dark", ["", "4H", "8S", "4H 5H 8S 2D 3D KC"])
def test_any_card_may_be_the_finish_card_that_nobody_saw(dark):
    start = "\n".join([dealt(1), dealt(2), dealt(3), "upcard KS", "wild 7H"])
    for card in dark.split():
        start = start.replace(card, "??", 1)
    body = f"draw 1 stock 5D\n{RIGHT.replace('/ KC', '/ ??')}\n{RIGHT_END}"

    result = judged(body, start=start)

    assert (said(result), result.result.scores) == ([], {1: 0, 2: 33, 3: 55})


@pytest.mark.parametrize("score", ["score winner=2", "score marks 1=wrong", "score marks 2=won"])
def test_a_score_without_points_is_an_answer_to_a_declaration_too(score):
    result = judged(f"draw 1 stock 5D\n{WRONG}\n{score}", players=2, end="")

    assert {(each.code, each.handled) for each in result.findings} == {
        ("sequence-mixed-suits", True),
        ("sequence-gap", True),
        ("wrong-declaration", True),
    }


def test_a_shown_hand_without_its_wild_joker_is_judged_where_it_makes_no_difference():
    body = f"{RIGHT}\n{RIGHT_END}"
    settings = {"detail": "shown", "start": ""}
    result = judged(body, **settings)

    assert result.verdict == "clean"
    joker = RIGHT.replace("9H 9D 9C", "9H 9D KC").replace("/ KC", "/ 9C")
    unknown = judged(f"{joker}\n{RIGHT_END}", **settings)
    assert "wrong-declaration" in not_run(unknown)
    surely = RIGHT.replace("4H 5H 6H", "4H 6S QD")
    assert "wrong-declaration-accepted 1/1" in found(f"{surely}\n{RIGHT_END}", **settings)


def test_in_a_shown_hand_nobody_knows_who_was_still_in_when_it_ended():
    settings = {"detail": "shown", "start": "wild 7H", "rules": "wrong_declaration=end"}
    result = judged(f"{WRONG}\nscore 1=80 2=0 3=40", **settings)

    assert (result.verdict, result.result.scores) == ("clean", {1: 80})
    assert not_run(result)["score-wrong"] == (
        "whether the player was still in the hand is not in this log"
    )


def test_a_shown_hand_is_judged_by_its_declaration():
    settings = {"detail": "shown", "start": "wild 7H"}

    assert found(f"{RIGHT}\n{RIGHT_END}", **settings) == []
    assert (
        found(f"{WRONG}\nscore 1=80 2=0 winner=2", players=2, **settings)[-1]
        == "wrong-declaration 2/1 note"
    )
    third = SHOWN[3].replace("AD", "9D").replace("5C", "9D")
    assert found(f"{RIGHT}\n{SHOWN[2]}\n{third}", end="", **settings) == ["too-many-copies 4/3"]


def test_a_wrong_declaration_is_dealt_with_as_soon_as_the_table_has_answered():
    """Also where the cards cannot have moved on as the log says."""
    stop = "draw 2 discard 4H"

    assert found(f"{DRAW}{WRONG}", end="") == REASONS
    ruled = "ruling ref1 7 declaration-wrong"
    assert found(f"{DRAW}{WRONG}\n{ruled}\n{stop}", end="") == [*notes(REASONS), "draw-not-top 9/2"]
    went_on = turns(2)
    assert found(f"{DRAW}{WRONG}\n{went_on}\ndraw 3 discard 4H", end="") == [
        *notes(REASONS),
        "draw-not-top 10/3",
    ]


def test_a_right_declaration_that_was_refused_is_no_end_of_the_play():
    ruled = "ruling ref1 7 declaration-wrong"
    body = f"{DRAW}{RIGHT}\n{ruled}\n{turns(2)}\ndraw 3 discard 4H"

    # Where cards move as they cannot, the replay stops before what only the whole hand shows.
    assert found(body, end="") == ["draw-not-top 11/3"]


def test_a_declaration_written_twice():
    assert found(f"{DRAW}{RIGHT}\n{RIGHT}\n{RIGHT_END}") == ["event-after-end 8/1"]
    twice = found(f"{DRAW}{WRONG}\n{WRONG}\n{turns(2)}", end="")
    assert twice == [*notes(REASONS), "acted-after-drop 8/1"]
