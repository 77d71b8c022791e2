"""Series of games: totals over hands, whoever is ahead at the end."""

import pytest

from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from tests.rules.tile.play import codes, log


def game(number, shows, line, *, form="target", about="target=50", rules="", after=""):
    """One game of which the racks and the score were written down."""
    lines = "\n".join(
        [*(f"show {seat} + {rack}" for seat, rack in shows.items()), f"score {line}", after, "end"]
    )
    match = f"M format={form} deal={number} {about}"
    return log(lines, detail="shown", seats=(1, 2, 3), match=match, rules=rules)


def series(*hands):
    deals = [Deal(hand=hand, rules=for_hand(hand.record), replay=replay(hand)) for hand in hands]
    return audit_match(deals)


def found(report):
    return [
        (each.finding.code, each.finding.seq, each.finding.seat, each.finding.expected)
        for each in report.findings
    ]


FIRST = ({2: "R5", 3: "K10 K11"}, "1=26 2=-5 3=-21 winner=1 totals 1=26 2=-5 3=-21")
SECOND = ({1: "R1", 3: "JK"}, "1=-1 2=31 3=-30 winner=2 totals 1=25 2=26 3=-51")
THIRD = ({2: "R9", 3: "K13 O12"}, "1=34 2=-9 3=-25 winner=1 totals 1=59 2=17 3=-76")


def test_the_highest_total_wins_once_the_target_is_reached():
    report = series(game(1, *FIRST), game(2, *SECOND), game(3, *THIRD))

    assert found(report) == []
    assert report.totals == {1: 59, 2: 17, 3: -76}
    assert report.winner == 1
    assert [row.totals for row in report.rows] == [
        {1: 26, 2: -5, 3: -21},
        {1: 25, 2: 26, 3: -51},
        {1: 59, 2: 17, 3: -76},
    ]


def test_a_series_that_goes_on_has_no_winner_yet():
    report = series(game(1, *FIRST), game(2, *SECOND))

    assert report.winner is None
    assert report.totals == {1: 25, 2: 26, 3: -51}


def test_a_game_after_the_series_was_over():
    fourth = ({2: "R9", 3: "K13"}, "1=22 2=-9 3=-13 totals 1=81 2=8 3=-89")
    report = series(game(1, *FIRST), game(2, *SECOND), game(3, *THIRD), game(4, *fourth))

    assert found(report) == [("match-over", 0, None, None)]
    assert report.totals == {1: 59, 2: 17, 3: -76}


def test_who_was_not_there_keeps_the_total():
    """A seat that is marked absent needs no points of that game to go on from."""
    away = ({2: "R5"}, "1=5 2=-5 winner=1 totals 1=31 2=-10 3={} marks 3=absent")
    right, wrong = ((away[0], away[1].format(total)) for total in (-21, -20))

    report = series(game(1, *FIRST), game(2, *right))
    assert (found(report), report.totals) == ([], {1: 31, 2: -10, 3: -21})
    assert found(series(game(1, *FIRST), game(2, *wrong))) == [("total-wrong", 2, 3, -21)]


def test_a_total_that_was_added_wrongly_is_named_once():
    wrong = (SECOND[0], SECOND[1].replace("2=26", "2=36"))
    carried = (THIRD[0], THIRD[1].replace("2=17", "2=27"))
    report = series(game(1, *FIRST), game(2, *wrong), game(3, *carried))

    assert found(report) == [("total-wrong", 3, 2, 26)]
    assert report.totals == {1: 59, 2: 17, 3: -76}


def test_wrong_points_are_the_hands_own_finding():
    """The total may go on from what was written, or from what is right."""
    wrong = (SECOND[0], "1=-1 2=1 3=0 winner=2 totals 1=25 2=-4 3=-21")

    assert found(series(game(1, *FIRST), game(2, *wrong))) == []


@pytest.mark.parametrize(("deals", "winner"), [(2, 2), (3, 1)])
def test_a_number_of_games_was_agreed(deals, winner):
    about = {"form": f"deals-{deals}", "about": ""}
    games = [game(1, *FIRST, **about), game(2, *SECOND, **about), game(3, *THIRD, **about)]
    report = series(*games[:deals])

    assert found(report) == []
    assert report.winner == winner
    if deals == 2:
        assert found(series(*games)) == [("match-over", 0, None, None)]


def test_a_game_that_is_not_here_was_one_of_the_number_agreed():
    about = {"form": "deals-3", "about": ""}
    third = (THIRD[0], THIRD[1].partition(" totals")[0] + " totals 1=90 2=0 3=-90")
    report = series(game(1, *FIRST, **about), game(3, *third, **about))

    assert [each[0] for each in found(report)] == ["match-deal-missing"]
    assert report.winner == 1


def test_a_target_by_house_rule():
    games = [
        game(1, *FIRST, about="", rules="target=20"),
        game(2, *SECOND, about="", rules="target=20"),
    ]

    assert series(*games[:1]).winner == 1
    assert found(series(*games)) == [("match-over", 0, None, None)]


def test_a_series_without_an_aim_ends_with_its_result():
    about = {"form": "game", "about": ""}
    result = "result 1=25 2=26 3=-51 winner={}"

    right = game(2, *SECOND, after=result.format(2), **about)
    report = series(game(1, *FIRST, **about), right)
    assert (found(report), report.winner) == ([], 2)
    wrong = game(2, *SECOND, after=result.format(1), **about)
    assert found(series(game(1, *FIRST, **about), wrong)) == [("winner-wrong", 4, 1, 2)]


def test_a_result_with_other_totals_or_with_bonuses():
    """A bonus is wrong in the hand itself: no series of tiles knows any."""
    ended = "result 1=59 2=18 3=-76 winner=1 bonus 1.game=100 2.box=0"
    last = game(3, *THIRD, after=ended)
    report = series(game(1, *FIRST), game(2, *SECOND), last)

    assert found(report) == [("total-wrong", 4, 2, 17)]
    assert codes(replay(last)) == [("bonus-wrong", 4, 1)]


def test_after_a_missing_game_the_recorded_totals_are_the_base():
    report = series(game(1, *FIRST), game(3, *THIRD))

    assert [code for code, *_ in found(report)] == ["match-deal-missing"]
    assert report.totals == {1: 59, 2: 17, 3: -76}


def test_a_tie_for_the_highest_total_has_no_winner():
    about = {"form": "deals-1", "about": ""}
    tied = game(1, {1: "R5", 2: "K5", 3: "JK"}, "1=0 2=0 3=0", **about)

    assert series(tied).winner is None


def test_one_game_is_over_after_it():
    about = {"form": "points", "about": ""}

    assert series(game(1, *FIRST, **about)).winner == 1
