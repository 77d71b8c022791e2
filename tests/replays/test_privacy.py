"""A person is forgotten, or handed what a club has of them; hands go when they are too old."""

import io
import itertools
import json
import re
import time
import zipfile
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from api.models import Remembered
from replays import links, members, privacy, queries, retention, sweep, uploads
from replays.audit import audit_due
from replays.cases import open_case
from replays.models import (
    Audit,
    Case,
    CaseText,
    Club,
    HandLog,
    Hold,
    Link,
    LogBatch,
    Membership,
    Outcome,
    Player,
    ScoreSheet,
    Seat,
    Tombstone,
    TrailEntry,
    Upload,
)
from replays.models.keys import LinkKind
from tests.replays.hands import SHOWN, hand

pytestmark = [pytest.mark.storage, pytest.mark.ci_on_postgres]

NAMED = """\
amend 1 by=scorer reason="Zoraida typed the 6D for the 7D" : wild 7D
note "it was late"
note "Zora went home angry"
"""


def dictionary():
    """Return 10,000 names, the person's among them."""
    first = ["Zoraida", "Zora", "Asha", "Bilal", "Chitra", "Dinesh", "Esther", "Farid", "Gita"]
    ends = ["", "a", "an", "e", "el", "i", "in", "o", "on", "u"]
    heads = [f"{c}{v}{d}" for c in "BDGHJKLMNPRSTV" for v in "aeiou" for d in "lmnrstv"]
    made = (head + v + end for head in heads for v in "aio" for end in ends)
    return list(itertools.islice(itertools.chain(first, made), 10_000))


def dump():
    """Return all that the database holds, a text for each column, as it would be searched."""
    said = {}
    for model in apps.get_models():
        columns = [field.attname for field in model._meta.concrete_fields]
        cells = said.setdefault(model._meta.label, [])
        for row in model._default_manager.values_list(*columns):
            for cell in row:
                if isinstance(cell, bytes | memoryview):
                    cells.append(bytes(cell).decode("utf-8", "replace"))
                elif isinstance(cell, str):
                    cells.append(cell)
                elif isinstance(cell, list | dict):
                    cells.append(json.dumps(cell, ensure_ascii=False))
    return said


def found_of(names):
    """Return where in the database one of these names stands, by model."""
    told = privacy.Names(names)
    return {label for label, cells in dump().items() if any(map(told.stand_in, cells))}


def kept():
    """Return what erasing somebody may never change."""
    return {
        "hands": list(HandLog.objects.order_by("pk").values("head", "core_digest", "verdict")),
        "log": [bytes(batch.body) for batch in LogBatch.objects.order_by("pk")],
        "reports": list(Audit.objects.order_by("pk").values_list("report_digest", flat=True)),
    }


@pytest.fixture
def zora(club, alice, dora, send):
    """A player whose name stands wherever one can."""
    user = dora.user
    user.first_name, user.last_name, user.email = "Zoraida", "Quillfeather", "zora@example.org"
    user.save()
    player = Player.objects.create(
        club=club, ref="p-77", name="Zoraida Quillfeather", aliases=["Zora"], user=user
    )
    first = hand(names=("Asha", '"Zoraida Quillfeather"'), head='table="Zora\'s table"')
    send(first + NAMED.encode(), file="zora-may.rhl")
    with_ref = hand("T4-18", names=("Zora", "Bilal"))
    send(with_ref.replace(b"player 1 Zora", b"player 1 Zora ref=p-77"))
    # A conflict and something unreadable keep what came.
    send(hand(names=("Asha", '"Zoraida Quillfeather"'), lines=SHOWN.replace("2=80", "2=70")))
    send(b"hand Zora rhl=1 ruleset=indian-13 detail=shown\nplayer 1 Zora\nfly away\n")
    log = HandLog.objects.get(name="T4-17")
    Seat.objects.filter(log=log, seat=2).update(player=player)
    audit_due()
    text = "Zoraida says that her show was written down wrong."
    open_case(dora, log=log, kind="record", text=text, seq=3)
    ScoreSheet.objects.create(
        club=club, file="zora.csv", body=b"deal,Zora\n1,20\n", received_at=timezone.now()
    )
    members.invite(alice, role="player", email="zora@example.org")
    Remembered.objects.create(
        club=club, owner="k", key="1", token="t", digest=b"", body=b"Zora", made_at=timezone.now()
    )
    return player


NAMES = ["Zoraida Quillfeather", "Zora", "zora@example.org"]


def test_a_person_is_forgotten_and_every_head_stays(club, zora, alice):
    before = kept()
    expected = {
        "account.EmailAddress", "api.Remembered", "auth.User", "replays.CaseText",
        "replays.FreeText", "replays.HandLog", "replays.Link", "replays.Outcome",
        "replays.Player", "replays.ScoreSheet", "replays.Seat", "replays.Upload",
        "replays.UploadChunk",
    }  # fmt: skip
    assert found_of(NAMES) >= expected - {"account.EmailAddress"}

    done = privacy.forget(alice, zora)

    assert kept() == before
    assert found_of(NAMES) == set()
    assert done.left == []
    call_command("verify", stdout=io.StringIO())
    # What others wrote without naming anybody stays, and so do others' names.
    whole = queries.hand_of(HandLog.objects.get(name="T4-17"))
    assert [player.name for player in whole.record.players] == ["Asha", None]
    assert "it was late" in [getattr(event, "text", "") for event in whole.events]
    entry = TrailEntry.objects.filter(verb="person.forget").get()
    assert entry.after == {"seats": 2, "texts": done.texts, "files": done.files, "titles": 2}


