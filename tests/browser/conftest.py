"""The whole service as a person starts it, and a page of it in a real browser."""

import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.services import demo_club
from tests.services.process import Server, free_port, short_folder

ROOT = Path(__file__).resolve().parents[2]


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as response:
            return response.status == 200
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


@pytest.fixture(scope="session")
def site():
    """The address of a service of its own: web, worker, sweeper, broker and demo hands."""
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
        yield address
        server.stop()


@pytest.fixture(scope="session")
def demo_cookies(site):
    """The cookies of the demo club's person of a role, for a context of the browser."""
    known = {}

    def demo_cookies(role="scorekeeper"):
        if role not in known:
            _opener, cookies = demo_club.sign_in(site, role)
            known[role] = [
                {"name": each.name, "value": each.value, "url": site} for each in cookies
            ]
        return known[role]

    return demo_cookies


@pytest.fixture
def new_context(browser, demo_cookies):
    """A new context of the browser (``viewport=…``, ``color_scheme=…``), signed in as ``role``.

    With ``role=None`` nobody is signed in.
    """
    contexts = []

    def new_context(role="scorekeeper", **options):
        context = browser.new_context(**options)
        contexts.append(context)
        if role:
            context.add_cookies(demo_cookies(role))
        return context

    yield new_context
    for context in contexts:
        context.close()


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
