"""Hands come in: new, again, longer, different, unreadable."""

import threading

import pytest
from django.db import connection

from replays import logs, queries
from replays.models import AuditJob, FreeText, HandLog, LogBatch, Outcome, Player, Seat
from rummy_audit.rhl import digests
from rummy_audit.rhl.read import read
from tests.replays.hands import hand, hands

pytestmark = pytest.mark.storage

START = "deal 1 x13\ndeal 2 x13\nupcard 3C\nwild QD\n"
MORE = START + "draw 1 stock\ndiscard 1 9S\n"
WHOLE = MORE + "drop 2\nscore 1=0 2=40\nend\n"


def kinds(upload):
    return list(upload.outcomes.order_by("number").values_list("kind", flat=True))


def test_a_new_hand_is_stored_whole_and_owes_an_audit(send):
    upload = send(hand(event="friday"), file="friday.rhl", source="paper")

    log = HandLog.objects.get()
    assert (log.source, log.event, log.name) == ("paper", "friday", "T4-17")
    assert (log.ruleset, log.detail, log.seq, log.version) == ("indian-13@1", "shown", 4, 1)
    assert (log.ended_after, log.verdict) == (4, "waiting")
    assert [(seat.seat, seat.name) for seat in log.seats.order_by("seat")] == [
        (1, "Asha"),
        (2, "Bilal"),
    ]
    assert AuditJob.objects.get().log == log
    assert kinds(upload) == ["created"]
    assert (upload.created, upload.finished_at is not None) == (1, True)


def test_a_hand_of_its_own_source_and_event_keeps_them(send):
    send(hand(event="friday", head="source=app"), source="paper", event="saturday")

    assert list(HandLog.objects.values_list("source", "event")) == [("app", "friday")]


def test_the_same_paper_id_on_another_evening_is_another_hand(send):
    upload = send(hand(event="one") + b"\n" + hand(event="two"))

    assert kinds(upload) == ["created", "created"]


def test_the_same_hand_again_is_a_duplicate_and_nothing_new(send):
    send(hand())
    AuditJob.objects.all().delete()

    upload = send(hand())

    assert kinds(upload) == ["duplicate"]
    assert upload.outcomes.get().log == HandLog.objects.get()
    assert (LogBatch.objects.count(), Seat.objects.count(), AuditJob.objects.count()) == (1, 2, 0)


def test_a_longer_log_continues_the_stored_one(send):
    send(hand(lines=START))
    AuditJob.objects.all().delete()

    first = send(hand(lines=MORE))
    then = send(hand(lines=WHOLE))

    assert [kinds(first), kinds(then)] == [["appended"], ["appended"]]
    log = HandLog.objects.get()
    assert (log.version, log.seq, log.ended_after, log.is_open) == (3, 8, 8, False)
    spans = log.batches.order_by("first_line").values_list("first_line", "first_seq", "last_seq")
    assert list(spans) == [(0, 1, 4), (5, 5, 6), (7, 7, 8)]
    (whole,) = read(hand(lines=WHOLE))
    assert tuple(logs.full_lines(log)) == whole.lines
    assert AuditJob.objects.count() == 1


def test_an_end_alone_and_an_amendment_behind_it_are_appends(send):
    open_hand = WHOLE.removesuffix("end\n")
    send(hand(lines=open_hand))
    ended = send(hand(lines=WHOLE))
    amended = send(hand(lines=WHOLE + "amend 8 by=scorer : score 1=0 2=20\n"))

    assert [kinds(ended), kinds(amended)] == [["appended"], ["appended"]]
    log = HandLog.objects.get()
    assert (log.seq, log.ended_after, log.line_count) == (9, 8, 11)


def test_an_older_copy_of_a_stored_hand_is_a_duplicate(send):
    send(hand(lines=MORE))
    send(hand(lines=WHOLE))

    assert kinds(send(hand(lines=START))) == ["duplicate"]
    assert kinds(send(hand(lines=MORE))) == ["duplicate"]
    assert HandLog.objects.get().version == 2


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(WHOLE.replace("9S", "9H"), id="another-card"),
        pytest.param(WHOLE.replace("end\n", "end void\n"), id="another-end"),
        pytest.param(START + "draw 1 discard 3C\n", id="shorter-and-other"),
        pytest.param(MORE + "end abandoned\n", id="ended-earlier"),
        pytest.param(WHOLE.replace("end\n", "draw 1 stock\n"), id="gone-on"),
    ],
)
def test_another_content_is_a_conflict_that_keeps_both(send, lines):
    send(hand(lines=WHOLE))
    before = HandLog.objects.values().get()

    upload = send(hand(lines=lines))

    (other,) = read(hand(lines=lines))
    outcome = upload.outcomes.get()
    assert outcome.kind == "conflict"
    assert bytes(outcome.raw) == b"\n".join(other.lines)
    assert before["head"] in outcome.expected
    assert "head " in outcome.found
    assert before["head"] not in outcome.found
    assert HandLog.objects.values().get() == before
    assert LogBatch.objects.count() == 1


def test_an_end_before_what_is_stored_already_is_a_conflict(send):
    send(hand(lines=MORE))
    before = HandLog.objects.values().get()

    assert kinds(send(hand(lines=START + "end abandoned\n"))) == ["conflict"]
    assert HandLog.objects.values().get() == before


