"""What only the whole hand shows: how it ended, and what the table wrote down of it."""

from __future__ import annotations

import msgspec

from rummy_audit.rhl.records import Hand, Reveal, Score
from rummy_audit.rhl.shuffle import cards_pack
from rummy_audit.rules.deck import judge_reveal
from rummy_audit.rules.families.gin import deal, ending
from rummy_audit.rules.families.gin.deadwood import less_than
from rummy_audit.rules.families.gin.score import (
    Reckoning,
    cards_of_defender,
    is_refused,
    melds_to_lay_on,
    reckon,
)
from rummy_audit.rules.families.gin.sheet import absent, judge_results, judge_sheet
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import NONE, Finding, Findings, Reason
from rummy_audit.rules.rulings import was_corrected
from rummy_audit.rules.view import Result


def finish(table: GinTable, hand: Hand) -> Findings:
    """Return what the whole hand shows, when its last event has been judged."""
    found: list[Finding] = [*counts_players(table)]
    status = table.status = hand.end.status if hand.end else None
    if status is not None:
        found += deal.closes(table)
        found += is_called_off(table, status)
        if status == "completed" and table.scores and not table.knock:
            table.begins_anew()
    if away := absent(table):
        table.playing = [seat for seat in table.playing if seat not in away]
    if table.ahead is not None:
        at, early, late = table.ahead
        found.append(table.found("discard-missing", at, seat=late, by=early))
    if (played_on := ending.misdeal_is_due(table)) is not None:
        found.append(played_on)
    found += deal.was_turned_up(table)
    found += table.late
    found += was_shuffled_so(table, hand)
    found += best_show(table)
    found += is_scored(table, hand)
    found += judge_results(table, hand)
    found += follows_up(table)
    if table.dark and any(hand.unknown or hand.gone for hand in table.hands.values()):
        table.skip("too-many-copies", "a card taken from the discard pile was not seen")
    return found


def counts_players(table: GinTable) -> Findings:
    """003 Number of Players: gin is for two."""
    count = len(table.order) - len(absent(table))
    for parameter, wrong in (
        ("players_min", count < table.rules.number("players_min")),
        ("players_max", count > table.rules.number("players_max")),
    ):
        if wrong:
            expected = table.rules.number(parameter)
            return (table.found("player-count", 0, parameter, recorded=count, expected=expected),)
    return NONE


def is_called_off(table: GinTable, status: str) -> Findings:
    """A hand that ends as a misdeal or void without such a call is judged by its end."""
    if table.called is not None:
        return NONE
    if status == "misdeal":
        founded = ending.misdeal_is_founded(table, None, None)
        ending.annul(table, founded=founded)
        table.over = "misdeal"
        return (table.found("misdeal-unfounded", 0),) if founded is False else NONE
    if status == "void":
        founded = ending.void_is_founded(table, None)
        if ending.is_for_the_deal(table, None):
            ending.annul(table, founded=founded)
        table.over = "void"
        if founded is False:
            return (table.found("void-unfounded", 0, "stock_floor", stock=table.stock),)
    return NONE


def was_shuffled_so(table: GinTable, hand: Hand) -> Findings:
    """The revealed seed is the one committed to, and the cards came as it says."""
    if table.shuffle is None:
        return NONE
    reveal = next((event for event in hand.events if isinstance(event, Reveal)), None)
    if reveal is None:
        table.skip("shuffle-mismatch", "the seed has not been revealed")
        return NONE
    pack = cards_pack(1, 0)
    return judge_reveal(
        table, reveal, table.shuffle, pack, deck=table.deck, pulls=table.pulls or ()
    )


def best_show(table: GinTable) -> Findings:
    """The opponent may have done better with melds and lay-offs: both numbers are told."""
    knock = table.knock
    opponent = table.opponent(knock.seat) if knock else None
    if knock is None or opponent is None:
        return NONE
    if knock.spread.dark:
        table.skip("arrangement-not-best", "not all cards of the knocker's melds are known")
        return NONE
    state = table.seats[opponent]
    shown = state.shown
    if shown is None or not shown.grouped or shown.points is None:
        return NONE
    cards = cards_of_defender(table, opponent)
    best = None if cards is None else less_than(shown.points, cards, melds_to_lay_on(table))
    if best is None:
        return NONE
    return (
        table.found(
            "arrangement-not-best",
            state.shown_at,
            "judge_defender",
            seat=opponent,
            recorded=shown.points,
            expected=best,
        ),
    )


# The score


def is_dead(table: GinTable) -> bool:
    """Whether the stock gave out before anybody could knock."""
    return table.dead and table.knock is None


def reckoning(table: GinTable) -> Reckoning:
    """Return the points by the rules: nobody's where the hand was annulled or dead."""
    if table.over or is_dead(table):
        return Reckoning(points=dict.fromkeys(table.playing, 0), parameter="stock_floor")
    return reckon(table)


