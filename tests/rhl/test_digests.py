"""Signing form, chain and core digest, computed here a second time as the specification says."""

import hashlib
import json

import msgspec
import pytest
from hypothesis import given

from rummy_audit.rhl import build, canonical, digests, write
from rummy_audit.rhl.amend import corrected
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Drop, End, Event, Hand, HandRecord, Note, Player
from tests.rhl import strategies
from tests.rhl.profile import quick

_put = msgspec.structs.replace


def dumps(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def hidden(written):
    return "sha256:" + hashlib.sha256(written).hexdigest()


def is_hidden(value):
    return (
        isinstance(value, str)
        and len(value) == 71
        and value.startswith("sha256:")
        and set(value[7:]) <= set("0123456789abcdef")
    )


# A name for each object inside a record; an event of an unknown type may have any other.
FIELDS = {
    "@player": {"seat", "name", "ref", "kind"},
    "@match": {
        *("id", "format", "deal", "seats", "game", "target", "entry_fee", "point_value", "fee"),
        *("rejoined", "left"),
    },
    "@writer": {"name", "version"},
    "@bonus": {"game", "shutout", "box"},
}
TEXTS = {"note", "text", "reason", "by"}
LEFT_OUT = {("@player", "name"), ("end", "head"), ("end", "sig")}
NOT_CORE = {("@player", "ref")} | {
    ("hand", key) for key in ("source", "event", "counter", "started", "table", "writer")
}


def form(plain, what, *, core=False):
    """The signing form, or the core form, of plain values: slow and plain on purpose."""
    if what in build.RECORDS:
        known = {"type", *build.RECORDS[what].__struct_encode_fields__}
    else:
        known = FIELDS.get(what, {"type", "seq", "ms", "note"})
    made = {}
    for key, value in plain.items():
        if key not in known:
            if not core:
                made[key] = value if is_hidden(value) else hidden(dumps(value))
        elif key in TEXTS or (key == "table" and what == "hand"):
            if not core:
                made[key] = value if is_hidden(value) else hidden(value.encode())
        elif (
            (what, key) in LEFT_OUT or (core and (what, key) in NOT_CORE) or (core and key == "ms")
        ):
            continue
        elif key == "players":
            made[key] = [form(each, "@player", core=core) for each in value]
        elif key in ("match", "writer") and what == "hand":
            made[key] = form(value, f"@{key}", core=core)
        elif key == "bonuses":
            made[key] = {seat: form(each, "@bonus", core=core) for seat, each in value.items()}
        elif key == "replace":
            many = isinstance(value, list)
            forms = [form(each, each["type"], core=core) for each in (value if many else [value])]
            made[key] = forms if many else forms[0]
        else:
            made[key] = value
    return made


def plain_records(hand):
    return [json.loads(line) for line in write.to_json(hand).splitlines()]


def chain_of(hand):
    """The chain as rhl.md words it."""
    records = plain_records(hand)
    events = [each for each in records[1:] if each["type"] != "end"]
    links = [hashlib.sha256(b"rhl:1\n" + dumps(form(records[0], "hand"))).digest()]
    for event in events:
        links.append(hashlib.sha256(links[-1] + dumps(form(event, event["type"]))).digest())
    head = links[-1].hex()
    for at, record in enumerate(records):
        if record["type"] == "end":
            head = hashlib.sha256(links[at - 1] + dumps(form(record, "end"))).hexdigest()
    core = b"\n".join(dumps(form(each, each["type"], core=True)) for each in records)
    return digests.Chain(tuple(links), head, hashlib.sha256(core).hexdigest())


@quick
@given(strategies.hands())
def test_the_chain_is_what_the_specification_says(hand):
    expected = chain_of(hand)

    assert digests.chain(hand) == expected
    (back,) = read(write.to_json(hand))
    assert digests.chain(back) == expected
    assert expected.heads == tuple(link.hex() for link in expected.links)


@quick
@given(strategies.RECORDS)
def test_the_forms_of_a_record_are_what_the_specification_says(record):
    plain = json.loads(canonical.encode(record))

    assert digests.signing_form(record) == dumps(form(plain, plain["type"]))
    assert digests.core_form(record) == dumps(form(plain, plain["type"], core=True))


@quick
@given(strategies.hands())
def test_a_log_in_signing_form_is_a_log_with_the_same_chain(hand):
    """So a stored log may lose its names and texts and still verifies."""
    lines = digests.signing_lines(hand)
    (erased,) = read(b"\n".join(lines))

    assert list(erased.lines) == lines
    assert digests.chain(erased) == digests.chain(hand)
    assert digests.signing_lines(erased) == lines


LOG = Hand(
    record=HandRecord(
        rhl=1,
        id="7",
        ruleset="gin",
        detail="full",
        players=(Player(seat=1, name="Asha", ref="p1"), Player(seat=2)),
        source="pad",
        event="Friday",
        counter=3,
        table="Table 4",
        started="2026-11-20T18:30:00Z",
    ),
    events=(Drop(seq=1, seat=1, ms=500, note="angry"), Note(seq=2, text="lights out", ms=900)),
    end=End(status="completed"),
    ended_after=2,
)


@pytest.mark.parametrize(
    "change",
    [
        lambda hand: _put(
            hand, record=_put(hand.record, players=(Player(seat=1), Player(seat=2, name="B")))
        ),
        lambda hand: _put(hand, record=_put(hand.record, source=None, event="Saturday")),
        lambda hand: _put(hand, record=_put(hand.record, counter=None, started=None, table=None)),
        lambda hand: _put(hand, record=_put(hand.record, extra={"_pen": "blue", "weather": 1})),
        lambda hand: _put(hand, events=(Drop(seq=1, seat=1), Note(seq=2, text="", note="x"))),
        lambda hand: _put(hand, end=End(status="completed", head="0", sig="x", extra={"_": 1})),
    ],
)
def test_the_core_digest_outlives_anonymising_and_retiming(change):
    assert digests.chain(change(LOG)).core_digest == digests.chain(LOG).core_digest


@pytest.mark.parametrize(
    "change",
    [
        lambda hand: _put(hand, record=_put(hand.record, id="8")),
        lambda hand: _put(hand, record=_put(hand.record, dealer=1)),
        lambda hand: _put(hand, events=(Drop(seq=1, seat=2), hand.events[1])),
        lambda hand: _put(hand, end=End(status="void")),
        lambda hand: _put(hand, end=None, ended_after=None),
        lambda hand: _put(hand, ended_after=1),
    ],
)
def test_the_core_digest_holds_what_happened(change):
    assert digests.chain(change(LOG)).core_digest != digests.chain(LOG).core_digest


def test_names_and_the_ends_own_head_are_not_in_the_chain():
    renamed = _put(
        LOG,
        record=_put(LOG.record, players=(Player(seat=1, name="X", ref="p1"), Player(seat=2))),
        end=End(status="completed", head="0" * 64, sig="ed25519:k:AA"),
    )

    assert digests.chain(renamed) == digests.chain(LOG)


def test_a_longer_log_goes_on_from_the_links_of_the_shorter():
    """An upload that extends a stored log is known by the stored head at that seq."""
    opened = _put(LOG, end=None, ended_after=None, events=LOG.events[:1])
    later = _put(LOG, events=(*LOG.events, Note(seq=3, text="checked")))
    stored, whole, amended = map(digests.chain, (opened, LOG, later))

    assert stored.head == stored.heads[1] == whole.heads[1] == amended.heads[1]
    assert amended.links[:3] == whole.links
    assert amended.head == whole.head
    assert amended.core_digest != whole.core_digest


def test_amending_changes_no_chain():
    log = b"""hand 7 rhl=1 ruleset=gin detail=full
player 1 Asha
drop 1
amend 1
amend 0 : hand rhl=1 ruleset=gin detail=shown
end
"""
    (hand,) = read(log)

    assert digests.chain(corrected(hand)) == digests.chain(hand)


@quick
@given(strategies.hands())
def test_lines_of_events_are_taken_as_they_are_or_made_anew(hand):
    """A log built in a program has the chain of the same log read from a file."""
    (back,) = read(write.to_json(hand))

    assert all(isinstance(event, Event) for event in back.events)
    assert digests.chain(_put(back, lines=())) == digests.chain(back)
