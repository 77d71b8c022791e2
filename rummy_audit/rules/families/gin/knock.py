"""The knock: in turn, after a draw, with little enough deadwood, and spread in full."""

from __future__ import annotations

from typing import Any

from rummy_audit.rhl.records import UNKNOWN, Discard, Knock
from rummy_audit.rules.families.gin import deal, moves, pile
from rummy_audit.rules.families.gin.deadwood import BIT, cards_of, points_of
from rummy_audit.rules.families.gin.ending import after_the_end
from rummy_audit.rules.families.gin.law import knock_limit
from rummy_audit.rules.families.gin.spread import Spread, read_spread
from rummy_audit.rules.families.gin.table import GinTable, Knocked
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.findings import codes as every_code

# What lets the opponent refuse a knock.
_REFUSABLE = frozenset(
    {"knock-over-limit", "knock-without-draw", "knock-while-barred", "discard-missing"}
)

# 003 Knocking


def knocks(table: GinTable, event: Knock) -> Findings:
    """A player who has drawn may knock with little enough deadwood, and spreads the hand."""
    found: list[Finding] = [*deal.closes(table, event)]
    stopped = None if table.blind else after_the_end(table, event)
    if stopped is not None or event.seat not in table.hands:
        return [*found, *(stopped or NONE)]
    found += knocks_in_turn(table, event)
    discard = thrown(table, event)
    if discard not in (None, UNKNOWN) and not table.hands[event.seat].may_hold(str(discard)):
        return found  # it cannot move: that is said when it does
    spread = lay_down(table, event)
    found += knocks_unbarred(table, event, spread)
    found += throws_a_card(table, event, spread)
    found += spread.findings
    found += spreads_all(table, event, spread)
    found += knocks_within_the_limit(table, event, spread)
    found += best_spread(table, event, spread)
    table.judged = (event, spread, frozenset(finding.code for finding in found))
    return found


def thrown(table: GinTable, event: Knock) -> str | None:
    """Return the card thrown with a knock; ``??`` where it was thrown and not written down.

    At the details that leave out play, ten cards laid down had an eleventh.
    """
    if event.discard is None and table.blind:
        named = sum(map(len, event.groups)) + len(event.loose or ())
        if named <= table.law.hand_size:
            return UNKNOWN
    return event.discard


def threw_before(table: GinTable, event: Knock) -> bool:
    """Whether the card thrown with a knock was written down before it, as a discard."""
    at_rest = not table.blind and event.seat not in table.drawn
    return event.discard is None and at_rest and table.last_discard == event.seat


def lay_down(table: GinTable, event: Knock) -> Spread:
    """Return the spread of a knock, read once."""
    if table.judged is None or table.judged[0] is not event:
        if table.blind and event.seat not in table.drawn:
            moves.draw_unseen(table, event.seat)
        elif event.loose is not None:
            cards = sum(map(len, event.groups)) + len(event.loose) + (event.discard is not None)
            moves.follow_what_lies(
                table, event.seat, cards, drew=table.blind or event.seat in table.drawn
            )
        spread = read_spread(
            table,
            event,
            seat=event.seat,
            groups=event.groups,
            loose=event.loose,
            discard=thrown(table, event),
        )
        table.judged = (event, spread, frozenset())
    return table.judged[1]


def knocks_in_turn(table: GinTable, event: Knock) -> Findings:
    """A knock ends the knocker's own turn, after a draw."""
    if table.blind or event.seat in table.drawn:
        return NONE
    return (table.found("knock-without-draw", event, "knock_max", seat=event.seat),)


def knocks_unbarred(table: GinTable, event: Knock, spread: Spread) -> Findings:
    """003 Irregular Hands, Illegally Seeing a Card: who must wait a turn does not knock."""
    seat = table.seats[event.seat]
    if seat.correction is not None and table.law.correction_bars:
        parameter = "correction_bars_knock"
        seat.correction.noticed.state = "broken"
    elif seat.barred == table.turn_no and table.turn == event.seat and seat.why is not None:
        gin = spread.points == 0 and table.law.seen_card_bars == "unless-gin"
        if gin:
            return NONE
        parameter = "seen_card_bars_knock"
        seat.why.state = "broken"
    else:
        return NONE
    return (table.found("knock-while-barred", event, parameter, seat=event.seat),)


