"""Where a name that is written from right to left stands, and the points beside it."""

import pytest

from replays.direction import plain, plain_page

HEBREW, ARABIC = (
    "\u05d3\u05d5\u05d3 \u05db\u05d4\u05df",
    "\u0639\u0628\u062f \u0627\u0644\u0644\u0647",
)
# Where each of some words begins on the screen, from left to right.
PLACES = """words => {
  const text = document.querySelector("p").firstChild;
  return words.map((word) => {
    const range = document.createRange();
    const at = text.data.indexOf(word);
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    return range.getBoundingClientRect().left;
  });
}"""


@pytest.fixture
def blank(browser):
    page = browser.new_page()
    yield page
    page.close()


def read_from_left(page, words):
    """Return words in the order in which the screen has them."""
    places = dict(zip(words, page.evaluate(PLACES, words), strict=True))
    return sorted(words, key=places.get)


@pytest.mark.parametrize("first", [HEBREW, ARABIC])
@pytest.mark.parametrize("second", ["\u05de\u05e9\u05d4", "\u0645\u062d\u0645\u062f", "Asha"])
def test_points_stand_behind_the_name_that_they_belong_to(blank, first, second):
    words = ["score:", first, "45", second, "27", "Bilal", "13"]
    said = f"score: {first} 45, {second} 27, Bilal 13"

    blank.set_content(plain_page(f"<p>{said}</p>"))
    assert read_from_left(blank, words) == words
    # The same in what a step brings.
    blank.evaluate("said => document.querySelector('p').replaceChildren(said)", plain(said))
    assert read_from_left(blank, words) == words
