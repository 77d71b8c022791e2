"""Cards and groups as templates draw them: faces, marks of wild cards, what is said of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays import wording
from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.findings import codes
from rummy_audit.rules.view import GroupView

# A longer hand of unknown cards is shown as one back with its number.
MOST_BACKS = 3


def card_items(
    cards: Iterable[str],
    *,
    wild: str | None = None,
    places: Sequence[str] = (),
    moved: Iterable[int] = (),
    unknown: int = 0,
    tiles: bool = False,
) -> list[dict[str, Any]]:
    """Return what the card template draws: faces, marks of wild cards, what jokers stand for."""
    rank = wild[:-1] if wild and wild != "JK" else None
    marked = frozenset(moved)
    items = []
    for place, face in enumerate(cards):
        stood_for = places[place] if place < len(places) else face
        items.append(
            {
                "symbol": _symbol(face, tiles=tiles),
                "face": "" if face == "??" else face,
                "say": wording.spoken(face),
                "wild": rank is not None and face[:-1] == rank,
                "stands": stands(stood_for) if stood_for != face else "",
                "stands_say": wording.spoken(stood_for) if stood_for != face else "",
                "moved": place in marked,
            }
        )
    if unknown:
        backs = unknown if unknown <= MOST_BACKS else 1
        say = (_("%(count)s unknown tiles") if tiles else _("%(count)s unknown cards")) % {
            "count": unknown
        }
        items += [{"symbol": "back", "say": say if back == 0 else ""} for back in range(backs)]
        items[-1]["count"] = unknown if unknown > MOST_BACKS else 0
    return items


# A tile's colour as the shape that it carries, where there is no room for the word.
_TILE_SHAPES = {"R": "●", "B": "■", "K": "▲", "O": "◆"}


def stands(face: str) -> str:
    """Return a face as shortly as it can be written: 7♥, or a tile's shape and number."""
    if face == JOKER:
        return "★"
    if wording.is_tile(face):
        return f"{_TILE_SHAPES[face[0]]}{face[1:]}"
    return wording.short(face)


def _symbol(face: str, *, tiles: bool) -> str:
    if face == "??":
        return "back"
    if wording.is_tile(face) or (tiles and face == "JK"):
        return f"t-{face}"
    return face


def group_items(
    groups: Iterable[GroupView], *, wild: str | None, tiles: bool = False
) -> list[dict[str, Any]]:
    """Return groups as figures: the cards, the kind in words, and what is wrong with them."""
    return [
        {
            "cards": card_items(group.cards, wild=wild, places=group.stands_for, tiles=tiles),
            "kind": group.kind,
            "label": KINDS.get(group.kind, group.kind),
            "wrong": [codes()[code].title for code in group.codes],
        }
        for group in groups
    ]


KINDS = {
    "pure-sequence": gettext_lazy("pure sequence"),
    "impure-sequence": gettext_lazy("sequence with a joker"),
    "sequence": gettext_lazy("sequence"),
    "set": gettext_lazy("set"),
    "invalid": gettext_lazy("not valid"),
}
