"""Work off a backlog through Celery with two workers, against the engine alone on two processes.

    python benchmarks/drain.py [--hands 10000] [--json]

The hands lie in PostgreSQL, none judged, when the worker starts; counted is the middle of the
work, from the first tenth to the last. The engine alone reads, judges and reports the same
hands, before and after.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.ground import Ground, ground, hands, judged_purely
from benchmarks.rows import Row, arguments, tell

TAKE = """
import io, sys
from replays import uploads
from replays.models import default_club
content, club = sys.stdin.buffer.read(), default_club()
for number in range({times}):
    uploads.receive(io.BytesIO(content), club=club, file="x", event=str(number))
    while uploads.read_due():
        pass
"""


def drained(one: Ground, count: int) -> tuple[float, float]:
    """Return hands a second in the middle of the work, and the seconds for all."""
    one.start_worker()
    began = time.perf_counter()
    marks: list[tuple[float, int]] = []
    while left := one.waiting():
        marks.append((time.perf_counter(), left))
        time.sleep(0.05)
    whole = time.perf_counter() - began
    middle = [mark for mark in marks if count * 0.1 < mark[1] < count * 0.9]
    (first, more), (last, less) = middle[0], middle[-1]
    return (more - less) / (last - first), whole


def main() -> int:
    """Measure the engine, the workers, and the engine again."""
    wanted = arguments(__doc__ or "", hands=10_000)
    bodies = hands(min(2_000, wanted.hands))
    times = wanted.hands // len(bodies)
    with tempfile.TemporaryDirectory() as folder, ground(Path(folder)) as one:
        one.python(TAKE.format(times=times), content=b"".join(bodies))
        before = judged_purely(bodies)
        rate, whole = drained(one, times * len(bodies))
        one.stop()
        pure = (before + judged_purely(bodies)) / 2
        verdicts = one.verdicts()
        told = one.query("SELECT string_agg(DISTINCT reason, '; ') FROM replays_auditjob")
    if verdicts != times * len(bodies):
        raise RuntimeError(f"{verdicts} verdicts of {times * len(bodies)}: {told}")
    detail = f"{rate:,.0f} hands/s, the engine alone {pure:,.0f}; all {verdicts:,} in {whole:.1f} s"
    row = Row("drain through Celery against the engine", rate / pure, 0.5, 0.8, "x", detail)
    return tell(row, as_json=wanted.json)


if __name__ == "__main__":
    sys.exit(main())
