"""Rulebook 002, basic rummy: every example it prints, by section."""

import pytest

from rummy_audit.rules.judging import judge_text
from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand, ruleset
from tests.rules.basic.play import audit, codes, found_in, log


def judged(cards, house=None):
    answer = judge_text(f"{cards} |", rules="basic", house=house)
    return answer["groups"][0]["kind"], [each["code"] for each in answer["findings"]]


def kind(cards, house=None):
    return judged(cards, house)[0]


# 1 and 4


@pytest.mark.parametrize(
    ("players", "decks", "cards"), [(2, 1, 10), (3, 1, 7), (4, 1, 7), (5, 2, 6), (6, 2, 6)]
)
def test_1_and_4_decks_and_cards_go_by_the_number_of_players(players, decks, cards):
    rules = ruleset("basic", players=players)

    assert (rules["decks"], rules["hand_size"]) == (decks, cards)
    assert (rules["printed_jokers"], rules["target"]) == (0, 100)


@pytest.mark.parametrize("count", [1, 7])
def test_1_two_to_six_play(count):
    lines = "\n".join(f"deal {seat} x6" for seat in range(1, count + 1))

    found = audit(lines, seats=range(1, count + 1), detail="table", rules="hand_size=6")

    assert codes(found) == [("player-count", 0, None)]


def test_4_the_dealers_left_neighbour_has_the_first_turn():
    deal = "deal 2 x10\ndeal 1 x10\nupcard KS\n"

    assert found_in(f"{deal}draw 2 stock", detail="table") == []
    assert found_in(f"{deal}draw 1 stock", detail="table") == [("out-of-turn", 4, 1)]


# 2.1 and 3.2


HIGH = {"ace": "high-or-low"}


def test_2_1_the_ace_is_low():
    assert kind("AS 2S 3S") == "sequence"
    assert judged("QS KS AS") == ("invalid", ["sequence-wraps"])
    assert judged("KS AS 2S") == ("invalid", ["sequence-wraps"])


def test_2_1_as_a_variant_the_ace_is_high_too_and_still_never_between():
    assert kind("QS KS AS", HIGH) == "sequence"
    assert kind("AS 2S 3S", HIGH) == "sequence"
    assert judged("KS AS 2S", HIGH) == ("invalid", ["sequence-wraps"])


def test_2_2_an_ace_counts_one_or_as_a_variant_eleven_or_fifteen():
    for points in (1, 11, 15):
        answer = judge_text("AS 9D KH", rules="basic", house={"ace_points": points})
        assert answer["points"] == points + 9 + 10


# 3


@pytest.mark.parametrize("cards", ["7C 7D 7H", "QS QH QD QC"])
def test_3_1_a_set_is_three_or_four_of_a_rank(cards):
    assert kind(cards) == "set"


def test_3_1_two_cards_alike_make_no_set_of_two_decks():
    assert judged("7H 7H 7D", {"decks": 2}) == ("invalid", ["set-repeated-suit"])
    assert judged("7H 7H 7D 7S 7C", {"decks": 2}) == (
        "invalid",
        ["set-too-long", "set-repeated-suit"],
    )


@pytest.mark.parametrize("cards", ["4H 5H 6H", "AS 2S 3S", "9D TD JD QD KD"])
def test_3_2_a_run_is_three_or_more_of_a_suit_in_order(cards):
    assert kind(cards) == "sequence"


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("4H 5H 6S", "sequence-mixed-suits"),
        ("4H 6H 7H", "sequence-gap"),
        ("QS KS AS", "sequence-wraps"),
        ("KD AD 2D", "sequence-wraps"),
    ],
)
def test_3_2_what_is_no_run(cards, code):
    assert judged(cards) == ("invalid", [code])


def test_3_2_a_run_of_a_whole_suit():
    suit = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"

    assert kind(suit) == "sequence"
    assert kind(f"{suit} AH", HIGH | {"decks": 2}) == "sequence"


def test_3_3_a_card_is_in_one_meld():
    answer = judge_text("7C 7D 7H | 5H 6H 7H", rules="basic")

    assert not answer["valid"]
    assert [each["code"] for each in answer["findings"]] == [
        "card-in-two-groups",
        "group-too-short",
    ]


