"""Digests of a log: the signing form, the chain over it, and the core digest.

The signing form of a record is its canonical form with players' names left out and
every free text replaced by its digest, so that a person can be erased from a stored log
and its chain still verifies. Exactly:

- left out: ``name`` of a player, ``head`` and ``sig`` of an end;
- ``note``, ``text``, ``reason``, ``by``, and ``table`` of a hand record become
  ``sha256:`` and the hex digest of their UTF-8;
- ``_`` keys, unknown fields and the fields of an unknown event (all but ``type``,
  ``seq``, ``ms`` and ``note``) become ``sha256:`` and the hex digest of their canonical
  JSON;
- a value that has this form already stays: it is a text that was erased. So a log in
  signing form is a log, and its own signing form.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from rummy_audit.rhl import build, canonical, records
from rummy_audit.rhl.amend import Corrected
from rummy_audit.rhl.write import in_order

_ERASED = re.compile(r"sha256:[0-9a-f]{64}")
_TEXTS = frozenset({"note", "text", "reason", "by"})
_LEFT_OUT = {records.Player: frozenset({"name"}), records.End: frozenset({"head", "sig"})}
_NOT_CORE = {
    records.HandRecord: frozenset({"source", "event", "counter", "started", "table", "writer"}),
    records.Player: frozenset({"ref"}),
}
_NESTED: dict[tuple[type[msgspec.Struct], str], type[msgspec.Struct]] = {
    (records.HandRecord, "players"): records.Player,
    (records.HandRecord, "match"): records.Match,
    (records.HandRecord, "writer"): records.Writer,
    (records.Result, "bonuses"): records.Bonuses,
}
_TYPES: tuple[type[msgspec.Struct], ...] = (
    *build.RECORDS.values(),
    records.Player,
    records.Match,
    records.Writer,
    records.Bonuses,
)
_KNOWN = {cls: frozenset(cls.__struct_encode_fields__) | {"type"} for cls in _TYPES}
_KNOWN[records.UnknownEvent] = frozenset({"type", "seq", "ms", "note"})
# Events whose signing form differs from their canonical form even without a note.
_WITH_TEXTS = frozenset(
    {
        records.Penalty,
        records.Ruling,
        records.Misdeal,
        records.Void,
        records.Note,
        records.Amend,
        records.Result,
        records.UnknownEvent,
    }
)
_START = b"rhl:1\n"
_put = msgspec.structs.replace


class Chain(msgspec.Struct, frozen=True):
    """The running digests of a log.

    ``links`` are h0 … hn as 32 raw bytes, one for the hand record and each event, those
    after the end too: the log up to event ``seq`` is ``links[seq]``. ``head`` is in hex:
    of an ended hand over the end record and what stands before it, what ``end.head`` must
    say; of an open hand hn.
    """

    links: tuple[bytes, ...]
    head: str
    core_digest: str

    @property
    def heads(self) -> tuple[str, ...]:
        """The links in hex: the head of the log when it went as far as event ``seq``."""
        return tuple(link.hex() for link in self.links)


def chain(hand: records.Hand) -> Chain:
    """The chain of a log as it was written, amendments or not."""
    if isinstance(hand, Corrected):
        hand = hand.original
    sha256 = hashlib.sha256
    signed, core = _forms(hand)
    end = b""
    if hand.end is not None:
        end = signed.pop(1 + _ended_after(hand))
    link = sha256(_START + signed[0]).digest()
    links = [link]
    for line in signed[1:]:
        link = sha256(link + line).digest()
        links.append(link)
    head = link.hex()
    if hand.end is not None:
        head = sha256(links[_ended_after(hand)] + end).hexdigest()
    return Chain(tuple(links), head, sha256(b"\n".join(core)).hexdigest())


def signing_lines(hand: records.Hand) -> list[bytes]:
    """The signing form of every record, in the order of the log."""
    return _forms(hand)[0]


def signing_form(record: records.Record) -> bytes:
    """The signing form of one record.

    >>> from rummy_audit.rhl.records import Drop, Player, HandRecord
    >>> signing_form(Drop(seq=3, seat=2, note="x"))[:30]
    b'{"note":"sha256:2d711642b726b0'
    """
    return canonical.dumps(_signed(canonical.plain(record), type(record)))


def core_form(record: records.Record) -> bytes:
    """What the core digest takes of one record: no texts, names, times or unknown fields."""
    return canonical.dumps(_core(canonical.plain(record), type(record)))


def _ended_after(hand: records.Hand) -> int:
    return len(hand.events) if hand.ended_after is None else hand.ended_after


def _forms(hand: records.Hand) -> tuple[list[bytes], list[bytes]]:
    """The signing and the core form of every record, in the order of the log."""
    lines = hand.lines or tuple(canonical.encode(record) for record in in_order(hand))
    signed, core = list(lines), list(lines)
    ended_after = len(hand.events) if hand.end is None else _ended_after(hand)
    unlike: list[tuple[int, records.Record]] = [(0, hand.record)]
    if hand.end is not None:
        unlike.append((ended_after + 1, hand.end))
    for at, event in enumerate(hand.events, 1):
        if event.note is not None or event.extra or type(event) in _WITH_TEXTS:
            unlike.append((at + (at > ended_after), event))
        elif event.ms is not None:
            # Only cards and words are left, so this key can be nothing else.
            place = at + (at > ended_after)
            core[place] = core[place].replace(b'"ms":%d,' % event.ms, b"", 1)
    for place, record in unlike:
        signed[place], core[place] = _both_forms(record)
    return signed, core


def _both_forms(record: records.Record) -> tuple[bytes, bytes]:
    """The signing and the core form of a record."""
    if type(record) is records.End and not record.extra:
        form = canonical.encode(_put(record, head=None, sig=None))
        return form, form
    if type(record) is records.HandRecord and not _carries_more(record):
        return _hand_forms(record)
    plain = canonical.plain(record)
    return (
        canonical.dumps(_signed(plain, type(record))),
        canonical.dumps(_core(plain, type(record))),
    )


def _carries_more(record: records.HandRecord) -> bool:
    """Whether a hand record holds fields beyond those that are known."""
    parts = (record, record.match, record.writer, *record.players)
    return any(part is not None and part.extra for part in parts)


def _hand_forms(record: records.HandRecord) -> tuple[bytes, bytes]:
    """The two forms of a hand record of known fields, as :func:`signing_form` gives them."""
    table = None if record.table is None else _digest(record.table, record.table.encode())
    signed = _put(
        record,
        players=tuple([_put(player, name=None) for player in record.players]),
        table=table,
    )
    core = _put(
        signed,
        players=tuple([_put(player, ref=None) for player in signed.players]),
        source=None,
        event=None,
        counter=None,
        started=None,
        table=None,
        writer=None,
    )
    return canonical.encode(signed), canonical.encode(core)


def _signed(plain: Mapping[str, Any], cls: type[msgspec.Struct]) -> dict[str, Any]:
    known, left_out = _KNOWN[cls], _LEFT_OUT.get(cls, frozenset())
    made: dict[str, Any] = {}
    for key, value in plain.items():
        if key not in known:
            made[key] = _digest(value, canonical.dumps(value))
        elif key in _TEXTS or (key == "table" and cls is records.HandRecord):
            made[key] = _digest(value, value.encode())
        elif key not in left_out:
            made[key] = _within(_signed, key, value, cls)
    return made


def _core(plain: Mapping[str, Any], cls: type[msgspec.Struct]) -> dict[str, Any]:
    known = _KNOWN[cls] - _LEFT_OUT.get(cls, frozenset()) - _NOT_CORE.get(cls, frozenset())
    known -= _TEXTS | {"ms"}
    return {key: _within(_core, key, value, cls) for key, value in plain.items() if key in known}


def _within(form: Any, key: str, value: Any, cls: type[msgspec.Struct]) -> Any:  # noqa: ANN401
    """A known field's value, in which *form* is taken of the records it holds."""
    nested = _NESTED.get((cls, key))
    if nested is not None:
        if key == "players":
            return [form(each, nested) for each in value]
        if key == "bonuses":
            return {seat: form(each, nested) for seat, each in value.items()}
        return form(value, nested)
    if cls is records.Amend and key == "replace":
        if isinstance(value, list):
            return [_inside(form, each) for each in value]
        return _inside(form, value)
    return value


def _inside(form: Any, plain: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ANN401
    made: dict[str, Any] = form(plain, build.RECORDS.get(plain["type"], records.UnknownEvent))
    return made


def _digest(value: object, written: bytes) -> str:
    if isinstance(value, str) and _ERASED.fullmatch(value):
        return value
    return f"sha256:{hashlib.sha256(written).hexdigest()}"
