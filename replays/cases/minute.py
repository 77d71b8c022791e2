"""The decision in a minute: what is wrong with a declaration, what would stand, what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from replays import drawing, queries, wording
from replays.models import HandLog
from rummy_audit.rhl import amend
from rummy_audit.rhl.records import UNKNOWN, Declare, Event, Hand, Knock
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.judging import JudgeError, Question, ask
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import Ruleset, RulesetError
from rummy_audit.rules.view import Replay, Step

_EFFECTS = ("wrong-declaration", "wrong-declaration-accepted", "right-declaration-refused")


@dataclass(frozen=True, slots=True)
class Minute:
    """What a referee needs for a declaration, on one panel.

    ``wrong`` says in one sentence what is wrong with it, or that it stands. ``best`` are the
    groups that would have stood, or without ``declarable`` the best there are; ``consequence``
    says what follows by the rules, ``points`` (by seat) and ``winner`` how it is scored.
    """

    seq: int
    seat: int
    right: bool
    wrong: str
    why: str
    declarable: bool
    best: list[dict[str, Any]]
    loose: list[dict[str, Any]]
    consequence: str
    points: dict[int, int]
    winner: int | None
    code: str
    clause: str
    differs: bool


def minute(log: HandLog, seq: int = 0) -> Minute | None:
    """Return the panel for a declaration or knock of a hand; None where there is nothing to say.

    ``seq`` is the event; 0 takes the hand's last one with a finding, else its last one.
    """
    hand = queries.hand_of(log)
    try:
        rules = queries.rules_of(log, hand)
    except RulesetError:
        return None
    replayed = replay(hand, rules, keep_steps=True)
    claims = [step for step in replayed.steps if isinstance(step.event, Declare | Knock)]
    chosen = [step for step in claims if step.number == seq] if seq else claims
    with_findings = [step for step in chosen if step.findings]
    step = (with_findings or chosen or [None])[-1]
    return _minute(hand, rules, replayed, step) if step else None


def _minute(hand: Hand, rules: Ruleset, replayed: Replay, step: Step) -> Minute:
    names = {
        player.seat: player.name or _("seat %(seat)s") % {"seat": player.seat}
        for player in hand.record.players
    }
    event = step.event
    seat: int = event.seat  # type: ignore[attr-defined]
    found = [each for each in replayed.findings if each.seq == event.seq]
    # What the table did about it is another matter than what was declared.
    reasons = [each for each in found if each.code not in _EFFECTS and each.category != "note"]
    judged = [each for each in found if each.code in _EFFECTS]
    right = not any(each.category == "declaration" for each in found) or any(
        each.code == "right-declaration-refused" for each in judged
    )
    main = (reasons or judged or [None])[0]
    best = _best(event, rules, step.table.wild)
    result = replayed.result
    points = dict(result.scores)
    recorded = _recorded(hand)
    return Minute(
        seq=event.seq,
        seat=seat,
        right=right,
        wrong=_wrong(main, names, seat, rules.family, right=right),
        why=_why(best, right=right),
        declarable=bool(best and best["declarable"]),
        best=_groups(best, rules, step.table.wild),
        loose=_loose(best, rules, step.table.wild),
        consequence=_consequence(rules, replayed, names, seat, right=right),
        points=points,
        winner=result.winner,
        code=main.code if main else "",
        clause=main.rule.source if main and main.rule else "",
        differs=any(own in recorded and recorded[own] != value for own, value in points.items()),
    )


def _recorded(hand: Hand) -> dict[int, int]:
    scores = [each for each in amend.corrected(hand).events if getattr(each, "points", None)]
    return dict(scores[-1].points) if scores else {}  # type: ignore[attr-defined]


def _best(event: Event, rules: Ruleset, wild: str | None) -> dict[str, Any] | None:
    """Return the best arrangement of the cards that were declared, where all are known."""
    groups = getattr(event, "groups", None) or ()
    loose = getattr(event, "loose", None) or ()
    cards = [card for group in (*groups, loose) for card in group]
    if not cards or UNKNOWN in cards:
        return None
    question = Question(rules=rules, cards=tuple(cards), wild=None if wild == UNKNOWN else wild)
    try:
        return ask(question)
    except JudgeError:
        return None


def _wrong(
    main: Finding | None, names: dict[int, str], seat: int, family: str, *, right: bool
) -> str:
    who = names.get(seat, str(seat))
    if right or main is None:
        return _("%(who)s’s declaration stands.") % {"who": who}
    return wording.does_not_stand(who, main, family, names)


def _why(best: dict[str, Any] | None, *, right: bool) -> str:
    if right:
        return ""
    if best is None:
        return _("Not all of its cards are known, so the best grouping cannot be shown.")
    if best["declarable"]:
        return _("The same cards could have been declared in other groups:")
    said = (
        ngettext(
            "No grouping of these cards can be declared. The best leaves %(points)s point:",
            "No grouping of these cards can be declared. The best leaves %(points)s points:",
            best["best"]["points"],
        )
        if best["best"]["groups"]
        else _("No grouping of these cards can be declared: all of them count, %(points)s points.")
    )
    return said % {"points": best["points"]}


def _groups(best: dict[str, Any] | None, rules: Ruleset, wild: str | None) -> list[dict[str, Any]]:
    tiles = rules.family == "tile"
    return [
        {"cards": drawing.card_items(group, wild=wild, tiles=tiles)}
        for group in (best["best"]["groups"] if best else ())
    ]


def _loose(best: dict[str, Any] | None, rules: Ruleset, wild: str | None) -> list[dict[str, Any]]:
    loose = best["best"]["loose"] if best else ()
    return drawing.card_items(loose, wild=wild, tiles=rules.family == "tile")


def _consequence(
    rules: Ruleset, replayed: Replay, names: dict[int, str], seat: int, *, right: bool
) -> str:
    """Say what follows by the rules: for whom how many points, and whether play goes on."""
    who, result = names.get(seat, str(seat)), replayed.result
    own = result.scores.get(seat)
    if right:
        if own is None:
            return _("It stands; its points cannot be known from this log.")
        return _("right declaration: %(points)s to %(who)s, the hand is over") % {
            "points": own,
            "who": who,
        }
    if "wrong_declaration_points" in rules.values:
        cost = rules.number("wrong_declaration_points") if own is None else own
        goes_on = rules.choice("wrong_declaration") == "continue" and _others_left(replayed, seat)
        said = (
            _("wrong declaration: %(points)s to %(who)s, play goes on")
            if goes_on
            else _("wrong declaration: %(points)s to %(who)s, the hand is over")
        )
        return said % {"points": cost, "who": who}
    if not result.scores:
        return _("By the rules the points of this hand cannot be known from this log.")
    return _("by the rules: %(points)s") % {"points": wording.by_seat(result.scores, names)}


def _others_left(replayed: Replay, seat: int) -> bool:
    """Whether at least two others were still in when the declaration was made."""
    at = next(
        (
            step
            for step in replayed.steps
            if isinstance(step.event, Declare | Knock) and step.event.seat == seat
        ),
        None,
    )
    if at is None:
        return False
    still = [view for view in at.table.seats if view.seat != seat and view.state in ("in", "won")]
    return len(still) > 1
