"""Forms of evenings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from replays.evenings import MOST_MINUTES
from replays.models import Membership
from replays.models.people import called


class EveningForm(forms.Form):
    """A new evening."""

    name = forms.CharField(
        max_length=100, label=_("Name"), help_text=_("For example: Saturday pool")
    )
    date = forms.DateField(
        label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    ruleset = forms.ChoiceField(label=_("Rules"))
    correction_minutes = forms.IntegerField(
        min_value=0,
        max_value=MOST_MINUTES,
        label=_("Minutes for corrections"),
        help_text=_("Counted from the last deal of a match; after them only a referee corrects."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    referee = forms.ChoiceField(required=False, label=_("Referee"))

    def __init__(
        self,
        *args: Any,
        rules: Iterable[tuple[str, str]],
        referees: Iterable[Membership],
        **named: Any,
    ) -> None:
        """Take the rules and the people to choose from."""
        super().__init__(*args, **named)
        self._people = {str(each.user_id): each.user for each in referees}
        names = [(pk, called(person)) for pk, person in self._people.items()]
        self.fields["ruleset"].choices = list(rules)
        self.fields["referee"].choices = [("", _("nobody named")), *names]

    def verb(self) -> dict[str, Any]:
        """Return what ``make_evening`` takes."""
        cleaned = self.cleaned_data
        return {**cleaned, "referee": self._people.get(cleaned["referee"])}
