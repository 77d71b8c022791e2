"""Showing the hands: what losers lay open, and what their cards count.

001 Declaration Rules: after a right declaration the others lay down their hands
for counting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rummy_audit.rhl.cards_text import RANKS
from rummy_audit.rhl.records import UNKNOWN, Show
from rummy_audit.rules.arrange import TooHard
from rummy_audit.rules.families.indian import claim, stock
from rummy_audit.rules.families.indian.declaration import Groups
from rummy_audit.rules.families.indian.losers import Count, loser_points, show_findings
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import Finding, Findings

_TOO_MANY = "there are too many cards to arrange"


def shows_the_hand(table: IndianTable, event: Show) -> Findings:
    """A player shows the cards of the hand: those and no others, each once."""
    table.claimed = None
    seat = table.seats.get(event.seat)
    if seat is None or seat.state == "out":
        return claim.holds_nothing(table, event)
    named = table.named = claim.hold_against(table, event)
    found = named.found
    if named.whole and table.wild_card not in (None, UNKNOWN):
        seat.count, seat.unclear = _counted(table, event.groups, event.loose or ())
    else:
        size = None if named.whole else _wrong_size(table, event, named)
        if size is not None:
            found += (size,)
        seat.count, doubt = _count(table, event, named, sized=size is None)
        seat.unclear = named.doubt or doubt
    if seat.count is None:
        return found
    told = show_findings(seat.count, rules=table.rules, seq=event.seq, seat=event.seat)
    if told and seat.unclear:
        # What could have been grouped better is not known of cards that cannot be.
        told = tuple([each for each in told if each.severity != "note"])
    return found + told


def _wrong_size(table: IndianTable, event: Show, named: claim.Named) -> Finding | None:
    """A show is as large as the hand; a card named that cannot be there is said already."""
    seat, hand = table.seats[event.seat], table.hands[event.seat]
    held = table.law.hand_size if table.blind else len(hand)
    size = len(named.cards)
    if size == held or (size < held and _is_part(event)):
        return None
    strange = sum(_surplus(named, card) for card in dict.fromkeys(named.cards))
    allowed = {held}
    if not table.blind and (seat.slipped or seat.dealt != table.law.hand_size):
        # What the table made of a wrong deal that stands, or of a slip, is not in the rules.
        sizes = (held, table.law.hand_size, seat.dealt or held)
        allowed |= {*range(min(sizes), max(sizes) + 1)}
    if table.blind:
        allowed.add(table.law.hand_size if seat.dealt is None else seat.dealt)
    if size in allowed or size - strange in allowed:
        return None
    return table.found("hand-size", event, seat=event.seat, recorded=size, expected=held)


def _is_part(event: Show) -> bool:
    """Whether a log leaves out the groups of a hand or its loose cards: not known then."""
    return event.groups is None or event.loose is None


def _surplus(named: claim.Named, card: str) -> int:
    """Return how many times a card was named too often."""
    count = named.cards.count(card)
    if any(
        card in finding.data.get("cards", (finding.data.get("card"),)) for finding in named.found
    ):
        return count
    return 0 if named.copies is None else max(0, count - named.copies.get(card, 0))


def _count(
    table: IndianTable, event: Show, named: claim.Named, *, sized: bool
) -> tuple[Count | None, str]:
    """Count a show: the cards as named, and those held back; or say why it cannot be.

    After a slip that was named already the show is counted as it lies.
    """
    if UNKNOWN in named.cards:
        return None, "not all cards of the show are known"
    if not named.cards or not table.pack.keys() >= set(named.cards):
        return None, "the hand was not shown"
    hand, loose = table.hands[event.seat], [*(event.loose or ())]
    doubt = ""
    held = table.law.hand_size if table.blind else len(hand)
    part = _is_part(event) and len(named.cards) < held
    # A card named twice stands for one that was held back.
    once = len(named.cards) - _repeated(named)
    if part and (table.blind or hand.unknown or hand.gone or event.groups is None):
        doubt = "only a part of the hand is in this log"
    elif part:
        loose += named.unseen
    elif once < held and (not sized or once < len(named.cards)):
        if table.blind or hand.unknown or table.seats[event.seat].slipped:
            doubt = "not all cards of the hand were shown"
        else:
            loose += named.unseen
    elif not sized:
        doubt = "more cards were shown than the hand holds"
    groups, rules, copies = event.groups, table.rules, _with_held_back(named, loose)
    others = RANKS if table.wild_card in (None, UNKNOWN) else ""
    try:
        counted = loser_points(groups, loose, rules=rules, wild=table.wild, copies=copies)
        points = {
            loser_points(groups, loose, rules=rules, wild=wild, copies=copies).points
            for wild in others
        }
    except TooHard:
        return None, _TOO_MANY
    if points - {counted.points}:
        return None, "the wild joker is not in this log"
    return counted, doubt


def _repeated(named: claim.Named) -> int:
    """Return how many cards of a show are only others named again."""
    if named.copies is None:
        return 0
    counts = Counter(named.cards)
    return sum(max(0, counts[card] - most) for card, most in named.copies.items())


def _counted(
    table: IndianTable, groups: Groups | None, loose: Sequence[str]
) -> tuple[Count | None, str]:
    """Count a whole hand of which every card is known, and the wild joker too."""
    try:
        return loser_points(groups, loose, rules=table.rules, wild=table.wild), ""
    except TooHard:
        return None, _TOO_MANY


def _with_held_back(named: claim.Named, loose: Sequence[str]) -> dict[str, int] | None:
    """Return the most copies of each face, those among them that were not named."""
    if named.copies is None:
        return None
    held_back = {
        card: named.copies.get(card, 0) + named.unseen.count(card)
        for card in named.unseen
        if card in loose
    }
    return named.copies | held_back


def show(table: IndianTable, event: Show) -> None:
    """Note the shown hand; the cards stay where they are."""
    stock.shows_the_end(table, event)
    seat = table.seats.get(event.seat)
    if seat is None or seat.state == "out" or table.named is None:
        return
    if table.named.cards:
        seat.shown = event
    claim.take_in(table, event, table.named)
    table.named = None


def count_of(table: IndianTable, number: int) -> tuple[Count | None, str]:
    """Return what a seat that is still in the hand counts, or why that cannot be known.

    A hand that was not shown is counted by its best arrangement, if all its cards
    are known.
    """
    seat = table.seats[number]
    if seat.shown is not None:
        return (None, seat.unclear) if seat.unclear else (seat.count, "")
    cards = seat.rest if seat.rest is not None else known_hand(table, number)
    if cards is None:
        return None, "not all cards of the hand are known"
    return _counted(table, None, cards)


def known_hand(table: IndianTable, number: int) -> tuple[str, ...] | None:
    """Return the cards of a seat if every one of them is known."""
    hand = table.hands[number]
    if table.blind or hand.unknown or hand.gone or table.wild_card in (None, UNKNOWN):
        return None
    return hand.cards()
