"""The record of a case: each step compares and sets its version and leaves an event."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from replays import storage, trail
from replays.access import Viewer
from replays.cases import machine
from replays.cases.conflicts import conflict, person
from replays.cases.machine import Situation
from replays.models import Case, CaseEvent, CaseText, Club, Desk, Evidence
from replays.models.cases import Audience, Side, State
from replays.models.people import Role, Scope, called

_sorted = msgspec.json.Encoder(order="sorted")


class RefusedError(Exception):
    """A step that may not be taken; the text says why, in a sentence for the person."""


class StaleError(Exception):
    """The case has gone on since it was read; ``version`` is where it is now."""

    def __init__(self, version: int) -> None:
        """Say how far the case is."""
        super().__init__(f"the case is at version {version}")
        self.version = version


def desk_of(club: Club | int) -> Desk:
    """Return how a club decides: its own settings, or the usual ones."""
    pk = club if isinstance(club, int) else club.pk
    return Desk.objects.filter(club=pk).first() or Desk(club_id=pk)


def set_desk(viewer: Viewer, desk: Desk) -> None:
    """Store how a club decides; clocks that run already run on as they were."""
    with transaction.atomic():
        before = Desk.objects.filter(club=viewer.club).values(*DESK_FIELDS).first()
        desk.club = viewer.club
        desk.save()
        after = {name: getattr(desk, name) for name in DESK_FIELDS}
        trail.leave(viewer, "desk.set", target=viewer.club.slug, before=before, after=after)


DESK_FIELDS = (
    "claim_hours",
    "decide_hours",
    "appeal_hours",
    "file_hours",
    "idle_minutes",
    "levels",
    "least_text",
    "by_decided",
)


def is_official(viewer: Viewer, case: Case) -> bool:
    """Whether somebody reads what is for officials only: a referee with no part in the case."""
    if not viewer.may(Scope.CASES_DECIDE):
        return False
    user = person(viewer)
    return user is None or not (
        case.opener_id == user.pk or case.parties.filter(user=user).exists()
    )


def situation(viewer: Viewer, case: Case, *, new_evidence: bool = False) -> Situation:
    """Return where a case stands for this person."""
    user = person(viewer)
    pk = user.pk if user else None
    desk = desk_of(case.club_id)
    now = timezone.now()
    sides = set(case.parties.filter(user=pk).values_list("side", flat=True)) if pk else set()
    is_party = bool(sides) or (case.opener_id == pk and pk is not None)
    decides = viewer.may(Scope.CASES_DECIDE)
    # Who writes for a club may speak and appeal for players without an account.
    writes = viewer.may(Scope.CASES_WRITE) and viewer.role != Role.PLAYER
    last = case.events.filter(verb="appeal").order_by("-number").first() if case.level else None
    idle = timedelta(minutes=desk.idle_minutes)
    return Situation(
        state=State(case.state),
        level=case.level,
        levels=desk.levels,
        is_official=decides,
        is_reporter=pk is not None and case.opener_id == pk,
        is_appellant=last is not None and last.user_id == pk,
        is_party=is_party or (writes and not decides),
        may_speak=is_party or writes,
        is_holder=pk is not None and case.holder_id == pk,
        holder=called(case.holder),
        idle=case.state == State.ASSIGNED
        and (case.touched_at is None or now - case.touched_at > idle),
        conflict=conflict(viewer, case) if decides else "",
        window_open=case.state == State.DECIDED and case.due_at is not None and now < case.due_at,
        joined=case.parties.filter(side=Side.REPORTER).count() > 1,
        new_evidence=new_evidence,
    )


def locked(case: Case) -> Case:
    """Return a case as it is now, locked until the transaction ends."""
    return storage.locked(Case.objects.filter(pk=case.pk).select_related("log", "club")).get()


def step(
    viewer: Viewer,
    case: Case,
    verb: str,
    *,
    text: str = "",
    data: dict[str, Any] | None = None,
    audience: str = Audience.PARTIES,
    expected: int | None = None,
    new_evidence: bool = False,
    **changes: Any,
) -> CaseEvent:
    """Take a step within a transaction: check it, set the version on, leave an event.

    Raises RefusedError where the machine says no, StaleError where ``expected`` is not the
    version that the case has.
    """
    if expected is not None and expected != case.version:
        raise StaleError(case.version)
    now = situation(viewer, case, new_evidence=new_evidence)
    if why := machine.refusal(verb, now):
        raise RefusedError(why)
    reached = machine.after(verb, now)
    changes = {"state": reached, **clocks(case, now.state, reached)} | changes
    if now.is_holder and reached == State.ASSIGNED:
        changes.setdefault("touched_at", timezone.now())
    # Whatever locks there are: of two who read the same version one finds it gone.
    done = Case.objects.filter(pk=case.pk, version=case.version).update(
        version=F("version") + 1, **changes
    )
    if not done:
        raise StaleError(Case.objects.values_list("version", flat=True).get(pk=case.pk))
    before = case.state
    for name, value in changes.items():
        setattr(case, name, value)
    case.version += 1
    event = leave(viewer, case, verb, before=before, text=text, data=data or {}, audience=audience)
    trail.leave(
        viewer,
        f"case.{verb}",
        target=f"case {case.number}",
        before={"state": before},
        after={"state": case.state, "event": event.digest},
    )
    return event


def clocks(case: Case, before: str, reached: str) -> dict[str, Any]:
    """Return what a change of state does to the clocks and to who has the case."""
    if before == reached:
        return {}
    desk, now = desk_of(case.club_id), timezone.now()
    free = {"holder": None, "held_at": None, "touched_at": None}
    if reached in (State.OPEN, State.APPEALED):
        # Given back, the clock goes on; opened, appealed or reopened, it starts anew.
        since = case.since if before == State.ASSIGNED else now
        due = since + timedelta(hours=desk.claim_hours)
        return {**free, "since": since, "due_at": due, "closed_at": None}
    if reached == State.ASSIGNED:
        return {"due_at": case.since + timedelta(hours=desk.decide_hours)}
    if reached == State.DECIDED:
        return {**free, "due_at": now + timedelta(hours=desk.appeal_hours), "decided_at": now}
    decided = reached == State.FINAL and before == State.ASSIGNED
    return {**free, "due_at": None, "closed_at": now} | ({"decided_at": now} if decided else {})


def leave(
    viewer: Viewer,
    case: Case,
    verb: str,
    *,
    before: str = "",
    text: str = "",
    data: dict[str, Any],
    audience: str = Audience.PARTIES,
) -> CaseEvent:
    """Write an event of a case, chained to the one before; the words go beside it."""
    last = case.events.order_by("-number").first()
    user = person(viewer)
    salt = secrets.token_hex(16) if text else ""
    event = CaseEvent(
        case=case,
        number=last.number + 1 if last else 1,
        at=timezone.now(),
        user=user,
        via=viewer.via,
        verb=verb,
        before=before,
        after=case.state,
        level=case.level,
        audience=audience,
        data=data,
        text_digest=hashlib.sha256(f"{salt}{text}".encode()).hexdigest() if text else "",
    )
    event.digest = event_digest(event, last.digest if last else "")
    event.save(force_insert=True)
    if text:
        CaseText.objects.create(event=event, salt=salt, body=text)
    return event


def event_digest(event: CaseEvent, before: str) -> str:
    """Return the digest over an event and the digest of the one before it."""
    said = {
        "before": before,
        "number": event.number,
        "at": event.at.isoformat(),
        "user": event.user_id,
        "via": event.via,
        "verb": event.verb,
        "from": str(event.before),
        "to": str(event.after),
        "level": event.level,
        "audience": str(event.audience),
        "data": event.data,
        "text": event.text_digest,
    }
    return hashlib.sha256(_sorted.encode(said)).hexdigest()


def faults(case: Case) -> list[str]:
    """Return what in a case's record is not as it was written, in sentences; usually nothing."""
    found, last, texts = [], "", {}
    events = list(case.events.order_by("number"))
    for text in CaseText.objects.filter(event__in=events):
        texts[text.event_id] = text
    for number, event in enumerate(events, 1):
        if event.number != number:
            found.append(f"event {number} of case {case.number} is missing")
        if event_digest(event, last) != event.digest:
            found.append(f"event {event.number} of case {case.number} was changed")
        text = texts.get(event.pk)
        words = f"{text.salt}{text.body}" if text else ""
        if text and hashlib.sha256(words.encode()).hexdigest() != event.text_digest:
            found.append(f"the words of event {event.number} of case {case.number} were changed")
        last = event.digest
    found.extend(
        f"a picture of case {case.number} was changed"
        for each in Evidence.objects.filter(case=case, body__isnull=False)
        if hashlib.sha256(bytes(each.body)).hexdigest() != each.digest
    )
    return found