def test_a_dictionary_finds_only_those_who_were_not_forgotten(zora, alice):
    privacy.forget(alice, zora)

    words = {word for cells in dump().values() for cell in cells for word in re.split(r"\W+", cell)}
    assert {name for name in dictionary() if name in words} == {"Asha", "Bilal"}


def test_the_last_owner_is_not_forgotten(club, alice, zora):
    mine = Player.objects.create(club=club, ref="a", name="Alice", user=alice.user)

    with pytest.raises(members.LastOwnerError):
        privacy.forget(alice, mine)

    assert Player.objects.filter(pk=mine.pk, name="Alice").exists()


def test_an_account_that_another_club_knows_stays_there(club, other_club, alice, zora):
    since = timezone.now()
    there = Membership.objects.create(club=other_club, user=zora.user, role="player", since=since)

    privacy.forget(alice, zora)

    assert list(Membership.objects.filter(user=there.user)) == [there]


def test_another_clubs_words_stay(other_club, zora, alice):
    uploads.receive(io.BytesIO(hand(names=("Zora", "Bilal"))), club=other_club)

    privacy.forget(alice, zora)

    assert found_of(["Zora"]) == {"replays.Seat", "replays.UploadChunk"}
    named = Seat.objects.exclude(name="").values_list("log__club", flat=True)
    assert set(named) == {alice.club.pk, other_club.pk}


def test_what_a_club_has_of_a_person_is_theirs_to_take(zora, alice, signed_in):
    path = reverse("person-export", args=[zora.pk])
    answer = signed_in(alice).get(path)
    packed = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    said = {
        name: [json.loads(line) for line in packed.read(name).splitlines()]
        for name in packed.namelist()
    }

    assert {name: len(lines) for name, lines in said.items()} == {
        "person.ndjson": 1, "hands.ndjson": 2, "statements.ndjson": 1, "uploads.ndjson": 0,
        "acts.ndjson": len(said["acts.ndjson"]),
    }  # fmt: skip
    assert said["person.ndjson"][0]["name"] == "Zoraida Quillfeather"
    assert said["statements.ndjson"][0]["text"].startswith("Zoraida says")
    assert [each["seats"] for each in said["hands.ndjson"]] == [[2], [1]]
    assert "Asha" not in packed.read("hands.ndjson").decode()


def test_the_page_asks_for_a_word_before_it_forgets(zora, alice, signed_in):
    client, path = signed_in(alice), reverse("person-forget", args=[zora.pk])

    client.post(path)
    assert Player.objects.filter(pk=zora.pk).exists()

    assert client.post(path, {"sure": "forget"}).url == reverse("privacy")
    assert found_of(NAMES) == set()


def test_the_command_forgets_by_ref_and_by_name(zora, club):
    out = io.StringIO()
    call_command("forget", ref="p-77", stdout=out)
    call_command("forget", name="Asha", stdout=out)

    assert found_of([*NAMES, "Asha"]) == set()
    assert len(out.getvalue().splitlines()) == 2


# --- what is no longer kept ------------------------------------------------------------------


def years_ago(log, years=2):
    then = retention.months_before(timezone.now(), 12 * years)
    HandLog.objects.filter(pk=log.pk).update(ingested_at=then)


@pytest.fixture
def old(club, alice, send):
    """An old hand in a club that keeps them for a year."""
    send(hand(), file="may.rhl")
    audit_due()
    retention.keep(alice, months=12)
    log = HandLog.objects.get()
    years_ago(log)
    return log


def test_an_old_hand_goes_and_leaves_its_tombstone(old, alice, send):
    send(hand("T4-18"))
    for log in HandLog.objects.all():
        scope = {"hand": log.public_id, "seat": None, "seq": None}
        links.make_link(alice, kind=LinkKind.SHARE, scope=scope)

    assert retention.retain(alice) == 1

    stone = Tombstone.objects.get()
    assert (stone.public_id, stone.head, stone.why) == (
        old.public_id, old.head, "kept for 12 months",
    )  # fmt: skip
    assert list(HandLog.objects.values_list("name", flat=True)) == ["T4-18"]
    assert [link.scope["hand"] for link in Link.objects.all()] == [HandLog.objects.get().public_id]
    assert [batch.log.name for batch in LogBatch.objects.all()] == ["T4-18"]
    assert [upload.chunks.count() for upload in Upload.objects.order_by("pk")] == [0, 1]
    call_command("verify", stdout=io.StringIO())
    assert TrailEntry.objects.filter(verb="hand.purge", target=old.public_id).count() == 1


