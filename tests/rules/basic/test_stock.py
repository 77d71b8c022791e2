"""The stock and the pile: taking the top, renewing the stock, and a known order."""

import pytest

from tests.rules.basic.play import audit, codes, found_in

# A pack of known cards, small enough to run out: two hands of 21 leave nine cards.
LONG = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS KH QH JH TH 9H 8H 7H 6H"
OTHER = "5H 4H 3H 2H AH KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD KC QC JC"
DEAL = f"deal 2 {LONG}\ndeal 1 {OTHER}\nupcard TC\n"
# Nine cards in the stock, drawn and discarded again: 9C 8C 7C 6C 5C 4C 3C 2C AC.
REST = ["9C", "8C", "7C", "6C", "5C", "4C", "3C", "2C", "AC"]
TO_THE_END = "".join(
    f"draw {2 - n % 2} stock {card}\ndiscard {2 - n % 2} {card}\n" for n, card in enumerate(REST)
)
PILE = ["TC", *REST]
HALF = "".join(
    f"draw {2 - n % 2} stock {card}\ndiscard {2 - n % 2} {card}\n"
    for n, card in enumerate(REST[:4])
)


def stock(lines, **about):
    about.setdefault("rules", "hand_size=21")
    if "hand_size" not in about["rules"]:
        about["rules"] = f"hand_size=21 {about['rules']}"
    return found_in(DEAL + lines, **about)


def test_the_stock_is_renewed_when_it_is_empty():
    shuffled = " ".join(reversed(PILE[:-1]))

    assert stock(f"{TO_THE_END}reshuffle {shuffled}\ndraw 1 stock 2C\ndiscard 1 2C") == []
    assert stock(f"{TO_THE_END}reshuffle\ndraw 1 stock 6C\ndiscard 1 6C") == []


def test_it_may_be_renewed_before_the_discard_of_the_turn_that_emptied_it():
    lines = TO_THE_END.rpartition("discard")[0] + "reshuffle\ndiscard 2 AC\ndraw 1 stock TC"

    assert stock(lines) == []


def test_taking_the_open_card_needs_no_reshuffle():
    assert stock(f"{TO_THE_END}draw 1 discard AC\ndiscard 1 5H") == []


def test_an_empty_stock_that_was_not_renewed_is_found_at_the_draw():
    lines = f"{TO_THE_END}draw 1 stock 6C\ndiscard 1 6C\ndraw 2 stock 5C\ndiscard 2 5C"

    assert stock(lines) == [("reshuffle-missing", 22, 1)]


@pytest.mark.parametrize("cards", ["", " TC 9C 8C 7C", " TC 9C 8C 7C 2C AC 3C 4C 5C"])
def test_renewing_it_earlier_is_found_whether_or_not_the_rest_was_shuffled_in(cards):
    lines = f"{HALF}reshuffle{cards}\n"

    assert stock(lines) == [("reshuffle-early", 12, None)]


def test_a_reshuffle_of_other_cards_is_found_and_the_order_forgotten():
    wrong = ["KS", *PILE[1:-1]]
    lines = f"{TO_THE_END}reshuffle {' '.join(wrong)}\ndraw 1 stock 2C\ndiscard 1 2C"

    assert stock(lines) == [("deck-order", 22, None)]


def test_a_reshuffle_of_cards_nobody_saw_is_not_compared():
    found = audit(f"{DEAL}{TO_THE_END}reshuffle", rules="hand_size=21")

    assert codes(found) == []
    assert "deck-order" in {each.check for each in found.not_run}


def test_a_reshuffle_keeps_the_top_discard_where_the_rules_say_so():
    whole = " ".join(reversed(PILE))

    assert stock(f"{TO_THE_END}reshuffle {whole}") == [("deck-order", 22, None)]
    assert stock(f"{TO_THE_END}reshuffle {whole}", rules="reshuffle_keeps_top=false") == []


def test_the_known_order_after_a_reshuffle_is_followed_and_a_contradiction_found_once():
    shuffled = " ".join(reversed(PILE[:-1]))
    lines = f"{TO_THE_END}reshuffle {shuffled}\ndraw 1 stock 3C\ndiscard 1 3C\ndraw 2 stock 2C"

    assert stock(lines) == [("deck-order", 23, 1)]


TURNED = "stock_exhausted=turn-over"


def test_turned_over_the_oldest_discard_comes_on_top_and_is_turned_up():
    """004 Exhausting the stock."""
    lines = f"{TO_THE_END}reshuffle turned\nupcard TC\ndraw 1 stock 9C\ndiscard 1 9C"
    named = f"{TO_THE_END}reshuffle turned {' '.join(PILE)}\nupcard TC\ndraw 1 stock 9C"

    assert stock(lines, rules=TURNED) == []
    assert stock(named, rules=TURNED) == []


