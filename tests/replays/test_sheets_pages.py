"""Score sheets in the browser: sent, looked at, taken in once, and a changed cell is a conflict."""

import io
import re

import pytest
from django.urls import reverse

from replays import match_audits, match_work
from replays.models import HandLog, MatchRow, ScoreSheet, TrailEntry
from replays.queries import hand_of
from tests.replays.sheets import csv

SHEET = ("Deal,Asha,Bilal,Chitra", "1,0,drop,45", "2,12,0,10")
CHANGED = ("Deal,Asha,Bilal,Chitra", "1,0,drop,54", "2,12,0,10")
LONGER = (*SHEET, "3,0,30,2", "Total,12,50,57")


@pytest.fixture
def bob_here(bob, signed_in):
    return signed_in(bob)


@pytest.fixture
def look(bob_here):
    """Send a sheet; gives the page of its preview."""

    def look(*lines, name="friday.csv", **chosen):
        file = io.BytesIO(csv(*lines))
        file.name = name
        page = bob_here.post(reverse("sheets"), {"file": file}, follow=True)
        if chosen:
            page = bob_here.post(page.request["PATH_INFO"], chosen, follow=True)
        return page

    return look


@pytest.fixture
def take(bob_here, look):
    """Send a sheet and take it in; gives the page that says what became of it."""

    def take(*lines, **chosen):
        page = look(*lines)
        data = {"do": "take", "match": "F1", "format": "pool-101", **chosen}
        return bob_here.post(page.request["PATH_INFO"], data, follow=True)

    return take


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def states(page):
    return [(row["number"], row["state"]) for row in page.context["rows"]]


def test_the_preview_shows_what_was_read_and_takes_nothing_in(look):
    page = look(*LONGER)

    assert states(page) == [(2, "new"), (3, "new"), (4, "new"), (5, "")]
    said = text_of(page)
    assert "▲ By the rules: 20 points." in said
    assert "Row 5 holds the totals: no deal." in said
    assert "Take 3 new deals in" in said
    assert not HandLog.objects.exists()


def test_the_deals_become_hands_of_a_match_with_marks(take, club):
    page = take(*SHEET, event="Friday", table="Table 4")

    assert "2 new deals." in text_of(page)
    hands = HandLog.objects.order_by("deal")
    assert list(hands.values_list("name", "match", "deal", "detail", "event", "table")) == [
        ("F1-1", "F1", 1, "scores", "Friday", "Table 4"),
        ("F1-2", "F1", 2, "scores", "Friday", "Table 4"),
    ]
    MatchRow.objects.update(due=match_work.Now())
    match_audits.audit_due()
    row = MatchRow.objects.get()
    assert (row.verdict, row.format) == ("clean", "pool-101")
    assert dict(row.seats.values_list("seat", "total")) == {1: 12, 2: 20, 3: 55}
    assert TrailEntry.objects.filter(verb="sheet.take").count() == 1


def test_the_same_sheet_again_is_nothing_new_and_a_longer_one_only_its_new_deals(take):
    take(*SHEET)
    again = take(*SHEET)
    assert "0 new deals. 2 are here already." in text_of(again)
    assert states(again) == [(2, "same"), (3, "same")]

    longer = take(*LONGER)
    assert "1 new deal. 2 are here already." in text_of(longer)
    assert HandLog.objects.count() == 3


def test_a_changed_cell_is_shown_and_amended_only_with_a_reason(take, bob_here):
    take(*SHEET)
    page = take(*CHANGED)

    said = text_of(page)
    assert "0 new deals. 1 is here already. 1 differs, see below." in said
    assert "Chitra: here 45, in the sheet 54" in said
    assert states(page) == [(2, "differs"), (3, "same")]
    address = reverse("sheet-amend", args=[page.context["kept"].public_id])

    refused = bob_here.post(address, {"number": "1", "reason": " "}, follow=True)
    assert "Say why the deal is amended" in text_of(refused)
    done = bob_here.post(address, {"number": "1", "reason": "digits\0 turned"}, follow=True)
    assert "Deal 1 is amended." in text_of(done)
    assert states(done) == [(2, "amended"), (3, "same")]
    assert HandLog.objects.get(deal=1).version == 2

    # Once more: the sheet and the amended hand agree, nothing is in conflict any more.
    again = take(*CHANGED)
    assert "0 new deals. 2 are here already." in text_of(again)
    assert bob_here.post(address, {"number": "1", "reason": "again"}).status_code == 404


