"""Rulebook 000, its second half, basic rummy where the winner takes all: every example."""

import pytest

from rummy_audit.rules.judging import judge_text
from rummy_audit.rules.rulesets import ruleset
from tests.rules.basic.play import audit, codes, found_in

RULES = "basic-winner-takes-all"


def judged(cards):
    answer = judge_text(f"{cards} |", rules=RULES)
    return answer["groups"][0]["kind"], [each["code"] for each in answer["findings"]]


def taken(lines, rules="hand_size=4", **about):
    return found_in(lines, ruleset=RULES, rules=rules, **about)


@pytest.mark.parametrize(("cards", "kind"), [("8H 8S 8D", "set"), ("AH 2H 3H", "sequence")])
def test_introduction_sets_and_runs(cards, kind):
    assert judged(cards) == (kind, [])


@pytest.mark.parametrize("cards", ["QH KH AH", "KH AH 2H"])
def test_introduction_the_ace_is_low_and_runs_do_not_wrap(cards):
    assert judged(cards) == ("invalid", ["sequence-wraps"])


@pytest.mark.parametrize(("players", "cards", "target"), [(2, 10, 100), (3, 7, 150), (4, 7, 200)])
def test_gameplay_and_scoring_go_by_the_number_of_players(players, cards, target):
    rules = ruleset(RULES, players=players)

    assert (rules["hand_size"], rules["target"], rules["decks"]) == (cards, target, 1)


def test_gameplay_no_more_than_four_play():
    found = audit("upcard KS", ruleset=RULES, seats=range(1, 6), detail="table")

    assert codes(found) == [("player-count", 0, None)]


DEAL = "deal 2 5H 6H 7H 2C\ndeal 1 8H KS KD 3C\nupcard QD\n"


def test_gameplay_an_eight_is_laid_off_on_five_six_seven_without_an_own_meld():
    lines = """
    draw 2 stock 9C
    meld 2 5H 6H 7H
    discard 2 9C
    draw 1 stock JC
    layoff 1 8H > 1
    discard 1 JC
    """

    assert taken(DEAL + lines) == []


def test_gameplay_many_melds_on_one_turn():
    deal = "deal 2 5H 6H 7H 9S 9D 9C\ndeal 1 8H KS KD 3C 4C JC\nupcard QD\n"
    lines = "draw 2 stock QC\nmeld 2 5H 6H 7H\nmeld 2 9S 9D 9C\ndiscard 2 QC\n"

    assert taken(f"{deal}{lines}score 2=90 1=0 winner=2\nend", "hand_size=6") == []


def test_gameplay_the_card_taken_is_not_discarded():
    assert taken(f"{DEAL}draw 2 discard QD\ndiscard 2 QD") == [("discard-just-taken", 5, 2)]


@pytest.mark.parametrize("last", ["discard 2 2C facedown", "discard 2 ?? facedown"])
def test_gameplay_the_last_card_goes_face_down_and_wins(last):
    lines = f"{DEAL}draw 2 stock 4H\nmeld 2 4H 5H 6H 7H\n{last}\n"
    found = audit(f"{lines}score 2=62 1=0 winner=2\nend", ruleset=RULES, rules="hand_size=4")

    assert (codes(found), found.result.scores) == ([], {1: 0, 2: 62})


def test_gameplay_a_final_discard_is_not_required():
    deal = "deal 2 5H 6H 7H 4H\ndeal 1 8H KS KD 3C\nupcard QD\n"
    lines = "draw 2 stock 3H\nmeld 2 3H 4H 5H 6H 7H\nscore 2=62 1=0 winner=2\nend"

    assert taken(deal + lines) == []


# Twenty-one cards each leave nine in the stock: it runs out twice within a few turns.
HANDS = (
    "deal 2 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS KH QH JH TH 9H 8H 7H 6H\n"
    "deal 1 5H 4H 3H 2H AH KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD KC QC JC\nupcard TC\n"
)
NINE = ["9C", "8C", "7C", "6C", "5C", "4C", "3C", "2C", "AC"]


def through(cards, first):
    seats = (first, 3 - first)
    return "".join(
        f"draw {seats[n % 2]} stock {card}\ndiscard {seats[n % 2]} {card}\n"
        for n, card in enumerate(cards)
    )


TWICE = f"{HANDS}{through(NINE, 2)}reshuffle\n{through(['TC', *NINE[:-1]], 1)}"


def test_gameplay_a_stock_that_runs_out_twice_is_a_stalemate():
    found = audit(f"{TWICE}score 1=0 2=0\nend", ruleset=RULES, rules="hand_size=21")

    assert codes(found) == []
    assert (found.result.outcome, found.result.scores) == ("stalemate", {1: 0, 2: 0})


def test_gameplay_after_the_second_time_nothing_is_renewed_or_scored():
    assert taken(f"{TWICE}reshuffle\n", "hand_size=21") == [("reshuffle-too-often", 41, None)]
    assert taken(f"{TWICE}score 1=0 2=30 winner=2\nend", "hand_size=21") == [
        ("score-wrong", 41, 2),
        ("winner-wrong", 41, 2),
    ]


def test_scoring_an_eight_counts_eight_a_court_card_ten_an_ace_one():
    assert judge_text("8H KS QD JS AC", rules=RULES)["points"] == 8 + 30 + 1


def test_going_rummy_doubles_and_may_use_lay_offs():
    deal = "deal 2 5H 6H 7H 2C\ndeal 1 8H 9H KS KD\nupcard QD\n"
    lines = """
    draw 2 stock 9C
    meld 2 5H 6H 7H
    discard 2 9C
    draw 1 stock KC
    call 1 rummy
    meld 1 KS KD KC
    layoff 1 8H 9H > 1
    score 1=4 2=0 winner=1
    end
    """
    found = audit(deal + lines, ruleset=RULES, rules="hand_size=4")

    assert (codes(found), found.result.scores) == ([], {1: 4, 2: 0})
    strict = audit(deal + lines, ruleset=RULES, rules="hand_size=4 rummy_with_layoffs=false")
    assert codes(strict) == [("rummy-call-wrong", 8, 1), ("score-wrong", 11, 1)]
    assert strict.result.scores == {1: 2, 2: 0}


def test_stalemate_nobody_can_finish_when_no_card_can_be_laid_off():
    """A queen that could still be laid off, wherever it is, forbids it."""
    start = """
    deal 2 KS KD KH 2C AC
    deal 1 QS QD QH 3S AD
    upcard JD
    draw 2 stock KC
    meld 2 KS KD KH KC
    discard 2 AC
    draw 1 stock {card}
    meld 1 QS QD QH {more}
    discard 1 {last}
    call 2 stalemate
    score 1=0 2=0
    end
    """
    full = start.format(card="QC", more="QC", last="AD")
    not_called = full.replace("call 2 stalemate", "note nobody can finish")
    open_set = start.format(card="9C", more="", last="9C")

    assert taken(full, "hand_size=5") == []
    assert taken(not_called, "hand_size=5") == []
    assert taken(not_called.replace("2=0", "2=9"), "hand_size=5") == [("hand-not-ended", 11, None)]
    assert taken(open_set, "hand_size=5") == [("stalemate-premature", 10, 2)]
