"""Keys of programs: made once, shown once, found by prefix, proved by digest."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from replays import trail
from replays.access import Viewer
from replays.models import ApiKey
from replays.models.people import Scope

# Says what the string is wherever it turns up, so that scanners for leaked secrets can know it.
_MARK = "rma"
_PREFIX_BYTES, _SECRET_BYTES = 6, 32
_MOST_CHARACTERS = 200
# When a key was last used is written at most so often: not once a request.
_USED_EVERY = timedelta(minutes=1)


def make_key(
    viewer: Viewer,
    *,
    name: str,
    scopes: Iterable[Scope],
    expires_at: datetime | None = None,
    rate: int = 6000,
) -> tuple[ApiKey, str]:
    """Make a key for a club's program; return it with the secret, which is never seen again."""
    prefix = secrets.token_hex(_PREFIX_BYTES)
    secret = f"{_MARK}_{prefix}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    with transaction.atomic():
        key = ApiKey.objects.create(
            club=viewer.club,
            name=name,
            prefix=prefix,
            digest=_digest(secret),
            scopes=sorted(scopes),
            rate=rate,
            created_by=viewer.user,
            created_at=timezone.now(),
            expires_at=expires_at,
        )
        after = {"scopes": key.scopes, "expires_at": expires_at and expires_at.isoformat()}
        trail.leave(viewer, "key.make", target=prefix, after=after)
    return key, secret


def holder_of(secret: str) -> ApiKey | None:
    """Return the key that this secret proves, unless it has expired or was revoked."""
    mark, _, rest = secret.partition("_")
    prefix = rest.partition("_")[0]
    if mark != _MARK or not rest or not secret.isascii() or len(secret) > _MOST_CHARACTERS:
        return None
    key = ApiKey.objects.select_related("club").filter(prefix=prefix).first()
    # The digest is compared even where no key was found, so that both take as long.
    if not hmac.compare_digest(bytes(key.digest) if key else bytes(32), _digest(secret)) or not key:
        return None
    now = timezone.now()
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
        return None
    if key.last_used_at is None or now - key.last_used_at > _USED_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key


def revoke_key(viewer: Viewer, key: ApiKey) -> None:
    """End a key at once."""
    with transaction.atomic():
        if ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now()):
            trail.leave(viewer, "key.revoke", target=key.prefix)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
