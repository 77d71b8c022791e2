from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import access, retention
from replays.models import Club


class Command(BaseCommand):
    help = (
        "Purges the hands that clubs no longer keep and leaves a tombstone of each; the sweeper "
        "does so hourly. Held hands stay, and a match goes as a whole."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", help="only this club, by its short name")
        parser.add_argument(
            "--dry-run", action="store_true", help="say which hands would go, and purge none"
        )

    def handle(self, *, club: str | None, dry_run: bool, **_options: Any) -> None:
        clubs = Club.objects.order_by("slug")
        clubs = clubs.filter(slug=club) if club else clubs.exclude(keep_months=None)
        if club and not clubs:
            raise CommandError(f"--club {club}: there is none.")
        for one in clubs:
            viewer = access.operator(one)
            if dry_run:
                hands = [log for together in retention.due(viewer) for log in together]
                for log in hands:
                    self.stdout.write(f"{one.slug}: {log.public_id} {log.ingested_at:%Y-%m-%d}")
                self.stdout.write(f"{one.slug}: {len(hands)} hands would be purged.")
            else:
                self.stdout.write(f"{one.slug}: {retention.retain(viewer)} hands purged.")
