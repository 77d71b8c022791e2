"""Audits: what the engine said about a log, by which rules, in which version."""

from django.db import models

from replays.models.clubs import Club
from replays.models.hands import HandLog
from replays.models.scope import ClubQuerySet


class Audit(models.Model):
    """The report of a hand: a pure function of its log, its rules and the engine's version.

    Older audits stay: what was believed then can be shown. The newest one counts.
    """

    log = models.ForeignKey(HandLog, on_delete=models.CASCADE, related_name="audits")
    # Which version of the log. Its head alone would not tell: what is amended behind the end
    # does not change it.
    version = models.PositiveIntegerField()
    head = models.CharField(max_length=64)
    engine = models.CharField(max_length=32)
    ruleset = models.CharField(max_length=500)
    ruleset_digest = models.CharField(max_length=64)
    verdict = models.CharField(max_length=10)
    report = models.BinaryField()
    report_digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "log__club"
    hand_path = "log"

    class Meta:
        constraints = [
            # One verdict for one log under one set of rules by one engine.
            models.UniqueConstraint(
                fields=["log", "version", "engine", "ruleset_digest"], name="audit_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.log_id}: {self.verdict}"


class FindingRow(models.Model):
    """A finding of a hand's newest audit, for lists and searches; the report has the whole."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    log = models.ForeignKey(HandLog, on_delete=models.CASCADE, related_name="findings")
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=60)
    category = models.CharField(max_length=20)
    severity = models.CharField(max_length=10)
    handled = models.BooleanField(default=False)
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    hand_path = "log"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "number"], name="finding_once"),
        ]
        indexes = [
            # Read by the search for hands with a finding, newest hand first.
            models.Index(fields=["club", "code", "-log"], name="finding_by_code"),
        ]

    def __str__(self) -> str:
        return self.code
