"""Matches of basic rummy: totals, targets, fixed deals, the dealer, and the end."""

import pytest

from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import RulesetError, for_hand
from tests.rules.basic.play import log


def deal(number, points, totals="", *, dealer=None, end="end", more="", **about):
    """Return the score sheet of one deal; totals may be left out."""
    about = {"format": "target", "target": 100, "rules": "hand_size=10", "seats": (1, 2)} | about
    match = f"M format={about['format']} deal={number}"
    if about["target"]:
        match += f" target={about['target']}"
    score = f"score {points}" + (f" totals {totals}" if totals else "")
    hand = log(
        f"{score}\n{more}\n{end}",
        detail="scores",
        dealer=dealer or (number - 1) % len(about["seats"]) + 1,
        ruleset=about.get("ruleset", "basic"),
        seats=about["seats"],
        rules=about["rules"],
        match=match,
    )
    return Deal(hand=hand, rules=for_hand(hand.record), replay=replay(hand))


def audit(*deals):
    return audit_match(deals)


def found(report):
    return [
        (each.finding.code, each.finding.seq, each.finding.seat)
        for each in report.findings
        if each.finding.severity != "note"
    ]


def test_totals_go_on_from_what_was_written_or_from_what_is_true():
    right = audit(deal(1, "1=30 2=0", "1=30 2=0"), deal(2, "1=0 2=40", "1=30 2=40"))
    wrong = audit(
        deal(1, "1=30 2=0", "1=35 2=0"),
        deal(2, "1=0 2=40", "1=35 2=40"),
        deal(3, "1=10 2=0", "1=40 2=40"),
    )

    assert (right.verdict, right.totals) == ("clean", {1: 30, 2: 40})
    assert found(wrong) == [("total-wrong", 1, 1)]
    assert wrong.totals == {1: 40, 2: 40}


def test_a_wrong_total_names_the_one_before_and_the_points():
    (placed,) = audit(deal(1, "1=30 2=0", "1=35 2=0")).findings

    assert (placed.finding.recorded, placed.finding.expected) == (35, 30)
    assert placed.finding.data == {"before": 0, "points": 30}


def test_true_points_decide_when_the_match_is_over():
    """The hand is worth 60, 50 were written: by the true totals seat 2 has won."""
    lines = """
    deal 2 4H 5H 6H 2C
    deal 1 9C 9D 9S 3H
    upcard TC
    draw 2 stock 7H
    meld 2 4H 5H 6H 7H
    discard 2 2C
    show 1 + 9C 9D 9S 3H
    score 1=0 2=50 totals 1=0 2=50 winner=2
    end
    """
    hand = log(lines, rules="hand_size=4", match="M format=target deal=1 target=60")
    first = Deal(hand=hand, rules=for_hand(hand.record), replay=replay(hand))
    report = audit(first, deal(2, "1=0 2=40", "1=0 2=90", target=60, rules="hand_size=4"))

    assert report.winner == 2
    assert report.totals == {1: 0, 2: 60}
    assert [placed.finding.code for placed in report.findings] == ["match-over"]


def test_every_hand_after_the_end_is_one_too_many():
    report = audit(
        deal(1, "1=100 2=0", "1=100 2=0"),
        deal(2, "1=0 2=40", "1=100 2=40"),
        deal(3, "1=0 2=40", "1=100 2=80"),
    )

    assert found(report) == [("match-over", 0, None), ("match-over", 0, None)]
    assert (report.winner, report.totals) == (1, {1: 100, 2: 0})


def test_the_target_is_the_matchs_the_rulesets_or_the_house_rules():
    def winner(**about):
        return audit(deal(1, "1=120 2=0", "1=120 2=0", **about)).winner

    assert winner() == 1
    assert winner(target=150) is None
    assert winner(target=0) == 1  # of the ruleset: 100
    assert winner(target=0, ruleset="basic-general") is None  # agreed, and nothing is
    assert winner(target=150, rules="hand_size=10 target=110") == 1


@pytest.mark.parametrize(("players", "target"), [(2, 100), (3, 150), (4, 200)])
def test_where_the_winner_takes_all_the_target_goes_by_the_players(players, target):
    seats = tuple(range(1, players + 1))
    rest = " ".join(f"{seat}=0" for seat in seats[1:])

    def winner(points):
        about = {"seats": seats, "target": 0, "rules": "hand_size=20"}
        about["ruleset"] = "basic-winner-takes-all"
        return audit(deal(1, f"1={points} {rest}", **about)).winner

    assert (winner(target), winner(target - 1)) == (1, None)


def test_charged_points_are_won_by_the_lowest():
    rules = "hand_size=10 scoring=charged"
    report = audit(
        deal(1, "1=60 2=0", "1=60 2=0", rules=rules),
        deal(2, "1=0 2=30", "1=60 2=30", rules=rules),
        deal(3, "1=50 2=0", "1=110 2=30", rules=rules),
    )

    assert (report.verdict, report.winner) == ("clean", 2)


def test_a_fixed_number_of_deals_and_a_tie_that_needs_another():
    about = {"format": "deals-2", "target": 0}
    even = [
        deal(1, "1=30 2=0", "1=30 2=0", **about),
        deal(2, "1=0 2=30", "1=30 2=30", **about),
    ]
    decided = audit(*even, deal(3, "1=0 2=5", "1=30 2=35", **about))
    too_many = audit(*even, *(deal(n, "1=0 2=5", **about) for n in (3, 4)))

    assert audit(*even).winner is None
    assert (decided.verdict, decided.winner) == ("clean", 2)
    assert found(too_many) == [("match-over", 0, None)]


