"""The end of a hand: racks shown, what they are worth, and what the table wrote down."""

import pytest

from rummy_audit.rules.families.tile.referee import OF_PLAY_ALONE, OF_TILES
from rummy_audit.rules.findings import Term
from tests.rules.tile.play import audit, codes, found_in

RED = "R13 B13 K13 O13"
FOUR = {"rules": "hand_size=4"}
# Seat 1 goes out at once; the others hold 10, and 43 with a joker.
GAME = (
    f"deal 1 {RED}\ndeal 2 R1 R2 R3 R4\ndeal 3 JK B1 B2 K10\nplay 1 {RED}\n"
    "show 2 + R1 R2 R3 R4\nshow 3 + JK B1 B2 K10\n"
)
ABOUT = {"detail": "full", "seats": (1, 2, 3), **FOUR}


def scored(line, log=GAME, **about):
    return found_in(f"{log}{line}", **{**ABOUT, **about})


def test_the_winner_gets_the_sum_of_what_the_others_hold():
    found = audit(f"{GAME}score 1=53 2=-10 3=-43 winner=1\nend", **ABOUT)

    assert found.result.scores == {1: 53, 2: -10, 3: -43}
    assert found.result.winner == 1
    assert found.result.outcome == "won"
    assert found.result.breakdown == {
        1: (
            Term(("R1", "R2", "R3", "R4"), 10, "seat 2"),
            Term(("B1", "B2", "JK", "K10"), 43, "seat 3"),
        ),
        2: (Term(("R1", "R2", "R3", "R4"), 10),),
        3: (Term(("B1", "B2", "K10"), 13), Term(("JK",), 30)),
    }
    assert codes(found) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        pytest.param("score 1=53 2=-10 3=-43\nend", [], id="right, no winner named"),
        pytest.param(
            "score 1=23 2=-10 3=-13 winner=1\nend", [("score-wrong", 7, None)], id="joker 0"
        ),
        pytest.param(
            "score 1=53 2=0 3=0 winner=1\nend", [("score-wrong", 7, None)], id="losers not charged"
        ),
        pytest.param(
            "score 1=53 2=10 3=43 winner=1\nend", [("score-wrong", 7, None)], id="losers gain"
        ),
        pytest.param("score 1=54 2=-10 3=-43\nend", [("score-wrong", 7, 1)], id="the sum is off"),
        pytest.param(
            "score 1=53 2=-10 3=-43 winner=2\nend", [("winner-wrong", 7, 2)], id="another winner"
        ),
        pytest.param(
            "score 1=53 2=-10 3=-43 marks 2=won\nend", [("winner-wrong", 7, 2)], id="another marked"
        ),
        pytest.param("score 1=53 2=-10 3=-43 marks 1=won\nend", [], id="the winner marked"),
        pytest.param(
            "score 1=53 2=-10 3=-43 winner=1 marks 2=won\nend",
            [("winner-wrong", 7, 2)],
            id="one named, another marked",
        ),
        pytest.param(
            "score 1=53 2=-10 3=-43 winner=2 marks 1=won 3=won\nend",
            [("winner-wrong", 7, 2), ("winner-wrong", 7, 3)],
            id="each of three named",
        ),
        pytest.param(
            "score 1=53 2=-10 winner=1\nend", [("score-missing", 7, 3)], id="a seat left out"
        ),
        pytest.param("score winner=1\nend", [("score-missing", 7, None)], id="only the winner"),
        pytest.param("end", [("score-missing", 0, None)], id="no score"),
        pytest.param("end abandoned", [], id="abandoned"),
        pytest.param("", [], id="not ended yet"),
    ],
)
def test_what_was_written_down(line, found):
    assert scored(line) == found


def test_a_wrong_score_says_what_is_right_and_which_setting():
    (finding,) = audit(f"{GAME}score 1=23 2=-10 3=-13\nend", **ABOUT).findings

    assert finding.recorded == {1: 23, 3: -13}
    assert finding.expected == {1: 53, 3: -43}
    assert finding.rule.parameter == "joker_points"
    assert finding.data == {"seats": [1, 3]}


def test_jokers_by_house_rule():
    line = "score 1=43 2=-10 3=-33\nend"

    assert scored(line, rules="hand_size=4 joker_points=20") == []


