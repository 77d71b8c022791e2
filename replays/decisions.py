"""Decisions: what a referee decides on a case, what it moves, and what can be cited later.

A decision stands beside the log and its audits and changes neither. Where standings are
read by decided score it is laid over the replay of its hand; nothing else asks for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils.translation import gettext as _

from replays import logs, queries, storage
from replays.access import Viewer
from replays.cases import telling
from replays.cases.conflicts import person
from replays.cases.opening import check_text
from replays.cases.record import RefusedError, locked, step
from replays.knock_on import KnockOn, Side, deal_of
from replays.models import Case, Club, Decision, HandLog, MatchRow, Seat
from replays.models.cases import RUNNING, Effect, Outcome
from rummy_audit.rules.findings import Term, codes
from rummy_audit.rules.matches import Deal, MatchReport, audit_match
from rummy_audit.rules.rulesets import RulesetError
from rummy_audit.rules.view import Replay, Result

MOST_POINTS = 9_999
_MOST_CLAUSE = 200
_MOST_CITED = 10
_PRECEDENTS = 50

_put = msgspec.structs.replace
_sorted = msgspec.json.Encoder(order="sorted")


class UnseenError(Exception):
    """What a decision moves was not looked at, or is not so any more; ``seen`` is what is now."""

    def __init__(self, preview: Preview) -> None:
        """Carry what would be moved."""
        super().__init__("what the decision moves has to be looked at first")
        self.preview = preview


@dataclass(frozen=True, slots=True)
class Ruled:
    """What decisions make of the score of one hand. ``number`` is what they are cited by."""

    effect: str = Effect.NONE
    points: Mapping[int, int] = field(default_factory=dict)
    winner: int | None = None
    number: int | None = None
    case: int | None = None
    provisional: bool = False

    def over(self, deal: Deal) -> Deal:
        """Return a deal as it counts by this: the log stays as it is."""
        return _put(deal, replay=self.laid_over(deal.replay))

    def laid_over(self, replay: Replay) -> Replay:
        """Return a replay with the decided points in the place of those by the rules."""
        if self.effect == Effect.VOID:
            return _put(replay, result=Result("void"))
        if self.effect != Effect.POINTS:
            return replay
        result = replay.result
        what = _("decision %(number)s") % {"number": self.number} if self.number else _("decided")
        terms = {seat: (Term(points=own, what=what),) for seat, own in self.points.items()}
        decided = Result(
            outcome="won" if self.winner or result.winner else "undecided",
            winner=self.winner or result.winner,
            scores={**result.scores, **self.points},
            breakdown={**result.breakdown, **terms},
        )
        return _put(replay, result=decided)


# --- what stands -------------------------------------------------------------------------------


def in_force(hands: Iterable[HandLog], *, without: Case | None = None) -> dict[int, Ruled]:
    """Return what decisions make of hands, by the hands' keys; two queries for any number.

    Of each case its last decision counts; of several cases about a hand the last decided.
    """
    found = Decision.objects.filter(log__in=[each.pk for each in hands]).select_related("case")
    if without is not None:
        found = found.exclude(case=without)
    last: dict[int, Decision] = {}
    for each in found.order_by("number"):
        last[each.case_id] = each
    ruled: dict[int, Ruled] = {}
    for each in sorted(last.values(), key=lambda one: one.number):
        if each.effect != Effect.NONE:
            ruled[each.log_id] = of_decision(each)
    return ruled


def of_match(row: MatchRow) -> dict[int, Ruled]:
    """Return what decisions make of the hands of a match, by the hands' keys."""
    same = HandLog.objects.filter(club=row.club_id, source=row.source, event=row.event)
    return in_force(same.filter(match=row.name, decisions__isnull=False).distinct())


def laid_over(ruled: Mapping[int, Ruled]) -> dict[int, Callable[[Deal], Deal]]:
    """Return decisions as standings take them: what each makes of its deal."""
    return {pk: one.over for pk, one in ruled.items()}


def of_decision(decision: Decision) -> Ruled:
    """Return what one decision makes of its hand."""
    return Ruled(
        effect=decision.effect,
        points={int(seat): own for seat, own in decision.points.items()},
        winner=decision.winner,
        number=decision.number,
        case=decision.case.number,
        provisional=decision.case.state in RUNNING,
    )


