"""The referee of tile rummy: which rules are asked of which event, and what a hand came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rummy_audit.rhl.records import (
    Call,
    Choice,
    Deal,
    Deck,
    Declare,
    Discard,
    Draw,
    Drop,
    Event,
    Hand,
    HandRecord,
    Knock,
    Layoff,
    Leave,
    Meld,
    Misdeal,
    Miss,
    Pass,
    Penalty,
    Play,
    Reshuffle,
    Reveal,
    Show,
    Upcard,
    Void,
    Wild,
)
from rummy_audit.rules.causes import Law
from rummy_audit.rules.deck import judge_deck
from rummy_audit.rules.families.tile import annul, course, moves, play, score, show, stock
from rummy_audit.rules.families.tile.table import Ended, TileTable
from rummy_audit.rules.families.tile.views import view_of
from rummy_audit.rules.findings import NONE, Finding, Findings
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.view import Result, TableView

Judge = Callable[[TileTable, Any], Findings]

# Events that tile rummy has no use for: kept, not judged.
FOREIGN = (
    Upcard,
    Wild,
    Discard,
    Meld,
    Layoff,
    Reshuffle,
    Drop,
    Miss,
    Leave,
    Declare,
    Knock,
    Call,
    Choice,
)

# Acts of play: at details that do not see the play they are not judged.
ACTS = (Play, Draw, Pass, Penalty)


# What a log without the play, or without any tiles, does not show.
OF_PLAY_ALONE = (
    *("card-in-two-groups", "card-not-held", "deal-count", "deck-order", "event-after-end"),
    *("first-play-too-low", "first-play-touches-table", "hand-not-ended", "hand-size"),
    *("joker-meld-locked", "joker-not-from-hand"),
    *("joker-not-in-new-meld", "joker-not-replaced", "out-of-turn", "penalty-missing"),
    *("penalty-wrong", "second-draw", "table-invalid", "tile-draw-missing", "tile-taken-to-hand"),
    "timer-exceeded",
)
OF_TILES = ("card-not-in-deck", "score-wrong", "too-many-copies")


def start(record: HandRecord, rules: Ruleset) -> TileTable:
    """Return the table before the first event; say what this detail cannot show."""
    table = TileTable(record, rules)
    if not table.live:
        for check in OF_PLAY_ALONE:
            if check != "timer-exceeded" or table.settings.timer is not None:
                table.skip(check, f"the play is not in a log of detail {record.detail}")
    if record.detail == "scores":
        for check in OF_TILES:
            table.skip(check, "no tiles are in a log of detail scores")
    return table


def not_of_this_game(table: TileTable, event: Event) -> Findings:
    """An event that this game does not know is kept and noted."""
    kind = type(event).__struct_config__.tag
    return [table.found("unknown-event", event, type=kind)]


# What is asked of each act of play, in a referee's order.

OF_PLAY: tuple[Judge, ...] = (
    course.player_count,
    stock.deal_as_stated,
    course.penalty_missing,
    course.after_the_end,
    course.in_turn,
    course.in_time,
    play.nothing_taken,
    play.something_played,
    play.table_valid,
    play.first_play,
    play.jokers_freed,
)
OF_DRAW: tuple[Judge, ...] = (
    course.player_count,
    stock.deal_as_stated,
    course.penalty_missing,
    course.after_the_end,
    course.one_draw,
    course.in_turn,
    course.in_time,
    stock.drawn_as_stated,
)
OF_PASS: tuple[Judge, ...] = (
    course.player_count,
    stock.deal_as_stated,
    course.penalty_missing,
    course.after_the_end,
    course.in_turn,
    course.in_time,
    course.draws_while_there_are_tiles,
)
OF_PENALTY: tuple[Judge, ...] = (
    course.player_count,
    stock.deal_as_stated,
    course.penalty_missing,
    course.after_the_end,
    course.penalty_due,
    stock.drawn_as_stated,
)
OF_DEAL: tuple[Judge, ...] = (course.dealt_hand_size,)


def _ask(table: TileTable, event: Event, rules: tuple[Judge, ...]) -> Findings:
    """Ask rules one after the other; the table remembers what was found, for a penalty."""
    if not table.live:
        return NONE
    found: list[Finding] = []
    for rule in rules:
        found += rule(table, event)
    codes = tuple(finding.code for finding in found if finding.seq == event.seq)
    if codes:
        table.faults[id(event)] = codes
    return found


def judges_a_play(table: TileTable, event: Play) -> Findings:
    """Ask what is asked of a play."""
    return _ask(table, event, OF_PLAY)


def judges_a_draw(table: TileTable, event: Draw) -> Findings:
    """Ask what is asked of a draw; the plain case is seen at once."""
    return NONE if course.plain_draw(table, event) else _ask(table, event, OF_DRAW)


def judges_a_pass(table: TileTable, event: Pass) -> Findings:
    """Ask what is asked of a pass."""
    return _ask(table, event, OF_PASS)


def judges_a_penalty(table: TileTable, event: Penalty) -> Findings:
    """Ask what is asked of penalty tiles."""
    return _ask(table, event, OF_PENALTY)


def judges_a_deal(table: TileTable, event: Deal) -> Findings:
    """Ask what is asked of a deal."""
    return _ask(table, event, OF_DEAL)


JUDGES: Mapping[type[Event], tuple[Judge, ...]] = {
    Deck: (judge_deck,),
    Deal: (judges_a_deal,),
    Play: (judges_a_play,),
    Draw: (judges_a_draw,),
    Pass: (judges_a_pass,),
    Penalty: (judges_a_penalty,),
    Reveal: (stock.seed_as_committed,),
    Show: (show.rack_as_played,),
    Misdeal: (annul.annulled_with_reason,),
    Void: (annul.annulled_with_reason,),
    **dict.fromkeys(FOREIGN, (not_of_this_game,)),
}

LAWS: tuple[Law, ...] = (
    # Whoever takes a tile back has touched the table: that is said once.
    Law("first-play-touches-table", "tile-taken-to-hand", "event", "same"),
    # Whoever was not on turn is not also asked for the draw of that turn.
    Law("tile-draw-missing", "out-of-turn", "event", "same"),
)


def advance(table: TileTable, event: Event) -> None:
    """Move the tiles as they moved; raise Impossible where they cannot have."""
    move = moves.MOVES.get(type(event))
    if move is not None and (table.live or not isinstance(event, ACTS)):
        move(table, event)


def finish(table: TileTable, hand: Hand) -> Sequence[Finding]:
    """Return what only the whole hand shows."""
    over = hand.end is not None or bool(table.shows or table.scores)
    found: list[Finding] = []
    if over:
        found += course.player_count(table, 0)
        found += course.penalty_missing(table, 0)
        if table.live and not table.deals:
            table.skip("deal-count", "no deal is in this log")
        elif table.live and len({each.seat for each in table.deals}) == 1:
            table.skip("deal-count", "the deals of the other seats are not in this log")
        if table.shuffle is not None and not table.revealed:
            table.skip("shuffle-mismatch", "the seed has not been revealed")
        if table.live and not score.course_known(table):
            table.skip("hand-not-ended", "how many tiles each player has is not in this log")
        if table.unseen:
            table.skip("card-not-held", "not every tile of the racks was seen")
        found += stock.deal_as_stated(table, 0)
    found += annul.ended_with_reason(table, hand)
    table.status = status = hand.end.status if hand.end else None
    if table.ended is None and status in ("misdeal", "void"):
        table.ended = Ended(status, 0)
    table.end = score.outcome(table)
    found += score.scores_right(table, hand, table.end)
    found += score.no_bonuses(table, hand)
    return found


def result(table: TileTable) -> Result:
    """Return how the hand ended by the rules."""
    end = table.end if table.end is not None else score.outcome(table)
    how = end.how
    if end.how in ("undecided", "won", "blocked"):
        how = _how(table, end)
    return Result(how, end.winner, end.points, end.breakdown)


def _how(table: TileTable, end: score.Outcome) -> str:
    if end.winner is not None:
        return "won"
    if table.status in ("abandoned", "misdeal", "void"):
        return table.status
    return "undecided" if table.status or table.ended is not None else "open"


def view(table: TileTable) -> TableView:
    """Return the table as it stands, frozen."""
    return view_of(table)
