"""Signing in and looking after a club, on a phone."""

import pytest
from playwright.sync_api import expect

from tests.effort import some

PHONE = {"width": 360, "height": 740}


@pytest.mark.parametrize(
    ("role", "path"),
    some(
        [
            (None, "/"),
            (None, "/account/login/?next=/upload"),
            (None, "/account/signup/"),
            (None, "/account/password/reset/"),
            (None, "/join/nothing"),
            ("owner", "/account"),
            ("owner", "/people"),
            ("owner", "/keys"),
            ("owner", "/trail"),
            ("scorekeeper", "/people/names"),
            ("player", "/people"),
        ]
    ),
)
def test_everybody_can_use_the_pages_about_people(new_page, site, usable, role, path):
    page = new_page(role, viewport=PHONE)
    page.goto(site + path)

    assert usable(page, dark=False) == []


def test_an_owner_makes_a_key_and_an_invitation_that_somebody_takes_up(new_page, site, axe):
    page = new_page("owner", viewport=PHONE)
    page.goto(f"{site}/keys")
    page.get_by_label("What it is for").fill("our tables")
    page.get_by_label("read hands").check()
    page.get_by_role("button", name="Make the key").click()
    assert page.locator("#secret").input_value().startswith("rma_")
    assert axe(page) == []

    page.goto(f"{site}/people")
    page.get_by_role("button", name="Make an invitation").click()
    invited = page.locator("#invited").input_value()
    assert axe(page) == []
    guest = new_page(None, viewport=PHONE)
    guest.goto(invited)
    assert axe(guest) == []
    guest.get_by_label("Your name").fill("Gina")
    guest.get_by_label("E-mail address").fill("gina@club.example")
    guest.get_by_label("Password").fill("four-aces-and-a-joker")
    guest.get_by_role("button", name="Make the account and join").click()
    expect(guest.get_by_role("link", name="Upload logs")).to_be_visible()
