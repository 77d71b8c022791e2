"""Several games in one match: each adds up by itself, however its deals are numbered."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand

# A game each: the dealer and the score of every deal; two players, the second game anew from 0.
GAMES = {
    "gin": [
        [(2, "1=50 2=0 totals 1=50 2=0"), (1, "1=50 2=0 totals 1=100 2=0")],
        [(1, "1=0 2=60 totals 1=0 2=60"), (2, "1=0 2=60 totals 1=0 2=120")],
    ],
    "indian-13": [
        [(2, "1=0 2=80 totals 1=0 2=80"), (1, "1=0 2=80 totals 1=0 2=160")],
        [(2, "1=80 2=0 totals 1=80 2=0"), (1, "1=80 2=0 totals 1=160 2=0")],
    ],
    "basic": [
        [(2, "1=50 2=0 totals 1=50 2=0"), (1, "1=60 2=0 totals 1=110 2=0")],
        [(2, "1=0 2=70 totals 1=0 2=70"), (1, "1=0 2=50 totals 1=0 2=120")],
    ],
    "tile-easy": [
        [(2, "1=30 2=-30 totals 1=30 2=-30"), (1, "1=80 2=-80 totals 1=110 2=-110")],
        [(2, "1=-70 2=70 totals 1=-70 2=70"), (1, "1=-50 2=50 totals 1=-120 2=120")],
    ],
}
FORMATS = {
    "gin": "game target=100",
    "indian-13": "pool-101",
    "basic": "target target=100",
    "tile-easy": "target target=100",
}


def match(ruleset, *, numbers, games=None, labels=None):
    """Audit the games with their deals numbered so, deal after deal; 0 leaves one out."""
    text, left = [], list(numbers)
    for game, rows in enumerate(games or GAMES[ruleset], start=1):
        for dealer, score in rows:
            number = left.pop(0)
            label = labels.pop(0) if labels else game
            if number:
                text += [
                    f"hand G{game}-{number} rhl=1 ruleset={ruleset} detail=scores dealer={dealer}",
                    "player 1",
                    "player 2",
                    f"match M format={FORMATS[ruleset]} game={label} deal={number}",
                    f"score {score}",
                    "end",
                ]
    hands = list(read("\n".join(text).encode()))
    return audit_match([Deal(hand, for_hand(hand.record), replay(hand)) for hand in hands])


def found(report):
    return [(each.hand, each.finding.code, each.finding.seat) for each in report.findings]


@pytest.mark.parametrize("ruleset", sorted(GAMES))
@pytest.mark.parametrize("numbers", [(1, 2, 1, 2), (1, 2, 3, 4)])
def test_deals_are_numbered_in_each_game_or_through_all(ruleset, numbers):
    report = match(ruleset, numbers=numbers)

    assert found(report) == []
    assert [row.deal for row in report.rows] == list(numbers)
    assert [row.totals for row in report.rows[2:]] == [
        row.recorded_totals for row in report.rows[2:]
    ]


@pytest.mark.parametrize("ruleset", sorted(GAMES))
@pytest.mark.parametrize("numbers", [(1, 2, 1, 2), (1, 2, 3, 4)])
def test_what_is_wrong_in_the_second_game_is_found(ruleset, numbers):
    first, (one, (dealer, score)) = GAMES[ruleset]
    wrong = [first, [one, (dealer, score.replace("2=120", "2=121").replace("160", "161"))]]
    report = match(ruleset, numbers=numbers, games=wrong)

    assert [code for _, code, _ in found(report)] == ["total-wrong"]


@pytest.mark.parametrize("ruleset", sorted(GAMES))
@pytest.mark.parametrize(
    ("numbers", "hand", "missing"),
    [
        ((1, 2, 0, 4), "G2-4", [3]),
        ((1, 0, 3, 4), "G2-3", [2]),
        ((0, 2, 3, 4), "G1-2", [1]),
        ((1, 2, 0, 2), "G2-2", [1]),
    ],
)
def test_a_deal_that_is_not_here_is_named_by_its_number(ruleset, numbers, hand, missing):
    report = match(ruleset, numbers=numbers)
    gone = [each for each in report.findings if each.finding.code == "match-deal-missing"]

    assert [(each.hand, each.finding.data["deals"]) for each in gone] == [(hand, missing)]
    # What was played in it is not known, and so no total behind it is wrong.
    assert not [each for each in found(report) if each[1] == "total-wrong"]


def test_a_game_of_one_deal_each_is_only_another_count_of_the_deals():
    rows = [[(2, "1=0 2=30 totals 1=0 2=30"), (1, "1=20 2=0 totals 1=20 2=30")]]
    labels = [1, 2]
    report = match("indian-13", games=rows, numbers=(1, 2), labels=labels)

    assert (found(report), report.totals) == ([], {1: 20, 2: 30})


def test_hands_behind_the_end_of_a_game_are_named_in_the_second_too():
    first, second = GAMES["indian-13"]
    report = match("indian-13", games=[first, [*second, (2, "1=0 2=20")]], numbers=(1, 2, 3, 4, 5))

    assert found(report) == [("G2-5", "match-over", None)]
    assert report.winner == 2
