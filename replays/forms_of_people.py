"""Forms about people and keys."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import get_user_model, password_validation
from django.utils.translation import gettext_lazy as _

from replays import members
from replays.models import Link
from replays.models.people import Scope


class JoinForm(forms.Form):
    """A new account for whoever takes up an invitation."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("You sign in with it."),
    )
    password = forms.CharField(
        label=_("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least eight characters, and none that many use."),
    )

    def __init__(self, data: Any, *, link: Link) -> None:
        """Offer the address that the invitation was made for."""
        super().__init__(data, initial={"email": link.scope.get("email", "")})

    def clean_email(self) -> str:
        """Refuse an address that has an account: its person signs in first."""
        email: str = self.cleaned_data["email"]
        if get_user_model().objects.filter(email__iexact=email).exists():
            raise forms.ValidationError(
                _("There is an account with this address. Sign in, then open the link again.")
            )
        return email

    def clean_password(self) -> str:
        """Refuse what is guessed soon."""
        password: str = self.cleaned_data["password"]
        password_validation.validate_password(password)
        return password

    def save(self) -> Any:
        """Make the account."""
        return members.make_account(**self.cleaned_data)


class KeyForm(forms.Form):
    """A key for a program."""

    name = forms.CharField(
        label=_("What it is for"),
        max_length=100,
        help_text=_("For example: the server of our tables."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple
    )
    days = forms.TypedChoiceField(
        label=_("How long it is good for"),
        choices=[(90, _("90 days")), (365, _("a year")), (0, _("until it is revoked"))],
        coerce=int,
    )
