"""Send one large file through the page, while somebody looks at pages.

    python benchmarks/upload.py [--megabytes 64] [--json]

A file of 64 MB, the most that is taken, has about 18,000 hands. Measured are the memory of
the largest process of web and worker, from before the file until its last hand is stored; the
delay of the pages asked for meanwhile; and the seconds until all hands are accepted.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from contextlib import closing
from itertools import cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.ground import Client, Ground, ground, hands, until
from benchmarks.rows import Row, arguments, tell

MEGABYTE = 1024 * 1024
PAGES = ("/hands", "/", "/hands?verdict=clean", "/upload")
ACCEPTED = "SELECT count(*) FROM replays_upload WHERE finished_at IS NOT NULL AND NOT failed"


def large_file(megabytes: int) -> tuple[bytes, int]:
    """Return a file of so many megabytes, less one hand at most, and how many hands are in it."""
    bodies = hands(2_000)
    parts: list[bytes] = []
    room = megabytes * MEGABYTE
    for number in range(1_000_000):
        body = bodies[number % len(bodies)]
        # A new name, so that it is another hand.
        start = body.index(b'"id":"') + len(b'"id":"')
        again = b"%d-" % (number // len(bodies))
        part = body[:start] + again + body[start:]
        part = part.replace(b'"id":"M', b'"id":"M' + again, 1)
        if len(part) > room:
            break
        room -= len(part)
        parts.append(part)
    return b"".join(parts), len(parts)


class Watch:
    """Asks for pages, and looks at the memory, until it is told to end."""

    def __init__(self, one: Ground) -> None:
        """Begin."""
        self.one = one
        self.delays: list[float] = []
        self.memory: dict[str, float] = {}
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._ask), threading.Thread(target=self._weigh)]
        for thread in self.threads:
            thread.start()

    def _ask(self) -> None:
        with closing(Client(self.one)) as client:
            for page in cycle(PAGES):
                began = time.monotonic()
                status = client.get(page)
                self.delays.append(time.monotonic() - began)
                if status != 200:
                    raise RuntimeError(f"{page}: {status}")
                if self.over.wait(0.1):
                    break

    def _weigh(self) -> None:
        while not self.over.wait(0.1):
            for name, size in self.one.memory().items():
                self.memory[name] = max(size, self.memory.get(name, 0))

    def end(self) -> None:
        """Stop asking."""
        self.over.set()
        for thread in self.threads:
            thread.join()


def main() -> int:
    """Send the file and print what it took."""
    wanted = arguments(__doc__ or "", megabytes=64)
    content, count = large_file(wanted.megabytes)
    with tempfile.TemporaryDirectory() as folder, ground(Path(folder)) as one:
        one.start_web()
        one.start_worker()
        watch = Watch(one)
        with closing(Client(one)) as client:
            began = time.monotonic()
            status = client.send(content, event="large")
            answered = time.monotonic() - began
        until(lambda: one.query(ACCEPTED) == 1, seconds=600)
        accepted = time.monotonic() - began
        watch.end()
        stored = one.query("SELECT count(*) FROM replays_handlog")
    if status != 302 or stored != count:
        raise RuntimeError(f"answer {status}, {stored} of {count} hands")
    delays = sorted(watch.delays)
    most = max(watch.memory, key=watch.memory.__getitem__)
    size = f"{len(content) / MEGABYTE:.0f} MB, {count:,} hands"
    late = 1000 * delays[int(len(delays) * 0.99)]
    median = 1000 * delays[len(delays) // 2]
    asked = f"{len(delays)} pages, median {median:.0f} ms"
    return tell(
        Row(
            *("memory while a large file comes in", watch.memory[most], 300, 150, "MB"),
            detail=f"{size}; the largest process was {most.split()[0]}",
            less=True,
        ),
        Row("pages meanwhile, p99", late, 500, None, "ms", asked, less=True),
        Row(
            *("a large file, to accepted", accepted, 60, None, "s"),
            detail=f"{size}; answered after {answered:.1f} s",
            less=True,
        ),
        as_json=wanted.json,
    )


if __name__ == "__main__":
    sys.exit(main())
