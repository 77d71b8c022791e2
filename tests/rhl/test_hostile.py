"""Logs that cannot be read are named by place and reason, and hurt nobody."""

import io
import subprocess
import sys
import time

import pytest

from rummy_audit.rhl.limits import MAX_HAND, MAX_LINE
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand
from tests.rhl import hostile, hostile_said
from tests.rhl.hostile import END, HAND, TEXT, line

GOOD = HAND.replace(b'"H"', b'"good"') + line(1, seat=1, card="7H") + END
# Before any hand of a file there is nothing else that a line could belong to.
ALONE = {"before-any-hand", "pretty-printed"}
CASES = [
    pytest.param(data, said, id=f"{form}-{name}")
    for form, logs, answers in (
        ("json", hostile.IN_JSON, hostile_said.IN_JSON),
        ("text", hostile.IN_TEXT, hostile_said.IN_TEXT),
    )
    for name, data in logs.items()
    for said in (answers[name],)
    if name not in ALONE
]


def test_every_hostile_log_has_its_answer():
    assert len(CASES) + len(hostile.FILES) >= 40
    for name in ("IN_JSON", "IN_TEXT", "FILES"):
        assert getattr(hostile, name).keys() == getattr(hostile_said, name).keys()


@pytest.mark.parametrize(("data", "said"), CASES)
def test_one_bad_hand_is_refused_with_its_place_and_the_others_are_read(data, said):
    hand, number, column, found, expected = said
    start = time.perf_counter()
    first, error, last = read(GOOD + data + b"\n" + GOOD, file="evening.rhl")
    taken = time.perf_counter() - start

    lines = data.split(b"\n")
    assert error == ReadError(
        file="evening.rhl",
        line=GOOD.count(b"\n") + number,
        column=column,
        hand=hand,
        found=found,
        expected=expected,
        raw=b"\n".join(each[: MAX_LINE + 1] for each in (*lines[:-1], lines[-1])),
    )
    assert [first.record.id, last.record.id] == ["good", "good"]
    assert (first.line, last.line) == (1, GOOD.count(b"\n") + data.count(b"\n") + 2)
    assert taken < 2


@pytest.mark.parametrize("name", sorted(ALONE))
def test_what_stands_before_any_hand_is_refused_in_one_piece(name):
    data = hostile.IN_JSON[name]
    hand, number, column, found, expected = hostile_said.IN_JSON[name]
    error, last = read(data + GOOD)

    assert error == ReadError("", number, column, hand, found, expected, data.rstrip(b"\n"))
    assert last.record.id == "good"


@pytest.mark.parametrize("name", hostile.FILES)
def test_a_file_that_is_no_log_is_named_as_what_it_is(name):
    hand, number, column, found, expected = hostile_said.FILES[name]
    (error,) = read(hostile.FILES[name], file=name)

    assert (error.file, error.hand, error.line, error.column) == (name, hand, number, column)
    assert (error.found, error.expected) == (found, expected)


def test_the_hand_without_end_is_refused_when_the_next_begins():
    open_hand = HAND + line(1, seat=1, card="7H")
    error, hand = read(open_hand + GOOD)

    assert error == ReadError(
        file="",
        line=3,
        column=1,
        hand="H",
        found="a second hand record before the end",
        expected="the end of hand H, which began in line 1",
        raw=open_hand.rstrip(b"\n"),
    )
    assert hand.record.id == "good"


def test_the_hand_without_end_is_open_at_the_end_of_the_file():
    (hand,) = read(HAND + line(1, seat=1, card="7H"))

    assert (hand.end, hand.ended_after, len(hand.events)) == (None, None, 1)


def test_an_ended_hand_is_not_lost_by_what_follows_it():
    """A hand whose first line is garbled takes nothing else with it."""
    garbled = b'{"ty\n' + line(1, seat=2, card="8H") + END
    hand, error, last = read(GOOD + garbled + GOOD)

    assert isinstance(hand, Hand)
    assert (error.hand, error.line, error.column) == ("", 4, 5)
    assert error.raw == garbled.rstrip(b"\n")
    assert isinstance(last, Hand)


