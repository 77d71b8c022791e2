"""The hands laid open at the end: a claim, checked against the hand that was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rummy_audit.rhl.records import UNKNOWN, Show
from rummy_audit.rules.families.basic.table import BasicTable, copied
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.table import Holding


def shown_cards(event: Show) -> tuple[str, ...]:
    """Return every card of a shown hand, in groups or loose."""
    grouped = tuple(card for group in event.groups or () for card in group)
    return grouped + (event.loose or ())


def held_of(table: BasicTable, hand: Holding, cards: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return which cards must be among a hand's unknown ones, and which cannot be in it."""
    unknown = hand.unknown
    taken: Counter[str] = Counter()
    fresh: Counter[str] = Counter()
    lacking: list[str] = []
    for card in cards:
        if card == UNKNOWN:
            continue
        if taken[card] < hand.holds(card):
            taken[card] += 1
        elif unknown and table.seen.get(card, 0) + fresh[card] < table.pack.get(card, 0):
            unknown -= 1
            fresh[card] += 1
        else:
            lacking.append(card)
    return list(fresh.elements()), lacking


def _hand(table: BasicTable, seat: int, shown: int) -> Holding:
    """Return the hand a seat was left with; play after the end does not count.

    A draw or a discard found missing may only not have been written down: of unseen
    cards the number that is shown tells.
    """
    late = table.late is not None and seat in table.left
    hand = table.left[seat] if late else table.hand(seat)
    more, missing = shown - len(hand), table.seat_course(seat).more
    if table.detail != "table" or not (0 < more <= missing or missing <= more < 0):
        return hand
    hand = copied(hand)
    hand.unknown += max(more, 0)
    hand.gone += max(-more, 0)
    return hand


def _without_surplus(
    table: BasicTable, hand: Holding, cards: Sequence[str], lacking: list[str]
) -> list[str]:
    """Leave out cards that only the size of a hand of unseen cards has no room for.

    Of more cards than the hand holds nobody can say which are too many.
    """
    surplus = len(cards) - len(hand) if hand.unknown else 0
    kept = []
    for card in lacking:
        seen = table.seen.get(card, 0) - hand.holds(card) + cards.count(card)
        if surplus > 0 and seen <= table.pack.get(card, 0):
            surplus -= 1
        else:
            kept.append(card)
    return kept


def hand_as_played(table: BasicTable, event: Show) -> Findings:
    """A shown hand holds the cards that were played, each once, and all of them."""
    if not table.live:
        return _as_seen(table, event)
    seat, cards = event.seat, shown_cards(event)
    hand = _hand(table, seat, len(cards))
    lacking = _without_surplus(table, hand, cards, held_of(table, hand, cards)[1])
    found: list[Finding] = []
    twice = [card for card in lacking if cards.count(card) > lacking.count(card)]
    strange = [card for card in lacking if card not in table.pack]
    others = [card for card in lacking if card not in twice and card not in strange]
    if strange:
        found.append(table.found("card-not-in-deck", event, seat=seat, cards=strange))
    if others:
        missing = sorted((Counter(hand.known) - Counter(cards)).elements())
        found.append(table.found("card-not-held", event, seat=seat, cards=others, missing=missing))
    if twice:
        found.append(table.found("card-in-two-groups", event, seat=seat, cards=twice))
    if event.loose is None and not event.groups:
        table.skip("hand-size", "which cards were shown was not written down")
        return found
    if not table.counted(seat):
        table.skip("hand-size", "the deal was not written down")
        return found
    if len(hand) not in (len(cards), len(cards) - len(lacking)):
        found.append(
            table.found("hand-size", event, seat=seat, recorded=len(cards), expected=len(hand))
        )
    return found


def _as_seen(table: BasicTable, event: Show) -> Findings:
    """Where play was not seen, only the pack tells whether hands can be as shown."""
    counts = Counter(card for card in shown_cards(event) if card != UNKNOWN)
    strange = [card for card in sorted(counts) if card not in table.pack]
    known = [card for card in sorted(counts) if card in table.pack]
    twice = [card for card in known if counts[card] > table.pack[card]]
    many = [card for card in known if table.seen.get(card, 0) + counts[card] > table.pack[card]]
    many = [card for card in many if card not in twice]
    found: list[Finding] = []
    if strange:
        found.append(table.found("card-not-in-deck", event, seat=event.seat, cards=strange))
    if twice:
        found.append(table.found("card-in-two-groups", event, seat=event.seat, cards=twice))
    if many:
        found.append(table.found("too-many-copies", event, seat=event.seat, cards=many))
    return found or NONE


def sound(table: BasicTable, event: Show) -> bool:
    """Whether a shown hand can be the one that was played, card for card."""
    cards = shown_cards(event)
    if UNKNOWN in cards:
        return False
    if not table.live:
        return not _as_seen(table, event)
    hand = _hand(table, event.seat, len(cards))
    lacking = held_of(table, hand, cards)[1]
    return not lacking and (not table.counted(event.seat) or len(hand) == len(cards))
