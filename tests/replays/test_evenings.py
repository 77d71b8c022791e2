"""Evenings: who plays, the link of a table and what it opens, and the pages as people use them."""

import re

import pytest

from replays import evenings, links
from replays.evenings import Named, NotPossibleError
from replays.models import DealEntry, HandLog, Link, Player, Table, TableMatch, TrailEntry
from replays.models.keys import LinkKind
from replays.rulesets_of_clubs import activate_ruleset, make_ruleset_version, to_choose
from tests.replays.tables import DAY

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(bob, evening, table):
    refs = [player.ref for player in evenings.roster(evening)]
    return evenings.start_match(viewer=bob, table=table, match_format="pool-101", refs=refs)


@pytest.fixture
def token(bob, table):
    return evenings.make_table_link(viewer=bob, table=table)[1]


def fields(number=1, *, key="k1", winner="1", **points):
    points = points or {"p2": "34", "p3": "20"}
    return {"match": "1", "number": str(number), "key": key, "winner": winner, **points}


# --- the evening and who plays -----------------------------------------------------------------


def test_an_evening_stands_once_a_day(bob, evening):
    with pytest.raises(NotPossibleError, match="There is an evening “Saturday” on 2026-11-28"):
        evenings.make_evening(
            viewer=bob, name="Saturday", date=DAY, ruleset="indian-13@1", correction_minutes=30
        )


def test_a_name_that_the_club_knows_is_that_person(bob, club, evening):
    known = Player.objects.create(club=club, ref="x-1", name="Dinesh Rao", aliases=["Dini"])

    added = evenings.add_players(
        viewer=bob, evening=evening, named=[Named("dini", ("Dee",)), Named("Esha")]
    )

    assert [player.name for player in added] == ["Dinesh Rao", "Esha"]
    assert added[0] == known
    assert Player.objects.get(ref="x-1").aliases == ["Dini", "Dee"]
    names = [player.name for player in evenings.roster(evening)]
    assert names == ["Asha", "Bilal", "Chitra", "Dinesh Rao", "Esha"]


def test_a_name_of_two_people_is_not_guessed(bob, club, evening, signed_in):
    Player.objects.create(club=club, ref="x-1", name="Dinesh", aliases=["Dini"])
    Player.objects.create(club=club, ref="x-2", name="Dinesh")

    with pytest.raises(NotPossibleError, match="Several people of the club are called Dinesh"):
        evenings.add_players(viewer=bob, evening=evening, named=[Named("Dinesh")])
    # What was typed and ticked stays, and the two are told apart.
    sent = {"names": "Dinesh\nEsha", "player": ["x-1"]}
    page = signed_in(bob).post(f"/evenings/{evening.public_id}/players", sent).content.decode()
    assert ">Dinesh\nEsha</textarea>" in page
    assert 'value="x-1" checked><span>Dinesh (Dini)</span>' in page
    assert 'value="x-2"><span>Dinesh</span>' in page


def test_who_has_sat_down_stays_on_the_list(bob, evening, match):
    ref = match.seats.get(seat=1).player.ref
    with pytest.raises(NotPossibleError, match="stay on the list"):
        evenings.remove_player(viewer=bob, evening=evening, ref=ref)


def test_the_same_player_sits_at_another_table_later(bob, evening, match):
    other = evenings.add_table(viewer=bob, evening=evening, name="Table 5")
    refs = [player.ref for player in evenings.roster(evening)][:2]

    later = evenings.start_match(viewer=bob, table=other, match_format="points", refs=refs)

    assert later.name == "Table 5 · 1"
    assert [seat.player.name for seat in later.seats.order_by("seat")] == ["Asha", "Bilal"]


@pytest.mark.parametrize(
    ("match_format", "count", "said"),
    [
        ("pool-101", 1, "Choose 2 to 6 players; 1 are chosen"),
        ("pool-0", 3, "expected one of"),
        ("deals-", 3, "expected one of"),
        ("best-of-3", 3, "expected one of"),
    ],
)
def test_a_match_that_cannot_be_is_refused(bob, table, match_format, count, said):
    evening = table.evening
    refs = [player.ref for player in evenings.roster(evening)][:count]
    with pytest.raises(NotPossibleError, match=said):
        evenings.start_match(viewer=bob, table=table, match_format=match_format, refs=refs)
    assert TableMatch.objects.count() == 0


