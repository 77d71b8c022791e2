"""How a hand ends without points: misdeal and void, and play after the end."""

from __future__ import annotations

from rummy_audit.rhl.records import Discard, Draw, Event, Knock, Misdeal, Pass, Void
from rummy_audit.rules.families.gin import deal
from rummy_audit.rules.families.gin.correction import wrong_sizes
from rummy_audit.rules.families.gin.moves import may_be_refused
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import NONE, Finding, Findings

_DEAL_CODES = ("deal-count", "deal-exposed", "deal-unshuffled", "dealer-wrong")


def is_decided(table: GinTable) -> bool:
    """Whether nothing that is played now can change the hand any more.

    A wrong knock that was not accepted may still be refused by playing on. After a misdeal
    the hand is dealt again, which a log without the play does not show.
    """
    if table.blind and table.over == "misdeal":
        return False
    return table.is_over and bool(table.over or table.scores or not may_be_refused(table))


def after_the_end(table: GinTable, event: Draw | Discard | Pass | Knock) -> Findings | None:
    """Nobody plays on once the hand is decided or scored; found once.

    Returns None where play has to be judged on.
    """
    if not is_decided(table):
        return None
    if not table.say_once("event-after-end"):
        return NONE
    return (table.found("event-after-end", event, seat=event.seat),)


# 003 Wrong Dealer, Faced Cards, Irregular Hands


def misdeal_is_due(table: GinTable) -> Finding | None:
    """A deal that has to be dealt again is not played on: found at the first draw.

    Not where the table found out later and dealt with it then as it should.
    """
    if not table.played_on or not table.due:
        return None
    seats = set().union(*table.due.values())
    return table.found(
        "misdeal-not-called",
        table.played_on,
        _PARAMETER[next(iter(table.due))],
        seat=seats.pop() if len(seats) == 1 else None,
        causes=sorted(table.due),
    )


_PARAMETER = {
    "deal-count": "misdeal_wrong_count",
    "deal-exposed": "misdeal_exposed_card",
    "deal-unshuffled": "misdeal_not_shuffled",
}


def misdeals_with_reason(table: GinTable, event: Misdeal) -> Findings:
    """A hand is dealt again for a reason the rules know, before the first draw.

    After it only for a wrong number of cards: in both hands, or in one whose
    opponent chose so.
    """
    found: list[Finding] = [*deal.closes(table, event)]
    if not table.over and misdeal_is_founded(table, event.cause, event) is False:
        parameter = "misdeal_wrong_count" if table.first_draw else None
        found.append(table.found("misdeal-unfounded", event, parameter, recorded=event.cause))
    return found


def misdeal_is_founded(table: GinTable, cause: str | None, event: Event | None) -> bool | None:
    """Whether a misdeal was rightly called; None where it cannot be told."""
    if table.knock is not None and not may_be_refused(table):
        return False
    if table.first_draw:
        return _founded_in_play(table)
    may_stop = table.upcard is None or table.rules.choice("wrong_dealer") == "until-draw"
    if table.due or table.unshuffled or (table.wrong_dealer and may_stop):
        return True
    match cause:
        case None | "other" | "wrong-count":
            return _fits_the_count(table, cause, event)
        case "exposed-card":
            exposed = any(noticed.kind == "exposed-card" for noticed in table.noticed)
            # One that the log shows behind the upcard is no matter of the deal.
            return table.rules.flag("misdeal_exposed_card") and not (exposed and table.upcard)
        case "wrong-dealer":
            return may_stop
    return cause in ("agreed", "not-shuffled")


def _fits_the_count(table: GinTable, cause: str | None, event: Event | None) -> bool | None:
    """Whether a misdeal of no other cause is right by the cards that were dealt."""
    miscounted = _is_miscounted(table)
    why = ""
    if cause is None and table.detail != "full":
        why = "the cause of the misdeal is not recorded"
    elif miscounted is None:
        why = "how many cards were dealt is not in this log"
    if why:
        if event is not None:
            table.skip("misdeal-unfounded", why)
        return None
    return cause == "wrong-count" and miscounted


