"""The first page of a member: the cases that concern them, with what is due."""

import re
from datetime import timedelta

from django.utils import timezone

from replays import cases
from replays.cases import desk
from replays.models import Case, HandLog
from tests.replays.disputes import decide, dispute  # noqa: F401 - a fixture

TILES = """\
hand R-1 rhl=1 ruleset=tile-easy detail=table
player 1 Asha
player 2 Bilal
deal 1 x14
deal 2 x14
draw 1 stock
draw 2 stock
end abandoned
"""


def cases_on_home(client):
    """The rows of the page's list of cases, as they are read; None where there is no list."""
    page = client.get("/").content.decode()
    found = re.search(r'id="your-cases".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", found[1], re.DOTALL) if found else []
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows] if found else None


def test_the_first_page_shows_whom_a_case_concerns_what_is_due(dispute, alice, signed_in):  # noqa: F811
    case = dispute.open()
    due = case.due_at.strftime("%Y-%m-%d %H:%M UTC")

    bilal, charlie = signed_in(dispute.bilal), signed_in(dispute.charlie)
    kind = "A declaration, knock or meld was judged wrongly"
    assert cases_on_home(bilal) == [f"1 · {kind} waiting for a referee {due} P-2"]
    # It concerns no referee before one has taken it, and never who has no part in it.
    assert (cases_on_home(charlie), cases_on_home(signed_in(alice))) == (None, None)

    told = "1 case waits for a referee"
    assert [told in each.get("/").content.decode() for each in (charlie, bilal)] == [True, False]
    cases.claim(dispute.charlie, case)
    assert told not in charlie.get("/").content.decode()
    late = timezone.now() - timedelta(hours=1)
    Case.objects.update(due_at=late)
    assert cases_on_home(charlie) == [
        f"1 · {kind} with you {late:%Y-%m-%d %H:%M} UTC over time P-2"
    ]

    decide(dispute.charlie, case)
    Case.objects.update(state="final")
    assert (cases_on_home(bilal), cases_on_home(charlie)) == (None, None)


def test_a_case_about_a_tile_hand_speaks_of_tiles(send, bob, charlie):
    send(TILES.encode())
    log = HandLog.objects.get()
    case, _fresh = cases.open_case(bob, log=log, kind="play", seq=3, text="It was Bilal's turn.")

    assert desk.about(charlie, case, desk.hand_of_case(case)) == "Asha draws a tile from the stock"
