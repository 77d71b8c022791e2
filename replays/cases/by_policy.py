"""Cases that a club has opened for it: it says by code which findings become one."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from replays import logs, queries, sight
from replays.access import Viewer
from replays.cases import kinds, opening
from replays.models import Case, Club, FindingPolicy, FindingRow, HandLog, MatchFinding, TrailEntry
from replays.models.shadow import Act
from rummy_audit.rules.findings import codes


def open_due(*, most: int = 20) -> int:
    """Open the cases that clubs want for findings, ``most`` of a code; return how many.

    For hands that have ended, lie open and were judged since the club chose so. An event that
    a case is about already gets no other. Called by the sweeper.
    """
    chosen = FindingPolicy.objects.filter(act=Act.CASE).select_related("club").order_by("pk")
    return sum(
        _open(policy.club, found)
        for policy in chosen
        for model in (FindingRow, MatchFinding)
        for found in _due(policy, model)[:most]
    )


def _due(policy: FindingPolicy, model: Any) -> Any:
    said = TrailEntry.objects.filter(
        club=policy.club, verb="policy.choose", target=policy.code, after=Act.CASE.value
    )
    since = said.order_by("-id").values("at")[:1]
    there = Case.objects.filter(log=OuterRef("log"), seq=OuterRef("seq"))
    rows = model.objects.filter(~Exists(there), club=policy.club, code=policy.code)
    hands = HandLog.objects.filter(_open_to(policy.club), club=policy.club)
    rows = rows.filter(log__in=hands, log__audit__made_at__gte=since)
    return rows.select_related("log__club").order_by("log_id", "number")


def _open_to(club: Club) -> Q:
    # Who is told of the case learns what was found. Where hidden cards never open, its end is all
    # that there is to wait for.
    if club.opens_after is None:
        return Q(ended_after__isnull=False)
    return sight.opened(Viewer(club=club))


def _open(club: Club, found: Any) -> bool:
    log, seq, code = found.log, found.seq, found.code
    try:
        hand = queries.hand_of(log)
    except logs.NoLogError:
        return False  # a damaged record, of which verify tells: it must not stop the sweeper
    kind = kinds.kind_for(hand, seq=seq, code=code, in_match=bool(log.match))
    text = _("The club has a case opened for every finding of this kind: %(title)s.")
    try:
        with transaction.atomic():
            opening.opened(
                Viewer(club=club),
                log,
                hand,
                {"kind": kind, "seq": seq, "code": code},
                text=text % {"title": codes()[code].title.rstrip(".")},
            )
    except IntegrityError:
        return False  # somebody disputes the same at this moment
    return True
