"""The page that judges a hand of cards: tapped or typed, with or without groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from replays import drawing, finding_items, wording
from rummy_audit.rules.judging import JudgeError, judge_text
from rummy_audit.rules.rulesets import Value, presets
from rummy_audit.rules.view import GroupView

_DEFAULT = "indian-13"
NO_CARDS = gettext_lazy("There are no cards yet: tap them, or type them like 7H 8H 9H.")
# The wild card is chosen by its rank: value and what stands there.
RANKS = [(rank, "10" if rank == "T" else rank) for rank in "A23456789TJQK"]


# What an answer means in each game: that the groups as laid are right, that all can go, and how.
_WORDS = {
    "indian": {
        "stand": gettext_lazy("These groups are a valid declaration."),
        "may": gettext_lazy("can be declared"),
        "all": gettext_lazy("All cards fit into valid groups."),
    },
    "basic": {
        "stand": gettext_lazy("These groups are valid melds, and no card is left."),
        "may": gettext_lazy("can all be melded"),
        "all": gettext_lazy("All cards fit into valid melds."),
    },
    "gin": {
        "stand": gettext_lazy("These groups are valid melds, and what is left is little enough."),
        "may": gettext_lazy("can knock"),
        "all": gettext_lazy("What is left beside the melds is little enough."),
    },
    "tile": {
        "stand": gettext_lazy("These groups are valid melds, and no tile is left."),
        "may": gettext_lazy("can all be laid"),
        "all": gettext_lazy("All tiles fit into valid melds."),
    },
}


def keypads() -> list[dict[str, Any]]:
    """Return the keys of cards and of tiles, row by row."""
    cards = [
        [_key(f"{rank}{suit}", red=suit in "HD") for rank in "A23456789TJQK"] for suit in "SHDC"
    ]
    tiles = [[_key(f"{colour}{number}") for number in range(1, 14)] for colour in "RBKO"]
    return [
        {"name": "cards", "label": gettext_lazy("Cards"), "rows": cards},
        {"name": "tiles", "label": gettext_lazy("Tiles"), "rows": tiles},
    ]


def _key(face: str, *, red: bool = False) -> dict[str, str]:
    tile = wording.is_tile(face)
    return {
        "face": face,
        "short": drawing.stands(face),
        "say": wording.spoken(face),
        "ink": f"tile-{face[0].lower()}" if tile else "red" if red else "",
    }


def _family(chosen: str) -> str:
    return next((p.family for p in presets().values() if chosen in (p.id, p.name)), "")


@require_safe
def judge_page(request: HttpRequest) -> HttpResponse:
    """Judge the cards in the address; with ``X-Fragment`` only the answer comes back."""
    chosen = request.GET.get("ruleset") or _DEFAULT
    cards = request.GET.get("cards", "").strip()
    wild = request.GET.get("wild", "")
    lay_on = request.GET.get("lay_on", "").strip()
    table = request.GET.get("table", "").strip()
    ctx = {
        "family": _family(chosen) or _family(_DEFAULT),
        "presets": list(presets().values()),
        "chosen": chosen,
        "cards": cards,
        "wild": wild,
        "lay_on": lay_on,
        "table": table,
        "ranks": RANKS,
        "keypads": keypads(),
        **(judged(cards, chosen, wild, lay_on=lay_on, table=table) if cards else {}),
        "share": request.get_full_path(),
    }
    fragment = "X-Fragment" in request.headers
    return render(request, "replays/_judged.html" if fragment else "replays/judge.html", ctx)


def judged(
    cards: str,
    chosen: str,
    wild: str,
    *,
    lay_on: str = "",
    table: str = "",
    house: Mapping[str, Value] | None = None,
) -> dict[str, Any]:
    """Return the answer to a question as a page shows it, or the ``problem`` with it."""
    family = _family(chosen)
    tiles = family == "tile"
    # Fields of another game may still hold something from before: they are not asked.
    asked = {
        "rules": chosen,
        "house": house,
        "wild": wild if family == "indian" and wild else None,
        "lay_on": lay_on if family == "gin" else "",
        "table": table if tiles else "",
    }
    try:
        answer = judge_text(cards, **asked)
    except JudgeError as error:
        if not error.found:
            return {"problem": NO_CARDS}
        why = {"found": error.found, "expected": error.expected}
        return {"problem": _("“%(found)s” cannot be judged: expected %(expected)s.") % why}
    grouped = "|" in cards or "+" in cards
    best = answer["best"]
    return {
        "answer": answer,
        "words": _WORDS[family],
        "family": family,
        "grouped": grouped,
        "groups": _groups(answer["groups"], wild, tiles=tiles) if grouped else [],
        "findings": [
            {
                **finding,
                "shape": finding_items.SHAPES[finding["severity"]],
                "severity_label": finding_items.SEVERITIES[finding["severity"]],
                "message": wording.pictured(finding["message"], tiles=tiles),
            }
            for finding in answer["findings"]
        ],
        "best": {
            "groups": _groups(_kinds(best, asked), wild, tiles=tiles),
            "loose": drawing.card_items(best["loose"], wild=_wild(wild), tiles=tiles),
            "points": best["points"],
            "layoffs": [(wording.short(each["card"]), each["meld"]) for each in best["layoffs"]],
        },
        "discards": wording.listed(answer.get("knock_discards", ())),
        "asks_knock": "knock_discards" in answer,
        "most_tiles": answer.get("most_tiles"),
        "most_value": answer.get("most_value"),
    }


def _kinds(best: dict[str, Any], asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the best groups as what they are: their kinds, and what jokers stand for in them."""
    written = " | ".join(" ".join(group) for group in best["groups"])
    if written and not asked["table"]:
        try:
            return judge_text(written + " +", **asked)["groups"]
        except JudgeError:  # what stands on the table is not a group of these cards
            pass
    plain = {"kind": "", "places": (), "findings": ()}
    return [{**plain, "cards": group} for group in best["groups"]]


def _wild(wild: str) -> str | None:
    return f"{wild}S" if wild else None


def _groups(groups: list[dict[str, Any]], wild: str, *, tiles: bool) -> list[dict[str, Any]]:
    views = [
        GroupView(
            cards=tuple(group["cards"]),
            kind=group["kind"],
            stands_for=tuple(group["places"]),
            codes=tuple(finding["code"] for finding in group["findings"]),
        )
        for group in groups
    ]
    return drawing.group_items(views, wild=_wild(wild), tiles=tiles)
