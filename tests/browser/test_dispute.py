"""A dispute from a wrong declaration to corrected standings, with five people signed in."""

import io
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.replays.disputes import EARLIER, WHY, disputed

# To look at the pages: a folder for screenshots.
SHOTS = os.environ.get("RUMMY_AUDIT_SHOTS", "")
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def people(browser, live_server, transactional_db):
    """Five people of a club, each signed in in a browser of their own; gives a page by name."""
    from django.conf import settings
    from django.test import Client

    from replays import audit, uploads
    from replays.models import HandLog, default_club
    from replays.models.people import Role
    from tests.replays.conftest import join
    from tests.replays.disputes import play

    club = default_club()
    roles = {
        "bob": Role.SCOREKEEPER,
        "bilal": Role.PLAYER,
        "asha": Role.PLAYER,
        "charlie": Role.REFEREE,
        "erin": Role.OWNER,
    }
    contexts, pages, said = [], {}, {}
    for name, role in roles.items():
        viewer = said[name] = join(club, name, role)
        client = Client()
        client.force_login(viewer.user)
        context = browser.new_context(viewport=PHONE)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies(
            [
                {
                    "name": settings.SESSION_COOKIE_NAME,
                    "value": cookie,
                    "url": live_server.url,
                }
            ]
        )
        contexts.append(context)
        pages[name] = context.new_page()
        pages[name].set_default_timeout(15_000)
    for ref, name in (("r-asha", "Asha"), ("r-bilal", "Bilal")):
        play(club, said[name.lower()].user, ref, name)
    content = io.BytesIO(EARLIER.encode() + b"\n" + disputed())
    uploads.receive(content, club=club, user=said["bob"].user)
    audit.audit_due()
    yield pages, HandLog.objects.get(name="P-2").public_id
    for context in contexts:
        context.close()


def shot(page, name):
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


class Desk:
    """The pages of a dispute, as the five people use them one after the other."""

    def __init__(self, pages, base, hand, axe):
        self.pages, self.base, self.hand, self.axe = pages, base, hand, axe

    def usable(self, who, name):
        page = self.pages[who]
        shot(page, name)
        assert self.axe(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name

    def go(self, who, path):
        self.pages[who].goto(self.base + path)
        return self.pages[who]

    def opens(self, who):
        page = self.go(who, f"/hands/{self.hand}/2")
        page.get_by_role("link", name="Open a case about this").click()
        expect(page.get_by_text("wrong declaration: 80 to Asha, play goes on")).to_be_visible()
        self.usable(who, "new")
        page.get_by_label("What happened").fill(WHY)
        page.get_by_role("button", name="Open the case").click()
        page.wait_for_url(re.compile("/cases/1$"))
        shot(page, "opened")

    def both_claim(self, first, second):
        page = self.go(first, "/cases")
        self.usable(first, "queue")
        page.get_by_role("link", name=re.compile("^1 ·")).click()
        other = self.go(second, "/cases/1")
        page.get_by_role("button", name="Take this case").click()
        expect(page.get_by_text("You have this case now.")).to_be_visible()
        other.get_by_role("button", name="Take this case").click()
        expect(other.get_by_text("charlie was a moment earlier")).to_be_visible()
        shot(other, "taken")

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
        self.usable(who, "deciding")
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


# The first test of a run makes the database, which a busy machine takes a minute for.
@pytest.mark.timeout(300)
def test_from_a_wrong_declaration_to_corrected_standings(people, live_server, axe):
    pages, hand = people
    desk = Desk(pages, live_server.url, hand, axe)

    desk.opens("bilal")
    desk.both_claim("charlie", "erin")
    desk.speaks("asha")
    desk.decides_in_a_minute("charlie")
    assert desk.totals("bob") == ["110", "0", "60"]
    expect(pages["bob"].get_by_text("not final yet")).to_be_visible()
    desk.usable("bob", "standings")

    desk.appeals("asha", decider="charlie")
    desk.overturns("erin")
    # Overturned: the standings are corrected, and both sides see it.
    assert desk.totals("bob") == ["30", "48", "109"]
    for who in ("asha", "bilal"):
        page = desk.go(who, "/cases/1")
        for said in ("Decision 2 · changes the one before", "Decision 1 · no longer stands"):
            expect(page.get_by_role("heading", name=said)).to_be_visible()
    desk.usable("asha", "overturned")
    for path, name in (
        ("/cases/decisions/2", "sheet"),
        ("/cases/precedents?code=declare-no-pure-sequence", "precedents"),
    ):
        desk.go("bob", path)
        desk.usable("bob", name)
    desk.go("erin", "/cases/desk")
    desk.usable("erin", "desk")