@pytest.mark.parametrize(
    "after",
    [
        line(2, "amend", target=1, replace={"type": "discard", "seat": 1, "card": "7X"}),
        line(3, "note", text="checked"),
        b'{"type":"ruling","seq":2\n',
        line(2, "draw", seat=1, **{"from": "stock"}),
        END,
    ],
)
def test_an_ended_hand_is_refused_when_its_correction_cannot_be_read(after):
    error, last = read(GOOD + after + GOOD)

    assert (error.hand, error.line, last.record.id) == ("good", 4, "good")


def test_a_hand_whose_first_line_is_lost_is_no_part_of_the_one_before():
    first, error, last = read(GOOD + line(1, seat=2, card="8H") + line(2, seat=1, card="9H") + GOOD)

    assert (first.record.id, last.record.id) == ("good", "good")
    assert (error.hand, error.line, error.found) == ("", 4, "discard after the end")


def test_a_hand_of_more_than_8_mib_is_refused_and_its_beginning_kept():
    table = [["R1", "R2", "R3"]] * 400
    plays = [line(seq, "play", seat=1, table=table) for seq in range(1, 1_300)]
    hand = HAND + b"".join(plays) + END
    first, error, last = read(GOOD + hand + GOOD)

    fits = hand[:MAX_HAND].rpartition(b"\n")[0]
    assert (first.record.id, last.record.id) == ("good", "good")
    assert error == ReadError(
        file="",
        line=GOOD.count(b"\n") + fits.count(b"\n") + 2,
        column=1,
        hand="H",
        found="a hand of more than 8 MiB",
        expected="at most 8 MiB in a hand",
        raw=fits,
    )


def test_readers_take_what_people_and_other_programs_write():
    """BOM, CRLF, blank lines, comments, 10H, 7♥, 7h, PJ, spaces in JSON."""
    marked = (
        "\ufeff# the evening\r\n\r\n"
        '{ "type": "hand", "rhl": 1, "id": "H", "ruleset": "gin", "detail": "full",'
        ' "players": [ { "seat": 1, "name": "Zoe\u0308" } ] }\r\n'
        '  {"seq":1,"type":"deal","seat":1,"cards":["10H","7♥","7h","PJ","jk","k13"]}\r\n'
        "\r\n# the end\r\n"
        '{"type":"end","status":"completed"}\r\n'
        "\ufeffhand T rhl=1 ruleset=gin detail=full   # joined by hand\r\n"
        "\tplayer 1 Zoe\u0308\r\n"
        "deal 1 10h,7♥ 7H pj JK K13\r\n"
        "show 1 4H,5H|8S 9S TS/KC\r\n"
        "end"
    ).encode()
    json_hand, text_hand = read(marked)

    assert json_hand.lines == (
        '{"detail":"full","id":"H","players":[{"name":"Zoë","seat":1}],"rhl":1,'
        '"ruleset":"gin","type":"hand"}'.encode(),
        b'{"cards":["TH","7H","7H","JK","JK","K13"],"seat":1,"seq":1,"type":"deal"}',
        b'{"status":"completed","type":"end"}',
    )
    assert text_hand.lines[1:] == (
        json_hand.lines[1],
        b'{"discard":"KC","groups":[["4H","5H"],["8S","9S","TS"]],"seat":1,"seq":2,"type":"show"}',
        b'{"status":"completed","type":"end"}',
    )
    assert (json_hand.line, text_hand.line) == (3, 8)


@pytest.mark.parametrize("before", [b"", b"a word\n"])
def test_a_hand_whose_letters_are_escapes_begins_a_hand(before):
    """JSON may escape any letter: also after a line that belongs to no hand."""
    escaped = HAND.replace(b'"type"', rb'"t\u0079pe"').replace(b'"hand"', rb'"h\u0061nd"')
    *refused, hand = read(before + escaped + END)

    assert escaped != HAND
    assert hand.lines == next(read(HAND + END)).lines
    assert len(refused) == bool(before)


