"""Files come in: small ones are taken at once, large ones are kept and read by a worker."""

import hashlib
import itertools
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from replays import arrivals, ingest, stopping, storage, trail, wake, work
from replays.access import Viewer
from replays.models import Club, Upload, UploadChunk
from replays.models.uploads import OUTCOMES, OutcomeKind
from replays.writes import Writes
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand

log = logging.getLogger(__name__)

_CHUNK = 1024 * 1024
# Files read at the same time; the other workers go on judging meanwhile.
_READERS = 1
_BATCH_BYTES = 4 * 1024 * 1024
# Where one process does all work, it reads so long (seconds) before it judges for a while.
_TURN_SECONDS = 2.0

Item = Hand | ReadError
Prepared = arrivals.Arrival | arrivals.Refusal

# What is left of the file that this process gave way in, by upload and how far it is: so that
# the next turn need not read it from its beginning.
_half_read: dict[tuple[int, int], Iterator[list[Item]]] = {}


class LeaseLostError(Exception):
    """Somebody else holds the work by now."""


class TooLargeError(Exception):
    """A file of more bytes than an upload may have."""


def receive(
    content: BinaryIO,
    *,
    club: Club,
    viewer: Viewer | None = None,
    user: Any = None,
    file: str = "",
    source: str = "",
    event: str = "",
) -> Upload:
    """Take a file in: its hands at once if they are few, else as work for a worker.

    ``viewer`` is who sends it, for the trail; without one it is the server itself, for
    ``user``. ``source`` and ``event`` are for hands that name none. ``content`` is read within a
    transaction: hand in a file, not a slow connection. Raises TooLargeError.
    """
    by = viewer or Viewer(club=club, user=user)
    upload = Upload(
        club=club,
        user=by.user,
        file=file[:255],
        source=source,
        event=event,
        received_at=timezone.now(),
        due=Now(),
    )
    start = _beginning(content, settings.UPLOAD_AT_ONCE_BYTES + 1)
    if len(start) <= settings.UPLOAD_AT_ONCE_BYTES:
        most = settings.UPLOAD_AT_ONCE
        items = list(itertools.islice(read(start, file=file), most + 1))
        if len(items) <= most:
            prepared = arrivals.prepare(items, upload=upload, number=0)
            if not _take_alone(by, upload, start, prepared):
                storage.within_transaction(partial(_take_all, by, upload, start, prepared))
            return upload
    with transaction.atomic():
        _keep(by, upload, start, content)
        wake.after_commit(wake.READ_UPLOADS)
    return upload


def _beginning(content: BinaryIO, most: int) -> bytes:
    """Return up to ``most`` bytes; one read may bring less than was asked for."""
    start = b""
    while len(start) < most and (piece := content.read(most - len(start))):
        start += piece
    return start


def _take_alone(by: Viewer, upload: Upload, body: bytes, prepared: list[Prepared]) -> bool:
    """Take a file of one hand in, if that is new; whether it was. Else nothing is done."""
    (first, *others) = prepared or [None]
    if others or not isinstance(first, arrivals.Arrival) or not storage.takes_alone():
        return False
    writes = _begun(upload, body)
    _add_file(by, upload, body, writes)
    _ended(upload, [OutcomeKind.CREATED])
    outcome = ingest.take_alone(first, upload=upload, writes=writes)
    upload.taken = outcome and [outcome]
    return outcome is not None


def _take_all(by: Viewer, upload: Upload, body: bytes, prepared: list[Prepared]) -> None:
    writes = _begun(upload, body)
    upload.taken = ingest.take(prepared, upload=upload, writes=writes)
    _add_file(by, upload, body, writes)
    _ended(upload, [each.kind for each in upload.taken])
    storage.write(writes)


def _begun(upload: Upload, body: bytes) -> Writes:
    upload.pk = None
    upload.size, upload.line_count = len(body), body.count(b"\n")
    upload.sha256 = hashlib.sha256(body).hexdigest()
    writes = Writes()
    writes.add([upload])
    return writes


def _add_file(by: Viewer, upload: Upload, body: bytes, writes: Writes) -> None:
    pieces = enumerate(_pieces(body, None))
    writes.add([UploadChunk(upload=upload, number=at, body=piece) for at, piece in pieces])
    _tell(by, upload, writes)


def _ended(upload: Upload, kinds: Sequence[str]) -> None:
    """Set on an upload what became of all its hands."""
    counts = Counter(kinds)
    for kind in OUTCOMES:
        setattr(upload, kind, counts[kind])
    upload.seen, upload.line = len(kinds), upload.line_count
    upload.due = upload.finished_at = timezone.now()


