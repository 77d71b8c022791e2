"""Sent twice, done once: Idempotency-Key, and many equal requests at the same moment."""

import threading

import pytest
from django.db import OperationalError, connection

from api.models import Remembered
from replays.models import HandLog, TrailEntry, Upload
from tests.api.conftest import problem
from tests.replays.hands import hand

TEXT = "text/plain"


def connect():
    """Have a connection before all begin: on a busy machine a server takes its time over fifty."""
    for _try in range(10):
        try:
            return connection.ensure_connection()
        except OperationalError:
            continue
    raise AssertionError("no connection")


def at_once(count, ask):
    """Ask from many threads at the same moment; give their answers."""
    start = threading.Barrier(count)
    answers = [None] * count

    def one(number):
        try:
            connect()
            start.wait(60)
            answers[number] = ask(number)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


@pytest.mark.django_db
@pytest.mark.storage
def test_the_same_key_and_body_is_the_same_answer_without_a_second_effect(api):
    key = {"idempotency-key": "k-1"}
    first = api.send("hands", hand("A"), TEXT, headers=key)
    api.send("hands", hand("A") + b"note more\n", TEXT)

    again = api.send("hands", hand("A"), TEXT, headers=key)

    assert (first.status_code, again.status_code) == (201, 200)
    assert (again.content, again["Location"]) == (first.content, first["Location"])
    assert again["Idempotency-Replayed"] == "true"
    assert Upload.objects.count() == TrailEntry.objects.filter(verb="upload.receive").count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "form"),
    [("hands", "application/vnd.rhl+jsonl"), ("hands?source=shop-1", TEXT)],
    ids=["another form", "another address"],
)
def test_the_same_key_and_body_said_in_another_way_is_refused(api, path, form):
    key = {"idempotency-key": "k-1"}
    api.send("hands", hand("A"), TEXT, headers=key)

    other = api.send(path, hand("A"), form, headers=key)

    assert (other.status_code, problem(other)) == (409, "key-reused")
    assert HandLog.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.storage
def test_the_same_key_with_another_body_is_refused(api):
    key = {"idempotency-key": "k-1"}
    api.send("hands", hand("A"), TEXT, headers=key)

    other = api.send("hands", hand("B"), TEXT, headers=key)

    assert (other.status_code, problem(other)) == (409, "key-reused")
    assert list(HandLog.objects.values_list("name", flat=True)) == ["A"]


@pytest.mark.django_db
@pytest.mark.storage
def test_a_key_that_is_let_go_of_in_that_very_moment_is_free(api):
    """Between taking the key, which another has, and reading whose it is, that one is gone."""
    api.send("hands", hand("A"), TEXT, headers={"idempotency-key": "k-1"})
    Remembered.objects.update(key="k-2")

    def between(execute, sql, *rest):
        if "INSERT" not in sql or "remembered" not in sql or not kept:
            return execute(sql, *rest)
        other = kept.pop()
        Remembered.objects.filter(pk=other).update(key="k-1")
        answer = execute(sql, *rest)
        Remembered.objects.filter(pk=other).delete()
        return answer

    kept = list(Remembered.objects.values_list("pk", flat=True))
    with connection.execute_wrapper(between):
        answer = api.send("hands", hand("B"), TEXT, headers={"idempotency-key": "k-1"})

    assert (answer.status_code, kept) == (201, [])
    assert Remembered.objects.get().key == "k-1"


@pytest.mark.django_db
@pytest.mark.storage
def test_a_refusal_is_remembered_like_any_answer(api):
    key = {"idempotency-key": "k-1"}

    first, again = (api.send("hands", b"hand A x", TEXT, headers=key) for _ in range(2))

    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert problem(again) == "not-taken"


@pytest.mark.django_db
def test_keys_of_two_programs_do_not_meet(api, program, alice, mallory):
    key = {"idempotency-key": "k-1"}
    api.send("hands", hand("A"), TEXT, headers=key)

    answers = [
        each.send("hands", hand("B"), TEXT, headers=key)
        for each in (program(alice), program(mallory))
    ]

    assert [each.status_code for each in answers] == [201, 201]


@pytest.mark.parametrize("key", ["", "a b", "ü", "x" * 256])
@pytest.mark.django_db
def test_a_key_is_a_word(api, key):
    answer = api.send("hands", hand("A"), TEXT, headers={"idempotency-key": key})

    assert (answer.status_code, problem(answer)) == (400, "bad-parameter")


@pytest.mark.ci_on_postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.storage
@pytest.mark.parametrize("key", [{"idempotency-key": "k-1"}, {}], ids=["with-key", "without"])
def test_50_equal_requests_at_once_create_one_hand(program, alice, key):
    """Row 12: one 201, the rest 200 with the same body, nothing fails."""
    one = program(alice)

    answers = at_once(50, lambda _number: one.send("hands", hand("A"), TEXT, headers=key))

    assert sorted(each.status_code for each in answers) == [200] * 49 + [201]
    assert HandLog.objects.count() == 1
    if key:
        assert len({each.content for each in answers}) == 1
        assert Upload.objects.count() == 1
    else:
        outcomes = sorted(each.json()["outcomes"][0]["outcome"] for each in answers)
        assert outcomes == ["created"] + ["duplicate"] * 49
