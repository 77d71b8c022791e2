"""Keys of programs: made once, shown once, found by prefix, proved by digest."""

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from replays import throttle, trail
from replays.access import Viewer
from replays.asked import Asked
from replays.models import ApiKey
from replays.models.people import Scope

# Says what the string is wherever it turns up, so that scanners for leaked secrets can know it.
_MARK = "rma"
_PREFIX_BYTES, _SECRET_BYTES = 6, 32
_MOST_CHARACTERS = 200
# When a key was last used is written at most so often: not once a request.
_USED_EVERY = timedelta(minutes=1)
# Wrong keys a minute from one address, and as many more at once.
_WRONG_RATE = 10

_BY_PREFIX = Asked(lambda: ApiKey.objects.select_related("club"), "prefix")


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
    key = next(iter(_BY_PREFIX(prefix)), None)
    # The digest is compared even where no key was found, so that both take as long.
    if not hmac.compare_digest(bytes(key.digest) if key else bytes(32), _digest(secret)) or not key:
        return None
    now = timezone.now()
    if state_of(key, now=now) != "good":
        return None
    if key.last_used_at is None or now - key.last_used_at > _USED_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key


def as_it_is(key: ApiKey) -> ApiKey | None:
    """Return a key as it is by now, with its club; none where it has expired or was revoked."""
    found = ApiKey.objects.select_related("club").filter(pk=key.pk).first()
    return found if found and state_of(found, now=timezone.now()) == "good" else None


def rotate_key(
    viewer: Viewer, key: ApiKey, *, overlap: timedelta = timedelta(days=7)
) -> tuple[ApiKey, str]:
    """Make the key that comes after another; for as long as ``overlap`` both are good.

    One that was to end ends as it was to; where that is too soon, its successor lives as long.
    """
    now = timezone.now()
    ends, expires_at = now + overlap, key.expires_at
    if expires_at is not None and expires_at <= ends:
        expires_at = now + max(overlap, expires_at - key.created_at)
    with transaction.atomic():
        made = make_key(
            viewer,
            name=key.name,
            scopes=[Scope(scope) for scope in key.scopes],
            expires_at=expires_at,
            rate=key.rate,
        )
        if key.expires_at is None or key.expires_at > ends:
            before = key.expires_at and key.expires_at.isoformat()
            ApiKey.objects.filter(pk=key.pk).update(expires_at=ends)
            trail.leave(
                viewer, "key.retire", target=key.prefix, before=before, after=ends.isoformat()
            )
    return made


def state_of(key: ApiKey, *, now: datetime) -> str:
    """Return ``good``, ``expired`` or ``revoked``."""
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "good"


def allowed(key: ApiKey) -> float:
    """Count a request of a key; return 0, or the seconds to wait when its limit is used up.

    Over any stretch of time at most a twentieth of a minute's requests come on top of its rate.
    """
    burst = max(1, key.rate // 20)
    return throttle.spend(f"key:{key.prefix}", rate=key.rate, burst=burst)


def wrong(address: str | None) -> float:
    """Count a wrong key from an address; return 0, or the seconds to wait after too many.

    At most twenty a minute are answered. ``address`` is ``access.address_of(request)``,
    which no header that a stranger writes can change.
    """
    where = address or "nowhere"
    if ":" in where:
        # Who has one address of version 6 has a whole network of them.
        where = str(ipaddress.ip_network((where, 64), strict=False))
    return throttle.spend(f"wrong:{where}", rate=_WRONG_RATE, burst=_WRONG_RATE)


def revoke_key(viewer: Viewer, key: ApiKey) -> None:
    """End a key at once."""
    with transaction.atomic():
        if ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now()):
            before = {"scopes": key.scopes}
            trail.leave(viewer, "key.revoke", target=key.prefix, before=before)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
