"""What comes at the first load of a page: how much, in which colours, and that nothing moves."""

import pytest
from playwright.sync_api import expect

from rummy_audit.rhl import write
from rummy_audit.simulators.basic.simulator import simulate
from tests.browser.test_first_light import upload

PHONE = {"width": 360, "height": 640}
# A hand of basic rummy that went round and round: 318 events.
SEED, EVENTS = 699, 318
LOADED = """() => [
  ...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource"),
].map((each) => ({
  name: new URL(each.name).pathname.replace(/[.][0-9a-f]{12}/, "").split("/").pop(),
  sent: each.encodedBodySize,
}))"""
MOVED = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) moved += each.value;
  }).observe({ type: "layout-shift", buffered: true });
  // What has just changed is laid out with the next frame, and told of after it.
  requestAnimationFrame(() => setTimeout(() => done(moved), 600));
})"""


@pytest.fixture(scope="module")
def long_hand(windows, site, demo_cookies):
    """The address of a hand of 318 events."""
    hand = simulate("basic", seed=SEED, detail="full", players=4)
    assert len(hand.events) == EVENTS
    page, kind = windows.lend(demo_cookies("scorekeeper"))
    upload(page, site, write.to_json(hand).decode())
    page.get_by_role("link", name=hand.record.id).click()
    address = page.url
    windows.take_back(page, kind)
    return address


def test_a_hand_of_318_events_comes_under_100_kb_with_one_stylesheet(new_page, long_hand):
    page = new_page(viewport=PHONE)
    page.goto(long_hand)
    expect(page.locator("#hand")).to_have_attribute("data-ready", "yes")

    loaded = {each["name"]: each["sent"] for each in page.evaluate(LOADED)}
    assert "steps" in loaded
    sheets = [name for name in loaded if name.endswith(".css")]
    assert sheets == ["site.css"]
    assert loaded["site.css"] < 20_000
    assert sum(sent for name, sent in loaded.items() if name != "cards.svg") < 100_000
    # What a script brings has had its place from the start.
    assert page.evaluate(MOVED) == 0
    # A card that stands once in what was loaded is drawn wherever it lies.
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    cards = page.locator("[data-region='seat-1'] .cards li")
    assert cards.count() >= 6
    assert cards.locator("svg").count() == cards.count()


NOTED = """\
hand {name} rhl=1 ruleset=indian-13 detail={detail}
player 1 Asha
player 2 Bilal
{lines}score 1=0 2=40 winner=1
end
"""
SHOWN = "wild 7D\ndeclare 1 4H 5H 6H | 8S 9S JK | 9H 9D 9C | KD KS KH KC / QC\n"


@pytest.mark.parametrize(
    ("detail", "lines"), [("scores", ""), ("shown", SHOWN)], ids=["nobody-saw", "one-shown"]
)
def test_a_hand_stands_still_on_a_phone_while_it_comes(new_page, site, detail, lines):
    page = new_page("scorekeeper", viewport={"width": 360, "height": 740})
    upload(page, site, NOTED.format(name=f"still-{detail}", detail=detail, lines=lines))
    page.get_by_role("link", name=f"still-{detail}").click()
    expect(page.locator("#hand")).to_have_attribute("data-ready", "yes")

    assert page.evaluate(MOVED) == 0


def test_thirteen_cards_are_seen_whole_where_they_are_judged(new_page, site):
    page = new_page(None, viewport=PHONE)
    page.goto(f"{site}/judge?cards=KH+KS+KD+|+6H+7H+JK+|+9S+TS+JS+JK+|+5S+5H+5D")

    assert page.evaluate(MOVED) == 0
    hidden = (
        "field => field.scrollHeight - field.clientHeight + field.scrollWidth - field.clientWidth"
    )
    assert page.locator("#cards").evaluate(hidden) == 0
    # The keys begin where the thumb is, above the middle of what is seen below the menu.
    assert page.locator(".keypad").bounding_box()["y"] < 0.7 * PHONE["height"]


def test_chosen_colours_are_there_before_any_script(new_page, site):
    chosen = new_page(None)
    chosen.goto(site)
    for name in ("Light or dark", "Two or four colours"):
        chosen.get_by_role("button", name=name).click()
    cookies = chosen.context.cookies()
    plain = new_page(None, java_script_enabled=False)
    plain.context.add_cookies(cookies)
    plain.goto(site)
    html = plain.locator("html")
    expect(html).to_have_attribute("data-theme", "dark")
    expect(html).to_have_attribute("data-suits", "four")

    chosen.get_by_role("button", name="Light or dark").click()
    chosen.reload()
    expect(chosen.locator("html")).not_to_have_attribute("data-theme", "dark")
