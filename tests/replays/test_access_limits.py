"""Limits hold for everybody together (reliability row 29, thread 34), whoever counts them."""

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from replays import access, keys, sweep, throttle
from replays.models import ApiKey, HandLog, Link, Player, Throttle, TrailEntry
from replays.models.people import Scope
from tests.effort import tries
from tests.replays.hands import hand


@pytest.fixture(params=["database", "valkey"])
def counter(request, monkeypatch):
    """Whoever counts: the database, or the broker's Valkey."""
    if request.param == "valkey":
        server = request.getfixturevalue("valkey").client.connection_pool
        monkeypatch.setattr(throttle, "_server", lambda: server)
    else:
        monkeypatch.setattr(throttle, "_server", lambda: None)


def ask(_number):
    try:
        return throttle.spend("key:x", rate=600, burst=30)
    finally:
        connection.close()


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_50_at_once_at_the_limit_get_through_only_as_many_as_it_says(counter):
    began = time.monotonic()
    with ThreadPoolExecutor(50) as pool:
        waits = list(pool.map(ask, range(50)))
    seconds = time.monotonic() - began

    passed = waits.count(0.0)
    assert 30 <= passed <= 30 + 10 * seconds + 1
    assert 0 < max(waits) <= 50 / 10


@pytest.mark.django_db
def test_as_many_as_a_burst_takes_get_through_and_not_one_more(counter):
    waits = [throttle.spend("key:x", rate=1, burst=5) for _asked in range(7)]

    assert [wait == 0.0 for wait in waits] == [True] * 5 + [False] * 2
    assert 50 < waits[-1] <= 60


def test_over_a_minute_nobody_gets_a_twentieth_more_than_their_rate(db, monkeypatch):
    now = [1_000_000.0]
    monkeypatch.setattr(throttle.time, "time", lambda: now[0])
    monkeypatch.setattr(throttle, "_server", lambda: None)
    key = ApiKey(prefix="x", rate=120)

    passed = 0
    for _asked in range(2 * 120):
        passed += keys.allowed(key) == 0.0
        now[0] += 0.25
    assert 120 <= passed <= 126


def test_where_valkey_is_gone_the_database_counts_on(transactional_db, valkey, monkeypatch):
    monkeypatch.setattr(throttle, "_server", lambda: valkey.client.connection_pool)
    valkey.kill()

    assert throttle.spend("key:x", rate=60, burst=1) == 0.0
    assert 0 < throttle.spend("key:x", rate=60, burst=1) <= 1


def test_a_limit_that_is_used_no_more_and_a_session_that_is_over_leave_no_row(db, monkeypatch):
    for name, hours in (("over", -1), ("running", 1)):
        ends = timezone.now() + timedelta(hours=hours)
        Session.objects.create(session_key=name, session_data="", expire_date=ends)
    monkeypatch.setattr(throttle, "_server", lambda: None)
    for name in ("long ago", "now"):
        throttle.spend(name, rate=60, burst=1)
    Throttle.objects.filter(name="long ago").update(until=time.time() - 1)

    sweep.Sweeper(_retained_at=-sweep._RETAIN_SECONDS).sweep()

    assert [each.session_key for each in Session.objects.all()] == ["running"]
    assert list(Throttle.objects.values_list("name", flat=True)) == ["now"]
    assert throttle.spend("long ago", rate=60, burst=1) == 0.0
    assert throttle.spend("now", rate=60, burst=1) > 0


@pytest.mark.ci_on_postgres
@pytest.mark.storage
def test_row_29_wrong_keys_are_stopped_whatever_address_they_claim(db, monkeypatch):
    # All within a moment, however long a busy machine takes over them.
    monkeypatch.setattr(throttle.time, "time", lambda: 1_000_000.0)
    answers = []
    for number in range(tries(1000)):
        request = RequestFactory().get("/", HTTP_X_FORWARDED_FOR=f"10.0.{number % 250}.7")
        assert keys.holder_of(f"rma_{number:012x}_wrong") is None
        answers.append(keys.wrong(access.address_of(request)))

    assert answers.count(0.0) <= 20
    assert answers[0] == 0.0


def test_row_29_who_guesses_keys_is_told_to_wait_and_whoever_has_one_is_not(
    alice, client, monkeypatch
):
    monkeypatch.setattr(throttle.time, "time", lambda: 1_000_000.0)
    monkeypatch.setattr(throttle, "_server", lambda: None)
    _key, secret = keys.make_key(alice, name="platform", scopes=[Scope.HANDS_READ])

    def ask(word):
        return client.get("/api/v1/hands", headers={"authorization": f"Bearer {word}"}).status_code

    wrong = [ask(f"rma_{number:012x}_wrong") for number in range(25)]

    assert wrong == [401] * 10 + [429] * 15
    assert ask(secret) == 200


def test_a_header_is_believed_for_as_many_proxies_as_are_ours(settings):
    request = RequestFactory().get("/", HTTP_X_FORWARDED_FOR="6.6.6.6, 7.7.7.7, 8.8.8.8")

    said = []
    for settings.PROXIES in (0, 1, 2, 4):
        said.append(access.address_of(request))
    assert said == ["127.0.0.1", "8.8.8.8", "7.7.7.7", "127.0.0.1"]


