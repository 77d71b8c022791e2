"""Matches of Indian rummy: the winnings the rulebooks print, and what totals hide."""

import pytest

from rummy_audit.rules.matches import audit_match
from tests.rules.indian.hands import deals

# Score sheets in a few words: each deal is a dealer and what was written down.


def sheet(*rows, form="pool-101", rules="", players=3, **match):
    """Write a match; a row is (dealer, score) or (dealer, score, more of the match, players)."""
    text = []
    for number, row in enumerate(rows, start=1):
        dealer, score, *rest = row
        more = rest[0] if rest else ""
        seats = rest[1] if len(rest) > 1 else range(1, players + 1)
        at_stake = " ".join(f"{name}={value}" for name, value in match.items())
        deal = "" if "deal=" in more else f"deal={number}"
        text += [
            f"hand H{number} rhl=1 ruleset=indian-13 detail=scores dealer={dealer}",
            *[f"player {seat} P{seat}" for seat in seats],
            f"match M {'' if 'format=' in more else f'format={form}'} {deal} {more} {at_stake}",
            *([f"rules {rules}"] if rules else []),
            *score.splitlines(),
            *([f"end {score.split()[0]}".replace("end score", "end")] if score else []),
        ]
    return audit_match(deals("\n".join(text).encode()))


def found(report):
    return [
        (each.hand, each.finding.code, each.finding.seq, each.finding.seat)
        for each in report.findings
    ]


def numbers(report):
    return [(each.finding.recorded, each.finding.expected) for each in report.findings]


def test_003_winnings_points_the_worked_sum_is_824():
    text = (
        "hand H rhl=1 ruleset=indian-13-circle detail=scores dealer=1\n"
        + "".join(f"player {seat}\n" for seat in range(1, 7))
        + "match M format=points deal=1 point_value=4\n"
        + "score 1=45 2=78 3=23 4=20 5=40 6=0 winner=6 amounts 6={}\nend\n"
    )
    right, wrong = (deals(text.format(amount).encode()) for amount in (824, 820))

    assert right[0].replay.findings == ()
    assert [(each.code, each.recorded, each.expected) for each in wrong[0].replay.findings] == [
        ("amount-wrong", 820, 824)
    ]
    assert audit_match(wrong).findings == ()


def test_003_winnings_pool_five_entries_of_50():
    last = (1, "score 1=0 2=80 winner=1 totals 1=60 2=140 3=101 4=110 5=105 amounts 1={}")
    more = ("deal=4 seats=1,2,3,4,5", (1, 2))

    def paid(amount):
        row = (last[0], last[1].format(amount), *more)
        return sheet(row, entry_fee=50, fee=0)

    assert found(paid(250)) == [("H1", "match-deal-missing", 0, None)]
    assert paid(250).winner == 1
    assert found(paid(200))[1:] == [("H1", "prize-wrong", 1, 1)]
    assert numbers(paid(200))[1:] == [(200, 250)]


def test_003_winnings_deals_the_winner_takes_135_chips():
    row = (1, "score 1=10 2=20 3=30 4=35 5=0 6=40 winner=5 totals 5={}")

    def chips(total):
        return sheet((row[0], row[1].format(total)), form="deals-1", players=6)

    assert chips(80 + 135).verdict == "clean"
    assert chips(80 + 135).totals == {1: 70, 2: 60, 3: 50, 4: 45, 5: 215, 6: 40}
    assert chips(80 + 135).winner == 5
    assert numbers(chips(200)) == [(200, 215)]


def test_a_mistake_carried_on_is_named_once_and_the_true_total_decides_who_is_out():
    report = sheet(
        (1, "score 1=0 2=60 3=10 totals 1=0 2=50 3=10"),
        (2, "score 1=0 2=45 3=10 totals 1=0 2=95 3=20"),
        (3, "score 1=20 2=0 3=10 totals 1=20 2=95 3=30"),
    )

    assert found(report) == [
        ("H1", "total-wrong", 1, 2),
        ("H3", "eliminated-player-dealt-in", 0, 2),
    ]
    assert numbers(report) == [(50, 60), (95, 105)]
    assert report.totals == {1: 20, 2: 105, 3: 30}


