"""Sessions in the database, as Django keeps them; every page begins by asking for one."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from replays.asked import Asked

_LIVING: Asked[Session] = Asked(Session.objects.all, "session_key", "expire_date__gt")


class SessionStore(db.SessionStore):
    """Django's own, with a question that is worded once."""

    def _get_session_from_db(self) -> Any:
        """Return the session that is asked for; none where there is none, or it has ended."""
        found = _LIVING(self.session_key, timezone.now())
        if found:
            return found[0]
        self._session_key = None
        return None
