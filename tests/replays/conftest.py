"""What the tests of the service share."""

import io

import pytest

from replays import uploads
from replays.models import default_club
from tests.replays.hands import hands
from tests.replays.service import service


@pytest.fixture
def club(db):
    return default_club()


@pytest.fixture
def send(club):
    """Upload bytes as a file; gives the upload."""

    def send(content, **fields):
        return uploads.receive(io.BytesIO(content), club=club, **fields)

    return send


@pytest.fixture(scope="session")
def with_300_hands(tmp_path_factory):
    """A folder with a database of 300 hands that wait to be judged."""
    folder = tmp_path_factory.mktemp("template")
    with service(folder) as one:
        one.upload(hands(300, prefix="slow"))
    return folder
