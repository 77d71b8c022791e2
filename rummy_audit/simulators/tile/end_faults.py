"""Faults in the end of a simulated game: shows, scores, the log; and the list of them all."""

from __future__ import annotations

from typing import cast

import msgspec

from rummy_audit.rhl.records import Draw, Misdeal, Play, Reveal, Score, Show, UnknownEvent, Void
from rummy_audit.rules.tiles import TILE_FACES
from rummy_audit.simulators.tile import faults
from rummy_audit.simulators.tile.faults import Fault, Mark
from rummy_audit.simulators.tile.game import Game


def _last(game: Game) -> Score:
    return cast("Score", game.events[-1])


def _replace_show(game: Game, code: str, loose: tuple[str, ...], show: Show) -> Mark:
    game.events[show.seq - 1] = msgspec.structs.replace(show, loose=loose)
    return Mark(code, show.seq, show.seat)


def _a_show(game: Game) -> Show:
    return game.dice.pick([event for event in game.events if isinstance(event, Show)])


def hand_size(game: Game, _seat: int) -> Mark:
    """A tile is left out of a rack that is shown."""
    show = _a_show(game)
    return _replace_show(game, "hand-size", (show.loose or ())[1:], show)


def card_not_held(game: Game, _seat: int) -> Mark:
    """A rack is shown with another tile than it holds."""
    show = _a_show(game)
    loose = show.loose or ()
    other = next(tile for tile in game.dice.shuffled(TILE_FACES) if tile not in loose)
    return _replace_show(game, "card-not-held", (*loose[1:], other), show)


def card_twice(game: Game, _seat: int) -> Mark | None:
    """A tile is named twice in a rack that is shown."""
    show = _a_show(game)
    loose = show.loose or ()
    if loose.count(loose[0]) > 1:
        return None
    return _replace_show(game, "card-in-two-groups", (*loose, loose[0]), show)


def score_wrong(game: Game, _seat: int) -> Mark:
    """The losers are not charged for what they hold."""
    score = _last(game)
    points = {seat: max(0, number) for seat, number in (score.points or {}).items()}
    game.events[-1] = msgspec.structs.replace(score, points=points)
    losers = [seat for seat, number in (score.points or {}).items() if number < 0]
    return Mark("score-wrong", score.seq, losers[0] if len(losers) == 1 else None)


def score_missing(game: Game, _seat: int) -> Mark:
    """Nothing is written down."""
    game.events.pop()
    return Mark("score-missing", 0)


def seat_missing(game: Game, seat: int) -> Mark:
    """A seat is left out of the score."""
    score = _last(game)
    points = {other: number for other, number in (score.points or {}).items() if other != seat}
    game.events[-1] = msgspec.structs.replace(score, points=points)
    return Mark("score-missing", score.seq, seat)


def winner_wrong(game: Game, _seat: int) -> Mark | None:
    """Another winner is named than the one who has no tile left."""
    score = _last(game)
    if game.winner is None:
        return None
    other = game.dice.pick([seat for seat in game.seats if seat != game.winner])
    game.events[-1] = msgspec.structs.replace(score, winner=other)
    return Mark("winner-wrong", score.seq, other)


def hand_not_ended(game: Game, _seat: int) -> Mark | None:
    """The play that ended the game is not in the log."""
    if game.winner is None:
        return None
    last = max(event.seq for event in game.events if isinstance(event, Play))
    del game.events[last - 1]
    game.events = [
        msgspec.structs.replace(event, seq=number) for number, event in enumerate(game.events, 1)
    ]
    return Mark("hand-not-ended", len(game.events))


def seq_count(game: Game, _seat: int) -> Mark:
    """The end says another number of events."""
    game.claimed = len(game.events) + 1
    return Mark("seq-count", 0)


def chain_broken(game: Game, _seat: int) -> Mark:
    """The end names another link than the last one."""
    game.head = "0" * 64
    return Mark("chain-broken", 0)


# What cannot be, or ends a game


def _stops(game: Game, mark: Mark) -> Mark:
    game.stopped = True
    return mark


def tile_not_held(game: Game, seat: int) -> Mark | None:
    """A player plays a run that the rack does not hold."""
    color, first = game.dice.pick("RBKO"), 1 + game.dice.below(11)
    meld = tuple(f"{color}{first + step}" for step in range(3))
    if seat not in game.opened or set(meld) & set(game.racks[seat]):
        return None
    seq = game.add(Play(seat=seat, table=(*game.melds, meld)))
    return _stops(game, Mark("card-not-held", seq, seat))


def tile_unknown(game: Game, seat: int) -> Mark:
    """A tile is drawn that this game does not have."""
    seq = game.add(Draw(seat=seat, from_="stock", card="R14"))
    return _stops(game, Mark("card-not-in-deck", seq, seat))