# 5 and 6: turns of two players with four cards each

DEAL = "deal 2 4H 5H 6H KS\ndeal 1 QS QH QD 3H\nupcard TC\n"
FOUR = {"rules": "hand_size=4"}


def test_5_1_the_top_discard_may_always_be_taken():
    assert found_in(f"{DEAL}draw 2 discard TC\ndiscard 2 KS", **FOUR) == []


def test_5_2_cards_are_laid_off_on_anyones_meld():
    lines = """
    draw 2 stock 2S
    meld 2 4H 5H 6H
    discard 2 2S
    draw 1 stock 7H
    layoff 1 3H 7H > 1
    discard 1 QS
    draw 2 stock 9C
    """

    assert found_in(DEAL + lines, **FOUR) == []


def test_5_2_the_fourth_queen_may_be_laid_off_on_three():
    lines = """
    draw 2 stock QC
    discard 2 4H
    draw 1 stock 2S
    meld 1 QS QH QD
    discard 1 2S
    draw 2 stock 2D
    layoff 2 QC > 1
    discard 2 2D
    """

    assert found_in(DEAL + lines, **FOUR) == []


def test_5_2_several_melds_and_lay_offs_may_be_made_on_one_turn():
    deal = "deal 2 4H 5H 6H 9C 9D 9S 9H KS\ndeal 1 QS QH QD 3H 2C 3C 4C 5S\nupcard TC\n"
    lines = "draw 2 stock 7H\nmeld 2 4H 5H 6H\nmeld 2 9C 9D 9S\nlayoff 2 7H > 1\nlayoff 2 9H > 2\n"

    assert found_in(f"{deal}{lines}discard 2 KS", rules="hand_size=8") == []


def test_5_3_the_card_taken_is_not_discarded_on_the_same_turn():
    taken = f"{DEAL}draw 2 discard TC\n"

    assert found_in(f"{taken}discard 2 TC", **FOUR) == [("discard-just-taken", 5, 2)]
    later = f"{taken}discard 2 KS\ndraw 1 stock 2S\ndiscard 1 2S\ndraw 2 stock 8C\ndiscard 2 TC"
    assert found_in(later, **FOUR) == []


def test_5_3_a_turn_does_not_end_without_a_discard():
    lines = "draw 2 stock 2S\nmeld 2 4H 5H 6H\ndraw 1 stock 8C\ndiscard 1 8C"

    assert found_in(DEAL + lines, **FOUR) == [("discard-missing", 6, 2)]


OUT = """
draw 2 stock 7H
meld 2 4H 5H 6H 7H
discard 2 KS
show 1 + QS QH QD 3H
"""


def test_6_1_the_last_card_is_discarded():
    lines = f"{DEAL}{OUT}score 1=0 2=66 winner=2\nend"

    assert audit(lines, **FOUR).verdict == "clean"


def test_6_1_a_hand_melded_whole_is_out_without_the_discard():
    deal = "deal 2 4H 5H 6H 7H\ndeal 1 QS QH QD 3H\nupcard TC\n"
    lines = "draw 2 stock 8H\nmeld 2 4H 5H 6H 7H 8H\nshow 1 + QS QH QD 3H\n"

    def found(rules):
        return found_in(f"{deal}{lines}score 1=0 2=66 winner=2\nend", rules=rules)

    assert found("hand_size=4") == [("out-without-discard", 5, 2)]
    assert found("hand_size=4 final_discard=optional") == []


def test_6_2_going_rummy_doubles_and_a_single_lay_off_before_disqualifies():
    earlier = """
    draw 2 stock QC
    discard 2 KS
    draw 1 stock 2S
    meld 1 QS QH QD
    discard 1 2S
    draw 2 stock 8C
    layoff 2 QC > 1
    discard 2 8C
    draw 1 stock 9C
    discard 1 9C
    draw 2 stock 2D
    meld 2 4H 5H 6H
    discard 2 2D
    show 1 + 3H
    """
    found = audit(f"{DEAL}{earlier}score 1=0 2=3 winner=2\nend", **FOUR)

    assert (codes(found), found.result.scores) == ([], {1: 0, 2: 3})
    doubled = audit(f"{DEAL}{OUT}end", **FOUR)
    assert doubled.result.scores == {1: 0, 2: 2 * 33}