def test_faces_that_no_deck_has_are_read_to_be_judged():
    (hand,) = read(TEXT + b"discard 1 R14\ndiscard 2 1h\ndiscard 1 b0\n")

    assert [event.card for event in hand.events] == ["R14", "1H", "B0"]


@pytest.mark.parametrize("size", [1, 7, 1_000, 65_536, 10_000_000])
def test_it_makes_no_difference_in_what_pieces_a_file_comes(size):
    logs = [*hostile.IN_JSON.values(), *hostile.IN_TEXT.values()]
    data = GOOD + b"\n".join(log for log in logs if len(log) < 2_000) + b"\n" + GOOD
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    whole = list(read(data))

    assert len(whole) > 100
    assert list(read(pieces)) == whole
    assert list(read(io.BytesIO(data))) == whole


PROBE = """
import itertools, sys
from pathlib import Path
from rummy_audit.rhl.read import read, ReadError
from tests.rhl.hostile import HAND, END, line
drops = b"".join(line(seq, seat=1, card="7H") for seq in range(1, 61))
streams = {
    "hands": (20, HAND + drops + END),
    "bad-hands": (3, HAND + line(1, seat=1, card="7X") * 400 + END),
    "one-bad-hand": (16, drops),
    "one-line": (70, b"x" * 65_536),
    "brackets": (70, b'{"a":[' * 10_000),
    "blank": (1, b"\\n" * 65_536),
    "begun": (1, HAND),
    "text": (0.5, b"hand T rhl=1 ruleset=gin detail=full\\n" + b"drop 1\\n" * 60 + b"end\\n"),
    "unknown": (1, HAND + b'{"type":"x","seq":1,"a":[[[[[]]]]]}\\n' + END),
}
megabytes, block = streams[sys.argv[1]]
block *= max(1, 65_536 // len(block))
def peak():
    # Not getrusage: what that says begins with what the parent held.
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
before = peak()
hands = errors = 0
for item in read(itertools.repeat(block, int(megabytes * 1_000_000) // len(block))):
    if isinstance(item, ReadError):
        errors += 1
    else:
        hands += 1
grown = peak() - before
print(grown // 1024, hands > 0, errors > 0)
"""


@pytest.mark.parametrize(
    ("stream", "hands", "errors"),
    [
        pytest.param("hands", True, False, marks=pytest.mark.ci),
        ("bad-hands", False, True),
        pytest.param("one-bad-hand", False, True, marks=pytest.mark.ci),
        pytest.param("one-line", False, True, marks=pytest.mark.ci),
        pytest.param("brackets", False, True, marks=pytest.mark.ci),
        pytest.param("blank", False, True, marks=pytest.mark.ci),
        pytest.param("begun", True, True, marks=pytest.mark.ci),
        ("text", True, False),
        pytest.param("unknown", True, False, marks=pytest.mark.ci),
    ],
)
def test_a_file_of_any_size_passes_in_flat_memory(stream, hands, errors):
    """Many MB where a line is cheap, few where it is dear; growth of the process in MB.

    Of a refused hand 8 MiB are kept, in lines of some 50 bytes each.
    """
    run = subprocess.run(
        [sys.executable, "-c", PROBE, stream], check=True, capture_output=True, text=True
    )
    grown, found_hands, found_errors = run.stdout.split()

    assert int(grown) < (48 if stream == "one-bad-hand" else 8)
    assert (found_hands, found_errors) == (str(hands), str(errors))


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\x1c", "\ufeff ", "\ufeff  # a comment"])
def test_a_line_that_only_looks_blank_is_blank(blank):
    hand = hostile.TEXT + blank.encode() + b"\nend\n"

    assert [each.record.id for each in read(hand + blank.encode() + b"\n" + hand)] == ["T", "T"]
