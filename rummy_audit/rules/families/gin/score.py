"""The points of a hand: deadwood against deadwood, with the bonuses that are due.

A winner's points are positive, the other's 0; where nobody wins both have 0.
"""

from __future__ import annotations

import msgspec

from rummy_audit.rules.families.gin.deadwood import LaidOut, best_against, cards_of, mask_of
from rummy_audit.rules.families.gin.knock import deadwood_of
from rummy_audit.rules.families.gin.showdown import may_lay_off
from rummy_audit.rules.families.gin.spread import Spread
from rummy_audit.rules.families.gin.table import GinTable, Knocked
from rummy_audit.rules.findings import Term


class Reckoning(msgspec.Struct, frozen=True):
    """The points of a hand by the rules; ``why`` says why they cannot be known."""

    points: dict[int, int] = msgspec.field(default_factory=dict)
    winner: int | None = None
    breakdown: dict[int, tuple[Term, ...]] = msgspec.field(default_factory=dict)
    parameter: str = "knock_max"
    why: str = ""


class Side(msgspec.Struct, frozen=True):
    """One hand at the showdown.

    ``points`` is its deadwood, penalty included; ``terms`` lead there. ``missing``
    and ``extra`` count cards that were dealt too few or too many, ``bonus`` tells
    whether the seat may have one.
    """

    seat: int
    points: int
    terms: tuple[Term, ...]
    missing: int = 0
    extra: int = 0
    bonus: bool = True


def is_refused(table: GinTable) -> bool:
    """Whether a wrong knock was handed back by a ruling and nobody took it for right since.

    003 Illegal Knock: the opponent may still accept it, also by laying off on it.
    """
    knock = table.knock
    return knock is not None and knock.refused and not (knock.accepted or knock.laid)


def reckon(table: GinTable, *, as_claimed: bool = False) -> Reckoning:
    """Return the points of a hand that was knocked on.

    ``as_claimed`` takes both sides at their word: every group and lay-off holds, and
    nothing was wrong with the deal.
    """
    knock = table.knock
    if knock is None:
        why = "no knock is recorded at this detail" if table.blind else "nobody has knocked"
        return Reckoning(why=why)
    if is_refused(table):
        return Reckoning(why="the knock was ruled wrong, and nobody has knocked since")
    opponent = table.opponent(knock.seat)
    if opponent is None:
        return Reckoning(why="there are not two hands to compare")
    knocker = _knocker(table, knock)
    if knocker is None:
        return Reckoning(why="the knocker's deadwood cannot be known")
    defender = _defender(table, opponent)
    if defender is None:
        return Reckoning(why="the opponent's hand was not shown, or not all of it is known")
    if as_claimed:
        shown = _declared(table, opponent)
        knocker = _as_claimed(table, knocker, None if table.law.best_knocker else knock.spread)
        defender = _as_claimed(table, defender, shown)
    return _compare(table, knocker, defender)


def _declared(table: GinTable, seat: int) -> Spread | None:
    """Return the groups by which the opponent's deadwood is judged; None for the best ones."""
    shown = table.seats[seat].shown
    return None if shown is None or not shown.grouped or table.law.best_defender else shown


def _as_claimed(table: GinTable, side: Side, spread: Spread | None) -> Side:
    """Take one side at its word."""
    penalty = side.missing * table.law.missing_card_points
    points = side.points - penalty if spread is None else spread.claimed
    return Side(side.seat, points, (), bonus=not table.seats[side.seat].no_bonus)


# 003 Scoring


def _compare(table: GinTable, knocker: Side, defender: Side) -> Reckoning:
    """Gin takes the opponent's deadwood and a bonus; else the lower hand takes the difference.

    The opponent who is lower, or equal where that counts, has a bonus for the
    undercut; gin is never undercut.
    """
    law, knock = table.law, table.knock
    if knocker.points == 0:
        big = knock is not None and knock.big and law.big_gin is not None
        bonus = (law.big_gin or 0) if big else law.gin_bonus
        what, parameter = ("big gin bonus", "big_gin_bonus") if big else ("gin bonus", "gin_bonus")
        return _won(table, knocker, defender, bonus=bonus, what=what, parameter=parameter)
    if knocker.points < defender.points:
        return _won(table, knocker, defender, parameter="knock_max")
    if knocker.points == defender.points and not (law.undercut_on_tie and defender.bonus):
        return _nobody(table, "undercut_on_tie")
    return _won(
        table,
        defender,
        knocker,
        bonus=law.undercut_bonus,
        what="undercut bonus",
        parameter="undercut_bonus",
    )


