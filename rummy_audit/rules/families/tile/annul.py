"""Hands that the table annulled: a misdeal or a void, with a reason or without.

The rules of tile rummy name no misdeal. What the deal itself shows to be wrong is
reason enough to deal again, and so is that all agreed before anybody played; a
hand is void when all agree.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Hand, Misdeal, Void
from rummy_audit.rules.families.tile.table import TileTable
from rummy_audit.rules.findings import NONE, Findings


def annulled_with_reason(table: TileTable, event: Misdeal | Void) -> Findings:
    """A hand is annulled for a wrong deal, or because all agreed."""
    if table.called is not None:
        return NONE
    code = "misdeal-unfounded" if isinstance(event, Misdeal) else "void-unfounded"
    return _founded(table, event, code, event.cause)


def ended_with_reason(table: TileTable, hand: Hand) -> Findings:
    """The end of a log says misdeal or void only with a reason, too."""
    if hand.end is None or hand.end.status not in ("misdeal", "void") or table.called is not None:
        return NONE
    if hand.end.status == "void":
        return _founded(table, 0, "void-unfounded", None)
    redealt(table)
    return _founded(table, 0, "misdeal-unfounded", None)


def _founded(
    table: TileTable, event: Misdeal | Void | int, code: str, cause: str | None
) -> Findings:
    seat = None
    begun = table.actor is not None
    if wrong_deals(table):
        return NONE
    if cause == "agreed" and not (begun and code == "misdeal-unfounded"):
        return NONE
    if cause is None and table.detail != "full":
        table.skip(code, "the cause is not recorded")
        return NONE
    noticed = {each.kind for each in table.noticed}
    if cause in noticed or (cause is None and noticed & {"exposed-card", "not-shuffled"}):
        return NONE
    if cause in ("exposed-card", "not-shuffled", "wrong-dealer", "other"):
        table.skip(code, "whether its cause was there is not in this log")
        return NONE
    if cause == "wrong-count" and not (table.deals and table.stock is not None):
        table.skip(code, "how many tiles were dealt is not in this log")
        return NONE
    return [table.found(code, event, seat=seat, recorded=cause)]


def wrong_deals(table: TileTable) -> list[int]:
    """Return the deals that gave a wrong number of tiles."""
    return [deal.seq for deal in table.deals if "deal-count" in table.faults_of(deal)]


def redealt(table: TileTable) -> None:
    """Mark a wrong deal that the table answered with a new one as dealt with."""
    for seq in wrong_deals(table):
        table.handle(seq, ("deal-count",))