def test_scored_though_nobody_has_played_the_last_tile():
    log = f"deal 1 {RED}\ndeal 2 R1 R2 R3 R4\ndeal 3 JK B1 B2 K10\ndraw 1 stock K1\n"

    assert scored("score 1=53 2=-10 3=-43\nend", log) == [("hand-not-ended", 5, None)]
    assert scored("score 1=53 2=-10 3=-43", log) == []
    twice = "score 1=53 2=-10 3=-43\nscore 1=53 2=-10 3=-43\nend"
    assert scored(twice, log) == [("hand-not-ended", 5, None)]
    assert scored("end", log) == [("score-missing", 0, None)]
    assert scored("end abandoned", log) == []


def test_an_annulled_hand_brings_nobody_points():
    log = f"deal 1 {RED}\ndeal 2 R1 R2 R3 R4\ndeal 3 JK B1 B2 K10\nvoid cause=agreed\n"

    assert scored("score 1=0 2=0 3=0\nend void", log) == []
    assert scored("score 1=5 2=-5 3=0\nend void", log) == [("score-wrong", 5, None)]


def test_a_score_that_a_ruling_corrected_was_dealt_with():
    """The table wrote it down anew; without another score the wrong one stands."""
    wrong, ruled = "score 1=53 2=-10 3=-42", "ruling ref 7 score-corrected"
    anew = audit(f"{GAME}{wrong}\n{ruled}\nscore 1=53 2=-10 3=-43\nend", **ABOUT)

    assert codes(anew) == []
    assert codes(anew, notes=True) == [("score-wrong", 7, 3)]
    assert scored(f"{wrong}\n{ruled}\nend") == [("score-wrong", 7, 3)]
    again = scored(f"{wrong}\n{ruled}\nscore 1=52 2=-10 3=-43\nend")
    assert again == [("score-wrong", 9, 1)]


@pytest.mark.parametrize("status", ["void", "misdeal"])
def test_a_sheet_that_ends_as_annulled_brings_nobody_points(status):
    """The end says it as well as an event does."""
    found = found_in(f"score 1=5 2=-5\nend {status}", detail="scores")

    assert found == [("score-wrong", 1, None)]
    assert found_in(f"score 1=0 2=0\nend {status}", detail="scores") == []


def test_tiles_drawn_after_the_end_do_not_count():
    late = GAME.replace("show 2", "draw 2 stock O9\nshow 2")
    shown = late.replace("R1 R2 R3 R4\nshow 3", "R1 R2 R3 R4 O9\nshow 3")

    for log in (late, shown):
        found = scored("score 1=53 2=-10 3=-43 winner=1\nend", log)
        assert found == [("event-after-end", 5, 2)]


def test_of_tiles_taken_after_the_end_unseen_nobody_knows_which_they_are():
    """The rack that is shown may hold them: it is not too large, and what it counts not known."""
    won = f"deal 1 x4\ndeal 2 x4\nplay 1 {RED}\n"
    shown = "show 2 + R1 R2 R3 R4 O9\nscore 1=10 2=-10\nend"
    for late in ("draw 2 stock", "penalty 2 x1"):
        found = audit(f"{won}{late}\n{shown}", rules="hand_size=4")
        assert codes(found) == [("event-after-end", 4, 2)]
        assert found.result.scores == {}
    too_large = found_in(f"{won}{shown}", rules="hand_size=4")
    assert too_large == [("hand-size", 4, 2)]


# Racks that are shown

SHOWS = f"deal 1 {RED}\ndeal 2 R1 R2 R3 R4\ndeal 3 JK B1 B2 K10\nplay 1 {RED}\n"


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ("R1 R2 R3 R4", []),
        ("R4 R3 R2 R1", []),
        ("R1 R2 R3", [("hand-size", 5, 2)]),
        ("R1 R2 R3 O4", [("card-not-held", 5, 2)]),
        ("R1 R2 R3 R4 O4", [("card-not-held", 5, 2)]),
        ("R1 R2 O4", [("card-not-held", 5, 2), ("hand-size", 5, 2)]),
        ("R1 R2 R3 R3", [("card-in-two-groups", 5, 2)]),
        ("R1 R2 R3 R4 R4", [("card-in-two-groups", 5, 2)]),
        ("R1 R2 R3 R14", [("card-not-in-deck", 5, 2)]),
        ("R1 R2 R3 ??", []),
    ],
)
def test_a_shown_rack_against_the_one_that_was_played(shown, found):
    log = f"{SHOWS}show 2 + {shown}\n"

    assert scored("score 1=53 2=-10 3=-43 winner=1\nend", log) == found
    again = f"{SHOWS}show 2 + {shown}\nshow 2 + R1 R2 R3 R4\n"
    assert scored("score 1=53 2=-10 3=-43 winner=1\nend", again) == found