def test_rules_of_the_club_are_chosen_while_they_hold(bob, alice):
    made = make_ruleset_version(
        viewer=alice, slug="ours", name="Our rules", base="indian-13", settings={"cap": 100}
    )
    assert ("ours@1", "Our rules (ours@1)") not in to_choose(bob, DAY)
    activate_ruleset(viewer=alice, version=made, valid_from=DAY)

    assert to_choose(bob, DAY)[0] == ("ours@1", "Our rules (ours@1)")
    evening = evenings.make_evening(
        viewer=bob, name="Ours", date=DAY, ruleset="ours@1", correction_minutes=5
    )
    assert evenings.rules_of(evening, match_format="points").number("cap") == 100


# --- the link of a table -----------------------------------------------------------------------


def test_a_new_link_ends_the_one_before(bob, table):
    _old, first = evenings.make_table_link(viewer=bob, table=table)
    _new, second = evenings.make_table_link(viewer=bob, table=table)

    assert links.link_of(first, kind=LinkKind.TABLE) is None
    assert evenings.table_of_link(second)[1] == table
    evenings.end_table_link(viewer=bob, table=table)
    assert evenings.table_of_link(second) is None


def test_a_link_opens_its_table_and_nothing_else_of_the_club(stranger, token, match, send):
    send(b"hand X rhl=1 ruleset=indian-13 detail=scores\nplayer 1 A\nscore 1=0\nend\n")
    viewer, table = evenings.table_of_link(token)

    assert list(Table.objects.for_user(viewer)) == [table]
    assert list(HandLog.objects.for_user(viewer)) == []
    page = stranger.get(f"/t/{token}/")
    assert page.headers["Cache-Control"].count("no-store") == 1
    # Elsewhere they are nobody: asked to sign in.
    evening = f"/evenings/{table.evening.public_id}"
    for address in ("/evenings", evening, f"/tables/{table.public_id}/"):
        answer = stranger.get(address)
        assert (answer.status_code, answer.headers.get("Location")) == (
            302,
            f"/account/login/?next={address}",
        )


def test_a_link_that_has_ended_says_whom_to_ask(stranger, bob, table, token):
    evenings.end_table_link(viewer=bob, table=table)

    page = stranger.get(f"/t/{token}/")

    assert page.status_code == 404
    assert "Ask the scorekeeper for the table’s new QR code" in page.content.decode()
    assert stranger.post(f"/t/{token}/deals", fields()).status_code == 404


def test_a_link_of_another_kind_opens_no_table(bob, table):
    _link, token = links.make_link(bob, kind=LinkKind.SHARE, scope={"table": table.public_id})
    assert evenings.table_of_link(token) is None


def test_the_code_is_seen_once(signed_in, bob, table):
    client = signed_in(bob)
    page = client.post(f"/tables/{table.public_id}/link").content.decode()
    token = re.search(r"/t/([\w-]+)/", page)[1]

    assert "<svg" in page
    assert evenings.table_of_link(token)[1] == table
    again = client.get(f"/tables/{table.public_id}/link").content.decode()
    assert token not in again
    assert "cannot be shown again" in again


# --- the pages ---------------------------------------------------------------------------------


def test_an_evening_is_made_and_played_by_its_pages(signed_in, bob):
    client = signed_in(bob)
    made = {
        "name": "Sunday",
        "date": "2026-11-29",
        "ruleset": "indian-13@1",
        "correction_minutes": "20",
    }
    address = client.post("/evenings/new", made).url
    client.post(f"{address}/players", {"names": "Asha\nBilal, Billy\n\n"})
    client.post(f"{address}/tables", {"name": " Table  1 "})
    table = Table.objects.get()
    refs = [player.ref for player in evenings.roster(table.evening)]
    base = f"/tables/{table.public_id}/"
    seats = {"player": refs, f"seat-{refs[0]}": "2", f"seat-{refs[1]}": "1"}
    client.post(f"{base}match", {"kind": "deals", "of": "2", **seats})
    client.post(f"{base}deals", fields(winner="1", p2="30"))

    match = TableMatch.objects.get()
    assert (match.name, match.format) == ("Table 1 · 1", "deals-2")
    page = client.get(address).content.decode()
    assert "Billy" in page
    assert re.search(r"Bilal</span> <strong>190</strong>.*Asha</span> <strong>130", page, re.DOTALL)