def test_a_total_that_goes_back_to_the_truth_is_right():
    report = sheet(
        (1, "score 1=0 2=60 3=10 totals 2=50 3=10"),
        (2, "score 1=0 2=5 3=10 totals 1=0 2=65 3=20"),
    )

    assert found(report) == [("H1", "total-wrong", 1, 2)]


def test_totals_left_out_in_between_are_carried_silently():
    report = sheet(
        (1, "score 1=0 2=60 3=10"),
        (2, "score 1=0 2=5 3=10"),
        (3, "score 1=5 2=0 3=2 totals 1=5 2=66 3=22"),
    )

    assert found(report) == [("H3", "total-wrong", 1, 2)]
    assert numbers(report) == [(66, 65)]


@pytest.mark.parametrize(
    ("out", "codes"), [("reach", ["eliminated-player-dealt-in"]), ("exceed", [])]
)
def test_out_on_reaching_the_limit_or_only_beyond_it(out, codes):
    report = sheet(
        (1, "score 1=0 2=80 3=10"),
        (2, "score 1=0 2=21 3=10"),
        (3, "score 1=0 2=2 3=10"),
        rules=f"pool_out={out}",
    )

    assert [each.finding.code for each in report.findings] == codes


def test_a_player_missing_before_reaching_the_limit_was_put_out_too_early_named_once():
    report = sheet(
        (1, "score 1=0 2=30 3=10"),
        (3, "score 1=0 3=10", "", (1, 3)),
        (1, "score 1=0 3=10", "", (1, 3)),
    )

    assert found(report) == [("H2", "eliminated-too-early", 0, 2)]
    assert report.winner is None


def test_a_player_who_left_is_out_of_the_match():
    report = sheet(
        (1, "score 1=0 2=30 3=10"),
        (3, "score 1=0 3=10", "left=2", (1, 3)),
        (1, "score 1=0 3=90 amounts 1=140", "", (1, 3)),
        entry_fee=50,
        fee=10,
    )

    assert found(report) == []
    assert report.winner == 1


OUT = (
    (1, "score 1=0 2=80 3=71 4=10 totals 1=0 2=80 3=71 4=10"),
    (2, "score 1=30 2=40 3=0 4=45 totals 1=30 2=120 3=71 4=55"),
)


def test_a_rejoin_starts_at_the_highest_total_still_in_plus_1_and_pays_again():
    report = sheet(
        *OUT,
        (3, "score 1=0 2=2 3=1 4=1 totals 1=30 2=74 3=72 4=56", "rejoined=2"),
        (4, "score 1=0 2=80 3=80 4=80 totals 1=30 2=154 3=152 4=136 amounts 1=250"),
        rules="rejoin_max=79",
        players=4,
        entry_fee=50,
        fee=0,
    )

    assert found(report) == []
    assert (report.winner, report.totals) == (1, {1: 30, 2: 154, 3: 152, 4: 136})


def test_pool_008_out_after_the_second_game_with_120():
    report = sheet((1, "score 1=80 2=0 3=9 4=9"), (2, "score 1=40 2=0 3=9 4=9"), players=4)

    assert [(row.totals[1], row.out) for row in report.rows] == [(80, ()), (120, (1,))]


def test_pool_009_with_71_55_and_30_still_in_a_rejoin_starts_at_72():
    report = sheet(
        (1, "score 1=80 2=60 3=50 4=20"),
        (2, "score 1=40 2=11 3=5 4=10"),
        (3, "score 1=0 2=1 3=2 4=3 totals 1=72 2=72 3=57 4=33", "rejoined=1"),
        rules="rejoin_max=79",
        players=4,
    )

    assert (found(report), report.totals[1]) == ([], 72)


def test_two_who_rejoin_at_once_both_start_from_those_who_were_never_out():
    report = sheet(
        (1, "score 1=80 2=80 3=0 4=39"),
        (2, "score 1=40 2=40 3=0 4=40"),
        (3, "score 1=0 2=1 3=2 4=3 totals 1=80 2=81 3=2 4=82", "rejoined=1,2"),
        rules="rejoin_max=79",
        players=4,
    )

    assert (found(report), report.totals) == ([], {1: 80, 2: 81, 3: 2, 4: 82})


def test_deal_004_two_deals_won_by_30_each_are_a_tie_at_160():
    report = sheet((1, "score 1=0 2=30"), (2, "score 1=30 2=0"), form="deals-2", players=2)

    assert (report.totals, report.winner) == ({1: 160, 2: 160}, None)


