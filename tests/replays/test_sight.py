"""What somebody may not see of a hand is in nothing that they are answered (issue thread 46)."""

import functools
import itertools
import re
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replays import keys, links, queries, search, sight, wording
from replays.audit import audit_due
from replays.cases import open_case
from replays.models import Club, HandLog, LogBatch, Player, Seat
from replays.models.keys import LinkKind
from replays.models.people import Role, Scope
from replays.sight import PUBLIC, WHOLE, Sight
from rummy_audit.rhl import write
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Draw
from rummy_audit.rules import rulesets
from rummy_audit.rules.replay import replay
from tests.api.conftest import Program
from tests.replays.conftest import join

CORPUS = Path("tests/corpus")
FAMILIES = ("indian", "basic", "gin", "tile")
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


# --- a hidden card, followed through every answer --------------------------------------------


@functools.cache
def corpus(family):
    """Return hands of a family with every card known, some of them faulty."""
    found = (read(path.read_bytes()) for path in sorted((CORPUS / family).glob("faulty.rhl.jsonl")))
    full = (hand for hand in itertools.chain(*found) if hand.record.detail == "full")
    return list(itertools.islice(full, 12))


def faces_of(event):
    """Return every face that an event names."""
    found = [getattr(event, name, None) for name in ("card", "discard")]
    for name in ("cards", "loose"):
        found += getattr(event, name, None) or ()
    for name in ("groups", "table"):
        found += [card for group in getattr(event, name, None) or () for card in group]
    return {card for card in found if card and card not in ("??", "JK")}


def lay_open(event, seat):
    """Whether this seat could see the cards of an event; None: whether the table could."""
    word = type(event).__name__
    if word in ("Deck", "Amend", "Note", "UnknownEvent"):
        return False
    if seat is not None and getattr(event, "seat", None) == seat:
        return True
    hidden = {
        "Deal": True,
        "Penalty": True,
        "Draw": getattr(event, "from_", "") == "stock",
        "Discard": bool(getattr(event, "facedown", False)),
        "Reshuffle": not getattr(event, "turned", False),
        "Irregularity": getattr(event, "kind", "") not in ("exposed-card", "looked-back"),
    }
    return not hidden.get(word, False)


def secrets(hand, seat):
    """Return the faces of a hand that this seat has never seen."""
    named = set().union(*map(faces_of, hand.events))
    return named - set().union(*(faces_of(e) for e in hand.events if lay_open(e, seat)), set())


def said(response):
    """Return what an answer says, with signs as they are."""
    content = b"".join(response.streaming_content) if response.streaming else response.content
    text = content.decode()
    for escaped, sign in (("\\u2660", "♠"), ("\\u2665", "♥"), ("\\u2666", "♦"), ("\\u2663", "♣")):
        text = text.replace(escaped, sign)
    headers = " ".join(f"{name}: {value}" for name, value in response.items())
    return unquote_plus(f"{headers}\n{text}")


def told(text, faces):
    """Return which of these faces stand in a text, however they are written."""
    return {
        face
        for face in faces
        for written in {face, wording.short(face), wording.spoken(face)}
        if re.search(rf"(?<![\w#-]){re.escape(written)}(?![\w])", text)
    }


FIRST = ("hand", "hand-report", "under")
REST = ("hand-match", "what-if", "shares")
LISTS = ("home", "hands", "hands-csv", "matches", "matches-csv", "season", "cases")


def pages(client, log, seat, names=(*FIRST, *REST), lists=LISTS):
    """Ask for every page about a hand."""
    one = [reverse(name, args=[log.public_id]) for name in names]
    steps = reverse("hand-steps", args=[log.public_id])
    one += [reverse("hand-log", args=[log.public_id, form]) for form in ("rhl", "rhl.jsonl")]
    one += [steps, f"{steps}?seat={seat}", f"{steps}?view=recorded", f"{one[0]}?seat={seat}"]
    one += [reverse(name) for name in lists]
    one += [reverse("case", args=[case.number]) for case in log.cases.all()]
    one.append(f"{reverse('case-new')}?hand={log.public_id}&seq={log.seq}")
    return [client.get(path) for path in one]


