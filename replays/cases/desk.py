"""What the referee's desk shows: the queue, a case as somebody may read it, its history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from replays import decisions, queries, sight, wording
from replays.access import Viewer
from replays.cases import machine
from replays.cases.conflicts import person
from replays.cases.kinds import KINDS
from replays.cases.record import is_official, situation
from replays.models import Case, CaseEvent, Club, Decision, HandLog
from replays.models.cases import RUNNING, Audience, Effect, Outcome, Side, State
from replays.models.people import called
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.rulesets import RulesetError

MOST = 100
# How a step came that nobody took: the clock's, and what a club has done for it.
BY_ITSELF = Viewer(club=Club()).via

FILTERS: dict[str, Any] = {
    "running": gettext_lazy("Still running"),
    "mine": gettext_lazy("Mine"),
    "waiting": gettext_lazy("Waiting for a referee"),
    "late": gettext_lazy("Over time"),
    "closed": gettext_lazy("Closed"),
    "all": gettext_lazy("All"),
}


def names_of_users(pks: Iterable[int | None]) -> dict[int, str]:
    """Return what accounts are called; one that is gone is left out."""
    wanted = {pk for pk in pks if pk is not None}
    return {pk: called(user) for pk, user in get_user_model().objects.in_bulk(wanted).items()}


# --- the queue ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Waiting:
    """A case in the queue."""

    case: Case
    title: str
    holder: str
    mine: bool
    late: bool


def queue(viewer: Viewer, *, only: str = "running") -> list[Waiting]:
    """Return cases that somebody may read: those they have first, then what is due first."""
    user = person(viewer)
    pk = user.pk if user else None
    now = timezone.now()
    found = Case.objects.for_user(viewer).select_related("log", "holder")
    has_part = Q(holder=pk) | Q(opener=pk) | Q(parties__user=pk)
    parts = {
        "running": Q(state__in=(*RUNNING, State.DRAFT)),
        "mine": has_part if pk else Q(pk=None),
        "waiting": Q(state__in=(State.OPEN, State.APPEALED)),
        "late": Q(state__in=_TIMED, due_at__lt=now),
        "closed": ~Q(state__in=(*RUNNING, State.DRAFT)),
        "all": Q(),
    }
    rows = list(
        found.filter(parts.get(only, parts["running"]))
        .order_by(F("due_at").asc(nulls_last=True), "-number")
        .distinct()[:MOST]
    )
    mine = [case for case in rows if pk is not None and case.holder_id == pk]
    rest = [case for case in rows if case not in mine]
    return [
        Waiting(
            case=case,
            title=str(KINDS[case.kind].title),
            holder=called(case.holder),
            mine=case in mine,
            late=is_late(case, now),
        )
        for case in [*mine, *rest]
    ]


# In these a clock runs for the officials; a decided case only waits for its appeal.
_TIMED = (State.OPEN, State.ASSIGNED, State.APPEALED)


def is_late(case: Case, now: datetime | None = None) -> bool:
    """Whether the officials are over their time with a case."""
    return (
        case.state in _TIMED and case.due_at is not None and case.due_at < (now or timezone.now())
    )


# --- one case ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened, ready to be read."""

    event: CaseEvent
    who: str
    what: str
    text: str
    forgotten: bool
    facts: list[str] = field(default_factory=list)
    picture: bool = False
    address: str = ""


_DONE = {
    "draft": gettext_lazy("wrote a draft"),
    "open": gettext_lazy("opened the case"),
    "send": gettext_lazy("sent the case"),
    "claim": gettext_lazy("took the case"),
    "release": gettext_lazy("gave the case back"),
    "state": gettext_lazy("said"),
    "pin": gettext_lazy("pinned evidence"),
    "attach": gettext_lazy("reported the same"),
    "decide": gettext_lazy("decided"),
    "dismiss": gettext_lazy("closed the case without a decision"),
    "join": gettext_lazy("joined the case to another"),
    "appeal": gettext_lazy("appealed"),
    "close": gettext_lazy("made the decision final: the time to appeal is over"),
    "withdraw": gettext_lazy("took it back"),
    "reopen": gettext_lazy("reopened the case with new evidence"),
    "tell": gettext_lazy("was told"),
}


def history(viewer: Viewer, case: Case) -> list[Entry]:
    """Return what happened in a case, first to last, as far as this person may read it."""
    events = CaseEvent.objects.for_user(viewer).filter(case=case)
    if not is_official(viewer, case):
        events = events.filter(audience=Audience.PARTIES)
    rows = list(events.select_related("text", "evidence").order_by("number"))
    names = names_of_users(
        [*(row.user_id for row in rows), *(pk for row in rows for pk in row.data.get("people", ()))]
    )
    return [_entry(row, names) for row in rows]