def test_a_hand_that_was_purged_is_not_taken_in_again(old, alice, send):
    retention.retain(alice)

    upload = send(hand())

    outcome = Outcome.objects.get(upload=upload)
    assert (outcome.kind, outcome.raw) == ("rejected", None)
    assert outcome.found.startswith("a hand that was purged on ")
    assert not HandLog.objects.exists()


def test_a_held_hand_stays(old, alice, dora):
    retention.hold(alice, old, why="the league asked for it")
    assert retention.retain(alice) == 0

    retention.let_go(alice, old)
    Player.objects.create(club=old.club, ref="d", user=dora.user)
    text = "My show was written down wrong, see the sheet."
    open_case(dora, log=old, kind="record", text=text, seq=3)
    assert retention.retain(alice) == 0
    with pytest.raises(retention.HeldError), transaction.atomic():
        retention.purge(alice, [old], why="mine")

    Case.objects.update(state="withdrawn")
    assert retention.retain(alice) == 1
    assert (Case.objects.count(), CaseText.objects.count(), Hold.objects.count()) == (0, 0, 0)


def test_a_match_goes_as_a_whole(club, alice, send):
    for deal in (1, 2):
        body = hand(f"D{deal}").decode()
        players = body.index("player 1")
        send(f"{body[:players]}match M1 format=points deal={deal}\n{body[players:]}".encode())
    retention.keep(alice, months=12)
    first, second = HandLog.objects.order_by("pk")
    years_ago(first)
    assert retention.due(alice) == []

    years_ago(second)
    assert [[log.name for log in together] for together in retention.due(alice)] == [["D1", "D2"]]
    assert retention.retain(alice) == 2


def test_the_sweeper_purges_some_at_a_time_and_a_match_as_a_whole(club, alice, send, monkeypatch):
    monkeypatch.setattr(sweep, "_PURGED_AT_ONCE", 2)
    for deal in (1, 2, 3):
        head = f"match M1 format=points deal={deal}\nplayer 1"
        send(hand(f"D{deal}").replace(b"player 1", head.encode(), 1))
    send(hand("B") + b"\n" + hand("C"))
    retention.keep(alice, months=12)
    for log in HandLog.objects.all():
        years_ago(log)
    sweeper = sweep.Sweeper(_retained_at=-sweep._RETAIN_SECONDS)

    left = []
    for _look in range(3):
        sweeper.sweep()
        left.append(list(HandLog.objects.order_by("pk").values_list("name", flat=True)))

    assert left == [["B", "C"], [], []]
    assert Tombstone.objects.count() == 5
    assert time.monotonic() - sweeper._retained_at < sweep._RETAIN_SECONDS


def test_a_dry_run_purges_nothing(old):
    out = io.StringIO()
    call_command("retain", dry_run=True, stdout=out)

    assert out.getvalue().splitlines()[-1] == "club: 1 hands would be purged."
    assert HandLog.objects.count() == 1

    call_command("retain", stdout=out)
    assert HandLog.objects.count() == 0


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM replays_logbatch",
        "UPDATE replays_tombstone SET why = 'x'",
        "DELETE FROM replays_tombstone",
        "UPDATE replays_logbatch SET last_seq = 0",
    ],
)
def test_only_a_log_with_a_tombstone_can_go(old, alice, send, statement):
    retention.retain(alice)
    send(hand("T4-18"))

    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)

    assert (Tombstone.objects.count(), LogBatch.objects.count()) == (1, 1)


def test_the_page_says_when_hands_open_and_how_long_they_stay(club, alice, old, signed_in):
    client = signed_in(alice)
    client.post(reverse("privacy"), {"opens": "later", "hours": "48", "months": "24"})
    club.refresh_from_db()
    assert (club.opens_after, club.keep_months) == (48, 24)

    client.post(reverse("privacy"), {"opens": "never", "months": ""})
    for hours in ("soon", "000024" + "0" * 9):
        said = client.post(reverse("privacy"), {"opens": "later", "hours": hours, "months": "7"})
        # What was typed stays, to be put right.
        assert [said.context[name] for name in ("opens", "hours", "months")] == [
            "later",
            hours,
            "7",
        ]
    club.refresh_from_db()
    assert (club.opens_after, club.keep_months) == (None, None)

    client.post(reverse("hold"), {"hand": old.public_id, "why": "league"})
    assert Hold.objects.get().why == "league"
    assert "league" in client.get(reverse("privacy")).content.decode()
    client.post(reverse("hand-hold", args=[old.public_id]), {"end": "1"})
    assert not Hold.objects.exists()


def test_the_sweeper_purges_what_a_club_no_longer_keeps(bob, send, monkeypatch):
    send(hand("old"))
    HandLog.objects.update(ingested_at=timezone.now() - timedelta(days=400))
    Club.objects.filter(pk=bob.club.pk).update(keep_months=12)
    sweeper = sweep.Sweeper()
    sweeper.sweep()
    assert HandLog.objects.count() == 1

    monkeypatch.setattr(sweep, "_RETAIN_SECONDS", 0.0)
    sweeper.sweep()
    assert HandLog.objects.count() == 0
    assert Tombstone.objects.count() == 1
