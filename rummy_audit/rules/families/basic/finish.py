"""What only the whole hand shows: the score against the cards, and what never came."""

from __future__ import annotations

from rummy_audit.rhl.records import Hand, Layoff, Meld, Reveal, Ruling, Score
from rummy_audit.rules.families.basic.calls import rummy_borne_out, why_no_stalemate
from rummy_audit.rules.families.basic.deal import players_allowed
from rummy_audit.rules.families.basic.meld import not_allowed_yet
from rummy_audit.rules.families.basic.misdeal import closed_without_a_word
from rummy_audit.rules.families.basic.score import count, tally
from rummy_audit.rules.families.basic.seen import judge_seen
from rummy_audit.rules.families.basic.sheet import (
    Range,
    between,
    can_win,
    named_winners,
    players_of,
    range_of,
    wrong_seats,
)
from rummy_audit.rules.families.basic.stock import RENEWED
from rummy_audit.rules.families.basic.table import BasicTable, Counted, Ended
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.rulings import was_corrected

ANNULLED = ("misdeal", "void", "abandoned")
_OF_CLAIMS = ("declaration-right", "declaration-wrong")


def finish(table: BasicTable, hand: Hand) -> list[Finding]:
    """Return what only the whole hand shows, and keep the count for the result."""
    found = players_allowed(table)
    found += closed_without_a_word(table, hand)
    found += rummy_borne_out(table)
    _refuse_calls(table, hand)
    found += _melds_of_a_turn_left_open(table, hand)
    found += _upcard_turned(table)
    if table.shuffle is not None and not any(isinstance(each, Reveal) for each in hand.events):
        table.skip("shuffle-mismatch", "the seed has not been revealed")
    if not table.live and not any(isinstance(each, Meld | Layoff) for each in hand.events):
        for check in ("meld-invalid", "layoff-invalid"):
            table.skip(check, "what was melded is not in this log")
    if table.live and table.first_draw is not None and not table.deals:
        table.skip("deal-count", "no deal is in this log")
    if table.live and table.record.dealer is None:
        table.skip("out-of-turn", "who dealt is not in this log, so who begins is not known")
    found += _no_bonuses(table, hand)
    table.counted_up = _count(table, hand)
    if not table.scores:
        return found + _score_written(table, hand)
    judged = [_judge(table, hand, event) for event in table.scores]
    for event, wrong in zip(table.scores, judged, strict=True):
        rightly = event is not table.scores[-1] and not judged[-1]
        if wrong and (rightly or was_corrected(hand, event)):
            # The table wrote it down anew: rightly, or because of a ruling on this one.
            table.handle(event.seq, [each.code for each in wrong])
    return found + [each for wrong in judged for each in wrong]


def _refuse_calls(table: BasicTable, hand: Hand) -> None:
    """A wrong call that a referee refused was dealt with; the last ruling on it counts.

    A stalemate was refused only where the hand did not end with it all the same.
    """
    rulings = [event for event in hand.events if isinstance(event, Ruling)]
    said = {each.target: each.outcome for each in rulings if each.outcome in _OF_CLAIMS}
    for seq, outcome in said.items():
        if outcome == "declaration-wrong":
            table.handle(seq, ("rummy-call-wrong",))
            if table.ended is None or table.ended.seq != seq:
                table.handle(seq, ("stalemate-premature",))


def _count(table: BasicTable, hand: Hand) -> Counted:
    status = hand.end.status if hand.end else None
    misdealt = table.ended is not None and table.ended.outcome == "misdeal"
    if misdealt and status == "completed" and table.scores and not table.live:
        table.ended = None  # the deals are not in such a log: behind the misdeal there was another
    if table.ended is None and status in ANNULLED:
        return Counted(str(status))
    if table.ended is None and status is None:
        return Counted("open")
    if table.ended is None and _stalemate_detected(table):
        table.decide(Ended("stalemate", table.scores[-1].seq))
    return count(table)


