"""What can be disputed, and whether a dispute of that kind can apply to what it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rummy_audit.rhl import records
from rummy_audit.rhl.records import Event, Hand
from rummy_audit.rules.findings import codes

_CLAIMS = (records.Declare, records.Knock, records.Show, records.Call, records.Meld, records.Play)
_MOVES = (
    records.Draw,
    records.Pass,
    records.Discard,
    records.Meld,
    records.Layoff,
    records.Play,
    records.Reshuffle,
)
_DEALS = (
    records.Deck,
    records.Deal,
    records.Upcard,
    records.Wild,
    records.Shuffle,
    records.Misdeal,
    records.Void,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of dispute: what it is called, and which events it can be about.

    Without ``events`` it is about the hand or its row in the match; with ``optional`` it
    may be about either.
    """

    title: str | Promise
    events: tuple[type[Event], ...] = ()
    needs: str | Promise = ""
    optional: bool = False
    match: bool = False


KINDS: Mapping[str, Kind] = {
    "declaration": Kind(
        gettext_lazy("A declaration, knock or meld was judged wrongly"),
        _CLAIMS,
        gettext_lazy("a declaration, a knock, a meld or shown cards"),
    ),
    "play": Kind(
        gettext_lazy("Somebody drew, discarded or laid wrongly"),
        _MOVES,
        gettext_lazy("a draw, a discard or cards laid"),
    ),
    "drop": Kind(
        gettext_lazy("A drop or a missed turn was taken wrongly"),
        (records.Drop, records.Miss, records.Leave),
        gettext_lazy("a drop, a missed turn or somebody who left"),
    ),
    "deal": Kind(
        gettext_lazy("The deal was wrong"),
        _DEALS,
        gettext_lazy("the deal, the wild card or a misdeal"),
        optional=True,
    ),
    "record": Kind(
        gettext_lazy("This event was written down wrongly"),
        (Event,),
        gettext_lazy("any event of the log"),
    ),
    "score": Kind(
        gettext_lazy("The points of the hand are wrong"),
        (records.Score,),
        gettext_lazy("a score"),
        optional=True,
    ),
    "total": Kind(
        gettext_lazy("A total, an elimination or the winner of the match is wrong"),
        (records.Score, records.Result),
        gettext_lazy("a score or a result"),
        optional=True,
        match=True,
    ),
    "conduct": Kind(gettext_lazy("Something else in this hand"), (Event,), optional=True),
}


def not_applicable(kind: str, hand: Hand, *, seq: int, code: str, in_match: bool) -> str:
    """Return why a dispute of this kind cannot be about this event, or nothing.

    ``code`` is the finding it starts from, if any. Complaints about play name their event.
    """
    law = KINDS.get(kind)
    if law is None:
        return _("Choose what is in dispute from the list.")
    if code and code not in codes():
        return _("There is no finding “%(code)s”.") % {"code": code}
    if law.match and not in_match:
        return _("This hand belongs to no match: it has no total to dispute.")
    if not seq:
        if law.optional:
            return ""
        return _("Say which event it is about: its number stands beside it in the list of events.")
    event = next((each for each in hand.events if each.seq == seq), None)
    if event is None:
        return _("This hand has no event %(seq)s.") % {"seq": seq}
    if not isinstance(event, law.events):
        return _("“%(kind)s” needs %(events)s, and event %(seq)s is none.") % {
            "kind": law.title,
            "events": law.needs,
            "seq": seq,
        }
    return ""


_KIND_OF_CATEGORY = {
    "declaration": "declaration",
    "scoring": "score",
    "misdeal": "deal",
    "procedure": "play",
    "integrity": "record",
    "note": "record",
}


def kind_for(hand: Hand, *, seq: int, code: str, in_match: bool) -> str:
    """Return the kind that a dispute about this event or finding most likely is."""
    first = _KIND_OF_CATEGORY.get(codes()[code].category, "") if code in codes() else ""
    order = [first, *KINDS] if seq else [first, "total" if in_match else "", "score", *KINDS]
    return next(
        (
            kind
            for kind in order
            if kind and not not_applicable(kind, hand, seq=seq, code=code, in_match=in_match)
        ),
        "conduct",
    )
