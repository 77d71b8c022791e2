"""Faults of the knock, the showdown and of what is written down, for the simulator."""

from __future__ import annotations

from itertools import combinations

import msgspec

from rummy_audit.rhl.records import (
    Draw,
    Event,
    Knock,
    Layoff,
    Ruling,
    Score,
    Show,
    UnknownEvent,
)
from rummy_audit.rules.families.gin.deadwood import mask_of, points_of
from rummy_audit.rules.families.gin.law import knock_limit
from rummy_audit.rules.families.gin.showdown import fits
from rummy_audit.rules.groups import read_group
from rummy_audit.simulators.gin.faults import (
    ANY,
    FULL,
    PLAY,
    SHOWN,
    Fault,
    Make,
)
from rummy_audit.simulators.gin.faults import FAULTS as OF_PLAY
from rummy_audit.simulators.gin.game import Game, Mark, stop

put = msgspec.structs.replace

GROUPS = (
    "group-too-short",
    "set-mixed-ranks",
    "sequence-mixed-suits",
    "sequence-gap",
    "sequence-wraps",
    "group-invalid",
)


def _last(game: Game, kind: type[Event]) -> int:
    """Return the place of the last event of a kind, from 0; -1 where there is none."""
    places = [n for n, each in enumerate(game.events) if isinstance(each, kind)]
    return places[-1] if places else -1


# The knock: what is claimed changes, not the cards


def _claimed(game: Game, code: str, **changes: object) -> Mark:
    place = _last(game, Knock)
    event = put(game.events[place], **changes)
    game.events[place] = event
    return Mark(code, place + 1, getattr(event, "seat", None))


def knock_over_limit(game: Game) -> Mark | None:
    """A hand is laid down with more deadwood than the limit, and the knock is accepted."""
    knock = game.knocked
    limit = knock_limit(game.law, game.upcard)
    if knock is None or limit is None or game.law.best_knocker:
        return None
    cards = (*(card for group in knock.groups for card in group), *(knock.loose or ()))
    if points_of(mask_of(cards)) <= limit or knock.discard is None:
        return None
    game.knocked = put(knock, groups=(), loose=cards)
    return _claimed(game, "knock-over-limit", groups=(), loose=cards)


def wrong_knock_ruled_right(game: Game) -> Mark | None:
    """A referee lets a knock over the limit stand."""
    mark = knock_over_limit(game)
    if mark is None:
        return None
    seq = game.add(Ruling(by="referee", target=mark.seq, outcome="declaration-right"))
    return Mark("wrong-declaration-accepted", seq, mark.seat)


def right_knock_ruled_wrong(game: Game) -> Mark | None:
    """A referee does not let a right knock stand."""
    knock = game.knocked
    if knock is None:
        return None
    seq = game.add(Ruling(by="referee", target=len(game.events), outcome="declaration-wrong"))
    stop(game)
    return Mark("right-declaration-refused", seq, knock.seat)


def left_out(game: Game) -> Mark | None:
    """The knocker keeps a card back."""
    knock = game.knocked
    if knock is None or not knock.loose or knock.discard is None:
        return None
    return _claimed(game, "knock-wrong-deadwood", loose=knock.loose[1:])


def called_wrongly(game: Game) -> Mark | None:
    """The knocker calls another deadwood than the one that lies there."""
    knock = game.knocked
    if knock is None:
        return None
    points = points_of(mask_of(knock.loose or ()))
    return _claimed(game, "knock-wrong-deadwood", deadwood=points + 1)


def knocked_with_one_card_twice(game: Game) -> Mark | None:
    """The knocker lays a card down twice."""
    knock = game.knocked
    if knock is None or not knock.loose:
        return None
    return _claimed(game, "card-in-two-groups", loose=(*knock.loose, knock.loose[0]))


def knocked_with_another_card(code: str) -> Make:
    """Return what lets the knocker claim a card that cannot be there."""

    def make(game: Game) -> Mark | None:
        knock = game.knocked
        if knock is None or not knock.loose:
            return None
        card = "JK" if code == "card-not-in-deck" else game.hands[game.other(knock.seat)][0]
        return _claimed(game, code, loose=(card, *knock.loose[1:]))

    return make


