"""How the events of a hand move the tiles, right or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from rummy_audit.rhl.records import (
    UNKNOWN,
    Deal,
    Deck,
    Draw,
    Event,
    Irregularity,
    Misdeal,
    Pass,
    Penalty,
    Play,
    Reveal,
    Score,
    Show,
    Shuffle,
    Void,
)
from rummy_audit.rules.deck import Pull, is_whole
from rummy_audit.rules.families.tile import stock
from rummy_audit.rules.families.tile.annul import redealt
from rummy_audit.rules.families.tile.course import fine, goes_on, takes_back
from rummy_audit.rules.families.tile.show import held_of, shown_tiles, sound
from rummy_audit.rules.families.tile.table import UNCOUNTED, Ended, TileTable, Turn
from rummy_audit.rules.families.tile.turn import read_turn
from rummy_audit.rules.findings import Impossible
from rummy_audit.rules.table import Holding


def deck(table: TileTable, event: Deck) -> None:
    """Keep the stated order of the tiles; behind a misdeal it is the next deal's."""
    if not is_whole(event.cards, table.pack):
        return
    if table.called is not None:
        table.next_deck = event
    elif not table.deals:
        table.deck = event


def shuffle(table: TileTable, event: Shuffle) -> None:
    """Keep the commitment to a shuffle; behind a misdeal it is the next deal's."""
    if table.called is not None:
        table.next_shuffle = event
    else:
        table.shuffle = event


def reveal(table: TileTable, _event: Reveal) -> None:
    """Note that the seed was told."""
    table.revealed = True


def deal(table: TileTable, event: Deal) -> None:
    """Give a seat its tiles; seats that are dealt nothing stay outside the turn order."""
    if table.called is not None:
        table.redeal()
        table.anew += (event.seq,)
    if not table.live:
        return
    seat = event.seat
    count = len(event.cards) if event.cards is not None else event.count
    tiles = event.cards or (UNKNOWN,) * (count or 0)
    if table.ended is not None:
        table.late = True
        table.strays.setdefault(seat, []).extend(tiles)
        return
    if table.actor is None:
        _dealt_before_play(table, event)
    elif table.stock is not None:
        table.stock = None if count is None else max(0, table.stock - count)
    table.deals.append(event)
    if count is None:
        table.hand(seat).unknown = UNCOUNTED
        return
    table.dealt[seat] = table.dealt.get(seat, 0) + count
    for tile in tiles:
        table.sight(tile, event, seat=seat)
        table.hand(seat).take(tile)


def _dealt_before_play(table: TileTable, event: Deal) -> None:
    """Work out who plays and what the stock holds.

    Nobody plays alone: one deal does not say that nobody else was dealt.
    """
    before = {each.seat for each in table.deals}
    for earlier in table.deals:
        if earlier.seat == event.seat:
            # Dealt in parts: the last of them says how many tiles it came to.
            if earlier.seq != event.seq or not table.faults_of(event):
                table.take_back("deal-count", earlier.seq)
            table.faults.pop(id(earlier), None)
    if event.seat not in before:
        table.hands[event.seat] = Holding()
    seats = before | {event.seat}
    if len(seats) == 1:
        return
    if len(before) == 1:
        for other in table.hands.keys() - seats:
            table.hands[other] = Holding()
    given = {
        each.seat
        for each in (*table.deals, event)
        if each.cards or (each.cards is None and each.count != 0)
    }
    # Who was dealt no tile sits outside the turn order, also where the log says so.
    table.playing = sorted(given or seats)
    counts = [
        each.count if each.cards is None else len(each.cards) for each in (*table.deals, event)
    ]
    known = [count for count in counts if count is not None]
    left = sum(table.pack.values()) - sum(known)
    table.stock = max(0, left) if len(known) == len(counts) else None


def _acts(table: TileTable, event: Play | Draw | Pass | Penalty) -> None:
    """Note who acted: the turn is with the left neighbour now."""
    seat = event.seat
    table.standing = table.owed = table.reading = table.shown = table.fined = None
    if seat not in table.playing:
        return  # who was dealt nothing is in no turn, and moves none
    if table.actor != seat:
        table.since = table.last_ms
    table.actor, table.acted = seat, type(event)
    table.last, table.last_ms = event, event.ms
    table.turn = table.next_seat(seat)


