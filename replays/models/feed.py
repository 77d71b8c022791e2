"""The feed of verdicts: every verdict once, in an order that no reader can fall behind of."""

from django.db import models

from replays.models.audits import Audit
from replays.models.clubs import Club
from replays.models.hands import HandLog
from replays.models.scope import ClubQuerySet


class FeedEntry(models.Model):
    """A verdict that a hand got. Its number is its place: written by ``feed.publish`` alone.

    Whoever has read up to a number has read all below it, also what was committed late.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    log = models.ForeignKey(HandLog, on_delete=models.CASCADE, related_name="verdicts")
    # None where the hand could not be judged.
    audit = models.ForeignKey(
        Audit, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    version = models.PositiveIntegerField()
    verdict = models.CharField(max_length=10)
    # Whether the hand's end had not come yet.
    open = models.BooleanField()
    errors = models.PositiveIntegerField(default=0)
    breaches = models.PositiveIntegerField(default=0)
    notes = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        indexes = [
            # Read by everybody who follows a club's feed.
            models.Index(fields=["club", "id"], name="feed_of_club"),
        ]

    def __str__(self) -> str:
        return f"{self.log_id}: {self.verdict}"
