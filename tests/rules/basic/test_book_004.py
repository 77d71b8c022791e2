"""Rulebook 004, its second half, the encyclopedia's basic rummy: every example."""

import pytest

from rummy_audit.rules.judging import judge_text
from rummy_audit.rules.rulesets import ruleset
from tests.rules.basic.play import audit, codes, found_in

RULES = "basic-general"


def judged(cards, house=None):
    answer = judge_text(f"{cards} |", rules=RULES, house=house)
    return answer["groups"][0]["kind"], [each["code"] for each in answer["findings"]]


def general(lines, rules="hand_size=4", **about):
    return found_in(lines, ruleset=RULES, rules=rules, **about)


@pytest.mark.parametrize("cards", ["4H 4D 4S", "KH KD KS KC"])
def test_melds_sets(cards):
    assert judged(cards) == ("set", [])


@pytest.mark.parametrize("cards", ["JC QC KC", "4H 5H 6H 7H", "8S 9S TS JS QS"])
def test_melds_runs(cards):
    assert judged(cards) == ("sequence", [])


def test_melds_with_more_decks_and_wild_cards():
    many = {"decks": 2, "set_max": "none", "set_duplicates": True}

    assert judged("5D 5D 5H 5S 5S", many) == ("set", [])
    assert judged("5D 5D 5H 5S 5S", {"decks": 2}) == (
        "invalid",
        ["set-too-long", "set-repeated-suit"],
    )
    wild = {"jokers_wild": True, "printed_jokers": 1}
    assert judged("QH QD JK QC", wild) == ("set", [])


@pytest.mark.parametrize(("players", "cards"), [(2, 10), (3, 7), (4, 7), (5, 6), (6, 6)])
def test_shuffle_and_deal_go_by_the_number_of_players(players, cards):
    rules = ruleset(RULES, players=players)

    assert (rules["hand_size"], rules["decks"], rules["first_dealer"]) == (cards, 1, "low")


@pytest.mark.parametrize("cards", ["QS KS AS", "AS 2S 3S", "KS AS 2S", "QS KS AS 2S"])
def test_melding_the_ace_is_high_low_or_both(cards):
    assert judged(cards) == ("sequence", [])


def test_melding_the_three_books_on_the_same_cards():
    """002 and 000 refuse what 004 allows."""
    for preset, verdict in (
        ("basic", ["sequence-wraps"]),
        ("basic-winner-takes-all", ["sequence-wraps"]),
        ("basic-general", []),
    ):
        for cards in ("KS AS 2S", "QS KS AS"):
            answer = judge_text(f"{cards} |", rules=preset)
            assert [each["code"] for each in answer["findings"]] == verdict


DEAL = "deal 2 AH 2H 3H 9C\ndeal 1 4H 5H KH JC\nupcard QD\n"
LAID = f"{DEAL}draw 2 stock 7C\nmeld 2 AH 2H 3H\ndiscard 2 7C\ndraw 1 stock 8C\n"


@pytest.mark.parametrize(
    "cards",
    [
        "4H",
        "4H 5H",
        "KH",  # some variations let it go round the corner
    ],
)
def test_laying_off_on_ace_two_three(cards):
    assert general(f"{LAID}layoff 1 {cards} > 1\ndiscard 1 8C") == []


def test_laying_off_as_a_variant_needs_an_own_meld():
    rules = "hand_size=4 layoff_needs_meld=true"

    assert general(f"{LAID}layoff 1 4H > 1\ndiscard 1 8C", rules) == [("layoff-before-meld", 8, 1)]


def test_discarding_the_card_taken_must_be_kept():
    assert general(f"{DEAL}draw 2 discard QD\ndiscard 2 QD") == [("discard-just-taken", 5, 2)]
    assert general(f"{DEAL}draw 2 discard QD\ndiscard 2 9C") == []


def test_going_out_with_a_sequence_drawn_last_depends_on_the_final_discard():
    """Seven and eight of diamonds are left in hand, and the nine is drawn."""
    lines = """
    deal 2 7D 8D 3C 4C 5C
    deal 1 4H 5H KH JC TC
    upcard QD
    draw 2 stock 2S
    meld 2 3C 4C 5C
    discard 2 2S
    draw 1 stock 8C
    discard 1 8C
    draw 2 stock 9D
    meld 2 7D 8D 9D
    score 2=49 1=0 winner=2
    end
    """

    assert general(lines, "hand_size=5") == []
    assert general(lines, "hand_size=5 final_discard=required") == [("out-without-discard", 10, 2)]