def knocked_with_a_bad_group(code: str) -> Make:
    """Return what lets the knocker call loose cards a meld; they count as they did."""

    def make(game: Game) -> Mark | None:
        knock = game.knocked
        loose = () if knock is None else knock.loose or ()
        for group in combinations(loose, 2 if code == "group-too-short" else 3):
            breaches = read_group(group, game.law.groups).breaches
            if knock is not None and [each.code for each in breaches] == [code]:
                rest = tuple(card for card in loose if card not in group)
                return _claimed(game, code, groups=(*knock.groups, group), loose=rest)
        return None

    return make


def discard_kept(game: Game) -> Mark | None:
    """The knocker throws no card."""
    knock = game.knocked
    if knock is None or knock.discard is None:
        return None
    loose = (*(knock.loose or ()), knock.discard)
    mark = _claimed(game, "discard-missing", discard=None, loose=loose)
    stop(game)
    return mark if knock.loose else None


def knock_without_draw(game: Game) -> Mark | None:
    """A player knocks without having drawn."""
    seat = game.turn
    game.taken = None
    card = game.to_throw(seat)
    game.knock(seat, card)
    if game.over_limit():
        return None
    return Mark("knock-without-draw", len(game.events), seat)


# The showdown


def layoff_invalid(game: Game) -> Mark | None:
    """A card is laid off on a meld that it does not fit."""
    knock = game.knocked
    if knock is None or not knock.groups or not (knock.loose or game.law.layoff_on_gin):
        return None
    seat = game.other(knock.seat)
    for card in game.hands[seat]:
        if not any(fits(meld, card) for meld in knock.groups):
            seq = game.add(Layoff(seat=seat, cards=(card,), meld=1))
            game.show()
            return Mark("layoff-invalid", seq, seat)
    return None


def layoff_on_gin(game: Game) -> Mark | None:
    """A card is laid off on a gin hand."""
    knock = game.knocked
    if knock is None or knock.loose or game.law.layoff_on_gin:
        return None
    seat = game.other(knock.seat)
    seq = game.add(Layoff(seat=seat, cards=(game.hands[seat][0],), meld=1))
    game.show()
    return Mark("layoff-on-gin", seq, seat)


def _shown(code: str) -> Make:
    """Return what shows the opponent's hand otherwise than it is."""

    def make(game: Game) -> Mark | None:
        if game.knocked is None:
            return None
        game.show()
        place = _last(game, Show)
        show = game.events[place]
        if not isinstance(show, Show) or not show.loose:
            return None
        if code == "arrangement-not-best":
            if not show.groups or game.law.best_defender:
                return None
            every = (*(card for group in show.groups for card in group), *show.loose)
            game.events[place] = put(show, groups=(), loose=every)
        elif code == "hand-size":
            game.shown = show
            game.events[place] = put(show, loose=show.loose[1:])
        else:
            game.shown = show
            game.events[place] = put(show, loose=(*show.loose, show.loose[0]))
        return Mark(code, place + 1, show.seat)

    return make


# What is written down


def _scored(code: str) -> Make:
    """Return what writes another score down than the one that is due."""

    def make(game: Game) -> Mark | None:
        place = _last(game, Score)
        if place < 0 or game.winner is None:
            return None
        points, winner = dict(game.points), game.winner
        if code == "score-wrong":
            points[winner] += 1
        score = {
            "score-wrong": Score(points=points, winner=winner),
            "winner-wrong": Score(points=points, winner=game.other(winner)),
            "score-impossible": Score(points={winner: points[winner], game.other(winner): 7}),
            "score-missing": Score(points={winner: points[winner]}, winner=winner),
        }[code]
        game.events[place] = score
        seat = {"score-wrong": winner, "score-missing": game.other(winner)}.get(code)
        return Mark(code, place + 1, seat)

    return make


