"""Row 21: what unpacks to more than is taken is refused early, in little memory."""

import gzip
import io
import resource
import time
import zlib

import pytest

from replays.models import Upload
from tests.api.conftest import problem
from tests.replays.hands import hand

pytestmark = pytest.mark.django_db
TEXT = "text/plain"
MEGABYTE = 1024 * 1024


def zeros(megabytes):
    """A gzip of so many mebibytes of zeros."""
    packer = zlib.compressobj(9, wbits=31)
    piece = bytes(MEGABYTE)
    return b"".join(packer.compress(piece) for _ in range(megabytes)) + packer.flush()


BOMBS = {
    "one member": lambda: zeros(80),
    "many members": lambda: gzip.compress(bytes(MEGABYTE)) * 80,
}
DAMAGED = {
    "cut": lambda: gzip.compress(hand())[:-9],
    "cut in the header": lambda: gzip.compress(hand())[:5],
    "something behind": lambda: gzip.compress(hand()) + b"x",
    "zeros behind": lambda: gzip.compress(hand()) + bytes(512),
    "a wrong sum": lambda: gzip.compress(hand())[:-8] + bytes(8),
    "no gzip": hand,
    "a thousand empty members": lambda: gzip.compress(b"") * 1001,
    "zip": lambda: b"PK\x03\x04" + bytes(100),
}


def send(api, body):
    return api.send("hands", body, TEXT, headers={"content-encoding": "gzip"})


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_in_little_memory_and_time(api, bomb):
    body = BOMBS[bomb]()
    send(api, gzip.compress(hand("warm")))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()

    answer = send(api, body)

    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (answer.status_code, problem(answer)) == (413, "too-large")
    assert answer.json()["most"] == 64 * MEGABYTE
    assert grown < 64 * 1024
    assert time.process_time() - start < 5
    assert Upload.objects.count() == 1


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_gzip_is_refused(api, name):
    body = DAMAGED[name]()

    answer = send(api, body)

    assert (answer.status_code, problem(answer)) == (400, "bad-encoding")
    assert Upload.objects.count() == 0


def test_a_gzip_in_a_gzip_is_no_log(api):
    answer = send(api, gzip.compress(gzip.compress(hand())))

    assert (answer.status_code, problem(answer)) == (422, "not-taken")


def test_what_is_announced_as_too_large_is_not_read(api):
    answer = api.send("hands", b"x", TEXT, CONTENT_LENGTH=str(10**12))

    assert (answer.status_code, problem(answer)) == (413, "too-large")


class Broken(io.BytesIO):
    """What a server hands on of chunks that are none: reading it raises what only it knows."""

    def read(self, _size):
        raise LookupError("invalid chunk size")


def test_a_body_in_chunks_is_read_to_its_end_and_no_further_than_others(api):
    def chunked(body, **server):
        sent = {"CONTENT_TYPE": TEXT, "HTTP_TRANSFER_ENCODING": "chunked", **server}
        return api.generic("POST", "hands", **{"wsgi.input": io.BytesIO(body), **sent})

    whole = chunked(hand(), **{"wsgi.input_terminated": True})
    large = chunked(b"x" * (64 * MEGABYTE + 1), **{"wsgi.input_terminated": True})
    unknown = chunked(hand())

    broken = chunked(b"", **{"wsgi.input": Broken(), "wsgi.input_terminated": True})
    assert (broken.status_code, problem(broken)) == (400, "bad-request")
    assert (whole.status_code, whole.json()["outcomes"][0]["outcome"]) == (201, "created")
    assert (large.status_code, problem(large)) == (413, "too-large")
    assert (unknown.status_code, problem(unknown)) == (400, "bad-request")
    assert "Content-Length" in unknown.json()["detail"]
