"""Members, keys and links: who gets in, and that they get no further than their club."""

from datetime import timedelta

import pytest
from django.utils import timezone

from replays import access, keys, links
from replays.models import HandLog, TrailEntry
from replays.models.keys import LinkKind
from replays.models.people import Scope
from tests.replays.hands import hands

pytestmark = pytest.mark.storage


def test_nobody_reads_nothing(send):
    send(hands(1))

    assert HandLog.objects.count() == 1
    assert list(HandLog.objects.for_user(access.NOBODY)) == []


def test_a_member_reads_their_own_club_only(send, bob, mallory):
    send(hands(1))

    assert HandLog.objects.for_user(bob).count() == 1
    assert HandLog.objects.for_user(mallory).count() == 0


def test_a_key_is_proved_by_its_secret_alone(alice):
    key, secret = keys.make_key(alice, name="platform", scopes=[Scope.HANDS_READ])

    assert keys.holder_of(secret) == key
    assert keys.holder_of(secret[:-1] + ("a" if secret[-1] != "a" else "b")) is None
    assert keys.holder_of(f"rma_{key.prefix}_") is None
    assert keys.holder_of("") is None


def test_a_key_ends_by_time_and_at_once_when_revoked(alice):
    past = timezone.now() - timedelta(seconds=1)
    _old, over = keys.make_key(alice, name="old", scopes=[], expires_at=past)
    key, secret = keys.make_key(alice, name="new", scopes=[])
    keys.revoke_key(alice, key)

    assert keys.holder_of(over) is None
    assert keys.holder_of(secret) is None
    assert [entry.verb for entry in TrailEntry.objects.order_by("pk")] == [
        "key.make",
        "key.make",
        "key.revoke",
    ]


def test_a_secret_is_nowhere_in_the_database(alice):
    key, secret = keys.make_key(alice, name="platform", scopes=[])
    key.refresh_from_db()

    assert secret not in repr(vars(key))
    assert secret.split("_", 2)[2] not in repr(
        list(TrailEntry.objects.values("target", "before", "after", "via"))
    )


def test_a_link_opens_one_kind_of_thing_until_it_is_revoked(bob):
    link, token = links.make_link(bob, kind=LinkKind.TABLE, scope={"table": "4"})

    assert links.link_of(token, kind=LinkKind.TABLE) == link
    assert links.link_of(token, kind=LinkKind.SHARE) is None
    links.revoke_link(bob, link)
    assert links.link_of(token, kind=LinkKind.TABLE) is None
