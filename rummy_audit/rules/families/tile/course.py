"""The course of play: one play or one draw a turn, then the left neighbour.

A turn is judged from what happened: after a slip it is with the left neighbour of
whoever acted last, and the same slip is not found again.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Deal, Draw, Event, Pass, Penalty, Play
from rummy_audit.rules.families.tile.table import Fine, TileTable
from rummy_audit.rules.findings import NONE, Findings

Act = Play | Draw | Pass | Penalty

UNCOUNTED_STOCK = "how many tiles are in the stock is not known"


def player_count(table: TileTable, _event: Event | int) -> Findings:
    """Two to four players play; seats that were dealt nothing are not among them."""
    if not table.say_once("player-count"):
        return NONE
    count, rules = len(table.playing), table.rules
    if count < rules.number("players_min"):
        parameter = "players_min"
    elif count > rules.number("players_max"):
        parameter = "players_max"
    else:
        return NONE
    return [
        table.found("player-count", 0, parameter, recorded=count, expected=rules.number(parameter))
    ]


def dealt_hand_size(table: TileTable, event: Deal) -> Findings:
    """Each player takes 14 tiles."""
    if table.ended is not None and table.called is None:
        return after_the_end(table, event)
    dealt = len(event.cards) if event.cards is not None else event.count
    if dealt is None:
        table.skip("deal-count", "how many tiles were dealt is not in this log")
        return NONE
    before = table.dealt.get(event.seat, 0) if table.called is None else 0
    count, size = before + dealt, table.settings.hand_size
    if count == size:
        return NONE
    return [
        table.found(
            "deal-count", event, "hand_size", seat=event.seat, recorded=count, expected=size
        )
    ]


def penalty_missing(table: TileTable, event: Event | int) -> Findings:
    """A wrong turn that was taken back costs penalty tiles, as many as the stock has.

    A player who took a right play back may go on with the turn.
    """
    owed = table.owed
    if owed is None:
        return NONE
    seat = owed.event.seat
    if isinstance(event, Penalty) and event.seat == seat:
        return NONE
    goes_on = isinstance(event, Draw | Play | Pass) and event.seat == seat
    if (goes_on and not table.faults_of(owed.event)) or table.stock == 0:
        return NONE
    due = table.settings.penalty_tiles
    if due == 0:
        return NONE
    if table.stock is None and not isinstance(event, Draw):
        table.skip("penalty-missing", UNCOUNTED_STOCK)
        return NONE
    return [
        table.found(
            "penalty-missing",
            owed.event,
            "penalty_tiles",
            seat=seat,
            expected=due if table.stock is None else min(due, table.stock),
        )
    ]


def after_the_end(table: TileTable, event: Act | Deal) -> Findings:
    """Nothing is played or dealt once the hand is decided; found once."""
    if table.ended is None or table.late:
        return NONE
    if isinstance(event, Penalty) and takes_back(table, event):
        return NONE
    return [table.found("event-after-end", event, seat=event.seat, outcome=table.ended.outcome)]


def takes_back(table: TileTable, event: Penalty) -> bool:
    """Whether a penalty follows at once on the same seat's play, and so takes it back."""
    turn = table.standing or table.owed
    return turn is not None and turn.event.seat == event.seat


def plain_draw(table: TileTable, event: Draw) -> bool:
    """Whether a draw is just the next one: the common case."""
    return (
        event.seat == table.turn
        and event.cards is None
        and table.owed is None
        and table.ended is None
        and table.settings.timer is None
        and table.actor is not None
        and table.gone_from_deck is None
    )


def one_draw(table: TileTable, event: Draw) -> Findings:
    """Who does not play draws one tile, and the turn ends with it."""
    if table.ended is not None:
        return NONE
    if table.actor == event.seat and table.acted is Draw and event.seat != table.turn:
        tiles = [] if event.card is None else [event.card]
        return [table.found("second-draw", event, seat=event.seat, cards=tiles)]
    if event.cards is not None and len(event.cards) > 1:
        return [table.found("second-draw", event, seat=event.seat, cards=list(event.cards))]
    return NONE