def _stalemate_detected(table: BasicTable) -> bool:
    """Whether a hand scored with nothing for anybody could not go on: 000 Stalemate.

    Where a stalemate is detected nobody has to call it.
    """
    points = table.scores[-1].points if table.scores else None
    if not points or any(points.values()) or table.settings.stalemate != "detected":
        return False
    counted = table.live and all(table.counted(seat) for seat in table.playing)
    return counted and why_no_stalemate(table) is None


def _melds_of_a_turn_left_open(table: BasicTable, hand: Hand) -> list[Finding]:
    """Where melds wait for going out, a turn that laid cards and never ended was none."""
    seat = table.turn
    over = hand.end is not None or table.ended is not None
    if not table.live or not table.settings.only_going_out or seat is None or not over:
        return []
    early = table.seat_course(seat).early
    if table.waiting is not None or (early is not None and not table.counted(seat)):
        table.skip("meld-not-allowed-yet", "how many cards the seat holds is not in this log")
        return []
    out = table.may_be_out(seat) or (table.ended is not None and table.ended.winner == seat)
    if early is None or out:
        return []
    return [not_allowed_yet(table, seat, early)]


def _upcard_turned(table: BasicTable) -> list[Finding]:
    """A card is turned up after the deal; a log of the play without one shows it was left out."""
    if not table.live or table.turned_up or table.first_draw is None or not table.deals:
        return []
    return [table.found("upcard-order", table.first_draw)]


def _no_bonuses(table: BasicTable, hand: Hand) -> list[Finding]:
    """A match of basic rummy ends without bonuses: the totals are all there is."""
    found = []
    for event in table.results:
        for seat in sorted(event.bonuses or {}):
            bonus = (event.bonuses or {})[seat]
            named = {"game": bonus.game, "shutout": bonus.shutout, "box": bonus.box}
            given = {name: points for name, points in named.items() if points}
            if given:
                found.append(
                    table.found("bonus-wrong", event, seat=seat, recorded=given, expected=0)
                )
                if was_corrected(hand, event):
                    table.handle(event.seq, ("bonus-wrong",))
    return found


def _score_written(table: BasicTable, hand: Hand) -> list[Finding]:
    """A completed hand has a score."""
    completed = hand.end is not None and hand.end.status == "completed"
    if not completed or table.annulled is not None:
        return []
    found = table.counted_up
    breakdown = found.breakdown.get(found.winner or 0, ()) if found else ()
    expected = (
        dict(sorted(found.points.items())) if found and found.points and not found.unknown else None
    )
    return [table.found("score-missing", 0, expected=expected, breakdown=breakdown)]


def _judge(table: BasicTable, hand: Hand, event: Score) -> list[Finding]:
    """Judge one score against the count."""
    if event.amounts is not None:
        table.skip("amount-wrong", "the rulebooks of basic rummy know no money")
    missing = _left_out(table, event)
    found = table.counted_up
    annulled = found.outcome if found is not None and found.outcome in ANNULLED else ""
    if not table.live and annulled in ("", "abandoned"):
        findings, seen = judge_seen(table, event)
        if not annulled:
            table.counted_up = seen
        return missing + findings
    if found is None or not found.decided:
        completed = hand.end is not None and hand.end.status == "completed"
        if not completed:
            return missing
        why = _unknown_end(table)
        if why:
            table.skip("score-wrong", why)
            table.skip("hand-not-ended", why)
            if named_winners(event):
                table.skip("winner-wrong", why)
            return missing
        return [*missing, table.found("hand-not-ended", event, "final_discard")]
    return missing + _points(table, event, found) + _winner(table, event, found)


def _unknown_end(table: BasicTable) -> str | None:
    """Say why it cannot be known whether the hand has ended, None where it can."""
    if not all(table.counted(seat) for seat in table.playing):
        return "the deal was not written down"
    if any(table.may_be_out(seat) for seat in table.playing):
        return "a discard that was found missing may have been made"
    rules = table.settings
    ends = rules.exhausted not in RENEWED or rules.reshuffles_max is not None
    unsure = ends and table.may_be_empty and table.stock != 0
    return "the size of the stock is not known" if unsure else None


