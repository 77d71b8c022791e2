"""The whole service as a person starts it, and a page of it in a real browser."""

import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

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
        )
        server.start()
        yield address
        server.stop()


@pytest.fixture
def visit(page, site):
    """Open an address of the service; a page that the console complains about fails."""
    complaints = []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def visit(path):
        page.goto(site + path)
        return page

    yield visit
    assert complaints == []