def test_other_players_in_a_deal_are_no_matter_of_a_score_to_amend(take):
    take("Deal,Asha,Bilal,Chitra", "1,0,20,3")
    page = take("Deal,Asha,Bilal,Chitra", "1,0,20,")

    assert "Who played, the format or the rules differ too" in text_of(page)
    assert "Amend deal" not in text_of(page)


def test_nothing_is_taken_in_while_a_cell_cannot_be_read(take):
    page = take("Deal,Asha,Bilal", "1,0,20?", "2,12,0")

    said = text_of(page)
    assert "Nothing was taken in yet: first see to what is marked below." in said
    assert "● “20?” is no whole number" in said
    assert not HandLog.objects.exists()


def test_a_column_may_be_named_or_left_out_by_hand(look, bob_here):
    page = look("Deal,Asha,Bilal,", "1,0,20,5", "2,0,20,5")
    assert not page.context["ready"]
    kinds = {"kind-0": "deal", "kind-1": "player", "kind-2": "player"}
    names = {"name-0": "", "name-1": "Asha", "name-2": "Bilal", "name-3": ""}
    said = {"which": "0", "was": "0", "match": "F1", "format": "points", **kinds, **names}

    left_out = bob_here.post(page.request["PATH_INFO"], {**said, "kind-3": "ignore"}, follow=True)
    assert left_out.context["ready"]
    assert left_out.context["reading"].names == {1: "Asha", 2: "Bilal"}
    named = {**said, "kind-3": "player", "name-3": "Chitra"}
    page = bob_here.post(page.request["PATH_INFO"], named, follow=True)
    assert page.context["reading"].names == {1: "Asha", 2: "Bilal", 3: "Chitra"}
    assert page.context["reading"].settings.format == "points"


def test_another_table_of_the_file_is_another_match(look):
    lines = ("Table 1", "Deal,A1,B1", "1,0,20", "", "Table 2", "Deal,C1,D1", "1,30,0")
    page = look(*lines)
    assert page.context["reading"].settings.match == "friday-Table-1"
    other = look(*lines, which="1", was="0", match="friday-Table-1", format="pool-101")

    assert other.context["reading"].settings.match == "friday-Table-2"
    assert other.context["reading"].names == {1: "C1", 2: "D1"}


def test_a_format_that_the_game_does_not_have_is_asked_about(look):
    page = look(*SHEET, ruleset="gin@1", format="pool-101", match="F1")

    assert "This game is not played as 101 pool: choose another format" in text_of(page)
    assert not page.context["ready"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "There is nothing in this file."),
        ({"text": "Asha"}, "No columns were found."),
        ({"text": "Deal\tAsha\tBilal\nx"}, "No deals were found."),
    ],
)
def test_what_cannot_be_read_is_refused_on_the_page(bob_here, data, said):
    page = bob_here.post(reverse("sheets"), data)

    assert page.status_code == 400
    assert said in text_of(page)
    assert not ScoreSheet.objects.exists()


def test_a_table_pasted_from_a_spreadsheet_is_read(bob_here):
    page = bob_here.post(reverse("sheets"), {"text": "Deal\tAsha\tBilal\n1\t0\t20"}, follow=True)

    assert states(page) == [(2, "new")]


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_empty_sheet_filled_in_is_read_again(bob_here, form):
    page = bob_here.get(reverse("sheet-template", args=[form]) + "?players=3")

    assert page["Content-Disposition"] == f'attachment; filename="score-sheet.{form}"'
    assert bob_here.get(reverse("sheet-template", args=["exe"])).status_code == 404


def test_a_sheet_of_another_club_is_missing_and_players_send_none(look, mallory, dora, signed_in):
    page = look(*SHEET)
    address = page.request["PATH_INFO"]

    assert signed_in(mallory).get(address).status_code == 404
    assert signed_in(mallory).post(f"{address}/amend", {"number": "1"}).status_code == 404
    assert signed_in(dora).get(reverse("sheets")).status_code == 403


def test_a_pool_without_its_limit_is_asked_for_it_and_nothing_is_taken_in(take):
    said = text_of(take(*SHEET, format="pool"))

    assert "Write its limit, or how many deals are played" in said
    assert HandLog.objects.count() == 0
    assert "2 new deals." in text_of(take(*SHEET, format="pool", of="151"))
    assert {hand_of(log).record.match.format for log in HandLog.objects.all()} == {"pool-151"}


def test_what_stands_in_a_cell_is_text_on_the_page(look):
    page = look("Deal,<script>alert(1)</script>,Bilal", "1,0,<img src=x>")

    assert b"<script>alert" not in page.content
    assert b"<img" not in page.content
