"""How accounts behave: nobody makes one without an invitation."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ByInvitation(DefaultAccountAdapter):
    """Closes the open door of django-allauth; an invitation's page makes accounts."""

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        """Say no: people join a club by its invitation (``replays.members``)."""
        return False


def tried(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return whose password was tried, for the count of wrong ones (``AXES_USERNAME_CALLABLE``)."""
    said = credentials or {}
    address = said.get("email") or said.get("username") or request.POST.get("login", "")
    return str(address).casefold()[:200]