def test_a_rejoin_is_refused_above_the_most_and_where_none_is_allowed():
    third = (3, "score 1=0 2=2 3=1 4=1 totals 1=30 2=74 3=72 4=56", "rejoined=2")

    for rules in ("rejoin_max=70", "rejoin_max=none"):
        report = sheet(*OUT, third, rules=rules, players=4)

        assert found(report) == [("H3", "eliminated-player-dealt-in", 0, 2)]
        assert report.findings[0].finding.rule.parameter == "rejoin_max"


def test_a_rejoin_at_another_total_is_a_wrong_total():
    third = (3, "score 1=0 2=2 3=1 4=1 totals 1=30 2=73 3=72 4=56", "rejoined=2")
    report = sheet(*OUT, third, rules="rejoin_max=79", players=4)

    assert found(report) == [("H3", "total-wrong", 1, 2)]
    assert numbers(report) == [(73, 74)]


def test_the_deal_goes_to_the_next_seat_still_in_and_stays_after_an_annulled_hand():
    report = sheet(
        (2, "score 1=0 2=10 3=101 4=10"),
        (4, "score 1=0 2=2 4=10", "", (1, 2, 4)),
        (1, "void cause=agreed", "", (1, 2, 4)),
        (1, "score 1=0 2=2 4=10", "deal=3", (1, 2, 4)),
        (4, "score 1=0 2=2 4=10", "deal=4", (1, 2, 4)),
        players=4,
    )

    assert found(report) == [("H5", "dealer-wrong", 0, 4)]
    assert numbers(report) == [(4, 2)]


def test_dealers_are_free_where_the_rules_leave_them_so():
    rows = ((2, "score 1=0 2=10 3=20"), (2, "score 1=0 2=2 3=10"))

    assert sheet(*rows, rules="dealer_moves=free").verdict == "clean"
    assert sheet(*rows).verdict == "irregular"


def test_an_annulled_hand_brings_nobody_points():
    report = sheet(
        (1, "score 1=0 2=10 3=20 totals 1=0 2=10 3=20"),
        (2, "misdeal cause=wrong-count"),
        (2, "score 1=5 2=0 3=20 totals 1=5 2=10 3=40", "deal=2"),
    )

    assert found(report) == []
    assert report.totals == {1: 5, 2: 10, 3: 40}


def test_a_pool_with_one_left_is_over():
    report = sheet(
        (1, "score 1=0 2=101 winner=1", "", (1, 2)),
        (2, "score 1=0 2=10 winner=1", "", (1, 2)),
    )

    assert found(report) == [("H2", "match-over", 0, None)]
    assert (report.winner, report.totals) == (1, {1: 0, 2: 101})


def test_who_plays_on_though_out_is_said_once_and_not_that_the_match_is_over_for_it():
    report = sheet(
        (1, "score 1=0 2=101 3=2"),
        (2, "score 1=0 2=2 3=99"),
        (1, "score 1=0 2=2", "", (1, 2)),
    )

    assert found(report) == [("H2", "eliminated-player-dealt-in", 0, 2)]
    assert report.winner == 1


def test_deals_tied_for_the_most_chips_need_another_hand():
    rows = (
        (1, "score 1=0 2=30 winner=1 totals 1=190 2=130"),
        (2, "score 1=30 2=0 winner=2 totals 1=160 2=160"),
    )
    tied = sheet(*rows, form="deals-2", players=2)
    third = sheet(*rows, (1, "score 1=0 2=7 winner=1"), form="deals-2", players=2)

    assert (tied.verdict, tied.winner, tied.totals) == ("clean", None, {1: 160, 2: 160})
    assert (third.verdict, third.winner, third.totals) == ("clean", 1, {1: 167, 2: 153})


def test_a_written_result_names_the_winner_and_the_totals():
    rows = ((1, "score 1=0 2=30 winner=1"), (2, "score 1=0 2=9 winner=1\nresult {}"))

    def ended(result):
        last = (rows[1][0], rows[1][1].format(result))
        return sheet(rows[0], last, form="deals-2", players=2)

    assert ended("1=199 2=121 winner=1").verdict == "clean"
    assert found(ended("1=199 2=121 winner=2")) == [("H2", "winner-wrong", 2, 2)]
    assert numbers(ended("1=199 2=121 winner=2")) == [(2, 1)]
    assert found(ended("1=199 2=120 winner=1")) == [("H2", "total-wrong", 2, 2)]


