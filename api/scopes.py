"""What a key may do: each operation names the scope that it needs."""

from __future__ import annotations

from django.utils.translation import gettext as _

from api.problems import Problem
from replays.access import Viewer
from replays.models.people import Scope


def require(viewer: Viewer, scope: Scope) -> None:
    """Refuse what this viewer may not do, naming the scope that is missing. Raises Problem."""
    if viewer.club is None:
        code = "not-signed-in" if viewer.user is None and viewer.key is None else "no-club"
        raise Problem(code, headers={"WWW-Authenticate": 'Bearer realm="api"'})
    if not viewer.may(scope):
        detail = _("This needs the scope %(scope)s.") % {"scope": scope.value}
        raise Problem("missing-scope", detail, scope=scope.value)
