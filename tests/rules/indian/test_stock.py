"""001 When the closed deck runs out: reshuffles, voids, and the lowest hand."""

import re

import pytest

from tests.rules.indian.hands import SHOWN, dealt, found, judged, not_run, said, turns

# Six cards and a wild joker lie under the deal: the stock is small enough to run out.
SMALL = {
    "players": 2,
    "rules": "decks=1 printed_jokers=0 hand_size=21",
    "start": """
deal 1 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 7H 8H
deal 2 AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D 4D 5D 6D 7D 8D
upcard 9H
wild KD
""",
}
STOCK = ("TH", "JH", "QH", "KH", "9D", "TD", "JD", "QD")


def small(body, **settings):
    merged = {**SMALL, "end": "", **settings}
    if "rules" in settings:
        merged["rules"] = f"{SMALL['rules']} {settings['rules']}"
    return judged(body, **merged)


def draws(count, first=1):
    """Return turns that draw all but a few cards of the stock and throw what they drew."""
    lines = []
    for number in range(count):
        seat = (first + number - 1) % 2 + 1
        lines += [f"draw {seat} stock {STOCK[number]}", f"discard {seat} {STOCK[number]}"]
    return "\n".join(lines)


ALL = draws(8)  # the open pile: 9H and eight more, QD on top; the turn is with seat 1


def test_the_pile_but_for_its_top_card_becomes_the_stock():
    assert said(small(ALL + "\nreshuffle\ndraw 1 stock 9H\ndiscard 1 9H")) == []
    cards = "KH TH 9H JH TD 9D QH JD"
    assert said(small(f"{ALL}\nreshuffle {cards}\ndraw 1 stock KH\ndiscard 1 KH")) == []


def test_001_dealing_4_an_unseen_open_card_that_was_turned_over_was_a_joker_and_is_drawn_last():
    settings = {
        "players": 2,
        "rules": SMALL["rules"].replace("jokers=0", "jokers=1"),
        "start": SMALL["start"].replace("upcard", "upcard ??\nupcard"),
        "end": "",
    }
    last = f"{ALL}\ndraw 1 stock JK\ndiscard 1 JK"

    assert found(last, **settings) == []
    assert found(f"{last}\ndraw 2 stock 9H", **settings) == ["reshuffle-missing 24/2"]


def test_a_reshuffle_before_the_stock_is_empty():
    result = small(draws(7) + "\nreshuffle")

    assert said(result) == ["reshuffle-early 19"]
    assert (result.findings[0].recorded, result.findings[0].expected) == (1, 0)


def test_a_reshuffle_is_right_as_soon_as_the_stock_is_empty():
    # The player who drew the last card has not discarded yet.
    assert said(small(ALL.rsplit("\n", 1)[0] + "\nreshuffle\ndiscard 2 QD\ndraw 1 stock 9H")) == []


def test_no_reshuffle_is_needed_if_the_open_card_is_taken():
    assert (
        said(small(ALL + "\ndraw 1 discard QD\ndiscard 1 AS\ndraw 2 discard AS\ndiscard 2 AC"))
        == []
    )


def test_a_draw_from_a_stock_that_was_not_renewed():
    result = small(ALL + "\ndraw 1 stock 9H\ndiscard 1 9H\ndraw 2 stock TH")

    assert said(result) == ["reshuffle-missing 21/1"]  # once: it must have been renewed then
    assert result.findings[0].rule.source == "001 When the closed deck runs out"


def test_a_reshuffle_behind_the_draw_that_needed_it_is_the_one_that_was_missing():
    late = "\ndraw 1 stock 9H\nreshuffle\ndiscard 1 9H\ndraw 2 stock TH\ndiscard 2 TH"

    assert said(small(ALL + late)) == ["reshuffle-missing 21/1"]
    assert said(small(f"{ALL}{late}\nreshuffle")) == [
        "reshuffle-missing 21/1",
        "reshuffle-early 26",
    ]


@pytest.mark.parametrize(
    ("slip", "code", "drawn"),
    [
        pytest.param("", "discard-missing", 8, id="a-discard-left-out-lies-in-the-pile"),
        pytest.param("discard 1 TH\ndiscard 1 AS", "second-discard", 9, id="there"),
        pytest.param("discard 1 TH\ndiscard 1 AS", "second-discard", 8, id="or-not-there"),
    ],
)
def test_a_slip_that_was_named_is_not_said_again_of_the_renewed_stock(slip, code, drawn):
    # Every card under QD is drawn once more before the stock is renewed again.
    body = ALL.replace("discard 1 TH", slip) + "\nreshuffle"
    for number in range(drawn):
        body += f"\ndraw {number % 2 + 1} stock\ndiscard {number % 2 + 1} ??"
    body += f"\nreshuffle\ndraw {drawn % 2 + 1} stock"

    assert [each.code for each in small(body).findings] == [code]


