"""The trail: every act once, for good (reliability row 35)."""

import json

import pytest
from django.db import DatabaseError, connection, transaction
from django.http import Http404

from replays import keys, members, trail
from replays.models import Membership, TrailEntry
from replays.models.people import Role, Scope
from tests.replays.hands import hand

pytestmark = pytest.mark.storage


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE replays_trailentry SET verb = 'x'",
        "DELETE FROM replays_trailentry",
        "TRUNCATE replays_trailentry CASCADE",
    ],
)
def test_row_35_no_entry_is_changed_or_deleted(alice, statement):
    keys.make_key(alice, name="platform", scopes=[Scope.EXPORT])
    before = list(TrailEntry.objects.values())

    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert list(TrailEntry.objects.values()) == before


def test_row_35_an_upload_through_the_page_leaves_one_entry(client, bob, send):
    send(hand("before"))
    client.post("/upload", {"text": hand("a").decode()}, REMOTE_ADDR="192.0.2.7")

    by_page = TrailEntry.objects.order_by("pk").last()
    assert TrailEntry.objects.count() == 2
    assert (by_page.verb, by_page.user, by_page.via, by_page.address) == (
        "upload.receive",
        bob.user,
        "member",
        "192.0.2.7",
    )
    assert set(by_page.after) == {"sha256", "size"}


def test_an_act_that_fails_leaves_nothing(alice):
    owner = Membership.objects.get(user=alice.user)

    with pytest.raises(members.LastOwnerError):
        members.change_role(alice, owner, Role.PLAYER)
    with pytest.raises(members.LastOwnerError):
        members.remove(alice, owner)
    assert TrailEntry.objects.count() == 0


def test_a_member_is_removed_once(alice, bob):
    member, stale = (Membership.objects.get(user=bob.user) for _owner in range(2))
    members.remove(alice, member)

    for act in (members.remove, lambda *who: members.change_role(*who, Role.REFEREE)):
        with pytest.raises(Http404):
            act(alice, stale)
    assert [entry.verb for entry in TrailEntry.objects.all()] == ["member.remove"]


def test_an_entry_says_what_was_before_and_after(alice, bob):
    members.change_role(alice, Membership.objects.get(user=bob.user), Role.REFEREE)

    entry = TrailEntry.objects.get()
    assert (entry.verb, entry.before, entry.after) == ("member.role", "scorekeeper", "referee")
    assert entry.target == str(bob.user.pk)


def test_owners_read_the_trail_and_take_it_away(signed_in, alice, mallory):
    keys.make_key(alice, name="platform", scopes=[Scope.EXPORT])
    keys.make_key(mallory, name="another club", scopes=[])

    taken = signed_in(alice).get("/trail.ndjson")
    lines = [json.loads(line) for line in b"".join(taken.streaming_content).splitlines()]
    assert [(line["verb"], line["user"], line["after"]["scopes"]) for line in lines] == [
        ("key.make", alice.user.pk, ["export"])
    ]
    assert "key.make" in signed_in(alice).get("/trail").content.decode()


def test_pages_of_the_trail_follow_each_other(alice):
    for number in range(5):
        trail.leave(alice, "thing.act", target=str(number))

    first = trail.page(alice, most=3)
    second = trail.page(alice, most=3, before=first.next)
    assert [each.target for each in (*first.rows, *second.rows)] == ["4", "3", "2", "1", "0"]
    assert second.next == 0
