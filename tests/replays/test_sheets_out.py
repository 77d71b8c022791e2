"""What goes out as CSV: no cell that a spreadsheet would run, nothing lost, and read in again."""

import csv
import io

import pytest
from django.urls import reverse

from replays import match_audits, match_work, seasons, sheets
from replays.models import HandLog, MatchRow, Player
from replays.sheets_deals import Settings, read_table
from replays.sheets_out import csv_of

# The signs as wide letters, which some spreadsheets take for the plain ones.
WIDE = ("\uff1d", "\uff0b", "\uff0d", "\uff20")
RUN = ("=1+1", "+1", "-1+1", "@SUM(A1)", "|calc", "%0", *(sign + "1" for sign in WIDE))
PAYLOADS = [
    *(before + each for each in RUN for before in ("", "\t", "\r")),
    "=cmd|' /C calc'!A0", '=HYPERLINK("http://x","y")', '"=1"', "'=1", "''", "'Tis", "a\r\n=1+1",
    ";=1+1", ",=1", "\n\n=1+1", " =1+1", "\xa0=1",
]  # fmt: skip
SIGNS = (*"=+-@|%\t\r\n", *WIDE)

DEALS = ("1=0 2=60 3=10 totals 2=50", "1=0 2=45 3=10", "1=20 2=0 3=10")


def deal(number, score, *, match="M1", event="e1", refs=("a", "b", "")):
    players = "".join(
        f"player {seat} {name}{f' ref={ref}' if ref else ''}\n"
        for seat, (name, ref) in enumerate(zip(("Asha", "Bilal", "Chitra"), refs, strict=True), 1)
    )
    return (
        f"hand {match}-{number} rhl=1 ruleset=indian-13 detail=scores event={event}\n{players}"
        f"match {match} format=pool-101 deal={number}\nscore {score}\nend\n"
    ).encode()


def whole(**fields):
    return b"".join(deal(number, score, **fields) for number, score in enumerate(DEALS, 1))


@pytest.fixture
def two_matches(send, club):
    Player.objects.create(club=club, ref="a", name="Asha")
    Player.objects.create(club=club, ref="b", name="Bilal")
    send(whole())
    send(deal(1, "1=101 2=0 3=101", match="M2", event="e2", refs=("b", "a", "")))
    MatchRow.objects.update(due=match_work.Now())
    match_audits.audit_due()


@pytest.fixture
def bob_here(bob, signed_in):
    return signed_in(bob)


def rows_of(response):
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_in_any_column_can_be_run(payload):
    (header, row) = csv.reader(
        io.StringIO(csv_of([payload] * 5, [[payload] * 5]).decode("utf-8-sig"), newline="")
    )

    assert len(header) == len(row) == 5
    assert [cell for cell in header + row if cell.lstrip("\xa0 ").startswith(SIGNS)] == []
    assert [cell for cell in header + row if set(cell) & set("\t\r\n\0")] == []


def test_numbers_stay_numbers_below_nought_too():
    assert csv_of(["a"], [[-20], [0], [None]]).decode("utf-8-sig") == 'a\r\n-20\r\n0\r\n""\r\n'


@pytest.mark.parametrize(
    "name", ["=1+1", "+49a", "-Asha-", "@asha", "'Tis", "''", "Zoë", "%x", "|y"]
)
def test_a_name_that_went_out_comes_in_again_the_same(name):
    content = csv_of(["Deal", name, "Bilal"], [[1, 0, 20], [2, 12, 0]])
    ((grid, table),) = sheets.tables(content)

    assert read_table(grid, table, Settings(match="M")).names == {1: name, 2: "Bilal"}


def test_every_text_column_of_every_list_is_safe(send, bob_here):
    evil = "=1+1"
    send(
        f'hand "{evil}" rhl=1 ruleset=indian-13 detail=scores event="{evil}" table="{evil}"\n'
        f'player 1 "{evil}"\nplayer 2 "@b"\nmatch "{evil}" format=pool-101 deal=1\n'
        f"score 1=0 2=101 winner=1\nend\n".encode()
    )
    MatchRow.objects.update(due=match_work.Now())
    match_audits.audit_due()
    row = MatchRow.objects.get()
    addresses = [reverse("hands-csv"), reverse("matches-csv"), reverse("season-csv"),
                 reverse("standings-csv", args=[row.public_id])]  # fmt: skip
    cells = [cell for each in addresses for line in rows_of(bob_here.get(each)) for cell in line]

    assert [cell for cell in cells if cell.startswith(SIGNS)] == []
    assert "'=1+1" in cells
    assert "'@b" in cells


