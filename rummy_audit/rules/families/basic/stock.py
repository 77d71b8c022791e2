"""The stock and the discard pile: where a card is drawn from, and when the stock is renewed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rummy_audit.rhl.records import JOKER, UNKNOWN, Draw, Reshuffle, Upcard
from rummy_audit.rules.deck import Pull, contradiction
from rummy_audit.rules.families.basic.table import BasicTable
from rummy_audit.rules.families.basic.turn import follows_late
from rummy_audit.rules.findings import NONE, Findings

# What happens when the stock has run out: renewed, or the end of the hand.
RENEWED = ("reshuffle", "turn-over")


def top_of_the_pile(table: BasicTable, event: Draw) -> Findings:
    """Only the top card of the discard pile may be taken.

    A card that is not in the pile at all cannot have been moved (``moves``).
    """
    if event.from_ == "stock" or not table.pile or not table.live:
        return NONE
    card = event.cards[0] if event.cards else event.card
    top = table.pile[-1]
    if card in (None, top, UNKNOWN):
        return NONE
    if card not in table.pile and (top == UNKNOWN or UNKNOWN not in table.pile):
        return NONE
    if top == UNKNOWN and table.seen.get(str(card), 0) < table.pack.get(str(card), 0):
        return NONE  # the card nobody saw may be another copy
    if follows_late(table, table.seat_course(event.seat), event.seat) and card == table.pile[-2]:
        return NONE  # it was on top before the discard
    return [
        table.found(
            "draw-not-top", event, seat=event.seat, recorded=card, expected=top, card=card, top=top
        )
    ]


def stock_renewed(table: BasicTable, event: Draw) -> Findings:
    """A stock that has run out is renewed before the draw that needs it."""
    if event.from_ != "stock" or table.stock != 0 or table.done or not table.live:
        return NONE
    return [table.found("reshuffle-missing", event, "stock_exhausted", seat=event.seat)]


def next_of_the_stock(table: BasicTable, event: Draw) -> Findings:
    """Where the order of the stock is known, its top card is the one drawn."""
    if table.known is None or event.from_ != "stock" or table.upcard_due:
        return NONE
    card = event.cards[0] if event.cards else event.card
    return contradiction(table, table.known, Pull("top", card, event.seq, event.seat), event)


def upcard_after_turning(table: BasicTable, event: Draw) -> Findings:
    """After the pile was turned over, the top card of the new stock is turned up at once."""
    if not table.upcard_due or table.done or not table.live:
        return NONE
    return [table.found("upcard-order", event, "stock_exhausted", seat=event.seat)]


def upcard_in_order(table: BasicTable, event: Upcard) -> Findings:
    """One card is turned up after the deal, and one after the pile was turned over.

    A second one is right only where the first was a printed joker.
    """
    if not table.live or table.done or table.late_upcard:
        return NONE
    in_order = contradiction(table, table.known, Pull("top", event.card, event.seq), event)
    if table.upcard_due or table.upcard_free:
        return in_order
    if table.first_draw is not None:
        if table.stock == 0 and table.settings.exhausted == "turn-over":
            return [table.found("reshuffle-missing", event, "stock_exhausted")]
        return [table.found("upcard-order", event, card=event.card)]
    if table.pile and table.pile[-1] not in (JOKER, UNKNOWN):
        return [table.found("upcard-order", event, card=event.card)]
    return in_order


def reshuffle_in_time(table: BasicTable, event: Reshuffle) -> Findings:
    """The stock is renewed when it is empty, where the rules renew it, and so often as they allow.

    ``hand-ends`` and ``block`` never renew it: any reshuffle comes too early.
    """
    rules, ended = table.settings, table.ended
    if not table.live or table.is_renewed or (table.done and not (ended and ended.by_stock)):
        return NONE
    if rules.exhausted not in RENEWED:
        return [table.found("reshuffle-early", event, "stock_exhausted", stock=table.stock)]
    if table.stock is None:
        table.skip("reshuffle-early", "the size of the stock is not known")
    elif table.stock > table.slack:
        return [
            table.found(
                "reshuffle-early", event, "stock_exhausted", recorded=table.stock, expected=0
            )
        ]
    if rules.reshuffles_max is not None and table.reshuffles >= rules.reshuffles_max:
        return [
            table.found(
                "reshuffle-too-often",
                event,
                "reshuffles_max",
                recorded=table.reshuffles + 1,
                expected=rules.reshuffles_max,
            )
        ]
    return NONE


def is_turned(table: BasicTable, event: Reshuffle) -> bool:
    """Whether the pile was turned over, unshuffled, as far as the log says.

    A log that names no order leaves the word out where the rules turn the pile.
    """
    if event.turned is not None:
        return event.turned
    if table.settings.exhausted != "turn-over":
        return False
    if event.cards is None:
        return True
    seen = Counter(card for card in table.pile if card != UNKNOWN)
    return len(event.cards) == len(table.pile) and seen <= Counter(event.cards)


def to_move(table: BasicTable, *, turned: bool) -> list[str]:
    """Return the cards of the pile that are to become the stock, oldest discard first."""
    if turned or not table.settings.keeps_top:
        return list(table.pile)
    return table.pile[:-1]


def reshuffled_cards(table: BasicTable, event: Reshuffle) -> Findings:
    """The pile becomes the stock as the rules say: its own cards, shuffled or turned over.

    Turned over, the oldest discard comes on top. What is left of the stock may be
    shuffled in when the stock was not yet empty.
    """
    ended = table.ended
    if not table.live or table.is_renewed or (table.done and not (ended and ended.by_stock)):
        return NONE
    if table.settings.exhausted in RENEWED:
        wanted = table.settings.exhausted == "turn-over"
        if event.turned is not None and event.turned != wanted:
            return [
                table.found(
                    "deck-order",
                    event,
                    "stock_exhausted",
                    recorded="turned-over" if event.turned else "shuffled",
                    expected="turned-over" if wanted else "shuffled",
                    how="turned-over" if event.turned else "shuffled",
                )
            ]
    if event.cards is None or UNKNOWN in event.cards or UNKNOWN in table.pile:
        table.skip("deck-order", "not every card of the new stock was seen")
        return NONE
    turned = is_turned(table, event)
    moved = to_move(table, turned=turned)
    if _same_cards(table, list(event.cards), moved):
        in_order = not (turned or table.settings.exhausted == "turn-over") or table.stock != 0
        if in_order or list(event.cards) == moved:
            return NONE
    extra = sorted((Counter(event.cards) - Counter(moved)).elements())
    missing = sorted((Counter(moved) - Counter(event.cards)).elements())
    what: dict[str, Any] = {"extra": extra} if extra else {}
    if missing:
        what["missing"] = missing
    if not what:
        pairs = zip(event.cards, moved, strict=True)
        what["came"], what["due"] = next(pair for pair in pairs if pair[0] != pair[1])
    return [
        table.found(
            "deck-order",
            event,
            "stock_exhausted",
            recorded=list(event.cards),
            expected=moved,
            **what,
        )
    ]


def _same_cards(table: BasicTable, cards: list[str], moved: list[str]) -> bool:
    """Whether these are the pile's cards, or those and what was left of the stock."""
    more = Counter(cards)
    more.subtract(moved)
    if min(more.values(), default=0) < 0:
        return False
    rest = +more
    if not rest:
        return True
    if table.stock is None or table.stock != rest.total():
        return table.stock is None
    return all(
        table.seen.get(card, 0) + count <= table.pack.get(card, 0) for card, count in rest.items()
    )
