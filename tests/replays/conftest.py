"""What the tests of the service share."""

import io

import pytest

from replays import uploads
from replays.models import default_club


@pytest.fixture
def club(db):
    return default_club()


@pytest.fixture
def send(club):
    """Upload bytes as a file; gives the upload."""

    def send(content, **fields):
        return uploads.receive(io.BytesIO(content), club=club, **fields)

    return send
