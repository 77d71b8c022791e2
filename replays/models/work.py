"""Work that is owed. The database owns it; a broker only wakes those who do it."""

from typing import Any

from django.db import models

from replays.models.hands import HandLog


class Work(models.Model):
    """Something to be done by a worker, at most three times tried.

    ``due`` says from when it may be claimed: a claim moves it past the end of the
    lease, so work of a worker that is gone falls due by itself. ``lease`` names the
    claim; only its holder may finish the work.
    """

    due = models.DateTimeField()
    lease = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    failed = models.BooleanField(default=False)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        abstract = True

    # Named here for those who handle work of any kind.
    objects: models.Manager[Any]


class AuditJob(Work):
    """A hand whose log is to be judged. The row goes when it is done; a failed one stays."""

    log = models.OneToOneField(HandLog, on_delete=models.CASCADE, related_name="job")

    class Meta:
        indexes = [
            # Read by every claim and by the sweeper; failed jobs are not in their way.
            models.Index(
                fields=["attempts", "due"], name="audit_due", condition=models.Q(failed=False)
            ),
        ]

    def __str__(self) -> str:
        return f"audit of {self.log_id}"
