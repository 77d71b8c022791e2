"""Strategies for records and hands: anything a log can hold, likely or not.

``hands()`` gives logs, not games: what happens in them follows no rule.
"""

import unicodedata
from typing import get_args

import msgspec
from hypothesis import strategies as st

from rummy_audit.rhl import build, records
from rummy_audit.rhl.cards_text import CARD_FACES, TILE_FACES
from rummy_audit.rhl.limits import MAX_INTEGER

SEATS = st.integers(1, 12)
INTEGERS = st.integers(-1000, 1000) | st.integers(-MAX_INTEGER, MAX_INTEGER)
COUNTS = st.integers(0, 1000)
CARDS = st.sampled_from((*CARD_FACES, *TILE_FACES, "JK", "??", "R14", "B0", "1H", "99C"))
WORDS = st.sampled_from(
    (
        *("a", "none", "true", "4", "-1", "x13", "@8", "a=b", "hand", "deck", "amend", "end"),
        *("", " ", "|", "+", "/", ":", ";", "#", "# no comment", "two words", "a\nb", '"', "\\"),
        *(
            "Zoë",
            "é",
            "नमस्ते",
            "7♥",
            "sha256:" + "0" * 64,
            "null",
            "[1]",
            "{}",
            "note x",
            "type",
            "?",
        ),
    )
)
TEXTS = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12) | WORDS
).map(lambda text: unicodedata.normalize("NFC", text))
NAMES = TEXTS.filter(bool)
PLAIN = st.recursive(
    TEXTS | INTEGERS | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
).filter(lambda value: depth(value) <= 3)
KNOWN = frozenset(
    name
    for cls in (*build.RECORDS.values(), records.Player, records.Match, records.Writer)
    for name in cls.__struct_encode_fields__
) | {"type", "game", "shutout", "box", "kind"}
EXTRA = st.none() | st.dictionaries(
    NAMES.filter(lambda key: key not in KNOWN) | st.sampled_from(("_pen", "_", "weather", "x.y")),
    PLAIN,
    min_size=1,
    max_size=2,
)