def is_scored(table: GinTable, hand: Hand) -> Findings:
    """A completed hand has ended, and its score is the one by the rules."""
    due = table.reckoned = reckoning(table)
    completed = table.status == "completed"
    if not table.scores:
        if completed and not table.over and not is_dead(table):
            return (table.found("score-missing", 0),)
        return NONE
    ended = bool(table.over or is_dead(table) or (table.knock and not is_refused(table)))
    if completed and not ended and not table.blind:
        return (table.found("hand-not-ended", table.scores[0]),)
    found: list[Finding] = []
    for event in table.scores:
        wrong = [*judge_points(table, event, due), *judge_winner(table, event, due)]
        if wrong and was_corrected(hand, event):
            table.handle(event.seq, {finding.code for finding in wrong})
        found += wrong
    return found


def judge_points(table: GinTable, event: Score, due: Reckoning) -> Findings:
    """Both players' points are written down, and they are the right ones."""
    points = event.points
    if points is None:
        return NONE if event.marks else (table.found("score-missing", event),)
    found: list[Finding] = []
    left_out = [seat for seat in table.playing if seat not in points]
    if left_out and not counts_players(table):
        found += [table.found("score-missing", event, seat=seat) for seat in left_out]
    if due.why:
        table.skip("score-wrong", due.why)
        return [*found, *judge_sheet(table, event)]
    wrong = sorted(seat for seat, number in points.items() if number != due.points.get(seat, 0))
    if wrong:
        finding = table.found(
            "score-wrong",
            event,
            due.parameter,
            seat=wrong[0] if len(wrong) == 1 else None,
            recorded={seat: points[seat] for seat in wrong},
            expected={seat: due.points.get(seat, 0) for seat in wrong},
            breakdown=due.breakdown.get(due.winner or 0, ()),
            seats=wrong,
        )
        cause = first_slip(table)
        if cause is not None and points == reckon(table, as_claimed=True).points:
            finding = msgspec.structs.replace(finding, cause=cause)
        found.append(finding)
    return found


def first_slip(table: GinTable) -> Reason | None:
    """Return the slip behind a score that took every claim at its word."""
    knock = table.knock
    if knock is None:
        return None
    for code in table.slips:
        return Reason(*code)
    for seat in table.playing:
        state = table.seats[seat]
        if state.dealt is not None and state.dealt != table.law.hand_size:
            return Reason("deal-count", state.dealt_at)
    return None


def named_winners(event: Score) -> list[int]:
    """Return whom a score names as winner of the hand, by the field and by marks."""
    marked = [seat for seat, mark in sorted((event.marks or {}).items()) if mark == "won"]
    return [*dict.fromkeys(marked if event.winner is None else (event.winner, *marked))]


def judge_winner(table: GinTable, event: Score, due: Reckoning) -> Findings:
    """The winner who is named is the one by the rules, or by the points that stand there.

    Where nobody has won, a winner with points is part of the wrong score; so is one
    who would have won if every claim had held.
    """
    return [each for named in named_winners(event) for each in _named(table, event, named, due)]


def _named(table: GinTable, event: Score, named: int, due: Reckoning) -> Findings:
    points = event.points or {}
    expected = due.winner
    if due.why:
        positive = [seat for seat, number in sorted(points.items()) if number > 0]
        if not points or len(positive) > 1 or points.get(named, 0) > 0:
            return NONE
        if not positive and not (table.law.gin_bonus and table.law.undercut_bonus):
            return NONE  # somebody may have won nothing
        expected = positive[0] if positive else None
    else:
        if named == expected or (expected is None and points.get(named, 0) > 0):
            return NONE
        if first_slip(table) is not None and named == reckon(table, as_claimed=True).winner:
            return NONE
    return (table.found("winner-wrong", event, due.parameter, recorded=named, expected=expected),)


# Irregularities

_BEHIND = {
    "wrong-count": "count_correction",
    "exposed-card": "misdeal_exposed_card",
    "saw-card": "seen_card_offer",
    "looked-back": "looking_back",
    "not-shuffled": "misdeal_not_shuffled",
    "out-of-turn": "premature_draw",
}


def follows_up(table: GinTable) -> Findings:
    """An irregularity whose consequence was followed, or never came due, is a note."""
    if not table.noticed:
        return NONE
    waiting = [
        seat.correction.noticed for seat in table.seats.values() if seat.correction is not None
    ]
    return [
        table.found(
            "irregularity-handled",
            noticed.seq,
            _BEHIND.get(noticed.kind),
            seat=noticed.seat,
            kind=noticed.kind,
        )
        for noticed in table.noticed
        if noticed.state == "followed"
        or (
            noticed.state == "pending"
            and table.status is not None
            # A wrong count that asked for no correction asked for a new deal.
            and (noticed.kind != "wrong-count" or noticed in waiting)
        )
    ]


def result(table: GinTable) -> Result:
    """Return how the hand ended by the rules."""
    status, due = table.status, table.reckoned or reckoning(table)
    if table.over:
        return Result(table.over)
    if status == "abandoned":
        return Result("abandoned")
    if is_dead(table) and (table.scores or status is not None):
        return Result("void", scores=due.points if table.scores else {})
    if status is None and not table.scores:
        return Result("open")
    if due.why:
        return Result("undecided")
    return Result(
        "won" if due.winner is not None else "drawn",
        winner=due.winner,
        scores=due.points,
        breakdown={seat: terms for seat, terms in due.breakdown.items() if terms},
    )