TABLE = {"detail": "table", "seats": (1, 2, 3), **FOUR}
UNSEEN = f"deal 1 x4\ndeal 2 x4\ndeal 3 x4\nplay 1 {RED}\n"


def test_at_the_table_shown_racks_are_what_counts():
    log = f"{UNSEEN}show 2 + R1 R2 R3 R4\nshow 3 + JK B1 B2 K10\n"
    found = audit(f"{log}score 1=53 2=-10 3=-43 winner=1\nend", **TABLE)

    assert codes(found) == []
    assert [each.check for each in found.not_run] == ["card-not-held"]
    assert found_in(f"{log}score 1=53 2=-10 3=-42\nend", **TABLE) == [("score-wrong", 7, 3)]


def test_at_the_table_a_rack_that_was_not_shown_is_not_guessed():
    log = f"{UNSEEN}show 2 + R1 R2 R3 R4\n"
    found = audit(f"{log}score 1=53 2=-10 3=-43 winner=1\nend", **TABLE)

    assert codes(found) == []
    assert found.result.scores == {2: -10}
    assert [each.check for each in found.not_run] == ["card-not-held", "score-wrong"]
    off = found_in(f"{log}score 1=54 2=-10 3=-43 winner=1\nend", **TABLE)
    assert off == [("score-wrong", 6, 1)]


def test_at_the_table_a_shown_tile_cannot_lie_elsewhere():
    both = f"deal 1 x8\ndeal 2 x4\nplay 1 {RED} | R13 K13 O13\ndraw 2 stock\n"
    log = f"{both}show 2 + R13 R1 R2 R3 R4"

    found = found_in(log, detail="table", rules="hand_size=4")
    assert found == [("deal-count", 1, 1), ("card-not-held", 5, 2)]


# Hands of which only the end was written down

SHOWN = {"detail": "shown", "seats": (1, 2, 3)}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("show 2 + R1 R2\nshow 3 + JK\nscore 1=33 2=-3 3=-30 winner=1\nend", []),
        ("show 1\nshow 2 + R1 R2\nshow 3 + JK\nscore 1=33 2=-3 3=-30\nend", []),
        (
            "show 2 + R1 R2\nshow 3 + JK\nscore 1=3 2=-3 3=0 winner=1\nend",
            [("score-wrong", 3, None)],
        ),
        (
            "show 2 + R1 R2\nshow 3 + JK\nscore 1=33 2=-3 3=-30 winner=2\nend",
            [("winner-wrong", 3, 2)],
        ),
        ("show 2 + R1 R1 R1\nend abandoned", [("too-many-copies", 1, 2)]),
        ("show 2 + R1 R1\nshow 3 + R1\nend abandoned", [("too-many-copies", 2, 3)]),
        ("show 2 + R1 R2\nscore 1=33 2=-3 3=-30 winner=1\nend", []),
        ("show 2 + R1 R2\nscore 1=34 2=-3 3=-30 winner=1\nend", [("score-wrong", 2, 1)]),
    ],
)
def test_at_shown_the_racks_tell_the_winner_and_the_points(lines, found):
    assert found_in(lines, **SHOWN) == found


