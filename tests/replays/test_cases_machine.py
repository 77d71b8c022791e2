"""The course of a case as a machine: what is allowed happens, all else is refused with a reason."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from replays.cases import machine
from replays.cases.machine import MOVES, VERBS, Situation
from replays.models.cases import RUNNING, State

ANYBODY = st.builds(
    Situation,
    state=st.sampled_from(State),
    level=st.integers(0, 3),
    levels=st.integers(1, 3),
    holder=st.sampled_from(["", "charlie"]),
    conflict=st.sampled_from(["", "You played in this hand: another referee decides it."]),
    **dict.fromkeys(
        (
            "is_official",
            "is_reporter",
            "is_appellant",
            "is_party",
            "may_speak",
            "is_holder",
            "idle",
            "window_open",
            "joined",
            "new_evidence",
        ),
        st.booleans(),
    ),
)


@given(now=ANYBODY, verb=st.sampled_from(VERBS))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_step_is_in_the_register_or_refused_in_a_sentence(now, verb):
    why = machine.refusal(verb, now)

    begins = [move for move in MOVES if move.verb == verb and now.state in move.before]
    allowed = [move for move in begins if move.when(now) and not any(ask(now) for ask in move.asks)]
    assert bool(why) == (not allowed)
    if why:
        assert why[0].isupper() or why.startswith(now.holder)
        assert why.endswith(".")
    else:
        assert machine.after(verb, now) == (allowed[0].after or now.state)
        assert verb in machine.possible(now)


def test_a_step_leads_to_one_place():
    """Of the steps of one name no two begin at the same place of a case."""
    for state in State:
        for level in range(4):
            now = Situation(state, level=level, levels=2)
            for verb in VERBS:
                assert len(list(machine.moves(verb, now))) <= 1, (verb, now)


class Course(RuleBasedStateMachine):
    """Five people act at random upon a case; a plain account of who may do what is kept beside."""

    def __init__(self):
        super().__init__()
        self.state, self.level, self.holder = State.OPEN, 0, None
        self.deciders, self.decided_at_level, self.window = [], {}, False
        self.appellant = None

    def ask(self, who, verb, **more):
        referee = who in ("charlie", "erin", "alice")
        biased = who in ("bilal", "asha") or (self.level and who in self.deciders[: self.level])
        now = Situation(
            state=self.state,
            level=self.level,
            levels=1,
            is_official=referee,
            is_reporter=who == "bilal",
            is_appellant=who == self.appellant,
            is_party=who in ("bilal", "asha"),
            may_speak=True,
            is_holder=who == self.holder,
            holder=self.holder or "",
            conflict="You have a part in this case." if biased else "",
            window_open=self.window,
            **more,
        )
        why = machine.refusal(verb, now)
        return why, None if why else machine.after(verb, now)

    people = st.sampled_from(["alice", "charlie", "erin", "bilal", "asha"])

    @rule(who=people)
    def claim(self, who):
        why, reached = self.ask(who, "claim")
        if not why:
            assert self.holder is None
            assert who in ("alice", "charlie", "erin")
            self.state, self.holder = reached, who

    @rule(who=people)
    def release(self, who):
        why, reached = self.ask(who, "release")
        assert bool(why) == (who != self.holder)
        if not why:
            self.state, self.holder = reached, None

    @rule(who=people)
    def decide(self, who):
        why, reached = self.ask(who, "decide")
        assert bool(why) == (self.state != State.ASSIGNED or who != self.holder)
        if not why:
            # Nobody decides the appeal of their own decision.
            assert not self.level or who not in self.deciders[: self.level]
            self.deciders = [*self.deciders[: self.level], who]
            self.window = reached == State.DECIDED
            self.state, self.holder = reached, None

    @rule(who=people)
    def appeal(self, who):
        why, reached = self.ask(who, "appeal")
        allowed = self.state == State.DECIDED and self.window and who in ("bilal", "asha")
        assert bool(why) == (not allowed)
        if not why:
            self.state, self.level, self.appellant = reached, self.level + 1, who

    @precondition(lambda self: self.state == State.DECIDED)
    @rule()
    def time_goes_by(self):
        self.window = False

    @rule(who=people)
    def close(self, who):
        why, reached = self.ask(who, "close")
        assert bool(why) == (self.state != State.DECIDED or self.window)
        if not why:
            self.state = reached

    @rule(who=people)
    def withdraw(self, who):
        why, reached = self.ask(who, "withdraw")
        if not why:
            assert who == (self.appellant if self.level else "bilal")
            assert reached == (State.FINAL if self.level else State.WITHDRAWN)
            self.state, self.holder = reached, None

    @rule(who=people, news=st.booleans())
    def reopen(self, who, news):
        why, reached = self.ask(who, "reopen", new_evidence=news)
        if not why:
            assert news
            self.state, self.level, self.holder = reached, 0, None
            self.deciders, self.appellant = [], None

    @invariant()
    def a_case_has_a_holder_just_while_it_is_assigned(self):
        assert (self.holder is not None) == (self.state == State.ASSIGNED)
        assert self.state in (*RUNNING, State.FINAL, State.WITHDRAWN)


TestCourse = Course.TestCase
TestCourse.settings = settings(
    max_examples=60,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.parametrize(
    ("now", "verb", "why"),
    [
        (
            Situation(State.OPEN, is_official=True),
            "decide",
            "This case waits for a referee: somebody has to claim it first.",
        ),
        (
            Situation(State.ASSIGNED, is_official=True, holder="erin"),
            "claim",
            "erin has this case. Choose another one, or ask them to release it.",
        ),
        (
            Situation(State.DECIDED, is_party=True),
            "appeal",
            "The time to appeal is over: the decision is final.",
        ),
        (
            Situation(State.FINAL, is_party=True, level=1),
            "appeal",
            "This case is final: it can only be reopened, with new evidence.",
        ),
        (
            Situation(State.FINAL, may_speak=True),
            "reopen",
            "A closed case is reopened only with new evidence: pin what was not known before.",
        ),
        (
            Situation(State.DUPLICATE, is_official=True),
            "claim",
            "This case was joined to another one: go on there.",
        ),
    ],
)
def test_the_reason_says_what_to_do_next(now, verb, why):
    assert machine.refusal(verb, now) == why


def test_an_idle_case_goes_to_the_next_who_asks():
    now = Situation(State.ASSIGNED, is_official=True, holder="erin", idle=True)

    assert machine.refusal("claim", now) == ""
    assert machine.refusal("claim", replace(now, conflict="You played in this hand.")) != ""
