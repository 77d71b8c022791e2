"""How much of a limit is used, where no Valkey counts it."""

from django.db import models


class Throttle(models.Model):
    """One limit: until when (seconds since 1970) what was asked for has used it up."""

    name = models.CharField(max_length=80, primary_key=True)
    until = models.FloatField(default=0)

    def __str__(self) -> str:
        return self.name