def play(table: TileTable, event: Play) -> None:
    """Lay the table as it is after the turn; a play marked undone was taken back at once."""
    turn = read_turn(table, event)
    if turn.stop is not None:
        raise Impossible(turn.stop)
    if table.ended is not None:
        table.late = True
        return
    _acts(table, event)
    hand, seat = table.hand(event.seat), event.seat
    for tile in turn.added:
        if not hand.give(tile):
            table.unseen = True
            table.sight(tile, event, seat=seat)
    for tile in turn.taken:
        _take_openly(hand, tile)
    table.melds = turn.after
    table.newly_opened = bool(turn.added) and event.seat not in table.opened
    if table.newly_opened:
        # Right or wrong: a first play that stands has opened the seat.
        table.opened.add(event.seat)
    if event.undone:
        _undo(table, turn)
        table.handle(event.seq, table.faults_of(event))
        table.owed = turn
        table.passed = ()
        return
    table.standing = table.shown = turn
    nothing = not turn.added and not turn.taken and not turn.unseen
    _cannot_play(table, seat, nothing=nothing)
    if len(hand) == 0:
        table.ended = Ended("won", event.seq, seat)
    elif _blocked(table):
        table.ended = Ended("blocked", event.seq)


def _cannot_play(table: TileTable, seat: int, *, nothing: bool) -> None:
    """Note a turn in which a seat could do nothing, with no stock to draw from."""
    if not nothing or table.stock != 0:
        table.passed = ()
    elif seat not in table.passed:
        table.passed = (*table.passed, seat)


def _blocked(table: TileTable) -> bool:
    """Whether every seat has passed since the last tile was played: a seat twice is no round."""
    return bool(table.passed) and all(seat in table.passed for seat in table.playing)


def _take_openly(hand: Holding, tile: str) -> None:
    """Put a tile into a hand before everybody's eyes."""
    hand.take(tile)
    if tile != UNKNOWN:
        hand.public[tile] = hand.public.get(tile, 0) + 1


def _undo(table: TileTable, turn: Turn) -> None:
    """Put all tiles back where they were before a turn; now everybody has seen them."""
    hand = table.hand(turn.event.seat)
    for tile in turn.taken:
        hand.give(tile)
    for tile in turn.added:
        _take_openly(hand, tile)
    table.melds = turn.before
    if table.newly_opened:
        table.opened.discard(turn.event.seat)


def draw(table: TileTable, event: Draw) -> None:
    """Move a tile from the stock to a hand."""
    seat = event.seat
    if event.from_ != "stock":
        raise Impossible(table.found("draw-not-top", event, seat=seat, card=event.card))
    tiles = event.cards if event.cards is not None else (event.card or UNKNOWN,)
    if table.ended is not None:
        table.late = True
        table.strays.setdefault(seat, []).extend(tiles)
        return
    if table.stock is not None and table.stock < len(tiles):
        whole = sum(table.pack.values())
        raise Impossible(
            table.found(
                "too-many-copies",
                event,
                seat=seat,
                recorded=whole + len(tiles) - table.stock,
                expected=whole,
            )
        )
    _acts(table, event)
    table.passed = ()
    _from_stock(table, event, tiles)


def _from_stock(table: TileTable, event: Draw | Penalty, tiles: tuple[str, ...]) -> None:
    hand, seat = table.hand(event.seat), event.seat
    if table.gone_from_deck is not None:
        wrong = stock.contradicted(table, tiles)
        # Once contradicted, nothing is known of the order any more.
        table.gone_from_deck = None if wrong else table.gone_from_deck + len(tiles)
    for tile in tiles:
        if tile != UNKNOWN:
            table.sight(tile, event, seat=seat)
        hand.take(tile)
        if table.followed:
            table.pulls.append(Pull("top", None if tile == UNKNOWN else tile, event.seq, seat))
    if table.stock is not None:
        table.stock = max(0, table.stock - len(tiles))


def passes(table: TileTable, event: Pass) -> None:
    """Let a player pass; with an empty stock a full round of it ends the hand."""
    if table.ended is not None:
        table.late = True
        return
    _acts(table, event)
    _cannot_play(table, event.seat, nothing=True)
    if _blocked(table):
        table.ended = Ended("blocked", event.seq)


