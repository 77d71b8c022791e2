"""What the pages say of an event and of a card: sentences a club member would say."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rummy_audit.rhl import records
from rummy_audit.rhl.records import JOKER, UNKNOWN, Event
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.messages import message

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUIT_NAMES = {
    "S": gettext_lazy("spades"),
    "H": gettext_lazy("hearts"),
    "D": gettext_lazy("diamonds"),
    "C": gettext_lazy("clubs"),
}
RANK_NAMES = {
    "A": gettext_lazy("ace"),
    "T": "10",
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
}
TILE_NAMES = {
    "R": gettext_lazy("red"),
    "B": gettext_lazy("blue"),
    "K": gettext_lazy("black"),
    "O": gettext_lazy("orange"),
}

Names = Mapping[int, str]


def is_tile(face: str) -> bool:
    """Whether a face is a tile's: a colour and a number (``R7``); a joker is neither."""
    return face[:1] in TILE_NAMES and face[1:].isdigit()


def short(face: str) -> str:
    """Return a card as people write it: 7♥, 10♣, joker.

    >>> short("TC"), short("R12")
    ('10♣', 'red 12')
    """
    if face == JOKER:
        return _("joker")
    if face == UNKNOWN:
        return _("an unknown card")
    if is_tile(face):
        return f"{TILE_NAMES[face[0]]} {face[1:]}"
    rank, suit = face[:-1], face[-1]
    return f"{'10' if rank == 'T' else rank}{SUIT_SIGNS.get(suit, suit)}"


def spoken(face: str) -> str:
    """Return a card as people say it, for those who hear the page: 7 of hearts."""
    if face in (JOKER, UNKNOWN) or is_tile(face) or face[-1] not in SUIT_NAMES:
        return short(face)
    rank, suit = face[:-1], face[-1]
    return _("%(rank)s of %(suit)s") % {
        "rank": RANK_NAMES.get(rank, rank),
        "suit": SUIT_NAMES[suit],
    }


def listed(faces: Iterable[str]) -> str:
    """Return cards in a row: 4♥ 5♥ 6♥."""
    return " ".join(short(face) for face in faces)


def grouped(groups: Iterable[Iterable[str]]) -> str:
    """Return groups of cards with bars between: 4♥ 5♥ 6♥ | 9♠ 9♦ 9♣."""
    return " | ".join(listed(group) for group in groups)


_SEAT = re.compile(r"\b[Ss]eat (\d{1,2})(?!\d)")


_CARD = re.compile(r"(?<![\w-])(?:(?:10|[2-9TJQKA])[SHDC]|JK)(?![\w-])")
_TILE = re.compile(r"(?<![\w-])(?:[RBKO](?:1[0-3]|[1-9])|JK)(?![\w-])")


def pictured(sentence: str, *, tiles: bool = False) -> str:
    """Put cards as people write them where a sentence of the engine has them as logs do.

    >>> pictured("5D 5C JK TS: a set of 4 cards"), pictured("R7 B12 JK", tiles=True)
    ('5♦ 5♣ joker 10♠: a set of 4 cards', 'red 7 blue 12 joker')
    """
    return (_TILE if tiles else _CARD).sub(lambda found: short(found[0]), sentence)


def told(finding: Finding, family: str, names: Names) -> str:
    """Return the sentence of a finding with the players' names, and cards as people write them."""
    said = pictured(message(finding, family), tiles=family == "tile")
    return _SEAT.sub(lambda found: names.get(int(found[1]), found[0]), said)


def does_not_stand(who: str, why: Finding, family: str, names: Names) -> str:
    """Say that somebody's declaration does not stand, and why: its first finding."""
    reason = told(msgspec.structs.replace(why, seat=None), family, names)
    if reason[1:2].islower():  # not a card, as in K♠
        reason = reason[0].lower() + reason[1:]
    return _("%(who)s’s declaration does not stand: %(why)s") % {"who": who, "why": reason}


def by_seat(values: Mapping[int, Any], names: Names) -> str:
    """Return values by seat with names: Asha 46, Bilal 20."""
    return ", ".join(f"{names.get(seat, seat)} {value}" for seat, value in sorted(values.items()))