def _founded_in_play(table: GinTable) -> bool:
    """003 Irregular Hands: both hands wrong, or one and its opponent chose a new deal."""
    wrong = wrong_sizes(table)
    if len(wrong) == len(table.playing):
        return True
    return bool(wrong) and (table.redeal_chosen or not (set(wrong) - table.undrawn))


def _is_miscounted(table: GinTable) -> bool | None:
    """Whether a seat was dealt a wrong number of cards; None where that is not in the log."""
    dealt = [table.seats[seat].dealt for seat in table.playing]
    if table.blind or None in dealt:
        return None
    return any(count != table.law.hand_size for count in dealt)


def misdeal(table: GinTable, event: Misdeal) -> None:
    """Gather the cards: nobody scores, the same dealer deals again."""
    if not table.over:
        table.founded = misdeal_is_founded(table, event.cause, event)
        annul(table, founded=table.founded)
        table.over = "misdeal"
        if table.blind:
            table.upcard = None
    table.called = event
    table.look_closer()


def annul(table: GinTable, *, founded: bool | None) -> None:
    """Where a hand was rightly annulled, what was wrong with its deal is handled."""
    for noticed in table.noticed:
        if noticed.kind == "wrong-count" and noticed.state == "pending":
            noticed.state = "broken" if founded is False else "followed"
    if founded is False:
        return
    for at in table.deal_faults:
        table.handle(at, _DEAL_CODES)
    table.played_on = 0
    for seat in table.seats.values():
        seat.correction = None


# 003 Irregularities: the last two cards


def voids_with_reason(table: GinTable, event: Void) -> Findings:
    """A hand is void when the last card that may be drawn is gone, or both agree."""
    found: list[Finding] = [*deal.closes(table, event)]
    if not table.over and void_is_founded(table, event.cause) is False:
        found.append(
            table.found(
                "void-unfounded",
                event,
                "stock_floor",
                recorded=event.cause,
                expected=table.law.stock_floor,
                stock=table.stock,
            )
        )
    return found


def void_is_founded(table: GinTable, cause: str | None) -> bool | None:
    """Whether a hand was rightly called void; None where it cannot be told."""
    if cause == "agreed":
        return True
    if table.knock is not None and not may_be_refused(table):
        return False
    if table.stock is not None and table.stock <= table.law.stock_floor:
        return True
    if not table.blind and any(any((each.points or {}).values()) for each in table.scores):
        return False
    if table.stock is not None and table.stock - len(table.lacking) <= table.law.stock_floor:
        table.skip("void-unfounded", "a draw that was found missing may have been made")
        return None
    if table.due and not table.first_draw:
        return True
    if table.first_draw and not table.blind and _founded_in_play(table):
        return True
    if cause is None and table.detail != "full":
        table.skip("void-unfounded", "the cause is not recorded")
        return None
    if table.blind:
        table.skip("void-unfounded", "the course of play is not recorded")
        return None
    if cause in ("wrong-count", "exposed-card", "not-shuffled", "wrong-dealer"):
        return bool(misdeal_is_founded(table, cause, None))
    return False


def void(table: GinTable, event: Void) -> None:
    """End the hand: nobody scores, the same dealer deals again."""
    if not table.over:
        table.founded = void_is_founded(table, event.cause)
        if is_for_the_deal(table, event.cause):
            annul(table, founded=table.founded)
        table.over = "void"
    table.called = event
    table.look_closer()


def is_for_the_deal(table: GinTable, cause: str | None) -> bool:
    """Whether a void deals with what was wrong with the deal.

    One that only comes with the last card of the stock leaves it played on.
    """
    if table.redeal_chosen:
        return True
    dead = table.stock is not None and table.stock <= table.law.stock_floor
    return bool(table.due) and not (dead and cause in (None, "stock-exhausted"))