def tile_once_more(game: Game, seat: int) -> Mark | None:
    """A tile is drawn of which both lie on the table already."""
    lying = [tile for meld in game.melds for tile in meld]
    both = sorted({tile for tile in lying if lying.count(tile) > 1})
    if not both or not game.stock:
        return None
    seq = game.add(Draw(seat=seat, from_="stock", card=game.dice.pick(both)))
    return _stops(game, Mark("too-many-copies", seq, seat))


def misdeal_unfounded(game: Game, _seat: int) -> Mark:
    """The deal is called off for a count that is right."""
    game.status = "misdeal"
    return _stops(game, Mark("misdeal-unfounded", game.add(Misdeal(cause="wrong-count"))))


def void_unfounded(game: Game, _seat: int) -> Mark:
    """The game is called void though the rules play on without a stock."""
    game.status = "void"
    return _stops(game, Mark("void-unfounded", game.add(Void(cause="stock-exhausted"))))


def unknown_event(game: Game, _seat: int) -> Mark:
    """The log has an event of a kind that nobody knows."""
    return Mark("unknown-event", game.add(UnknownEvent(kind="gong")))


def shuffle_mismatch(game: Game, _seat: int) -> Mark | None:
    """The seed that is told is not the one that was committed to."""
    told = [event for event in game.events if isinstance(event, Reveal)]
    if not told:
        return None
    game.events[told[0].seq - 1] = msgspec.structs.replace(told[0], seed="another")
    return Mark("shuffle-mismatch", told[0].seq)


def score_impossible(game: Game, _seat: int) -> Mark:
    """The losers are given points instead of losing them."""
    score = _last(game)
    points = {seat: abs(number) for seat, number in (score.points or {}).items()}
    game.events[-1] = msgspec.structs.replace(score, points=points)
    return Mark("score-impossible", score.seq)


FULL = ("full",)
SHOWN = ("full", "table", "shown")
ALL = (*SHOWN, "scores")
JOKERS = {"joker_replace_first": True, "joker_replace_from_hand": True}
LOCKED = {**JOKERS, "joker_meld_locked": True}
NEW_MELD = {**JOKERS, "joker_reuse_new_meld": True}

FAULTS: dict[str, Fault] = {
    "deal-count": Fault("deal", faults.deal_count),
    "player-count": Fault("deal", faults.player_count, seats=5),
    "deck-order": Fault("deal", faults.deck_order, details=FULL),
    "out-of-turn": Fault("turn", faults.out_of_turn),
    "played-and-drew": Fault("turn", faults.played_and_drew),
    "second-draw": Fault("turn", faults.second_draw),
    "tile-draw-missing": Fault("turn", faults.passed),
    "rearranged-only": Fault("turn", faults.rearranged),
    "timer-exceeded": Fault("turn", faults.timer_exceeded, house={"timer_seconds": 60}),
    "penalty-missing": Fault("turn", faults.penalty_missing),
    "penalty-wrong": Fault("turn", faults.penalty_wrong),
    "penalty-not-due": Fault("turn", faults.penalty_not_due),
    "table-invalid": Fault("turn", faults.table_invalid),
    "tile-taken-to-hand": Fault("turn", faults.tile_taken),
    "first-play-too-low": Fault("turn", faults.first_play_too_low),
    "first-play-touches-table": Fault("turn", faults.first_play_touches),
    "joker-not-replaced": Fault("turn", faults.joker_not_replaced, house=JOKERS),
    "joker-not-from-hand": Fault("turn", faults.joker_not_from_hand, house=JOKERS),
    "joker-meld-locked": Fault("turn", faults.joker_meld_locked, house=LOCKED),
    "joker-not-in-new-meld": Fault("turn", faults.joker_not_in_new_meld, house=NEW_MELD),
    "tile-not-held": Fault("turn", tile_not_held, details=FULL),
    "card-not-in-deck": Fault("turn", tile_unknown, details=FULL),
    "too-many-copies": Fault("turn", tile_once_more, details=FULL),
    "misdeal-unfounded": Fault("turn", misdeal_unfounded),
    "void-unfounded": Fault("turn", void_unfounded),
    "unknown-event": Fault("turn", unknown_event),
    "event-after-end": Fault("over", faults.event_after_end),
    "hand-size": Fault("end", hand_size),
    "card-not-held": Fault("end", card_not_held, details=FULL),
    "card-in-two-groups": Fault("end", card_twice, details=FULL),
    "score-wrong": Fault("end", score_wrong, details=SHOWN),
    "score-missing": Fault("end", score_missing, details=ALL),
    "seat-missing": Fault("end", seat_missing, details=ALL),
    "winner-wrong": Fault("end", winner_wrong, details=ALL),
    "hand-not-ended": Fault("end", hand_not_ended),
    "seq-count": Fault("end", seq_count, details=ALL),
    "score-impossible": Fault("end", score_impossible, details=("scores",)),
    "shuffle-mismatch": Fault("end", shuffle_mismatch, details=FULL),
    "chain-broken": Fault("end", chain_broken, details=ALL),
}
