"""What a step of basic rummy shows: seats, stock, pile, and the melds with who laid what."""

from rummy_audit.rules.replay import replay
from rummy_audit.rules.view import GroupView, MeldView, SeatView
from tests.rules.basic.play import log

LINES = """
deal 2 4H JK 6H 2C 9S
deal 1 9C 9D 9H 7H KS
upcard TC
draw 2 stock KD
meld 2 4H JK 6H
discard 2 KD
draw 1 discard KD
meld 1 9C 9D 9H
layoff 1 7H > 1
discard 1 KS
draw 2 stock QC
layoff 2 9S > 2
discard 2 QC
draw 1 stock 8D
call 1 rummy
discard 1 8D
"""
RULES = "hand_size=5 jokers_wild=true"


def steps(lines=LINES, **about):
    return {step.number: step.table for step in replay(log(lines, **about), keep_steps=True).steps}


def test_a_step_shows_the_melds_by_number_and_who_laid_what():
    table = steps(rules=RULES)[12]

    assert table.melds == (
        MeldView(
            number=1,
            cards=("4H", "JK", "6H", "7H"),
            kind="sequence",
            seat=2,
            added=((1, "7H"),),
            stands_for=("4H", "5H", "6H", "7H"),
        ),
        MeldView(number=2, cards=("9C", "9D", "9H", "9S"), kind="set", seat=1, added=((2, "9S"),)),
    )


def test_a_step_shows_whose_turn_it_is_the_stock_and_the_pile():
    shown = steps(rules=RULES)

    assert (shown[3].turn, shown[3].stock, shown[3].pile) == (2, 43, ("TC",))
    assert (shown[6].turn, shown[6].stock, shown[6].pile) == (1, 42, ("TC", "KD"))
    assert (shown[7].turn, shown[7].stock, shown[7].pile) == (1, 42, ("TC",))


def test_what_everybody_has_seen_of_a_hand_is_told_apart():
    first, _ = steps(rules=RULES)[10].seats

    assert first == SeatView(seat=1, cards=("KD",), public=("KD",))


def test_an_invalid_meld_is_shown_as_one_and_the_winner_as_out():
    lines = """
    deal 2 4H 5H 8H
    deal 1 9C 9D 9H
    upcard TC
    draw 2 stock KD
    meld 2 4H 5H 8H
    discard 2 KD
    show 1 9C 9D 9H
    score 1=0 2=54 winner=2
    """
    table = steps(lines, rules="hand_size=3")[8]

    assert [meld.kind for meld in table.melds] == ["invalid"]
    assert [seat.state for seat in table.seats] == ["in", "won"]
    assert table.seats[0].groups == (GroupView(cards=("9C", "9D", "9H"), kind="set"),)
    assert (table.turn, table.scores) == (None, {"1": 0, "2": 54})


def test_at_the_table_unseen_cards_are_counted():
    lines = "deal 2 x3\ndeal 1 x3\nupcard TC\ndraw 2 discard TC\ndiscard 2 9C\n"
    _, second = steps(lines, detail="table", rules="hand_size=3")[5].seats

    assert second == SeatView(seat=2, cards=("TC",), unknown=2, public=("TC",))