def penalty(table: TileTable, event: Penalty) -> None:
    """Take the play before it back, if it is this seat's, and give the penalty tiles.

    A penalty that takes nothing back and was not due is no turn.
    """
    back = takes_back(table, event)
    came = fine(table, event)
    _in_parts(table, event)
    turn = table.standing
    if back and turn is not None:
        _undo(table, turn)
        table.handle(turn.event.seq, table.faults_of(turn.event))
        if table.ended is not None and table.ended.seq == turn.event.seq:
            table.ended = None
        table.standing = None
    if table.ended is not None:
        table.late = True
        late = event.cards or (UNKNOWN,) * (event.count or 0)
        table.strays.setdefault(event.seat, []).extend(late)
        return
    _penalised(table, event, idle=not back and came.due is False)
    table.fined = came
    if event.cards is None and event.count is None:
        _uncounted(table, event)
        return
    tiles = event.cards if event.cards is not None else (UNKNOWN,) * (event.count or 0)
    if event.cards is None and table.stock is not None:
        tiles = tiles[: table.stock]
    _from_stock(table, event, tiles)


def _in_parts(table: TileTable, event: Penalty) -> None:
    """Let the last of several penalties of a turn say how many tiles they came to."""
    if not goes_on(table, event) or table.fined is None:
        return
    earlier = table.fined.event
    if earlier.seq != event.seq or not table.faults_of(event):
        table.take_back("penalty-wrong", earlier.seq)


def _uncounted(table: TileTable, event: Penalty) -> None:
    """Let a seat take nobody knows how many tiles: the stock's order is lost as well."""
    table.hand(event.seat).unknown += UNCOUNTED
    table.stock = None
    table.followed = False
    if table.gone_from_deck is not None:
        table.gone_from_deck = None
        table.skip("deck-order", "how many tiles were drawn is not in this log")


def _penalised(table: TileTable, event: Penalty, *, idle: bool) -> None:
    """Let a penalty end the turn; an ``idle`` one, for nothing, leaves it with whose it was.

    Before the seat has acted nobody can tell: it may go on, or its turn have ended so.
    """
    turn = table.turn
    if not idle or table.actor is None or turn == event.seat:
        _acts(table, event)
        table.passed = ()
    elif table.actor == event.seat:
        table.last_ms = event.ms
    if idle:
        table.standing = table.owed = table.shown = None
        table.turn = None if turn == event.seat else turn


def irregularity(table: TileTable, event: Irregularity) -> None:
    """Keep what the table noticed."""
    table.noticed.append(event)


def annul(table: TileTable, event: Misdeal | Void) -> None:
    """Let the hand be annulled."""
    if table.called is None:
        table.called = event
        if isinstance(event, Misdeal):
            redealt(table)
    # Of a hand that is annulled nobody owes a penalty.
    table.standing = table.owed = None
    if table.ended is None:
        table.ended = Ended("misdeal" if isinstance(event, Misdeal) else "void", event.seq)


def show(table: TileTable, event: Show) -> None:
    """Let a hand be seen, as far as it can be the one that was played."""
    table.standing = None
    table.shows[event.seat] = event
    tiles = shown_tiles(table, event)
    if sound(table, event):
        table.sound[event.seat] = tiles
    hand = table.hand(event.seat)
    named = held_of(table, hand, tiles)
    # Of more tiles than the rack holds nobody can say which were in it.
    fresh = named.fresh if len(tiles) <= len(hand) else []
    table.unseen = table.unseen or bool(fresh)
    for tile in fresh:
        hand.unknown -= 1
        hand.take(tile)
        table.sight(tile, event, seat=event.seat)
    for tile, count in Counter((*named.known, *fresh)).items():
        if tile != UNKNOWN:
            hand.public[tile] = max(count, hand.public.get(tile, 0))


def score(table: TileTable, event: Score) -> None:
    """Keep what the table wrote down; on a sheet, who was not there was dealt nothing."""
    table.standing = None
    table.scores.append(event)
    if table.live:
        return
    away = {seat for seat, mark in (event.marks or {}).items() if mark == "absent"}
    points = event.points or {}
    there = [seat for seat in table.playing if seat not in away or points.get(seat)]
    if len(there) >= table.rules.number("players_min"):
        table.playing = there


MOVES: dict[type[Event], Callable[[Any, Any], None]] = {
    Deck: deck,
    Shuffle: shuffle,
    Reveal: reveal,
    Deal: deal,
    Play: play,
    Draw: draw,
    Pass: passes,
    Penalty: penalty,
    Irregularity: irregularity,
    Misdeal: annul,
    Void: annul,
    Show: show,
    Score: score,
}
