"""Processes of the service, as they last told of themselves."""

from django.db import models


class ProcessBeat(models.Model):
    """What one process has done since it started, and how large it is.

    Each process writes its own row every few seconds while it works, so that any web
    server can tell of all of them, on whatever host they run.
    """

    host = models.CharField(max_length=100)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    kind = models.CharField(max_length=10)
    at = models.DateTimeField()
    memory = models.PositiveBigIntegerField()  # bytes
    counts = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["host", "pid", "started_at"], name="beat_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pid} on {self.host}"
