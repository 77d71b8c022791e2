from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import backup


class Command(BaseCommand):
    help = "Puts a backup into an empty database and checks every chain and digest of it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_options: Any) -> None:
        try:
            found = backup.restore(file)
        except backup.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored and checked: {found.hands} hands with {found.events} events and "
            f"{found.audits} audits, as of {found.made_at}."
        )
