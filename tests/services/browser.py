"""A real Chromium, and axe-core to ask whether a page can be used by everybody."""

import os
import shutil
from importlib.resources import files

import pytest

from tests.services.missing import missing

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# Without these a Chromium asks its maker's hosts for news at every start.
QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Have pytest-playwright take the machine's Chromium; its `page` and `context` follow."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if not program:
        missing("no Chromium on this machine (Debian: apt install chromium)")
    # Playwright keeps an event loop in the test's thread, where Django then refuses the ORM.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    arguments = ["--no-sandbox", "--disable-gpu", *QUIET]
    return {**browser_type_launch_args, "executable_path": program, "args": arguments}


@pytest.fixture(scope="session")
def axe():
    """A function of a page that lists what axe-core finds wrong, one readable line each."""
    source = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")

    def violations(page, **options) -> list[str]:
        # Handed over by the debugger, so the page's content security policy does not stop it.
        if not page.evaluate("typeof axe === 'object'"):
            page.evaluate(source)
        # What is right is not gathered: that takes as long as finding what is wrong.
        options = {"resultTypes": ["violations"], **options}
        report = page.evaluate("options => axe.run(document, options)", options)
        return [
            f"{violation['id']}: {node['target']} {violation['help']}"
            for violation in report["violations"]
            for node in violation["nodes"]
        ]

    return violations
