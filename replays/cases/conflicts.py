"""Who may not judge a case: whoever has a part in it, or in what it is about."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from replays import sight
from replays.access import Viewer
from replays.models import Case, Decision, HandLog, Outcome, Player, Seat, TrailEntry


def person(viewer: Viewer) -> Any:
    """Return the account behind whoever asks; a key stands for the one who made it."""
    if viewer.user is not None:
        return viewer.user
    return viewer.key.created_by if viewer.key is not None else None


def played(user: Any, log: HandLog) -> bool:
    """Whether this account's player sat at the hand."""
    mine = Player.objects.filter(user=user, club=log.club_id)
    refs = list(mine.exclude(ref="").values_list("ref", flat=True))
    sat = Q(player__in=mine) | Q(ref__in=refs)
    return Seat.objects.filter(sat, log=log).exists()


def entered(user: Any, log: HandLog) -> bool:
    """Whether this account brought the hand in, by an upload, or wrote it down itself."""
    uploaded = Outcome.objects.filter(log=log, upload__user=user, kind__in=("created", "appended"))
    wrote = Q(verb__startswith="hand.") | Q(verb__startswith="deal.")
    trail = TrailEntry.objects.filter(wrote, club=log.club_id, target=log.public_id, user=user)
    return uploaded.exists() or trail.exists()


def _sees_what_it_moves(viewer: Viewer, log: HandLog) -> bool:
    """Whether somebody sees all hands whose points and totals a decision on this one moves."""
    hands = HandLog.objects.filter(club=log.club_id, pk=log.pk)
    if log.match:
        same = {"source": log.source, "event": log.event, "match": log.match}
        hands = HandLog.objects.filter(club=log.club_id, **same)
    return sight.reveals(viewer) or not sight.parts_of(viewer, list(hands))


def conflict(viewer: Viewer, case: Case) -> str:
    """Return why this person may not judge this case, in a sentence, or nothing."""
    user = person(viewer)
    if user is None:
        return _("A case is judged by a person: sign in first.")
    if not _sees_what_it_moves(viewer, case.log):
        return _(
            "You do not see all cards of this hand, or of its match, yet: it is decided by "
            "somebody who does."
        )
    if case.opener_id == user.pk or case.parties.filter(user=user, side="reporter").exists():
        return _("You reported this yourself: another referee decides it.")
    if played(user, case.log) or case.parties.filter(user=user).exists():
        return _("You played in this hand: another referee decides it.")
    if entered(user, case.log):
        return _("You entered this hand: another referee decides it.")
    if case.level and Decision.objects.filter(case=case, user=user, level__lt=case.level).exists():
        return _("You made the decision that is appealed: another referee decides the appeal.")
    return ""
