"""The known order of a pack: stated in a log (``deck``), or derived from a revealed seed.

Every game deals from one order: cards go round one at a time, upcards come off
the top, a buried card goes to the bottom, a wild indicator comes from there.
What a log says of those cards is held against the order, card by card, up to the
first contradiction: from there on nobody knows the order any more.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from rummy_audit.rhl.records import UNKNOWN, Deck, Event, Reveal, Shuffle
from rummy_audit.rhl.shuffle import SCHEME, commit, deck_from, key_of
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.table import Table

Place = Literal["top", "bottom", "under"]


class Pull(NamedTuple):
    """One card that left the pack, or went back ``under`` it; None: not seen.

    ``seq`` and ``seat`` say by which event and to whom.
    """

    place: Place
    card: str | None
    seq: int
    seat: int | None = None


class Order:
    """Cards in a known order, top first.

    >>> order = Order(["4H", "5S", "KD"])
    >>> order.expects(Pull("top", "4H", 1)), order.expects(Pull("bottom", "2C", 2))
    (None, 'KD')
    """

    __slots__ = ("_cards", "_under")

    def __init__(self, cards: Iterable[str]) -> None:
        """Take the cards, top first."""
        self._cards = deque(cards)
        # A card put under the pack comes last; the bottom card of the pack stays what it was.
        self._under: list[str] = []

    def expects(self, pull: Pull) -> str | None:
        """Return the card that has to come, if another one came; None: no contradiction."""
        if pull.place == "under" or pull.card is None:
            return None
        cards = self._cards or self._under
        if not cards:
            return None
        card = cards[0 if pull.place == "top" else -1]
        return None if UNKNOWN in (card, pull.card) or card == pull.card else card

    def pull(self, pull: Pull) -> None:
        """Take the card off, or put it under."""
        if pull.place == "under":
            self._under.append(pull.card or UNKNOWN)
            return
        cards = self._cards or self._under
        if cards:
            del cards[0 if pull.place == "top" else -1]


def round_of_deals(deals: Sequence[tuple[int, int, Sequence[str | None]]]) -> tuple[Pull, ...]:
    """Lay deals out as they went round, one card at a time.

    ``deals``: seat, seq and cards in the order received, in the order of the
    round. Uneven deals cannot be laid out so: nothing then.

    >>> [pull.card for pull in round_of_deals([(2, 1, ["4H", "5H"]), (1, 2, ["KS", "QS"])])]
    ['4H', 'KS', '5H', 'QS']
    """
    if len({len(cards) for _, _, cards in deals}) != 1:
        return ()
    return tuple(
        Pull("top", cards[number], seq, seat)
        for number in range(len(deals[0][2]))
        for seat, seq, cards in deals
    )


def judge_deck(table: Table, event: Deck) -> Findings:
    """The stated order holds the whole pack: every card of it, none twice too often."""
    found: list[Finding] = []
    counts = Counter(event.cards)
    for card in sorted(counts):
        copies = table.pack.get(card, 0)
        if card != UNKNOWN and not copies:
            found.append(table.found("card-not-in-deck", event, card=card))
        elif card != UNKNOWN and counts[card] > copies:
            found.append(
                table.found(
                    "too-many-copies", event, card=card, recorded=counts[card], expected=copies
                )
            )
    whole = sum(table.pack.values())
    if not found and len(event.cards) != whole:
        size = len(event.cards)
        found.append(table.found("deck-order", event, recorded=size, expected=whole, size=size))
    return found


def is_whole(cards: Sequence[str], pack: Mapping[str, int]) -> bool:
    """Whether the cards are the whole pack, so that its order can be followed.

    >>> is_whole(["4H", "??"], {"4H": 1, "5S": 1}), is_whole(["4H", "4H"], {"4H": 1, "5S": 1})
    (True, False)
    """
    known = Counter(card for card in cards if card != UNKNOWN)
    return len(cards) == sum(pack.values()) and known <= Counter(pack)


def contradiction(table: Table, order: Order | None, pull: Pull, event: Event | int) -> Findings:
    """A card that leaves a pack of known order is the one that lies there."""
    expected = order.expects(pull) if order else None
    if expected is None:
        return NONE
    return (
        table.found("deck-order", event, seat=pull.seat, recorded=pull.card, expected=expected),
    )


def first_contradiction(cards: Sequence[str], pulls: Iterable[Pull]) -> tuple[Pull, str] | None:
    """Return the first card that contradicts an order, with the card that had to come.

    >>> first_contradiction(["4H", "5S"], [Pull("top", "4H", 1), Pull("top", "KD", 2)])
    (Pull(place='top', card='KD', seq=2, seat=None), '5S')
    """
    order = Order(cards)
    for pull in pulls:
        expected = order.expects(pull)
        if expected is not None:
            return pull, expected
        order.pull(pull)
    return None


def judge_reveal(
    table: Table,
    event: Reveal,
    shuffle: Shuffle,
    pack: Sequence[str],
    *,
    deck: Sequence[str] | None,
    pulls: Iterable[Pull],
) -> Findings:
    """The revealed seed is the committed one, and the cards came as it says.

    ``pack`` in the scheme's order is what was shuffled. The order that follows is
    held against the stated ``deck``, or where none was stated against the cards
    that left the pack. Other schemes, and shuffles without a nonce, are kept unchecked.
    """
    if shuffle.scheme != SCHEME:
        table.skip("shuffle-mismatch", "the scheme of the shuffle is not one that can be checked")
        return NONE
    key = key_of(event.seed, shuffle.commit)
    if key is None:
        return (
            table.found(
                "shuffle-mismatch",
                event,
                recorded=shuffle.commit,
                expected=commit(event.seed),
                what="commit",
            ),
        )
    if shuffle.nonce is None:
        table.skip("shuffle-mismatch", "the nonce of the shuffle is not in this log")
        return NONE
    derived = deck_from(key, shuffle.nonce, shuffle.client or (), pack)
    if deck is not None:
        pulls = [Pull("top", card, event.seq) for card in deck]
    first = first_contradiction(derived, pulls)
    if first is None:
        return NONE
    pull, expected = first
    return (
        table.found(
            "shuffle-mismatch",
            event,
            recorded=pull.card,
            expected=expected,
            what="deck" if deck is not None else "order",
            at=pull.seq,
        ),
    )
