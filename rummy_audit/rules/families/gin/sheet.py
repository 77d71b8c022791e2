"""What a score sheet can say by itself: points that can be, and a result without its match.

Where the hands of a match are there, ``match`` judges results by all of them.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Hand, Result, Score
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.rulings import was_corrected


def absent(table: GinTable) -> set[int]:
    """Return the seats that the score marks as not there: nothing was dealt to them.

    Nobody plays alone: where too few would be left, that says nothing of who played.
    """
    if not table.scores:
        return set()
    marks, points = table.scores[-1].marks or {}, table.scores[-1].points or {}
    away = {
        seat
        for seat in table.order
        if marks.get(seat) == "absent" and not points.get(seat) and not table.seats[seat].dealt
    }
    enough = len(table.order) - len(away) >= table.rules.number("players_min")
    return away if enough else set()


def judge_sheet(table: GinTable, event: Score) -> Findings:
    """On a score sheet nobody is below 0, one of two has 0, and nothing exceeds ten tens."""
    points = event.points or {}
    law = table.law
    most = 10 * law.hand_size + max(
        law.gin_bonus, law.undercut_bonus, law.big_gin or 0, law.missing_card_points
    )
    found = [
        table.found("score-impossible", event, "hand_size", seat=seat, recorded=number, most=most)
        for seat, number in sorted(points.items())
        if not 0 <= number <= most
    ]
    winners = [seat for seat, number in sorted(points.items()) if number > 0]
    if len(winners) > 1 and not found:
        found.append(
            table.found(
                "score-impossible",
                event,
                "undercut_bonus",
                recorded={seat: points[seat] for seat in winners},
                seats=winners,
            )
        )
    return found


def judge_results(table: GinTable, hand: Hand) -> Findings:
    """003 Game: the bonuses of a result are those there are, where no match is named.

    Which boxes and whether a shutout are due only the other hands can tell.
    """
    match = table.record.match
    if not table.results or (match is not None and match.id is not None):
        return NONE
    found: list[Finding] = []
    for event in table.results:
        if event.bonuses and event.winner is not None:
            for seat in sorted(event.bonuses):
                found += _judge_bonuses(table, event, seat)
            if was_corrected(hand, event):
                table.handle(event.seq, ("bonus-wrong",))
    return found


def _judge_bonuses(table: GinTable, event: Result, seat: int) -> Findings:
    rules = table.rules
    written = (event.bonuses or {})[seat]
    game, shutout = rules.number("game_bonus"), rules.number("shutout_bonus")
    if rules.choice("shutout") == "double":
        shutout = game
    recorded = (written.game or 0, written.shutout or 0)
    can_be = {(game, 0), (game, shutout)} if seat == event.winner else {(0, 0)}
    if seat == event.winner and rules.choice("shutout") == "double":
        can_be.add((game + shutout, 0))
    if recorded in can_be:
        return NONE
    return (
        table.found(
            "bonus-wrong",
            event,
            "game_bonus",
            seat=seat,
            recorded={"game": recorded[0], "shutout": recorded[1]},
            expected={"game": game if seat == event.winner else 0},
        ),
    )
