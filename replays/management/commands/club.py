from argparse import ArgumentParser
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.urls import reverse

from replays import access, members, readiness, running
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
            default=_reached_by(),
            help="the address that people reach the pages by; here %(default)s",
        )

    def handle(self, *, name: str, owner: str, at: str, **_options: Any) -> None:
        try:
            validate_email(owner)
        except ValidationError as error:
            raise CommandError(f"--owner {owner}: expected an e-mail address.") from error
        readiness.migrate()
        club = members.make_club(name)
        _link, token = members.invite(access.operator(club), role=Role.OWNER, email=owner)
        self.stdout.write(f"{club.name}: open this address within 14 days, once, to be its owner:")
        self.stdout.write(urljoin(at, reverse("join", args=[token])))


def _reached_by() -> str:
    """Return the address of the pages as far as the settings tell it."""
    if settings.CSRF_TRUSTED_ORIGINS:
        return str(settings.CSRF_TRUSTED_ORIGINS[0])
    if settings.PRODUCTION:
        return f"https://{settings.ALLOWED_HOSTS[0].removeprefix('.')}"
    return running.address_of_up() or "http://127.0.0.1:8000"
