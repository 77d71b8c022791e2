"""What only the whole hand shows: how it ended, and what the table wrote down of it."""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Draw, Hand, Score, Shuffle
from rummy_audit.rhl.shuffle import cards_pack
from rummy_audit.rules.deck import judge_reveal
from rummy_audit.rules.families.indian import deal, declaring, misdeal, score, sheet, show, stock
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.view import Result


def finish(table: IndianTable, hand: Hand) -> Findings:
    """Return what the whole hand shows, when its last event has been judged."""
    found: list[Finding] = []
    status = table.status = hand.end.status if hand.end else None
    if table.blind and table.scores:
        leaves_out_who_was_absent(table, table.scores[-1])
    if status is not None:
        found += deal.closes_the_deal(table)
        if status != "completed" and table.called is None:
            found += _is_called_off(table, status)
        if status == "completed" and table.scores and deal.follows_a_misdeal(table):
            table.over = ""  # what was scored is the next deal, of which the log holds nothing
    found += counts_players(table)
    for declared in table.declared:
        found += declaring.judge_the_answer(table, declared)
    if table.behind:
        _come_back(table)
    if table.played_on is not None:
        _look_back(table)
    if table.shuffle is not None:
        found += _was_shuffled_so(table, table.shuffle)
    found += _is_scored(table, status)
    if table.unseen:
        table.skip("card-not-held", "not every card of the hands was seen")
    if table.wild_card in (None, UNKNOWN) or table.stock is None or table.dark:
        _leave_open(table, hand)
    return found


def _leave_open(table: IndianTable, hand: Hand) -> None:
    """Note what nobody can tell of the draws without the wild joker, or the count of the stock."""
    drawn = {event.from_ for event in hand.events if isinstance(event, Draw)}
    if "discard" in drawn and table.wild_card in (None, UNKNOWN):
        table.skip("joker-from-discard", "the wild joker is not in this log")
    if "stock" in drawn and table.stock is None:
        table.skip("reshuffle-missing", "the number of cards in the stock is not known")
    if table.dark:
        table.skip("too-many-copies", "a card taken from the open pile was not seen")


def leaves_out_who_was_absent(table: IndianTable, sheet: Score) -> None:
    """Who is marked absent had no part in the hand, unless points or acts say otherwise."""
    points = sheet.points or {}
    sitting = _sitting(table)
    away = [
        number
        for number, mark in (sheet.marks or {}).items()
        if mark == "absent"
        and number in table.live
        and not points.get(number)
        and not _took_part(table, number)
    ]
    if not away or len(sitting) - len(away) < table.law.players_min:
        return
    for number in away:
        table.seats[number].state = "out"
    table.settle_seats()
    if len(table.live) == 1 and not table.over:
        table.decide("alone", sheet, table.live[0])


def _took_part(table: IndianTable, number: int) -> bool:
    seat = table.seats[number]
    return bool(seat.dealt or seat.acted or seat.drew or seat.misses or seat.shown)


def _sitting(table: IndianTable) -> list[int]:
    return [number for number, seat in table.seats.items() if seat.state != "out"]


def counts_players(table: IndianTable) -> Findings:
    """A hand has as many players as its rules allow; who sits it out is none of them."""
    count, least, most = len(table.order), table.law.players_min, table.law.players_max
    if count > most:
        count = max(len(_sitting(table)), least)
    if least <= count <= most:
        return NONE
    for parameter, wrong in (("players_min", count < least), ("players_max", count > most)):
        if wrong:
            return (
                table.found(
                    "player-count",
                    0,
                    parameter,
                    recorded=count,
                    expected=table.rules.number(parameter),
                ),
            )
    return NONE


def _is_called_off(table: IndianTable, status: str) -> Findings:
    """A hand that ends as a misdeal or void without such a call is judged by its end."""
    if status == "misdeal":
        found = misdeal.judge_call(table, 0, None)
        table.rightly_called = not found
        if not table.over:
            misdeal.handle_the_deal(table)
            table.over = "misdeal"
        return found
    if status == "void":
        on = not table.over or (stock.is_on_all_the_same(table) and not table.scores)
        right = on and stock.void_is_due(table, None)
        table.rightly_called = right is True
        if table.over in ("", "lowest"):
            table.over = "void"
        return (table.found("void-unfounded", 0, "stock_exhausted"),) if right is False else NONE
    return NONE


