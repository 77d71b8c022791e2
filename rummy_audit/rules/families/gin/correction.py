"""A wrong number of cards that came to light in play, and how it is put right.

The player whose hand is right may want to play on: then the other draws without
discarding, or discards without drawing, and does not knock before the next turn.
"""

from __future__ import annotations

from rummy_audit.rhl.records import Event
from rummy_audit.rules.families.gin.table import Correction, GinTable, Noticed


def wrong_sizes(table: GinTable) -> dict[int, int]:
    """Return the seats that hold a wrong number of cards at rest, with that number."""
    sizes = {seat: table.rest_size(seat) for seat in table.playing}
    return {seat: size for seat, size in sizes.items() if size != table.law.hand_size}


def ask(table: GinTable, noticed: Noticed) -> None:
    """From now on the one wrong hand has to be put right.

    A hand of too many cards that has drawn already can only do so in its next turn.
    """
    wrong = wrong_sizes(table)
    if len(wrong) != 1:
        return
    seat, size = next(iter(wrong.items()))
    if table.seats[seat].correction is None:
        spared = seat in table.drawn and size > table.law.hand_size
        table.seats[seat].correction = Correction(noticed, size, spared=spared)
        table.bothered = True
        table.look_closer()


def may_draw_more(table: GinTable, seat: int) -> bool:
    """Whether a hand of too few cards may draw now, beside or instead of its turn's draw."""
    correction = table.seats[seat].correction
    return correction is not None and table.rest_size(seat) < table.law.hand_size


def draws_late(table: GinTable, seat: int) -> bool:
    """Whether a draw only follows late on the discard that showed it missing: one slip."""
    return table.owing == seat


def pays_late(table: GinTable, seat: int) -> bool:
    """Whether a discard without a draw may be one that was found missing: one slip.

    It stands behind a discard of the seat's own, or where its next turn is due: then
    what follows on it tells.
    """
    holds_more = len(table.hands[seat]) > table.law.hand_size
    due = seat == table.last_discard or (seat == table.turn and not table.paid)
    return table.seats[seat].kept == "discard" and holds_more and due


def makes_good(table: GinTable, seat: int) -> bool:
    """Whether the draw before this one made good one left out: the turn's own is still due.

    The seat had discarded without drawing and then drew outside its turn; with its
    turn's draw it holds what it should.
    """
    short = len(table.hands[seat]) <= table.law.hand_size
    return short and seat == table.turn and table.lacking.get(seat, False)


def may_discard_more(table: GinTable, seat: int) -> bool:
    """Whether a hand of too many cards may discard now without having drawn."""
    correction = table.seats[seat].correction
    return correction is not None and table.rest_size(seat) > table.law.hand_size


def is_done(table: GinTable, seat: int) -> bool:
    """Whether a seat that has drawn keeps the card, because its hand lacked one."""
    correction = table.seats[seat].correction
    return correction is not None and len(table.hands[seat]) <= table.law.hand_size


def settle(table: GinTable, event: Event, seat: int) -> None:
    """At the end of a turn: the number of cards is right now, or nearer to it, or wrong.

    Too few cards left show at the discard that should not have been, too many at
    the draw that should not have been.
    """
    correction = table.seats[seat].correction
    if correction is None:
        return
    size, right = len(table.hands[seat]), table.law.hand_size
    if correction.noticed.state == "broken":
        table.seats[seat].correction = None
    elif size == right:
        table.seats[seat].correction = None
        correction.noticed.state = "followed"
        put_right(table, seat)
    elif correction.spared:
        correction.spared = False
    elif abs(size - right) < abs(correction.size - right):
        correction.size = size
    else:
        table.seats[seat].correction = None
        correction.noticed.state = "broken"
        at = correction.drew if size > right and correction.drew else event.seq
        table.late.append(
            table.found(
                "count-correction-wrong",
                at,
                "count_correction",
                seat=seat,
                recorded=size,
                expected=right,
            )
        )
    if table.seats[seat].correction is not None:
        correction.drew = 0


def put_right(table: GinTable, seat: int) -> None:
    """The table dealt with a wrong deal as it should: what was found of it is handled."""
    state = table.seats[seat]
    if state.dealt is not None and state.dealt != table.law.hand_size:
        table.handle(state.dealt_at, ["deal-count"])
        if table.due == {"deal-count": {seat}}:
            table.played_on = 0
