"""The course of a case as data: which step leads where, and what each step asks.

Nothing here knows the database: a ``Situation`` says where a case stands and who asks,
``refusal`` says in a sentence why a step may not be taken, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays.models.cases import State


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a case stands, and who would take the next step.

    ``level`` counts appeals, of which the club allows ``levels``. ``holder`` is the name of
    the referee who has it; ``idle`` says that they have let it lie too long. ``conflict`` is
    the sentence that says why this person may not judge this case.
    """

    state: State
    level: int = 0
    levels: int = 1
    is_official: bool = False
    is_reporter: bool = False
    is_appellant: bool = False
    is_party: bool = False
    may_speak: bool = False
    is_holder: bool = False
    holder: str = ""
    idle: bool = False
    conflict: str = ""
    window_open: bool = False
    joined: bool = False
    new_evidence: bool = False


When = Callable[[Situation], bool]
Ask = Callable[[Situation], str]


# --- which of the steps of one name it is ------------------------------------------------------


def _always(_now: Situation) -> bool:
    return True


def _first(now: Situation) -> bool:
    return now.level == 0


def _on_appeal(now: Situation) -> bool:
    return now.level > 0


def _appealable(now: Situation) -> bool:
    return now.level < now.levels


def _last(now: Situation) -> bool:
    return now.level >= now.levels


# --- what a step asks of whoever takes it ------------------------------------------------------


def _official(now: Situation) -> str:
    return "" if now.is_official else _("Only a referee of the club does this.")


def _unbiased(now: Situation) -> str:
    return now.conflict


def _holds(now: Situation) -> str:
    if now.is_holder:
        return ""
    return _("%(holder)s has this case. Claim it first, once it is free.") % {"holder": now.holder}


def _holds_or_idle(now: Situation) -> str:
    return "" if now.idle and now.is_official else _holds(now)


def _free(now: Situation) -> str:
    if now.is_holder:
        return _("You have this case already.")
    if now.idle:
        return ""
    return _("%(holder)s has this case. Choose another one, or ask them to release it.") % {
        "holder": now.holder
    }


def _reporter(now: Situation) -> str:
    return "" if now.is_reporter else _("Only whoever opened the case withdraws it.")


def _alone(now: Situation) -> str:
    return _("Others have joined this case: it goes on without you.") if now.joined else ""


def _appellant(now: Situation) -> str:
    return "" if now.is_appellant else _("Only whoever appealed takes the appeal back.")


def _party(now: Situation) -> str:
    if now.is_party:
        return ""
    return _("Only those whom the case concerns may appeal.")


def _speaks(now: Situation) -> str:
    return "" if now.may_speak else _("Only the parties and the officials speak in a case.")


def _in_time(now: Situation) -> str:
    return "" if now.window_open else _("The time to appeal is over: the decision is final.")


def _time_is_up(now: Situation) -> str:
    if not now.window_open:
        return ""
    return _("The decision can still be appealed; it becomes final when that time is over.")


def _has_news(now: Situation) -> str:
    if now.new_evidence:
        return ""
    return _("A closed case is reopened only with new evidence: pin what was not known before.")


def _level_left(now: Situation) -> str:
    return "" if _appealable(now) else _("There is no further appeal: the decision is final.")


@dataclass(frozen=True, slots=True)
class Move:
    """A step: from which states, under which condition, to where, and what it asks."""

    verb: str
    before: tuple[State, ...]
    after: State | None
    asks: tuple[Ask, ...] = ()
    when: When = _always


_O, _A, _D, _P = State.OPEN, State.ASSIGNED, State.DECIDED, State.APPEALED
_CLOSED = (State.FINAL, State.NO_ACTION, State.WITHDRAWN)

MOVES: tuple[Move, ...] = (
    Move("send", (State.DRAFT,), _O, (_reporter,)),
    Move("claim", (_O, _P), _A, (_official, _unbiased)),
    # A case whose holder has let it lie goes to the next one who asks.
    Move("claim", (_A,), _A, (_official, _unbiased, _free)),
    Move("release", (_A,), _O, (_holds_or_idle,), _first),
    Move("release", (_A,), _P, (_holds_or_idle,), _on_appeal),
    Move("decide", (_A,), _D, (_official, _holds, _unbiased), _appealable),
    Move("decide", (_A,), State.FINAL, (_official, _holds, _unbiased), _last),
    Move("dismiss", (_A,), State.NO_ACTION, (_official, _holds, _unbiased), _first),
    Move("join", (_O, _A), State.DUPLICATE, (_official, _unbiased), _first),
    Move("appeal", (_D,), _P, (_party, _level_left, _in_time)),
    Move("close", (_D,), State.FINAL, (_time_is_up,)),
    Move("withdraw", (State.DRAFT, _O, _A), State.WITHDRAWN, (_reporter, _alone), _first),
    # An appeal taken back leaves the decision as it stands.
    Move("withdraw", (_P, _A), State.FINAL, (_appellant,), _on_appeal),
    Move("reopen", _CLOSED, _O, (_speaks, _has_news)),
    # Speaking and pinning leave a case where it is.
    Move("state", (_O, _A, _D, _P), None, (_speaks,)),
    Move("pin", (_O, _A, _D, _P), None, (_speaks,)),
    Move("attach", (_O, _A, _D, _P), None),
    Move("tell", tuple(State), None),
)

VERBS = tuple(dict.fromkeys(move.verb for move in MOVES))

_STANDS = {
    State.DRAFT: gettext_lazy("This case has not been sent yet: send it first."),
    State.OPEN: gettext_lazy("This case waits for a referee: somebody has to claim it first."),
    State.ASSIGNED: gettext_lazy("This case is with a referee and not decided yet."),
    State.DECIDED: gettext_lazy(
        "This case is decided: until the decision is final it can only be appealed."
    ),
    State.APPEALED: gettext_lazy("This case waits for the referee of the appeal to claim it."),
    State.FINAL: gettext_lazy("This case is final: it can only be reopened, with new evidence."),
    State.WITHDRAWN: gettext_lazy("This case was withdrawn: it can only be reopened."),
    State.DUPLICATE: gettext_lazy("This case was joined to another one: go on there."),
    State.NO_ACTION: gettext_lazy("This case was closed without a decision: it can be reopened."),
}


def moves(verb: str, now: Situation) -> Iterator[Move]:
    """Yield the steps of this name that begin where the case stands."""
    for move in MOVES:
        if move.verb == verb and now.state in move.before and move.when(now):
            yield move


def refusal(verb: str, now: Situation) -> str:
    """Return why a step may not be taken, in a sentence; empty if it may.

    >>> from replays.models.cases import State
    >>> refusal("decide", Situation(State.FINAL))
    'This case is final: it can only be reopened, with new evidence.'
    """
    move = next(moves(verb, now), None)
    if move is None:
        return str(_STANDS[now.state])
    return next(filter(None, (ask(now) for ask in move.asks)), "")


def after(verb: str, now: Situation) -> State:
    """Return where a step that may be taken leads."""
    move = next(moves(verb, now))
    return now.state if move.after is None else move.after


def possible(now: Situation) -> tuple[str, ...]:
    """Return the steps that this person may take now, in the order of the register."""
    return tuple(verb for verb in VERBS if not refusal(verb, now))
