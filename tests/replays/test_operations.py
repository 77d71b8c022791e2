"""What the service tells of itself: probes, figures, logs."""

import io
import json
import logging

import pytest
from django.db import connection
from django.test import Client
from django.utils.module_loading import import_string

from replays import audit, counting, members
from replays.models import AuditJob, ProcessBeat
from replays.models.people import Role
from rummy_audit.log_form import as_json
from tests.replays.hands import SHOWN, hand

pytestmark = pytest.mark.storage

WRONG = SHOWN.replace("2=80", "2=45")


@pytest.fixture
def fresh(monkeypatch):
    """Counts of this test alone, told at once."""
    monkeypatch.setattr(counting, "_counts", type(counting._counts)())
    monkeypatch.setattr(counting, "EVERY_SECONDS", 0.0)


def figures(client, **headers):
    said = client.get("/metrics", **headers).content.decode()
    lines = [line for line in said.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@pytest.mark.django_db(transaction=True)
def test_figures_tell_what_was_done_by_whom(fresh, send, client):
    send(b"\n".join([hand("H-1"), hand("H-2", lines=WRONG)]))
    audit.audit_due()
    counting.tell("worker")
    beat = ProcessBeat.objects.get()
    found = figures(client)

    def counted(name, label):
        return found[f'{name}_total{{{label[0]}="{label[1]}",host="{beat.host}",pid="{beat.pid}"}}']

    def labelled(name, **labels):
        return next(
            value
            for key, value in found.items()
            if key.startswith(name) and all(f'{k}="{v}"' in key for k, v in labels.items())
        )

    assert labelled("rummy_hands_ingested_total", outcome="created") == 2
    assert labelled("rummy_verdicts_total", verdict="flagged") == 1
    assert labelled("rummy_findings_total", code="score-wrong") == 1
    assert labelled("rummy_backlog{", kind="audit", state="owed") == 0
    assert labelled("rummy_process_memory_bytes", kind="worker") > 10_000_000


def test_the_backlog_and_its_age_are_told(send, client):
    send(hand())
    AuditJob.objects.update(due="2020-01-01T00:00:00Z")
    found = figures(client)

    assert found['rummy_backlog{kind="audit",state="owed"}'] == 1
    assert found['rummy_backlog_age_seconds{kind="audit"}'] > 86_400


@pytest.mark.parametrize(
    "header", ["HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA"]
)
def test_figures_are_for_this_machine_alone(client, db, header):
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="192.168.1.7").status_code == 404
    assert client.get("/metrics", **{header: "127.0.0.1"}).status_code == 404


def test_figures_with_a_token_are_for_its_holder_alone(client, db, settings):
    settings.METRICS_TOKEN = "a-long-random-token"
    token = {"HTTP_AUTHORIZATION": "Bearer a-long-random-token", "REMOTE_ADDR": "10.0.0.7"}

    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", **token).status_code == 200


def test_readiness_names_what_is_missing(client, db):
    assert client.get("/readyz").json() == {
        "ready": True,
        "database": "ok",
        "migrations": "ok",
        "guards": "ok",
        "broker": "ok",
    }
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'replays' AND name > '0001_z'")

    said = client.get("/readyz")
    assert (said.status_code, said.json()["migrations"]) == (503, "missing: run migrate")


def test_a_log_entry_names_the_route_and_never_a_secret(client, db):
    kept = io.StringIO()
    handler = logging.StreamHandler(kept)
    handler.setFormatter(as_json())
    log = logging.getLogger("rummy_audit.requests")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        response = client.get("/hands/nosuchhand234567")
        log.warning("denied rma_0123456789ab_%s, postgres://u:hidden@h", "s3cret-key-" * 4)
    finally:
        log.removeHandler(handler)
        log.setLevel(logging.NOTSET)
    request, denied = map(json.loads, kept.getvalue().splitlines())

    assert request["route"] == "hands/<slug:public_id>"
    assert request["id"] == response["X-Request-Id"]
    assert "nosuchhand" not in kept.getvalue()
    assert denied["event"] == "denied […], postgres[…]h"


def test_a_refusal_is_logged_by_its_route_too_and_no_token_of_a_link(alice, settings):
    kept = io.StringIO()
    handler = logging.StreamHandler(kept)
    handler.setFormatter(as_json())
    [stderr] = settings.LOGGING["handlers"].values()
    for name in stderr["filters"]:
        handler.addFilter(import_string(settings.LOGGING["filters"][name]["()"])())
    logging.getLogger().addHandler(handler)
    _link, token = members.invite(alice, role=Role.OWNER)
    try:
        refused = Client().post(f"/join/{token}", {"email": "no address"})
        Client().get(f"/join/{token}/more")
        Client(enforce_csrf_checks=True).post(f"/join/{token}")
    finally:
        logging.getLogger().removeHandler(handler)

    assert refused.status_code == 400
    said = [json.loads(line)["event"] for line in kept.getvalue().splitlines()]
    assert said[:2] == ["Bad Request: join/<str:token>", "Not Found: an unknown address"]
    assert said[2].startswith("Forbidden (CSRF cookie not set.): join/<str:token>")
    assert token not in kept.getvalue()
