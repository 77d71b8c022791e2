"""Row 35: every write is made once by somebody who may, and leaves its entries on the trail.

What each leaves stands in tests/replays/trail.txt; how it is made stands in ``plays.py``.
"""

from datetime import UTC, timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from replays import keys
from replays.models import TrailEntry
from replays.models.people import Scope
from tests.api.conftest import Program
from tests.replays.plays import PLAYS
from tests.replays.test_trail_register import register
from tests.replays.world import world

pytestmark = pytest.mark.django_db
ADDRESS = "192.0.2.7"
LEAVING = {name: rest for name, rest in register().items() if rest[0] != "-"}


@pytest.fixture(scope="module")
def club(kept_database):
    """The club with one of each kind, and everybody in it at their browser, or with a key."""
    made = world()
    made.clients = {}
    for name in ("alice", "bob", "charlie", "dora", "mallory"):
        made.clients[name] = Client(REMOTE_ADDR=ADDRESS)
        made.clients[name].force_login(getattr(made, name).user)
    made.clients["phone"] = Client(REMOTE_ADDR=ADDRESS)
    made.clients["phone"].get(reverse("table-link", args=[made.phone]))
    made.program_key, secret = keys.make_key(made.alice, name="all", scopes=list(Scope))
    made.clients["key"] = Program(secret, REMOTE_ADDR=ADDRESS)
    return made


def test_every_write_is_played():
    acts = {(route, method) for route, method, *_act in (name.split() for name in PLAYS)}

    assert acts == set(LEAVING), "tests/replays/plays.py: how each write of trail.txt is made"


def sent(club, route, method, play):
    """Make a write as its play says; gives the answer."""
    who, ids, data, more = play(club)
    client = club.clients[who]
    ids, query = dict(ids), more.pop("query", "")
    path = reverse(route, kwargs=ids) + query
    before = set(TrailEntry.objects.values_list("pk", flat=True))
    if who == "key":
        response = client.send(path, data, method=method, **more)
    else:
        response = getattr(client, method.lower())(path, data, **more)
    return response, list(TrailEntry.objects.exclude(pk__in=before).order_by("pk"))


def said(club, who, entry):
    """Whether an entry names who did it."""
    if who == "key":
        return (entry.user, entry.via) == (None, f"key {club.program_key.prefix}")
    if who == "phone":
        return entry.user is None and entry.via.startswith("link ")
    return entry.user == getattr(club, who).user


@pytest.mark.parametrize("name", PLAYS)
def test_row_35_a_write_leaves_its_entry(club, name):
    route, method, *act = name.split()
    began = timezone.now()
    who = None

    def play(club):
        nonlocal who
        found = PLAYS[name](club)
        who = found[0]
        return found

    with transaction.atomic():
        response, entries = sent(club, route, method, play)
        transaction.set_rollback(True)
    assert response.status_code < 400, response.content[:500]
    allowed = [each.split("+") for each in LEAVING[route, method]]
    verbs = [entry.verb for entry in entries]
    expected = [act[0].split("+")] if act else allowed
    assert verbs in expected, response.content[-1500:].decode()
    assert expected == allowed or expected[0] in allowed
    for entry in entries:
        assert said(club, who, entry), (entry.user, entry.via)
        assert (entry.club, entry.address) == (club.club, ADDRESS)
        assert entry.at.utcoffset() == timedelta(0)
        assert began <= entry.at <= timezone.now().astimezone(UTC)
        assert entry.target
        assert entry.before is not None or entry.after is not None
        # Ids, digests and values: never what somebody wrote.
        assert "Kanarienvogel" not in f"{entry.before}{entry.after}" or entry.verb in NAMED


# The name that a program gives a player, and that of a match, are ids.
NAMED = {"evening.players", "match.lock", "match.drop"}