@pytest.mark.parametrize(
    ("tile", "found"),
    [
        ("??", []),
        ("R5", [("too-many-copies", 2, 2)]),
        ("R14", [("card-not-in-deck", 2, 2)]),
    ],
)
def test_who_laid_tiles_open_has_not_won_though_one_of_them_was_misread(tile, found):
    log = f"show 1 + R5 R5\nshow 2 + {tile} B10\nscore 1=15 2=-15 winner=1\nend"
    shown = audit(log, detail="shown")

    assert codes(shown) == found
    assert (shown.result.winner, shown.result.scores) == (None, {})


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("score 1=30 2=-9 3=-21 winner=1", []),
        ("score 1=14 2=-9 3=-5 winner=1", [("winner-wrong", 3, 1), ("score-wrong", 3, None)]),
        ("score 1=12 2=-9 3=-3 winner=1", [("winner-wrong", 3, 1), ("score-wrong", 3, None)]),
        ("score 1=29 2=-9 3=-21 winner=1", [("winner-wrong", 3, 1), ("score-wrong", 3, None)]),
        ("score 1=29 2=-8 3=-21 winner=1", [("winner-wrong", 3, 1), ("score-wrong", 3, None)]),
        ("score 1=-5 2=-9 3=14 winner=3", []),
    ],
)
def test_a_rack_that_was_not_shown_went_out_unless_the_score_fits_a_blocked_game(line, found):
    """Seat 1 holds 5 and seat 2 holds 9: as the lowest, seat 1 wins what the others hold."""
    shown = audit(f"show 1 + R5\nshow 2 + R9\n{line}\nend", **SHOWN)

    assert codes(shown) == found
    if line == "score 1=30 2=-9 3=-21 winner=1":
        assert (shown.result.winner, shown.result.scores) == (None, {})
        assert {"score-wrong", "winner-wrong"} <= {each.check for each in shown.not_run}


def test_of_a_lowest_rack_with_a_tile_misread_nobody_knows_how_low_it_is():
    found = audit("show 1 + R5 ??\nscore 1=30 2=-30 winner=1\nend", detail="shown")

    assert codes(found) == []
    assert (found.result.winner, found.result.scores) == (None, {})


@pytest.mark.parametrize(
    ("acts", "winner"),
    [
        ("play 2 {0}\nplay 1 {0} | B10 B11 B12", 1),
        ("play 1 {0}\nplay 2 {0} | B10 B11 B12", None),
        ("play 1 {0}\npass 2\npass 1", None),
    ],
)
def test_a_rack_that_was_not_shown_went_out_only_by_the_last_play(acts, winner):
    log = f"{acts.format('R10 R11 R12')}\nshow 2 + R5\nscore 1=5 2=-5 winner=1\nend"
    found = audit(log, deals=False)

    assert codes(found) == []
    assert found.result.winner == winner


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("score 1=33 2=-3 3=-30 winner=1", []),
        ("score 1=33 2=-3 3=-30", []),
        ("score 1=33 2=-3 3=-30 winner=2", [("winner-wrong", 1, 2)]),
        ("score 1=33 2=3 3=30 winner=1", [("score-impossible", 1, None)]),
        ("score 1=34 2=-3 3=-30 winner=1", [("score-impossible", 1, None)]),
        ("score 1=33 2=-3", [("score-missing", 1, 3)]),
        ("score 1=33 2=-33 3=0 winner=1", [("score-impossible", 1, 3)]),
        ("score 1=33 2=-33 3=0 marks 3=absent", []),
        ("score 1=33 2=-33 marks 3=absent", []),
        ("score 1=34 2=-33 marks 3=absent", [("score-impossible", 1, None)]),
        ("score 1=33 2=-3 3=-30 marks 2=won", [("winner-wrong", 1, 2)]),
        ("score 1=33 2=-3 3=-30 winner=1 marks 2=won", [("winner-wrong", 1, 2)]),
        ("score 1=33 2=-3 3=-30 marks 1=won 3=won", [("winner-wrong", 1, 3)]),
        ("score 1=33 2=-3 3=-30 winner=1 marks 1=won", []),
        ("score 1=0 2=0 3=0 marks 1=won 2=won", []),
        ("score 1=0 2=0 3=0 marks 1=won", [("score-impossible", 1, None)]),
        ("score 1=0 2=0 3=0", []),
        ("score 1=788 2=-700 3=-88 winner=1", []),
        ("score 1=789 2=-700 3=-89 winner=1", [("score-impossible", 1, 1)]),
    ],
)
def test_a_score_sheet_has_to_add_up(line, found):
    assert found_in(f"{line}\nend", detail="scores", seats=(1, 2, 3)) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("score 1=33 2=-3 3=-10 4=-20 marks 5=absent", []),
        ("score 1=33 2=-3 3=-10 4=-20 5=0 winner=1 marks 5=absent", []),
        ("score 1=34 2=-3 3=-10 4=-20 winner=1 marks 5=absent", [("score-wrong", 4, 1)]),
        ("score 1=33 2=-3 3=-10 4=-20 5=0", [("player-count", 0, None)]),
    ],
)
def test_who_was_not_there_is_no_player_of_the_hand(line, found):
    """Four play, and a fifth of the evening is marked absent: nothing was dealt there."""
    shows = "show 2 + R3\nshow 3 + R10\nshow 4 + R13 R7\n"

    seats = {"seats": (1, 2, 3, 4, 5)}
    assert found_in(f"{shows}{line}\nend", **{**SHOWN, **seats}) == found


