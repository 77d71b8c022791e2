"""Every page there is, with long words in it: nothing is too wide, and everybody can use it."""

from mimetypes import guess_type
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.browser.conftest import too_wide
from tests.replays.test_direction import pages
from tests.replays.world import world

pytestmark = pytest.mark.django_db
WORD = "Wetterhörnchenbesitzervereinsvorstand"
SITE = "http://testserver"
# A phone, and where two columns begin.
WIDTHS = (360, 820)
LETTERS = "size => document.documentElement.style.fontSize = size"


@pytest.fixture
def show(browser):
    """Show a page of the Django under test in a browser."""
    page = browser.new_page()
    shown = {}

    def answer(route):
        path = urlsplit(route.request.url).path
        if path.startswith("/static/"):
            file = finders.find(path.removeprefix("/static/"))
            route.fulfill(path=file, content_type=guess_type(file)[0])
        else:
            route.fulfill(body=shown.get(path, ""), content_type="text/html")

    page.route("**/*", answer)

    def show(path, body):
        shown[urlsplit(path).path] = body
        page.goto(SITE + path)
        return page

    yield show
    page.close()


@pytest.mark.ci
@pytest.mark.timeout(300)  # some sixty pages, looked at in four ways
def test_no_word_makes_any_page_wider_than_its_window_and_everybody_can_use_it(show, axe):
    club = world(WORD)
    owner, stranger = Client(), Client()
    owner.force_login(club.alice.user)
    found, wrong = set(), {}
    for route, path, token in pages(club):
        response = (stranger if token else owner).get(path)
        is_page = response["Content-Type"].startswith("text/html")
        if response.streaming:
            list(response.streaming_content)  # a file to take away
        elif response.status_code == 200 and is_page:
            page = show(path, response.content)
            found |= {route} if WORD in page.content() else set()
            said = axe(page)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 740})
                said += [f"in a window of {width}: {each}" for each in too_wide(page)]
                page.evaluate(LETTERS, "200%")
                said += [f"in large letters, {width}: {each}" for each in too_wide(page)]
                page.evaluate(LETTERS, "")
            if said:
                wrong[route] = said

    assert wrong == {}
    assert len(found) > 20
