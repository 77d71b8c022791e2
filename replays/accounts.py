"""How accounts behave: nobody makes one without an invitation."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from replays.asked import Asked
from replays.models import Membership

# As ``Membership.objects.of`` does.
_OF_PERSON = Asked(lambda: Membership.objects.select_related("club", "user").order_by("pk"), "user")


class ByInvitation(DefaultAccountAdapter):
    """Closes the open door of django-allauth; an invitation's page makes accounts."""

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        """Say no: people join a club by its invitation (``replays.members``)."""
        return False


class WithMemberships(AuthenticationBackend):
    """Looks up whose session it is together with their clubs: every page asks for both."""

    def get_user(self, user_id: Any) -> Any:
        """Return who has signed in, unless they may no longer."""
        memberships = _OF_PERSON(user_id)
        if not memberships:
            return super().get_user(user_id)
        user = memberships[0].user
        # For the first who asks in this request; who asks later is told what is so by then.
        user.memberships_just_read = memberships
        return user if self.user_can_authenticate(user) else None


def tried(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return whose password was tried, for the count of wrong ones (``AXES_USERNAME_CALLABLE``)."""
    said = credentials or {}
    address = said.get("email") or said.get("username") or request.POST.get("login", "")
    return str(address).casefold()[:200]
