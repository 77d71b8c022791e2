from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import backup


class Command(BaseCommand):
    help = "Writes the whole database into one file, while everything goes on."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_options: Any) -> None:
        try:
            made = backup.make(file)
        except (backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{file}: {made.hands} hands with {made.events} events and {made.audits} audits."
        )
