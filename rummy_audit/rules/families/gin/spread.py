"""A hand laid open, by a knock or a show: what it claims, and what it is worth.

The common case, a hand laid out in valid melds with nothing missing, is answered
by masks; what follows below it is asked only when something is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rummy_audit.rhl.records import UNKNOWN, Event
from rummy_audit.rules.families.gin import deadwood
from rummy_audit.rules.families.gin.deadwood import BIT, MELDS, POINTS, mask_of, points_of
from rummy_audit.rules.families.gin.law import NAMES
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.groups import group_findings, read_group
from rummy_audit.rules.table import Holding


class Spread:
    """A hand as it lay open.

    ``groups`` and ``masks`` stand in the order claimed, without cards that could
    not be there; the mask of an invalid group is 0, and so is that of a ``dark`` one (by
    its place), in which a card is not known. ``cards`` is every card known to be in the
    hand, ``loose`` those that count, ``missing`` held cards that were not laid down.
    ``unknown`` is how many more there are that nobody knows. ``wrong`` tells that the
    claim names cards that cannot be, ``short`` how many cards it leaves out (less than
    none: too many), ``size`` how many there were to lay, ``grouped`` that groups were
    written down at all. ``points`` is the deadwood as it lies, None where cards are not
    known; ``claimed`` what it were if every claim held.
    """

    __slots__ = (
        "cards",
        "claimed",
        "dark",
        "findings",
        "grouped",
        "groups",
        "invalid",
        "loose",
        "masks",
        "missing",
        "points",
        "short",
        "size",
        "unknown",
        "wrong",
    )

    def __init__(
        self, groups: tuple[tuple[str, ...], ...], masks: list[int], cards: int, loose: int
    ) -> None:
        """Keep a spread that claims nothing wrong."""
        self.groups = groups
        self.masks = masks
        self.cards = cards
        self.loose = loose
        self.missing: tuple[str, ...] = ()
        self.unknown = 0
        self.short = 0
        self.size = cards.bit_count()
        self.wrong = False
        self.grouped = True
        self.dark: frozenset[int] = frozenset()
        self.invalid = 0
        self.claimed = points_of(loose)
        self.points: int | None = self.claimed
        self.findings: list[Finding] = []

    @property
    def best(self) -> int | None:
        """The least deadwood of the same cards; None where cards are not known."""
        if self.points is None:
            return None
        less = deadwood.less_than(self.points, self.cards)
        return self.points if less is None else less

    @property
    def melds(self) -> list[int]:
        """The valid melds, as masks."""
        return [mask for mask in self.masks if mask]


def read_spread(
    table: GinTable,
    event: Event,
    *,
    seat: int,
    groups: Sequence[tuple[str, ...]],
    loose: Sequence[str] | None,
    discard: str | None = None,
) -> Spread:
    """Read a hand as it was laid open; ``discard`` is the card thrown in the same act.

    Without ``loose`` it was not written down what lay beside the melds: whatever
    is left of the hand did.
    """
    hand = table.hands[seat]
    known = not hand.unknown and not hand.gone and discard != UNKNOWN
    if known and not table.seats[seat].stranded:
        plain = _plain(hand, groups, loose, discard)
        if plain is not None:
            return plain
    return _Reader(table, event, seat, discard).read(groups, loose)


def _plain(
    hand: Holding,
    groups: Sequence[tuple[str, ...]],
    loose: Sequence[str] | None,
    discard: str | None,
) -> Spread | None:
    """Read a spread with nothing wrong; None where there may be."""
    cards = sum(map(BIT.__getitem__, hand.known))  # each is there once
    if discard is not None:
        cards &= ~BIT.get(discard, 0)
    try:
        masks = [mask_of(group) for group in groups]
        rest = cards & ~sum(masks) if loose is None else mask_of(loose)
    except KeyError:
        return None
    union = rest
    named = rest.bit_count() if loose is None else len(loose)
    for mask, group in zip(masks, groups, strict=True):
        if mask not in MELDS:
            return None
        union |= mask
        named += len(group)
    if union != cards or named != cards.bit_count():
        return None
    return Spread(tuple(groups), masks, cards, rest)


class _Reader:
    """Reading of a spread card by card, each against what the hand can hold."""

    def __init__(self, table: GinTable, event: Event, seat: int, discard: str | None) -> None:
        self.table = table
        self.event = event
        self.seat = seat
        self.discard = discard
        self.hand = table.hands[seat]
        self.used: set[str] = set()
        self.from_unknown = 0
        self.dropped = 0
        self.unseen = 0
        self.dark: frozenset[int] = frozenset()
        self.strange: dict[str, list[tuple[str, int | None]]] = {}
        self.findings: list[Finding] = []
        if discard in BIT:
            self.used.add(discard)
            self.from_unknown += not self.hand.holds(discard)

    def read(self, groups: Sequence[tuple[str, ...]], loose: Sequence[str] | None) -> Spread:
        """Read all groups and loose cards, and what was left out."""
        held = [self._held(group, number) for number, group in enumerate(groups, 1)]
        rest = self._held(loose or (), None)
        wrong = bool(self.strange)
        self._name_strange()
        invalid = 0
        masks = []
        self.dark = frozenset(number for number, group in enumerate(groups) if UNKNOWN in group)
        for number, (group, claimed) in enumerate(zip(held, groups, strict=True), 1):
            mask = mask_of(group)
            dark = number - 1 in self.dark
            if not dark and mask in MELDS and mask.bit_count() == len(group):
                masks.append(mask)
                continue
            masks.append(0)
            if dark:
                continue  # whether it is a meld hangs on the card that nobody wrote down
            invalid |= mask
            self._judge(group, claimed, number)
        thrown = BIT.get(self.discard or "", 0)
        named = mask_of(self.used) & ~thrown
        left_out = mask_of(self.hand.known) & ~thrown & ~named
        spread = Spread(tuple(held), masks, named, mask_of(rest) | invalid)
        spread.claimed = (
            points_of(left_out) if loose is None else sum(POINTS.get(card, 0) for card in loose)
        )
        spread.wrong = wrong
        spread.dark = self.dark
        spread.invalid = invalid
        self._count(spread, sum(map(len, groups)) + len(loose or ()), left_out)
        if loose is None and spread.short > 0:
            spread.short = 0
        spread.findings = self.findings
        return spread

    def _held(self, cards: Sequence[str], group: int | None) -> tuple[str, ...]:
        """Return the cards that can be there, and find those that cannot."""
        kept = []
        for card in cards:
            code = self._against(card)
            if code is None:
                self.used.add(card)
                kept.append(card)
                continue
            self.dropped += 1
            self.unseen += not code
            if code:
                self.strange.setdefault(code, []).append((card, group))
        return tuple(kept)

    def _name_strange(self) -> None:
        """Name the cards that cannot be there: of each kind in one finding."""
        for code, those in self.strange.items():
            data: dict[str, Any] = {"cards": [card for card, _ in those]}
            if len(those) == 1:
                [(card, group)] = those
                data = {"card": card} | ({} if group is None else {"group": group})
            self.findings.append(self.table.found(code, self.event, seat=self.seat, **data))

    def _against(self, card: str) -> str | None:
        """Say what speaks against a card; "" where it is merely unknown."""
        if card == UNKNOWN:
            return ""
        if card not in BIT:
            return "card-not-in-deck"
        if card in self.used:
            return "card-in-two-groups"
        if self.hand.holds(card):
            return None
        if not self.hand.unknown:
            return "card-not-held"
        if self.table.seen.get(card) and not self.table.may_lie_elsewhere(card):
            return "card-not-held"
        self.from_unknown += 1
        return None

    def _judge(self, group: tuple[str, ...], claimed: tuple[str, ...], number: int) -> None:
        """Name the breaches of a group, unless a card it claims was never there."""
        strange = any(card not in self.used and card != self.discard for card in claimed)
        if strange:
            return
        reading = read_group(group, self.table.law.groups)
        self.findings += group_findings(
            reading,
            self.table.rules,
            cards=group,
            seq=self.event.seq,
            seat=self.seat,
            group=number,
            names=NAMES,
        )

    def _count(self, spread: Spread, named: int, left_out: int) -> None:
        """Count what was laid down against what the hand holds.

        A card claimed wrongly in the place of a held one leaves the number right; that
        is one slip. Where cards went unseen, what is left may be one of them.
        """
        hand = self.hand
        size = len(hand) - (self.discard is not None)
        stranded = mask_of(self.table.seats[self.seat].stranded) & left_out
        size -= stranded.bit_count()
        spread.size = size
        valid = named - self.dropped
        if size not in (named, valid + self.unseen):
            spread.short = size - valid - self.unseen
        if hand.gone or self.dark or self.discard == UNKNOWN:
            left_out = stranded
            spread.unknown = max(size - valid, 0)
        else:
            spread.unknown = max(hand.unknown - self.from_unknown, 0)
        if valid > size:
            spread.unknown = 1  # which of them is not this hand's cannot be known
        spread.missing = deadwood.cards_of(left_out & ~stranded)
        spread.cards |= left_out
        spread.loose |= left_out
        spread.points = None if spread.unknown else points_of(spread.loose)
