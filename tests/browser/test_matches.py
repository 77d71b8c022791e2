"""A club's evening on paper: the sheet sent, the match on a phone and on one printed page."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.effort import some

DEALS, PLAYERS = 30, ("Asha", "Bilal", "Chitra", "Devendra", "Esther", "Farid")


def sheet(deals=DEALS):
    """Thirty deals of a large pool for six, as pasted from a spreadsheet."""
    dice = random.Random(4)
    rows = ["\t".join(["Deal", *PLAYERS])]
    for number in range(1, deals + 1):
        points = [dice.choice([2, 7, 12, 20, 25, 40]) for _player in PLAYERS]
        points[number % len(PLAYERS)] = 0
        rows.append("\t".join(map(str, [number, *points])))
    return "\n".join(rows)


@pytest.fixture(scope="module")
def evening(windows, site, demo_cookies):
    """A match of thirty deals sent as a score sheet: its address, and the preview's."""
    page, kind = windows.lend(demo_cookies("scorekeeper"))
    complaints = []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.goto(f"{site}/evenings/new")
    page.get_by_label("Name").fill("Friday")
    page.get_by_role("button", name="Make the evening").click()
    page.get_by_label("New names, one a line").fill("\n".join(PLAYERS))
    page.get_by_role("button", name="Put them on the list").click()
    page.goto(f"{site}/sheets")
    page.get_by_label("Or paste the table").fill(sheet())
    page.get_by_role("button", name="Look at it").click()
    preview = page.url
    page.get_by_label("Match").fill("Friday-1")
    page.get_by_label("Format").select_option("another pool")
    page.get_by_label("Its limit").fill("999")
    page.get_by_role("button", name="Read it so").click()
    page.get_by_label("These names are those of our roster").check()
    page.get_by_role("button", name="Take 30 new deals in").click()
    # Whoever goes by keys goes on from what is said, not from the top of the page.
    expect(page.get_by_role("status")).to_contain_text("30 new deals.")
    expect(page.get_by_role("status")).to_be_focused()
    page.get_by_role("link", name="The standings of this match").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Match Friday-1")
    expect(page.locator("svg.chart polyline")).to_have_count(len(PLAYERS))
    address = page.url
    windows.take_back(page, kind)
    assert complaints == []
    return {"match": address, "preview": preview, "matches": f"{site}/matches",
            "season": f"{site}/season", "sheets": f"{site}/sheets"}  # fmt: skip


@pytest.mark.parametrize("name", some(["match", "preview", "matches", "season", "sheets"]))
def test_everybody_can_use_the_page_on_a_phone(new_page, evening, usable, name):
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(evening[name])

    if name in ("match", "season"):
        expect(page.locator("table")).not_to_have_count(0)
    assert usable(page) == []


def test_an_evening_of_thirty_deals_prints_on_one_page(new_page, evening):
    page = new_page()
    page.goto(evening["match"])
    printed = page.pdf(prefer_css_page_size=True)

    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