def test_a_stock_that_is_not_counted_has_run_out_when_its_cards_come_again():
    start = SMALL["start"].replace("deal 1 ", "deal 1 #").replace("deal 2 ", "deal 2 #")

    assert said(small(f"{ALL}\ndraw 1 stock 9H", start=start)) == ["reshuffle-missing 21/1"]
    assert said(small(f"{draws(2)}\ndraw 1 stock 9H", start=start)) == ["too-many-copies 9/1"]


def test_what_a_reshuffle_holds_is_not_judged_where_the_stock_is_not_counted():
    """The stock may not have been empty: its cards are in the new one then."""
    start = SMALL["start"].replace("deal 1 ", "deal 1 #").replace("deal 2 ", "deal 2 #")
    result = small(draws(2) + "\nreshuffle 9H TH QH", start=start)

    assert (said(result), "deck-order" in not_run(result)) == ([], True)


def test_the_top_card_stays_open():
    result = small(f"{ALL}\nreshuffle QD TH 9H JH TD 9D QH JD")

    assert said(result) == ["deck-order 21"]
    assert (result.findings[0].recorded, result.findings[0].expected) == (["QD"], ["KH"])


def test_a_reshuffled_stock_is_drawn_in_its_order():
    body = (
        f"{ALL}\nreshuffle KH TH 9H JH TD 9D QH JD\ndraw 1 stock TH\ndiscard 1 TH\ndraw 2 stock KH"
    )

    assert said(small(body)) == ["deck-order 22/1"]


def test_the_wild_joker_and_dead_hands_are_never_reshuffled():
    body = f"{ALL}\nreshuffle KH TH 9H JH TD 9D QH KD"

    assert said(small(body)) == ["deck-order 21"]
    result = small(f"{ALL}\nreshuffle\ndraw 1 stock KD")
    assert (said(result), result.verdict) == (["too-many-copies 22/1"], "impossible")


@pytest.mark.parametrize(
    ("slip", "code"),
    [
        pytest.param(("draw 1 stock TH\n", ""), "draw-missing", id="a-draw-left-out"),
        pytest.param(("draw 1 stock TH\n", "draw 1 stock\n" * 2), "second-draw", id="one-too-many"),
    ],
)
def test_a_slip_that_was_named_is_not_said_again_of_the_stock(slip, code):
    """The count is off by a card then, and nobody knows which way it really was."""
    table = SMALL["start"].replace("deal 1 ", "deal 1 x21 #").replace("deal 2 ", "deal 2 x21 #")
    body = re.sub(r"stock \w\w", "stock", f"{ALL}\nreshuffle\ndraw 1 stock").replace(
        "draw 1 stock\n", re.sub(r"stock \w\w", "stock", slip[1]), 1
    )

    assert [each.split()[0] for each in said(small(body, detail="table", start=table))] == [code]


def test_reshuffles_are_not_counted():
    table = SMALL["start"].replace("deal 1 ", "deal 1 x21 #").replace("deal 2 ", "deal 2 x21 #")
    first = [f"draw {n % 2 + 1} stock\ndiscard {n % 2 + 1} {STOCK[n]}" for n in range(8)]
    again = [f"draw {n % 2 + 1} stock\ndiscard {n % 2 + 1} {STOCK[n]}" for n in range(8)]
    body = "\n".join([*first, "reshuffle", *again[:-1], again[-1].replace("QD", "9H"), "reshuffle"])

    assert said(small(body + "\ndraw 1 stock", detail="table", start=table)) == []


# Nothing left to draw


def test_a_hand_is_void_when_only_the_top_card_is_left():
    # A pile of one card over an empty stock: nothing is left to shuffle.
    start = """
deal 1 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 7H 8H
deal 2 AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 9D AD 2D 3D 4D 5D 6D 7D
upcard 9H
wild KD
"""
    rest = ("TH", "JH", "QH", "KH", "8D", "TD", "JD", "QD")
    lines = ["draw 1 discard 9H", "discard 1 8H", "draw 2 discard 8H", "discard 2 AC"]
    for number, card in enumerate(rest):
        # Whoever draws throws a card that the other takes up again.
        seat = number % 2 + 1
        lines += [f"draw {seat} stock {card}", f"discard {seat} {card}"]
    body = "\n".join(lines)
    settings = {"start": start, "end": "end void"}

    assert said(small(body + "\nvoid", **settings)) == ["void-unfounded 25"]
    assert said(small(body + "\nreshuffle\nvoid", **settings)) == ["void-unfounded 26"]


def test_a_void_while_cards_are_left():
    assert said(small(draws(3) + "\nvoid", end="end void")) == ["void-unfounded 11"]
    assert said(small(ALL + "\nvoid", end="end void")) == ["void-unfounded 21"]  # it is reshuffled
    assert said(small(ALL, end="end void")) == ["void-unfounded 0"]


@pytest.mark.parametrize("call", ["void", "void cause=stock-exhausted", ""])
def test_a_hand_is_void_with_its_stock_where_the_rules_say_so(call):
    result = small(f"{ALL}\n{call}", rules="stock_exhausted=void", end="end void")

    assert (said(result), result.result.outcome, result.result.scores) == ([], "void", {})


