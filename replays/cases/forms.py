"""What people fill in on the pages of cases."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays.cases.kinds import KINDS
from replays.cases.pictures import MOST_BYTES
from replays.cases.record import DESK_FIELDS
from replays.decisions import MOST_POINTS, Ruled
from replays.models import Desk
from replays.models.cases import Effect, EvidenceKind, Outcome
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.findings import codes

_WORDS = forms.Textarea(attrs={"rows": 4})


class NewCaseForm(forms.Form):
    """What is in dispute, and why."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What is in dispute"),
        choices=[(name, kind.title) for name, kind in KINDS.items()],
    )
    seq = forms.IntegerField(
        required=False,
        min_value=0,
        label=gettext_lazy("Event number"),
        help_text=gettext_lazy("It stands beside each event of the hand. Empty: the whole hand."),
    )
    code = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    text = forms.CharField(label=gettext_lazy("What happened"), widget=_WORDS)


class PinForm(forms.Form):
    """Something to be pinned to a case."""

    kind = forms.ChoiceField(choices=EvidenceKind.choices, label=gettext_lazy("What you pin"))
    seq = forms.IntegerField(required=False, min_value=1, label=gettext_lazy("Event number"))
    address = forms.CharField(
        required=False, max_length=500, label=gettext_lazy("Address of the what-if")
    )
    picture = forms.FileField(required=False, label=gettext_lazy("Picture"))
    text = forms.CharField(
        required=False,
        label=gettext_lazy("What it shows"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def clean_picture(self) -> bytes | None:
        """Read a picture; one too large is not read at all."""
        file = self.cleaned_data["picture"]
        if file is None:
            return None
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("A picture may have at most 8 MB: send a smaller one."))
        return bytes(file.read())


class DeskForm(forms.ModelForm):
    """How a club decides: its clocks, its appeals, how standings are shown."""

    class Meta:
        model = Desk
        fields = DESK_FIELDS
        labels = {
            "claim_hours": gettext_lazy("Hours until a referee takes a case"),
            "decide_hours": gettext_lazy("Hours until it is decided"),
            "appeal_hours": gettext_lazy("Hours to appeal a decision"),
            "file_hours": gettext_lazy("Hours for a player to dispute a hand"),
            "idle_minutes": gettext_lazy("Minutes until an idle referee loses a case"),
            "levels": gettext_lazy("How often a decision can be appealed"),
            "least_text": gettext_lazy("Least characters of a text"),
            "by_decided": gettext_lazy("Standings count decided scores"),
        }
        help_texts = {"file_hours": gettext_lazy("Empty: no limit.")}

    def clean(self) -> dict[str, Any]:
        """Keep each number within what a club can mean."""
        cleaned = super().clean() or {}
        for name, (low, high) in DESK_BOUNDS.items():
            value = cleaned.get(name)
            if value is not None and not low <= value <= high:
                said = _("From %(low)s to %(high)s.") % {"low": low, "high": high}
                self.add_error(name, said)
        return cleaned


DESK_BOUNDS = {
    "claim_hours": (1, 2000),
    "decide_hours": (1, 2000),
    "appeal_hours": (1, 2000),
    "file_hours": (1, 10_000),
    "idle_minutes": (5, 20_000),
    "levels": (0, 3),
    "least_text": (1, 200),
}


class DecisionForm(forms.Form):
    """A decision: outcome, clause, reasons, what it does to the score, what it rests on."""

    outcome = forms.ChoiceField(label=gettext_lazy("The complaint"), choices=Outcome.choices)
    code = forms.ChoiceField(required=False, label=gettext_lazy("Finding"))
    clause = forms.CharField(
        max_length=200,
        label=gettext_lazy("Clause"),
        help_text=gettext_lazy("Book and section, such as “001 Declaration Rules”."),
    )
    effect = forms.ChoiceField(label=gettext_lazy("The score"), choices=Effect.choices)
    winner = forms.ChoiceField(required=False, label=gettext_lazy("Who won"))
    cites = forms.CharField(
        required=False,
        label=gettext_lazy("Earlier decisions, by number"),
        help_text=gettext_lazy("With commas between: 3, 12."),
    )
    text = forms.CharField(label=gettext_lazy("Reasons"), widget=_WORDS)

    def __init__(
        self, *args: Any, hand: Hand, found: list[str], others: list[str], **kwargs: Any
    ) -> None:
        """Offer the findings of the hand, then the others, and a field for the points of a seat."""
        super().__init__(*args, **kwargs)
        players = {player.seat: player.name or "" for player in hand.record.players}
        named = {
            seat: name or _("seat %(seat)s") % {"seat": seat} for seat, name in players.items()
        }
        groups = ((_("Found in this hand"), found), (_("Other findings"), others))
        self.fields["code"].choices = [  # type: ignore[attr-defined]
            ("", _("none")),
            *((title, _findings(some)) for title, some in groups if some),
        ]
        self.fields["winner"].choices = [("", _("as the rules say")), *named.items()]  # type: ignore[attr-defined]
        self.seats = sorted(named)
        for seat in self.seats:
            self.fields[f"points_{seat}"] = forms.IntegerField(
                required=False,
                min_value=0,
                max_value=MOST_POINTS,
                label=named[seat],
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    def point_fields(self) -> list[forms.BoundField]:
        """Return the fields of the points, a seat each."""
        return [self[f"points_{seat}"] for seat in self.seats]

    def clean_cites(self) -> list[int]:
        """Read numbers with commas between."""
        parts = self.cleaned_data["cites"].replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):  # noqa: PLR2004 - a number of a decision
            raise forms.ValidationError(_("Give numbers of decisions with commas between."))
        return [int(part) for part in parts]

    @property
    def ruled(self) -> Ruled:
        """What the decision makes of the score; points count only where the score says so."""
        data = self.cleaned_data
        effect = data["effect"]
        given = {seat: data.get(f"points_{seat}") for seat in self.seats}
        points = {seat: own for seat, own in given.items() if own is not None}
        decides = effect == Effect.POINTS
        winner = int(data["winner"]) if decides and data.get("winner") else None
        return Ruled(effect=effect, points=points if decides else {}, winner=winner)


def _findings(found: list[str]) -> list[tuple[str, str]]:
    """Return codes with their titles, to choose among; one of an older engine stays a code."""
    known = codes()
    return [(each, f"{known[each].title} ({each})" if each in known else each) for each in found]


def initial_of(minute: Any) -> dict[str, Any]:
    """Return a decision by the rules, as the panel of a declaration offers it."""
    points = {f"points_{seat}": own for seat, own in minute.points.items()}
    follows = minute.consequence.removesuffix(".")
    return {
        "outcome": Outcome.GRANTED if minute.differs or not minute.right else Outcome.REFUSED,
        "code": minute.code,
        "clause": minute.clause,
        "effect": Effect.POINTS if points else Effect.NONE,
        "winner": minute.winner or "",
        "text": f"{minute.wrong} {follows[:1].upper()}{follows[1:]}.",
        **points,
    }
