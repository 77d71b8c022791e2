"""``Idempotency-Key``: the same request again is the same answer, and one effect."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import BinaryIO

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from api.models import Remembered
from api.problems import Problem
from replays import storage
from replays.access import Viewer
from replays.privacy import Names

HEADER = "Idempotency-Key"
# At least a day is promised; a client that was away over a weekend is answered too.
_KEPT = timedelta(days=4)
_CLEARED_AT_ONCE = 20
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_KEPT_HEADERS = ("Content-Type", "Location", "ETag")
_PIECE = 64 * 1024

Do = Callable[[], HttpResponse]


def once(request: HttpRequest, body: BinaryIO, do: Do) -> HttpResponse:
    """Do what a request asks; with an Idempotency-Key once for all, in one transaction.

    Said again, 201 becomes 200 and the body stays. A transaction that fails is forgotten,
    so that it can be tried again. ``do`` may be called twice, and without a key sees to its
    own transaction. Raises Problem ``key-reused`` when the key stands for another request.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return do()
    if not _KEY.fullmatch(key):
        why = _("A key is 1 to 255 visible ASCII characters.")
        raise Problem("bad-parameter", why, place={"header": HEADER})
    digest = _digest(request, body)
    found = _remembered(request.viewer, key)
    if found is None:
        return storage.in_transaction(partial(_first, request.viewer, key, digest, do))
    return _again(found, digest)


def _digest(request: HttpRequest, body: BinaryIO) -> bytes:
    digest = hashlib.sha256()
    for part in (request.method, request.get_full_path(), request.content_type):
        digest.update(f"{part}\n".encode(errors="replace"))
    body.seek(0)
    while piece := body.read(_PIECE):
        digest.update(piece)
    body.seek(0)
    return digest.digest()


def _owner(viewer: Viewer) -> str:
    return viewer.via if viewer.key is not None else f"member {viewer.user.pk}"


def _remembered(viewer: Viewer, key: str) -> Remembered | None:
    return Remembered.objects.for_user(viewer).filter(owner=_owner(viewer), key=key).first()


def _first(viewer: Viewer, key: str, digest: bytes, do: Do) -> HttpResponse:
    """Take the key, then do it; who comes at the same moment waits for this to end."""
    mine = Remembered(
        club=viewer.club,
        owner=_owner(viewer),
        key=key,
        token=secrets.token_hex(16),
        digest=digest,
        made_at=timezone.now(),
    )
    row = None
    # One that is there, and gone before it is read, was let go of meanwhile: the key is free.
    while row is None:
        Remembered.objects.bulk_create([mine], ignore_conflicts=True)
        row = _remembered(viewer, key)
    if row.token != mine.token:
        return _again(row, digest)
    response = do()
    row.status = response.status_code
    row.body = response.content
    row.headers = {name: response[name] for name in _KEPT_HEADERS if name in response}
    row.save(update_fields=["status", "body", "headers"])
    old = Remembered.objects.filter(made_at__lt=timezone.now() - _KEPT).order_by("made_at")
    Remembered.objects.filter(
        pk__in=list(old.values_list("pk", flat=True)[:_CLEARED_AT_ONCE])
    ).delete()
    return response


def _again(row: Remembered, digest: bytes) -> HttpResponse:
    if bytes(row.digest) != digest:
        raise Problem("key-reused", place={"header": HEADER})
    status = 200 if row.status == 201 else row.status  # noqa: PLR2004 - created once only
    return HttpResponse(
        bytes(row.body),
        status=status,
        headers={
            **row.headers,
            "Idempotency-Replayed": "true",
            "Cache-Control": "private, no-store",
        },
    )


def forget(club: int, names: Names) -> int:
    """Let go of answers of a club that name a person; the same request again is done again."""
    rows = Remembered.objects.filter(club=club)
    found = [row.pk for row in rows.iterator() if names.stand_in(row.body)]
    return int(Remembered.objects.filter(pk__in=found).delete()[0])