def test_where_the_hand_is_void_with_its_stock_every_reshuffle_is_too_early():
    rules = {"rules": "stock_exhausted=void"}

    assert said(small(ALL + "\nreshuffle", **rules)) == ["reshuffle-early 21"]
    assert said(small(draws(2) + "\nreshuffle", **rules)) == ["reshuffle-early 9"]
    assert said(small(draws(3) + "\nvoid", end="end void", **rules)) == ["void-unfounded 11"]
    assert said(small(ALL + "\ndraw 1 stock 9H", **rules)) == ["event-after-end 21/1"]
    assert said(small(ALL + "\ndraw 1 discard QD\ndiscard 1 AS", **rules)) == []


def test_a_void_without_a_cause_at_the_table_is_not_judged():
    table = SMALL["start"].replace("deal 1 ", "deal 1 x21 #").replace("deal 2 ", "deal 2 x21 #")
    body = "draw 1 stock\ndiscard 1 AS\n"
    result = small(body + "void", detail="table", start=table, end="end void")

    assert (said(result), not_run(result)["void-unfounded"]) == ([], "the cause is not recorded")
    caused = small(body + "void cause=stock-exhausted", detail="table", start=table, end="end void")
    assert said(caused) == ["void-unfounded 7"]


def test_agreeing_voids_no_hand():
    assert found(turns(1, 2) + "\nvoid cause=agreed", end="end void") == ["void-unfounded 10"]


def test_a_due_misdeal_may_be_called_void():
    start = "\n".join([dealt(1)[:-3], dealt(2), dealt(3), "upcard KS", "wild 7H"])

    assert found("void", start=start, end="end void") == ["deal-count 1/1"]


def test_nobody_scores_in_a_void_hand():
    rules = {"rules": "stock_exhausted=void", "end": "end void"}

    assert said(small(ALL + "\nvoid\nscore 1=0 2=0", **rules)) == []
    assert said(small(ALL + "\nvoid\nscore 1=0 2=30", **rules)) == ["score-wrong 22/2"]


# The lowest hand


LOW = {
    "players": 2,
    "detail": "table",
    "rules": "decks=1 printed_jokers=0 stock_exhausted=lowest-wins",
    "start": "deal 1 x13\ndeal 2 x13\nupcard 9H\nwild KD",
}
HIGHER = "2S 3S 4S | 7H 8H KH + 9C JC QD AS 5D TC 2C"
LOWER = "2H 3H 4H | 7S 8S KS + 9D JD QC AH 5C TD 2D"


def run_out():
    """Return turns that draw the whole stock and throw every card that is not shown later."""
    shown = f"{HIGHER} {LOWER} 9H KD".split()
    pack = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    thrown = [card for card in pack if card not in shown]
    assert len(thrown) == 24
    return "\n".join(
        f"draw {n % 2 + 1} stock\ndiscard {n % 2 + 1} {card}" for n, card in enumerate(thrown)
    )


def test_the_lowest_hand_wins_where_the_rules_say_so():
    body = f"{run_out()}\nshow 1 {HIGHER}\nshow 2 {LOWER}"
    notes = ["arrangement-not-best 53/1 note", "arrangement-not-best 54/2 note"]
    tied = judged(f"{body}\nscore 1=56 2=56", **LOW)

    # Both count 56: who wins then is not in the rules.
    assert said(tied) == notes
    assert not_run(tied)["score-wrong"] == "two hands are equally low"
    lower = body.replace("+ 9D JD QC AH 5C TD 2D", "| 9D TD JD + QC AH 5C 2D")
    won = judged(f"{lower}\nscore 1=56 2=0 winner=2", **LOW)
    assert (won.result.scores, won.result.winner) == ({1: 56, 2: 0}, 2)
    assert said(won) == notes
    named = judged(f"{lower}\nscore 1=56 2=0 winner=1", **LOW)
    assert said(named) == [*notes, "winner-wrong 55/1"]


def test_where_the_stock_is_not_counted_nobody_knows_whether_it_ended_the_hand():
    start = LOW["start"].replace(" x13", "")
    body = f"{run_out()}\nshow 1 {HIGHER}\nshow 2 {LOWER}\nscore 1=56 2=0"
    result = judged(body, **{**LOW, "start": start})

    assert [each for each in said(result) if "note" not in each] == []
    assert "hand-not-ended" in not_run(result)


def test_where_the_lowest_hand_wins_no_hand_is_void_or_reshuffled():
    assert said(judged(run_out() + "\nvoid", **{**LOW, "end": "end void"})) == ["void-unfounded 53"]
    assert said(judged(run_out() + "\nreshuffle", **LOW, end="")) == ["reshuffle-early 53"]


def test_who_is_named_the_winner_with_points_makes_nobody_else_a_loser():
    """At shown nothing says who has won then: the lowest hand may have, over an empty stock."""
    settings = {"detail": "shown", "start": "wild 7H", "rules": "stock_exhausted=lowest-wins"}
    body = f"drop 1\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=20 2=0 3=55 winner={{}}"

    assert found(body.format(1), **settings) == ["winner-wrong 5/1"]
    assert found(body.format(2), **settings) == []