def test_a_hand_twice_in_one_file_meets_itself(send):
    upload = send(hand(lines=START) + hand(lines=START) + hand(lines=MORE) + hand(lines=WHOLE))

    # Open hands are no hands before an end: the reader refuses all but the last.
    assert kinds(upload) == ["rejected", "rejected", "rejected", "created"]
    assert kinds(send(hand("B") + b"\n" + hand("B"))) == ["created", "duplicate"]


def test_one_bad_hand_never_stops_a_file(send):
    bad = hand("bad").replace(b"wild 7D", b"wild 7D 7D")
    upload = send(hand("one") + b"\n" + bad + b"\n" + hand("two"))

    assert kinds(upload) == ["created", "rejected", "created"]
    outcome = upload.outcomes.get(kind="rejected")
    assert (outcome.name, outcome.line, outcome.column) == ("bad", 13, 9)
    assert b"wild 7D 7D" in bytes(outcome.raw)
    assert outcome.found
    assert outcome.expected


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param("rules set_max=99999\n", "set_max 99999", id="house-rule"),
        pytest.param("match M format=pool-7x\n", "match.format pool-7x", id="format"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_their_name(send, lines, found):
    outcome = send(hand(lines=lines)).outcomes.get()

    assert (outcome.kind, outcome.name, outcome.line) == ("rejected", "T4-17", 1)
    assert outcome.found.replace("'", "") == found
    assert outcome.expected


def test_a_seat_belongs_to_the_roster_by_ref_and_never_by_name(send, club):
    asha = Player.objects.create(club=club, ref="p-17", name="Asha")
    Player.objects.create(club=club, ref="p-18", name="Bilal")

    send(hand().replace(b"player 1 Asha", b"player 1 A. ref=p-17"))

    seats = Seat.objects.order_by("seat").values_list("name", "ref", "player")
    assert list(seats) == [("A.", "p-17", asha.pk), ("Bilal", "", None)]


def test_names_and_texts_stand_beside_the_log_and_come_back(send):
    words = 'note "Asha was late"\nruling "Dev K" 1 other reason=agreed\nend\namend 2 by=Esha\n'
    content = hand(head='table="Table of Asha" _pen=blue', lines=START + words)
    (whole,) = read(content)

    send(content)

    log = HandLog.objects.get()
    stored = b"".join(bytes(body) for body in log.batches.values_list("body", flat=True))
    for word in (b"Asha", b"Bilal", b"Dev", b"Esha", b"late", b"agreed", b"blue"):
        assert word not in stored
    assert queries.hand_of(log).lines == whole.lines
    # Forgotten, the log is still a log, with the same head.
    Seat.objects.update(name="")
    FreeText.objects.all().delete()
    HandLog.objects.update(table="")
    log.refresh_from_db()
    forgotten = queries.hand_of(log)
    assert b"Asha" not in b"".join(forgotten.lines)
    chain = digests.chain(forgotten)
    assert (chain.head, chain.core_digest) == (log.head, log.core_digest)


def test_an_end_keeps_the_head_that_it_claims(send):
    send(hand().replace(b"\nend\n", b"\nend head=00ff sig=ed25519:k:x\n"))

    log = HandLog.objects.get()
    (line,) = (line for line in logs.stored_lines([log.pk])[log.pk].splitlines() if b"end" in line)
    assert line == b'{"head":"00ff","sig":"ed25519:k:x","status":"completed","type":"end"}'


@pytest.mark.django_db(transaction=True)
def test_fifty_equal_uploads_at_once_store_one_hand(send):
    content = hands(3)
    found, errors = [], []

    def upload():
        try:
            found.append(tuple(kinds(send(content))))
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=upload) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert len(found) == 50
    for place in range(3):
        assert [each[place] for each in found].count("created") == 1
        assert [each[place] for each in found].count("duplicate") == 49
    assert (HandLog.objects.count(), LogBatch.objects.count()) == (3, 3)
    assert (AuditJob.objects.count(), Outcome.objects.count()) == (3, 150)


@pytest.mark.django_db(transaction=True)
def test_of_appends_at_once_one_wins_and_the_others_are_told(send):
    send(hand(lines=START))
    found = []

    def upload(card):
        try:
            found.append(kinds(send(hand(lines=f"{START}draw 1 stock\ndiscard 1 {card}\n"))))
        finally:
            connection.close()

    cards = ["9S", "9H", "9D", "9C", "2S", "2H", "2D", "2C"]
    threads = [threading.Thread(target=upload, args=(card,)) for card in cards]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(found) == [["appended"]] + [["conflict"]] * 7
    assert (LogBatch.objects.count(), HandLog.objects.get().version) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_the_same_hands_in_opposite_order_at_once_wait_for_each_other(send):
    pieces = [hand(f"H-{number}") for number in range(60)]
    there, back = b"\n".join(pieces), b"\n".join(reversed(pieces))
    errors = []

    def upload(content):
        try:
            send(content)
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=upload, args=(each,)) for each in (there, back) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert HandLog.objects.count() == 60
    assert Outcome.objects.filter(kind="created").count() == 60
    assert Outcome.objects.filter(kind="duplicate").count() == 420