def is_big_gin(table: GinTable, event: Knock, spread: Spread) -> bool:
    """Whether eleven cards lie in melds and none is thrown, where that is played."""
    return (
        event.discard is None
        and table.law.big_gin is not None
        and deadwood_of(table, spread) == 0
        and spread.cards.bit_count() == table.law.hand_size + 1
    )


def throws_a_card(table: GinTable, event: Knock, spread: Spread) -> Findings:
    """The knocker's last card goes face down on the discard pile; only big gin keeps it.

    A card taken from the pile in this turn may not be it.
    """
    if thrown(table, event) is None:
        if is_big_gin(table, event, spread) or threw_before(table, event):
            return NONE
        if spread.dark and not spread.loose and table.law.big_gin is not None:
            table.skip("discard-missing", "whether it is big gin cannot be told")
            return NONE
        return (table.found("discard-missing", event, "big_gin_bonus", seat=event.seat),)
    taken = table.drawn.get(event.seat)
    if taken is None or table.law.retake:
        return NONE
    fell = event.discard
    if UNKNOWN in (taken, fell) and not BIT.get(taken, 0) & spread.cards:
        # Which card was thrown is seen from a hand of which every other card lies there.
        if taken == UNKNOWN or spread.cards.bit_count() != table.law.hand_size:
            table.skip("discard-just-taken", "which card was taken and thrown is not known")
            return NONE
        fell = taken
    if taken != fell:
        return NONE
    return (
        table.found("discard-just-taken", event, "discard_just_taken", seat=event.seat, card=taken),
    )


def spreads_all(table: GinTable, event: Knock, spread: Spread) -> Findings:
    """The knocker lays down every card, and a deadwood that is called is the right one."""
    found: list[Finding] = []
    if spread.short < 0:
        found.append(
            table.found(
                "hand-size",
                event,
                "hand_size",
                seat=event.seat,
                recorded=spread.size - spread.short,
                expected=spread.size,
            )
        )
    threw = thrown(table, event) is not None or threw_before(table, event)
    left_out = spread.short > 0 and threw
    called = event.deadwood
    wrong = called is not None and not called_rightly(called, spread, best=table.law.best_knocker)
    if left_out or wrong:
        data: dict[str, Any] = {}
        if left_out:
            data |= {"cards": list(spread.missing), "missing": spread.short}
        found.append(
            table.found(
                "knock-wrong-deadwood",
                event,
                "judge_knocker",
                seat=event.seat,
                recorded=called,
                expected=spread.points,
                **data,
            )
        )
    return found


def called_rightly(called: int, spread: Spread, *, best: bool) -> bool:
    """Whether a deadwood that was called is right, or follows from a slip named already."""
    if spread.points is None or called == spread.points:
        return True
    if best and called == spread.best:
        return True
    missing = 0
    for card in spread.missing:
        missing |= BIT[card]
    as_laid = points_of(spread.loose & ~spread.invalid & ~missing)
    return called == as_laid and bool(spread.invalid or missing or spread.wrong)


def deadwood_of(table: GinTable, spread: Spread) -> int | None:
    """Return the deadwood a knock is judged by; None where cards are not known."""
    return spread.best if table.law.best_knocker else spread.points


def knocks_within_the_limit(table: GinTable, event: Knock, spread: Spread) -> Findings:
    """A player knocks with no more deadwood than the limit allows, after the discard."""
    limit = knock_limit(table.law, table.upcard)
    if limit is None:
        table.skip("knock-over-limit", "the upcard, which sets the limit, is not recorded")
        return NONE
    points = deadwood_of(table, spread)
    if points is None:
        table.skip("knock-over-limit", "not all cards of the knocker are known")
        if spread.short < 0 or table.law.best_knocker:
            return NONE  # with cards that are not known there may be melds of others
        points = points_of(spread.loose)
    if thrown(table, event) is None and not threw_before(table, event):
        # The card that should have been thrown does not count.
        points -= max((points_of(BIT[card]) for card in cards_of(spread.loose)), default=0)
    if points <= limit:
        return NONE
    ace = table.law.knock_max is None and table.upcard is not None and table.upcard[0] == "A"
    return (
        table.found(
            "knock-over-limit",
            event,
            "oklahoma_ace" if ace else "knock_max",
            seat=event.seat,
            recorded=points,
            expected=limit,
            cards=list(cards_of(spread.loose)),
        ),
    )


