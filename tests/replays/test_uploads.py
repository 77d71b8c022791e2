"""Files come in: few hands at once, many by a worker, batch by batch."""

import io
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from replays import ingest, stopping, sweep, uploads
from replays.models import HandLog, Outcome, Upload
from tests.replays.hands import hand, hands

pytestmark = pytest.mark.storage


def read_all():
    while uploads.read_due():
        pass


def test_a_file_is_kept_as_it_came(send):
    content = b"# by hand\r\n" + hand().replace(b"\n", b"\r\n")

    upload = send(content, file="evening.rhl")

    assert b"".join(bytes(each.body) for each in upload.chunks.order_by("number")) == content
    assert (upload.file, upload.size, upload.percent) == ("evening.rhl", len(content), 100)


@pytest.mark.ci_on_postgres
def test_two_hundred_hands_are_taken_at_once_and_one_more_is_work(send):
    small, large = send(hands(200)), send(hands(201, prefix="L"))

    assert (small.created, small.finished_at is not None) == (200, True)
    assert (large.created, large.finished_at, HandLog.objects.count()) == (0, None, 200)
    read_all()
    large.refresh_from_db()
    assert (large.created, large.seen, large.percent) == (201, 201, 100)
    assert list(large.outcomes.order_by("number").values_list("number", flat=True)) == list(
        range(201)
    )


@pytest.mark.ci_on_postgres
def test_a_large_file_is_read_in_batches_with_progress(send, settings, monkeypatch):
    settings.UPLOAD_BATCH = 100
    upload = send(hands(250))
    seen = []
    take = ingest.take

    def watch(prepared, **fields):
        seen.append((Upload.objects.get().seen, Upload.objects.get().percent))
        return take(prepared, **fields)

    monkeypatch.setattr(ingest, "take", watch)
    read_all()

    assert [each for each, _ in seen] == [0, 100, 200]
    percents = [percent for _, percent in seen]
    assert percents == sorted(set(percents))
    assert 30 < percents[1] < 50
    upload.refresh_from_db()
    assert upload.created == 250


def test_a_crash_in_the_middle_of_a_file_loses_no_hand_and_tells_of_none_twice(
    send, settings, monkeypatch
):
    settings.UPLOAD_BATCH = 50
    upload = send(hands(150) + hand("bad").replace(b"wild", b"wilt") + hands(149, prefix="M"))
    take = ingest.take

    def crash(prepared, **fields):
        outcomes = take(prepared, **fields)
        if prepared[0].number == 100:
            raise KeyboardInterrupt
        return outcomes

    with monkeypatch.context() as patch:
        patch.setattr(ingest, "take", crash)
        with pytest.raises(KeyboardInterrupt):
            uploads.read_due()
    assert uploads.read_due() is False
    assert HandLog.objects.count() == 100
    Upload.objects.update(due=Now() - timedelta(seconds=1))
    read_all()

    upload.refresh_from_db()
    assert (upload.created, upload.rejected, upload.duplicate) == (299, 1, 0)
    assert (HandLog.objects.count(), Outcome.objects.count()) == (299, 300)
    assert (upload.finished_at is not None, upload.failed) == (True, False)


def test_a_reader_that_is_to_stop_puts_the_file_down_and_another_reads_on_at_once(
    send, settings, monkeypatch
):
    settings.UPLOAD_BATCH = 50
    upload = send(hands(300))
    take = ingest.take

    def ask(prepared, **fields):
        stopping.ask()
        return take(prepared, **fields)

    try:
        with monkeypatch.context() as patch:
            patch.setattr(ingest, "take", ask)
            assert uploads.read_due() is True
    finally:
        stopping._asked[0] = 0
    upload.refresh_from_db()
    assert (upload.seen, upload.lease, upload.attempts) == (50, "", 0)
    read_all()

    upload.refresh_from_db()
    assert (upload.created, upload.duplicate, upload.finished_at is not None) == (300, 0, True)


def test_where_one_process_does_all_work_a_file_is_read_in_turns(send, settings, monkeypatch):
    settings.UPLOAD_BATCH, settings.WORKER_PROCESSES = 100, 1
    monkeypatch.setattr(uploads, "_TURN_SECONDS", 0)
    upload = send(hands(250))
    told = []
    while uploads.read_due():
        upload.refresh_from_db()
        told.append((upload.seen, upload.lease, upload.created))

    assert told[:2] == [(100, "", 100), (200, "", 200)]
    assert told[2][::2] == (250, 250)
    assert upload.finished_at is not None


def test_a_reader_whose_lease_is_over_leaves_the_file_to_whoever_has_it(send, monkeypatch):
    upload = send(hands(201))
    take = ingest.take

    def late(prepared, **fields):
        Upload.objects.update(lease="another", due=Now() + timedelta(seconds=20))
        return take(prepared, **fields)

    monkeypatch.setattr(ingest, "take", late)
    assert uploads.read_due() is True

    # Nothing of the batch is counted or stored, as its transaction would have it.
    upload.refresh_from_db()
    assert (upload.seen, upload.created, upload.finished_at, upload.reason) == (0, 0, None, "")
    assert HandLog.objects.count() == 0


def test_one_file_is_read_at_a_time(send):
    send(hands(201))
    send(hands(201, prefix="L"))
    Upload.objects.filter(pk=Upload.objects.first().pk).update(
        lease="other", due=Now() + timedelta(seconds=20)
    )

    assert uploads.read_due() is False


@pytest.mark.ci_on_postgres
def test_a_file_that_stops_its_reader_is_given_up_with_the_reason(send, monkeypatch):
    upload = send(hands(201))

    def stop(prepared, **fields):
        raise MemoryError("no more")

    monkeypatch.setattr(ingest, "take", stop)
    for _attempt in range(4):
        uploads.read_due()
        Upload.objects.update(due=Now() - timedelta(seconds=1))

    upload.refresh_from_db()
    assert (upload.failed, upload.attempts) == (True, 3)
    assert upload.reason == "reading stopped: MemoryError: no more"


def test_a_file_that_kills_its_reader_is_given_up_by_the_sweeper(send):
    upload = send(hands(201))
    Upload.objects.update(attempts=3, lease="gone", due=Now() - timedelta(seconds=1))

    assert uploads.read_due() is False
    sweep.give_up_exhausted()

    upload.refresh_from_db()
    assert (upload.failed, upload.reason) == (
        True,
        "reading this file stopped its worker three times",
    )


def test_a_file_over_the_limit_is_refused_and_leaves_nothing(send, settings):
    settings.UPLOAD_MOST_BYTES = 3_000_000

    with pytest.raises(uploads.TooLargeError):
        send(b"#" * 3_000_001)

    assert Upload.objects.count() == 0


@pytest.mark.ci_on_postgres
def test_a_file_is_taken_in_pieces_however_it_comes(club):
    class Trickle(io.BytesIO):
        """Gives less than it is asked for, as a pipe does, and keeps the most it was asked."""

        most = 0

        def read(self, size=-1):
            self.most = max(self.most, size)
            return super().read(min(size, 70_000))

    content = Trickle(b"# nothing\n" * 400_000)
    upload = uploads.receive(content, club=club)

    assert upload.size == 4_000_000
    assert content.most <= 2 * 1024 * 1024 + 1
    read_all()
    assert Upload.objects.get().outcomes.get().found == "no hand in this file"