def test_a_deal_sent_twice_is_kept_once_and_a_script_is_told(stranger, token, match):
    stranger.get(f"/t/{token}/")
    sent = [
        stranger.post(f"/t/{token}/deals", fields(), headers={"X-Fragment": "deal"}).json()
        for _time in range(2)
    ]

    assert [each["status"] for each in sent] == ["kept", "kept"]
    assert HandLog.objects.count() == 1
    assert "Deal 2" in sent[0]["html"]
    other = stranger.post(
        f"/t/{token}/deals", fields(key="k2", p2="35", p3="20"), headers={"X-Fragment": "deal"}
    ).json()
    assert other["status"] == "differs"
    same = stranger.post(
        f"/t/{token}/deals", fields(key="k3"), headers={"X-Fragment": "deal"}
    ).json()
    assert same["status"] == "same"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (fields(p2="34"), "Enter a number or a mark for Chitra."),
        (fields(p2="3x", p3="2"), "is no number of points"),
        (fields(p2="-4", p3="2"), "is no number of points"),
        (fields(winner="9"), "Tap who won the deal."),
    ],
)
def test_what_was_typed_stays_when_something_is_missing(stranger, token, match, sent, said):
    page = stranger.post(f"/t/{token}/deals", sent)

    assert page.status_code == 422
    assert said in page.content.decode()
    assert f'value="{sent["p2"]}"' in page.content.decode()
    assert f'name="key" value="{sent["key"]}"' in page.content.decode()
    assert HandLog.objects.count() == 0


def test_a_correction_shows_what_it_moves_and_saves_what_was_looked_at(stranger, token, match):
    stranger.get(f"/t/{token}/")
    stranger.post(f"/t/{token}/deals", fields())
    address = f"/t/{token}/deals/1/1"
    sent = {"winner": "1", "p2": "134", "p3": "20", "reason": "134", "version": "1"}

    page = stranger.post(address, {**sent, "step": "look"}).content.decode()

    assert "Out: Bilal." in page
    assert HandLog.objects.get().version == 1
    assert stranger.post(address, {**sent, "step": "save"}).status_code == 302
    assert HandLog.objects.get().version == 2
    late = stranger.post(address, {**sent, "step": "save"})
    assert "Somebody has corrected this deal meanwhile" in late.content.decode()
    assert HandLog.objects.get().version == 2


def test_another_phone_confirms_and_the_table_locks(stranger, token, match):
    other = type(stranger)()
    stranger.get(f"/t/{token}/")
    stranger.post(f"/t/{token}/deals", fields())
    confirmed = {"match": "1", "c1": "1", "seat": "3"}

    assert "Confirm 1 deal" not in stranger.get(f"/t/{token}/").content.decode()
    stranger.post(f"/t/{token}/confirm", confirmed)
    assert DealEntry.objects.get().state == "entered"
    assert "Confirm 1 deal" in other.get(f"/t/{token}/").content.decode()
    other.post(f"/t/{token}/confirm", confirmed)
    assert DealEntry.objects.get().state == "confirmed"
    assert DealEntry.objects.get().confirmed_seat == 3
    other.post(f"/t/{token}/lock", {"match": "1"})
    assert TableMatch.objects.get().locked_at is not None


def test_the_show_pad_judges_by_the_rules_of_the_match(stranger, token, match):
    cards = "5H 6H 7H 2C 3C 4C KS KH KD 6D 7D QS 9D"
    page = stranger.get(f"/t/{token}/show", {"seat": "2", "cards": cards}).content.decode()

    assert "Take 32 points" in page
    assert re.search(r"\?p2=32&amp;shown2=Bilal\+showed", page)
    grouped = "5H 6H 7H | KS KH KD | 6D 7D QS 9D 2C 3C 4C 4C 4C"
    page = stranger.get(f"/t/{token}/show", {"seat": "2", "cards": grouped}).content.decode()
    assert "Charge a wrong declaration: 80 points" in page
    assert "15 of 13 cards so far." in page
    assert "4♣ stands there 3 times; the pack has 2." in page
    assert stranger.get(f"/t/{token}/show", {"seat": "7"}).status_code == 404


def test_a_player_who_shows_a_right_hand_has_won(stranger, token, match):
    cards = "4H 5H 6H 7H | 8S 9S TS | 9H 9D 9C | KD KS KH"
    page = stranger.get(f"/t/{token}/show", {"seat": "3", "cards": cards}).content.decode()
    assert "Chitra has won" in page
    assert re.search(r"\?winner=3&amp;", page)


