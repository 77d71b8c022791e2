"""What is typed to start a match at a table: what is played, for what stakes, who sits where."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays.evenings import NotPossibleError

KINDS = (
    ("pool-101", gettext_lazy("101 pool")),
    ("pool-201", gettext_lazy("201 pool")),
    ("pool-61", gettext_lazy("61 pool")),
    ("points", gettext_lazy("Points")),
    ("deals", gettext_lazy("Deals")),
    ("pool", gettext_lazy("Other pool")),
)
STAKES = ("entry_fee", "point_value", "fee")
_NUMBERED = ("deals", "pool")
_AMOUNT = re.compile(r"[0-9]{1,9}")
_SEAT = re.compile(r"[0-9]{1,2}")


class Starting:
    """The form that starts a match; whatever cannot be meant raises NotPossibleError."""

    def __init__(self, post: Any) -> None:
        """Keep what was sent: a QueryDict, or nothing for an empty form."""
        self.post = post
        self.kind = post.get("kind", "") or KINDS[0][0]
        self.of = post.get("of", "").strip()[:4]
        self.chosen = list(dict.fromkeys(post.getlist("player"))) if post else []
        for name in STAKES:
            setattr(self, name, post.get(name, "").strip()[:12])

    def seat_typed(self, ref: str) -> str:
        """Return the seat typed beside a player, as it was typed."""
        return str(self.post.get(f"seat-{ref}", "")).strip()[:2]

    def format(self) -> str:
        """Return the format of the match."""
        if not self.post.get("kind"):
            raise NotPossibleError(_("Choose what is played."), field="kind")
        if self.kind not in _NUMBERED:
            return str(self.kind)
        if not self.of.isdecimal() or not int(self.of):
            said = {
                "deals": _("Enter how many deals are played, such as 6."),
                "pool": _("Enter the limit of the pool, such as 150."),
            }
            raise NotPossibleError(said[self.kind], field="of")
        return f"{self.kind}-{int(self.of)}"

    def stake(self, name: str) -> int:
        """Return an amount in the smallest unit; 0 where nothing was typed."""
        text = getattr(self, name)
        if text and not _AMOUNT.fullmatch(text):
            raise NotPossibleError(
                _("“%s” is no amount: enter it in the smallest unit, in digits alone.") % text,
                field=name,
            )
        return int(text or 0)

    def seated(self) -> list[str]:
        """Return the chosen players by the seat beside each; those without one follow."""
        seats: dict[str, int] = {}
        for ref in self.chosen:
            text = self.seat_typed(ref)
            if text and (not _SEAT.fullmatch(text) or not int(text)):
                said = _("“%s” is no seat: number the seats from 1, or leave them empty.")
                raise NotPossibleError(said % text, field="player")
            if text and int(text) in seats.values():
                said = _("Seat %s is given twice: give each player a seat of their own, or none.")
                raise NotPossibleError(said % int(text), field="player")
            seats[ref] = int(text) if text else 0
        return sorted(self.chosen, key=lambda ref: seats[ref] or 99)
