"""Opening a case: from an event, a finding or a row of a match, or joining one that runs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from replays import queries, storage, trail
from replays.access import Viewer
from replays.cases import kinds, telling
from replays.cases.conflicts import person
from replays.cases.record import RefusedError, desk_of, leave, locked, step
from replays.models import Case, CaseText, Club, HandLog, Party, Player, Seat
from replays.models.cases import RUNNING, Side, State
from replays.models.people import Role, Scope
from rummy_audit.rhl.records import Hand

MOST_TEXT = 10_000


def check_text(viewer: Viewer, text: str) -> str:
    """Return what somebody wrote without the blanks around it. Raises RefusedError."""
    text = text.strip().replace("\x00", "")
    least = desk_of(viewer.club).least_text
    if len(text) < least:
        raise RefusedError(
            _("Say what happened in at least %(least)s characters.") % {"least": least}
        )
    if len(text) > MOST_TEXT:
        raise RefusedError(_("Say it in at most %(most)s characters.") % {"most": MOST_TEXT})
    return text


def open_case(
    viewer: Viewer,
    *,
    log: HandLog,
    kind: str,
    text: str,
    seq: int = 0,
    code: str = "",
    seats: list[int] | None = None,
    draft: bool = False,
) -> tuple[Case, bool]:
    """Open a case about a hand; return it, and whether it is a new one.

    Where one about the same event and of the same kind runs already, the report joins it:
    its reporter becomes a party and is told the number. ``seats`` are those concerned, all
    of the hand by default. Raises RefusedError with the reason in a sentence.
    """
    if not viewer.may(Scope.CASES_WRITE) or (person(viewer) is None and viewer.key is None):
        raise RefusedError(_("Sign in as a member of the club to open a case."))
    text = check_text(viewer, text)
    hand = queries.hand_of(log)
    if why := kinds.not_applicable(kind, hand, seq=seq, code=code, in_match=bool(log.match)):
        raise RefusedError(why)
    _in_time(viewer, log)
    try:
        with transaction.atomic():
            if running := _running(log, kind, seq):
                if draft:  # joined to it, the words would be out
                    raise RefusedError(_said_there(running))
                return _attach(viewer, running, text), False
            fields = {"kind": kind, "seq": seq, "code": code}
            case = opened(viewer, log, hand, fields, text=text, seats=seats, draft=draft)
            return case, True
    except IntegrityError:
        # Another report of the same was first by a moment.
        with transaction.atomic():
            running = _running(log, kind, seq)
            if running is None:
                raise
            return _attach(viewer, running, text), False


def _in_time(viewer: Viewer, log: HandLog) -> None:
    """A player disputes a hand within the club's time; the club's own people may later."""
    hours = desk_of(viewer.club).file_hours
    if viewer.role != Role.PLAYER or hours is None:
        return
    if timezone.now() - log.ingested_at > timedelta(hours=hours):
        raise RefusedError(
            ngettext(
                "A hand can be disputed for %(hours)s hour after it came in: that is over.",
                "A hand can be disputed for %(hours)s hours after it came in: that is over.",
                hours,
            )
            % {"hours": hours}
        )


def _running(log: HandLog, kind: str, seq: int) -> Case | None:
    found = Case.objects.filter(log=log, kind=kind, seq=seq, state__in=RUNNING).first()
    return locked(found) if found else None


def _said_there(running: Case) -> str:
    said = _("Case %(number)s is about the same already: say it there.")
    return said % {"number": running.number}


def opened(
    viewer: Viewer,
    log: HandLog,
    hand: Hand,
    fields: dict[str, Any],
    *,
    text: str,
    seats: list[int] | None = None,
    draft: bool = False,
) -> Case:
    """Open a case within a transaction, whoever asks; ``fields`` are its kind, seq and code."""
    club = storage.locked(Club.objects.filter(pk=log.club_id)).get()
    most = Case.objects.filter(club=club).aggregate(most=Max("number"))["most"]
    now = timezone.now()
    case = Case.objects.create(
        club=club,
        number=(most or 0) + 1,
        log=log,
        **fields,
        state=State.DRAFT if draft else State.OPEN,
        opener=person(viewer),
        opened_at=now,
        since=now,
        acknowledged_at=None if draft else now,
        due_at=None if draft else now + timedelta(hours=desk_of(club).claim_hours),
    )
    _seat_parties(case, hand, seats, person(viewer))
    data = {"hand": log.public_id, **fields, "version": log.version, "head": log.head}
    event = leave(viewer, case, "draft" if draft else "open", text=text, data=data)
    trail.leave(viewer, "case.open", target=f"case {case.number}", after={"event": event.digest})
    if not draft:
        telling.tell(viewer, case, "opened", people=[case.opener_id, *telling.officials(case)])
    return case


def _seat_parties(case: Case, hand: Hand, seats: list[int] | None, opener: Any) -> None:
    """Name the seats that the case concerns, and who opened it; they may sit there too."""
    there = {player.seat for player in hand.record.players}
    concerned = there if seats is None else set(seats)
    if strange := sorted(concerned - there):
        raise RefusedError(_("Nobody sat at seat %(seat)s in this hand.") % {"seat": strange[0]})
    event = next((each for each in hand.events if each.seq == case.seq), None)
    about = getattr(event, "seat", None)
    if about in there:
        concerned.add(about)
    players = _players(case.log)
    mine = opener.pk if opener else None
    rows = []
    for seat in sorted(concerned):
        player = players.get(seat)
        user = player.user_id if player else None
        side = Side.ANSWERS if seat == about else Side.CONCERNED
        if mine is not None and user == mine:
            side = Side.REPORTER
        rows.append(Party(case=case, side=side, seat=seat, player=player, user_id=user))
    if mine is not None and not any(row.side == Side.REPORTER for row in rows):
        rows.append(Party(case=case, side=Side.REPORTER, user_id=mine))
    Party.objects.bulk_create(rows)


def _players(log: HandLog) -> dict[int, Player]:
    """Return whose the seats of a hand are: as confirmed, or by the ref of its log."""
    seats = list(Seat.objects.filter(log=log).select_related("player"))
    refs = {seat.ref for seat in seats if seat.ref}
    by_ref = {each.ref: each for each in Player.objects.filter(club=log.club_id, ref__in=refs)}
    found = {seat.seat: seat.player or by_ref.get(seat.ref) for seat in seats}
    return {seat: player for seat, player in found.items() if player}


def _attach(viewer: Viewer, case: Case, text: str) -> Case:
    """Join a report to the case that runs about the same; its reporter is told which."""
    user = person(viewer)
    mine = CaseText.objects.filter(event__case=case, event__user=user, body=text)
    if user is not None and mine.exists():
        return case  # sent once more: by the back button, or after no answer came
    step(viewer, case, "attach", text=text, data={"reporter": user.pk if user else None})
    if user is not None:
        held = case.parties.filter(user=user)
        if not held.update(side=Side.REPORTER):
            Party.objects.create(case=case, side=Side.REPORTER, user=user)
        telling.tell(viewer, case, "joined", people=[user.pk])
    return case


def send(viewer: Viewer, case: Case, *, expected: int | None = None) -> Case:
    """Send a draft: from now on it waits for a referee."""
    with transaction.atomic():
        case = locked(case)
        if running := _running(case.log, case.kind, case.seq):
            raise RefusedError(_said_there(running))
        step(viewer, case, "send", expected=expected, acknowledged_at=timezone.now())
        telling.tell(viewer, case, "opened", people=[case.opener_id, *telling.officials(case)])
    return case
