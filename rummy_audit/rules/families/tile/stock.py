"""The stock of a known order: the tiles that were dealt and drawn are those that lay there."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_audit.rhl.records import UNKNOWN, Draw, Event, Penalty, Reveal
from rummy_audit.rhl.shuffle import tiles_pack
from rummy_audit.rules.deck import Pull, first_contradiction, judge_reveal, round_of_deals
from rummy_audit.rules.families.tile.table import TileTable
from rummy_audit.rules.findings import NONE, Findings


def dealt(table: TileTable) -> tuple[Pull, ...]:
    """Return the tiles of the deal as they left the stock; nothing where that cannot be told.

    They are dealt one at a time, from the seat of the first deal.
    """
    seats = [each.seat for each in table.deals]
    if len(set(seats)) < max(2, len(seats)) or any(e.cards is None for e in table.deals):
        return ()
    in_turn = sorted(table.deals, key=lambda each: (each.seat < seats[0], each.seat))
    return round_of_deals([(each.seat, each.seq, each.cards or ()) for each in in_turn])


def deal_as_stated(table: TileTable, _event: Event | int) -> Findings:
    """Tiles dealt from a stock of stated order are those that lie there.

    Asked by the first act of play, which closes the deal.
    """
    if table.deck is None or table.actor is not None or table.gone_from_deck is not None:
        return NONE
    left = dealt(table)
    if not left:
        table.skip("deck-order", "the deal cannot be laid over the stated order")
        return NONE
    first = first_contradiction(table.deck.cards, left)
    if first is None:
        table.gone_from_deck = len(left)
        return NONE
    pull, expected = first
    return [
        table.found("deck-order", pull.seq, seat=pull.seat, recorded=pull.card, expected=expected)
    ]


def drawn_as_stated(table: TileTable, event: Draw | Penalty) -> Findings:
    """Tiles drawn from a stock of stated order come as they lie there."""
    if table.ended is not None and isinstance(event, Draw):
        return NONE
    tiles = (event.card,) if isinstance(event, Draw) and event.card else event.cards or ()
    if any(table.seen.get(tile, 0) >= table.pack.get(tile, 0) for tile in tiles):
        return NONE  # such a tile cannot be there at all: that is said as it moves
    return [
        table.found("deck-order", event, seat=event.seat, recorded=came, expected=lay)
        for came, lay in contradicted(table, tiles)[:1]
    ]


def contradicted(table: TileTable, tiles: Sequence[str]) -> list[tuple[str, str]]:
    """Return the tiles that came otherwise than they lay, each with the one that lay there."""
    if table.deck is None or table.gone_from_deck is None:
        return []
    there = table.deck.cards[table.gone_from_deck :]
    return [
        (came, lay) for came, lay in zip(tiles, there, strict=False) if came not in (UNKNOWN, lay)
    ]


def seed_as_committed(table: TileTable, event: Reveal) -> Findings:
    """The revealed seed is the one committed to, and the tiles came as it says."""
    if table.shuffle is None:
        table.skip("shuffle-mismatch", "the shuffle is not in this log")
        return NONE
    left = dealt(table)
    deck = table.deck.cards if table.deck else None
    if deck is None and not left:
        table.skip("shuffle-mismatch", "the deal cannot be laid over the order of the shuffle")
    return judge_reveal(
        table,
        event,
        table.shuffle,
        tiles_pack(),
        deck=deck,
        pulls=(*left, *table.pulls) if left else (),
    )