def _left_out(table: BasicTable, event: Score) -> list[Finding]:
    """A score has points for every seat that played."""
    if event.points is None:
        return [table.found("score-missing", event)]
    return [
        table.found("score-missing", event, seat=seat)
        for seat in players_of(table, event)
        if seat not in event.points
    ]


def _points(table: BasicTable, event: Score, found: Counted) -> list[Finding]:
    """The points are those the cards bring; seats outside the hand have none."""
    recorded = event.points or {}
    expected = {seat: found.points[seat] for seat in sorted(found.points)}
    for seat in sorted(recorded):
        if seat not in found.unknown and seat not in expected:
            expected[seat] = 0
    wrong = [seat for seat in expected if recorded.get(seat, expected[seat]) != expected[seat]]
    for seat in sorted(found.unknown):
        table.skip("score-wrong", found.unknown[seat])
    findings: list[Finding] = []
    if wrong:
        named = found.winner if found.winner in wrong else wrong[0]
        parameter = "scoring" if found.outcome == "won" else _rule_of(table)
        findings.append(
            table.found(
                "score-wrong",
                event,
                parameter,
                seat=wrong[0] if len(wrong) == 1 else None,
                recorded={seat: recorded[seat] for seat in sorted(recorded)},
                expected=expected,
                breakdown=found.breakdown.get(named or 0, ()),
                **wrong_seats(wrong, recorded, expected),
            )
        )
    winner = found.winner
    # Points written for another seat are one slip with those that the winner lacks.
    judged = bool(wrong) or table.settings.charged
    if winner in found.unknown and winner in recorded and not judged:
        hands, rummy = _others_of(table, winner), _went_rummy(table, winner)
        if not can_win(recorded[winner], hands, table.settings, rummy=rummy):
            findings.append(
                table.found(
                    "score-impossible",
                    event,
                    "scoring",
                    seat=winner,
                    recorded=recorded[winner],
                    expected=between(hands, table.settings, rummy=rummy),
                )
            )
    return findings


def _others_of(table: BasicTable, winner: int) -> Range:
    """Return what the others' hands can count together: known ones, and any for the rest."""
    held = {seat: tally(table, seat) for seat in table.playing if seat != winner}
    known = sum(each[1] for each in held.values() if not isinstance(each, str))
    unknown = [seat for seat, each in held.items() if isinstance(each, str)]
    rest = range_of(table, len(unknown))
    most = rest.most
    sure = [table.counted(seat) and not table.seat_course(seat).more for seat in unknown]
    if table.late is None and all(sure):
        cards = sum(table.seat_course(seat).size for seat in unknown)
        most = min(most, cards * max(table.settings.points.values()))
    return Range(known + rest.least, known + most)


def _went_rummy(table: BasicTable, winner: int) -> bool | None:
    """Whether the winner went rummy; None where the log may leave out what tells."""
    if table.ended is None or table.seat_course(winner).more:
        return None
    return table.ended.rummy


def _rule_of(table: BasicTable) -> str | None:
    """Return the parameter by which nobody won."""
    ended = table.ended
    if ended is None or ended.outcome in ANNULLED:
        return None
    if ended.outcome == "exhausted":
        return "stock_exhausted"
    return "reshuffles_max" if ended.by_stock else "stalemate_call"


def _winner(table: BasicTable, event: Score, found: Counted) -> list[Finding]:
    """The winner that is named, in so many words or by a mark, is the one who went out."""
    return [
        table.found(
            "winner-wrong",
            event,
            "scoring" if found.outcome == "won" else _rule_of(table),
            seat=named,
            recorded=named,
            expected=found.winner,
        )
        for named in named_winners(event)
        if named != found.winner
    ]
