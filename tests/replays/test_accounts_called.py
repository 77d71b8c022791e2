"""People are called by their names: the user name of an account made by invitation says nothing."""

from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from replays import cases, members, queries
from replays.models import HandLog
from replays.models.people import called
from tests.replays.disputes import dispute  # noqa: F401 - a fixture
from tests.replays.hands import hand
from tests.replays.tables import DAY
from tests.replays.test_direction import pages
from tests.replays.test_what_if import RIGHT, WRONG
from tests.replays.world import world

pytestmark = pytest.mark.django_db


def named(viewer, name):
    """Have somebody's account be as an invitation makes it."""
    made = members.make_account(email="made@club.example", password="four-aces-one", name=name)
    get_user_model().objects.filter(pk=made.pk).delete()
    user = viewer.user
    for what in ("username", "first_name", "last_name"):
        setattr(user, what, getattr(made, what))
    user.email = f"{user.pk}@club.example"
    user.save()
    return made.username


def test_an_account_is_called_by_its_name_else_by_the_front_of_its_address(db):
    made = members.make_account(email="gita@club.example", password="four-aces-one", name="Gita R")
    bare = members.make_account(email="hari@club.example", password="four-aces-one")

    assert [called(each) for each in (made, bare, None)] == ["Gita R", "hari", ""]


def test_who_has_a_case_is_named_to_the_one_who_comes_too_late(dispute):  # noqa: F811
    named(dispute.charlie, "Gita Rao")
    case = dispute.open()
    cases.claim(dispute.charlie, case)

    with pytest.raises(cases.RefusedError, match=r"^Gita Rao has this case"):
        cases.claim(dispute.erin, case)


def test_the_referee_of_an_evening_is_chosen_and_shown_by_name(bob, charlie, signed_in):
    named(charlie, "Gita Rao")
    client = signed_in(bob)
    sent = {"name": "Saturday", "date": DAY, "ruleset": "indian-13@1", "correction_minutes": 30}

    form = client.get("/evenings/new").content.decode()
    made = client.post("/evenings/new", sent | {"referee": charlie.user.pk}, follow=True)

    assert f'<option value="{charlie.user.pk}">Gita Rao</option>' in form
    assert "referee Gita Rao" in made.content.decode()


def test_a_correction_says_who_made_it(bob, send, signed_in):
    named(bob, "Gita Rao")
    send(hand("W-1", lines=WRONG))
    log = HandLog.objects.get()
    address = reverse("hand-amend", args=[log.public_id])
    tried = urlencode({"seq": 2, "line": RIGHT})

    sent = {"version": log.version, "reason": "The photo says so"}
    page = signed_in(bob).post(f"{address}?{tried}", sent, follow=True).content.decode()

    assert queries.hand_of(HandLog.objects.get()).events[-1].by == "Gita Rao"
    assert "put right by Gita Rao: The photo says so" in page


def test_no_page_shows_a_user_name(db):
    w = world()
    users = [w.alice, w.bob, w.charlie, w.dora, w.victor]
    hidden = [named(viewer, f"Person {number}") for number, viewer in enumerate(users)]
    owner, stranger = Client(), Client()
    owner.force_login(w.alice.user)
    told = set()
    for route, path, token in pages(w):
        page = (stranger if token else owner).get(path)
        if page.streaming:
            list(page.streaming_content)
        elif any(name in page.content.decode(errors="replace") for name in hidden):
            told.add(route)

    assert told == set()
