"""The deal: who plays, how many cards each gets, and whether a stated pack was dealt."""

from __future__ import annotations

from rummy_audit.rhl.records import Deal, Draw, Misdeal, Reveal, Upcard
from rummy_audit.rhl.shuffle import cards_pack
from rummy_audit.rules.deck import (
    Pull,
    first_contradiction,
    judge_reveal,
    round_of_deals,
)
from rummy_audit.rules.families.basic.sheet import absent
from rummy_audit.rules.families.basic.table import BasicTable
from rummy_audit.rules.findings import NONE, Finding, Findings


def players_allowed(table: BasicTable) -> list[Finding]:
    """The number of players is within the rules."""
    count, rules = len(table.order) - len(absent(table)), table.rules
    if count < rules.number("players_min"):
        parameter, bound = "players_min", "least"
    elif count > rules.number("players_max"):
        parameter, bound = "players_max", "most"
    else:
        return []
    expected = rules.number(parameter)
    return [
        table.found("player-count", 0, parameter, recorded=count, expected=expected, bound=bound)
    ]


def cards_dealt(table: BasicTable, event: Deal) -> Findings:
    """Every player is dealt the same number of cards; a wrong deal is played on."""
    if not table.live:
        return NONE
    count = len(event.cards) if event.cards is not None else event.count
    if count is None:
        table.skip("deal-count", "a deal does not say how many cards it was")
        return NONE
    again = isinstance(table.annulled, Misdeal)
    before = () if again else {each.seat for each in table.deals}
    if event.seat in before and table.counted(event.seat):
        count += table.seat_course(event.seat).size
    expected = table.settings.hand_size
    if count == expected:
        return NONE
    return [
        table.found(
            "deal-count", event, "hand_size", seat=event.seat, recorded=count, expected=expected
        )
    ]


def pulls_of_the_deal(table: BasicTable) -> tuple[Pull, ...]:
    """Return the cards of the deal as they left the pack; nothing where that cannot be told."""
    dealer = table.record.dealer
    seats = [each.seat for each in table.deals]
    if dealer is None or len(set(seats)) < len(seats):
        return ()
    in_order = sorted(table.deals, key=lambda each: (each.seat <= dealer, each.seat))
    if any(each.cards is None for each in in_order) or not in_order:
        return ()
    return round_of_deals([(each.seat, each.seq, each.cards or ()) for each in in_order])


def deal_follows_pack(table: BasicTable, event: Upcard | Draw) -> Findings:
    """Cards dealt from a pack of stated order are those that lie there, and the upcard next."""
    if table.deck is None or table.turned_up or table.first_draw is not None or not table.live:
        return NONE
    pulls = pulls_of_the_deal(table)
    if not pulls:
        table.skip("deck-order", "the deal cannot be laid over the stated pack")
        return NONE
    if isinstance(event, Upcard):
        pulls = (*pulls, Pull("top", event.card, event.seq))
    found = first_contradiction(table.deck, pulls)
    if found is None:
        return NONE
    pull, expected = found
    return [
        table.found("deck-order", pull.seq, seat=pull.seat, recorded=pull.card, expected=expected)
    ]


def seed_as_committed(table: BasicTable, event: Reveal) -> Findings:
    """The revealed seed is the one committed to, and the cards came as it says."""
    shuffle = table.shuffle
    if shuffle is None or not table.live:
        table.skip("shuffle-mismatch", "the shuffle was not written down")
        return NONE
    cards = cards_pack(table.rules.number("decks"), table.settings.jokers)
    return judge_reveal(table, event, shuffle, cards, deck=table.deck, pulls=table.pulls)
