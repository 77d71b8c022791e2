"""The trail: who did what, when, from where. Written once, never changed."""

from django.conf import settings
from django.db import models

from replays.models.clubs import Club
from replays.models.scope import ClubQuerySet


class TrailEntry(models.Model):
    """One act that changed something. Triggers refuse UPDATE and DELETE, as for logs.

    ``verb`` is ``thing.act`` (``hand.amend``, ``key.revoke``), ``target`` the public id
    of what it was done to. ``before`` and ``after`` hold what changed, never a name, a
    card or a secret: digests and ids stand for those.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="trail")
    at = models.DateTimeField()
    # A person by their number, which says nothing once the account is gone; a key or a link
    # by its prefix or public id.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
    )
    via = models.CharField(max_length=40)
    address = models.GenericIPAddressField(null=True)
    verb = models.CharField(max_length=40)
    target = models.CharField(max_length=64, blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        indexes = [
            # Read by the club's trail page, newest first.
            models.Index(fields=["club", "-id"], name="trail_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.target}"