def _draw(event: records.Draw, who: str, *, tiles: bool) -> str:
    places = {
        "stock": _("the stock"),
        "discard": _("the discard pile"),
        "exposed": _("the card laid open"),
    }
    cards = event.cards or ((event.card,) if event.card else ())
    what = listed(cards) or (_("a tile") if tiles else _("a card"))
    return _("%(who)s draws %(what)s from %(place)s") % {
        "who": who,
        "what": what,
        "place": places[event.from_],
    }


def _deal(event: records.Deal, who: str, *, tiles: bool) -> str:
    count = len(event.cards) if event.cards is not None else event.count
    if count is None:
        return _("%(who)s is dealt in") % {"who": who}
    if tiles:
        said = ngettext(
            "%(who)s is dealt %(count)s tile", "%(who)s is dealt %(count)s tiles", count
        )
    else:
        said = ngettext(
            "%(who)s is dealt %(count)s card", "%(who)s is dealt %(count)s cards", count
        )
    return said % {"who": who, "count": count}


def _penalty(event: records.Penalty, who: str) -> str:
    count = len(event.cards) if event.cards else event.count
    said = ngettext(
        "%(who)s draws %(count)s tile as a penalty",
        "%(who)s draws %(count)s tiles as a penalty",
        count or 0,
    )
    return said % {"who": who, "count": count or "?"}


def _declare(event: records.Declare, who: str) -> str:
    return _("%(who)s declares %(groups)s") % {"who": who, "groups": grouped(event.groups)}


def _score(event: records.Score, names: Names) -> str:
    if event.points:
        return _("score: %(points)s") % {"points": by_seat(event.points, names)}
    return _("score: %(points)s") % {"points": by_seat(event.marks or {}, names)}


def _amend(event: records.Amend, names: Names, *, tiles: bool) -> str:
    reason = f" ({event.reason})" if event.reason else ""
    if event.replace is None:
        return _("event %(seq)s is struck out%(reason)s") % {
            "seq": event.target,
            "reason": reason,
        }
    replaced = event.replace if isinstance(event.replace, tuple) else (event.replace,)
    said = "; ".join(
        sentence(each, names, tiles=tiles) if isinstance(each, Event) else _("the hand record")
        for each in replaced
    )
    return _("event %(seq)s is corrected to: %(said)s%(reason)s") % {
        "seq": event.target,
        "said": said,
        "reason": reason,
    }


_TOLD = {
    "redeal": gettext_lazy("deal anew"),
    "play-on": gettext_lazy("play on"),
    "accept-knock": gettext_lazy("accept the knock"),
    "hand-stays-open": gettext_lazy("the hand stays open"),
    "hand-picked-up": gettext_lazy("the hand is picked up"),
    "wrong-count": gettext_lazy("wrong count"),
    "exposed-card": gettext_lazy("exposed card"),
    "saw-card": gettext_lazy("a card was seen"),
    "looked-back": gettext_lazy("looked back"),
    "not-shuffled": gettext_lazy("not shuffled"),
    "wrong-dealer": gettext_lazy("wrong dealer"),
    "out-of-turn": gettext_lazy("out of turn"),
    "other": gettext_lazy("something else"),
    "declaration-right": gettext_lazy("the declaration stands"),
    "declaration-wrong": gettext_lazy("the declaration is wrong"),
    "score-corrected": gettext_lazy("the score is corrected"),
    "penalty": gettext_lazy("a penalty"),
}


def _told(code: str) -> str:
    return str(_TOLD.get(code, code))


