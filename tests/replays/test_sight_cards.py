"""A hidden card is followed through every answer, and found in none before it was public."""

import functools
import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote_plus

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replays import keys, links, match_audits, wording
from replays.access import program
from replays.audit import audit_due
from replays.cases import open_case
from replays.models import Club, HandLog, MatchRow, Player, Seat, WebhookDelivery, default_club
from replays.models.keys import LinkKind
from replays.models.people import Role, Scope
from replays.webhooks import WebhookEvent, make_endpoint
from rummy_audit.rhl import canonical
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from tests.api.conftest import Program
from tests.effort import EFFORT, tries
from tests.replays.conftest import join, upload

pytestmark = pytest.mark.django_db
CORPUS = Path("tests/corpus")
FAMILIES = ("indian", "basic", "gin", "tile")
# In the middle of a hand most is hidden.
MOMENTS = (0.5, 0.8, 1, "ended", 0.2)
FEW = (Scope.HANDS_READ, Scope.HANDS_WRITE, Scope.EXPORT, Scope.CASES_READ, Scope.WEBHOOKS_WRITE)


@functools.cache
def corpus(family):
    """Return hands of a family with every card known, some of them faulty."""
    found = (read(path.read_bytes()) for path in sorted((CORPUS / family).glob("faulty.rhl.jsonl")))
    whole = (hand for hand in itertools.chain(*found) if isinstance(hand, Hand))
    full = (hand for hand in whole if hand.record.detail == "full")
    # Long hands show nothing that short ones do not, and take their time.
    short = (hand for hand in full if len(hand.events) <= 60 * EFFORT)
    return list(itertools.islice(short, 12 * EFFORT))


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
    if isinstance(response, str):
        return response
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


# --- who asks, and for what ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def people(kept_database):
    """Those who may not see all, with their clients and a webhook of a program of theirs."""
    club = default_club()
    bob, dora, vera = (
        join(club, name, role)
        for name, role in (("bob", Role.SCOREKEEPER), ("dora", Role.PLAYER), ("vera", Role.VIEWER))
    )
    clients = {f"{viewer.user.username}_": Client() for viewer in (bob, dora, vera)}
    for viewer in (bob, dora, vera):
        clients[f"{viewer.user.username}_"].force_login(viewer.user)
    few = (
        Scope.HANDS_READ,
        Scope.HANDS_WRITE,
        Scope.EXPORT,
        Scope.CASES_READ,
        Scope.WEBHOOKS_WRITE,
    )
    key, secret = keys.make_key(bob, name="tables", scopes=few)
    make_endpoint(
        viewer=program(key), url="https://hooks.example.org/", events=list(WebhookEvent.values)
    )
    player = Player.objects.create(club=club, ref="d", user=dora.user)
    return SimpleNamespace(
        club=club, bob=bob, dora=dora, player=player, program=Program(secret), **clients
    )


def of_player(people, log, _seat, other):
    """Every page, download and refusal about a hand, as who sits at it gets them."""
    one, match = reverse("hand", args=[log.public_id]), MatchRow.objects.get().public_id
    steps, new = reverse("hand-steps", args=[log.public_id]), reverse("case-new")
    names = ("hand-report", "under", "hand-match", "what-if", "shares", "hand-pulse")
    paths = [one, f"{one}?seat={other}", f"{one}/1", f"{one}/99999", f"{steps}?view=recorded"]
    paths += [reverse(name, args=[log.public_id]) for name in names]
    paths += [reverse("hand-log", args=[log.public_id, form]) for form in ("rhl", "rhl.jsonl")]
    paths += [reverse(name, args=[match]) for name in ("match", "match-report", "standings-csv")]
    lists = ("home", "hands", "hands-csv", "matches", "matches-csv", "season", "season-csv")
    paths += [reverse(name) for name in (*lists, "cases", "precedents")]
    paths += [reverse("case", args=[log.cases.get().number])]
    paths.append(f"{new}?hand={log.public_id}&seq={log.seq}")
    return [people.dora_.get(path) for path in paths]


def of_viewer(people, log, _seat, other):
    """What somebody reads who sits nowhere."""
    one, match = reverse("hand", args=[log.public_id]), MatchRow.objects.get().public_id
    paths = [one, f"{one}?seat={other}", reverse("hand-steps", args=[log.public_id])]
    paths += [reverse(name, args=[log.public_id]) for name in ("hand-report", "under")]
    paths += [reverse("hand-log", args=[log.public_id, "rhl"]), reverse("match", args=[match])]
    return [people.vera_.get(path) for path in (*paths, reverse("hands"), reverse("matches"))]


