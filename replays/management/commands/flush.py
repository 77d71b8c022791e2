"""Django's ``flush``, which must first get past the guard of the logs."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import flush

from replays import storage


class Command(flush.Command):
    help = "Empties every table, the logs too. For tests and trials; refused in production."

    def handle(self, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("The record of a club is never emptied.")
        storage.lift_guards()
        try:
            super().handle(**options)
        finally:
            storage.set_guards()