def _come_back(table: IndianTable) -> None:
    """Nobody went out of the hand behind the declaration that ended it."""
    for declared in table.declared:
        if declared.event is table.decider and declared.accepted is not False:
            for number in table.behind:
                table.seats[number].state = "in"
                table.seats[number].charge = None
            table.settle_seats()


def _look_back(table: IndianTable) -> None:
    """Take back that play after a declaration was too late where the table refused it."""
    refused = any(declared.right and declared.accepted is False for declared in table.declared)
    doubtful = any(declared.right is None for declared in table.declared)
    if doubtful and not refused:
        table.skip("event-after-end", "whether a declaration before was right is not known")
    if refused or doubtful:
        table.go_back()


def _was_shuffled_so(table: IndianTable, shuffle: Shuffle) -> Findings:
    """The revealed seed is the one committed to, and the cards came as it says."""
    if table.revealed is None:
        table.skip("shuffle-mismatch", "the seed has not been revealed")
        return NONE
    pack = cards_pack(table.rules.number("decks"), table.rules.number("printed_jokers"))
    return judge_reveal(table, table.revealed, shuffle, pack, deck=table.deck, pulls=table.pulls)


def _is_scored(table: IndianTable, status: str | None) -> Findings:
    """A completed hand has ended, and its score is the one by the rules."""
    dues = score.due(table)
    for seat, each in dues.items():
        if each.points is not None:
            table.points[seat] = each.points
            table.breakdown[seat] = each.breakdown
    if table.called is None and status == "completed" and not _has_points(table):
        last = table.scores[-1].seq if table.scores else 0
        return (table.found("score-missing", last),)
    found: list[Finding] = []
    for event in table.scores:
        wrong: list[Finding] = []
        if not _is_plainly_right(table, event, dues):
            wrong += score.judge_score(table, event, dues)
            wrong += score.judge_winner(table, event, dues)
            wrong += sheet.judge_sheet(table, event, dues)
        if event.amounts:
            wrong += sheet.judge_amounts(table, event, dues)
        if wrong and _was_corrected(table, event):
            table.handle(event.seq, {finding.code for finding in wrong})
        found += wrong
    if table.scores and status == "completed" and score.is_unended(table):
        found.append(table.found("hand-not-ended", table.scores[0]))
    return found


def _is_plainly_right(table: IndianTable, event: Score, dues: dict[int, score.Due]) -> bool:
    """Whether a score has the points that every seat is due: nothing else is asked of them."""
    points = event.points
    return (
        points is not None
        and points == table.points
        and len(points) == len(dues)
        and 0 in points.values()
        and event.winner in (None, table.winner)
        and not event.marks
    )


def _has_points(table: IndianTable) -> bool:
    return any(event.points is not None or event.marks is not None for event in table.scores)


def _was_corrected(table: IndianTable, event: Score) -> bool:
    """Whether a ruling corrected this score and another was written after it."""
    return event.seq in table.corrected and table.scores[-1].seq > event.seq


# How it ended

OUTCOMES = {
    "": "open",
    "declared": "won",
    "alone": "won",
    "lowest": "won",
    "ended": "undecided",
    "void": "void",
    "misdeal": "misdeal",
}


def write_down(table: IndianTable, event: Score) -> None:
    """Note the score; hands that were not shown are counted as they lie now."""
    stock.shows_the_end(table, event)
    if not table.scores and not table.blind:
        for number in (*table.live, *table.behind):
            if table.seats[number].shown is None:
                table.seats[number].rest = show.known_hand(table, number)
    table.scores.append(event)
    table.mark()


def result(table: IndianTable) -> Result:
    """Return how the hand ended by the rules."""
    outcome = OUTCOMES[table.over]
    if outcome == "open" and table.status is not None:
        outcome = "abandoned" if table.status == "abandoned" else "undecided"
    return Result(
        outcome=outcome,
        winner=table.winner if table.winner in table.points else None,
        scores=table.points,
        breakdown=table.breakdown,
    )
