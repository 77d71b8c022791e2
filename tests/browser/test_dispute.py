"""A dispute from a wrong declaration to corrected standings, with five people signed in."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.replays.disputes import WHY

# To look at the pages: a folder for screenshots.
SHOTS = os.environ.get("RUMMY_AUDIT_SHOTS", "")
ROOT = Path(__file__).resolve().parents[2]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def people(service):
    """Five people of a club in the service: their session cookies, and the disputed hand."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.browser.club_in_dispute"],
        cwd=ROOT,
        env=service.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def shot(page, name):
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


class Desk:
    """The pages of a dispute, as the five people use them one after the other.

    They share a browser, which is signed in as whoever acts.
    """

    def __init__(self, page, base, people, axe):
        self.page, self.base, self.people, self.axe = page, base, people, axe
        self.hand = people["hand"]

    def usable(self, name):
        shot(self.page, name)
        assert self.axe(self.page) == [], name
        assert self.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name

    def sit_down(self, who):
        session = self.people["sessions"][who]
        named = {"name": self.people["cookie"], "value": session, "url": self.base}
        self.page.context.add_cookies([named])

    def go(self, who, path):
        self.sit_down(who)
        self.page.goto(self.base + path)
        return self.page

    def opens(self, who):
        page = self.go(who, f"/hands/{self.hand}/2")
        page.get_by_role("link", name="Open a case about this").click()
        expect(page.get_by_text("wrong declaration: 80 to Asha, play goes on")).to_be_visible()
        self.usable("new")
        page.get_by_label("What happened").fill(WHY)
        page.get_by_role("button", name="Open the case").click()
        page.wait_for_url(re.compile("/cases/1$"))
        shot(page, "opened")

    def both_claim(self, first, second):
        page = self.go(first, "/cases")
        self.usable("queue")
        page.get_by_role("link", name=re.compile("^1 ·")).click()
        expect(page.get_by_role("button", name="Take this case")).to_be_visible()
        # The other one opens it too, before it is taken.
        self.sit_down(second)
        other = page.context.new_page()
        other.set_default_timeout(15_000)
        other.goto(self.base + "/cases/1")
        self.sit_down(first)
        page.get_by_role("button", name="Take this case").click()
        expect(page.get_by_text("You have this case now.")).to_be_visible()
        self.sit_down(second)
        other.get_by_role("button", name="Take this case").click()
        expect(other.get_by_text("charlie was a moment earlier")).to_be_visible()
        shot(other, "taken")
        other.close()

    def speaks(self, who):
        page = self.go(who, "/cases/1")
        page.get_by_label("Say something").fill("I held a pure sequence and grouped it otherwise.")
        page.get_by_role("button", name="Add it").click()
        expect(page.get_by_text("Your words are in the case.")).to_be_visible()

    def decides_in_a_minute(self, who):
        page = self.go(who, "/cases/1")
        page.get_by_role("link", name="Decide so").click()
        changes = page.get_by_role("region", name="What it changes").get_by_role("row")
        expect(changes.nth(1)).to_contain_text("80")
        for name in ("Bilal", "Chitra"):
            page.get_by_label(name, exact=True).fill("0")
        self.usable("deciding")
        page.get_by_role("button", name="Show what it changes").click()
        expect(changes.nth(2)).to_contain_text("48")
        expect(changes.nth(3)).to_contain_text("back in")
        shot(page, "preview")
        page.get_by_role("button", name="Save the decision").click()
        expect(page.get_by_text("Decision 1 is saved, and both sides are told.")).to_be_visible()
        shot(page, "decided")

    def appeals(self, who, decider):
        page = self.go(who, "/cases/1")
        page.get_by_label("Why the decision is wrong").fill("The photo shows 9-10-J of spades.")
        page.get_by_role("button", name="Appeal to another referee").click()
        expect(page.get_by_text("Your appeal is in.")).to_be_visible()
        refused = self.go(decider, "/cases/1")
        expect(refused.get_by_text("You made the decision that is appealed")).to_be_visible()

    def overturns(self, who):
        page = self.go(who, "/cases/1")
        page.get_by_role("button", name="Take this case").click()
        page.get_by_label("The complaint").select_option("refused")
        page.get_by_label("Clause").fill("001 Declaration Rules")
        page.get_by_label("The score").select_option("points")
        for name, points in (("Asha", "0"), ("Bilal", "48"), ("Chitra", "49")):
            page.get_by_label(name, exact=True).fill(points)
        page.get_by_label("Reasons").fill("The photo shows a pure sequence: it was noted wrongly.")
        page.get_by_role("button", name="Show what it changes").click()
        page.get_by_role("button", name="Save the decision").click()
        expect(page.get_by_text("Decision 2 is saved")).to_be_visible()

    def totals(self, who):
        return (
            self.go(who, f"/hands/{self.hand}/match").locator("tfoot td.number").all_inner_texts()
        )


@pytest.mark.ci
def test_from_a_wrong_declaration_to_corrected_standings(people, site, new_page, axe):
    page = new_page(None, viewport=PHONE)
    page.set_default_timeout(15_000)
    desk = Desk(page, site, people, axe)

    desk.opens("bilal")
    desk.both_claim("charlie", "erin")
    desk.speaks("asha")
    desk.decides_in_a_minute("charlie")
    assert desk.totals("bob") == ["110", "0", "60"]
    expect(page.get_by_text("not final yet")).to_be_visible()
    desk.usable("standings")

    desk.appeals("asha", decider="charlie")
    desk.overturns("erin")
    # Overturned: the standings are corrected, and both sides see it.
    assert desk.totals("bob") == ["30", "48", "109"]
    for who in ("asha", "bilal"):
        page = desk.go(who, "/cases/1")
        for said in ("Decision 2 · changes the one before", "Decision 1 · no longer stands"):
            expect(page.get_by_role("heading", name=said)).to_be_visible()
    desk.usable("overturned")
    for path, name in (
        ("/cases/decisions/2", "sheet"),
        ("/cases/precedents?code=declare-no-pure-sequence", "precedents"),
    ):
        desk.go("bob", path)
        desk.usable(name)
    desk.go("erin", "/cases/desk")
    desk.usable("desk")