def best_spread(table: GinTable, event: Knock, spread: Spread) -> Findings:
    """The knocker may have melded better than was spread: both numbers are told."""
    recorded, best = spread.points, spread.best
    if recorded is None or best is None or recorded <= best:
        return NONE
    return (
        table.found(
            "arrangement-not-best",
            event,
            "judge_knocker",
            seat=event.seat,
            recorded=recorded,
            expected=best,
        ),
    )


def knock(table: GinTable, event: Knock) -> None:
    """Lay the hand down and the discard on the pile; the turn is the opponent's."""
    if event.seat not in table.hands:
        raise pile.stranger(table, event, event.seat)
    table.begins_anew()
    moves.reopen(table)
    spread = lay_down(table, event)
    discard = thrown(table, event)
    owes_a_card = discard is None and not threw_before(table, event)
    if discard is not None:
        pile.throw(table, event, event.seat, discard)
    pile.uncover(table, event, event.seat, spread)
    if table.is_over:
        return
    moves.end_turn(table, event, event.seat)
    codes = frozenset[str]() if table.judged is None else table.judged[2]
    wrong: bool | None = bool(codes & _REFUSABLE)
    if not wrong and "knock-over-limit" in table.skipped:
        wrong = None
    table.knock = Knocked(event.seq, event.seat, spread, wrong=wrong, codes=_declared(codes))
    table.slips = [(finding.code, event.seq) for finding in spread.findings]
    if spread.short > 0:
        table.slips.append(("knock-wrong-deadwood", event.seq))
    table.knock.big = is_big_gin(table, event, spread)
    table.knock.fell = discard
    table.knock.unthrown = owes_a_card and not table.knock.big
    table.look_closer()


def throws_late(table: GinTable, event: Discard) -> bool:
    """Whether a discard only follows late on the knock that showed it missing: one slip."""
    knock = table.knock
    if knock is None or not knock.unthrown or knock.seat != event.seat:
        return False
    return moves.may_be_refused(table) and not table.over and not table.scores


def owed_before(table: GinTable, event: Discard) -> bool:
    """Whether a discard behind the opponent's knock is one that was found missing: one slip."""
    knock = table.knock
    if knock is None or knock.seat == event.seat or table.over or table.scores:
        return False
    hand = table.hands.get(event.seat)
    return (
        hand is not None
        and table.seats[event.seat].kept == "discard"
        and len(hand) > table.law.hand_size
    )


def discard(table: GinTable, event: Discard) -> None:
    """Move a discard to the pile; one that follows late on a knock is the card thrown with it."""
    knock = table.knock
    if table.blind or knock is None or not throws_late(table, event):
        moves.discard(table, event)
        return
    pile.throw(table, event, event.seat, event.card)
    knock.unthrown, knock.fell = False, event.card
    spread, thrown_card = knock.spread, BIT.get(event.card, 0)
    spread.cards &= ~thrown_card
    spread.loose &= ~thrown_card
    spread.missing = tuple(card for card in spread.missing if card != event.card)
    spread.size -= 1
    spread.short = max(spread.short - 1, 0)
    if spread.unknown and not spread.dark:
        spread.unknown = table.hands[event.seat].unknown
    spread.points = None if spread.unknown else points_of(spread.loose)
    points, limit = deadwood_of(table, spread), knock_limit(table.law, table.upcard)
    if points is not None and limit is not None:
        table.skipped.pop("knock-over-limit", None)
        if points > limit and "knock-over-limit" not in knock.codes:
            table.late.append(
                table.found(
                    "knock-over-limit",
                    knock.seq,
                    "knock_max",
                    seat=knock.seat,
                    recorded=points,
                    expected=limit,
                    cards=list(cards_of(spread.loose)),
                )
            )
            knock.codes |= {"knock-over-limit"}
    knock.wrong = knock.judged = bool(knock.codes & _REFUSABLE)


def _declared(codes: frozenset[str]) -> frozenset[str]:
    """Keep the codes that speak of a declaration: a knock that is refused takes them along."""
    if not codes:
        return codes
    register = every_code()
    return frozenset(code for code in codes if register[code].category == "declaration")
