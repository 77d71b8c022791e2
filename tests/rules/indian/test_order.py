"""Known decks, shuffles that were committed to, and the seal of a log."""

import pytest

from rummy_audit.rhl.shuffle import cards_pack, commit, deck_from
from tests.rules.indian.hands import found, judged, not_run, said

PACK = cards_pack(2, 2)
SEED = "a seed nobody knew"
DECK = deck_from(SEED, 17, ("x", "y"), PACK)


def dealt_from(deck, seats=(1, 2)):
    """Return the deal of a deck, the deck's next card first, and what lies under it."""
    size = len(seats) * 13
    deals = [f"deal {seat} {' '.join(deck[n : size : len(seats)])}" for n, seat in enumerate(seats)]
    rest = list(deck[size:])
    upcards = []
    while not upcards or upcards[-1] == "JK":
        upcards.append(rest.pop(0))
    wild = rest.pop()
    buried = upcards[:-1]
    return [*deals, *(f"upcard {card}" for card in upcards), f"wild {wild}"], rest + buried


DEAL, STOCK = dealt_from(DECK)
STATED = ["deck " + " ".join(DECK), *DEAL]
SHUFFLED = [f"shuffle scheme=rhl-shuffle-1 commit={commit(SEED)} nonce=17 client=x,y", *DEAL]


def play(start, body="", **settings):
    text = "\n".join(start) if isinstance(start, list) else start
    return found(body, start=text, players=2, end="", **settings)


def draws(count, stock=STOCK):
    return "\n".join(
        f"draw {n % 2 + 1} stock {stock[n]}\ndiscard {n % 2 + 1} {stock[n]}" for n in range(count)
    )


def test_cards_that_come_as_the_deck_says():
    assert play(STATED, draws(6)) == []
    assert play(STATED[:1]) == []


@pytest.mark.parametrize("line", [1, 2])
def test_a_deal_that_is_not_the_decks(line):
    words = STATED[line].split()
    words[2], words[-1] = words[-1], words[2]
    changed = [*STATED[:line], " ".join(words), *STATED[line + 1 :]]

    assert play(changed) == [f"deck-order {line + 1}/{line}"]
    assert play(changed, draws(3)) == [f"deck-order {line + 1}/{line}"]  # once


def test_an_open_card_and_a_wild_joker_that_are_not_the_decks():
    first, wild = DEAL[2].split()[1], DEAL[-1].split()[1]
    swapped = [f"upcard {wild}" if line.startswith("upcard") else line for line in STATED]
    swapped = [line.replace(f"wild {wild}", f"wild {first}") for line in swapped]

    assert play(swapped) == ["deck-order 4"]
    other = [line.replace(f"wild {wild}", f"wild {STOCK[3]}") for line in STATED]
    assert play(other) == ["deck-order 5"]


def test_a_drawn_card_that_is_not_the_top_one():
    body = (
        draws(4)
        .replace(f"draw 1 stock {STOCK[2]}", f"draw 1 stock {STOCK[9]}")
        .replace(f"discard 1 {STOCK[2]}", f"discard 1 {STOCK[9]}")
    )

    assert play(STATED, body) == ["deck-order 10/1"]


def test_cards_that_were_not_seen_contradict_nothing():
    table = ["deck " + " ".join(DECK), "deal 1 x13", "deal 2 x13", *DEAL[2:]]
    result = judged(draws(2), start="\n".join(table), players=2, end="", detail="table")

    assert said(result) == []
    assert not_run(result)["deck-order"] == "the deal cannot be laid over the deck"


def test_a_pack_that_is_known_in_part_is_followed_as_far():
    hidden = ["deck " + " ".join([*DECK[:-2], "??", DECK[-1]]), *DEAL]
    body = draws(4).replace(STOCK[2], STOCK[9])

    assert play(hidden, draws(4)) == []
    assert play(hidden, body) == ["deck-order 10/1"]


def test_a_pack_that_was_written_down_behind_the_deal_is_held_against_nothing():
    for line, check in ((STATED[0], "deck-order"), (SHUFFLED[0], "shuffle-mismatch")):
        body = f'{line}\n{draws(2)}\nreveal seed="{SEED}"'
        result = judged(body, start="\n".join(DEAL), players=2, end="")
        assert (said(result), check in not_run(result)) == ([], True)


def test_a_pack_of_the_next_deal_is_told_behind_a_misdeal():
    deal, stock = dealt_from(DECK[::-1])
    called = [*STATED, "irregularity exposed-card", "misdeal cause=exposed-card"]
    again = ["deck " + " ".join(DECK[::-1]), *deal]

    assert play([*called, *again], draws(4, stock)) == ["deal-exposed 6 note"]
    wrong = draws(4, stock).replace(stock[2], stock[9])
    assert play([*called, *again], wrong) == ["deal-exposed 6 note", "deck-order 17/1"]


