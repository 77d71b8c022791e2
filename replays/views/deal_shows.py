"""The show pad of a table: cards judged by the match's rules, their points handed back."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays import wording
from replays.matches_at_tables import MatchState, state_of
from replays.views import judge
from replays.views.deals import match_at, whole
from replays.views.tables import At
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import Ruleset


@require_safe
def show_pad(request: HttpRequest, at: At) -> HttpResponse:
    """Judge the cards that a player shows, by the match's rules, and hand the points back."""
    match = match_at(at)
    seat = whole(request.GET.get("seat", ""))
    if match is None or not match.seats.filter(seat=seat).exists():
        raise Http404
    state = state_of(match)
    cards = request.GET.get("cards", "").strip()[:500]
    wild = request.GET.get("wild", "")[:3]
    base, house = _as_house(state.law)
    answer: dict[str, Any] = {}
    if cards:
        answer = judge.judged(cards, base, wild, house=house)
    elif "cards" in request.GET:
        answer = {"problem": judge.NO_CARDS}
    ctx = {
        "at": at,
        "seat": seat,
        "name": state.name(seat),
        "ruleset": base,
        "cards": cards,
        "wild": wild,
        "ranks": judge.RANKS,
        "keypad": judge.keypads()[0],
        "hints": _hints(cards, state.law),
        "take": _to_take(at, state, seat=seat, cards=cards, wild=wild, answer=answer),
        "share": "",
        **answer,
    }
    fragment = "X-Fragment" in request.headers
    return render(
        request, "replays/_deal_shown.html" if fragment else "replays/deal_show.html", ctx
    )


def _as_house(law: Ruleset) -> tuple[str, dict[str, Any]]:
    """Return a match's rules as a preset and what differs from it, for a question without a log."""
    family = [preset for preset in rulesets.presets().values() if preset.family == law.family]
    base = next((each.name for each in family if each.name == law.preset), family[0].name)
    plain = rulesets.ruleset(base)
    return base, {name: value for name, value in law.values.items() if value != plain[name]}


def _hints(cards: str, law: Ruleset) -> list[str]:
    """Return what looks like a slip of the finger; nothing of it stops anybody."""
    faces = [face for face in cards.upper().replace("|", " ").replace("+", " ").split() if face]
    hints = []
    size = law.number("hand_size")
    if faces and len(faces) != size:
        hints.append(_("%(count)s of %(size)s cards so far.") % {"count": len(faces), "size": size})
    decks = law.number("decks")
    for face in dict.fromkeys(faces):
        most = law.number("printed_jokers") if face == "JK" else decks
        if faces.count(face) > most:
            hints.append(
                _("%(card)s stands there %(count)s times; the pack has %(most)s.")
                % {"card": wording.short(face), "count": faces.count(face), "most": most}
            )
    return hints


def _to_take(
    at: At, state: MatchState, *, seat: int, cards: str, wild: str, answer: dict[str, Any]
) -> list[dict[str, str]]:
    """Return the ways back to the deal page, each with what it fills in."""
    if "answer" not in answer:
        return []
    points = answer["answer"]["points"]
    groups = " | ".join(wording.listed(part.split()) for part in cards.upper().split("|"))
    said = _("%(name)s showed %(cards)s") % {"name": state.name(seat), "cards": groups}
    if wild:
        said += _(" (wild %s)") % wild
    ways = []
    stands = answer["answer"]["valid"] if answer["grouped"] else answer["answer"]["declarable"]
    if stands:
        label = _("%s has won") % state.name(seat)
        ways.append((label, {"winner": seat, f"shown{seat}": said}))
    elif answer["grouped"]:
        wrong = state.points_of_mark("wrong")
        label = _("Charge a wrong declaration: %s points") % wrong
        filled = {f"m{seat}": "wrong", f"p{seat}": wrong, f"shown{seat}": said}
        ways.append((label, filled))
    text = f"{said}: {points}"
    filled = {f"p{seat}": points, f"shown{seat}": text}
    if not stands:
        ways.insert(0, (_("Take %s points") % points, filled))
    return [
        {"label": label, "url": f"{at.base}?{urlencode({**filled, 'wild': wild})}"}
        for label, filled in ways
    ]
