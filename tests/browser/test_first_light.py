"""A scorekeeper's first quarter of an hour, in a real Chromium."""

import re

import pytest
from playwright.sync_api import expect

from tests.effort import some

WRONG = """\
hand {name} rhl=1 ruleset=indian-13 detail=shown
player 1 Asha
player 2 Bilal
wild 2D
declare 1 KH KS KD | 6H 7H JK | 9S TS JS JK | 5S 5H 5D / 3C
show 2 4H 5H 6H | 8C 9C TC + KS QD 9D 7D 5C 4C 3D
score 1=0 2=48 winner=1
end
"""
UNREADABLE = "hand bad-1 rhl=1 ruleset=indian-13 detail=shown\nplayer 1 Asha\nwild 77\nend\n"

PHONE = {"width": 360, "height": 740}
PAGES = [
    "/",
    "/upload",
    "/hands",
    "/judge",
    "/judge?cards=KH+KS+KD+|+6H+7H+JK+|+9S+TS+JS+JK+|+5S+5H+5D&wild=2",
    "/findings",
    "/findings/set-repeated-suit",
    "/rules",
    "/rules/indian",
    "/rules/indian/set_max",
    "/no-such-page",
]


def upload(page, site, text):
    page.goto(f"{site}/upload")
    page.get_by_label("Or paste the log").fill(text)
    page.get_by_role("button", name="Send").click()
    page.wait_for_url(re.compile("/uploads/"))


def test_upload_verdict_steps_with_keys_link_judge(page, site, visit, usable):
    visit("/")
    page.get_by_role("link", name="Upload logs").click()
    upload(page, site, WRONG.format(name="B-1") + UNREADABLE)

    # The bad hand does not stop the good one, and says where and what was expected.
    refused = page.get_by_text("1 of 2 could not be taken.")
    expect(refused).to_be_visible()
    expect(page.get_by_text("line 11, column 6")).to_be_visible()
    expect(page.locator(".verdict.flagged")).to_be_visible(timeout=10_000)

    page.get_by_role("link", name="B-1").click()
    expect(page.locator("#hand")).to_have_attribute("data-ready", "yes")
    # Everybody can use it on a phone.
    desk = page.viewport_size
    page.set_viewport_size(PHONE)
    assert usable(page) == []
    page.set_viewport_size(desk)
    # The page opens at what is wrong, and says so in one sentence.
    expect(page.locator("#now")).to_have_text("2")
    expect(page.locator('[data-region="event"]')).to_contain_text("declare-no-pure-sequence")
    expect(page.locator('[data-region="seat-1"]')).to_contain_text("sequence with a joker")

    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.keyboard.press("Home")
    expect(page.locator("#now")).to_have_text("1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#now")).to_have_text("2")
    page.keyboard.press("End")
    expect(page.locator("#now")).to_have_text("4")
    page.keyboard.press("p")
    expect(page.locator("#now")).to_have_text("2")
    moment = page.url
    assert moment.endswith("/2")
    # The browser asks for the tab's icon by itself when an address changes.
    assert [url for url in requests if not url.endswith(".svg")] == []

    page.goto(moment)
    expect(page.locator("#now")).to_have_text("2")
    page.get_by_role("link", name="declare-no-pure-sequence").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A declaration has no pure sequence")

    visit("/judge")
    for face in ("5 of hearts", "6 of hearts", "7 of hearts"):
        page.get_by_role("button", name=face).click()
    expect(page.locator("#judged")).to_contain_text("points at best")
    expect(page.get_by_label("Cards", exact=True).first).to_be_visible()
    assert page.locator("#cards").input_value() == "5H 6H 7H"


def test_moment_reads_without_javascript(new_page, page, site, sign_in):
    sign_in("scorekeeper")
    upload(page, site, WRONG.format(name="B-2"))
    page.get_by_role("link", name="B-2").click()
    expect(page.locator("#hand")).to_have_attribute("data-ready", "yes")
    address = page.url
    plain = new_page(java_script_enabled=False)
    plain.goto(address + "/2")
    assert "declares" in plain.locator('[data-region="event"]').inner_text()
    plain.get_by_label("Last event (End)").click()
    assert plain.url.endswith("/4")
    assert "score" in plain.locator('[data-region="event"]').inner_text()


@pytest.mark.parametrize("path", some(PAGES))
def test_everybody_can_use_the_page(new_page, site, usable, path):
    page = new_page(viewport=PHONE)
    page.goto(site + path)

    assert usable(page) == []
