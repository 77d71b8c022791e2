"""A name that turns the direction of its text turns nothing beside it on any page."""

import gzip
import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from replays.direction import plain_page
from replays.models import Player
from tests.replays.test_routes import OPEN, address, known, lines
from tests.replays.world import world

pytestmark = pytest.mark.django_db
MARKS = re.compile("[\u202a-\u202e\u2066-\u2069]")
NAME = "Vo\u202egel\u2069frei"
SEEN = "Vogelfrei"
# Tags and fields may hold the name as it is: what is sent back must be what is stored.
FIELDS = re.compile(r"<textarea\b.*?</textarea>|<[^>]*>", re.DOTALL)


@pytest.fixture(scope="module")
def club(kept_database):
    return world(NAME)


def pages(club):
    """Every page of the club that is made from the things of the world."""
    patterns = {name: pattern for name, pattern, _view in known()}
    ids = {**club.ids, **OPEN, "-": {}}
    for line in lines():
        token = line.what.endswith("token")
        if line.method == "GET" and line.what in ids and not line.route.startswith("api:"):
            yield line.route, address(line, patterns[line.route], ids[line.what]), token


def test_no_name_turns_what_stands_beside_it_on_any_page(club):
    owner, stranger = Client(), Client()
    owner.force_login(club.alice.user)
    turned, named = [], set()
    for route, path, token in pages(club):
        response = (stranger if token else owner).get(path)
        if response.streaming:
            list(response.streaming_content)  # a file to take away
        elif response.status_code == 200 and "text/html" in response["Content-Type"]:
            text = html.unescape(FIELDS.sub(" ", response.content.decode()))
            turned += [route] if MARKS.search(text) else []
            named |= {route} if SEEN in text else set()

    assert turned == []
    assert named >= {
        *("hands", "hand", "match", "under", "shared", "shares"),
        *("people", "names", "privacy", "person", "keys", "evenings", "evening", "table"),
        *("table-link", "case", "club-rules", "webhooks", "sheet", "uploaded"),
    }


def test_a_page_that_goes_out_packed_turns_nothing_either(club):
    owner = Client()
    owner.force_login(club.alice.user)
    address = reverse("hand", args=[club.log.public_id])

    packed = owner.get(address, headers={"accept-encoding": "gzip"})

    assert packed["Content-Encoding"] == "gzip"
    text = html.unescape(FIELDS.sub(" ", gzip.decompress(packed.content).decode()))
    assert SEEN in text
    assert MARKS.search(text) is None


def test_what_is_loaded_into_a_page_turns_nothing_either(club):
    owner = Client()
    owner.force_login(club.alice.user)

    steps = owner.get(reverse("hand-steps", args=[club.log.public_id])).json()

    assert SEEN in str(steps)
    assert MARKS.search(str(steps)) is None


def test_a_name_stays_as_it_is_in_the_log_and_in_forms(club):
    owner = Client()
    owner.force_login(club.alice.user)
    log = owner.get(reverse("hand-log", args=[club.log.public_id, "rhl"])).content.decode()
    names = owner.get(reverse("names")).content.decode()

    assert NAME in log
    assert f'value="{NAME}"' in names
    assert Player.objects.filter(name=NAME).exists()


def test_a_log_that_is_shown_can_be_copied_with_its_names():
    name = "\u05d3\u05d5\u05d3"

    assert plain_page(f"<pre>player 1 {name}</pre>") == f"<pre>player 1 {name}</pre>"
    assert plain_page(f"<pre>a\u202eb</pre><b>{name}</b>") == f"<pre>ab</pre><b>{name}\u200e</b>"
