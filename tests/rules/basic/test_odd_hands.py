"""Odd hands: two rules meet, a line is missing or late, or a card was not seen."""

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

HEAD = "hand x rhl=1 ruleset=basic dealer=2 detail=table\nplayer 1\nplayer 2\n"
SHOWN = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH"


def said(body):
    (hand,) = read(f"{HEAD}deal 1 x10\ndeal 2 x10\nupcard KS\n{body}\nend abandoned\n".encode())
    return [f"{each.code} {each.seq}" for each in replay(hand).findings]


def test_more_cards_than_an_unseen_hand_holds_are_a_wrong_number():
    assert said(f"show 1 + {SHOWN}") == ["hand-size 4"]


def test_a_card_that_lies_in_sight_cannot_be_shown_however_many_there_are():
    assert said(f"show 1 + {SHOWN.replace('JH', 'KS')}") == ["card-not-held 4"]


THREE = "hand x rhl=1 ruleset=basic-general dealer=2 detail=full\nplayer 1\nplayer 2"
UNWRITTEN = f"{THREE}\nrules hand_size=3\ndeal 1 4H 5H 9S\ndeal 2 2C 9D KS\n"


def found(log):
    (hand,) = read(log.encode())
    return [f"{each.code} {each.seq}" for each in replay(hand).findings]


def test_an_upcard_that_was_not_written_down_can_be_taken_all_the_same():
    assert found(f"{UNWRITTEN}draw 1 discard 6H\ndiscard 1 9S\nend abandoned") == ["upcard-order 3"]


def test_an_upcard_that_was_taken_before_it_was_written_down_is_one_slip():
    lines = "draw 1 discard 6H\nupcard 6H\ndiscard 1 9S\ndraw 2 stock JD\ndiscard 2 JD\n"

    assert found(f"{UNWRITTEN}{lines}end abandoned") == ["upcard-order 4"]


def test_an_upcard_that_was_not_written_down_comes_back_with_the_pile():
    seen = {"4H", "5H", "9S", "2C", "9D", "KS", "6H"}
    stock = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK" if rank + suit not in seen]
    turns = [
        f"draw {number % 2 + 1} stock {card}\ndiscard {number % 2 + 1} {card}"
        for number, card in enumerate(stock)
    ]
    pile = ["6H", *stock]
    renewed = f"reshuffle turned {' '.join(pile)}\nupcard 6H\ndraw 2 stock {stock[0]}\n"
    log = "\n".join([f"{UNWRITTEN}{turns[0]}", *turns[1:], renewed, "end abandoned"])

    assert found(log) == ["upcard-order 3"]
    assert found(log.replace(f"turned {' '.join(pile)}", "turned")) == ["upcard-order 3"]


def test_only_the_top_of_a_pile_with_an_unseen_card_in_it_may_be_taken():
    body = "draw 1 stock\ndiscard 1 ??\ndraw 2 stock\ndiscard 2 9D\ndraw 1 discard 5H"

    assert said(body) == ["draw-not-top 8"]


def test_a_card_that_lies_in_sight_is_not_the_unseen_one_on_top():
    body = "draw 1 stock\ndiscard 1 9D\ndraw 2 stock\ndiscard 2 ??\ndraw 1 discard {}"

    assert said(body.format("9D")) == ["draw-not-top 8"]
    assert said(body.format("8D")) == []


def test_of_a_meld_with_a_card_that_cannot_be_there_only_that_is_said():
    draw = f"{UNWRITTEN}upcard JD\ndraw 1 stock 6H\n"

    for lays, card in (("meld 1 4H 5H JK", "in-deck"), ("meld 1 4H 5H 6C", "held")):
        assert found(f"{draw}{lays}\nend abandoned") == [f"card-not-{card} 5"]


def test_the_winner_has_no_points_that_unseen_hands_cannot_bring():
    """002 7.3: who goes rummy has twice what the others hold, which then is an even number."""
    head = "hand x rhl=1 ruleset=basic dealer=3 detail=table\nplayer 1\nplayer 2\nplayer 3"
    deals = "rules hand_size=4\ndeal 1 x4\ndeal 2 x4\ndeal 3 x4\nupcard KS\n"
    turn = "draw 1 stock\nmeld 1 4H 5H 6H 7H\ndiscard 1 9S\nshow 2 + 2C 9D QS TH\n"

    def given(points):
        score = f"score 1={points} 2=0 3=0 winner=1"
        return found(f"{head}\n{deals}{turn}{score}\nend")

    assert given(2 * 31 + 2 * 4) == given(2 * 31 + 2 * 40) == []
    for points in (2 * 31 + 1, 2 * 31, 2 * 31 + 2 * 41):
        assert given(points) == ["score-impossible 9"]
    # Points for another seat are one slip, and what the winner lacks belongs to it.
    score = "score 1=0 2=0 3=70 winner=3"
    assert found(f"{head}\n{deals}{turn}{score}\nend") == ["score-wrong 9", "winner-wrong 9"]


def test_a_hand_of_few_unseen_cards_counts_little():
    body = "draw 1 stock\nmeld 1 4H 5H 6H\ndiscard 1 9S\ndraw 2 stock\nmeld 2 4C 5C 6C\n"
    last = "layoff 2 7C 8C 9C TC > 2\nlayoff 2 7H 8H 9H > 1\ndiscard 2 QS\n"
    log = f"{HEAD}deal 1 x10\ndeal 2 x10\nupcard KS\n{body}{last}score 1=0 2={{}} winner=2\nend"

    assert found(log.format(70)) == []
    assert found(log.format(71)) == ["score-impossible 12"]


def test_a_card_that_was_taken_late_lay_on_top_before_the_discard():
    assert said("discard 1 4H\ndraw 1 discard KS\ndraw 2 stock\ndiscard 2 5H") == ["draw-missing 4"]
    assert said("discard 1 4H\ndraw 1 stock\ndraw 2 discard KS\ndiscard 2 5H") == [
        "draw-missing 4",
        "draw-not-top 6",
    ]
