"""Row 28: what a club says stays in it, out of logs, broker, figures and what others are sent."""

import base64
import io
import json
import zipfile
from types import SimpleNamespace

import pytest
from celery import Celery
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from replays import audit, counting, keys, match_audits, shadow, throttle, uploads, wake
from replays.models import HandLog, MatchRow, Player, TrailEntry, WebhookDelivery
from replays.models.people import Scope
from replays.models.webhooks import WebhookEvent
from replays.sweep import Sweeper
from tests.api.conftest import Program
from tests.replays.disputes import EARLIER, disputed

pytestmark = pytest.mark.django_db
HERE, THERE = "Heimverein", "Fernverein"
TASKS = {wake.AUDIT, wake.AUDIT_MATCHES, wake.READ_UPLOADS, wake.SHADOW}
WHY = "There is no pure sequence in what was declared"


@pytest.fixture
def broker(valkey, monkeypatch, settings):
    """A real broker that takes what is sent, and that nobody consumes."""
    settings.CELERY_BROKER_URL = valkey.url
    sender = Celery("sender")
    sender.config_from_object("django.conf:settings", namespace="CELERY")
    monkeypatch.setattr(wake, "_app", lambda: sender)
    monkeypatch.setattr(throttle, "_server", lambda: valkey.client.connection_pool)
    wake._producers.cache_clear()
    wake._failures.cache_clear()
    yield valkey.client
    sender.close()
    wake._producers.cache_clear()
    wake._failures.cache_clear()


def everything_in(client):
    """Every key of the broker with its value, as text; what is in base64 unpacked beside it."""
    texts, messages = [], []
    for key in client.keys("*"):
        read = {
            b"string": lambda key: [client.get(key)],
            b"list": lambda key: client.lrange(key, 0, -1),
            b"set": client.smembers,
            b"hash": lambda key: [*client.hgetall(key).keys(), *client.hgetall(key).values()],
            b"zset": lambda key: client.zrange(key, 0, -1),
        }[client.type(key)]
        found = list(read(key))
        texts += [key.decode(), *(each.decode() for each in found)]
        if client.type(key) == b"list":
            messages += map(json.loads, found)
    for message in messages:
        texts.append(base64.b64decode(message["body"]).decode())
    return "\n".join(texts), messages


def live(viewer, word):
    """What a club does in an evening, by its key: a webhook, hands, a case, a shadow run."""
    key, secret = keys.make_key(viewer, name=word, scopes=list(Scope))
    program = Program(secret)
    hook = {"address": f"https://{word}.example/", "events": list(WebhookEvent.values)}
    program.send("webhooks", {**hook, "words": word})
    hands = (EARLIER.encode() + b"\n" + disputed(name=f"{word}-7")).replace(b"Asha", word.encode())
    hands = hands.replace(b"pool-1 ", f"{word}-1 ".encode())
    sent = program.send(f"hands?source={word}&event={word}", hands, "text/plain")
    assert sent.status_code == 202
    while uploads.read_due():
        pass
    Sweeper().sweep()
    while audit.audit_due():
        pass
    MatchRow.objects.update(due=Now())
    Sweeper().sweep()
    while match_audits.audit_due():
        pass
    log = HandLog.objects.get(club=viewer.club, name=f"{word}-7")
    case = {"hand": log.public_id, "kind": "declaration", "seq": 2, "text": f"{WHY}: {word}"}
    assert program.send("cases", case).status_code == 201
    run = program.send("shadow", {"words": word}).json()["url"]
    assert program.send(f"{run}/hands", hands, "text/plain").status_code == 202
    Sweeper().sweep()
    while shadow.judge_due():
        pass
    Player.objects.create(club=viewer.club, ref=word, name=word)
    owner = Client()
    owner.force_login(viewer.user)
    return SimpleNamespace(
        word=word, viewer=viewer, program=program, secret=secret, prefix=key.prefix, owner=owner,
        log=log, match=MatchRow.objects.get(club=viewer.club),
    )  # fmt: skip


@pytest.fixture
def two(request, settings, broker, caplog, django_capture_on_commit_callbacks):
    """Two clubs after an evening each, with what was logged meanwhile."""
    settings.UPLOAD_AT_ONCE = 1
    owners = [request.getfixturevalue(name) for name in ("alice", "mallory")]
    caplog.set_level("DEBUG")
    with django_capture_on_commit_callbacks(execute=True):
        clubs = [live(owner, word) for owner, word in zip(owners, (HERE, THERE), strict=True)]
    said = [each for each in caplog.records if each.name != "django.db.backends"]
    logged = "\n".join(f"{each.getMessage()} {vars(each)}" for each in said)
    return SimpleNamespace(clubs=clubs, broker=broker, logged=logged)


def whole(response):
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if response["Content-Type"] == "application/zip":
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            body = b"".join(packed.read(name) for name in packed.namelist())
    return body.decode()


def exports_of(club):
    """Everything that a club takes out of the house, by owner and by key."""
    player = Player.objects.get(club=club.viewer.club, ref=club.word)
    by_owner = [reverse(name) for name in ("hands-csv", "matches-csv", "season-csv")]
    by_owner += [reverse("trail-export"), reverse("person-export", args=[player.pk])]
    by_owner += [reverse("standings-csv", args=[club.match.public_id])]
    by_owner += [reverse("hand-log", args=[club.log.public_id, "rhl"])]
    by_key = ["export", "export/hands.csv", "export/findings.csv", "verdicts", "cases"]
    return {
        **{path: whole(club.owner.get(path)) for path in by_owner},
        **{path: whole(club.program.get(path)) for path in by_key},
    }


def test_row_28_the_word_of_a_club_is_nowhere_but_in_the_club(two):
    # The broker holds hints alone: which kind of work is due, whose is in the database.
    text, messages = everything_in(two.broker)
    assert {each["headers"]["task"] for each in messages} == TASKS
    for message in messages:
        assert json.loads(base64.b64decode(message["body"]))[:2] == [[], {}]
    foreign = [HERE, THERE, "Bilal", "rma_", "whsec_", WHY, "pool-101", "indian"]
    for club in two.clubs:
        foreign += [club.log.public_id, club.match.public_id, club.secret]
    assert [each for each in foreign if each in text] == []

    # Nor are names, hands and secrets in a log; nor any of it among the figures.
    counting.tell("web")
    figures = whole(Client().get("/metrics"))
    assert "rummy_backlog" in figures
    secret = ["Bilal", WHY, *(each.secret.split("_", 2)[2] for each in two.clubs)]
    assert [each for each in (HERE, THERE, *secret) if each in two.logged] == []
    assert [each for each in (*foreign, *secret) if each in figures] == []

    stored = list(WebhookDelivery.objects.select_related("endpoint"))
    for mine, theirs in (two.clubs, two.clubs[::-1]):
        own = [each for each in stored if each.endpoint.club_id == mine.viewer.club.pk]
        bodies = "\n".join(bytes(each.body).decode() for each in own)
        kinds = {each.event for each in own}
        assert kinds >= {"hand.audited", "finding.created", "match.audited", "case.opened"}
        hidden = (theirs.word, theirs.log.public_id, theirs.match.public_id, theirs.prefix)
        assert mine.word in bodies
        assert [each for each in hidden if each in bodies] == []
        exported = exports_of(mine)
        for path, body in exported.items():
            assert [each for each in hidden if each in body] == [], path
        told = [path for path, body in exported.items() if mine.word in body or path == "cases"]
        assert len(told) >= len(exported) - 2
        trail = TrailEntry.objects.filter(club=mine.viewer.club).values_list("target", flat=True)
        assert not set(hidden) & set(trail)