def test_a_deal_that_is_not_here_was_one_of_the_fixed_number():
    about = {"format": "deals-3", "target": 0}
    ends = audit(
        deal(1, "1=30 2=0", "1=30 2=0", **about),
        deal(3, "1=20 2=0", "1=50 2=40", more="result 1=50 2=40 winner=1", **about),
    )

    assert found(ends) == [("match-deal-missing", 0, None)]
    assert ends.winner == 1


def test_a_single_hand_is_a_match_of_one():
    about = {"format": "points", "target": 0}
    report = audit(deal(1, "1=30 2=0", **about), deal(2, "1=0 2=30", **about))

    assert (report.winner, found(report)) == (1, [("match-over", 0, None)])


def test_the_deal_goes_clockwise_and_stays_after_an_annulled_hand():
    first = deal(1, "1=30 2=0", "1=30 2=0")
    assert found(audit(first, deal(2, "1=0 2=5", "1=30 2=5", dealer=1))) == [("dealer-wrong", 0, 1)]
    void = deal(1, "1=0 2=0", more="void cause=agreed", end="end void")
    assert found(audit(void, deal(1, "1=0 2=5", dealer=1))) == []
    assert found(audit(void, deal(1, "1=0 2=5", dealer=2))) == [("dealer-wrong", 0, 2)]
    free = {"rules": "hand_size=10 dealer_moves=free"}
    again = deal(2, "1=0 2=5", dealer=1, **free)
    assert found(audit(deal(1, "1=30 2=0", **free), again)) == []


def test_after_a_wrong_dealer_the_deal_goes_on_from_there_or_back_to_its_round():
    three = {"seats": (1, 2, 3), "rules": "hand_size=7"}
    first, wrong = deal(1, "1=30 2=0 3=0", **three), deal(2, "1=0 2=5 3=0", dealer=3, **three)
    seen = deal(2, "1=0 2=5 3=0", more="irregularity wrong-dealer 3", dealer=3, **three)
    for dealer in (1, 3):
        third = deal(3, "1=1 2=0 3=0", dealer=dealer, **three)
        assert found(audit(first, wrong, third)) == [("dealer-wrong", 0, 3)]
        # What the table noticed is said in the hand, and not a second time in the match.
        assert found(audit(first, seen, third)) == []
    again = deal(3, "1=1 2=0 3=0", dealer=2, **three)
    assert found(audit(first, wrong, again)) == [("dealer-wrong", 0, 3), ("dealer-wrong", 0, 2)]


def test_a_result_names_the_winner_and_the_totals():
    over = deal(1, "1=100 2=0", "1=100 2=0", more="result 1=100 2=0 winner=1")
    wrong = deal(1, "1=100 2=0", "1=100 2=0", more="result 1=100 2=7 winner=2")
    early = deal(1, "1=40 2=0", "1=40 2=0", more="result 1=40 2=0 winner=1")

    assert found(audit(over)) == []
    assert found(audit(wrong)) == [("winner-wrong", 2, 2), ("total-wrong", 2, 2)]
    assert found(audit(early)) == [("winner-wrong", 2, 1)]


def test_without_a_target_the_match_ends_when_the_table_likes():
    about = {"target": 0, "ruleset": "basic-general"}
    right = deal(1, "1=40 2=0", "1=40 2=0", more="result 1=40 2=0 winner=1", **about)
    wrong = deal(1, "1=40 2=0", "1=40 2=0", more="result 1=40 2=0 winner=2", **about)

    assert found(audit(right)) == []
    assert found(audit(wrong)) == [("winner-wrong", 2, 2)]


def test_after_a_gap_the_recorded_totals_are_the_base():
    report = audit(deal(1, "1=30 2=0", "1=30 2=0"), deal(3, "1=0 2=40", "1=60 2=40"))

    assert found(report) == [("match-deal-missing", 0, None)]
    assert report.totals == {1: 60, 2: 40}


def test_without_totals_or_points_nothing_is_guessed():
    report = audit(
        deal(1, "1=30", "1=30"), deal(2, "1=0 2=40", "1=30 2=40"), deal(3, "1=0 2=90", "2=130")
    )

    assert found(report) == []
    assert report.totals == {1: 30, 2: 130}


def test_hands_that_may_charge_everybody_do_not_go_with_a_winner_who_takes():
    with pytest.raises(RulesetError) as error:
        deal(1, "1=30 2=0", rules="hand_size=10 stock_exhausted=block")

    assert error.value.parameter == "stock_exhausted, scoring"
    rules = "hand_size=10 stock_exhausted=block scoring=charged"
    assert audit(deal(1, "1=30 2=20", rules=rules)).verdict == "clean"


def test_who_was_not_there_keeps_the_total_and_deals_nothing():
    """A seat that is marked absent needs no points of that deal to go on from."""
    three = {"seats": (1, 2, 3), "target": 70}
    first = deal(1, "1=30 2=0 3=0", "1=30 2=0 3=0", **three)
    away = deal(2, "1=40 3=0", "1=70 2=0 3=0 marks 2=absent", dealer=3, **three)
    wrong = deal(2, "1=40 3=0", "1=70 2=5 3=0 marks 2=absent", dealer=3, **three)
    report = audit(first, away)

    assert (found(report), report.totals, report.winner) == ([], {1: 70, 2: 0, 3: 0}, 1)
    assert found(audit(first, wrong)) == [("total-wrong", 1, 2)]
