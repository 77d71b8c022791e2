"""Keys of programs and links for people without an account. Only digests of them are stored."""

from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club
from replays.models.scope import ClubQuerySet, new_public_id


class ApiKey(models.Model):
    """A program's way in. The key is shown once; ``prefix`` finds it, ``digest`` proves it.

    Keys are random and long, so a plain SHA-256 is as safe as a password's slow hash and
    costs a microsecond.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="keys")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=16, unique=True)
    digest = models.BinaryField(max_length=32)
    scopes = models.JSONField(default=list)
    # Requests a minute.
    rate = models.PositiveIntegerField(default=6000)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    def __str__(self) -> str:
        return self.prefix


class LinkKind(models.TextChoices):
    """What a link is for."""

    INVITATION = "invitation", _("invitation")
    TABLE = "table", _("table")
    SHARE = "share", _("shared hand")


class LinkQuerySet(ClubQuerySet):
    """Links, and those that open something now."""

    def running(self, kind: str) -> Self:
        """Return the links of a kind that have not ended."""
        now = models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now())
        return self.filter(now, kind=kind, revoked_at=None)


class Link(models.Model):
    """An address with a secret in it: whoever has it may do what its ``scope`` says, no more.

    ``scope`` by kind: an invitation ``{"role"}``; a table ``{"table"}``; a shared hand
    ``{"hand", "seat", "seq"}``. A link ends when it is revoked, expires, or (an
    invitation) is taken up.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="links")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    kind = models.CharField(max_length=12, choices=LinkKind.choices)
    digest = models.BinaryField(max_length=32, unique=True)
    scope = models.JSONField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    objects = LinkQuerySet.as_manager()
    club_path = "club"

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"
