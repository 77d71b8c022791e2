"""How accounts behave: nobody makes one without an invitation."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ByInvitation(DefaultAccountAdapter):
    """Closes the open door of django-allauth; an invitation's page makes accounts."""

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        """Say no: people join a club by its invitation (``replays.members``)."""
        return False