_PLAIN: dict[type[Event], Callable[[Any, str], str]] = {
    records.Deck: lambda _event, _who: _("the pack is known"),
    records.Shuffle: lambda _event, _who: _("the shuffle is committed to"),
    records.Reveal: lambda _event, _who: _("the seed of the shuffle is told"),
    records.Upcard: lambda event, _who: _("%(card)s is turned up") % {"card": short(event.card)},
    records.Wild: lambda event, _who: _("wild card: %(card)s") % {"card": short(event.card)},
    records.Pass: lambda _event, who: _("%(who)s passes") % {"who": who},
    records.Discard: lambda event, who: (
        _("%(who)s discards %(card)s") % {"who": who, "card": short(event.card)}
    ),
    records.Meld: lambda event, who: (
        _("%(who)s lays %(cards)s") % {"who": who, "cards": listed(event.cards)}
    ),
    records.Layoff: lambda event, who: (
        _("%(who)s lays off %(cards)s on meld %(meld)s")
        % {"who": who, "cards": listed(event.cards), "meld": event.meld}
    ),
    records.Play: lambda event, who: (
        (_("%(who)s plays, and it is taken back") if event.undone else _("%(who)s plays"))
        % {"who": who}
    ),
    records.Penalty: _penalty,
    records.Reshuffle: lambda event, _who: (
        _("the discard pile is turned over") if event.turned else _("the pile is reshuffled")
    ),
    records.Drop: lambda _event, who: _("%(who)s drops") % {"who": who},
    records.Miss: lambda _event, who: _("%(who)s misses the turn") % {"who": who},
    records.Leave: lambda _event, who: _("%(who)s leaves the table") % {"who": who},
    records.Declare: _declare,
    records.Knock: lambda event, who: (
        _("%(who)s knocks with %(groups)s") % {"who": who, "groups": grouped(event.groups)}
    ),
    records.Show: lambda event, who: (
        _("%(who)s shows %(cards)s")
        % {"who": who, "cards": grouped((*(event.groups or ()), event.loose or ()))}
    ),
    records.Call: lambda event, who: (
        (_("%(who)s calls a stalemate") if event.what == "stalemate" else _("%(who)s calls rummy"))
        % {"who": who}
    ),
    records.Choice: lambda event, who: (
        _("%(who)s chooses: %(what)s") % {"who": who, "what": _told(event.what)}
    ),
    records.Irregularity: lambda event, who: (
        _("irregularity: %(what)s %(card)s %(who)s")
        % {
            "what": _told(event.kind),
            "card": short(event.card) if event.card else "",
            "who": who if event.seat else "",
        }
    ).rstrip(),
    records.Ruling: lambda event, _who: (
        _("ruling by %(by)s on event %(seq)s: %(outcome)s")
        % {"by": event.by, "seq": event.target, "outcome": _told(event.outcome)}
    ),
    records.Misdeal: lambda _event, _who: _("a misdeal is called"),
    records.Void: lambda _event, _who: _("the hand is void"),
    records.Note: lambda event, _who: _("note: %(text)s") % {"text": event.text},
    records.UnknownEvent: lambda event, _who: (
        _("an event of an unknown kind: %(kind)s") % {"kind": event.kind}
    ),
}


def sentence(event: Event, names: Names, *, tiles: bool = False) -> str:
    """Return what happened, in one sentence with the players' names; ``tiles`` for a tile game."""
    if isinstance(event, records.Score):
        return _score(event, names)
    if isinstance(event, records.Result):
        return _("result: %(totals)s") % {"totals": by_seat(event.totals or {}, names)}
    if isinstance(event, records.Amend):
        return _amend(event, names, tiles=tiles)
    seat = getattr(event, "seat", None)
    who = names.get(seat, _("seat %(seat)s") % {"seat": seat}) if seat is not None else ""
    if isinstance(event, records.Draw):
        return _draw(event, who, tiles=tiles)
    if isinstance(event, records.Deal):
        return _deal(event, who, tiles=tiles)
    said = _PLAIN.get(type(event))
    return said(event, who) if said else type(event).__name__


def format_words(match_format: str) -> str:
    """Return a match format as people say it.

    >>> format_words("pool-101"), format_words("deals-6"), format_words("points")
    ('101 pool', '6 deals', 'points')
    """
    kind, _dash, number = match_format.partition("-")
    if kind == "pool":
        return _("%s pool") % number
    if kind == "deals":
        return _("%s deals") % number
    words = {"points": _("points"), "target": _("to a target")}
    return words.get(kind, match_format)


def moment(at: datetime.datetime | None, exact: str = "") -> str:
    """Say a moment to the minute, or to the second when ``exact``, with its zone.

    >>> moment(datetime.datetime(2026, 11, 30, 16, 41, 7, tzinfo=datetime.UTC))
    '2026-11-30 16:41 UTC'
    """
    if at is None:
        return ""
    clock = "%H:%M:%S" if exact else "%H:%M"
    return f"{timezone.localtime(at):%Y-%m-%d {clock} %Z}"