def test_of_two_discards_nobody_saw_the_upper_one_is_taken():
    unseen = TO_THE_END.replace("discard 2 9C", "discard 2 ??").replace(
        "discard 2 AC", "discard 2 ??"
    )
    lines = f"{unseen}draw 1 discard AC\ndiscard 1 5H\nreshuffle turned\nupcard TC\ndraw 2 stock 9C"

    assert stock(lines, rules=TURNED) == []


def test_a_log_that_names_no_order_may_leave_out_that_the_pile_was_turned():
    lines = f"{TO_THE_END}reshuffle\nupcard TC\ndraw 1 stock 9C\ndiscard 1 9C"

    assert stock(lines, rules=TURNED) == []


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("reshuffle turned\nupcard 9C", ("deck-order", 23, None)),
        ("reshuffle turned\nupcard TC\ndraw 1 stock 8C", ("deck-order", 24, 1)),
        ("reshuffle turned\ndraw 1 stock TC\ndiscard 1 TC", ("upcard-order", 23, 1)),
        ("reshuffle turned\ndraw 1 stock 9C\ndiscard 1 9C", ("upcard-order", 23, 1)),
        (f"reshuffle turned {' '.join(reversed(PILE))}\nupcard AC", ("deck-order", 22, None)),
        (f"reshuffle {' '.join(reversed(PILE))}\nupcard AC", ("deck-order", 22, None)),
        ("draw 1 stock 9C", ("reshuffle-missing", 22, 1)),
        ("upcard TC\ndraw 1 stock 9C", ("reshuffle-missing", 22, None)),
    ],
)
def test_turning_the_pile_over_wrongly_is_found_once(after, expected):
    assert stock(TO_THE_END + after, rules=TURNED) == [expected]


def test_a_pile_that_is_to_be_shuffled_is_not_turned_over():
    lines = f"{TO_THE_END}reshuffle turned\nupcard TC\ndraw 1 stock 9C"

    assert stock(lines) == [("deck-order", 22, None)]


@pytest.mark.parametrize("ends", ["hand-ends", "block"])
def test_where_the_hand_ends_all_are_charged_after_the_turn_of_the_last_card(ends):
    """002 6.3, the alternative; 004 Variations, block rummy."""
    lines = f"{DEAL}{TO_THE_END}show 1 + {OTHER}\nshow 2 + {LONG}\nscore 1=130 2=155\nend"
    found = audit(lines, rules=f"hand_size=21 stock_exhausted={ends}")

    assert codes(found) == []
    assert found.result.outcome == "exhausted"
    assert found.result.winner is None
    assert found.result.scores == {1: 130, 2: 155}


@pytest.mark.parametrize("ends", ["hand-ends", "block"])
def test_where_the_hand_ends_nothing_is_drawn_or_renewed_any_more(ends):
    rules = f"stock_exhausted={ends}"

    assert stock(f"{TO_THE_END}draw 1 discard AC", rules=rules) == [("event-after-end", 22, 1)]
    assert stock(f"{TO_THE_END}reshuffle\ndraw 1 stock TC", rules=rules) == [
        ("reshuffle-early", 22, None)
    ]
    assert stock(f"{HALF}reshuffle\ndraw 2 stock TC", rules=rules) == [
        ("reshuffle-early", 12, None)
    ]


ONCE = "reshuffles_max=0"


def test_the_last_exhaustion_is_a_stalemate_once_the_turn_is_over():
    """000 Gameplay, with no reshuffle at all instead of one."""
    before = audit(f"{DEAL}{TO_THE_END.rpartition('discard')[0]}", rules=f"hand_size=21 {ONCE}")
    lines = f"{DEAL}{TO_THE_END}score 1=0 2=0\nend"
    found = audit(lines, rules=f"hand_size=21 {ONCE}")

    assert before.result.outcome == "open"
    assert (found.result.outcome, found.result.scores) == ("stalemate", {1: 0, 2: 0})
    assert codes(found) == []


@pytest.mark.parametrize("rules", [ONCE, "stock_exhausted=hand-ends"])
def test_before_the_turn_of_the_last_card_is_over_the_hand_has_not_ended(rules):
    """000 Gameplay; 002 6.3, the alternative."""
    turn = TO_THE_END.rpartition("discard")[0]

    assert stock(f"{turn}score 1=0 2=30 winner=2\nend", rules=rules) == [
        ("hand-not-ended", 21, None)
    ]


def test_after_the_last_exhaustion_a_reshuffle_is_one_too_many_and_play_goes_on():
    assert stock(f"{TO_THE_END}reshuffle\ndraw 1 stock TC\ndiscard 1 TC", rules=ONCE) == [
        ("reshuffle-too-often", 22, None)
    ]
    assert stock(f"{TO_THE_END}draw 1 discard AC", rules=ONCE) == [("event-after-end", 22, 1)]