def test_the_standings_go_out_deal_by_deal(two_matches, bob_here):
    row = MatchRow.objects.get(name="M1")

    assert rows_of(bob_here.get(reverse("standings-csv", args=[row.public_id]))) == [
        ["Deal", "Asha", "total of Asha", "Bilal", "total of Bilal", "Chitra", "total of Chitra",
         "Findings"],
        ["1", "0", "0", "60", "60", "10", "10", "total-wrong"],
        ["2", "0", "0", "45", "105", "10", "20", ""],
        ["3", "20", "20", "0", "105", "10", "30", "eliminated-player-dealt-in"],
    ]  # fmt: skip


def test_the_lists_go_out_with_their_filters(two_matches, bob_here):
    matches = rows_of(bob_here.get(reverse("matches-csv") + "?event=e2"))
    assert matches == [
        ["Match", "Event", "Format", "Verdict", "Winner", "Deals", "Errors", "Breaches"],
        ["M2", "e2", "pool-101", "clean", "Bilal", "1", "0", "0"],
    ]
    hands = rows_of(bob_here.get(reverse("hands-csv") + "?code=total-wrong"))
    assert [line[:4] for line in hands[1:]] == [["M1-1", "e1", "M1", "1"]]
    assert len(rows_of(bob_here.get(reverse("hands-csv")))) == 1 + HandLog.objects.count()


def test_a_season_adds_up_by_the_roster_wherever_somebody_sat(two_matches, bob, bob_here):
    (game,) = seasons.season(bob)

    # Asha sat in seat 1, then in seat 2; nobody knows who Chitra is.
    assert (game.family, game.format, game.loose) == ("indian", "pool-101", 2)
    assert [(line.player, line.matches, line.wins, line.deals, line.deals_won, line.points)
            for line in game.lines] == [
        ("Asha", 2, 1, 4, 3, 20),
        ("Bilal", 2, 0, 4, 1, 206),
    ]  # fmt: skip
    page = bob_here.get(reverse("season") + "?event=e2")
    ((title, words, shown),) = page.context["games"]
    assert (title, words) == ("Indian rummy, 13 cards", "101 pool")
    assert [(line.player, line.matches) for line in shown.lines] == [("Asha", 1), ("Bilal", 1)]
    assert rows_of(bob_here.get(reverse("season-csv") + "?event=e1"))[1] == [
        "indian", "pool-101", "Asha", "1", "0", "3", "2", "20",
    ]  # fmt: skip


def test_a_season_costs_three_queries_whatever_it_holds(
    two_matches, bob, django_assert_num_queries
):
    with django_assert_num_queries(3):
        seasons.season(bob)


def test_a_player_takes_no_list_away_and_another_club_sees_nothing(
    two_matches, dora, mallory, signed_in
):
    assert signed_in(dora).get(reverse("hands-csv")).status_code == 403
    assert seasons.season(mallory) == []
    assert rows_of(signed_in(mallory).get(reverse("matches-csv")))[1:] == []
    row = MatchRow.objects.first()
    theirs = signed_in(mallory).get(reverse("standings-csv", args=[row.public_id]))
    assert theirs.status_code == 404


def test_names_of_a_score_sheet_are_tied_to_the_roster_only_when_confirmed(
    two_matches, bob_here, club
):
    Player.objects.create(club=club, ref="c1", name="Chitra", aliases=["Chits"])
    text = "Deal\tASHA\tChits\tDev\n1\t0\t20\t3"
    page = bob_here.post(reverse("sheets"), {"text": text}, follow=True)
    assert (page.context["on_roster"], page.context["strangers"]) == (["ASHA", "Chits"], ["Dev"])

    said = {"was": "0", "which": "0", "match": "S1", "format": "pool-101", "do": "take"}
    bob_here.post(page.request["PATH_INFO"], {**said, "roster": "yes"})
    seats = HandLog.objects.get(name="S1-1").seats.order_by("seat")
    assert list(seats.values_list("name", "ref")) == [("ASHA", "a"), ("Chits", "c1"), ("Dev", "")]
    bob_here.post(page.request["PATH_INFO"], {**said, "match": "S2"})
    assert set(HandLog.objects.get(name="S2-1").seats.values_list("ref")) == {("",)}
