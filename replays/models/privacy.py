"""What is left of a hand that was purged, and what keeps a hand from being purged."""

from django.conf import settings
from django.db import models

from replays.models.clubs import Club
from replays.models.hands import HandLog
from replays.models.scope import ClubQuerySet


class Tombstone(models.Model):
    """What stays of a purged hand: which it was, its head, who purged it, why and when.

    Triggers let the log of a hand be deleted only once its tombstone stands, and let no
    tombstone be changed or deleted. ``number`` is the primary key that the hand had.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tombstones")
    number = models.BigIntegerField(unique=True)
    public_id = models.CharField(max_length=16, unique=True)
    # The digest by which the same hand is known should it be sent again.
    identity = models.BinaryField(max_length=32, unique=True)
    head = models.CharField(max_length=64)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
    )
    via = models.CharField(max_length=40)
    why = models.CharField(max_length=200)
    at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        indexes = [
            # Read by the page of purged hands, newest first.
            models.Index(fields=["club", "-id"], name="tombstone_newest"),
        ]

    def __str__(self) -> str:
        return self.public_id


class Hold(models.Model):
    """A hand that is not purged whatever its age, and why; open cases hold their hands anyway."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="holds")
    log = models.OneToOneField(HandLog, on_delete=models.CASCADE, related_name="hold")
    why = models.CharField(max_length=200)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    def __str__(self) -> str:
        return f"hold of {self.log_id}"
