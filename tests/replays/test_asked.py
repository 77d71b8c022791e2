"""What every request asks is worded once, and answered as Django's own query set would."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.core.signals import request_finished, request_started
from django.db import connection

from replays import keys, standing
from replays.asked import Asked
from replays.models import ApiKey, Membership
from replays.models.people import Scope


def _whole(row):
    """All that is loaded of a row, with the rows that came along."""
    meta = row._meta
    own = {field.attname: getattr(row, field.attname) for field in meta.concrete_fields}
    along = {name: _whole(one) for name, one in row._state.fields_cache.items()}
    return type(row), row._state.db, row._state.adding, own, along


@pytest.mark.storage
def test_the_answer_is_that_of_the_query_set_and_of_now(alice, bob):
    asked = Asked(lambda: Membership.objects.select_related("club", "user"), "user", "id__gt")
    for _time in range(2):
        rows = Membership.objects.select_related("club", "user").filter(user=bob.user)
        assert list(map(_whole, asked(bob.user.pk, 0))) == list(map(_whole, rows))
        assert asked(str(bob.user.pk), rows[0].pk) == []
        Membership.objects.filter(user=bob.user).update(role="viewer")
    assert asked(0, 0) == []


@pytest.mark.storage
def test_a_key_comes_with_its_scopes_and_its_club_and_ends_at_once(alice, club):
    key, secret = keys.make_key(alice, name="table 4", scopes=[Scope.HANDS_WRITE])
    assert keys.holder_of(secret) == key
    found = keys.holder_of(secret)
    assert _whole(found) == _whole(ApiKey.objects.select_related("club").get())
    assert (found.scopes, found.club) == (["hands:write"], club)

    keys.revoke_key(alice, key)
    assert keys.holder_of(secret) is None


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_what_is_worded_in_one_thread_is_asked_in_another():
    asked = Asked(Membership.objects.all, "user")
    assert asked(0) == []

    def ask():
        try:
            return asked(0)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as others:
        assert others.submit(ask).result() == []


def test_what_is_no_plain_lookup_is_not_worded():
    asked = Asked(lambda: Membership.objects.filter(role="owner"), "user")
    with pytest.raises(ValueError, match="other values"):
        asked(1)


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_a_connection_that_was_used_a_moment_ago_is_asked_only_once_its_server_has_spoken():
    # The client of tests connects Django's own receiver anew: it would come after ours.
    request_started.disconnect(dispatch_uid=standing.TRUST)
    standing.watch()
    connection.close()
    connection.ensure_connection()
    request_finished.send(sender=None)
    request_started.send(sender=None)
    assert connection.health_check_done

    if connection.vendor == "postgresql":
        pid = connection.connection.info.backend_pid
        request_finished.send(sender=None)
        with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        request_started.send(sender=None)
        assert not connection.health_check_done
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            assert cursor.fetchone() != (pid,)