def test_the_prize_goes_to_the_winner_alone_unless_a_split_is_agreed():
    row = (1, "score 1=0 2=101 winner=1 amounts {}", "", (1, 2))

    def paid(amounts, **settings):
        return sheet((row[0], row[1].format(amounts), *row[2:]), entry_fee=50, **settings)

    assert found(paid("1=90", fee=10)) == []
    assert found(paid("1=90 2=-50", fee=10)) == []
    assert found(paid("2=90", fee=10)) == [("H1", "prize-wrong", 1, 2)]
    assert found(paid("1=60 2=30", fee=10)) == [
        ("H1", "prize-wrong", 1, 1),
        ("H1", "prize-wrong", 1, 2),
    ]
    assert found(paid("1=60 2=30", fee=10, rules="split=agreed")) == []
    assert numbers(paid("1=60 2=60", fee=10, rules="split=agreed")) == [(120, 90)]

    def shared(amounts, rules):
        score = f"score 1=0 2=101 3=30 amounts {amounts}"
        return sheet((1, score), entry_fee=50, fee=10, rules=rules)

    assert found(shared("1=80 3=60", "split=agreed")) == []
    assert numbers(shared("1=80 3=80", "split=auto")) == [(160, 140)]
    assert numbers(shared("1=80 3=60", "split=none")) == [(80, 0), (60, 0)]


@pytest.mark.parametrize("odd", [1, 2, 3])
def test_a_slip_in_the_settings_of_one_hand_is_that_hands_and_no_second_mistake(odd):
    # By the fee of the match the prize is 90, by the one written there 100: either is right.
    def played(prize, slip="fee=0", fee="fee=10"):
        own = {number: slip if number == odd else fee for number in (1, 2, 3)}
        return sheet(
            (1, "score 1=0 2=80", own[1], (1, 2)),
            (2, "score 1=0 2=20", own[2], (1, 2)),
            (1, f"score 1=0 2=2 amounts 1={prize}", own[3], (1, 2)),
            entry_fee=50,
        )

    slip = (f"H{odd}", "match-settings-differ", 0, None)
    assert found(played(90)) == [slip]
    assert numbers(played(90)) == [({"fee": 0}, {"fee": 10})]
    assert found(played(80)) == [slip, ("H3", "prize-wrong", 1, 1)]
    # What a hand leaves out is not known, and no other setting.
    assert found(played(90, slip="")) == []
    assert found(played(100, slip="")) == [("H3", "prize-wrong", 1, 1)]


def test_the_limit_of_a_pool_is_that_of_its_hands_whatever_the_first_one_says():
    report = sheet(
        (1, "score 1=0 2=80 3=2", "format=pool-201"),
        (2, "score 1=0 2=40 3=2"),
        (3, "score 1=0 3=80", "", (1, 3)),
        form="pool-101",
    )

    assert found(report) == [("H1", "match-settings-differ", 0, None)]


def test_a_fee_that_is_not_written_may_make_the_prize_less_but_never_more():
    row = (1, "score 1=0 2=101 winner=1 amounts 1={}", "", (1, 2))

    def paid(amount):
        return sheet((row[0], row[1].format(amount), *row[2:]), entry_fee=50)

    assert found(paid(100)) == found(paid(80)) == []
    assert numbers(paid(110)) == [(110, 100)]


def test_after_missing_deals_the_recorded_totals_are_the_base():
    report = sheet(
        (1, "score 1=0 2=30 3=10 totals 1=0 2=30 3=10"),
        (2, "score 1=0 2=9 3=10 totals 1=40 2=88 3=20", "deal=4"),
        (3, "score 1=0 2=20 3=10 totals 1=40 2=109 3=30", "deal=5"),
    )

    assert found(report) == [
        ("H2", "match-deal-missing", 0, None),
        ("H3", "total-wrong", 1, 2),
    ]
    assert numbers(report)[1:] == [(109, 108)]
    assert report.totals == {1: 40, 2: 108, 3: 30}


