"""The chart of a match: totals over its deals, drawn on the server as SVG.

No style stands in the drawing, only classes: the stylesheet colours it for light and dark,
and the page's security policy allows nothing else. The table beside it says the same.
"""

from collections.abc import Sequence
from html import escape

import svg
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from rummy_audit.rules.matches import Row

# A phone's width: there it stands one to one, wider screens enlarge it.
_WIDTH, _HEIGHT = 340, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 82, 10, 26
_LABEL_GAP = 13
_LONGEST = 11
_STEPS = (1, 2, 5)
_LINES = 5


def totals_chart(
    rows: Sequence[Row], seats: Sequence[int], names: Sequence[str], *, limit: int | None = None
) -> SafeString:
    """Return the totals by the rules over the deals, a line a seat; empty where nothing runs.

    ``limit`` draws the total at which a player is out.
    """
    lines = {
        seat: [(place, row.totals[seat]) for place, row in enumerate(rows, 1) if seat in row.totals]
        for seat in seats
    }
    values = [total for line in lines.values() for _place, total in line]
    if len(rows) < 2 or not values:  # noqa: PLR2004 - one deal is no course
        return SafeString("")
    low, high, step = _scale(min(0, *values), max(*values, limit or 0))

    def across(place: int) -> float:
        wide = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + wide * (place - 1) / (len(rows) - 1), 1)

    def down(total: float) -> float:
        tall = _HEIGHT - _TOP - _BOTTOM
        return round(_TOP + tall * (high - total) / (high - low), 1)

    drawn: list[svg.Element] = []
    for total in range(low, high + 1, step):
        drawn += _rule(down(total), "grid", str(total))
    for place in _places(len(rows)):
        drawn.append(_text(across(place), _HEIGHT - 8, str(rows[place - 1].deal or place), "mid"))
    if limit is not None:
        drawn += _rule(down(limit), "limit", "")
    ends = {seat: down(line[-1][1]) for seat, line in lines.items() if line}
    labels = _apart(ends, top=_TOP + 4, bottom=_HEIGHT - _BOTTOM)
    for number, (seat, name) in enumerate(zip(seats, names, strict=True)):
        line = lines[seat]
        if not line:
            continue
        kind = f"l{number % 12}"
        points = [each for place, total in line for each in (across(place), down(total))]
        drawn.append(svg.Polyline(points=points, class_=["line", kind]))
        drawn.append(svg.Circle(cx=points[-2], cy=points[-1], r=3, class_=["dot", kind]))
        start = _WIDTH - _RIGHT + 8
        drawn.append(
            svg.Line(
                x1=start, x2=start + 14, y1=labels[seat], y2=labels[seat], class_=["line", kind]
            )
        )
        drawn.append(_text(start + 18, labels[seat] + 4, _short(name), "name"))
    title = _("Totals over the deals; the table below has the numbers.")
    picture = svg.SVG(
        viewBox=svg.ViewBoxSpec(0, 0, _WIDTH, _HEIGHT),
        class_=["chart"],
        extra={"role": "img", "aria-label": escape(title)},
        elements=drawn,
    )
    return mark_safe(picture.as_str())  # noqa: S308 - names are escaped, the rest is numbers


def _scale(low: int, high: int) -> tuple[int, int, int]:
    """Return a range of round numbers around these, and the step between its lines.

    >>> _scale(0, 137)
    (0, 150, 50)
    >>> _scale(-3, 4)
    (-4, 4, 2)
    """
    span = max(1, high - low)
    power = 1
    while True:
        for each in _STEPS:
            step = each * power
            if span <= step * (_LINES - 1):
                return step * (low // step), -step * (-max(high, low + 1) // step), step
        power *= 10


def _places(count: int) -> list[int]:
    """Return which deals are named below: all of few, every fifth or so of many."""
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100) if count <= each * 10)
    return [place for place in range(1, count + 1) if place % step == 0 or place == 1]


def _apart(ends: dict[int, float], *, top: float, bottom: float) -> dict[int, float]:
    """Move labels apart that would lie on each other, as little as that takes."""
    placed: dict[int, float] = {}
    at = top - _LABEL_GAP
    for seat in sorted(ends, key=lambda seat: (ends[seat], seat)):
        at = max(ends[seat], at + _LABEL_GAP)
        placed[seat] = at
    at = bottom + _LABEL_GAP
    for seat in reversed(list(placed)):
        at = min(placed[seat], at - _LABEL_GAP)
        placed[seat] = at
    return placed


def _rule(y: float, kind: str, label: str) -> list[svg.Element]:
    line = svg.Line(x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_=[kind])
    return [line, _text(_LEFT - 5, y + 4, label, "end")] if label else [line]


def _text(x: float, y: float, said: str, kind: str) -> svg.Text:
    # svg.py writes text as it comes: a name with < in it must not become a tag.
    return svg.Text(x=x, y=y, text=escape(said), class_=[kind])


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
