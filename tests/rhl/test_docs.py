"""The page on the log format shows logs that are logs, and leaves nothing out."""

import re
from pathlib import Path

from rummy_audit.rhl import build
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from rummy_audit.rhl.text_fields import kind_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "log-format.md").read_text(encoding="utf-8")
EVENTS_TABLE = PAGE[PAGE.index("## Events") : PAGE.index("### Amendments")]


def test_its_examples_are_read():
    blocks = re.findall(r"```rhl\n(.*?)```", PAGE, re.DOTALL)
    logs = [list(read(block.encode())) for block in blocks]

    assert [[type(each) for each in log] for log in logs] == [[Hand], [Hand]]
    assert logs[0][0].record == logs[1][0].record
    assert logs[0][0].events[:3] == logs[1][0].events


def test_it_names_every_event_and_field():
    for kind, cls in build.EVENTS.items():
        (row,) = [
            row for row in EVENTS_TABLE.splitlines() if re.match(rf"\| (?:`[a-z]+` )*`{kind}`", row)
        ]
        for name in cls.__struct_encode_fields__:
            if name not in ("\u212b", "seq", "ms", "note"):
                assert f"`{name}`" in row, (kind, name)


def test_its_short_examples_are_read():
    head = "hand T rhl=1 ruleset=gin detail=full\n"
    for example in re.findall(r"`([a-z]+ [^`…]*)`", EVENTS_TABLE):
        line = example.replace("\\|", "|")
        if line.split()[0] in build.EVENTS:
            (hand,) = read((head + line).encode())
            assert isinstance(hand, Hand), line


def test_a_bare_value_means_what_the_page_says():
    hand = build.RECORDS["hand"]

    assert [kind_of(hand, name) for name in ("table", "dealer", "weather")] == [
        "text",
        "number",
        "any",
    ]