def test_a_deal_that_was_broken_off_contradicts_no_deck():
    # The second player's cards are not in the log yet: nobody knows who sat in the round.
    start = "\n".join(STATED[:2])
    call = "misdeal cause=exposed-card"

    assert found(call, start=start, players=2, end="end misdeal") == []
    assert found("", start=start, players=2, end="end abandoned") == []


def test_after_a_draw_that_is_missing_nobody_knows_which_card_is_on_top():
    lines = draws(4).splitlines()
    lines[2:4] = [f"discard 2 {DEAL[1].split()[2]}"]  # the card drawn was not written down
    result = judged("\n".join(lines), start="\n".join(STATED), players=2, end="")

    assert [each.code for each in result.findings] == ["draw-missing"]
    assert "deck-order" in not_run(result)


def test_a_buried_joker_goes_to_the_bottom():
    # The same deck, but for a joker on top of what is left after the deal.
    place = DECK.index("JK", 26)
    deck = list(DECK)
    deck[26], deck[place] = deck[place], deck[26]
    deal, stock = dealt_from(deck)

    assert stock[-1] == "JK"
    assert play(["deck " + " ".join(deck), *deal], draws(6, stock)) == []


def test_a_deck_that_is_not_the_pack():
    def deck(cards):
        return play([f"deck {' '.join(cards)}"])

    assert deck(DECK[:-1]) == ["deck-order 1"]
    assert deck((*DECK[:-1], "R9")) == ["card-not-in-deck 1"]
    others = [card for card in DECK if card != DECK[0]]
    assert deck((*[DECK[0]] * 3, *others[1:])) == ["too-many-copies 1"]
    assert play(STATED, rules="printed_jokers=0")[:1] == ["card-not-in-deck 1"]


# Shuffles


def revealed(start=SHUFFLED, seed=SEED, count=3):
    return play(start, draws(count) + f'\nreveal seed="{seed}"')


def test_a_shuffle_that_is_what_was_committed_to():
    assert revealed() == []
    assert revealed([SHUFFLED[0], *STATED]) == []


def test_another_seed_than_was_committed_to():
    assert revealed(seed="another seed") == ["shuffle-mismatch 12"]


def test_a_deck_that_is_not_the_one_of_the_seed():
    deck = (DECK[1], DECK[0], *DECK[2:])
    deal, stock = dealt_from(deck)
    start = [SHUFFLED[0], "deck " + " ".join(deck), *deal]

    assert play(start, draws(3, stock) + f'\nreveal seed="{SEED}"') == ["shuffle-mismatch 13"]


def test_without_a_stated_deck_the_cards_that_came_are_compared():
    body = draws(2).replace(STOCK[1], STOCK[7]) + f'\nreveal seed="{SEED}"'
    result = judged(body, start="\n".join(SHUFFLED), players=2, end="")
    (mismatch,) = result.findings

    assert said(result) == ["shuffle-mismatch 10"]
    assert (mismatch.recorded, mismatch.expected) == (STOCK[7], STOCK[1])
    assert mismatch.data == {"what": "order", "at": 8}


def test_what_cannot_be_checked_of_a_shuffle():
    for start, reveal, why in [
        (SHUFFLED, "", "the seed has not been revealed"),
        (
            [SHUFFLED[0].replace("rhl-shuffle-1", "dice"), *DEAL],
            f'reveal seed="{SEED}"',
            "the scheme of the shuffle is not one that can be checked",
        ),
        (
            [SHUFFLED[0].replace(" nonce=17", ""), *DEAL],
            f'reveal seed="{SEED}"',
            "the nonce of the shuffle is not in this log",
        ),
    ]:
        result = judged(reveal, start="\n".join(start), players=2, end="")
        assert (said(result), not_run(result)["shuffle-mismatch"]) == ([], why)


# The seal


def test_the_end_counts_the_events_before_it():
    assert found("", end="end abandoned count=5") == []
    assert found("", end="end abandoned count=6") == ["seq-count 0"]


def test_the_head_covers_the_log():
    assert found("", end=f"end abandoned head={'0' * 64}") == ["chain-broken 0"]


# What is kept and not judged


def test_unknown_events_and_fields_are_noted():
    assert found("cheer seat=1\ndraw 1 stock 8C colour=red _mine=1", end="") == [
        "unknown-event 6 note",
        "unknown-field 7 note",
    ]
