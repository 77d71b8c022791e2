"""What the tests of the service share."""

import io

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.utils import timezone

from replays import access, uploads
from replays.models import Club, Membership, default_club
from replays.models.people import Role
from tests.replays.tables import evening, table  # noqa: F401 - fixtures


@pytest.fixture
def club(db):
    return default_club()


@pytest.fixture(scope="module")
def kept_database(django_db_setup, django_db_blocker):
    """The database for what is built once for all tests of a module, and gone after them.

    The module is marked ``django_db``: else there may be no database at all.
    """
    with django_db_blocker.unblock():
        # As a TestCase holds it: nothing in it is ever committed.
        held = transaction.atomic()
        held._from_testcase = True
        with held:
            yield
            transaction.set_rollback(True)


def upload(club, content, **fields):
    """Upload bytes as a file; gives the upload."""
    return uploads.receive(io.BytesIO(content), club=club, **fields)


@pytest.fixture
def other_club(db):
    return Club.objects.create(slug="other", name="The other club")


def join(club, name, role):
    """Make somebody a member of a club; gives them as the one who asks."""
    user, _made = get_user_model().objects.get_or_create(username=name)
    member = Membership.objects.create(club=club, user=user, role=role, since=timezone.now())
    return access.member(member)


@pytest.fixture
def alice(club):
    """The club's owner."""
    return join(club, "alice", Role.OWNER)


@pytest.fixture
def bob(club):
    """A scorekeeper of the club."""
    return join(club, "bob", Role.SCOREKEEPER)


@pytest.fixture
def charlie(club):
    """A referee of the club."""
    return join(club, "charlie", Role.REFEREE)


@pytest.fixture
def dora(club):
    """A player of the club."""
    return join(club, "dora", Role.PLAYER)


@pytest.fixture
def mallory(other_club):
    """The owner of another club."""
    return join(other_club, "mallory", Role.OWNER)


@pytest.fixture
def client(bob):
    """A client of bob, a scorekeeper who has signed in."""
    one = Client()
    one.force_login(bob.user)
    return one


@pytest.fixture
def stranger(db):
    """A client of nobody."""
    return Client()


@pytest.fixture
def signed_in(db):
    """Sign somebody in; gives their client."""

    def signed_in(viewer):
        one = Client()
        one.force_login(viewer.user)
        return one

    return signed_in


@pytest.fixture
def send(club):
    """Upload bytes as a file; gives the upload."""

    def send(content, **fields):
        return upload(club, content, **fields)

    return send
