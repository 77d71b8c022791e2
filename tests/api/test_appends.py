"""Rows 13 and 14: retries in any order and overlap, and many writers at one log."""

import io
import json

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from replays import live, uploads
from replays.models import HandLog
from replays.queries import hand_of
from rummy_audit.rhl import canonical
from tests.api.test_live import RECORD
from tests.api.test_once import at_once
from tests.effort import tries

JSON_LINES = "application/vnd.rhl+jsonl"
END = {"type": "end", "status": "abandoned"}
SIDES = st.lists(st.sampled_from("ab"), max_size=3).map("".join)
EVENTS = {"a": {"type": "pass", "seat": 1}, "b": {"type": "pass", "seat": 2}}


def line(record):
    return canonical.dumps(record)


def events(letters, first):
    return [{**EVENTS[letter], "seq": seq} for seq, letter in enumerate(letters, first)]


class LiveTable(RuleBasedStateMachine):
    """A log of events a and b, beside a text of these letters that says what it must be."""

    viewer = None
    count = 0

    def __init__(self):
        super().__init__()
        LiveTable.count += 1
        self.record = {**RECORD, "id": f"hand {LiveTable.count}"}
        self.log, self.ended = "", False
        self.said = {}
        self.public_id = self.send("").log.public_id

    def send(self, letters, *, end=False):
        """Send the hand from its beginning; give its outcome."""
        lines = [self.record, *events(letters, 1), *([END] if end else [])]
        body = b"\n".join(map(line, lines))
        upload = uploads.receive(io.BytesIO(body), club=self.viewer.club)
        return upload.outcomes.get()

    @rule(after=st.integers(0, 8), letters=SIDES, end=st.booleans())
    def append(self, after, letters, end):
        if not letters and not end:
            return
        lines = [*map(line, events(letters, after + 1)), *([line(END)] if end else [])]
        expected = self.expected(after, letters, end=end)
        if expected:
            with pytest.raises(expected) as refused:
                live.append(self.viewer, self.public_id, after=after, lines=lines)
            assert refused.value.log.seq == len(self.log)
            return
        written = live.append(self.viewer, self.public_id, after=after, lines=lines)
        # What is said of these events is the same for ever.
        told = (written.head, len(written.hand.events), written.hand.end is None)
        assert self.said.setdefault((after, letters, end), told) == told

    def expected(self, after, letters, *, end):
        """Say what the answer must be, and go on with the log as it must be."""
        if after > len(self.log):
            return live.BeyondError
        if self.ended and after == len(self.log) and letters:
            return live.EndedError
        new = self.log[:after] + letters
        longer, shorter = sorted((new, self.log), key=len, reverse=True)
        differs = not longer.startswith(shorter)
        cut = end and len(new) < len(self.log)
        beyond = self.ended and len(new) > len(self.log)
        if differs or cut or beyond:
            return live.DiffersError
        self.log, self.ended = longer, self.ended or end
        return None

    @rule(letters=SIDES, end=st.booleans())
    def send_whole(self, letters, end):
        new, kind = self.log + letters, "duplicate"
        if self.ended and letters:
            kind = "conflict"
        elif letters or (end and not self.ended):
            kind, self.log, self.ended = "appended", new, end

        assert self.send(new, end=end).kind == kind

    def teardown(self):
        log = HandLog.objects.get(public_id=self.public_id)
        hand = hand_of(log)
        assert "".join("ab"[event.seat - 1] for event in hand.events) == self.log
        assert (hand.end is not None, log.seq) == (self.ended, len(self.log))


@pytest.mark.ci_on_postgres
@pytest.mark.django_db
@pytest.mark.storage
def test_retries_in_any_order_leave_the_log_that_was_written(bob):
    LiveTable.viewer = bob
    run_state_machine_as_test(
        LiveTable,
        settings=settings(
            max_examples=tries(100),
            stateful_step_count=6,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.storage
def test_of_many_writers_one_wins_each_place(program, alice):
    """Row 14: 16 writers, each after every place; exactly one gets it."""
    writers, places = 16, 8
    one = program(alice, rate=1_000_000)
    record = json.dumps(RECORD).encode() + b"\n"
    url = one.send("hands", record, JSON_LINES).json()["outcomes"][0]["url"]

    def write(number):
        won = []
        for place in range(places):
            event = {"type": "pass", "seat": 1, "seq": place + 1, "_by": number}
            answer = one.send(f"{url}/events", {"expect": place, "events": [event]})
            if answer.status_code == 200:
                won.append(place)
            else:
                said = answer.json()
                assert (said["status"], said["code"]) == (409, "log-differs")
                assert said["head"]["seq"] > place
        return won

    won = at_once(writers, write)

    assert sorted(place for each in won for place in each) == list(range(places))
    assert HandLog.objects.get().seq == places
