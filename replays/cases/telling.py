"""Telling people what became of a case: by mail, to other programs, and on its own page."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from functools import partial
from smtplib import SMTPRecipientsRefused

from django.contrib.auth import get_user_model
from django.core import mail
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays import outbox, wording
from replays.access import Viewer
from replays.cases.record import leave
from replays.models import Case, Membership
from replays.models.cases import Audience, Outcome
from replays.models.people import ROLE_SCOPES, Scope

log = logging.getLogger(__name__)

# What other programs hear, by what happened; the rest is only for people.
_HOOKS = {
    "opened": "case.opened",
    "claimed": "case.assigned",
    "decided": "case.decided",
    "appealed": "case.appealed",
    "closed": "case.closed",
}

_SAID = {
    "opened": gettext_lazy("Case %(number)s is open. A referee will look at it by %(due)s."),
    "joined": gettext_lazy(
        "Your report is about the same as case %(number)s and was joined to it. You will be told "
        "what is decided there."
    ),
    "claimed": gettext_lazy("A referee looks at case %(number)s now."),
    "decided": gettext_lazy(
        "Case %(number)s is decided: %(outcome)s. %(appeal)s The reasons stand on its page."
    ),
    "overturned": gettext_lazy(
        "The appeal in case %(number)s changed the decision: %(outcome)s. %(appeal)s The reasons "
        "stand on its page."
    ),
    "confirmed": gettext_lazy(
        "The appeal in case %(number)s did not change the decision: %(outcome)s. %(appeal)s The "
        "reasons stand on its page."
    ),
    "appealed": gettext_lazy("The decision in case %(number)s was appealed."),
    "closed": gettext_lazy("Case %(number)s is closed."),
    "reopened": gettext_lazy("Case %(number)s was reopened because of new evidence."),
}


def officials(case: Case) -> list[int]:
    """Return the accounts that can decide in the case's club."""
    roles = [role for role, scopes in ROLE_SCOPES.items() if Scope.CASES_DECIDE in scopes]
    members = Membership.objects.filter(club=case.club_id, role__in=roles)
    return list(members.values_list("user", flat=True))


def both_sides(case: Case) -> list[int]:
    """Return the accounts of everybody with a part in the case."""
    users = case.parties.exclude(user=None).values_list("user", flat=True)
    return [each for each in (case.opener_id, *users) if each is not None]


def sentence(what: str, case: Case, *, outcome: str = "") -> str:
    """Return what people are told, in a sentence or two without a name or a card."""
    due = case.due_at
    appeal = ""
    if what in ("decided", "overturned", "confirmed"):
        appeal = (
            _("You can appeal until %(due)s.") % {"due": wording.moment(due)}
            if due
            else _("There is no further appeal.")
        )
    return str(_SAID[what]) % {
        "number": case.number,
        "due": wording.moment(due) if due else "",
        "outcome": Outcome(outcome).label if outcome else "",
        "appeal": appeal,
    }


def tell(
    viewer: Viewer,
    case: Case,
    what: str,
    *,
    people: Iterable[int | None],
    outcome: str = "",
) -> None:
    """Tell people once the transaction is through, and write down whom; mail may fail later."""
    told = sorted({each for each in people if each is not None})
    said = sentence(what, case, outcome=outcome)
    if told:
        # Whom it reached by mail is not for the other side to read.
        leave(
            viewer,
            case,
            "tell",
            before=case.state,
            data={"what": what, "people": told, "outcome": outcome},
            audience=Audience.OFFICIALS if what == "opened" else Audience.PARTIES,
        )
    subject = _("Case %(number)s") % {"number": case.number}
    # What was done stands, whatever becomes of the mail: that it failed is logged.
    transaction.on_commit(partial(_mail, told, subject, said), robust=True)
    hook = "decided" if what in ("overturned", "confirmed") else what
    if hook in _HOOKS:
        _tell_programs(case, _HOOKS[hook], outcome=outcome)


# After a failure nobody waits for the mail server again for so long (seconds).
_PAUSE = 60.0
_paused_until = 0.0


def _mail(people: list[int], subject: str, said: str) -> None:
    """Write to people, one connection for all: where none comes about, nobody waits for more."""
    global _paused_until  # noqa: PLW0603 - one mail server a process
    if time.monotonic() < _paused_until:
        log.warning("no mail about a case is sent: the mail server failed a moment ago")
        return
    try:
        _send(people, subject, said)
    except OSError:
        _paused_until = time.monotonic() + _PAUSE
        raise


def _send(people: list[int], subject: str, said: str) -> None:
    users = get_user_model().objects.filter(pk__in=people, is_active=True).exclude(email="")
    addresses = list(users.values_list("email", flat=True))
    if not addresses:
        return
    with mail.get_connection() as through:
        for address in addresses:
            letter = mail.EmailMessage(subject, said, to=[address], connection=through)
            try:
                letter.send()
            except SMTPRecipientsRefused as error:
                # The others are written to all the same.
                log.warning("a mail about a case was refused: %s", type(error).__name__)


def _tell_programs(case: Case, event: str, *, outcome: str) -> None:
    data = {
        "case": case.number,
        "hand": case.log.public_id,
        "seq": case.seq,
        "kind": case.kind,
        "state": str(case.state),
        "level": case.level,
        "outcome": outcome,
    }
    outbox.tell(case.club_id, event, data)