def _entry(event: CaseEvent, names: dict[int, str]) -> Entry:
    text = getattr(event, "text", None)
    evidence = getattr(event, "evidence", None)
    who = names.get(event.user_id, "") if event.user_id else event.via
    if not event.user_id and event.via == BY_ITSELF:
        who = _("the club’s settings") if event.verb == "open" else _("the clock")
    what = str(_DONE.get(event.verb, event.verb))
    if event.verb == "tell":
        told = [names.get(pk, _("somebody who has left")) for pk in event.data["people"]]
        who = ", ".join(told)
        what = ngettext("was told", "were told", len(told))
    return Entry(
        event=event,
        who=who,
        what=what,
        text=text.body if text else "",
        forgotten=bool(event.text_digest) and text is None,
        facts=list(_facts(event)),
        picture=evidence is not None and bool(evidence.media_type),
        address=event.data.get("address", ""),
    )


def _facts(event: CaseEvent) -> Iterable[str]:
    data = event.data
    if event.verb == "decide":
        yield str(Outcome(data["outcome"]).label)
        yield data["clause"]
    elif event.verb in ("pin", "reopen"):
        if "seq" in data:
            yield _("event %(seq)s") % {"seq": data["seq"]}
        yield _("SHA-256 %(digest)s…") % {"digest": data["digest"][:16]}
    elif event.verb == "join":
        yield _("case %(number)s") % {"number": data["into"]}
    elif event.verb == "attach" and "case" in data:
        yield _("case %(number)s was joined to this one") % {"number": data["case"]}


def parties(case: Case, hand: Hand) -> list[dict[str, Any]]:
    """Return who has a part in a case: their names, seats and sides."""
    seats = {player.seat: player.name for player in hand.record.players}
    rows = list(case.parties.select_related("player", "user"))
    order = list(Side.values)
    return [
        {
            "name": (seats.get(row.seat) if row.seat else None)
            or called(row.user)
            or _("seat %(seat)s") % {"seat": row.seat},
            "seat": row.seat,
            "side": Side(row.side).label,
            "account": row.user_id is not None,
        }
        for row in sorted(rows, key=lambda row: (order.index(row.side), row.seat or 0))
    ]


def may_see_cards(viewer: Viewer, log: HandLog) -> bool:
    """Whether somebody may read all that a log says: of a hand that is not open, not everybody."""
    return sight.sees_all(viewer, log)


def about(viewer: Viewer, case: Case, hand: Hand) -> str:
    """Return in a sentence what a case is about: its event, or the hand."""
    if case.seq and not may_see_cards(viewer, case.log):
        return _("an event of a hand that still goes on")
    event = next((each for each in hand.events if each.seq == case.seq), None)
    if event is None:
        return _("the hand as a whole")
    return wording.sentence(event, _names(hand), tiles=_is_of_tiles(case.log, hand))


def _is_of_tiles(log: HandLog, hand: Hand) -> bool:
    try:
        return queries.rules_of(log, hand).family == "tile"
    except RulesetError:
        return False  # the hand's own page says what is wrong with its rules


def _names(hand: Hand) -> dict[int, str]:
    return {
        player.seat: player.name or _("seat %(seat)s") % {"seat": player.seat}
        for player in hand.record.players
    }


def steps(viewer: Viewer, case: Case) -> dict[str, bool]:
    """Return which steps this person may take now, by verb, for the page's forms."""
    now = situation(viewer, case, new_evidence=True)
    return dict.fromkeys(machine.possible(now), True)


def why_not(viewer: Viewer, case: Case, verb: str) -> str:
    """Return why this person may not take a step now, in a sentence, or nothing."""
    return machine.refusal(verb, situation(viewer, case, new_evidence=True))


def decided(case: Case, hand: Hand) -> list[dict[str, Any]]:
    """Return the decisions of a case, newest first; only the newest stands."""
    names = _names(hand)
    rows: Sequence[Decision] = list(
        case.decisions.select_related("event__text").order_by("-number")
    )
    users = names_of_users(row.user_id for row in rows)
    return [
        {
            "decision": row,
            "stands": place == 0,
            "by": users.get(row.user_id, ""),
            "outcome": row.get_outcome_display(),
            "effect": effect_in_words(row, names),
            "text": row.event.text.body if hasattr(row.event, "text") else "",
        }
        for place, row in enumerate(rows)
    ]


def effect_in_words(decision: Decision, names: dict[int, str]) -> str:
    """Return what a decision does to the score, in words."""
    if decision.effect != Effect.POINTS:
        return str(decision.get_effect_display())
    points = decisions.of_decision(decision).points
    said = wording.by_seat(points, names)
    if decision.winner is None:
        return said
    return _("%(points)s; %(who)s won") % {
        "points": said,
        "who": names.get(decision.winner, decision.winner),
    }


def hand_of_case(case: Case) -> Hand:
    """Return the hand that a case is about, as it came."""
    return queries.hand_of(case.log)
