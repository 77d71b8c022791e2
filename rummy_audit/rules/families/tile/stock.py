"""The stock of a known order: the tiles that were dealt and drawn are those that lay there."""

from __future__ import annotations

from rummy_audit.rhl.shuffle import tiles_pack
from rummy_audit.rules.deck import Pull, first_contradiction, judge_reveal, round_of_deals
from rummy_audit.rules.families.tile.table import TileTable
from rummy_audit.rules.findings import NONE, Finding, Findings


def pulls(table: TileTable) -> tuple[Pull, ...]:
    """Return the tiles as they left the stock; nothing where that cannot be told.

    They are dealt one at a time, from the seat of the first deal.
    """
    seats = [each.seat for each in table.deals]
    if not seats or len(set(seats)) < len(seats) or any(e.cards is None for e in table.deals):
        return ()
    in_turn = sorted(table.deals, key=lambda each: (each.seat < seats[0], each.seat))
    dealt = round_of_deals([(each.seat, each.seq, each.cards or ()) for each in in_turn])
    return (*dealt, *table.pulls) if dealt else ()


def as_stated(table: TileTable) -> Findings:
    """Tiles from a stock of stated order come as they lay there, up to the first that does not.

    So do those from a shuffle whose seed was told.
    """
    found: list[Finding] = []
    left = pulls(table)
    if table.deck is not None:
        if not left:
            if table.deals:
                table.skip("deck-order", "the deal cannot be laid over the stated order")
        elif first := first_contradiction(table.deck.cards, left):
            pull, expected = first
            found.append(
                table.found(
                    "deck-order", pull.seq, seat=pull.seat, recorded=pull.card, expected=expected
                )
            )
    if table.reveal is None:
        return found or NONE
    if table.shuffle is None:
        table.skip("shuffle-mismatch", "the shuffle is not in this log")
        return found
    deck = table.deck.cards if table.deck else None
    if deck is None and not left:
        table.skip("shuffle-mismatch", "the deal cannot be laid over the order of the shuffle")
    found += judge_reveal(table, table.reveal, table.shuffle, tiles_pack(), deck=deck, pulls=left)
    return found