def _won(
    table: GinTable, winner: Side, loser: Side, *, bonus: int = 0, what: str = "", parameter: str
) -> Reckoning:
    """Give the winner the difference and the bonus.

    003 Irregular Hands: a hand of too many cards may not win, one of too few has no
    bonus.
    """
    if winner.extra and not table.law.too_many_wins:
        return _nobody(table, "too_many_wins")
    points = loser.points - winner.points
    against = [Term(term.cards, -term.points, term.what) for term in winner.terms]
    terms = (*loser.terms, *against)
    if what and winner.bonus:
        points += bonus
        terms = (*terms, Term(points=bonus, what=what))
    return Reckoning(
        points={winner.seat: points, loser.seat: 0},
        winner=winner.seat,
        breakdown={winner.seat: terms, loser.seat: ()},
        parameter=parameter,
    )


def _nobody(table: GinTable, parameter: str) -> Reckoning:
    return Reckoning(points=dict.fromkeys(table.playing, 0), parameter=parameter)


def _knocker(table: GinTable, knock: Knocked) -> Side | None:
    """Return the knocker's side; None where the deadwood cannot be known."""
    spread = knock.spread
    points = deadwood_of(table, spread)
    if points is None or (knock.unthrown and points):
        return None
    loose = spread.loose
    if table.law.best_knocker and points != spread.points:
        loose = best_against(spread.cards, ()).left
    count = spread.cards.bit_count() - (knock.unthrown or knock.big)
    return _side(table, knock.seat, points, loose, count)


def _defender(table: GinTable, seat: int) -> Side | None:
    """Return the opponent's side, by what was shown or by the best of the cards."""
    state = table.seats[seat]
    if state.astray:
        return None
    shown = _declared(table, seat)
    if shown is not None:
        points, loose = shown.points, shown.loose
        if points is None:
            return None
    else:
        best = best_of_defender(table, seat)
        if best is None:
            return None
        points, loose = best.points, best.left
    count = len(table.hands[seat]) + len(state.laid)
    return _side(table, seat, points, loose, count)


def best_of_defender(table: GinTable, seat: int) -> LaidOut | None:
    """Return the best the opponent can do, own melds and lay-offs together.

    None where that is not known: on a meld with a card that nobody wrote down anything may fit.
    """
    if table.knock is not None and table.knock.spread.dark and may_lay_off(table):
        return None
    cards = cards_of_defender(table, seat)
    return None if cards is None else best_against(cards, melds_to_lay_on(table))


def melds_to_lay_on(table: GinTable) -> list[int]:
    """Return the knocker's valid melds; none where the hand is gin."""
    knock = table.knock
    return knock.spread.melds if knock is not None and may_lay_off(table) else []


def cards_of_defender(table: GinTable, seat: int) -> int | None:
    """Return all the opponent's cards as a mask; None where not all are known.

    Cards that were laid off are counted in: they need not have been.
    """
    state, hand = table.seats[seat], table.hands[seat]
    if state.astray:
        return None
    if state.shown is not None and not state.shown.unknown:
        cards = state.shown.cards
    elif hand.unknown or hand.gone:
        return None
    else:
        cards = mask_of(hand.known)
    return cards | mask_of(state.laid)


def _side(table: GinTable, seat: int, points: int, loose: int, count: int) -> Side:
    """Add what a wrong deal does to a hand.

    003 Irregular Hands: found after the hand, each missing card counts ten. Only a
    hand that was wrong since the deal counts so, not one that went wrong in play.
    """
    law, state = table.law, table.seats[seat]
    dealt = law.hand_size if state.dealt is None else state.dealt
    missing = max(0, min(law.hand_size - dealt, law.hand_size - count))
    extra = max(0, min(dealt - law.hand_size, count - law.hand_size))
    terms = (Term(cards=cards_of(loose), points=points),) if loose else ()
    if missing:
        penalty = missing * law.missing_card_points
        points += penalty
        terms = (*terms, Term(points=penalty, what="missing cards"))
    bonus = not missing and (not state.no_bonus or law.picked_up_bonus)
    return Side(seat, points, terms, missing=missing, extra=extra, bonus=bonus)
