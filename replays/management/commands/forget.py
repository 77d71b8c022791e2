from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import access, privacy
from replays.members import LastOwnerError
from replays.models import DEFAULT_CLUB, Club, Player


class Command(BaseCommand):
    help = (
        "Forgets a person of a club for good: names, texts that name them, their account. Hands, "
        "heads and verdicts stay."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--club", default=DEFAULT_CLUB, help="the club's short name, as in its address"
        )
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--ref", help="somebody on the roster, by the ref that logs use")
        who.add_argument("--name", help="somebody on no roster, by the name that hands give them")

    def handle(self, *, club: str, ref: str | None, name: str | None, **_options: Any) -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None:
            raise CommandError(f"--club {club}: there is none.")
        viewer = access.operator(found)
        if name:
            done = privacy.forget_name(viewer, name)
        else:
            player = Player.objects.for_user(viewer).filter(ref=ref).first()
            if player is None:
                raise CommandError(f"--ref {ref}: nobody on the roster of {found.name} has it.")
            try:
                done = privacy.forget(viewer, player)
            except LastOwnerError:
                raise CommandError("Make somebody else an owner of the club first.") from None
        self.stdout.write(
            f"Forgotten: names at seats: {done.seats}, texts: {done.texts}, files: {done.files}, "
            f"titles: {done.titles}."
        )
        for public_id in done.left:
            self.stdout.write(f"Hand {public_id} is called by that name: only purging it helps.")
