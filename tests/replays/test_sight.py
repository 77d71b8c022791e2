"""What somebody may not see of a hand is in nothing that they are answered (issue thread 46)."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from replays import queries, search, sight
from replays.audit import audit_due
from replays.models import Club, HandLog, LogBatch, Player, Seat
from replays.models.people import Role
from replays.sight import PUBLIC, WHOLE, Sight
from rummy_audit.rhl import write
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Draw
from rummy_audit.rules import rulesets
from rummy_audit.rules.replay import replay
from tests.replays.conftest import join

GOLDEN = sorted(Path("tests/hands").glob("*.rhl"))
SEED = "sixteen-random-bytes"

FULL = """\
hand T4-17 rhl=1 ruleset=indian-13 detail=full _mark="QH at seat 2"
player 1 Asha
player 2 Bilal
shuffle scheme=rhl-shuffle-1 commit=00ff nonce=1
deck 4H 2H 5H 3H 6H 4S 7H 9S 8S JD 9S QD TS KD
deal 1 4H 5H 6H 7H 8S 9S TS 9H 9D 9C KD KS KH
deal 2 2H 3H 4H 9S JD QD KD 2C 8H 9C 3S TD 4C
upcard QC
wild 7D
draw 1 stock AS note="he sighed over the 4C"
discard 1 AS
draw 2 stock 5S
discard 2 JD
irregularity saw-card 1 6C
note "Bilal holds the TD"
"""


def one(text):
    return next(iter(read(text.encode())))


# --- the hand as somebody may see it ---------------------------------------------------------


def test_a_seat_sees_its_own_cards_and_what_lay_open():
    assert write.to_text(sight.redacted(one(FULL), Sight(whole=False, seats=frozenset({2})))) == (
        "hand T4-17 rhl=1 ruleset=indian-13 detail=table\n"
        "player 1 Asha\n"
        "player 2 Bilal\n"
        "shuffle scheme=rhl-shuffle-1 commit=00ff nonce=1\n"
        "note Hidden until the hand is open to all.\n"
        "deal 1 x13\n"
        "deal 2 2H 3H 4H 9S JD QD KD 2C 8H 9C 3S TD 4C\n"
        "upcard QC\n"
        "wild 7D\n"
        "draw 1 stock\n"
        "discard 1 AS\n"
        "draw 2 stock 5S\n"
        "discard 2 JD\n"
        "irregularity saw-card 1\n"
        "note Hidden until the hand is open to all.\n"
    )


def test_who_sees_all_gets_the_log_itself():
    hand = one(FULL)

    assert sight.redacted(hand, WHOLE) is hand


def test_no_digest_over_hidden_cards_stays():
    head = "0" * 64
    hand = one(f"{FULL}reveal seed={SEED}\nend abandoned count=12 head={head}\n")

    seen = write.to_text(sight.redacted(hand, PUBLIC))

    assert [word for word in (head, SEED) if word in seen] == []
    assert seen.splitlines()[-1] == "end abandoned count=12"


def test_cards_amended_to_another_seat_stay_hidden_from_both():
    hand = one(f"{FULL}amend 7 by=scorer : draw 2 stock AS\n")

    seen = {
        seat: [
            each
            for each in sight.redacted(hand, Sight(whole=False, seats=frozenset({seat}))).events
            if isinstance(each, Draw) and each.card == "AS"
        ]
        for seat in (1, 2)
    }

    assert seen == {1: [], 2: []}


@pytest.mark.parametrize("path", GOLDEN[::9], ids=lambda path: path.stem)
def test_a_redacted_hand_is_never_judged_worse(path):
    """Nothing is made up: it is as wrong as the whole hand, or not known to be so."""
    for hand in read(path.read_bytes()):
        whole = replay(hand, rulesets.for_hand(hand.record)).verdict
        for seats in [(), *([each.seat] for each in hand.record.players)]:
            seen = sight.redacted(hand, Sight(whole=False, seats=frozenset(seats)))
            verdict = replay(seen, rulesets.for_hand(seen.record)).verdict
            assert verdict in {whole, "clean", "irregular", "unfinished"}
            assert whole != "clean" or verdict == "clean"


# --- who sees what, when ---------------------------------------------------------------------


@pytest.fixture
def table(club, send, dora):
    """An open hand with dora at seat 1; her player and its log."""

    def table(text=FULL, seat=1):
        send(text.encode() if isinstance(text, str) else text)
        log = HandLog.objects.order_by("-pk").first()
        player, _made = Player.objects.get_or_create(club=club, ref="d", user=dora.user)
        Seat.objects.filter(log=log, seat=seat).update(player=player)
        return log

    return table


def test_each_sees_what_is_theirs(table, bob, charlie, dora):
    log = table()
    guest = join(dora.club, "vera", Role.VIEWER)
    mine = Sight(whole=False, seats=frozenset({1}))

    assert [sight.sight_of(each, log) for each in (bob, charlie)] == [WHOLE] * 2
    assert sight.sight_of(dora, log) == mine
    assert sight.sight_of(guest, log) == PUBLIC
    assert mine.from_seat(2) == PUBLIC
    assert WHOLE.from_seat(2) == Sight(whole=False, seats=frozenset({2}))


def sights(club, viewer, log):
    return {
        hours: (
            sight.sight_of(_with(club, viewer, hours), log).whole,
            HandLog.objects.filter(sight.opened(_with(club, viewer, hours)), pk=log.pk).exists(),
        )
        for hours in (0, 5, None)
    }


def _with(club, viewer, hours):
    Club.objects.filter(pk=club.pk).update(opens_after=hours)
    club.refresh_from_db()
    viewer.club.opens_after = hours
    return viewer


@pytest.mark.storage
def test_a_club_says_how_long_after_its_end_a_hand_opens(club, table, dora, send, monkeypatch):
    log = table()
    assert sights(club, dora, log) == {0: (False, False), 5: (False, False), None: (False, False)}

    send(f"{FULL}end abandoned\n".encode())
    log.refresh_from_db()
    assert sights(club, dora, log) == {0: (True, True), 5: (False, False), None: (False, False)}

    later = timezone.now() + timedelta(hours=6)
    monkeypatch.setattr(timezone, "now", lambda: later)
    # What is amended later on does not close it again.
    send(f"{FULL}end abandoned\namend 8 by=scorer : discard 1 KH\n".encode())
    log.refresh_from_db()
    assert LogBatch.objects.filter(log=log, received_at=later).count() == 1
    assert sights(club, dora, log) == {0: (True, True), 5: (True, True), None: (False, False)}


@pytest.mark.storage
def test_lists_tell_no_verdict_that_may_rest_on_hidden_cards(club, table, dora, bob):
    log = table(f"{FULL}discard 2 KD\nend abandoned\n")
    audit_due()
    log.refresh_from_db()
    viewer = _with(club, dora, None)

    [shown] = queries.hand_page(viewer).rows
    assert (shown.verdict, shown.errors, shown.breaches) == ("waiting", 0, 0)
    assert queries.hand_page(viewer, verdict=log.verdict).rows == []
    assert queries.hand_page(viewer, verdict="waiting").rows == [log]
    code = log.findings.values_list("code", flat=True)[0]
    assert queries.hand_page(viewer, code=code).rows == []
    assert queries.hand_page(bob, code=code).rows == [log]
    wanted = search.Wanted(verdict=log.verdict)
    assert search.hands(viewer, wanted, before=None, most=9) == []
    assert search.hands(bob, wanted, before=None, most=9) == [log]


def test_a_list_asks_as_often_for_three_hands_as_for_one(club, table, dora):
    counts = []
    for number in (1, 3):
        for each in range(number):
            table(FULL.replace("T4-17", f"N{number}-{each}"))
        with CaptureQueriesContext(connection) as asked:
            queries.hand_page(dora)
        counts.append(len(asked))

    assert counts[0] == counts[1]
