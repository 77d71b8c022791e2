"""Faults of declaring, showing and scoring, for the simulator; and all faults by name."""

from __future__ import annotations

from collections.abc import Callable

from rummy_audit.rhl import records
from rummy_audit.rhl.records import Match
from rummy_audit.rules.families.indian.losers import loser_points
from rummy_audit.rules.rulesets import Value
from rummy_audit.simulators.indian.deal_faults import DEALS, find
from rummy_audit.simulators.indian.faults import (
    ALL,
    CARDS,
    DECLARED,
    PLAY,
    SLIPS,
    Fault,
    Made,
    Played,
    put,
)
from rummy_audit.simulators.indian.targets import Dice

Make = Callable[[Played, Dice], Made | None]

# Declaring


def _declared_wrongly(code: str) -> Make:
    def make(played: Played, _dice: Dice) -> Made | None:
        at = find(played, records.Declare)
        event = None if at is None else played.events[at]
        if not isinstance(event, records.Declare) or played.game.winner != event.seat:
            return None
        return Made(code, (at or 0) + 1, event.seat)

    return make


def _redeclared(code: str) -> Make:
    """Return what changes the one declaration of a hand into one that is wrong as a whole."""

    def make(played: Played, _dice: Dice) -> Made | None:
        at = find(played, records.Declare)
        if at is None or played.game.over != "won":
            return None
        event = played.events[at]
        if not isinstance(event, records.Declare) or played.game.winner != event.seat:
            return None
        groups = [list(group) for group in event.groups]
        groups.sort(key=len)
        seat = event.seat
        if code == "declare-loose-cards":
            loose = (groups[-1].pop(),)
            event = put(event, groups=_tuples(groups), loose=loose)
        elif code == "declare-card-count":
            groups[-1].pop()
            event = put(event, groups=_tuples(groups))
        elif code == "group-too-short":
            long = groups.pop()
            event = put(event, groups=_tuples([*groups, long[:2], long[2:]]))
        elif code == "card-in-two-groups":
            if groups[0][0] in groups[-1] or groups[0][0] == event.discard:
                return None
            groups[-1][-1] = groups[0][0]
            event = put(event, groups=_tuples(groups))
        elif code == "declare-without-draw":
            drawn = played.events[at - 1]
            if not isinstance(drawn, records.Draw) or drawn.card != event.discard:
                return None
            if drawn.from_ == "discard":
                return None
            event = put(event, discard=None)
            del played.events[at - 1]
            at -= 1
        played.events[at] = event
        return Made(code, at + 1, seat)

    return make


def _tuples(groups: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group) for group in groups)


def _refused(played: Played, _dice: Dice) -> Made | None:
    at, score = find(played, records.Declare), find(played, records.Score)
    if at is None or score is None:
        return None
    event = played.events[at]
    if not isinstance(event, records.Declare) or played.game.winner != event.seat:
        return None
    ruling = records.Ruling(by="ref1", target=at + 1, outcome="declaration-wrong")
    played.events.insert(at + 1, ruling)
    return Made("right-declaration-refused", at + 1, event.seat)


# Showing


def _shown(code: str) -> Make:
    def make(played: Played, dice: Dice) -> Made | None:
        at = find(played, records.Show, dice)
        event = None if at is None else played.events[at]
        if at is None or not isinstance(event, records.Show) or not event.loose:
            return None
        groups, loose = event.groups or (), event.loose
        if code == "hand-size":
            event = put(event, loose=loose[1:])
        elif code == "shown-not-held":
            held = {card for group in groups for card in group} | {*loose}
            strange = next(card for card in sorted(played.game.free) if card not in held)
            if played.game.free[strange] <= 0:
                return None
            event = put(event, loose=(*loose[1:], strange))
        else:
            if not groups or groups[0][0] in loose or groups[0].count(groups[0][0]) > 1:
                return None
            event = put(event, loose=(*loose, groups[0][0]))
        played.events[at] = event
        found = "card-not-held" if code == "shown-not-held" else code
        return Made(found, at + 1, event.seat)

    return make


def _grouped_badly(played: Played, dice: Dice) -> Made | None:
    at = find(played, records.Show, dice)
    event = None if at is None else played.events[at]
    if at is None or not isinstance(event, records.Show):
        return None
    game = played.game
    cards = [card for group in (*(event.groups or ()), event.loose or ()) for card in group]
    best = loser_points(None, cards, rules=game.rules, wild=game.wild)
    if len(best.best_groups) < 2:  # noqa: PLR2004 - nothing to lay apart
        return None
    groups, apart = best.best_groups[:1], [card for group in best.best_groups[1:] for card in group]
    loose = list(cards)
    for card in groups[0]:
        loose.remove(card)
    counted = loser_points(groups, loose, rules=game.rules, wild=game.wild)
    if counted.shown is None or counted.shown <= counted.best or not apart:
        return None
    played.events[at] = put(event, groups=groups, loose=tuple(loose))
    _rescore(played, event.seat, counted.points)
    return Made("arrangement-not-best", at + 1, event.seat)