def no_score(game: Game) -> Mark | None:
    """A completed hand has no score at all."""
    place = _last(game, Score)
    if place < 0:
        return None
    del game.events[place]
    return Mark("score-missing")


def hand_not_ended(game: Game) -> Mark:
    """Points are written down though nobody has knocked."""
    seq = game.add(Score(points={game.seats[0]: 12, game.seats[1]: 0}, winner=game.seats[0]))
    stop(game)
    game.status = "completed"
    return Mark("hand-not-ended", seq)


def plays_on(game: Game) -> Mark | None:
    """Somebody draws when the score has been written down."""
    knock = game.knocked
    if knock is None or not game.stock:
        return None
    seat = game.other(knock.seat)
    seq = game.add(Draw(seat=seat, from_="stock", card=game.stock.pop()))
    return Mark("event-after-end", seq, seat)


def unknown_event(game: Game) -> Mark:
    """An event that nobody knows stands in the log."""
    return Mark("unknown-event", game.add(UnknownEvent(kind="cheer")))


def unknown_field(game: Game) -> Mark:
    """An event has a field that nobody knows."""
    game.events[-1] = put(game.events[-1], extra={"mood": "glad"})
    return Mark("unknown-field", len(game.events))


FAULTS: dict[str, Fault] = {
    **OF_PLAY,
    "knock-over-limit": Fault("knock", knock_over_limit, SHOWN),
    "wrong-declaration-accepted": Fault(
        "knock", wrong_knock_ruled_right, SHOWN, beside=("knock-over-limit",)
    ),
    "right-declaration-refused": Fault("knock", right_knock_ruled_wrong, PLAY),
    "knock-wrong-deadwood": Fault("knock", left_out, FULL),
    "knock-called-wrongly": Fault("knock", called_wrongly, SHOWN),
    "card-in-two-groups": Fault("knock", knocked_with_one_card_twice, SHOWN),
    "knocked-with-another-card": Fault("knock", knocked_with_another_card("card-not-held"), FULL),
    "knocked-with-a-joker": Fault("knock", knocked_with_another_card("card-not-in-deck"), FULL),
    **{
        code: Fault("knock", knocked_with_a_bad_group(code), SHOWN, house=(("knock_max", 50),))
        for code in GROUPS
    },
    "knock-without-discard": Fault("knock", discard_kept, PLAY),
    "knock-without-draw": Fault("turn", knock_without_draw, PLAY),
    "layoff-invalid": Fault(
        "show", layoff_invalid, SHOWN, beside=(*GROUPS, "set-repeated-suit", "set-too-long")
    ),
    "layoff-on-gin": Fault("show", layoff_on_gin, SHOWN),
    "arrangement-not-best": Fault("show", _shown("arrangement-not-best"), SHOWN, note=True),
    "hand-size": Fault("show", _shown("hand-size"), FULL),
    "shown-one-card-twice": Fault("show", _shown("card-in-two-groups"), SHOWN),
    "score-wrong": Fault("score", _scored("score-wrong"), SHOWN),
    "winner-wrong": Fault("score", _scored("winner-wrong"), ANY),
    "score-missing": Fault("score", _scored("score-missing"), ANY),
    "no-score": Fault("score", no_score, ANY),
    "score-impossible": Fault("score", _scored("score-impossible"), ("scores",)),
    "hand-not-ended": Fault("turn", hand_not_ended, PLAY),
    "event-after-end": Fault("score", plays_on, PLAY),
    "unknown-event": Fault("turn", unknown_event, PLAY, note=True),
    "unknown-field": Fault("score", unknown_field, ANY, note=True),
    "player-count": Fault("log", lambda _: Mark("player-count"), ANY),
    "seq-count": Fault("log", lambda _: Mark("seq-count"), ANY),
    "chain-broken": Fault("log", lambda _: Mark("chain-broken"), ANY),
    "deck-order": Fault("log", lambda game: Mark("deck-order", 2, game.other(game.dealer)), FULL),
    "shuffle-mismatch": Fault("log", lambda _: Mark("shuffle-mismatch"), FULL),
}
