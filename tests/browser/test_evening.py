"""A club's evening on two phones at 360 px: thirty deals, and a network that comes and goes."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sideways

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
PLAYERS = ["Asha", "Bilal", "Chitra", "Dinesh", "Esha", "Farid"]
# The first deals are entered by taps; what they do is done at once for the others.
BY_HAND = 4
FILL = """({ winner, points, marks }) => {
  const form = document.getElementById("deal");
  form.querySelector(`#w${winner}`).click();
  for (const [seat, own] of Object.entries(points)) {
    if (marks[seat]) form.querySelector(`[name="m${seat}"][value="${marks[seat]}"]`).click();
    else {
      const field = form.querySelector(`#p${seat}`);
      field.value = own;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  form.requestSubmit();
}"""
SHOWN = ["5H", "6H", "7H", "2C", "3C", "4C", "KS", "KH", "KD", "6D", "7D", "QS", "9D"]
# The network is cut twenty times: for one deal each, and once for four in a row.
CUT = {*range(5, 24), 25}
BACK = {*range(5, 24), 28}


def deal(number):
    """Who wins a deal, and the points of the others: six chips' worth of an evening."""
    winner = number % 6 + 1
    points = {seat: 2 + (number * 7 + seat * 11) % 60 for seat in range(1, 7) if seat != winner}
    marks = {}
    if number % 4 == 0:
        marks = {winner % 6 + 1: "wrong"}
        points[winner % 6 + 1] = 80
    return winner, points, marks


def chips():
    """What everybody has after thirty deals: the winner takes the others' points in chips."""
    totals = dict.fromkeys(range(1, 7), 30 * 80)
    for number in range(1, 31):
        winner, points, _marks = deal(number)
        for seat, own in points.items():
            totals[seat] -= own
            totals[winner] += own
    return totals


@pytest.fixture
def phone(new_page):
    """A phone without an account."""
    complaints = []

    def phone(address):
        page = new_page(None, **PHONE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        page.wait_for_selector("html[data-deal-ready]")
        return page

    yield phone
    assert complaints == []


@pytest.fixture
def keeper(new_page):
    """The scorekeeper's desktop."""
    return new_page(viewport={"width": 1200, "height": 800})


def make_evening(page, site, name):
    """An evening with its players and one table; give the address in the table's QR code."""
    page.goto(f"{site}/evenings/new")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make the evening").click()
    page.get_by_label("New names, one a line").fill("\n".join(PLAYERS))
    page.get_by_role("button", name="Put them on the list").click()
    page.get_by_role("button", name="Add the table").click()
    page.get_by_role("link", name="QR code for a phone").click()
    page.get_by_role("button", name="Make the code").click()
    return page.locator(".qr-address").inner_text()


def start(page, *, deals):
    page.get_by_role("radio", name="Deals", exact=True).check()
    page.get_by_label("How many deals").fill(str(deals))
    for name in PLAYERS:
        page.get_by_role("checkbox", name=name, exact=True).check()
    page.get_by_role("button", name="Start the match").click()


def enter(page, number):
    """Enter a deal as fingers do; give the taps beyond the digits."""
    winner, points, marks = deal(number)
    expect(page.locator("#deal h1")).to_have_text(f"Deal {number}")
    if number > BY_HAND:
        page.evaluate(FILL, {"winner": winner, "points": points, "marks": marks})
        return 0
    page.locator(f'label[for="w{winner}"]').tap()
    taps = 1
    for seat, own in points.items():
        if seat in marks:
            page.locator(f'input[name="m{seat}"][value="{marks[seat]}"]').tap()
        else:
            page.locator(f"#p{seat}").fill(str(own))  # a tap on the field, then its digits
        taps += 1
    page.get_by_role("button", name="Save the deal").tap()
    return taps + 1


def judge_a_show(page, axe):
    """Judge what Bilal shows in deal 3; what was typed before is still there afterwards."""
    winner, points, _marks = deal(3)
    page.locator(f'label[for="w{winner}"]').tap()
    page.locator("#p1").fill(str(points[1]))
    page.get_by_label("Judge the cards of Bilal").tap()
    for face in SHOWN:
        page.locator(f'[data-face="{face}"]').tap()
    expect(page.locator(".deal-take a").first).to_have_text("Take 32 points")
    assert axe(page) == []
    page.locator(".deal-take a").first.tap()
    page.wait_for_selector("html[data-deal-ready]")
    expect(page.locator("#p2")).to_have_value("32")
    expect(page.locator("#p1")).to_have_value(str(points[1]))


def correct(page, axe, *, number, seat, points, moved):
    """Correct a deal; what it moves is shown before it is saved."""
    page.get_by_role("link", name=f"Look at deal {number} or correct it").tap()
    # A second tap takes a mark off again, with the points that it brought.
    mark = page.locator(f'input[name="m{seat}"]:not([value=""])').first
    for _tap in range(2):
        mark.tap()
    expect(page.locator(f'input[name="m{seat}"][value=""]')).to_be_checked()
    expect(page.locator(f"#p{seat}")).to_have_value("")
    page.locator(f"#p{seat}").fill(str(points))
    page.get_by_label("Why").fill("looked again")
    page.get_by_role("button", name="See what it moves").tap()
    expect(page.locator("#moves tbody th")).to_have_text(moved)
    assert axe(page) == []
    page.get_by_role("button", name="Save the correction").tap()
    expect(page.locator(".deal-grid")).to_contain_text("corrected")


@pytest.mark.ci
@pytest.mark.timeout(300)  # some seconds by itself, more beside the other parts of ./test
def test_thirty_deals_twenty_cuts_one_correction_one_show_confirmed_and_locked(
    site, keeper, phone, axe
):
    address = make_evening(keeper, site, "Thirty deals")
    one = phone(address)
    start(one, deals=30)
    two = phone(address)
    assert axe(one) == []

    taps = 0
    for number in range(1, 31):
        if number in CUT:
            one.context.set_offline(True)
        if number == 3:
            judge_a_show(one, axe)
        taps = max(taps, enter(one, number))
        if number == 28:
            expect(one.locator("#waiting")).to_contain_text("deals wait on this phone")
        if number in BACK:
            one.context.set_offline(False)
    assert 0 < taps <= 12

    expect(one.locator("#waiting")).to_be_hidden(timeout=60_000)
    expect(one.locator("#deal-page h1")).to_contain_text("has won the match")
    # Nothing lost, nothing doubled.
    numbers = [str(number) for number in range(30, 0, -1)]
    expect(one.locator(".deal-grid tbody th")).to_have_text(numbers)

    winner, points, _marks = deal(3)
    wrong = {"number": 3, "seat": 3, "points": points[3] + 20}
    correct(one, axe, **wrong, moved=["Chitra", PLAYERS[winner - 1]])

    # Whoever entered them cannot confirm them; another phone can, and then the table locks.
    expect(one.get_by_role("button", name="Confirm")).to_have_count(0)
    two.reload()
    two.get_by_label("I am").select_option(label="Esha")
    assert axe(two) == []
    two.get_by_role("button", name="Confirm 30 deals").tap()
    two.get_by_role("button", name="Lock this match").tap()
    expect(two.get_by_text("Locked: only a referee corrects it now.")).to_be_visible()

    keeper.goto(f"{site}/evenings")
    keeper.get_by_role("link", name=re.compile("Thirty deals")).click()
    expect(keeper.get_by_text("locked")).to_be_visible()
    totals = chips()
    totals[3] -= 20
    totals[winner] += 20
    right = [f"{name} {totals[seat]}" for seat, name in enumerate(PLAYERS, 1)]
    expect(keeper.locator(".deal-totals li")).to_have_text(right)
    assert axe(keeper) == []


def test_an_answer_that_comes_while_somebody_types_moves_no_digit(site, keeper, phone):
    one = phone(make_evening(keeper, site, "Typing on"))
    start(one, deals=3)
    one.context.set_offline(True)
    enter(one, 1)
    expect(one.locator("#waiting")).to_be_visible()
    one.locator('label[for="w3"]').tap()
    one.locator("#p1").press_sequentially("31")
    one.keyboard.press("ArrowLeft")

    one.context.set_offline(False)
    expect(one.locator("#waiting")).to_be_hidden(timeout=60_000)
    expect(one.locator(".deal-grid tbody th")).to_have_text(["1"])
    one.keyboard.type("2")
    expect(one.locator("#p1")).to_have_value("321")


def test_two_phones_type_the_same_deal_and_the_second_is_asked(site, keeper, phone):
    address = make_evening(keeper, site, "Two phones")
    one = phone(address)
    start(one, deals=3)
    two = phone(address)
    enter(one, 1)
    expect(one.locator("#deal h1")).to_have_text("Deal 2")
    # Whoever goes by keys goes on here, and not from the top of the page.
    expect(one.locator("#kept")).to_be_focused()

    # What is missing is said at its field, until it is there.
    two.get_by_role("button", name="Save the deal").tap()
    expect(two.locator("#wrong-here")).to_have_text("● Tap who won the deal.")
    two.locator('label[for="w1"]').tap()
    expect(two.locator("#wrong-here")).to_have_count(0)
    two.get_by_role("button", name="Save the deal").tap()
    expect(two.locator("#p2")).to_have_attribute("aria-describedby", "wrong-here")
    expect(two.locator("#wrong-here")).to_have_text("● Enter a number or a mark for Bilal.")
    for seat in range(2, 7):
        two.locator(f"#p{seat}").fill("10")
    two.get_by_role("button", name="Save the deal").tap()

    expect(two.locator("#aside")).to_contain_text("Deal 1 has come in from another phone")
    two.get_by_role("button", name="Enter mine as the next deal").tap()
    expect(two.locator("#deal h1")).to_have_text("Deal 2")
    expect(two.locator("#p6")).to_have_value("10")
    two.get_by_role("button", name="Save the deal").tap()
    expect(two.locator("#deal h1")).to_have_text("Deal 3")
    expect(two.locator(".deal-grid tbody th")).to_have_text(["2", "1"])
    # Six players' figures stand beside each other.
    assert sideways(two) == []


def test_a_table_without_javascript(site, keeper, new_page):
    address = make_evening(keeper, site, "Plain form")
    page = new_page(None, java_script_enabled=False, **PHONE)
    page.goto(address)
    start(page, deals=2)
    page.locator('label[for="w1"]').click()
    for seat in range(2, 7):
        page.locator(f"#p{seat}").fill("10")
    page.get_by_role("button", name="Save the deal").click()

    expect(page.locator("#deal h1")).to_have_text("Deal 2")
    expect(page.get_by_text("Deal 1 is kept.")).to_be_visible()
    # What is missing is said, and what was typed stays.
    page.locator("#p2").fill("7")
    page.get_by_role("button", name="Save the deal").click()
    expect(page.get_by_text("Tap who won the deal.")).to_be_visible()
    expect(page.locator("#p2")).to_have_value("7")