def _keep(by: Viewer, upload: Upload, start: bytes, rest: BinaryIO | None) -> None:
    """Store a file as it came, in pieces, and say so on the trail."""
    upload.size, upload.line_count, upload.sha256 = 0, 0, ""
    upload.save(force_insert=True)
    digest = hashlib.sha256()
    for number, piece in enumerate(_pieces(start, rest)):
        upload.size += len(piece)
        if upload.size > settings.UPLOAD_MOST_BYTES:
            raise TooLargeError
        upload.line_count += piece.count(b"\n")
        digest.update(piece)
        storage.insert([UploadChunk(upload=upload, number=number, body=piece)])
    upload.sha256 = digest.hexdigest()
    upload.save(update_fields=["size", "line_count", "sha256"])
    _tell(by, upload, None)


def _tell(by: Viewer, upload: Upload, writes: Writes | None) -> None:
    after = {"sha256": upload.sha256, "size": upload.size}
    trail.leave(by, "upload.receive", target=upload.public_id, after=after, writes=writes)


def _pieces(start: bytes, rest: BinaryIO | None) -> Iterator[bytes]:
    for place in range(0, len(start), _CHUNK):
        yield start[place : place + _CHUNK]
    while rest is not None and (piece := rest.read(_CHUNK)):
        yield piece


# --- reading what is kept ----------------------------------------------------------------------


def read_due() -> bool:
    """Read on in an upload that is due; whether there was one.

    It is read to its end, or for a turn where nobody else can judge meanwhile, or until this
    process is to stop: then it is put down, and due at once. What was read is committed batch
    by batch, with how far it is: who reads on after a crash neither loses a hand nor tells of
    one twice.
    """
    unread = Q(finished_at=None, attempts__lt=settings.AUDIT_ATTEMPTS)
    being_read = Upload.objects.filter(~Q(lease=""), failed=False, finished_at=None, due__gt=Now())
    if being_read.count() >= _READERS:
        return False
    for upload in work.claim(Upload, only=unread, most=1):
        try:
            with work.in_hand([upload]):
                _read_on(upload)
        except stopping.StopAskedError:
            work.put_down([upload])
        except LeaseLostError:
            log.warning("upload %s is read by another worker by now", upload.public_id)
        except Exception as error:
            log.exception("reading of upload %s stopped", upload.public_id)
            work.put_back(upload, f"reading stopped: {type(error).__name__}: {error}")
        return True
    return False


def _read_on(upload: Upload) -> None:
    turn_ends = time.monotonic() + _TURN_SECONDS
    batches = _half_read.pop((upload.pk, upload.seen), None) or _unseen(upload)
    _half_read.clear()
    while True:
        with work.alarm(settings.AUDIT_LEASE):
            batch = next(batches, None)
            if batch is None:
                break
            prepared = arrivals.prepare(batch, upload=upload, number=upload.seen)
            storage.in_transaction(partial(_take_batch, upload, prepared, line=batch[-1].line))
            upload.seen += len(batch)
        stopping.check()
        if settings.WORKER_PROCESSES == 1 and time.monotonic() > turn_ends:
            _half_read[upload.pk, upload.seen] = batches
            work.put_down([upload])
            return
    _hold(upload, finished_at=timezone.now(), line=F("line_count"))


def _take_batch(upload: Upload, prepared: list[Prepared], *, line: int) -> None:
    outcomes = ingest.take(prepared, upload=upload)
    counts = Counter(str(each.kind) for each in outcomes)
    _hold(
        upload,
        seen=upload.seen + len(prepared),
        line=line,
        **{kind: F(kind) + count for kind, count in counts.items()},
    )


def _hold(upload: Upload, **fields: object) -> None:
    """Write how far an upload is, and hold it for another lease; only its holder may."""
    lease = timedelta(seconds=settings.AUDIT_LEASE)
    mine = Upload.objects.filter(pk=upload.pk, lease=upload.lease)
    if not mine.update(due=Now() + lease, attempts=1, **fields):
        raise LeaseLostError


def _unseen(upload: Upload) -> Iterator[list[Item]]:
    items = read(_chunks(upload), file=upload.file)
    return _batches(itertools.islice(items, upload.seen, None))


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.raw) if isinstance(item, ReadError) else sum(map(len, item.lines))
        if len(batch) == settings.UPLOAD_BATCH or size > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _chunks(upload: Upload) -> Iterator[bytes]:
    for number in itertools.count():
        stopping.check()
        piece = upload.chunks.filter(number=number).values_list("body", flat=True).first()
        if piece is None:
            return
        yield bytes(piece)