def in_turn(table: TileTable, event: Play | Draw | Pass) -> Findings:
    """Whoever begins is followed by the left neighbour; a turn ends with a play or a draw."""
    if table.ended is not None or event.seat == table.turn or table.turn not in table.playing:
        return NONE
    if isinstance(event, Draw) and table.actor == event.seat:
        if table.acted is Draw:
            return NONE
        if "tile-draw-missing" in table.faults_of(table.last):
            return NONE  # the draw that was missing comes after all: one slip
    if table.owed is not None and table.owed.event.seat == event.seat:
        return NONE
    if event.seat not in table.playing and not table.say_once(f"out-of-turn {event.seat}"):
        return NONE
    return [table.found("out-of-turn", event, seat=event.seat, expected=table.turn)]


def in_time(table: TileTable, event: Play | Draw | Pass) -> Findings:
    """With a timer a turn may take so long, from the previous player's last event.

    Who took a right play back and goes on is in the same turn still.
    """
    limit = table.settings.timer
    if limit is None or table.ended is not None or table.actor is None:
        return NONE
    begun = table.last_ms
    if table.actor == event.seat:
        if table.owed is None or table.faults_of(table.owed.event):
            return NONE
        begun = table.since
        if begun is None:
            return NONE  # nobody was before, or that is said already
    if event.ms is None or begun is None:
        table.skip("timer-exceeded", "the times of the turns are not in this log")
        return NONE
    took = event.ms - begun
    if took <= limit:
        return NONE
    return [
        table.found(
            "timer-exceeded",
            event,
            "timer_seconds",
            seat=event.seat,
            recorded=took,
            expected=limit,
            seconds=_seconds(took),
        )
    ]


def _seconds(ms: int) -> str:
    """Write milliseconds as seconds, without a float.

    >>> _seconds(61500), _seconds(62000)
    ('61.5', '62')
    """
    whole, rest = divmod(ms, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def draws_while_there_are_tiles(table: TileTable, event: Pass) -> Findings:
    """Only with an empty stock does a player pass who cannot play."""
    if table.ended is not None or table.stock == 0:
        return NONE
    if table.stock is None:
        table.skip("tile-draw-missing", UNCOUNTED_STOCK)
        return NONE
    return [table.found("tile-draw-missing", event, seat=event.seat, stock=table.stock)]


def penalty_due(table: TileTable, event: Penalty) -> Findings:
    """Three tiles are drawn for a wrong turn that was taken back, fewer if the stock has fewer.

    Drawn one after the other they are still one penalty.
    """
    if table.ended is not None and not takes_back(table, event):
        return NONE
    drawn, due = fine(table, event)[1:]
    if drawn is None:
        table.skip("penalty-wrong", "how many tiles were drawn is not in this log")
        return NONE
    before, stock = table.fined, table.stock
    if stock is not None and goes_on(table, event) and before is not None:
        stock += before.drawn or 0
    most = table.settings.penalty_tiles
    expected = most if stock is None else min(most, stock)
    if due is None:
        table.skip("penalty-wrong", "whether the timer ran out is not in this log")
    if due is False:
        expected = 0
    if drawn == expected:
        return NONE
    if stock is None and due is not False and drawn < most:
        table.skip("penalty-wrong", UNCOUNTED_STOCK)
        return NONE
    return [
        table.found(
            "penalty-wrong",
            event,
            "penalty_tiles",
            seat=event.seat,
            recorded=drawn,
            expected=expected,
        )
    ]


def goes_on(table: TileTable, event: Penalty) -> bool:
    """Whether penalty tiles are more of those that the same seat has just drawn."""
    return table.fined is not None and table.fined.event.seat == event.seat


def fine(table: TileTable, event: Penalty) -> Fine:
    """Return what a seat's penalty comes to with this event of it."""
    drawn = len(event.cards) if event.cards is not None else event.count
    before = table.fined
    if before is None or before.event.seat != event.seat:
        return Fine(event, drawn, is_due(table, event))
    whole = None if drawn is None or before.drawn is None else before.drawn + drawn
    return Fine(event, whole, before.due)


def is_due(table: TileTable, event: Penalty) -> bool | None:
    """Whether a penalty is due: for what was wrong in this seat's turn, or for the timer.

    None where only the timer could have run out and the times are not known. A play on
    the stroke is in time, and a timer that rings then is right as well.
    """
    if table.actor == event.seat:
        if takes_back(table, event):
            turn = table.standing or table.owed
            if turn is not None and table.faults_of(turn.event):
                return True
            begun = table.since
        else:
            return bool(table.faults_of(table.last))
    elif table.turn in (None, event.seat):
        begun = table.last_ms
    else:
        return False
    limit = table.settings.timer
    if limit is None:
        return False
    if event.ms is None or begun is None:
        return None
    return event.ms - begun >= limit
