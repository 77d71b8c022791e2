"""The quick way into a record and the careful one agree on every line."""

import io
import itertools
import json
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from rummy_audit.rhl import canonical, jsonlines, jsonscan
from rummy_audit.rhl.misread import ITS_KEY, MisreadError
from rummy_audit.rhl.read import read
from tests.rhl import hostile, strategies
from tests.rhl.profile import quick


def outcome(read, line):
    """What a way makes of a line: the record and its bytes, or where it stops and why."""
    try:
        return read(line)
    except MisreadError as problem:
        return problem.found, problem.expected, problem.column


def both(line):
    block = jsonlines.usual(line, (line,))
    return outcome(lambda each: block.parsed(0, each), line), outcome(jsonlines.careful, line)


@st.composite
def written(draw):
    """A record as some program might write it: keys in any order, spaces, escapes."""
    plain = json.loads(canonical.encode(draw(strategies.RECORDS)))
    keys = draw(st.permutations(list(plain)))
    return json.dumps(
        {key: plain[key] for key in keys},
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from(((",", ":"), (", ", ": "), (" ,", " :"), (",\t", ":")))),
    ).encode()


@st.composite
def spoilt(draw):
    """A record with a piece of it taken out, doubled or put elsewhere."""
    line = draw(written())
    start = draw(st.integers(0, len(line)))
    end = draw(st.integers(start, min(len(line), start + 12)))
    put = draw(
        st.sampled_from((b"", line[start:end] * 2, b'"seq":1,', b"null", b"1e0", b" ", b"\\u00e9"))
        | st.binary(max_size=3)
    )
    return (line[:start] + put + line[end:]).replace(b"\n", b" ")


@quick
@given(written())
def test_what_any_program_writes_is_read_the_same_both_ways(line):
    first, second = both(line)

    assert first == second
    assert isinstance(first[1], bytes)


@quick
@given(spoilt())
@example(b'{"type":"drop","seq":1,"seat":1,"seat":1}')
@example(b'{"type":"drop","seq":1,"seat":1 ,"seat":1e10}')
@example(b'{"type":"drop","seq":1,"seat":1,"ms":-0}')
@example(b'{"type":"drop","seq":1,"seat":1,"\\u212b":{}}')
@example('{"type":"drop","seq":1,"seat":1,"\u212b":{"a":1}}'.encode())
@example(b'{"type":"score","seq":1,"points":{"1":0,"1":0}}')
@example(b'{"type":"?","seq":1,"kind":"x"}')
@example(b'{"type":"drop","seq":0,"seat":1}')
@example(b'{"type":"drop","seat":1}')
@example(b'{"type":"drop","seat":1,"seq":1,"extra":{}}')
def test_a_spoilt_line_is_refused_or_read_the_same_both_ways(line):
    first, second = both(line)

    assert first == second


HOSTILE_LINES = sorted(
    {
        line
        for logs in (hostile.IN_JSON.values(), [hostile.HAND, hostile.END])
        for data in logs
        for line in data.split(b"\n")
        if len(line) < 70_000 and line.startswith(b"{")
    }
)


def test_hostile_lines_are_read_the_same_both_ways():
    for line in HOSTILE_LINES:
        first, second = both(line)
        assert first == second


def test_a_line_that_needs_care_spoils_no_other():
    good = [hostile.line(seq, seat=1, card="7H").strip() for seq in range(1, 100)]
    odd = [b'{"type":"cheer","seq":1}', b"", b"note", b'{"seq":1', "é".encode("latin-1")]
    for at, line in enumerate(odd):
        lines = good.copy()
        lines.insert(17 + at, line)
        block = jsonlines.usual(b"\n".join(lines), lines)
        assert [place for place, each in enumerate(block.found) if each is None] == [17 + at]
        assert block.run_end(0) == 17 + at


def test_no_line_is_taken_for_another():
    """As many records as lines, but two in one line, and an empty line or one broken off."""
    hand = [hostile.HAND.strip(), *(hostile.line(seq, seat=1, card="7H").strip() for seq in (1, 2))]
    two = hostile.END.strip() * 2
    for odd in ([two, *hand, b""], [two, *hand, b'{"type":', b'"end"}'], [b" ", *hand, two]):
        block = jsonlines.usual(b"\n".join(odd), odd)
        for line, record in zip(odd, block.found, strict=True):
            assert record is None or record == jsonlines.careful(line)[0]
        assert [line for line, record in zip(odd, block.found, strict=True) if record] == hand


def test_all_of_a_block_go_the_quick_way():
    """Else a log of a platform would be read many times slower, and nothing would say so."""
    lines = [hostile.HAND.strip(), hostile.END.strip()]
    lines += [hostile.line(seq, seat=1, card="7H").strip() for seq in range(1, 100)]
    lines += [json.dumps(json.loads(line)).encode() for line in lines]
    lines += [hostile.line(kind="score", points={"1": 0, "10": 20, "2": 3}).strip()]
    lines += ['{"note":"Zoë","seat":1,"seq":1,"type":"drop"}'.encode()]
    block = jsonlines.usual(b"\n".join(lines), lines)

    assert None not in block.found
    assert list(block.written) == [jsonlines.careful(line)[1] for line in lines]


ALONE = [path.read_bytes() for path in sorted((Path(__file__).parent / "golden").glob("*.jsonl"))]
PUT = (
    (b'"seq":', b'"seq":1'),
    (b'"type":', b'"_x":1,"type":'),
    (b'"type":', '"note":"e\u0301","type":'.encode()),
    (b'"type":', b'"note":"\\u00e9","type":'),
    (b'"type":', b'"type":"drop","type":'),
    (b":", b": "),
    (b"}", b"}\r"),
    (b"}", b"}\n"),
    (b'"rhl":1', b'"rhl":2'),
)


def test_a_hand_alone_in_its_file_is_read_as_in_a_stream():
    """The quickest way is for one whole hand in bytes; a stream never takes it."""
    taken, change = 0, itertools.cycle(PUT)
    for data in ALONE:
        lines = data.splitlines(keepends=True)
        taken += jsonlines.one_hand(data, jsonlines.at_once(data), "") is not None
        spoilt = [data, data[:-1], data + b"\n", data + data, b"\xef\xbb\xbf" + data]
        for at, line in enumerate(lines):
            put = line.replace(*next(change), 1)
            spoilt += [b"".join([*lines[:at], other, *lines[at + 1 :]]) for other in (b"", put)]
        for each in spoilt:
            assert list(read(each)) == list(read(io.BytesIO(each)))

    assert taken > len(ALONE) / 2


@quick
@given(written() | spoilt())
def test_json_is_scanned_as_the_standard_library_reads_it(line):
    """Values, places and refusals; the library's own way in is only the quicker one."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return
    value, places = outcome(jsonscan.scan, text)[:2]
    if not isinstance(places, dict):
        assert outcome(jsonscan.loads, text) == outcome(jsonscan.scan, text)
        return
    assert value == jsonscan.loads(text)
    if text.isascii() and "\\" not in text:
        assert json.dumps(value) == json.dumps(json.loads(text))
        for path, column in places.items():
            if path and path[-1] != ITS_KEY:
                there, _ = json.JSONDecoder().raw_decode(text, column - 1)
                assert there == at_path(value, path)


def at_path(value, path):
    for step in path:
        value = value[step]
    return value