def test_a_called_stalemate_after_the_last_exhaustion_only_says_so():
    lines = f"{DEAL}{TO_THE_END}call 1 stalemate\nscore 1=0 2=0\nend"
    for rule in ("never", "detected", "after-exhaustion", "table"):
        found = audit(lines, rules=f"hand_size=21 {ONCE} stalemate_call={rule}")
        assert codes(found) == []


def test_only_the_top_of_the_pile_may_be_taken():
    assert stock(f"{HALF}draw 2 discard 7C\ndiscard 2 KS") == [("draw-not-top", 12, 2)]


def test_upcards_are_turned_once_before_the_first_draw():
    assert found_in("deal 2 4H\ndeal 1 5H\nupcard KS\nupcard QS", rules="hand_size=3") == [
        ("deal-count", 1, 2),
        ("deal-count", 2, 1),
        ("upcard-order", 4, None),
    ]
    assert stock("draw 2 stock 9C\nupcard 8C\ndiscard 2 9C") == [("upcard-order", 5, None)]


def test_a_play_without_any_upcard_is_found_at_the_first_draw():
    lines = "deal 2 4H 5H 6H\ndeal 1 9C 9D 2S\ndraw 2 stock AS\ndiscard 2 AS"

    assert found_in(lines, rules="hand_size=3") == [("upcard-order", 3, None)]


def test_where_an_upcard_came_late_it_is_found_there_only():
    lines = "deal 2 4H 5H 6H\ndeal 1 9C 9D 2S\ndraw 2 stock AS\nupcard KD\ndiscard 2 AS"

    assert found_in(lines, rules="hand_size=3") == [("upcard-order", 4, None)]


def test_a_printed_joker_turned_up_may_be_buried():
    lines = "deal 2 4H 5H 6H\ndeal 1 9C 9D 2S\nupcard JK\nupcard KD\ndraw 2 stock JK"

    assert found_in(lines, rules="hand_size=3 printed_jokers=1") == []


@pytest.mark.parametrize(
    ("rules", "after"),
    [
        ("", "draw 1 stock 6C\nreshuffle\ndiscard 1 6C\ndraw 2 stock 5C"),
        (TURNED, "draw 1 stock 9C\nreshuffle turned\nupcard TC\ndiscard 1 9C\ndraw 2 stock 8C"),
        (TURNED, "upcard TC\nreshuffle turned\ndraw 1 stock 9C\ndiscard 1 9C"),
        # However late it comes: what it says has been done.
        ("", "draw 1 stock 6C\ndiscard 1 6C\ndraw 2 stock 5C\nreshuffle\ndiscard 2 5C"),
        (TURNED, "upcard TC\ndraw 1 stock 9C\ndiscard 1 9C\nreshuffle turned\ndraw 2 stock 8C"),
    ],
)
def test_a_renewal_written_down_after_the_draw_is_one_slip(rules, after):
    assert stock(TO_THE_END + after, rules=rules) == [
        ("reshuffle-missing", 22, 1 if after.startswith("draw") else None)
    ]


def test_an_upcard_written_down_after_the_draw_is_one_slip():
    after = "reshuffle turned\ndraw 1 stock 9C\nupcard TC\ndiscard 1 9C\ndraw 2 stock 8C"

    assert stock(TO_THE_END + after, rules=TURNED) == [("upcard-order", 23, 1)]


def test_a_draw_left_out_lets_the_stock_be_empty_one_card_early():
    missing = TO_THE_END.replace("draw 2 stock 9C\n", "").replace("discard 2 9C", "discard 2 KS")
    shuffled = "reshuffle\ndraw 1 stock 6C"

    assert stock(missing + shuffled) == [("draw-missing", 4, 2)]


def test_without_the_upcard_nobody_knows_just_when_the_stock_runs_out():
    lines = f"{DEAL.rpartition('upcard')[0]}{TO_THE_END}reshuffle\ndraw 1 stock 6C\ndiscard 1 6C"

    assert found_in(lines, rules="hand_size=21") == [("upcard-order", 3, None)]
    score = f"{DEAL.rpartition('upcard')[0]}{TO_THE_END}score 1=0 2=0\nend"
    found = audit(score, rules="hand_size=21 reshuffles_max=0")
    assert codes(found) == [("upcard-order", 3, None)]
    assert {each.check for each in found.not_run} == {"hand-not-ended", "score-wrong"}


def test_a_second_renewal_is_none_that_comes_late():
    """Once the stock has run out again, a renewal that the log names is a new one."""
    cards = ["TC", *REST[:-1]]
    again = "".join(
        f"draw {1 + n % 2} stock {card}\ndiscard {1 + n % 2} {card}\n"
        for n, card in enumerate(cards)
    )
    lines = f"{TO_THE_END}{again}reshuffle\ndraw 2 stock 6C\ndiscard 2 6C\n"

    assert stock(lines) == [("reshuffle-missing", 22, 1)]
