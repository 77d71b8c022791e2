from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from replays import access, keys
from replays.models import DEFAULT_CLUB, Club
from replays.models.people import Scope


class Command(BaseCommand):
    help = "Makes a key for a program of a club and prints it, once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--club", default=DEFAULT_CLUB, help="the club's short name, as in its address"
        )
        parser.add_argument("--name", required=True, help="what the key is for")
        parser.add_argument(
            "--scopes",
            required=True,
            help=f"with commas between, of: {', '.join(Scope.values)}",
        )
        parser.add_argument("--days", type=int, help="how long it is good; without, until revoked")
        parser.add_argument("--rate", type=int, default=6000, help="requests a minute")

    def handle(self, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            known = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(f"--club {options['club']}: there is none. Known: {known}")
        scopes = [part.strip() for part in options["scopes"].split(",") if part.strip()]
        if unknown := [scope for scope in scopes if scope not in Scope.values]:
            raise CommandError(
                f"--scopes {unknown[0]}: expected some of {', '.join(Scope.values)}."
            )
        days = options["days"]
        _key, secret = keys.make_key(
            access.operator(club),
            name=options["name"][:100],
            scopes=[Scope(scope) for scope in scopes],
            expires_at=timezone.now() + timedelta(days=days) if days else None,
            rate=max(1, options["rate"]),
        )
        self.stdout.write(secret)
