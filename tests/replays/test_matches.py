"""Matches as they are stored: dirty when a hand changes, audited once for many, and their pages."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db.models.functions import Now
from django.urls import reverse

from replays import match_audits, match_work, queries, reauditing, standings, stopping, work
from replays.models import HandLog, MatchFinding, MatchRow, MatchSeat
from replays.models.matches import DIRTY
from rummy_audit.rules.matches import audit_match
from rummy_audit.rules.report import ENGINE

CORPUS = Path(__file__).parents[1] / "corpus"

DEALS = (
    "1=0 2=60 3=10 totals 1=0 2=50 3=10",
    "1=0 2=45 3=10 totals 1=0 2=95 3=20",
    "1=20 2=0 3=10 totals 1=20 2=95 3=30",
)


def deal(number, score, *, match="M1", event="", names=("Asha", "Bilal", "Chitra"), more=""):
    """One deal of a pool as a score sheet has it."""
    players = "".join(f'player {seat} "{name}"\n' for seat, name in enumerate(names, 1))
    return (
        f"hand {match}-{number} rhl=1 ruleset=indian-13 detail=scores"
        f"{f' event={event}' if event else ''}\n{players}"
        f"match {match} format=pool-101 deal={number} {more}\nscore {score}\nend\n"
    ).encode()


def whole(scores=DEALS, **fields):
    return b"".join(deal(number, score, **fields) for number, score in enumerate(scores, 1))


def settle():
    """Audit what is owed now, without the pause; gives how many audits it took."""
    MatchRow.objects.update(due=Now())
    done = 0
    # On a busy machine one turn's time may not be enough for all.
    while audited := match_audits.audit_due():
        done += audited
    return done


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def found(row):
    return list(row.findings.order_by("number").values_list("log__name", "code", "seq", "seat"))


@pytest.mark.storage
def test_thirty_deals_that_come_together_are_one_audit(send):
    for number in range(1, 31):
        send(deal(number, "1=0 2=2 3=3"))
    row = MatchRow.objects.get()
    assert (row.version, row.audited_version) == (30, 0)

    assert settle() == 1
    row.refresh_from_db()
    assert (row.version, row.audited_version, row.deal_count) == (30, 30, 30)
    assert (row.verdict, row.is_dirty) == ("clean", False)
    assert settle() == 0


def test_while_many_hands_wait_for_their_verdict_only_the_oldest_matches_are_audited(
    send, settings
):
    settings.AUDIT_BATCH = 1
    send(whole(DEALS))
    assert settle() == 0
    MatchRow.objects.update(due=Now() - match_work.PATIENCE)
    assert match_audits.audit_due() == 1


def test_a_worker_that_is_to_stop_puts_down_the_matches_that_it_has_not_begun(send, monkeypatch):
    for name in ("M1", "M2", "M3"):
        send(whole(match=name))
    MatchRow.objects.update(due=Now())
    played = standings.played

    def asked_meanwhile(row):
        stopping.ask()
        return played(row)

    monkeypatch.setattr(standings, "played", asked_meanwhile)
    try:
        assert match_audits.audit_due() == 1
        assert match_audits.audit_due() == 0
    finally:
        stopping._asked[0] = 0
    left = MatchRow.objects.filter(DIRTY).values_list("attempts", "lease")
    assert list(left) == [(0, ""), (0, "")]
    monkeypatch.undo()
    assert match_audits.audit_due() == 2
    assert MatchSeat.objects.count() == 9


@pytest.mark.storage
def test_a_hand_that_comes_while_its_match_is_audited_has_it_audited_again(send):
    send(whole(DEALS[:1]))
    MatchRow.objects.update(due=Now())
    (row,) = work.claim(MatchRow, only=DIRTY, most=5)
    played = standings.played(row)
    send(deal(2, DEALS[1]))

    assert not match_audits._store(row, played, standings.audited(played))
    row.refresh_from_db()
    assert (row.verdict, row.lease, row.is_dirty) == ("waiting", "", True)
    assert match_audits.audit_due() == 1
    row.refresh_from_db()
    assert (row.verdict, row.deal_count, row.is_dirty) == ("flagged", 2, False)


@pytest.mark.storage
def test_an_amended_hand_makes_its_match_dirty_and_the_finding_goes(send):
    send(whole())
    settle()
    row = MatchRow.objects.get()
    assert found(row) == [
        ("M1-1", "total-wrong", 1, 2),
        ("M1-3", "eliminated-player-dealt-in", 0, 2),
    ]

    amended = deal(1, DEALS[0]) + b"amend 1 by=Dev : score 1=0 2=50 3=10 totals 1=0 2=50 3=10\n"
    send(amended)
    row.refresh_from_db()
    assert row.is_dirty
    settle()
    row.refresh_from_db()
    assert (row.verdict, found(row)) == ("clean", [])
    assert list(row.seats.order_by("seat").values_list("seat", "total", "points", "won")) == [
        (1, 20, 20, False),
        (2, 95, 95, False),
        (3, 30, 30, False),
    ]


def test_a_match_whose_audit_cannot_be_is_failed_with_the_reason_until_a_hand_changes(send, client):
    send(
        deal(1, "1=0 2=2 3=3") + b"amend 0 by=Dev : hand ruleset=indian-13 detail=scores ; "
        b"player 1 A ; player 2 B ; player 3 C\n"
    )
    settle()
    row = MatchRow.objects.get()
    assert (row.verdict, row.failed, row.reason) == (
        "failed",
        True,
        "none of its hands can be judged",
    )

    send(deal(2, "1=0 2=2 3=3"))
    settle()
    row.refresh_from_db()
    assert (row.failed, row.deal_count) == (False, 1)


def test_what_another_engine_made_of_a_match_is_not_shown_for_ours(send):
    send(deal(1, "1=0 2=2 3=3"))
    settle()
    row = MatchRow.objects.get()
    assert standings.stored(row) is not None

    row.engine = "0.0.1"
    assert standings.stored(row) is None


@pytest.mark.parametrize("family", ["indian", "basic", "gin", "tile"])
def test_what_is_stored_of_a_match_says_the_same_as_its_audit(send, family):
    for path in sorted((CORPUS / family).glob("matches*.rhl.jsonl")):
        send(path.read_bytes(), file=path.name, source=path.name)
    settle()
    rows = list(MatchRow.objects.all())
    for row in rows:
        fresh = audit_match([each.deal for each in standings.played(row)])
        stored = standings.stored(row)
        assert json.dumps(stored.to_report()) == json.dumps(fresh.to_report())
        assert stored.rows == fresh.rows
        assert (row.verdict, row.winner) == (fresh.verdict, fresh.winner)
        assert [(hand, code, seq, seat) for hand, code, seq, seat in found(row)] == [
            (each.hand, each.finding.code, each.finding.seq, each.finding.seat)
            for each in fresh.findings
        ]
    assert bool(rows) is (family != "tile")  # there are no matches of tiles in the corpus


def test_the_indian_corpus_gives_every_labelled_fault_and_nothing_false(send):
    path = CORPUS / "indian" / "matches-faulty.rhl.jsonl"
    lines = path.with_name("matches-faulty.labels.jsonl").read_text("utf-8").splitlines()
    labels = [json.loads(line) for line in lines]
    send(path.read_bytes())
    settle()
    of_match = set(
        MatchFinding.objects.exclude(severity="note").values_list(
            "match__name", "code", "log__name", "seq"
        )
    )
    expected = {
        (label["match"], code, label["hand"], label["seq"][0])
        for label in labels
        for code in label["must"]
    }
    allowed = {(label["match"], code) for label in labels for code in label.get("allow", ())}

    stray = {each for each in of_match - expected if each[:2] not in allowed}
    assert stray == set()
    # What is not the match's own stands in the report of the hand.
    missing = {code for _match, code, _hand, _seq in expected - of_match}
    assert missing <= {"score-wrong", "penalty-points-wrong", "score-impossible", "amount-wrong"}


def test_a_hand_of_another_game_in_a_match_is_named_and_not_added_up(send):
    other = deal(2, "1=0 2=20").replace(b"indian-13", b"tile-easy").replace(b"pool-101", b"target")
    first = deal(1, "1=0 2=20").replace(b"indian-13", b"gin").replace(b"pool-101", b"target")
    two = b'player 3 "Chitra"\n'
    send(first.replace(two, b"") + other.replace(two, b""))
    settle()
    row = MatchRow.objects.get()

    assert found(row) == [("M1-2", "match-settings-differ", 0, None)]
    assert (row.family, row.verdict) == ("gin", "flagged")


def test_matches_of_hands_from_before_are_owed_their_audit(send):
    send(whole(event="e1") + whole(match="M2", event="e1"))
    marked = set(MatchRow.objects.values_list("club", "identity", "source", "event", "name"))
    MatchRow.objects.all().delete()
    import_module("replays.migrations.0007_matches").owe_audits(apps, None)

    assert (
        set(MatchRow.objects.values_list("club", "identity", "source", "event", "name")) == marked
    )
    assert settle() == 2


def test_a_new_engine_has_every_match_of_hands_that_are_judged_again_audited_again(send):
    send(whole() + whole(match="M2"))
    settle()
    MatchRow.objects.update(engine="0.0.1")
    pks = list(HandLog.objects.values_list("pk", flat=True))

    reauditing.judge_again(pks, dry=True)
    assert settle() == 0
    reauditing.judge_again(pks, dry=False)
    assert settle() == 2
    assert set(MatchRow.objects.values_list("engine", flat=True)) == {ENGINE}
    reauditing.judge_again(pks, dry=False)
    assert settle() == 0


# --- pages -------------------------------------------------------------------------------------


@pytest.fixture
def bob_here(bob, signed_in):
    return signed_in(bob)


def test_the_page_says_who_is_out_where_a_total_is_wrong_and_what_was_written(send, bob_here):
    send(whole())
    settle()
    row = MatchRow.objects.get()
    said = text_of(bob_here.get(reverse("match", args=[row.public_id])))

    assert "The match is not over. Still in: Asha, Chitra." in said
    assert "60 60 ● written 50" in said
    assert "105 · out" in said
    assert "eliminated-player-dealt-in" in said
    # What is as it should be is not set against itself.
    assert "Recorded 105 By the rules 105" not in said
    assert "Totals by the rules 20 105 30" in said


@pytest.mark.parametrize("state", ["waiting", "audited"])
def test_the_page_is_the_same_before_and_after_the_audit(send, bob_here, state):
    send(whole())
    if state == "audited":
        settle()
    row = MatchRow.objects.get()
    page = bob_here.get(reverse("match", args=[row.public_id]))

    assert page.context["waiting"] is (state == "waiting")
    assert page.context["totals"] == [20, 105, 30]
    assert [each["item"]["finding"].code for each in page.context["findings"]] == [
        "total-wrong",
        "eliminated-player-dealt-in",
    ]


def test_the_chart_has_a_line_a_seat_and_no_name_becomes_a_tag(send, bob_here):
    send(whole(names=("<script>x", "B&B", "Chitra Krishnan")))
    page = bob_here.get(reverse("match", args=[MatchRow.objects.get().public_id]))
    chart = re.search(r"<svg.*</svg>", page.content.decode(), re.DOTALL)[0]

    assert chart.count("<polyline") == 3
    assert re.findall(r'<text[^>]*class="name"[^>]*>([^<]*)<', chart) == [
        "&lt;script&gt;x",
        "B&amp;B",
        "Chitra Kri…",
    ]
    assert "style" not in chart
    assert 'class="limit"' in chart


def test_one_deal_has_no_chart(send, bob_here):
    send(deal(1, "1=0 2=2 3=3"))
    page = bob_here.get(reverse("match", args=[MatchRow.objects.get().public_id]))

    assert b"<svg" not in page.content


def test_the_old_address_leads_to_the_match(send, bob_here):
    send(whole())
    log = HandLog.objects.first()
    row = MatchRow.objects.get()

    page = bob_here.get(reverse("hand-match", args=[log.public_id]))
    assert (page.status_code, page["Location"]) == (302, reverse("match", args=[row.public_id]))
    report = bob_here.get(reverse("match-report", args=[row.public_id])).json()
    assert report["totals"] == {"1": 20, "2": 105, "3": 30}


def test_the_hand_shows_what_its_match_has_found_there_and_searches_find_it(send, bob, bob_here):
    send(whole())
    settle()
    third = HandLog.objects.get(name="M1-3")

    said = text_of(bob_here.get(reverse("hand", args=[third.public_id])))
    assert "In the match" in said
    assert "eliminated-player-dealt-in" in said
    assert [each.name for each in queries.hand_page(bob, code="total-wrong").rows] == ["M1-1"]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_one_match_or_three(
    send, bob_here, count, django_assert_num_queries
):
    send(b"".join(whole(match=f"M{number}") for number in range(count)))
    settle()
    bob_here.get(reverse("matches"))
    # session, person, membership, matches, last deals, seats, flagged deals
    with django_assert_num_queries(6):
        said = text_of(bob_here.get(reverse("matches")))
    assert said.count("flagged 101 pool 3 2 errors") == count


def test_matches_are_listed_by_verdict_and_event_newest_first_with_their_winner(send, bob_here):
    send(whole(event="e1"))
    send(whole(("1=0 2=80 3=80", "1=0 2=30 3=40"), match="M2", event="e2"))
    settle()

    def listed(query):
        page = bob_here.get(reverse("matches") + query)
        return [(each.name, each.winner_name) for each, _words, _flagged in page.context["matches"]]

    assert listed("") == [("M2", "Asha"), ("M1", None)]
    assert listed("?verdict=clean") == [("M2", "Asha")]
    assert listed("?event=e1") == [("M1", None)]
    assert listed("?verdict=nonsense&before=x") == [("M2", "Asha"), ("M1", None)]


@pytest.mark.parametrize("name", ["match", "match-report"])
def test_a_match_of_another_club_is_missing(send, mallory, signed_in, name):
    send(whole())
    row = MatchRow.objects.get()

    assert signed_in(mallory).get(reverse(name, args=[row.public_id])).status_code == 404
    page = signed_in(mallory).get(reverse("matches"))
    assert list(page.context["matches"]) == []
    assert not MatchSeat.objects.for_user(mallory).exists()


def test_amounts_are_shown_only_where_the_club_shows_money(send, club, bob_here):
    paid = "1=0 2=101 3=101 winner=1 amounts 1=150"
    send(deal(1, paid, more="entry_fee=50 fee=0"))
    row = MatchRow.objects.get()
    address = reverse("match", args=[row.public_id])

    assert "150" not in text_of(bob_here.get(address))
    club.money = True
    club.save()
    assert "1 150 – –" in text_of(bob_here.get(address)).split("Money")[1]
