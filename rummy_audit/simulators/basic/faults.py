"""Faults for the simulator: one thing that goes wrong in a hand, with its code and place.

A ``slip`` happens on a turn, and play goes on from what happened (``slips``). What
``spoil`` changes is a hand that was played by the rules: its deal, or its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from rummy_audit.rhl import records
from rummy_audit.rhl.records import Event, Score, Show
from rummy_audit.rules.rulesets import ruleset
from rummy_audit.simulators.basic import slips
from rummy_audit.simulators.basic.game import Dice, Game
from rummy_audit.simulators.basic.slips import GROUPS, Made, Slip

Status = Literal["completed", "misdeal", "void", "abandoned"]

put = msgspec.structs.replace


class Played:
    """A hand that was played, before it is written down as somebody saw it."""

    def __init__(self, game: Game) -> None:
        """Begin with an unfinished hand."""
        self.game = game
        self.events: list[Event] = game.events
        self.seats = list(game.seats)
        self.status: Status = "abandoned"
        self.made: Made | None = None
        self.miscount = 0
        self.head: str | None = None

    def end(self) -> None:
        """Show the hands that are left, and write the score down."""
        game = self.game
        for seat in game.order:
            if game.hands[seat]:
                self.events.append(Show(seat=seat, groups=(), loose=tuple(game.hands[seat])))
        self.events.append(Score(points=game.points(), winner=game.winner))
        self.status = "completed"

    def put_first(self, event: Event) -> None:
        """Put an event before all others."""
        self.events.insert(0, event)
        if self.made is not None:
            self.made = self.made._replace(seq=self.made.seq + 1)

    def last(self, kind: type[Event]) -> int | None:
        """Return the place of the last event of a kind, from 0."""
        places = [place for place, event in enumerate(self.events) if type(event) is kind]
        return places[-1] if places else None


Spoil = Callable[[Played, Dice], Made | None]


class Fault(NamedTuple):
    """A fault: the details that show it, how it is made, and what is found beside it.

    ``slip`` happens on a turn; ``spoil`` changes the whole hand; ``sizes`` deals
    somebody a wrong number of cards.
    """

    details: tuple[str, ...]
    slip: Slip | None = None
    spoil: Spoil | None = None
    sizes: Callable[[Game], dict[int, int]] | None = None
    beside: tuple[str, ...] = ()


def _wrong_sizes(game: Game) -> dict[int, int]:
    seat = game.dice.choice(game.seats)
    return {seat: game.settings.hand_size + game.dice.choice((-1, 1))}


def _noticed(kind: str, code: str) -> Spoil:
    """Return what lets the table notice something in the deal."""

    def spoil(played: Played, dice: Dice) -> Made | None:
        place = next(n for n, each in enumerate(played.events) if isinstance(each, records.Upcard))
        seat = None if kind == "not-shuffled" else dice.choice(played.seats)
        noticed = records.Irregularity(kind=kind, seat=seat)  # type: ignore[arg-type] # a kind
        played.events.insert(place, noticed)
        return Made(code, place + 1, seat)

    return spoil


def _showing(code: str) -> Spoil:
    """Return what shows a hand otherwise than it was played."""

    def spoil(played: Played, dice: Dice) -> Made | None:
        del dice
        place = played.last(Show)
        event = played.events[place] if place is not None else None
        if place is None or not isinstance(event, Show) or len(event.loose or ()) < _SOME:
            return None
        loose = event.loose or ()
        if code == "hand-size":
            loose = loose[1:]
        elif code == "card-in-two-groups":
            if len(set(loose)) < len(loose):
                return None
            loose = (*loose[1:], loose[-1])
        else:
            strange = next(card for card in played.game.pack if card not in loose)
            loose = (*loose[1:], strange)
        played.events[place] = put(event, loose=loose)
        return Made(code, place + 1, event.seat)

    return spoil


def _scoring(
    change: Callable[[Played, Score], tuple[Score | None, str, int | None] | None],
) -> Spoil:
    """Return what writes the score down otherwise."""

    def spoil(played: Played, dice: Dice) -> Made | None:
        del dice
        place = played.last(Score)
        event = played.events[place] if place is not None else None
        if place is None or not isinstance(event, Score):
            return None
        changed = change(played, event)
        if changed is None:
            return None
        score, code, seat = changed
        if score is None:
            del played.events[place]
            return Made(code, 0, seat)
        played.events[place] = score
        return Made(code, place + 1, seat)

    return spoil


Changed = tuple[Score | None, str, int | None] | None


def _other_points(played: Played, event: Score) -> Changed:
    seat = played.game.winner or played.seats[0]
    points = dict(event.points or {})
    points[seat] += 5
    return put(event, points=points), "score-wrong", seat


def _too_many_points(played: Played, event: Score) -> Changed:
    if played.game.over != "won":
        return None
    losers = [seat for seat in played.seats if seat != played.game.winner]
    seat = losers[0] if played.game.settings.charged else played.game.winner or 0
    return put(event, points={**(event.points or {}), seat: 9999}), "score-impossible", seat


def _below_nought(played: Played, event: Score) -> Changed:
    seat = played.seats[0]
    return put(event, points={**(event.points or {}), seat: -1}), "score-impossible", seat


def _other_winner(played: Played, event: Score) -> Changed:
    seat = next((each for each in played.seats if each != played.game.winner), 0)
    return put(event, winner=seat), "winner-wrong", seat


def _seat_left_out(played: Played, event: Score) -> Changed:
    seat = played.seats[0]
    points = {each: own for each, own in (event.points or {}).items() if each != seat}
    return put(event, points=points), "score-missing", seat


def _no_score(played: Played, event: Score) -> Changed:
    del played, event
    return None, "score-missing", None


def _not_ended(played: Played, dice: Dice) -> Made | None:
    """Score the hand before its last turn was played."""
    del dice
    place, score = played.last(records.Draw), played.last(Score)
    if played.game.over != "won" or place is None or score is None:
        return None
    written = played.events[score]
    del played.events[place:]
    played.events.append(written)
    return Made("hand-not-ended", len(played.events))


def _played_on(played: Played, dice: Dice) -> Made | None:
    """Draw a card once the hand is over."""
    del dice
    game = played.game
    if not game.over or not game.stock or game.over == "exhausted":
        return None
    seat = game.left(game.winner or game.seats[0])
    played.events.append(records.Draw(seat=seat, from_="stock", card=game.stock[-1]))
    return Made("event-after-end", len(played.events), seat)


def _annulled(status: Literal["misdeal", "void"]) -> Spoil:
    """Return what annuls a hand for no reason, after some turns of it."""

    def spoil(played: Played, dice: Dice) -> Made | None:
        del dice
        place = next((n for n, e in enumerate(played.events) if isinstance(e, records.Discard)), 0)
        if not place:
            return None
        del played.events[place + 1 :]
        event = records.Misdeal(cause="agreed") if status == "misdeal" else records.Void()
        played.events.append(event)
        played.status = status
        return Made(f"{status}-unfounded", len(played.events))

    return spoil


def _more_players(played: Played, dice: Dice) -> Made | None:
    """Write down more players than are allowed; those who were dealt cards play."""
    del dice
    rules = played.game.rules
    free = (seat for seat in range(1, 13) if seat not in played.seats)
    while len(played.seats) <= rules.number("players_max"):
        seat = next(free, None)
        if seat is None:
            return None
        played.seats.append(seat)
    played.seats.sort()
    again = ruleset(rules.preset, players=len(played.seats), house=rules.house)
    return Made("player-count", 0) if again.values == rules.values else None


def _count_wrong(played: Played, dice: Dice) -> Made | None:
    del dice
    played.miscount = 1
    return Made("seq-count", 0)


def _seal_wrong(played: Played, dice: Dice) -> Made | None:
    del dice
    played.head = "0" * 64
    return Made("chain-broken", 0)


def _other_seed(played: Played, dice: Dice) -> Made | None:
    del dice
    place = played.last(records.Reveal)
    if place is None:
        return None
    played.events[place] = records.Reveal(seed="another seed")
    return Made("shuffle-mismatch", place + 1)


def _strange_event(played: Played, dice: Dice) -> Made | None:
    del dice
    played.events.append(records.UnknownEvent(kind="cheer"))
    return Made("unknown-event", len(played.events))


_SOME = 2
FULL = ("full",)
PLAY = ("full", "table")
CARDS = ("full", "table", "shown")
ALL = ("full", "table", "shown", "scores")
_MEMBERS = ("layoff-invalid", *GROUPS)

FAULTS: dict[str, Fault] = {
    "out-of-turn": Fault(PLAY, slips.out_of_turn),
    "second-draw": Fault(PLAY, slips.second_draw),
    "second-discard": Fault(PLAY, slips.second_discard),
    "draw-missing": Fault(PLAY, slips.draw_missing),
    "discard-missing": Fault(PLAY, slips.discard_missing),
    "discard-just-taken": Fault(FULL, slips.discard_just_taken),
    "draw-not-top": Fault(PLAY, slips.draw_not_top),
    **{code: Fault(PLAY, slips.bad_meld(code), beside=("meld-invalid",)) for code in GROUPS},
    "layoff-invalid": Fault(PLAY, slips.bad_layoff, beside=GROUPS),
    "layoff-before-meld": Fault(PLAY, slips.layoff_before_meld),
    "meld-not-allowed-yet": Fault(PLAY, slips.meld_too_early),
    "out-without-discard": Fault(PLAY, slips.out_without_discard),
    "rummy-call-wrong": Fault(PLAY, slips.wrong_rummy),
    "stalemate-premature": Fault(PLAY, slips.wrong_stalemate),
    "reshuffle-early": Fault(PLAY, slips.reshuffle_early),
    "reshuffle-missing": Fault(PLAY, slips.reshuffle_missing),
    "reshuffle-too-often": Fault(PLAY, slips.reshuffle_too_often),
    "deck-order": Fault(FULL, slips.wrong_reshuffle),
    "deck-order-draw": Fault(FULL, slips.wrong_order),
    "upcard-order": Fault(PLAY, slips.second_upcard),
    "card-not-held": Fault(FULL, slips.not_held),
    "card-not-in-deck": Fault(FULL, slips.not_in_the_deck),
    "too-many-copies": Fault(FULL, slips.too_many),
    "deal-count": Fault(PLAY, sizes=_wrong_sizes),
    "deal-exposed": Fault(PLAY, spoil=_noticed("exposed-card", "deal-exposed")),
    "deal-unshuffled": Fault(PLAY, spoil=_noticed("not-shuffled", "deal-unshuffled")),
    "dealer-wrong": Fault(PLAY, spoil=_noticed("wrong-dealer", "dealer-wrong")),
    "shown-not-held": Fault(FULL, spoil=_showing("card-not-held")),
    "shown-twice": Fault(PLAY, spoil=_showing("card-in-two-groups")),
    "hand-size": Fault(PLAY, spoil=_showing("hand-size")),
    "score-wrong": Fault(PLAY, spoil=_scoring(_other_points)),
    "score-impossible": Fault(("scores",), spoil=_scoring(_below_nought)),
    "score-too-high": Fault(("scores",), spoil=_scoring(_too_many_points)),
    "winner-wrong": Fault(PLAY, spoil=_scoring(_other_winner)),
    "seat-left-out": Fault(ALL, spoil=_scoring(_seat_left_out)),
    "score-missing": Fault(ALL, spoil=_scoring(_no_score)),
    "hand-not-ended": Fault(PLAY, spoil=_not_ended),
    "event-after-end": Fault(PLAY, spoil=_played_on),
    "misdeal-unfounded": Fault(PLAY, spoil=_annulled("misdeal")),
    "void-unfounded": Fault(FULL, spoil=_annulled("void")),
    "player-count": Fault(PLAY, spoil=_more_players),
    "seq-count": Fault(ALL, spoil=_count_wrong),
    "chain-broken": Fault(ALL, spoil=_seal_wrong),
    "shuffle-mismatch": Fault(FULL, spoil=_other_seed),
    "unknown-event": Fault(CARDS, spoil=_strange_event),
}