def test_what_was_paid_is_not_judged():
    found = audit("score 1=33 2=-33 winner=1 amounts 1=330 2=-330\nend", detail="scores")

    assert codes(found) == []
    assert "amount-wrong" in {each.check for each in found.not_run}


@pytest.mark.parametrize("rules", ["joker_points=0", "blocked_scoring=difference"])
def test_who_lost_may_have_lost_nothing_where_a_tile_may_count_nothing(rules):
    line = "score 1=33 2=-33 3=0 winner=1\nend"

    assert found_in(line, detail="scores", seats=(1, 2, 3), rules=rules) == []


@pytest.mark.parametrize(
    ("detail", "unseen"),
    [("shown", OF_PLAY_ALONE), ("scores", (*OF_PLAY_ALONE, *OF_TILES))],
)
def test_what_a_detail_cannot_show_is_said(detail, unseen):
    found = audit("score 1=33 2=-3 3=-30\nend", detail=detail, seats=(1, 2, 3))
    checks = {each.check for each in found.not_run}

    assert set(unseen) - {"timer-exceeded"} <= checks
    assert "timer-exceeded" not in checks
    timed = audit("end", detail=detail, seats=(1, 2, 3), rules="timer_seconds=60")
    assert "timer-exceeded" in {each.check for each in timed.not_run}


# Nobody can play


@pytest.mark.parametrize(
    ("rules", "line", "found"),
    [
        ("", "score 1=40 2=-10 3=-30 winner=1", []),
        ("", "score 1=28 2=-4 3=-24 winner=1", [("score-wrong", 4, None)]),
        ("blocked_scoring=difference", "score 1=28 2=-4 3=-24 winner=1", []),
        ("blocked_scoring=difference", "score 1=40 2=-10 3=-30", [("score-wrong", 4, None)]),
        ("", "score 1=40 2=-10 3=-30 winner=3", [("winner-wrong", 4, 3)]),
    ],
)
def test_the_lowest_rack_wins(rules, line, found):
    shows = "show 1 + R1 R2 R3\nshow 2 + K10\nshow 3 + JK\n"

    assert found_in(f"{shows}{line}\nend", **SHOWN, rules=rules) == found


def test_racks_that_tie_for_the_lowest_name_no_winner():
    shows = "show 1 + R1 R2\nshow 2 + K3\nshow 3 + JK\n"

    assert found_in(f"{shows}score 1=33 2=-3 3=-30 winner=1\nend", **SHOWN) == []
    assert found_in(f"{shows}score 1=-3 2=33 3=-30 winner=2\nend", **SHOWN) == []
    wrong = found_in(f"{shows}score 1=-3 2=-3 3=6 winner=3\nend", **SHOWN)
    assert wrong == [("winner-wrong", 4, 3)]
    found = audit(f"{shows}end", **SHOWN)
    assert found.result.scores == {}
    assert {each.check: each.why for each in found.not_run}["score-wrong"] == (
        "racks tie for the lowest, and the rules name no winner"
    )


def test_without_deals_the_shows_tell_who_has_gone_out():
    lines = f"play 1 {RED}\nshow 2 + R1 R2 R3\nscore 1=6 2=-6 winner=1\nend"
    found = audit(lines, detail="table", deals=False)

    assert codes(found) == []
    assert found.result.scores == {1: 6, 2: -6}
