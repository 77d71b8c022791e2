from argparse import ArgumentParser
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.urls import reverse

from replays import access, members, readiness
from replays.models.people import Role


class Command(BaseCommand):
    help = "Makes a club and prints an invitation for its owner; for a known club, one more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what the club is called")
        parser.add_argument(
            "--owner", required=True, metavar="EMAIL", help="whom the invitation is for"
        )
        parser.add_argument(
            "--at",
            metavar="ADDRESS",
            default=(settings.CSRF_TRUSTED_ORIGINS or ["http://127.0.0.1:8000"])[0],
            help="the address that people reach the pages by",
        )

    def handle(self, *, name: str, owner: str, at: str, **_options: Any) -> None:
        try:
            validate_email(owner)
        except ValidationError as error:
            raise CommandError(f"--owner {owner}: expected an e-mail address.") from error
        readiness.migrate()
        club = members.make_club(name)
        link, token = members.invite(access.operator(club), role=Role.OWNER, email=owner)
        self.stdout.write(f"{club.name}: open this address within 14 days, once, to be its owner:")
        self.stdout.write(urljoin(at, reverse("join", args=[token])))
        del link
