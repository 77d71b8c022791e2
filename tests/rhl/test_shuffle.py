"""The shuffle scheme, computed here a second time as the specification says."""

import hashlib
import hmac
import struct
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_audit.rhl import shuffle
from tests.rhl.profile import quick


def by_the_letter(seed, nonce, client, pack):
    stream = b"".join(
        hmac.new(seed, f"{nonce}:{','.join(client)}:{block}".encode(), hashlib.sha256).digest()
        for block in range(64)
    )
    numbers = list(struct.unpack(f">{len(stream) // 4}I", stream))
    deck = list(pack)
    for j in range(len(deck) - 1, 0, -1):
        # The largest multiple below 2^32.
        while numbers[0] >= (2**32 - 1) // (j + 1) * (j + 1):
            numbers.pop(0)
        k = numbers.pop(0) % (j + 1)
        deck[j], deck[k] = deck[k], deck[j]
    return tuple(deck)


@quick
@given(
    st.text(max_size=20).map(lambda text: text.encode("utf-8", "ignore").decode()),
    st.integers(0, 10**6) | st.sampled_from(("n", "", "7")),
    st.lists(st.sampled_from(("a", "bilal-9", "")), max_size=3),
    st.sampled_from((shuffle.cards_pack(1, 0), shuffle.cards_pack(2, 2), shuffle.tiles_pack())),
)
def test_a_deck_is_what_the_specification_says(seed, nonce, client, pack):
    deck = shuffle.deck_from(seed, nonce, client, pack)

    assert deck == by_the_letter(seed.encode(), nonce, client, pack)
    assert Counter(deck) == Counter(pack)


def test_numbers_from_the_last_whole_multiple_on_are_skipped():
    """Also where 2^32 is a multiple itself: the largest below it counts."""
    top = 2**32
    # Of 4: top - 4 and up are skipped, 5 is 1. Of 3: top - 1 is skipped, 3 is 0. Of 2: 1 is 1.
    numbers = [top - 1, top - 2, top - 4, 5, top - 1, 3, top - 2, 1]

    assert shuffle.shuffled("abcd", iter(numbers)) == ("c", "d", "a", "b")


def test_packs_are_in_the_order_of_the_specification():
    assert shuffle.cards_pack(1, 1) == (
        *["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS"],
        *["AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH"],
        *["AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD"],
        *["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC"],
        "JK",
    )
    assert shuffle.cards_pack(2, 2)[52:] == (*shuffle.cards_pack(1, 0), "JK", "JK")
    assert shuffle.tiles_pack()[:14] == (*(f"R{number}" for number in range(1, 14)), "B1")
    assert shuffle.tiles_pack()[-3:] == ("O13", "JK", "JK")


@pytest.mark.parametrize(
    ("seed", "committed", "key"),
    [
        ("test", hashlib.sha256(b"test").hexdigest(), b"test"),
        ("test", hashlib.sha256(b"test").hexdigest().upper(), b"test"),
        ("cafe", hashlib.sha256(b"cafe").hexdigest(), b"cafe"),
        ("cafe", hashlib.sha256(b"\xca\xfe").hexdigest(), b"\xca\xfe"),
        ("cafe", hashlib.sha256(b"CAFE").hexdigest(), None),
        ("caf", hashlib.sha256(b"\xca").hexdigest(), None),
        ("test", None, b"test"),
    ],
)
def test_a_seed_is_its_text_unless_the_commitment_is_to_the_bytes_it_spells(seed, committed, key):
    assert shuffle.key_of(seed, committed) == key
    if key is not None and committed is not None:
        assert hashlib.sha256(key).hexdigest() == committed.lower()


def test_the_commitment_of_a_seed():
    assert shuffle.commit("test") == hashlib.sha256(b"test").hexdigest()