def test_going_out_first_brings_ten_points_more():
    first = """
    deal 2 7D 8D 9D 3C 4C 5C
    deal 1 4H 5H KH JC TC AS
    upcard QD
    draw 2 stock 2S
    meld 2 3C 4C 5C
    discard 2 2S
    draw 1 stock 8C
    discard 1 8C
    draw 2 stock 2D
    meld 2 7D 8D 9D
    discard 2 2D
    """
    points = 4 + 5 + 10 + 10 + 10 + 1
    found = audit(
        f"{first}score 1=0 2={points + 10} winner=2\nend", ruleset=RULES, rules="hand_size=6"
    )

    assert codes(found) == []
    assert [(term.points, term.what) for term in found.result.breakdown[2]] == [
        (points, "seat 1"),
        (10, "out_bonus"),
    ]


RUMMY = "draw 2 stock 6D\nmeld 2 6D 7D 8D 9D\n"
WAIT = "draw 2 stock 2S\ndiscard 2 2C\ndraw 1 stock 8C\ndiscard 1 8C\n"
HAND = "deal 2 7D 8D 9D 2C\ndeal 1 4H 5H KH JC\nupcard QD\n"
HELD = 4 + 5 + 10 + 10


def test_declaring_rummy_doubles_the_score_from_the_second_turn_on():
    second = f"{HAND}{WAIT}call 2 rummy\n{RUMMY}discard 2 2S\n"
    found = audit(
        f"{second}score 1=0 2={2 * HELD + 10} winner=2\nend", ruleset=RULES, rules="hand_size=4"
    )
    assert codes(found) == []

    first = f"{HAND}{RUMMY}discard 2 2C\nscore 1=0 2={HELD + 10} winner=2\nend"
    assert general(first) == []


def test_declaring_rummy_on_the_first_turn_is_wrong_and_going_out_stands():
    lines = f"{HAND}draw 2 stock 6D\ncall 2 rummy\nmeld 2 6D 7D 8D 9D\ndiscard 2 2C\n"

    assert general(f"{lines}score 1=0 2={HELD + 10} winner=2\nend") == [("rummy-call-wrong", 5, 2)]


@pytest.mark.parametrize("ace", [1, 11, 15])
def test_scoring_aces_count_one_and_commonly_eleven_or_fifteen(ace):
    answer = judge_text("AS KD 9C", rules=RULES, house={"ace_points": ace})

    assert answer["points"] == ace + 10 + 9


JOKERS = "hand_size=4 jokers_wild=true printed_jokers=2"
JOKER_DEAL = "deal 2 5H JK 7H 9C\ndeal 1 6H KS 8H JK\nupcard QD\n"


def test_variations_a_melded_joker_is_not_replaced():
    lines = "draw 2 stock 7C\nmeld 2 5H JK 7H\ndiscard 2 7C\ndraw 1 stock 8C\n"

    assert general(f"{JOKER_DEAL}{lines}layoff 1 6H > 1\ndiscard 1 8C", JOKERS) == [
        ("layoff-invalid", 8, 1),
        ("sequence-gap", 8, 1),
    ]
    assert general(f"{JOKER_DEAL}{lines}layoff 1 8H > 1\ndiscard 1 8C", JOKERS) == []


def test_variations_jokers_are_not_counted():
    lines = "draw 2 stock 7C\nmeld 2 5H JK 7H\ndiscard 2 7C\ndraw 1 stock 8C\ndiscard 1 8C\n"
    lines += "draw 2 stock 4H\nlayoff 2 4H > 1\ndiscard 2 9C\n"
    found = audit(f"{JOKER_DEAL}{lines}score 1=0 2=34 winner=2\nend", ruleset=RULES, rules=JOKERS)

    assert (codes(found), found.result.scores) == ([], {1: 0, 2: 6 + 10 + 8 + 0 + 10})


def test_variations_round_the_corner():
    assert judged("QS KS AS 2S") == ("sequence", [])
    assert judged("QS KS AS 2S", {"ace": "high-or-low"}) == ("invalid", ["sequence-wraps"])