def depth(value):
    """How many levels a value has."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth, inner), default=0)
    return 0


def some(strategy):
    """A value, or nothing."""
    return st.none() | strategy


def words(cls, field):
    """The words a field may hold, as its annotation lists them."""
    (info,) = (each for each in msgspec.inspect.type_info(cls).fields if each.name == field)
    types = getattr(info.type, "types", (info.type,))
    return st.sampled_from(types[0].values)


CARD_LISTS = st.lists(CARDS, max_size=6).map(tuple)
GROUPS = st.lists(CARD_LISTS, max_size=4).map(tuple)
BY_SEAT = st.dictionaries(SEATS, INTEGERS, max_size=4)
BONUSES = st.builds(
    records.Bonuses,
    game=some(INTEGERS),
    shutout=some(INTEGERS),
    box=some(INTEGERS),
    extra=EXTRA,
)
SEAT_LISTS = st.lists(SEATS, max_size=4).map(tuple)
TIMES = st.datetimes().map(lambda time: time.isoformat(timespec="seconds") + "Z")

PLAYERS = st.builds(
    records.Player,
    seat=SEATS,
    name=some(TEXTS),
    ref=some(TEXTS),
    kind=some(st.sampled_from(("human", "bot"))),
    extra=EXTRA,
)
MATCHES = st.builds(
    records.Match,
    id=some(NAMES),
    format=some(TEXTS),
    deal=some(INTEGERS),
    seats=some(SEAT_LISTS),
    game=some(INTEGERS),
    target=some(INTEGERS),
    entry_fee=some(INTEGERS),
    point_value=some(INTEGERS),
    fee=some(INTEGERS),
    rejoined=some(SEAT_LISTS),
    left=some(SEAT_LISTS),
    extra=EXTRA,
)


def hand_records(**identity):
    """Hand records; one inside an amendment may lack its identity."""
    return st.builds(
        records.HandRecord,
        **identity,
        ruleset=NAMES,
        detail=st.sampled_from(records.DETAILS),
        players=st.lists(PLAYERS, max_size=4, unique_by=lambda each: each.seat).map(tuple),
        dealer=some(SEATS),
        first=some(SEATS),
        source=some(TEXTS),
        event=some(TEXTS),
        counter=some(INTEGERS),
        table=some(TEXTS),
        match=some(MATCHES),
        rules=some(st.dictionaries(NAMES, INTEGERS | TEXTS | st.booleans(), max_size=3)),
        started=some(TIMES),
        writer=some(st.builds(records.Writer, name=some(TEXTS), version=some(TEXTS), extra=EXTRA)),
        extra=EXTRA,
    )


HAND_RECORDS = hand_records(rhl=st.just(1), id=NAMES)

_FIELDS = {
    "seat": SEATS,
    "card": CARDS,
    "cards": CARD_LISTS,
    "loose": CARD_LISTS,
    "groups": GROUPS,
    "table": GROUPS,
    "discard": CARDS,
    "count": COUNTS,
    "meld": INTEGERS,
    "deadwood": INTEGERS,
    "target": st.integers(0, 60),
    "net": INTEGERS,
    "winner": SEATS,
    "points": BY_SEAT,
    "totals": BY_SEAT,
    "amounts": BY_SEAT,
    "marks": st.dictionaries(SEATS, st.sampled_from(get_args(records.Mark)), max_size=3),
    "bonuses": st.dictionaries(SEATS, BONUSES, max_size=3),
    "facedown": st.booleans(),
    "auto": st.booleans(),
    "undone": st.booleans(),
    "turned": st.booleans(),
    "scheme": TEXTS,
    "commit": TEXTS,
    "client": st.lists(TEXTS, max_size=3).map(tuple),
    "nonce": TEXTS | INTEGERS,
    "seed": NAMES,
    "text": TEXTS,
    "reason": TEXTS,
    "by": TEXTS,
}


def _strategy(cls, field):
    strategy = _FIELDS.get(field.name)
    if strategy is None:
        strategy = words(cls, field.name)
    return strategy if field.required else some(strategy)


def events(cls):
    """Events of one kind, with any of their fields there or not; they have no seq yet."""
    fields = {
        field.name: _strategy(cls, field)
        for field in msgspec.structs.fields(cls)
        if field.name not in ("extra", "seq", "ms", "note")
    }
    return st.builds(cls, ms=some(INTEGERS), note=some(TEXTS), extra=EXTRA, **fields)


UNKNOWN_EVENTS = st.builds(
    records.UnknownEvent,
    kind=(NAMES | st.sampled_from(("cheer", "player", "?"))).filter(
        lambda kind: kind not in build.RECORDS
    ),
    ms=some(INTEGERS),
    note=some(TEXTS),
    extra=st.none()
    | st.dictionaries(
        NAMES.filter(lambda key: key not in ("type", "seq", "ms", "note")),
        PLAIN,
        min_size=1,
        max_size=3,
    ),
)
BY_KIND = {cls: events(cls) for cls in get_args(records.AmendedEvent)}
INSIDE = st.one_of(*BY_KIND.values(), UNKNOWN_EVENTS)
_COMMON = {
    "by": some(TEXTS),
    "reason": some(TEXTS),
    "ms": some(INTEGERS),
    "note": some(TEXTS),
    "extra": EXTRA,
}
AMENDMENTS = st.builds(
    records.Amend,
    target=st.integers(1, 8),
    replace=some(INSIDE | st.lists(INSIDE, max_size=3).map(tuple)),
    **_COMMON,
) | st.builds(
    records.Amend,
    target=st.just(0),
    replace=hand_records(rhl=st.sampled_from((0, 1)), id=st.just("") | NAMES),
    **_COMMON,
)
EVENTS = INSIDE | AMENDMENTS
AFTER_END = AMENDMENTS | BY_KIND[records.Ruling] | BY_KIND[records.Note] | UNKNOWN_EVENTS
ENDS = st.builds(
    records.End,
    status=st.sampled_from(("completed", "misdeal", "void", "abandoned")),
    count=some(INTEGERS),
    head=some(TEXTS),
    sig=some(TEXTS),
    extra=EXTRA,
)


def _in_order(record, before, end, after):
    """A hand of these events, numbered as they stand."""
    listed = [*before, *after] if end is not None else before
    return records.Hand(
        record=record,
        events=tuple(
            msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(listed, 1)
        ),
        end=end,
        ended_after=None if end is None else len(before),
    )


def hands(*, most=6):
    """Whole hands, open or ended, with events after the end or not."""
    return st.builds(
        _in_order,
        HAND_RECORDS,
        st.lists(EVENTS, max_size=most),
        some(ENDS),
        st.just([]) | st.lists(AFTER_END, max_size=2),
    )


RECORDS = HAND_RECORDS | ENDS | EVENTS.map(lambda event: msgspec.structs.replace(event, seq=1))
