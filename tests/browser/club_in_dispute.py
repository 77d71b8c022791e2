"""Put a club with a disputed hand into a running service; says its people's sessions as JSON.

Run as a process with the settings of the service: ``python -m tests.browser.club_in_dispute``.
"""

import io
import json
import sys

import django


def main():
    """Make the club, its five people and their sessions, and judge its hands."""
    django.setup()

    from django.conf import settings
    from django.test import Client

    from replays import audit, uploads
    from replays.models import Club, HandLog
    from replays.models.people import Role
    from tests.replays.conftest import join
    from tests.replays.disputes import EARLIER, disputed, play

    roles = {
        "bob": Role.SCOREKEEPER,
        "bilal": Role.PLAYER,
        "asha": Role.PLAYER,
        "charlie": Role.REFEREE,
        "erin": Role.OWNER,
    }
    club = Club.objects.create(slug="disputes", name="The club of the dispute")
    people = {name: join(club, name, role) for name, role in roles.items()}
    for ref, name in (("r-asha", "Asha"), ("r-bilal", "Bilal")):
        play(club, people[name.lower()].user, ref, name)
    content = io.BytesIO(EARLIER.encode() + b"\n" + disputed())
    uploads.receive(content, club=club, user=people["bob"].user)
    while audit.audit_due():
        pass
    sessions = {}
    for name, each in people.items():
        client = Client()
        client.force_login(each.user)
        sessions[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
    hand = HandLog.objects.get(club=club, name="P-2").public_id
    said = {"cookie": settings.SESSION_COOKIE_NAME, "sessions": sessions, "hand": hand}
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()