def test_a_whole_network_of_version_6_is_one_address(db):
    answers = [keys.wrong(f"2001:db8::{number:x}") for number in range(30)]

    assert answers.count(0.0) <= 20


def test_row_29_a_key_costs_one_query_and_one_fast_hash(alice, django_assert_num_queries):
    key, secret = keys.make_key(alice, name="platform", scopes=[Scope.HANDS_READ])
    keys.holder_of(secret)

    with django_assert_num_queries(1):
        assert keys.holder_of(secret) == key
    assert bytes(key.digest) == hashlib.sha256(secret.encode()).digest()


@pytest.mark.storage
def test_two_keys_live_while_one_takes_over_from_the_other(alice):
    old, old_secret = keys.make_key(alice, name="platform", scopes=[Scope.EXPORT], rate=60)
    new, new_secret = keys.rotate_key(alice, old)

    assert (new.name, new.scopes, new.rate) == ("platform", ["export"], 60)
    assert keys.holder_of(old_secret) == old
    assert keys.holder_of(new_secret) == new
    ApiKey.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert keys.holder_of(old_secret) is None
    assert [entry.verb for entry in TrailEntry.objects.order_by("pk")][1:] == [
        "key.make",
        "key.retire",
    ]


@pytest.mark.parametrize(("days", "left"), [(None, None), (90, 90), (90, 3), (2, 1)])
def test_a_key_that_was_to_end_has_no_successor_without_end(alice, days, left):
    now = timezone.now()
    old, _secret = keys.make_key(alice, name="platform", scopes=[Scope.EXPORT])
    if days:
        ApiKey.objects.update(
            created_at=now - timedelta(days=days - left), expires_at=now + timedelta(days=left)
        )
        old.refresh_from_db()

    new, _secret = keys.rotate_key(alice, old)

    ends = {None: None, 90: 90, 3: 90, 1: 7}[left]
    assert (new.expires_at and round((new.expires_at - now) / timedelta(days=1))) == ends


def test_the_key_command_prints_a_key_that_works(club, capsys):
    call_command("key", club=club.slug, name="platform", scopes="hands:read,export")
    key = keys.holder_of(capsys.readouterr().out.strip())

    assert (key.club, key.scopes) == (club, ["export", "hands:read"])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"club": "nobody", "scopes": "export"}, "there is none. Known: club"),
        ({"club": "club", "scopes": "export,fly"}, "--scopes fly: expected some of hands:read"),
    ],
)
def test_the_key_command_says_what_it_expected(club, options, why):
    with pytest.raises(CommandError) as refusal:
        call_command("key", name="x", **options)

    assert why in str(refusal.value)


@pytest.mark.parametrize("number", ["9" * 5000, "\u0662", "1e3", " 1", "-1"])
def test_what_is_no_number_of_ours_is_refused_wherever_one_is_chosen(
    alice, send, signed_in, number
):
    send(hand("mine"))
    log = HandLog.objects.get()
    owner = signed_in(alice)
    player = Player.objects.create(club=alice.club, ref="p", name="Asha")
    unknown = {"name": "Asha", "ref": "", "source": log.source, "event": log.event}

    linked = owner.post(f"/people/roster/{player.pk}/account", {"member": number})
    named = owner.post("/people/names/confirm", {**unknown, "player": number})
    shared = owner.post(f"/hands/{log.public_id}/shares", {"seq": number})
    zeros = owner.post(f"/hands/{log.public_id}/shares", {"seq": "0" * 5000})

    found = [linked.status_code, named.status_code, shared.status_code, zeros.status_code]
    assert found == [404, 404, 400, 400]
    assert Link.objects.count() == 0


@pytest.mark.parametrize(
    "form",
    ["html", "rhlx", "x%22;filename=evil.html", "x%0d%0aSet-Cookie:%20a=b", "%00", "%E2%80%AE"],
)
def test_a_log_is_taken_away_in_its_own_forms_only(alice, send, signed_in, form):
    send(hand("mine"))
    log = HandLog.objects.get()
    owner = signed_in(alice)

    assert owner.get(f"/hands/{log.public_id}/log.{form}").status_code == 404
    taken = [owner.get(f"/hands/{log.public_id}/log.{own}") for own in ("rhl", "rhl.jsonl")]
    assert [each["Content-Disposition"] for each in taken] == [
        f'attachment; filename="{log.public_id}.{own}"' for own in ("rhl", "rhl.jsonl")
    ]


@pytest.mark.storage
@pytest.mark.django_db
def test_a_nul_is_never_our_fault(alice, signed_in):
    owner = signed_in(alice)
    owner.raise_request_exception = False
    asked = ("/cases/precedents?clause=%00", "/cases/new?hand=%00", "/uploads/%00")
    sheet = owner.post("/sheets", {"text": "Deal,Asha,Bilal\n1,0,20\n"})["Location"]
    sent = {
        "/account/club": {"club": "\0"},
        "/club/rules/new": {"base": "gin@1", "name": "a\0"},
        sheet: {"kind-1": "player", "name-1": "As\0ha"},
    }

    answers = [owner.get(each) for each in asked]
    answers += [owner.post(each, data) for each, data in sent.items()]

    assert [each.status_code for each in answers if each.status_code >= 500] == []
