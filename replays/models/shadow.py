"""Onboarding in the shadow: what a platform's week of hands would have brought up, uncounted."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club
from replays.models.scope import ClubQuerySet, new_public_id
from replays.models.work import Work


class ShadowRun(models.Model):
    """A run over many hands: those stored in a time, or uploaded without being stored as hands."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="shadow_runs")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    words = models.CharField(max_length=100, blank=True)
    # Which stored hands: since, until, event, source; empty for uploaded ones.
    chosen = models.JSONField(default=dict)
    unreadable = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        indexes = [
            # Read by the list of runs, newest first.
            models.Index(fields=["club", "-id"], name="shadow_newest"),
        ]

    def __str__(self) -> str:
        return self.public_id


class ShadowPart(Work):
    """Some hands of a run: their logs, or the numbers of stored ones; and what was found.

    A part is judged by itself and keeps only counts and a few examples: the hands of an upload
    are let go of when it is done.
    """

    run = models.ForeignKey(ShadowRun, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    body = models.BinaryField(default=b"")
    stored = models.JSONField(default=list)
    found = models.JSONField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="shadow_part_once"),
        ]
        indexes = [
            # Read by every claim and by the sweeper: only what is still to be judged is in it.
            models.Index(
                fields=["attempts", "due"],
                name="shadow_due",
                condition=models.Q(failed=False, finished_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: part {self.number}"


class Act(models.TextChoices):
    """What a club does about a finding."""

    COUNT = "count", _("count it")
    CASE = "case", _("open a case")


class FindingPolicy(models.Model):
    """What a club does about findings of one code; without a row they are counted."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="policies")
    code = models.CharField(max_length=60)
    act = models.CharField(max_length=10, choices=Act.choices)

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "code"], name="policy_once_a_code"),
        ]

    def __str__(self) -> str:
        return f"{self.code}: {self.act}"