def test_another_club_finds_nothing(signed_in, mallory, evening, match):
    client = signed_in(mallory)
    table = match.table.public_id
    for address in (
        f"/evenings/{evening.public_id}",
        f"/tables/{table}/",
        f"/tables/{table}/link",
        f"/tables/{table}/deals/1/1",
    ):
        assert client.get(address).status_code == 404
    for address in ("deals", "confirm", "lock", "match", "match/drop"):
        assert client.post(f"/tables/{table}/{address}", fields()).status_code == 404
    assert client.post(f"/tables/{table}/link").status_code == 404
    assert (Link.objects.count(), HandLog.objects.count()) == (0, 0)


def test_a_player_reads_the_evening_and_enters_nothing(signed_in, dora, evening, match):
    client = signed_in(dora)
    page = client.get(f"/evenings/{evening.public_id}").content.decode()
    assert "Table 4" in page
    assert "Enter deals" not in page
    assert client.post(f"/tables/{match.table.public_id}/deals", fields()).status_code == 403


# --- the club's rules --------------------------------------------------------------------------


def test_rules_are_written_put_in_force_and_shown_with_their_sources(signed_in, alice):
    client = signed_in(alice)
    sent = {"base": "indian-13@1", "name": "Our rules", "cap": "100", "first_drop": "20"}

    made = client.post("/club/rules/new", sent)

    assert made.url == "/club/rules/our-rules/1"
    page = client.get(made.url).content.decode()
    # Only what differs: a value like the preset's is no rule of the club.
    assert "first_drop" not in page
    assert re.search(
        r"Most points of a hand</span></a>.*<strong>100</strong>.*own rule of the club.*>80",
        page,
        re.DOTALL,
    )
    client.post(f"{made.url}/activate", {"valid_from": "2026-11-01"})
    assert "In force from 1 November 2026" in client.get(made.url).content.decode()
    following = client.post("/club/rules/our-rules/next", {**sent, "cap": "90"})
    assert following.url == "/club/rules/our-rules/2"
    assert "our-rules@1" in client.get("/club/rules").content.decode()


def test_rules_that_contradict_each_other_are_refused_with_their_names(signed_in, alice):
    sent = {
        "base": "indian-13@1",
        "name": "Odd",
        "set_min": "4",
        "set_max": "3",
        "cap": "-1",
        "ace": "sideways",
    }
    page = signed_in(alice).post("/club/rules/new", sent)

    text = page.content.decode()
    both = "<strong>Least cards of a set, Most cards of a set</strong>"
    assert f'{both} <code class="code">set_min, set_max</code>: set_min=4, set_max=3' in text
    assert '<code class="code">cap</code>: -1, expected' in text
    assert '<code class="code">ace</code>: sideways, expected one of' in text
    assert 'value="-1"' in text


def test_only_who_may_write_rules_does(signed_in, bob, mallory, alice):
    sent = {"base": "indian-13@1", "name": "Our rules", "cap": "100"}
    assert signed_in(bob).post("/club/rules/new", sent).status_code == 403
    signed_in(alice).post("/club/rules/new", sent)
    assert signed_in(mallory).get("/club/rules/our-rules/1").status_code == 404


def test_the_owner_switches_money_on_and_off(signed_in, alice, bob, club):
    assert signed_in(bob).post("/club/money", {"money": "on"}).status_code == 403
    client = signed_in(alice)
    client.post("/club/money", {"money": "on"})

    club.refresh_from_db()
    assert club.money
    assert "This club plays for money" in client.get("/club/rules").content.decode()
    client.post("/club/money", {"money": "off"})
    club.refresh_from_db()
    assert not club.money
    trail = TrailEntry.objects.filter(verb="club.money").order_by("pk")
    assert [entry.after for entry in trail] == [{"money": True}, {"money": False}]


def test_a_name_with_what_no_log_takes_is_kept_without_it(bob, evening):
    (player,) = evenings.add_players(
        viewer=bob, evening=evening, named=[Named.of_line("Ch\0itra K, Chi\0ts")]
    )
    table = evenings.add_table(viewer=bob, evening=evening, name="T\x004")

    assert (player.name, player.aliases, table.name) == ("Chitra K", ["Chits"], "T4")