def answers(program, log, seat):
    """Ask for everything about a hand over the API."""
    hand = f"hands/{log.public_id}"
    asked = ["hands", hand, f"{hand}/log", f"{hand}/report", f"{hand}/findings", f"{hand}/steps"]
    asked += [f"{hand}/steps?seat={seat}", "verdicts", "matches", "export", "cases"]
    asked += ["export/hands.csv", "export/findings.csv"]
    found = [program.get(path) for path in asked]
    found.append(program.get(f"{hand}/log", headers={"accept": "text/plain"}))
    ahead = {"expect": log.seq + 5, "events": [{"type": "note", "text": "?"}]}
    differs = {"expect": 0, "events": [{"type": "note", "text": "?"}]}
    found += [program.send(f"{hand}/events", body) for body in (ahead, differs)]
    return found


@pytest.fixture
def everybody(club, dora, bob):
    """Those who may not see all, and how they ask; ``bob``, who may, shows that they could."""
    vera = join(club, "vera", Role.VIEWER)
    few = (Scope.HANDS_READ, Scope.HANDS_WRITE, Scope.EXPORT, Scope.CASES_READ)
    _key, secret = keys.make_key(bob, name="tables", scopes=few)
    clients = {name: Client() for name in ("dora", "vera", "bob")}
    for name, viewer in (("dora", dora), ("vera", vera), ("bob", bob)):
        clients[name].force_login(viewer.user)
    program = Program(secret)

    def shared(log, seat):
        scope = {"hand": log.public_id, "seat": seat, "seq": None}
        _link, token = links.make_link(bob, kind=LinkKind.SHARE, scope=scope)
        return Client().get(reverse("shared", args=[token]))

    return {
        "player": lambda log, seat, other: pages(clients["dora"], log, other),
        "viewer": lambda log, seat, other: pages(clients["vera"], log, other, FIRST, ()),
        "key": lambda log, seat, other: answers(program, log, other),
        "link": lambda log, seat, other: [shared(log, None)],
        "link of a seat": lambda log, seat, other: [shared(log, seat)],
        "all": lambda log, seat, other: [
            clients["bob"].get(reverse("hand-log", args=[log.public_id, "rhl"]))
        ],
    }


@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    chosen=st.tuples(
        st.sampled_from(FAMILIES),
        st.integers(0, 11),
        st.sampled_from([0.2, 0.5, 0.8, 1, "ended"]),
        st.integers(0, 3),
    )
)
def test_a_hidden_card_is_in_no_answer(table, everybody, dora, chosen):
    family, number, moment, place = chosen
    hand = corpus(family)[number % len(corpus(family))]
    lines = hand.lines
    if moment != "ended":
        lines = lines[: 1 + max(4, int(moment * (hand.ended_after or len(hand.events))))]
    seen = next(iter(read(b"\n".join(lines))))
    sitting = sorted(player.seat for player in hand.record.players)
    seat = sitting[place % len(sitting)]
    other = sitting[(place + 1) % len(sitting)]
    with transaction.atomic():
        Club.objects.update(opens_after=None, opens_hands=True)
        log = table(b"\n".join(lines), seat)
        audit_due()
        log.refresh_from_db()
        open_case(dora, log=log, kind="conduct", seq=log.seq, text="Something was odd about this.")
        for who, ask in everybody.items():
            hidden = secrets(seen, seat if who in ("player", "link of a seat") else None)
            told_of = [(told(text, hidden), text) for text in map(said, ask(log, seat, other))]
            if who == "all":
                assert not hidden or set().union(*(faces for faces, _text in told_of)) == hidden
                continue
            assert [faces for faces, _text in told_of if faces] == [], (who, chosen)
            digests = (log.head, log.chain.hex(), log.core_digest)
            assert [each for each in digests for _faces, text in told_of if each in text] == []
        transaction.set_rollback(True)
