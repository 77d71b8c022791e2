"""What rests on a hand that is not open yet is told neither by its match nor by a webhook."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from replays import access, audit, keys, shadow, webhooks
from replays.models import Club, HandLog, MatchRow, Player, Seat, WebhookDelivery
from replays.models.people import Role, Scope
from replays.models.webhooks import WebhookEvent
from rummy_audit.rhl import canonical
from tests.api.conftest import Program
from tests.replays.conftest import join
from tests.replays.test_matches import settle, text_of

pytestmark = pytest.mark.django_db
CORPUS = Path(__file__).parents[1] / "corpus" / "basic" / "faulty.rhl.jsonl"
# Seat 2 shows cards worth 7, one of which they do not hold. Written down are 7 for seat 1; only
# who sees the cards knows that it is 6.
HAND = "f-show-card-not-held-00"
KEY = (Scope.HANDS_READ, Scope.WEBHOOKS_WRITE)


def faulty():
    """A hand that has ended, with every card known, as the only deal of a match."""
    lines = CORPUS.read_bytes().splitlines(keepends=True)
    start = next(at for at, line in enumerate(lines) if HAND.encode() in line)
    more = (at for at in range(start + 1, len(lines)) if b'"type":"hand"' in lines[at])
    record = json.loads(lines[start])
    record["match"] = {"id": "M", "deal": 1}
    rest = b"".join(lines[start + 1 : next(more)])
    return canonical.dumps(record) + b"\n" + rest.replace(b'{"1":6,', b'{"1":7,')


@pytest.fixture
def judged(club, send, dora):
    """The hand and its match, judged, in a club that opens hands to all five hours after."""

    def judged():
        Club.objects.update(opens_after=5, opens_hands=True)
        club.refresh_from_db()
        send(faulty())
        audit.audit_due()
        settle()
        log, row = HandLog.objects.get(), MatchRow.objects.get()
        player = Player.objects.create(club=club, ref="d", name="Dora", user=dora.user)
        Seat.objects.filter(log=log, seat=1).update(player=player)
        assert (row.verdict, log.verdict) == ("clean", "flagged")
        return log, row

    return judged


def six_hours_later(monkeypatch):
    later = timezone.now() + timedelta(hours=6)
    monkeypatch.setattr(timezone, "now", lambda: later)


def told_of_match(client, row):
    """What every page and table about matches says of who has how much, and of verdicts."""
    report = client.get(reverse("match-report", args=[row.public_id])).json()
    page = client.get(reverse("match", args=[row.public_id]))
    listed = client.get(reverse("matches")).context["matches"]
    waiting = client.get(reverse("matches"), {"verdict": "waiting"}).context["matches"]
    clean = client.get(reverse("matches"), {"verdict": "clean"}).context["matches"]
    season = client.get(reverse("season")).context["games"]
    return {
        "totals": report["totals"],
        "grid": page.context["totals"],
        "deals": [each["hand"].verdict for each in page.context["rows"]],
        "listed": [(each.verdict, each.winner) for each, *_more in listed],
        "waiting": len(waiting),
        "clean": len(clean),
        "season": [(line.player, line.points) for *_words, game in season for line in game.lines],
        "flagged": "flagged by itself" in text_of(page),
    }


CLOSED = {
    "totals": {"1": 7, "2": 0},
    "grid": [7, 0],
    "deals": ["waiting"],
    "listed": [("waiting", None)],
    "waiting": 1,
    "clean": 0,
    "season": [],
    "flagged": False,
}
OPEN = {
    "totals": {"1": 6, "2": 0},
    "grid": [6, 0],
    "deals": ["flagged"],
    "listed": [("clean", None)],
    "waiting": 0,
    "clean": 1,
    "season": [("Dora", 6)],
    "flagged": True,
}


@pytest.mark.storage
def test_a_match_tells_what_rests_on_a_hand_once_it_is_open(
    judged, signed_in, dora, bob, monkeypatch
):
    _log, row = judged()
    vera = join(dora.club, "vera", Role.VIEWER)

    assert told_of_match(signed_in(bob), row) == OPEN
    # Dora sits at seat 1: the cards at seat 2 are hidden from her.
    assert told_of_match(signed_in(dora), row) == CLOSED
    assert told_of_match(signed_in(vera), row) == CLOSED
    six_hours_later(monkeypatch)
    assert told_of_match(signed_in(dora), row) == OPEN


def test_programs_are_told_of_matches_and_verdicts_as_members_are(judged, alice, monkeypatch):
    log, row = judged()

    def told(*scopes):
        _key, secret = keys.make_key(alice, name="tables", scopes=scopes)
        program = Program(secret)
        match = program.get(f"matches/{row.public_id}").json()
        (listed,) = program.get("matches").json()["matches"]
        (verdict,) = program.get("verdicts").json()["verdicts"]
        assert verdict["hand"] == log.public_id
        names = ("verdict", "errors", "report_digest")
        return [match["verdict"], match["totals"], listed["verdict"], *map(verdict.get, names)]

    whole = ["clean", OPEN["totals"], "clean", "flagged", log.errors, log.audit.report_digest]
    assert told(Scope.HANDS_READ, Scope.HANDS_REVEAL) == whole
    hidden = ["waiting", CLOSED["totals"], "waiting", "waiting", 0, None]
    assert told(Scope.HANDS_READ) == hidden
    six_hours_later(monkeypatch)
    assert told(Scope.HANDS_READ) == whole


@pytest.mark.storage
@pytest.mark.parametrize("opens_after", [0, 5, None])
def test_a_webhook_is_told_what_its_maker_may_see(club, send, alice, opens_after):
    Club.objects.update(opens_after=opens_after)
    key, secret = keys.make_key(alice, name="tables", scopes=KEY)
    program = Program(secret)
    makers = {"owner": alice, "program": access.program(key)}
    hooks = {
        name: webhooks.make_endpoint(
            viewer=viewer, url="https://hooks.example.org/", events=list(WebhookEvent.values)
        )
        for name, viewer in makers.items()
    }
    send(faulty())
    audit.audit_due()
    settle()

    log, row = HandLog.objects.get(), MatchRow.objects.get()
    told = {}
    for name, hook in hooks.items():
        rows = WebhookDelivery.objects.filter(endpoint=hook).order_by("pk")
        told[name] = [json.loads(bytes(each.body)) for each in rows]
    kinds = ["hand.audited", *["finding.created"] * log.findings.count(), "match.audited"]
    assert [each["type"] for each in told["owner"]] == kinds
    assert told["owner"][0]["data"]["verdict"] == "flagged"
    assert told["owner"][-1]["data"]["totals"] == OPEN["totals"]
    if opens_after == 0:
        bodies = [[(each["type"], each["data"]) for each in some] for some in told.values()]
        assert bodies[0] == bodies[1]
        return
    hand, match = told["program"]
    assert (hand["type"], match["type"]) == ("hand.audited", "match.audited")
    # Nor how many findings the owner's endpoint was told of.
    shown = program.get(f"webhooks/{hooks['owner'].public_id}/deliveries").json()["deliveries"]
    assert [each["event"] for each in shown] == ["match.audited", "hand.audited"]
    hidden = {"verdict": "waiting", "errors": 0, "breaches": 0, "notes": 0, "report_digest": None}
    assert hand["data"] == {**told["owner"][0]["data"], **hidden}
    closed = {"verdict": "waiting", "totals": {}, "winner": None, "findings": 0}
    assert match["data"] == {**told["owner"][-1]["data"], **closed}
    assert match["data"]["match"] == row.public_id


def test_who_may_not_see_hidden_cards_sends_nobody_elses_webhook_to_themselves(alice):
    _key, secret = keys.make_key(alice, name="tables", scopes=KEY)
    made = webhooks.make_endpoint(
        viewer=alice, url="https://ours.example.org/", events=["hand.audited"]
    )
    program = Program(secret)

    refused = program.send(
        f"webhooks/{made.public_id}", {"address": "https://theirs.example.org/"}, method="PATCH"
    )

    assert refused.json()["place"] == {"pointer": "/address"}
    made.refresh_from_db()
    assert (made.url, made.reveals) == ("https://ours.example.org/", True)
    words = program.send(f"webhooks/{made.public_id}", {"words": "ours"}, method="PATCH").json()
    assert (words["words"], words["reveals"]) == ("ours", True)


def test_rules_are_tried_on_hands_that_are_open_to_who_tries_them(judged, alice, monkeypatch):
    log, _row = judged()
    _key, secret = keys.make_key(alice, name="rules", scopes=[Scope.HANDS_READ, Scope.AUDITS_RUN])
    program, owner = Program(secret), Program(keys.make_key(alice, name="all", scopes=Scope)[1])
    asked = {"base": "basic", "settings": {}}
    runs = [each.send("shadow", {"stored": {}}).json()["url"] for each in (program, owner)]
    while shadow.judge_due():
        pass

    def told():
        tried = program.send("rulesets/dry-run", asked).json()["looked_at"]
        shown = [program.get(run).json() for run in runs]
        return tried, [(each["hands"], log.public_id in str(each["left"])) for each in shown]

    assert owner.send("rulesets/dry-run", asked).json()["looked_at"] == 1
    assert told() == (0, [(0, False), (0, False)])
    six_hours_later(monkeypatch)
    # A run has the hands that were open to who made it.
    assert told() == (1, [(0, False), (1, True)])
