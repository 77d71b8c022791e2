"""Causes: the one pass at the end that makes one slip one finding.

Judges report what they see at their event and know nothing of each other. What
follows from what is data here: laws of suppression and of cause, and the events
that the table itself dealt with rightly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from rummy_audit.rules.findings import Finding, Reason


class Law(msgspec.Struct, frozen=True):
    """A finding ``effect`` that follows from a finding ``cause``.

    ``where`` says which causes count: at the same ``event``, of the same
    ``seat`` at or before the effect, or anywhere ``before`` it in the hand
    (the same event included). ``then``: the effect is a ``consequence`` and keeps standing
    with its cause named, or it is the ``same`` fact and is left out.
    """

    effect: str
    cause: str
    where: Literal["event", "seat", "before"]
    then: Literal["consequence", "same"]


def _answers(law: Law, effect: Finding, cause: Finding, anew: Sequence[int]) -> bool:
    if cause.code != law.cause or cause is effect:
        return False
    if anew and any(cause.seq < deal <= effect.seq for deal in anew):
        return False
    match law.where:
        case "event":
            return cause.seq == effect.seq
        case "seat":
            return cause.seat == effect.seat and cause.seq <= effect.seq
        case _:
            return cause.seq <= effect.seq or effect.seq == 0


def settle(
    findings: Iterable[Finding],
    *,
    laws: Iterable[Law] = (),
    handled: Mapping[int, frozenset[str]] | None = None,
    anew: Sequence[int] = (),
) -> tuple[Finding, ...]:
    """Return the findings with causes named, repeats left out, and handled ones marked.

    ``handled`` maps an event to the codes there that the table dealt with
    rightly, ``anew`` the deals with which the hand began again: nothing that was before
    one follows into it. The order is by event, and at one event as the judges asked.
    """
    found = list(findings)
    if not found:
        return ()
    settled: list[Finding] = []
    for finding in found:
        kept: Finding | None = finding
        for law in laws:
            if law.effect != finding.code:
                continue
            causes = [other for other in found if _answers(law, finding, other, anew)]
            if not causes:
                continue
            if law.then == "same":
                kept = None
                break
            cause = causes[-1]
            kept = msgspec.structs.replace(finding, cause=Reason(cause.code, cause.seq))
            break
        if kept is None:
            continue
        if handled and kept.code in handled.get(kept.seq, ()):
            kept = msgspec.structs.replace(kept, handled=True)
        settled.append(kept)
    settled.sort(key=lambda finding: finding.seq)
    return tuple(settled)
