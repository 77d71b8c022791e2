"""What the deal page says where something is wrong: at its field, and what to do next."""

import datetime
import re

import pytest
from django.utils import timezone

from replays import evenings
from replays.evenings import Named
from replays.models import DealEntry, Player, TableMatch

DAY = datetime.date(2026, 11, 28)
DEAL = {"match": "1", "number": "1", "key": "k1", "winner": "1", "p2": "34", "p3": "20"}


@pytest.fixture
def table(bob):
    evening = evenings.make_evening(
        viewer=bob, name="Saturday", date=DAY, ruleset="indian-13@1", correction_minutes=30
    )
    named = [Named("Asha"), Named("Bilal"), Named("Chitra")]
    evenings.add_players(viewer=bob, evening=evening, named=named)
    return evenings.add_table(viewer=bob, evening=evening, name="Table 4")


@pytest.fixture
def base(bob, table):
    return f"/t/{evenings.make_table_link(viewer=bob, table=table)[1]}/"


@pytest.fixture
def seats(table):
    refs = [player.ref for player in evenings.roster(table.evening)]
    return {"kind": "pool-101", "player": refs}


@pytest.fixture
def match(bob, table, seats):
    return evenings.start_match(
        viewer=bob, table=table, match_format="pool-101", refs=seats["player"]
    )


def beside(page, name):
    """What the fields of this name are said to be wrong with, by their description."""
    text = page.content.decode()
    fields = re.findall(rf'<(?:input|fieldset)[^>]*\b(?:name|id)="{name}"[^>]*>', text)
    told = {each[1] for field in fields if (each := re.search('describedby="([^"]+)"', field))}
    (place,) = told
    return re.search(rf'id="{place}"[^>]*>● ([^<]+)<', text)[1]


def test_deals_that_nobody_confirmed_wait_on_the_first_page_until_they_are(
    stranger, base, match, bob, signed_in
):
    match.table.evening.date = timezone.localdate()
    match.table.evening.save()
    home = signed_in(bob)
    told = "Saturday · Table 4: 1 deal is not confirmed yet"

    assert told not in home.get("/").content.decode()
    stranger.post(f"{base}deals", DEAL)
    assert told in home.get("/").content.decode()
    home.post(f"/tables/{match.table.public_id}/confirm", {"match": "1", "c1": "1"})
    assert told not in home.get("/").content.decode()


@pytest.mark.usefixtures("match")
@pytest.mark.parametrize(
    ("sent", "field", "said"),
    [
        ({"winner": ""}, "winner", "Tap who won the deal."),
        ({"winner": "9"}, "winner", "Tap who won the deal."),
        ({"p2": ""}, "p2", "Enter a number or a mark for Bilal."),
        ({"p3": "-5"}, "p3", "Chitra: that is no number of points; enter 0 to 9999."),
        ({"p3": "½"}, "p3", "Chitra: that is no number of points; enter 0 to 9999."),
    ],
)
def test_what_is_wrong_with_a_deal_stands_at_its_field(stranger, base, sent, field, said):
    page = stranger.post(f"{base}deals", DEAL | sent)

    assert (page.status_code, beside(page, field)) == (422, said)
    assert not DealEntry.objects.exists()
    # What is right of it stays, and what is wrong stays to be looked at.
    for name, value in (DEAL | sent).items():
        if name in ("p2", "p3"):
            assert f'name="{name}" id="{name}" value="{value}"' in page.content.decode()


@pytest.mark.parametrize(
    ("sent", "field", "said"),
    [
        ({"kind": ""}, "kind", "Choose what is played."),
        ({"kind": "deals"}, "start-of", "Enter how many deals are played, such as 6."),
        ({"kind": "pool", "of": "0"}, "start-of", "Enter the limit of the pool, such as 150."),
        ({"seat-A": "2", "seat-B": "2"}, "players", "Seat 2 is given twice"),
        ({"seat-B": "zwei"}, "players", "“zw” is no seat"),
        ({"player": []}, "players", "Choose 2 to 6 players; 0 are chosen."),
        ({"gone": "yes"}, "players", "Somebody you chose is no longer on this evening’s list."),
        ({"fee": "much"}, "start-fee", "“much” is no amount: enter it in the smallest unit"),
    ],
)
def test_a_match_that_cannot_start_says_why_at_its_field(  # noqa: PLR0917 - fixtures
    stranger, club, base, seats, sent, field, said
):
    club.money = True
    club.save()
    refs = dict(zip("AB", seats["player"], strict=False))
    sent = {re.sub("-([AB])$", lambda to: f"-{refs[to[1]]}", key): own for key, own in sent.items()}
    if sent.pop("gone", ""):
        Player.objects.get(ref=refs["A"]).evenings.clear()
    page = stranger.post(f"{base}match", seats | {"seat-x": "1"} | sent)

    assert (page.status_code, TableMatch.objects.count()) == (422, 0)
    assert beside(page, field).startswith(said)
    # Who was chosen is chosen still.
    kept = re.findall(r'name="player" value="([\w-]+)" checked', page.content.decode())
    listed = {player.ref for player in Player.objects.filter(evenings__isnull=False)}
    assert set(kept) == set((seats | sent)["player"]) & listed


@pytest.mark.usefixtures("match")
def test_two_tabs_never_end_in_a_page_that_says_nothing(stranger, base, seats):
    stranger.get(base)
    # In one tab the players are chosen anew and a deal is played; the other knows nothing of it.
    stranger.post(f"{base}match/drop")
    for act in ("deals", "confirm", "lock"):
        page = stranger.post(f"{base}{act}", DEAL, follow=True)
        assert "a match that is not at this table any more" in page.content.decode()
    told = stranger.post(f"{base}deals", DEAL, headers={"X-Fragment": "deal"}).json()
    assert told["status"] == "refused"

    stranger.post(f"{base}match", seats)
    stranger.post(f"{base}deals", DEAL)
    again = stranger.post(f"{base}deals", DEAL | {"key": "k2", "p2": "7"})
    assert "come in from another phone, with other numbers" in again.content.decode()
    # A correction in one tab: what the other would confirm is no longer what it shows.
    fixed = {**DEAL, "p2": "35", "version": "1", "step": "save"}
    address = f"{base}deals/1/1"
    assert beside(stranger.post(address, fixed), "reason").startswith("Say why, in a few words")
    stranger.post(address, fixed | {"reason": "looked again"})
    late = stranger.post(address, fixed | {"reason": "too late"})
    assert "Somebody has corrected this deal meanwhile." in late.content.decode()
    page = stranger.post(f"{base}confirm", {"match": "1", "c1": "1"}, follow=True)
    assert "corrected or confirmed since this page was opened" in page.content.decode()


@pytest.mark.usefixtures("match")
@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("", "There are no cards yet: tap them, or type them like 7H 8H 9H."),
        ("5H 6X", "“6X” cannot be judged: expected a card"),
        ("5H 5H 5H", "5♥ stands there 3 times; the pack has 2."),
    ],
)
def test_the_show_pad_says_what_is_odd_about_the_cards(stranger, base, cards, said):
    page = stranger.get(f"{base}show", {"seat": "2", "cards": cards}).content.decode()

    assert said in page
    described = re.search(r'<textarea name="cards"[^>]*aria-describedby="([^"]+)"', page)[1]
    assert [f'id="{place}"' in page for place in described.split()] == [True, True]
