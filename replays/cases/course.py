"""The course of a case: claimed, spoken in, appealed, closed. Deciding stands in ``decisions``."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from replays import queries, sight, what_if
from replays.access import NOBODY, Viewer
from replays.cases import pictures, telling
from replays.cases.conflicts import person
from replays.cases.opening import MOST_TEXT, check_text
from replays.cases.record import RefusedError, is_official, locked, step
from replays.models import Case, CaseEvent, Desk, Evidence, HandLog, Party
from replays.models.cases import RUNNING, Audience, EvidenceKind, Side, State

_MOST_PINNED = 40
_MOST_ADDRESS = 500
# What a browser sends of a query, and Django gives back of it.
_QUERY = re.compile(r"[A-Za-z0-9/%\[\]=:;$&()+,!?*@'~._-]+")


def holds(log: HandLog) -> bool:
    """Whether a hand is held: a case about it is open, so nothing of it may be purged."""
    return Case.objects.filter(log=log, state__in=RUNNING).exists()


def claim(viewer: Viewer, case: Case, *, expected: int | None = None) -> Case:
    """Take a case to decide it: one referee gets it, another who asks is told who has it."""
    user = person(viewer)
    with transaction.atomic():
        case = locked(case)
        now = timezone.now()
        previous = case.holder_id
        step(
            viewer,
            case,
            "claim",
            expected=expected,
            data={"from": previous} if previous else {},
            holder=user,
            held_at=now,
            touched_at=now,
        )
        telling.tell(viewer, case, "claimed", people=telling.both_sides(case))
    return case


def release(viewer: Viewer, case: Case, *, expected: int | None = None) -> Case:
    """Give a case back to the queue."""
    with transaction.atomic():
        case = locked(case)
        step(viewer, case, "release", expected=expected)
    return case


def say(
    viewer: Viewer,
    case: Case,
    *,
    text: str,
    audience: str = Audience.PARTIES,
    expected: int | None = None,
) -> CaseEvent:
    """Add a statement; one for officials only comes from an official."""
    text = check_text(viewer, text)
    with transaction.atomic():
        case = locked(case)
        _check_audience(viewer, case, audience)
        return step(viewer, case, "state", text=text, audience=audience, expected=expected)


def _check_audience(viewer: Viewer, case: Case, audience: str) -> None:
    if audience not in Audience.values:
        raise RefusedError(_("Choose who may read it."))
    if audience == Audience.OFFICIALS and not is_official(viewer, case):
        raise RefusedError(_("Only a referee without a part in the case writes to officials."))


# --- evidence ----------------------------------------------------------------------------------


def pin(
    viewer: Viewer,
    case: Case,
    *,
    kind: str,
    text: str = "",
    seq: int | None = None,
    address: str = "",
    picture: bytes | None = None,
    audience: str = Audience.PARTIES,
    expected: int | None = None,
) -> Evidence:
    """Pin something to a case with its digest; the same thing is pinned once.

    ``seq`` for an event, ``address`` for a what-if (a path within this site), ``picture``
    for the bytes of a PNG, JPEG or WebP.
    """
    with transaction.atomic():
        case = locked(case)
        _check_audience(viewer, case, audience)
        made = _evidence(
            case, kind, text=text.strip(), seq=seq, address=address.strip(), picture=picture
        )
        return _keep(
            viewer, case, "pin", made, text=text.strip(), audience=audience, expected=expected
        )


def _keep(
    viewer: Viewer,
    case: Case,
    verb: str,
    made: Evidence,
    *,
    text: str,
    audience: str = Audience.PARTIES,
    expected: int | None,
    new_evidence: bool = False,
    **changes: Any,
) -> Evidence:
    if case.evidence.filter(digest=made.digest).exists():
        raise RefusedError(_("That is pinned to this case already."))
    if case.evidence.count() >= _MOST_PINNED:
        most = {"most": _MOST_PINNED}
        raise RefusedError(_("No more than %(most)s things are pinned to a case.") % most)
    data = {"kind": made.kind, "digest": made.digest, **made.data}
    made.event = step(
        viewer,
        case,
        verb,
        text=text,
        data=data,
        audience=audience,
        expected=expected,
        new_evidence=new_evidence,
        **changes,
    )
    made.save(force_insert=True)
    return made


def _evidence(
    case: Case,
    kind: str,
    *,
    text: str,
    seq: int | None,
    address: str,
    picture: bytes | None,
) -> Evidence:
    """Return a piece of evidence, unsaved, with the digest of what it is."""
    made = Evidence(case=case, kind=kind)
    if len(text) > MOST_TEXT:
        raise RefusedError(_("Say it in at most %(most)s characters.") % {"most": MOST_TEXT})
    if kind == EvidenceKind.EVENT:
        if not sight.is_opened(case.log, case.club):
            # The digest of an event could be tried card by card while its card is hidden.
            raise RefusedError(
                _("This hand still goes on: pin its events once its cards lie open.")
            )
        hand = queries.hand_of(case.log)
        lines = {event.seq: line for event, line in zip(hand.events, hand.lines[1:], strict=False)}
        if seq not in lines:
            raise RefusedError(_("This hand has no event %(seq)s.") % {"seq": seq})
        made.data = {"seq": seq}
        made.digest = _sha(f"{case.log.public_id}:{seq}:".encode() + lines[seq])
    elif kind == EvidenceKind.NOTE:
        if not text:
            raise RefusedError(_("Write the note first."))
        made.digest = _sha(f"{case.pk}:note:{text}".encode())
    elif kind == EvidenceKind.WHAT_IF:
        if len(address) > _MOST_ADDRESS or not _is_what_if(case.log, address):
            raise RefusedError(
                _("Copy the address of a what-if of this hand: it begins with %(path)s.")
                % {"path": _what_ifs(case.log)}
            )
        made.data = {"address": address}
        made.digest = _sha(address.encode())
    elif kind == EvidenceKind.IMAGE:
        return _picture(made, picture)
    else:
        raise RefusedError(_("Choose what you want to pin."))
    return made


def _what_ifs(log: HandLog) -> str:
    return f"{reverse('what-if', args=[log.public_id])}?"


def _is_what_if(log: HandLog, address: str) -> bool:
    """Whether an address is that of a what-if of a hand, and of nothing else."""
    path, query = _what_ifs(log), address.removeprefix(_what_ifs(log))
    if not address.startswith(path) or not _QUERY.fullmatch(query):
        return False
    try:
        asked = parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=20)
    except ValueError:
        return False
    return {name for name, _value in asked} <= {*what_if.FIELDS}


def _picture(made: Evidence, body: bytes | None) -> Evidence:
    if not body:
        raise RefusedError(_("Choose a picture first."))
    try:
        found = pictures.read(body)
    except pictures.PictureError as error:
        raise RefusedError(
            _("This picture cannot be kept: %(why)s. Send a PNG, JPEG or WebP of at most 8 MB.")
            % {"why": error}
        ) from None
    made.media_type, made.size, made.body = found.media_type, len(body), body
    made.data = {"width": found.width, "height": found.height, "type": found.media_type}
    made.digest = _sha(body)
    return made


def _sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


# --- its end -----------------------------------------------------------------------------------


def dismiss(viewer: Viewer, case: Case, *, text: str, expected: int | None = None) -> Case:
    """Close a case without a decision, because nothing in it can be decided; says why."""
    text = check_text(viewer, text)
    with transaction.atomic():
        case = locked(case)
        step(viewer, case, "dismiss", text=text, expected=expected)
        telling.tell(viewer, case, "closed", people=telling.both_sides(case))
    return case


def join(viewer: Viewer, case: Case, *, into: Case, expected: int | None = None) -> Case:
    """Join a case to another about the same hand; its parties go over and are told."""
    with transaction.atomic():
        pair = sorted((case, into), key=lambda each: each.pk)
        rows = {each.pk: locked(each) for each in pair}
        case, into = rows[case.pk], rows[into.pk]
        if case.pk == into.pk:
            raise RefusedError(_("A case cannot be joined to itself."))
        if case.log_id != into.log_id:
            raise RefusedError(_("Only cases about the same hand can be joined."))
        if not into.runs:
            raise RefusedError(_("The other case is closed: join this one to a case that runs."))
        step(
            viewer,
            case,
            "join",
            data={"into": into.number},
            expected=expected,
            duplicate_of=into,
        )
        step(viewer, into, "attach", data={"case": case.number})
        there = set(into.parties.exclude(user=None).values_list("user", flat=True))
        Party.objects.bulk_create(
            Party(case=into, side=Side.REPORTER, user_id=pk)
            for pk in dict.fromkeys(telling.both_sides(case))
            if pk not in there
        )
        into.parties.filter(user=case.opener_id).update(side=Side.REPORTER)
        telling.tell(viewer, into, "joined", people=[case.opener_id])
    return case


def appeal(viewer: Viewer, case: Case, *, text: str, expected: int | None = None) -> Case:
    """Appeal a decision: another referee looks at it."""
    text = check_text(viewer, text)
    with transaction.atomic():
        case = locked(case)
        step(viewer, case, "appeal", text=text, expected=expected, level=case.level + 1)
        people = [*telling.both_sides(case), *telling.officials(case)]
        telling.tell(viewer, case, "appealed", people=people)
    return case


def withdraw(viewer: Viewer, case: Case, *, text: str = "", expected: int | None = None) -> Case:
    """Take a case back; of an appeal, the decision before it stands."""
    with transaction.atomic():
        case = locked(case)
        text = text.replace("\x00", "").strip()[:MOST_TEXT]
        step(viewer, case, "withdraw", text=text, expected=expected)
        # Of a draft nobody knows: it stays with who wrote it.
        if case.acknowledged_at is not None:
            telling.tell(viewer, case, "closed", people=telling.both_sides(case))
    return case


def reopen(
    viewer: Viewer,
    case: Case,
    *,
    text: str,
    kind: str,
    seq: int | None = None,
    address: str = "",
    picture: bytes | None = None,
    expected: int | None = None,
) -> Case:
    """Reopen a closed case with a piece of evidence that is not pinned to it yet."""
    text = check_text(viewer, text)
    try:
        with transaction.atomic():
            case = locked(case)
            made = _evidence(
                case, kind, text=text, seq=seq, address=address.strip(), picture=picture
            )
            if case.evidence.filter(digest=made.digest).exists():
                raise RefusedError(
                    _("That was known already: a closed case is reopened only with new evidence.")
                )
            _keep(
                viewer,
                case,
                "reopen",
                made,
                text=text,
                expected=expected,
                new_evidence=True,
                acknowledged_at=case.acknowledged_at or timezone.now(),
            )
            people = [*telling.both_sides(case), *telling.officials(case)]
            telling.tell(viewer, case, "reopened", people=people)
    except IntegrityError:
        raise RefusedError(_("Another case about the same runs already: say it there.")) from None
    return case


def tend(viewer: Viewer = NOBODY) -> int:
    """Close what can no longer be appealed and free what its referee has let lie; return how many.

    Called by the sweeper; a page that comes first sees the same, as the machine asks the clock.
    """
    now = timezone.now()
    done = 0
    for case in Case.objects.filter(state=State.DECIDED, due_at__lte=now).select_related("club"):
        done += _tended(viewer, case, "close")
    held = list(Case.objects.filter(state=State.ASSIGNED).select_related("club"))
    desks = Desk.objects.filter(club__in={case.club_id for case in held}) if held else ()
    by_club = {desk.club_id: desk for desk in desks}
    for case in held:
        idle = timedelta(minutes=by_club.get(case.club_id, Desk()).idle_minutes)
        if case.touched_at is None or now - case.touched_at > idle:
            done += _tended(viewer, case, "release")
    return done


def _tended(viewer: Viewer, case: Case, verb: str) -> bool:
    clock = Viewer(club=case.club, scopes=_CLOCK) if viewer is NOBODY else viewer
    with transaction.atomic():
        row = locked(case)
        try:
            step(clock, row, verb)
        except RefusedError:
            return False  # somebody was there first
        if verb == "close":
            telling.tell(clock, row, "closed", people=telling.both_sides(row))
    return True


_CLOCK: frozenset[Any] = frozenset({"cases:decide"})