def of_key(people, log, _seat, other):
    """Everything about a hand over the API, the feed and refusals, and what a webhook is told."""
    hand, match = f"hands/{log.public_id}", MatchRow.objects.get().public_id
    asked = ["hands", hand, f"{hand}/log", f"{hand}/report", f"{hand}/findings", f"{hand}/steps"]
    asked += [f"{hand}/steps?seat={other}", "verdicts", "matches", f"matches/{match}", "export"]
    asked += ["cases", "export/hands.csv", "export/findings.csv", "webhooks"]
    found = [people.program.get(path) for path in asked]
    found.append(people.program.get(f"{hand}/log", headers={"accept": "text/plain"}))
    assert {each.status_code for each in found} == {200}
    ahead = {"expect": log.seq + 5, "events": [{"type": "note", "text": "?"}]}
    differs = {"expect": 0, "events": [{"type": "note", "text": "?"}]}
    found += [people.program.send(f"{hand}/events", body) for body in (ahead, differs)]
    return [*found, *(bytes(each.body).decode() for each in WebhookDelivery.objects.all())]


def of_link(people, log, seat, _other):
    """A shared hand, from a seat or from none, and a page behind it."""
    scope = {"hand": log.public_id, "seat": seat, "seq": None}
    _link, token = links.make_link(people.bob, kind=LinkKind.SHARE, scope=scope)
    return [Client().get(reverse("shared", args=[token]))] + [
        Client().get(reverse("shared-at", args=[token, seq])) for seq in (1, log.seq)
    ]


# Who asks, and whether as who sits there.
ASKING = {
    "player": (of_player, True),
    "viewer": (of_viewer, False),
    "key": (of_key, False),
    "link": (lambda people, log, _seat, other: of_link(people, log, None, other), False),
    "link of a seat": (of_link, True),
}


def lines_of(hand, moment):
    """The log of a hand as far as a moment, as a deal of a match."""
    lines = list(hand.lines)
    if moment != "ended":
        lines = lines[: 1 + max(4, int(moment * (hand.ended_after or len(hand.events))))]
    record = json.loads(lines[0])
    record["match"] = {**record.get("match", {}), "id": "M", "deal": 1}
    return [canonical.dumps(record), *lines[1:]]


@pytest.mark.parametrize("who", ASKING)
def test_a_hidden_card_is_in_no_answer(people, who):
    ask, from_seat = ASKING[who]
    # What is tried first is the first of each: another one for each who asks.
    turn = list(ASKING).index(who)
    families, moments = (each[turn % 4 :] + each[: turn % 4] for each in (FAMILIES, MOMENTS))

    @settings(
        max_examples=tries(2),
        deadline=None,
        derandomize=EFFORT == 1,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(
        family=st.sampled_from(families),
        number=st.integers(0, 12 * EFFORT - 1),
        moment=st.sampled_from(moments),
        place=st.integers(0, 3),
        opens_after=st.sampled_from([None, 5]),
    )
    def try_it(family, number, moment, place, opens_after):
        hand = corpus(family)[number % len(corpus(family))]
        lines = lines_of(hand, moment)
        seen = next(iter(read(b"\n".join(lines))))
        sitting = sorted(player.seat for player in hand.record.players)
        seat = sitting[place % len(sitting)]
        other = sitting[(place + 1) % len(sitting)]
        hidden = secrets(seen, seat if from_seat else None)
        with transaction.atomic():
            Club.objects.update(opens_after=opens_after, opens_hands=True)
            people.club.refresh_from_db()
            upload(people.club, b"\n".join(lines))
            log = HandLog.objects.get()
            Seat.objects.filter(log=log, seat=seat).update(player=people.player)
            audit_due()
            MatchRow.objects.update(due=Now())
            match_audits.audit_due()
            log.refresh_from_db()
            text = "Something was odd about this."
            open_case(people.dora, log=log, kind="conduct", seq=log.seq, text=text)
            whole = people.bob_.get(reverse("hand-log", args=[log.public_id, "rhl"]))
            assert told(said(whole), hidden) == hidden
            digests = (log.head, log.chain.hex(), log.core_digest, log.audit.report_digest)
            for answer in ask(people, log, seat, other):
                answered = said(answer)
                assert told(answered, hidden) == set(), answered[:300]
                assert [each for each in digests if each and each in answered] == []
            transaction.set_rollback(True)

    try_it()
