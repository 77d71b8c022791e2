"""Requests that must have one effect however often they are sent."""

from django.db import models

from replays.models import Club
from replays.models.scope import ClubQuerySet


class Remembered(models.Model):
    """A request with an ``Idempotency-Key``, and what was answered.

    Written in the transaction of its effect: either both are there or neither. ``digest``
    is over the method, the address and the body.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    # Whose: two programs of a club may use the same words as keys.
    owner = models.CharField(max_length=80)
    key = models.CharField(max_length=255)
    # Tells the one who wrote the row from those who came at the same moment.
    token = models.CharField(max_length=32)
    digest = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(default=b"")
    made_at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "owner", "key"], name="remembered_once"),
        ]
        indexes = [
            # Read by the clearing of old rows.
            models.Index(fields=["made_at"], name="remembered_age"),
        ]

    def __str__(self) -> str:
        return self.key
