"""A pack whose order is stated, or follows from a revealed seed."""

import hashlib

import pytest

from rummy_audit.rhl.shuffle import cards_pack, deck_from
from tests.rules.basic.play import audit, codes, found_in

PACK = list(cards_pack(1, 0))
RULES = {"rules": "hand_size=3"}


def dealt(pack, *, deck=True, tail="", deal1=None, upcard=None):
    lines = [f"deck {' '.join(pack)}"] if deck else []
    lines.append(f"deal 2 {' '.join(pack[0:6:2])}")
    lines.append(deal1 or f"deal 1 {' '.join(pack[1:6:2])}")
    lines.append(f"upcard {upcard or pack[6]}")
    return "\n".join(lines) + "\n" + tail


def test_cards_dealt_and_drawn_in_the_stated_order_are_right():
    tail = f"draw 2 stock {PACK[7]}\ndiscard 2 {PACK[7]}\ndraw 1 stock {PACK[8]}"

    assert found_in(dealt(PACK, tail=tail), **RULES) == []


def test_the_first_card_that_contradicts_the_order_is_found_once():
    tail = f"draw 2 stock {PACK[8]}\ndiscard 2 {PACK[8]}\ndraw 1 stock {PACK[7]}"

    assert found_in(dealt(PACK, tail=tail), **RULES) == [("deck-order", 5, 2)]
    assert found_in(dealt(PACK, upcard=PACK[7], tail=f"draw 2 stock {PACK[6]}"), **RULES) == [
        ("deck-order", 4, None)
    ]
    wrong = f"deal 1 {PACK[1]} {PACK[3]} {PACK[9]}"
    assert found_in(dealt(PACK, deal1=wrong), **RULES) == [("deck-order", 3, 1)]


@pytest.mark.parametrize("deck", [True, False])
@pytest.mark.parametrize(
    ("card", "code"), [("JK", "card-not-in-deck"), (PACK[2], "too-many-copies")]
)
def test_a_card_that_cannot_be_there_is_one_slip(deck, card, code):
    draw = f"draw 2 stock {card}"

    assert found_in(dealt(PACK, deck=deck, tail=draw), **RULES) == [(code, 4 + deck, 2)]
    assert found_in(dealt(PACK, deck=deck, upcard=card), **RULES) == [(code, 3 + deck, None)]


def test_a_wrong_deal_cannot_be_laid_over_the_pack_and_is_one_finding():
    found = audit(dealt(PACK, deal1=f"deal 1 {PACK[1]} {PACK[3]}"), **RULES)

    assert codes(found) == [("deal-count", 3, 1)]
    assert [each.check for each in found.not_run] == ["deck-order"]


def test_a_stated_pack_holds_the_cards_of_the_game():
    assert found_in(f"deck {' '.join(['JK', *PACK[1:]])}", **RULES) == [
        ("card-not-in-deck", 1, None)
    ]
    assert found_in(f"deck {' '.join([PACK[1], *PACK[1:]])}", **RULES) == [
        ("too-many-copies", 1, None)
    ]
    assert found_in(f"deck {' '.join(PACK[:-1])}", **RULES) == [("deck-order", 1, None)]


def committed(seed="a seed", revealed="a seed", pack=None, tail=""):
    pack = pack or deck_from(seed, 17, (), PACK)
    commit = hashlib.sha256(seed.encode()).hexdigest()
    lines = f"shuffle scheme=rhl-shuffle-1 commit={commit} nonce=17\n"
    return lines + dealt(list(pack), deck=False, tail=tail) + f"reveal seed='{revealed}'"


def test_a_revealed_seed_is_the_committed_one_and_gives_the_cards():
    assert found_in(committed().replace("'", '"'), **RULES) == []
    assert found_in(committed(revealed="another").replace("'", '"'), **RULES) == [
        ("shuffle-mismatch", 5, None)
    ]
    assert found_in(committed(pack=PACK).replace("'", '"'), **RULES) == [
        ("shuffle-mismatch", 5, None)
    ]


def test_a_seed_that_was_never_revealed_is_a_check_not_run():
    lines = committed().rpartition("\n")[0]
    found = audit(lines, **RULES)

    assert codes(found) == []
    assert [each.check for each in found.not_run] == ["shuffle-mismatch"]
