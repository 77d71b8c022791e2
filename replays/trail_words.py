"""What the trail's page says of an act, beside the verb that stands in the record."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

VERBS: dict[str, Any] = {
    "case.appeal": gettext_lazy("appealed a decision"),
    "case.attach": gettext_lazy("reported the same in a case"),
    "case.claim": gettext_lazy("took a case"),
    "case.close": gettext_lazy("made a decision final"),
    "case.decide": gettext_lazy("decided a case"),
    "case.dismiss": gettext_lazy("closed a case without a decision"),
    "case.join": gettext_lazy("joined a case to another"),
    "case.open": gettext_lazy("opened a case"),
    "case.pin": gettext_lazy("pinned evidence to a case"),
    "case.release": gettext_lazy("gave a case back"),
    "case.reopen": gettext_lazy("reopened a case"),
    "case.send": gettext_lazy("sent a case"),
    "case.state": gettext_lazy("said something in a case"),
    "case.tell": gettext_lazy("told those concerned"),
    "case.withdraw": gettext_lazy("took a case or an appeal back"),
    "club.keep_months": gettext_lazy("set how long hands are kept"),
    "club.money": gettext_lazy("switched money on or off"),
    "club.open_hands": gettext_lazy("set who may read hands"),
    "club.opens_after": gettext_lazy("set when cards lie open"),
    "deal.confirm": gettext_lazy("confirmed a deal"),
    "deal.correct": gettext_lazy("corrected a deal"),
    "deal.enter": gettext_lazy("entered a deal"),
    "desk.set": gettext_lazy("set how the club decides"),
    "evening.make": gettext_lazy("made an evening"),
    "evening.players": gettext_lazy("changed the players of an evening"),
    "hand.append": gettext_lazy("added events to a hand"),
    "hand.hold": gettext_lazy("held a hand back from purging"),
    "hand.let_go": gettext_lazy("let a held hand go"),
    "hand.purge": gettext_lazy("purged a hand"),
    "key.make": gettext_lazy("made a key"),
    "key.retire": gettext_lazy("set an end for a key"),
    "key.revoke": gettext_lazy("revoked a key"),
    "link.make": gettext_lazy("made a link"),
    "link.revoke": gettext_lazy("ended a link"),
    "match.drop": gettext_lazy("dropped a match before its first deal"),
    "match.lock": gettext_lazy("locked a match"),
    "match.start": gettext_lazy("started a match"),
    "member.join": gettext_lazy("joined the club"),
    "member.remove": gettext_lazy("removed a member"),
    "member.role": gettext_lazy("changed a member’s role"),
    "name.forget": gettext_lazy("made a name forgotten"),
    "person.export": gettext_lazy("took a person’s data out"),
    "person.forget": gettext_lazy("made a person forgotten"),
    "player.account": gettext_lazy("tied a player to an account"),
    "player.confirm": gettext_lazy("confirmed a player’s name"),
    "policy.choose": gettext_lazy("chose what is done about a finding"),
    "ruleset.activate": gettext_lazy("put rules in force"),
    "ruleset.make": gettext_lazy("wrote a version of rules"),
    "shadow.add": gettext_lazy("added hands to a shadow run"),
    "shadow.make": gettext_lazy("made a shadow run"),
    "sheet.take": gettext_lazy("took a score sheet in"),
    "table.make": gettext_lazy("added a table"),
    "upload.receive": gettext_lazy("sent hands in"),
    "webhook.change": gettext_lazy("changed a webhook"),
    "webhook.delete": gettext_lazy("deleted a webhook"),
    "webhook.make": gettext_lazy("made a webhook"),
    "webhook.resend": gettext_lazy("sent a message again"),
    "webhook.rotate": gettext_lazy("gave a webhook a new secret"),
    "webhook.try": gettext_lazy("tried a webhook"),
}


def said(verb: str) -> str:
    """Return an act in words; one that is not known stands as it is written.

    >>> said("key.make")
    'made a key'
    """
    return str(VERBS.get(verb, verb))