def test_an_annulled_hand_stands_before_the_deal_of_its_number_however_they_came_in():
    report = sheet(
        (1, "score 1=0 2=80 3=2", "deal=1"),
        (2, "score 1=0 2=30 3=2", "deal=2"),
        (2, "misdeal cause=exposed-card", "deal=2"),
        (3, "score 1=0 3=2", "deal=3", (1, 3)),
    )

    assert found(report) == []


def test_whoever_was_absent_has_nothing_of_the_deal_and_keeps_their_total():
    report = sheet(
        (1, "score 1=0 2=20 3=10 totals 1=0 2=20 3=10"),
        (2, "score 1=0 2=20 marks 3=absent"),
        (3, "score 1=5 2=0 3=7 totals 1=5 2=40 3=17"),
    )

    assert (found(report), report.totals) == ([], {1: 5, 2: 40, 3: 17})

    # Nor is who is marked so put out of the pool, where the hand does not name them.
    rows = ((1, "score 1=0 2=20 3=10"), (2, "score 1=0 2=20 marks 3=absent", "", (1, 2)))
    assert found(sheet(*rows)) == []
    assert found(sheet(*rows, (1, "score 1=0 2=20", "", (1, 2)))) == [
        ("H3", "eliminated-too-early", 0, 3)
    ]


def test_whoever_may_have_left_in_a_deal_that_is_not_here_was_not_put_out():
    rows = [
        ("1=0 2=20 3=10 4=5 totals 1=0 2=20 3=10 4=5", "deal=1"),
        ("1=0 2=20 4=5", "deal=3"),
        ("1=0 2=20 4=5 totals 1=0 2=60 3=10 4=15", "deal=4"),
        ("1=0 2=20 4=5", "deal=5"),
    ]
    deals = [(1, f"score {rows[0][0]}", rows[0][1], (1, 2, 3, 4))]
    deals += [(1, f"score {score}", about, (1, 2, 4)) for score, about in rows[1:]]

    report = sheet(*deals, rules="dealer_moves=free")
    assert found(report) == [("H2", "match-deal-missing", 0, None)]


@pytest.mark.parametrize(
    ("form", "totals"), [("pool-101", (0, 80, 7)), ("deals-2", (247, 80, 153))]
)
def test_a_hand_that_is_on_has_brought_nobody_points_yet(form, totals):
    played = (1, "score 1=0 2=80 3=7")
    report = sheet(played, (2, ""), form=form)

    assert (found(report), report.winner) == ([], None)
    assert report.totals == dict(zip((1, 2, 3), totals, strict=True))
    # Whoever would win the last deal has not won it while it is on.
    assert sheet(played, (2, "score 1=0 2=2 3=2"), form="deals-2").winner == 1


def test_the_standings_show_each_deal_and_who_is_out():
    report = sheet(
        (1, "score 1=0 2=80 3=10 totals 1=0 2=80 3=10"),
        (2, "score 1=0 2=40 3=10 totals 1=0 2=120 3=20"),
    )

    assert [(row.points, row.totals, row.recorded_totals, row.out) for row in report.rows] == [
        ({1: 0, 2: 80, 3: 10}, {1: 0, 2: 80, 3: 10}, {1: 0, 2: 80, 3: 10}, ()),
        ({1: 0, 2: 40, 3: 10}, {1: 0, 2: 120, 3: 20}, {1: 0, 2: 120, 3: 20}, (2,)),
    ]


def test_a_result_cannot_name_a_winner_while_the_match_goes_on():
    rows = ((1, "score 1=0 2=80 3=30\nresult 1=0 2=80 3=30 winner=1"),)

    assert found(sheet(*rows)) == [("H1", "winner-wrong", 2, 1)]
    assert numbers(sheet(*rows)) == [(1, None)]


@pytest.mark.parametrize("third", [2, 3], ids=["goes-on-from-there", "goes-back-to-its-round"])
def test_after_a_wrong_dealer_the_deal_may_go_either_way(third):
    first = (1, "score 1=0 2=10 3=20")
    # Deal 2 was seat 2's; seat 1 dealt again. Then seat 2 or seat 3 may deal.
    report = sheet(first, first, (third, "score 1=0 2=10 3=20"))

    assert found(report) == [("H2", "dealer-wrong", 0, 1)]