# --- what a decision would move ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One seat before and after: its points as written, by the rules, now and then; its total."""

    seat: int
    name: str
    recorded: int | None
    by_rules: int | None
    now: int | None
    then: int | None
    total_now: int | None
    total_then: int | None
    out_now: bool
    out_then: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What a decision would move; ``digest`` proves that this was looked at."""

    moved: KnockOn
    rows: Sequence[Row]
    digest: str


def preview(case: Case, ruled: Ruled) -> Preview:
    """Return what a decision would move in the hand and its match; nothing is stored."""
    log = case.log
    hands = match_hands(log)
    now, others = in_force(hands), in_force(hands, without=case)
    before: list[Deal] = []
    after: list[Deal] = []
    own: Deal | None = None
    for each, deal in _deals(hands):
        there = ruled if each.pk == log.pk and ruled.effect != Effect.NONE else None
        before.append(now.get(each.pk, Ruled()).over(deal))
        after.append((there or others.get(each.pk, Ruled())).over(deal))
        if each.pk == log.pk:
            own, sides = deal, (before[-1], after[-1])
    if own is None:
        raise RefusedError(_("The rules of this hand cannot be used: amend the hand record first."))
    moved = KnockOn(
        Side(sides[0].replay, _report(before)),
        Side(sides[1].replay, _report(after)),
        names_of(hands),
    )
    rows = _rows(own, moved)
    facts = {
        "case": case.pk,
        "version": log.version,
        "ruled": [ruled.effect, sorted(ruled.points.items()), ruled.winner],
        "rows": [msgspec.to_builtins(row) for row in rows],
        "winner": [moved.before.winner, moved.after.winner],
    }
    return Preview(moved, rows, hashlib.sha256(_sorted.encode(facts)).hexdigest())


def match_hands(log: HandLog) -> list[HandLog]:
    """Return the hands of the match that a hand belongs to; the hand alone if to none."""
    if not log.match:
        return [log]
    same = HandLog.objects.filter(club=log.club_id, source=log.source, event=log.event)
    return list(same.filter(match=log.match).order_by("deal", "id"))


def _deals(hands: Sequence[HandLog]) -> Iterator[tuple[HandLog, Deal]]:
    bodies = logs.stored_lines([each.pk for each in hands])
    for each in hands:
        try:
            yield each, deal_of(each, logs.hand_in(bodies[each.pk]))
        except RulesetError:
            continue  # the hand's own page says why it cannot be judged


def by_decision(hands: Sequence[HandLog]) -> MatchReport | None:
    """Return where a match stands by decided scores; None if these hands are no match."""
    ruled = in_force(hands)
    return _report([ruled.get(each.pk, Ruled()).over(deal) for each, deal in _deals(hands)])


def names_of(hands: Sequence[HandLog]) -> dict[int, str]:
    """Return who sits where in these hands."""
    seats = Seat.objects.filter(log__in=[each.pk for each in hands]).exclude(name="")
    return {seat.seat: seat.name for seat in seats.order_by("log_id")}


def _report(deals: Sequence[Deal]) -> MatchReport | None:
    named = [deal for deal in deals if deal.hand.record.match and deal.hand.record.match.id]
    return audit_match(named) if named else None


def _rows(own: Deal, moved: KnockOn) -> list[Row]:
    recorded = (own.score.points or {}) if own.score else {}
    now, then = moved.before.hand.result.scores, moved.after.hand.result.scores
    seats = {player.seat for player in own.hand.record.players}
    seats |= {*moved.before.totals, *moved.after.totals}
    return [
        Row(
            seat=seat,
            name=moved.names.get(seat) or _("seat %(seat)s") % {"seat": seat},
            recorded=recorded.get(seat),
            by_rules=own.replay.result.scores.get(seat),
            now=now.get(seat),
            then=then.get(seat),
            total_now=moved.before.totals.get(seat),
            total_then=moved.after.totals.get(seat),
            out_now=seat in moved.before.out,
            out_then=seat in moved.after.out,
        )
        for seat in sorted(seats)
    ]


# --- deciding ------------------------------------------------------------------------------------


def decide(
    viewer: Viewer,
    case: Case,
    *,
    outcome: str,
    clause: str,
    text: str,
    seen: str,
    code: str = "",
    effect: str = Effect.NONE,
    points: Mapping[int, int] | None = None,
    winner: int | None = None,
    cites: Iterable[int] = (),
    expected: int | None = None,
) -> Decision:
    """Decide a case; both sides are told, the log and its audits stay as they are.

    ``text`` gives the reasons, ``code`` and ``clause`` the rule behind them; ``seen`` is the
    digest of the preview that was looked at. Raises RefusedError, StaleError, UnseenError.
    """
    text = check_text(viewer, text)
    ruled = Ruled(effect=effect, points=dict(points or {}), winner=winner)
    check(case, outcome=outcome, clause=clause, code=code, ruled=ruled)
    cited = _cited(case, cites)
    with transaction.atomic():
        case = locked(case)
        shown = preview(case, ruled)
        log = storage.locked(HandLog.objects.filter(pk=case.log_id)).get()
        if seen != shown.digest:
            raise UnseenError(shown)
        last = Decision.objects.filter(case=case).order_by("-number").first()
        overturns = bool(case.level) and last is not None and _differs(last, outcome, ruled)
        data = {
            "outcome": outcome,
            "code": code,
            "clause": clause,
            "effect": effect,
            "points": {str(seat): own for seat, own in sorted(ruled.points.items())},
            "winner": winner,
            "cites": cited,
            "overturns": overturns,
            "version": log.version,
            "head": log.head,
        }
        event = step(viewer, case, "decide", text=text, data=data, expected=expected)
        made = _stored(viewer, case, log, event, data)
        what = "decided" if not case.level else "overturned" if overturns else "confirmed"
        telling.tell(viewer, case, what, people=telling.both_sides(case), outcome=outcome)
    return made


def _stored(viewer: Viewer, case: Case, log: HandLog, event: Any, data: dict[str, Any]) -> Decision:
    club = storage.locked(Club.objects.filter(pk=case.club_id)).get()
    most = Decision.objects.filter(club=club).aggregate(most=Max("number"))["most"]
    audit = queries.newest_audit(log)
    return Decision.objects.create(
        club=club,
        number=(most or 0) + 1,
        case=case,
        event=event,
        log=log,
        user=person(viewer),
        at=event.at,
        level=case.level,
        report_digest=audit[0].report_digest if audit else "",
        **data,
    )


def _differs(last: Decision, outcome: str, ruled: Ruled) -> bool:
    before = of_decision(last)
    return (last.outcome, before.effect, before.points, before.winner) != (
        outcome,
        ruled.effect,
        dict(ruled.points),
        ruled.winner,
    )


def check(case: Case, *, outcome: str, clause: str, code: str, ruled: Ruled) -> None:
    """Raise RefusedError with the reason where a decision does not say all that it must."""
    seats = {player.seat for player in queries.hand_of(case.log).record.players}
    if outcome not in Outcome.values:
        raise RefusedError(_("Say whether the complaint is right."))
    if not clause.strip() or len(clause) > _MOST_CLAUSE:
        raise RefusedError(_("Name the clause that decides it, such as “001 Declaration Rules”."))
    if code and code not in codes():
        raise RefusedError(_("There is no finding “%(code)s”.") % {"code": code})
    if ruled.effect not in Effect.values:
        raise RefusedError(_("Say what the decision does to the score."))
    if (ruled.effect == Effect.POINTS) != bool(ruled.points):
        raise RefusedError(
            _("Points go with “the points below count”, and only with that: give at least one.")
        )
    if ruled.effect != Effect.POINTS and ruled.winner is not None:
        raise RefusedError(_("A winner is named only together with points."))
    named = {*ruled.points, *([ruled.winner] if ruled.winner is not None else [])}
    if strange := sorted(named - seats):
        raise RefusedError(_("Nobody sat at seat %(seat)s in this hand.") % {"seat": strange[0]})
    if any(not 0 <= own <= MOST_POINTS for own in ruled.points.values()):
        raise RefusedError(_("Points go from 0 to %(most)s.") % {"most": MOST_POINTS})


def _cited(case: Case, cites: Iterable[int]) -> list[int]:
    numbers = sorted(set(cites))
    if len(numbers) > _MOST_CITED:
        raise RefusedError(_("Cite at most %(most)s decisions.") % {"most": _MOST_CITED})
    known = Decision.objects.filter(club=case.club_id, number__in=numbers)
    there = set(known.values_list("number", flat=True))
    if missing := [each for each in numbers if each not in there]:
        raise RefusedError(_("There is no decision %(number)s to cite.") % {"number": missing[0]})
    return numbers


# --- precedents ----------------------------------------------------------------------------------


def precedents(viewer: Viewer, *, code: str = "", clause: str = "") -> list[Decision]:
    """Return decisions of the club that stand for good, newest first, by finding and clause."""
    later = Decision.objects.filter(case=OuterRef("case"), number__gt=OuterRef("number"))
    found = Decision.objects.for_user(viewer).filter(~Exists(later))
    found = found.exclude(case__state__in=RUNNING)
    if code:
        found = found.filter(code=code)
    if clause:
        found = found.filter(clause__icontains=clause)
    return list(found.select_related("case", "event__text").order_by("-number")[:_PRECEDENTS])
