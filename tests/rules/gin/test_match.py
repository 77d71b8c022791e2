"""003 Scoring, Game, Match: hands add up to games, and games to a match."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand

# Score sheets: one hand a line, as deal, dealer, points of seat 1 and 2, and what stands beside.


def sheet(*hands, target="", rules="", seats="", game=""):
    """Write a match of score sheets; ``hands`` are (dealer, points 1, points 2, more)."""
    texts = []
    for number, (dealer, one, two, *more) in enumerate(hands, 1):
        about = f"match M format=game deal={number}{game}{target and f' target={target}'}{seats}"
        lines = [f"hand H{number} rhl=1 ruleset=gin detail=scores dealer={dealer}"]
        lines += ["player 1", "player 2", about, *([f"rules {rules}"] if rules else [])]
        if one is None:
            lines += ["void cause=stock-exhausted", "end void"]
        else:
            winner = " winner=1" if one else " winner=2" if two else ""
            totals = f" totals {more[0]}" if more and more[0] else ""
            lines.append(f"score 1={one} 2={two}{winner}{totals}")
            lines += [*more[1:], "end"]
        texts.append("\n".join(lines))
    return deals("\n".join(texts))


def deals(text):
    hands = list(read(text.encode()))
    return [Deal(hand, for_hand(hand.record), replay(hand)) for hand in hands]


def said(report):
    return [
        f"{placed.finding.code} {placed.hand}:{placed.finding.seq}"
        + (f"/{placed.finding.seat}" if placed.finding.seat else "")
        for placed in report.findings
    ]


WON = [
    (2, 40, 0, "1=40 2=0"),
    (1, 0, 30, "1=40 2=30"),
    (2, 35, 0, "1=75 2=30"),
]


def game(result, *, last=(1, 30, 0, "1=105 2=30"), **settings):
    return audit_match(sheet(*WON, (*last, *([result] if result else [])), **settings))


def test_a_game_to_the_target_with_its_bonuses():
    report = game("result 1=280 2=55 winner=1 net=225 bonus 1.game=100 1.box=75 2.box=25")

    assert (said(report), report.totals, report.winner) == ([], {1: 280, 2: 55}, 1)
    assert [(row.hand, row.totals, row.recorded_totals) for row in report.rows][-1] == (
        "H4",
        {1: 105, 2: 30},
        {1: 105, 2: 30},
    )


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("result 1=305 2=55 winner=1 bonus 1.game=100 1.box=100 2.box=25", ["bonus-wrong H4:2/1"]),
        ("result 1=280 2=30 winner=1 bonus 1.game=100 1.box=75", ["bonus-wrong H4:2/2"]),
        ("result 1=180 2=55 winner=1 bonus 1.box=75 2.box=25", ["bonus-wrong H4:2/1"]),
        (
            "result 1=380 2=55 winner=1 bonus 1.game=100 1.shutout=100 1.box=75 2.box=25",
            ["bonus-wrong H4:2/1"],
        ),
        ("result 1=281 2=55 winner=1", ["total-wrong H4:2/1"]),
        ("result 1=280 2=55 winner=1 net=224", ["total-wrong H4:2"]),
        ("result 1=280 2=55 winner=2", ["winner-wrong H4:2"]),
        ("result winner=1 net=225", []),
        (
            "result 1=180 2=155 winner=2 net=25 bonus 2.game=100 1.box=75 2.box=25",
            ["winner-wrong H4:2", "bonus-wrong H4:2/1", "bonus-wrong H4:2/2"],
        ),
    ],
)
def test_a_result_is_judged(result, expected):
    assert said(game(result)) == expected


def test_before_the_target_there_is_no_bonus_for_a_game():
    early = "result 1=205 2=30 bonus 1.game=100 1.shutout=100"
    boxes = "result 1=105 2=30 bonus 1.box=50 2.box=25"

    assert said(game(early, last=(1, 20, 0, "1=95 2=30"))) == ["bonus-wrong H4:2/1"]
    assert said(game(boxes, last=(1, 20, 0, "1=95 2=30"))) == []


def shutout(result, rules=""):
    hands = [(2, 50, 0, "1=50 2=0"), (1, 50, 0, "1=100 2=0", result)]
    return audit_match(sheet(*hands, rules=rules))


def test_a_shutout_has_a_bonus_of_its_own():
    right = "result 1=350 2=0 winner=1 net=350 bonus 1.game=100 1.shutout=100 1.box=50"
    forgotten = "result 1=250 2=0 winner=1 net=250 bonus 1.game=100 1.box=50"

    assert said(shutout(right)) == []
    assert said(shutout(forgotten)) == ["bonus-wrong H2:2/1"]


def test_case_039_a_shutout_may_double_the_game_bonus_instead():
    # The boxes count 20: 100 + 100 + 100 + 40.
    flat = shutout(
        "result 1=340 2=0 winner=1 bonus 1.game=100 1.shutout=100 1.box=40", "box_bonus=20"
    )
    doubled = "shutout=double game_bonus=150 box_bonus=20"
    once = shutout("result 1=440 2=0 winner=1 bonus 1.game=300 1.box=40", doubled)
    twice = shutout("result 1=440 2=0 winner=1 bonus 1.game=150 1.shutout=150 1.box=40", doubled)

    assert (said(flat), flat.totals) == ([], {1: 340, 2: 0})
    assert (said(once), said(twice), once.totals) == ([], [], {1: 440, 2: 0})


def test_case_050_an_undercut_over_the_target_wins_the_game():
    report = game(
        "result 1=125 2=255 winner=2 net=130 bonus 1.box=50 2.game=100 2.box=50",
        last=(1, 0, 75, "1=75 2=105"),
    )

    assert (said(report), report.totals, report.winner) == ([], {1: 125, 2: 255}, 2)


def test_a_net_may_be_negative():
    hands = [(2 if n == 0 else 1, 10, 0, f"1={10 * n + 10} 2=0") for n in range(9)]
    last = (1, 0, 100, "1=90 2=100")
    result = "result 1=315 2=225 winner=2 net=-90 bonus 1.box=225 2.game=100 2.box=25"
    report = audit_match(sheet(*hands, (*last, result)))

    assert (said(report), report.totals, report.winner) == ([], {1: 315, 2: 225}, 2)


def test_a_total_continues_the_one_before():
    assert said(audit_match(sheet((2, 40, 0, "1=40 2=0"), (1, 0, 30, "1=40 2=31")))) == [
        "total-wrong H2:1/2"
    ]


def test_a_mistake_that_is_carried_along_is_named_once():
    hands = [(2, 40, 0, "1=41 2=0"), (1, 0, 30, "1=41 2=30"), (2, 5, 0, "1=46 2=30")]

    assert said(audit_match(sheet(*hands))) == ["total-wrong H1:1/1"]


def test_a_mistake_may_be_put_right_later():
    hands = [(2, 40, 0, "1=41 2=0"), (1, 0, 30, "1=40 2=30")]

    assert said(audit_match(sheet(*hands))) == ["total-wrong H1:1/1"]


def test_the_true_totals_decide_who_has_won():
    # 99 points are written down as 100, and the game is given away.
    hands = [(2, 60, 0, "1=60 2=0"), (1, 39, 0, "1=100 2=0", "result winner=1")]

    assert said(audit_match(sheet(*hands))) == ["total-wrong H2:1/1", "winner-wrong H2:2"]


def test_a_hand_after_the_game_is_over():
    report = audit_match(sheet(*WON, (1, 30, 0, "1=105 2=30"), (1, 12, 0), (1, 5, 0)))

    assert said(report) == ["match-over H5:0", "match-over H6:0"]
    assert report.totals == {1: 280, 2: 55}


@pytest.mark.parametrize(
    ("target", "rules", "expected"),
    [
        (40, "", ["match-over H2:0"]),
        (0, "target=40", ["match-over H2:0"]),
        (0, "", []),
        (100, "target=40", ["match-over H2:0"]),  # house rules come last
    ],
)
def test_the_target_is_the_matchs_or_the_rulesets(target, rules, expected):
    hands = [(2, 40, 0, "1=40 2=0"), (1, 0, 30, "1=40 2=30")]

    assert said(audit_match(sheet(*hands, target=target or "", rules=rules))) == expected


# 003 Scoring: the winner of a hand deals the next


def test_the_winner_of_a_hand_deals_the_next():
    assert said(audit_match(sheet((2, 40, 0), (2, 0, 30)))) == ["dealer-wrong H2:0/2"]
    assert said(audit_match(sheet((2, 40, 0), (1, 0, 30), (2, 1, 0)))) == []


def test_after_a_dead_hand_the_same_dealer_deals_again():
    assert said(audit_match(sheet((2, 40, 0), (1, None, None), (1, 0, 30)))) == []
    assert said(audit_match(sheet((2, 40, 0), (1, None, None), (2, 0, 30)))) == [
        "dealer-wrong H3:0/2"
    ]


@pytest.mark.parametrize(
    ("moves", "second", "expected"),
    [
        ("loser", 2, []),
        ("loser", 1, ["dealer-wrong H2:0/1"]),
        ("clockwise", 1, []),
        ("clockwise", 2, ["dealer-wrong H2:0/2"]),
        ("free", 2, []),
    ],
)
def test_who_deals_next_is_a_parameter(moves, second, expected):
    hands = [(2, 40, 0), (second, 0, 30)]

    assert said(audit_match(sheet(*hands, rules=f"dealer_moves={moves}"))) == expected


@pytest.mark.parametrize("third", [1, 2])
def test_after_a_wrong_dealer_the_deal_goes_on_from_there_or_from_the_right_one(third):
    clockwise = [(2, 40, 0), (2, 0, 30), (third, 1, 0)]
    dead = [(2, 40, 0), (2, None, None), (third, 0, 30)]

    assert said(audit_match(sheet(*clockwise, rules="dealer_moves=clockwise"))) == [
        "dealer-wrong H2:0/2"
    ]
    assert said(audit_match(sheet(*dead))) == ["dealer-wrong H2:0/2"]


@pytest.mark.parametrize("second", [1, 2])
def test_after_nothing_for_both_the_same_dealer_may_deal_again(second):
    hands = [(2, 0, 0), (second, 0, 30)]

    assert said(audit_match(sheet(*hands, rules="dealer_moves=clockwise"))) == []


# Deals that are missing or doubled, and the settings


def test_after_a_missing_deal_totals_begin_with_what_was_written_down():
    all_ = sheet(*WON, (1, 10, 0, "1=85 2=30"), (1, 30, 0, "1=115 2=30", "result winner=1"))
    report = audit_match([*all_[:1], *all_[2:]])

    assert said(report) == ["match-deal-missing H3:0"]
    assert (report.winner, report.rows[-1].totals) == (1, {1: 115, 2: 30})


def test_hands_may_come_in_any_order():
    report = audit_match(list(reversed(sheet(*WON, (1, 30, 0, "1=105 2=30")))))

    assert (said(report), report.winner) == ([], 1)


def test_the_same_deal_twice():
    first = sheet(*WON)
    report = audit_match([*first, *sheet((2, 3, 0))])

    assert said(report) == ["match-deal-doubled H1:0"]


# A match of several games


def match_of(*games, rules=""):
    texts = []
    for number, hands in enumerate(games, 1):
        texts += sheet(*hands, rules=rules, game=f" game={number}")
    return audit_match(texts)


def test_a_match_goes_to_who_first_reaches_its_target():
    # 350 for each shutout of two hands: the second game decides the match.
    won = [(2, 50, 0, "1=50 2=0"), (1, 50, 0, "1=100 2=0")]
    report = match_of(won, won)

    assert (said(report), report.totals, report.winner) == ([], {1: 700, 2: 0}, 1)
    assert [code.split()[0] for code in said(match_of(won, won, won))] == ["match-over"] * 2
    assert said(match_of(won, won, won, rules="match_target=none")) == []


def test_points_of_a_game_do_not_count_in_the_next():
    won = [(2, 50, 0, "1=50 2=0"), (1, 50, 0, "1=100 2=0")]
    other = [(1, 0, 60, "1=0 2=60"), (2, 0, 60, "1=0 2=120")]
    report = match_of(won, other)

    assert (said(report), report.totals, report.winner) == ([], {1: 350, 2: 370}, None)


def test_a_third_of_the_evening_who_was_not_there_takes_no_part_in_the_game():
    lines = "hand H1 rhl=1 ruleset=gin detail=scores dealer=2\nplayer 1\nplayer 2\nplayer 3\n"
    score = "score 1=100 2=0 totals 1=100 2=0 marks 3=absent\n"
    ended = "result 1={} 2=0 winner=1 net={} bonus 1.game=100 1.shutout=100 1.box=25\nend"
    text = f"{lines}match M format=game deal=1\n{score}{ended}"

    right = audit_match(deals(text.format(325, 325)))
    assert (said(right), right.totals) == ([], {1: 325, 2: 0})
    assert said(audit_match(deals(text.format(325, 300)))) == ["total-wrong H1:2"]