def test_6_3_reshuffles_are_unlimited():
    rules = ruleset("basic")

    assert (rules["stock_exhausted"], rules["reshuffle_keeps_top"]) == ("reshuffle", True)
    assert rules["reshuffles_max"] == "none"


# 7


def test_7_1_the_winner_gets_what_the_others_hold():
    """B is left with a king and a 3, C with two nines and a 2: 13 + 20 for the winner."""
    lines = """
    deal 2 AC AD AS KS 3D
    deal 3 9H 9C 2S 3H 7H
    deal 1 4H 5H 6H 7D 8D
    upcard TC
    draw 2 stock 2D
    meld 2 AC AD AS
    discard 2 2D
    draw 3 stock QC
    discard 3 QC
    draw 1 stock KD
    meld 1 4H 5H 6H
    discard 1 KD
    draw 2 stock JC
    discard 2 JC
    draw 3 stock QD
    layoff 3 3H 7H > 2
    discard 3 QD
    draw 1 stock 8H
    layoff 1 8H > 2
    discard 1 8D
    draw 2 stock JD
    discard 2 JD
    draw 3 stock JH
    discard 3 JH
    draw 1 stock AH
    layoff 1 AH > 1
    discard 1 7D
    show 2 + KS 3D
    show 3 + 9H 9C 2S
    score 1=33 2=0 3=0 winner=1
    end
    """
    found = audit(lines, seats=(1, 2, 3), rules="hand_size=5")

    assert (codes(found), found.result.scores) == ([], {1: 33, 2: 0, 3: 0})
    assert [(term.what, term.points) for term in found.result.breakdown[1]] == [
        ("seat 2", 13),
        ("seat 3", 20),
    ]


def test_7_2_players_may_be_charged_and_the_winner_has_nought():
    found = audit(f"{DEAL}{OUT}score 1=66 2=0 winner=2\nend", rules="hand_size=4 scoring=charged")

    assert (codes(found), found.result.scores) == ([], {1: 66, 2: 0})


def test_7_3_going_rummy_scores_twice_the_opponents_deadwood():
    found = audit(f"{DEAL}{OUT}score 1=0 2=33 winner=2\nend", **FOUR)

    assert codes(found) == [("score-wrong", 8, 2)]
    assert [(term.points, term.what) for term in found.findings[0].breakdown] == [
        (33, "seat 1"),
        (33, "going_rummy"),
    ]


def match_of(*points, target="target=100", seats=(1, 2), rules="hand_size=4"):
    """Audit a match of score sheets, each given as the points of its seats."""
    deals = []
    totals = dict.fromkeys(seats, 0)
    for number, row in enumerate(points, start=1):
        scored = dict(zip(seats, row, strict=True))
        totals = {seat: totals[seat] + scored[seat] for seat in seats}
        line = " ".join(f"{seat}={scored[seat]}" for seat in seats)
        running = " ".join(f"{seat}={totals[seat]}" for seat in seats)
        hand = log(
            f"score {line} totals {running}\nend",
            detail="scores",
            seats=seats,
            dealer=seats[(number - 1) % len(seats)],
            rules=rules,
            match=f"M format=target deal={number} {target}",
        )
        deals.append(Deal(hand=hand, rules=for_hand(hand.record), replay=replay(hand)))
    return audit_match(deals)


def test_7_4_who_reaches_the_target_has_won():
    report = match_of((40, 0), (0, 30), (60, 0))

    assert (report.verdict, report.winner, report.totals) == ("clean", 1, {1: 100, 2: 30})


def test_7_4_a_tie_at_the_target_needs_one_more_hand():
    rules = "hand_size=10 stock_exhausted=hand-ends scoring=charged"
    tied = match_of((100, 100), rules=rules)
    one_more = match_of((100, 100), (0, 7), rules=rules)

    assert (tied.verdict, tied.winner) == ("clean", None)
    assert (one_more.verdict, one_more.winner) == ("clean", 1)


