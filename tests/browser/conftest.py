"""The whole service as a person starts it, and pages of it in a real browser.

A window of the browser costs a second or two of its machine, and a page in it next to nothing:
windows are kept, and lent to one test after the other as if they were new.
"""

import os
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.services import demo_club
from tests.services.process import Server, free_port, short_folder

ROOT = Path(__file__).resolve().parents[2]
# What a page can change in its window; anything else takes a window of its own.
OF_THE_PAGE = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"}
OF_THE_PAGE |= {"reduced_motion": "no-preference"}
# Less is a phone.
NARROW = 500


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as response:
            return response.status == 200
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


@pytest.fixture(scope="session")
def service():
    """A service of its own: web, worker, sweeper, broker and demo hands; address and settings."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with short_folder() as folder:
        env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "rummy_audit.settings",
            "RUMMY_AUDIT_VAR": str(folder),
            "DATABASE_URL": "",
            "BROKER_URL": "",
        }
        server = Server(
            [sys.executable, ROOT / "manage.py", "up", "--port", port],
            log=folder / "up.log",
            ready=lambda: answers(f"{address}/healthz"),
            env=env,
            cwd=ROOT,
            patience=90,
        )
        server.start()
        yield SimpleNamespace(address=address, env=env)
        server.stop()


@pytest.fixture(scope="session")
def site(service):
    """The address of the service."""
    return service.address


@pytest.fixture(scope="session")
def demo_cookies(site):
    """The cookies of the demo club's person of a role, for a window of the browser."""
    known = {}

    def demo_cookies(role="scorekeeper"):
        if role not in known:
            _opener, cookies = demo_club.sign_in(site, role)
            known[role] = [
                {"name": each.name, "value": each.value, "url": site} for each in cookies
            ]
        return known[role]

    return demo_cookies


class Windows:
    """Windows of the browser with a page each, by their kind; those that nobody has are lent."""

    def __init__(self, browser, site):
        self.browser, self.site, self.free = browser, site, {}

    def lend(self, cookies, **options):
        """Give a page that knows nothing of the test before, and the kind of its window."""
        page_options = OF_THE_PAGE | {
            name: options.pop(name) for name in OF_THE_PAGE if name in options
        }
        if options.get("is_mobile"):
            options["viewport"] = page_options["viewport"]
        kind = repr(sorted(options.items()))
        free = self.free.setdefault(kind, [])
        page = free.pop() if free else self.browser.new_context(**options).new_page()
        page.context.add_cookies(cookies)
        if not options.get("is_mobile"):
            page.set_viewport_size(page_options["viewport"])
        looks = {name: page_options[name] for name in ("color_scheme", "reduced_motion")}
        page.emulate_media(media="null", **looks)
        return page, kind

    def take_back(self, page, kind):
        """Take a page back, without what the test has left in its window."""
        page.context.set_offline(False)
        for other in page.context.pages:
            if other is not page:
                other.close()
        if page.url.startswith(self.site) and "java_script_enabled" not in kind:
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.goto("about:blank")
        page.context.clear_cookies()
        for event in ("console", "pageerror", "request"):
            for listener in list(page._impl_obj.listeners(event)):
                page._impl_obj.remove_listener(event, listener)
        self.free[kind].append(page)


@pytest.fixture(scope="session")
def windows(browser, site):
    """The windows that the tests of a run share."""
    return Windows(browser, site)


@contextmanager
def borrowing(windows, demo_cookies):
    """Give a function that lends pages, and take all of them back at the end."""
    lent = []

    def new_page(role="scorekeeper", **options):
        lent.append(windows.lend(demo_cookies(role) if role else [], **options))
        return lent[-1][0]

    yield new_page
    for each in lent:
        windows.take_back(*each)


@pytest.fixture
def new_page(windows, demo_cookies):
    """A page in a window of its own (``viewport=…``, ``color_scheme=…``), signed in as ``role``.

    With ``role=None`` nobody is signed in.
    """
    with borrowing(windows, demo_cookies) as new_page:
        yield new_page


@pytest.fixture
def page(new_page):
    """A page, with nobody signed in."""
    return new_page(None)


@pytest.fixture
def sign_in(page, demo_cookies):
    """Sign the page's browser in as the demo club's person of a role."""

    def sign_in(role):
        page.context.clear_cookies()
        page.context.add_cookies(demo_cookies(role))

    return sign_in


@pytest.fixture
def visit(page, site, sign_in):
    """Open an address of the service as the demo club's scorekeeper.

    A page that the console complains about fails.
    """
    sign_in("scorekeeper")
    complaints = []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def visit(path):
        page.goto(site + path)
        return page

    yield visit
    assert complaints == []


def too_wide(page):
    """Say that a page is wider than its window."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [f"{wide} pixels too wide"] if wide > 0 else []


def sideways(page):
    """Return what scrolls sideways on a page; on a phone that is only a hand of cards."""
    return page.evaluate(
        """() => [...document.querySelectorAll("body, body *")]
          .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
          .filter((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowX))
          .filter((each) => !each.matches(".seat, .group"))
          .map((each) => `${each.tagName} ${each.className} scrolls sideways`)"""
    )


@pytest.fixture(scope="session")
def usable(axe):
    """Look whether everybody can use a page as it stands: in light and in dark, in its width.

    Dark changes nothing but colours, so there only these are asked again.
    """

    def usable(page, *, dark=True):
        wrong = axe(page)
        if dark:
            # At once: halfway between two colours everything is of little contrast.
            page.emulate_media(color_scheme="dark", reduced_motion="reduce")
            wrong += [f"dark: {each}" for each in axe(page, runOnly=["color-contrast"])]
            page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        wrong += too_wide(page)
        if page.viewport_size["width"] < NARROW:
            wrong += sideways(page)
            letters = "size => document.documentElement.style.fontSize = size"
            page.evaluate(letters, "200%")
            wrong += [f"in large letters: {each}" for each in too_wide(page)]
            page.evaluate(letters, "")
        return wrong

    return usable
