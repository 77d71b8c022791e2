"""Two at once, and a whole club at random: a case has one referee and an unbroken record."""

import threading
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replays import cases
from replays.cases.machine import MOVES
from replays.cases.record import faults
from replays.models import Case, Decision
from replays.models.cases import RUNNING
from tests.effort import tries
from tests.replays.disputes import WHY, decide, dispute  # noqa: F401 - a fixture

NEWS = ["A photo of the table.", "The words of a neighbour.", "A second sheet was found."]


def at_once(*acts):
    """Run acts in threads that begin together; gives what each returned or raised."""
    gate, answers = threading.Barrier(len(acts)), [None] * len(acts)

    def run(place, act):
        gate.wait()
        try:
            answers[place] = act()
        except (cases.RefusedError, cases.StaleError) as error:
            answers[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return answers


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_who_claim_at_once_one_gets_it_and_the_other_sees_who(dispute):  # noqa: F811
    case = dispute.open()

    answers = at_once(
        *(lambda who=who: cases.claim(who, case) for who in (dispute.charlie, dispute.erin))
    )

    held = Case.objects.get()
    (refused,) = (each for each in answers if isinstance(each, Exception))
    assert isinstance(refused, cases.RefusedError)
    assert str(refused).startswith(f"{held.holder.username} has this case.")
    assert held.events.filter(verb="claim").count() == 1


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_reports_at_once_one_is_the_case_and_the_other_joins_it(dispute):  # noqa: F811
    fields = {"log": dispute.log, "kind": "declaration", "seq": dispute.seq, "text": WHY}

    answers = at_once(
        *(lambda who=who: cases.open_case(who, **fields) for who in (dispute.bilal, dispute.chitra))
    )

    assert sorted(fresh for _case, fresh in answers) == [False, True]
    reporters = Case.objects.get().parties.filter(side="reporter")
    assert set(reporters.values_list("user", flat=True)) == {
        dispute.bilal.user.pk,
        dispute.chitra.user.pk,
    }


ACTS = {
    "claim": cases.claim,
    "release": cases.release,
    "decide": decide,
    "dismiss": lambda who, case: cases.dismiss(who, case, text=WHY),
    "appeal": lambda who, case: cases.appeal(who, case, text=WHY),
    "withdraw": cases.withdraw,
    "state": lambda who, case: cases.say(who, case, text=WHY),
    "reopen": lambda who, case: cases.reopen(
        who, case, kind="note", text=NEWS[len(case.decisions.all()) % 3]
    ),
    "time": lambda _who, case: Case.objects.filter(pk=case.pk, due_at__isnull=False).update(
        due_at=timezone.now() - timedelta(hours=1)
    ),
    "tend": lambda _who, _case: cases.tend(),
}
PEOPLE = ("alice", "charlie", "erin", "bilal", "asha", "bob")


@pytest.mark.django_db
def test_whatever_people_do_the_record_follows_the_register(dispute):  # noqa: F811
    known = {(move.verb, state, move.after or state) for move in MOVES for state in move.before}

    @settings(max_examples=tries(6), deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        st.lists(
            st.tuples(st.sampled_from(sorted(ACTS)), st.sampled_from(PEOPLE)),
            min_size=8,
            max_size=20,
        )
    )
    def walk(acts):
        with transaction.atomic():
            _walk(dispute, acts, known)
            transaction.set_rollback(True)

    walk()


def _walk(people, acts, known):
    case, reasons = people.open(), []
    for verb, who in [("claim", "charlie"), *acts]:
        case.refresh_from_db()
        before = (case.version, case.state, case.events.count())
        try:
            with transaction.atomic():
                ACTS[verb](getattr(people, who), case)
        except cases.RefusedError as refused:
            case.refresh_from_db()
            reasons.append(
                (str(refused), (case.version, case.state, case.events.count()) == before)
            )
    case.refresh_from_db()
    assert all(said.endswith(".") and nothing_moved for said, nothing_moved in reasons)
    for event in case.events.exclude(verb__in=("open", "tell")):
        assert (event.verb, event.before, event.after) in known
    assert faults(case) == []
    assert cases.holds(people.log) == (case.state in RUNNING)
    assert (case.holder is not None) == (case.state == "assigned")
    deciders = [(each.level, each.user_id) for each in Decision.objects.order_by("number")]
    for (level, user), (further, other) in pairwise(deciders):
        assert further <= level or user != other