def test_7_4_a_hand_after_the_end_is_one_too_many():
    report = match_of((40, 0), (60, 0), (0, 50))

    assert [(each.finding.code, each.finding.rule.value) for each in report.findings] == [
        ("match-over", 100)
    ]


def test_7_4_a_single_round_is_a_format_too():
    assert ruleset("basic", format="points")["deals"] == 1


# 8


def test_8_a_hand_dealt_complete_goes_out_with_draw_and_discard_and_is_rummy():
    deal = "deal 2 4H 5H 6H 7H\ndeal 1 QS QH QD 3H\nupcard TC\n"
    lines = "draw 2 stock KC\nmeld 2 4H 5H 6H 7H\ndiscard 2 KC\ncall 2 rummy\n"
    found = audit(f"{deal}{lines}score 1=0 2=66 winner=2\nend", **FOUR)

    assert (codes(found), found.result.scores) == ([], {1: 0, 2: 66})


def test_8_out_on_the_first_upcard_counts_as_going_rummy():
    deal = "deal 2 4H 5H 6H KC\ndeal 1 QS QH QD 3H\nupcard 7H\n"
    lines = "draw 2 discard 7H\nmeld 2 4H 5H 6H 7H\ndiscard 2 KC\n"

    assert found_in(f"{deal}{lines}score 1=0 2=66 winner=2\nend", **FOUR) == []


def test_8_nobody_wins_before_drawing():
    deal = "deal 2 4H 5H 6H\ndeal 1 QS QH QD\nupcard TC\n"

    assert found_in(f"{deal}meld 2 4H 5H 6H", rules="hand_size=3 final_discard=optional") == [
        ("draw-missing", 4, 2)
    ]


def test_8_a_card_is_never_taken_back_from_the_table():
    lines = "draw 2 stock 7H\nmeld 2 4H 5H 6H\ndiscard 2 4H"
    found = audit(DEAL + lines, **FOUR)

    assert (found.verdict, codes(found)) == ("impossible", [("card-not-held", 6, 2)])


def test_8_an_empty_pile_leaves_only_the_stock():
    deal = "deal 2 4H 5H 6H\ndeal 1 QS QH QD\nupcard 7H\n"
    lines = "draw 2 discard 7H\ndraw 1 discard 7H"

    assert found_in(deal + lines, rules="hand_size=3")[-1] == ("draw-not-top", 5, 1)


@pytest.mark.parametrize("cards", ["5H 6H 7H", "5H 5D 5C"])
def test_8_a_card_that_fits_two_melds_goes_to_either(cards):
    deal = "deal 2 6H 7H 5D 5C\ndeal 1 QS QH QD 3H\nupcard TC\n"

    assert (
        found_in(
            f"{deal}draw 2 stock 5H\nmeld 2 {cards}\ndiscard 2 {{}}".format(
                "5D" if "6H" in cards else "6H"
            ),
            **FOUR,
        )
        == []
    )


def test_9_2_melds_may_have_to_wait_for_going_out():
    rules = "hand_size=4 meld_when=going-out"
    early = "draw 2 stock 2S\nmeld 2 4H 5H 6H\ndiscard 2 2S\ndraw 1 stock 8C\ndiscard 1 8C"

    assert found_in(DEAL + early, rules=rules) == [("meld-not-allowed-yet", 5, 2)]
    assert found_in(f"{DEAL}{OUT}score 1=0 2=66 winner=2\nend", rules=rules) == []


def test_9_3_jokers_may_be_wild():
    house = {"jokers_wild": True, "printed_jokers": 2}

    assert kind("5H JK 7H", house) == "sequence"
    assert kind("9D JK 9S", house) == "set"
    assert judged("JK JK JK", house | {"printed_jokers": 3}) == ("invalid", ["group-unanchored"])
    assert judge_text("JK KS", rules="basic", house=house)["points"] == 10


def test_9_4_two_alike_may_stand_in_a_set():
    assert kind("7H 7H 7D", {"decks": 2, "set_duplicates": True}) == "set"
