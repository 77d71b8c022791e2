"""Links for people without an account: made once, ended by time, by use, or by hand."""

import hashlib
import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from replays import trail
from replays.access import Viewer
from replays.models import Link
from replays.models.keys import LinkKind

_TOKEN_BYTES = 24


def make_link(
    viewer: Viewer, *, kind: LinkKind, scope: dict[str, Any], expires_at: datetime | None = None
) -> tuple[Link, str]:
    """Make a link; return it with the token for its address, which is never seen again."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with transaction.atomic():
        link = Link.objects.create(
            club=viewer.club,
            kind=kind,
            digest=_digest(token),
            scope=scope,
            created_by=viewer.user,
            created_at=timezone.now(),
            expires_at=expires_at,
        )
        trail.leave(viewer, "link.make", target=link.public_id, after={"kind": kind, **scope})
    return link, token


def link_of(token: str, *, kind: LinkKind) -> Link | None:
    """Return the link that this token opens, unless it has ended."""
    return Link.objects.running(kind).select_related("club").filter(digest=_digest(token)).first()


def holder_of(token: str, *, kind: LinkKind) -> Viewer | None:
    """Return whoever holds this token as the one who asks: of the club they see what it opens."""
    link = link_of(token, kind=kind)
    return Viewer(club=link.club, link=link) if link is not None else None


def revoke_link(viewer: Viewer, link: Link) -> None:
    """End a link at once."""
    with transaction.atomic():
        if Link.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
            before = {"kind": link.kind}
            trail.leave(viewer, "link.revoke", target=link.public_id, before=before)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
