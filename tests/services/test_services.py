"""The real parts that other tests stand on do what they are for."""

import psycopg
import pytest
import redis
from django.db import connection
from kombu import Connection


@pytest.mark.storage
@pytest.mark.django_db
def test_storage_tests_run_on_the_database_that_was_asked_for(settings):
    with connection.cursor() as cursor:
        cursor.execute("SELECT 40 + 2")

        assert cursor.fetchone() == (42,)
    assert connection.vendor == ("sqlite" if settings.SQLITE else "postgresql")


def test_a_postgres_database_is_empty_and_the_tests_own(postgres_url):
    with psycopg.connect(postgres_url) as own:
        own.execute("CREATE TABLE hand (id int)")
        tables = own.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")

        assert tables.fetchall() == [("hand",)]


@pytest.mark.parametrize("broker", ["valkey", "redis_server"])
def test_valkey_keeps_its_data_over_a_kill_and_loses_it_when_told(broker, request):
    server = request.getfixturevalue(broker)
    server.client.set("stock", "41")

    server.kill()
    server.start()
    assert server.client.get("stock") == b"41"

    server.lose_data()
    assert server.client.get("stock") is None

    server.stop()
    with pytest.raises(redis.ConnectionError):
        server.client.ping()


@pytest.mark.ci
def test_rabbitmq_has_empty_queues_and_hands_on_what_it_is_given(rabbitmq):
    with Connection(rabbitmq.url) as broker:
        queue = broker.SimpleQueue("wake-ups")
        assert queue.qsize() == 0
        queue.put("7H")

        message = queue.get(timeout=5)
        message.ack()
        queue.close()

    assert message.payload == "7H"