# Scoring


def _score(played: Played) -> tuple[int, records.Score] | None:
    at = find(played, records.Score)
    event = None if at is None else played.events[at]
    return (at, event) if at is not None and isinstance(event, records.Score) else None


def _rescore(played: Played, seat: int, points: int) -> None:
    found = _score(played)
    if found is not None:
        at, event = found
        played.events[at] = put(event, points={**(event.points or {}), seat: points}, amounts=None)


def _scored(code: str) -> Make:
    def make(played: Played, dice: Dice) -> Made | None:
        found = _score(played)
        if found is None or found[1].points is None:
            return None
        at, event = found
        points = dict(event.points or {})
        shown = {each.seat for each in played.events if isinstance(each, records.Show)}
        gone = (records.Drop, records.Leave)
        dropped = {each.seat for each in played.events if isinstance(each, gone)}
        seats = sorted(dropped if code == "penalty-points-wrong" else shown)
        if code == "score-impossible":
            seats = sorted(seat for seat in points if seat != event.winner)
        elif code in ("score-missing", "winner-wrong"):
            seats = sorted(seat for seat in points if points[seat] > 1)
        if not seats:
            return None
        seat = dice.choice(seats)
        if code == "score-missing":
            del points[seat]
        elif code == "winner-wrong":
            played.events[at] = put(event, winner=seat, amounts=None)
            return Made(code, at + 1, seat)
        else:
            points[seat] += 1000 if code == "score-impossible" else 7
        played.events[at] = put(event, points=points, amounts=None)
        return Made(code, at + 1, seat)

    return make


def _paid(played: Played, _dice: Dice) -> Made | None:
    found = _score(played)
    if found is None or found[1].winner is None:
        return None
    at, event = found
    winner = found[1].winner
    played.record["match"] = Match(id="M1", format="points", point_value=4, fee=10)
    amount = 4 * sum((event.points or {}).values())  # the fee is forgotten
    played.events[at] = put(event, amounts={winner: amount})
    return Made("amount-wrong", at + 1, winner)


def _unscored(played: Played, _dice: Dice) -> Made | None:
    at = find(played, records.Score)
    if at is None:
        return None
    del played.events[at]
    return Made("score-missing", 0)


def _not_ended(played: Played, _dice: Dice) -> Made | None:
    at, score = find(played, records.Declare), _score(played)
    if at is None or score is None or len(played.game.live) < 3:  # noqa: PLR2004 - one must be left
        return None
    draw = played.events[at - 1]
    keep = [each for each in played.events[: at - 1] if not isinstance(each, records.Ruling)]
    if not isinstance(draw, records.Draw) or any(isinstance(e, records.Declare) for e in keep):
        return None
    played.events[:] = [*keep, score[1]]
    return Made("hand-not-ended", len(played.events))


def _played_on(played: Played, dice: Dice) -> Made | None:
    if _score(played) is None:
        return None
    seat = dice.choice(sorted(played.game.seats))
    played.events.append(records.Draw(seat=seat, from_="stock"))
    return Made("event-after-end", len(played.events), seat)


# What is found by what

NEEDS: dict[str, dict[str, Value]] = {
    "set-too-long": {"set_max": 4},
    "sequence-too-long": {"sequence_max": 3},
    "group-too-many-jokers": {"jokers_max": 1},
}
WHOLE = ("declare-loose-cards", "declare-card-count", "group-too-short")
FAULTS: dict[str, Fault] = {
    **SLIPS,
    **{
        code: Fault(CARDS, _declared_wrongly(code), NEEDS.get(code, {}))
        for code in sorted(DECLARED)
    },
    **{code: Fault(CARDS, _redeclared(code)) for code in WHOLE},
    "declare-without-draw": Fault(PLAY, _redeclared("declare-without-draw")),
    "card-in-two-groups": Fault(("full",), _redeclared("card-in-two-groups")),
    "wrong-declaration": Fault(CARDS, _redeclared("declare-loose-cards")),
    "wrong-declaration-accepted": Fault(CARDS, _redeclared("declare-loose-cards")),
    "right-declaration-refused": Fault(CARDS, _refused),
    "hand-size": Fault(CARDS, _shown("hand-size")),
    "shown-not-held": Fault(("full",), _shown("shown-not-held")),
    "shown-twice": Fault(("full",), _shown("card-in-two-groups")),
    "arrangement-not-best": Fault(CARDS, _grouped_badly),
    "score-wrong": Fault(CARDS, _scored("score-wrong")),
    "penalty-points-wrong": Fault(PLAY, _scored("penalty-points-wrong")),
    "score-impossible": Fault(("scores",), _scored("score-impossible")),
    "seat-missing": Fault(ALL, _scored("score-missing")),
    "winner-wrong": Fault(ALL, _scored("winner-wrong")),
    "amount-wrong": Fault(ALL, _paid),
    "score-missing": Fault(ALL, _unscored),
    "hand-not-ended": Fault(PLAY, _not_ended),
    "event-after-end": Fault(PLAY, _played_on),
    **DEALS,
}
