"""Findings that a club has a case opened for: each once, when those who are told may know of it."""

import pytest

from replays import audit, cases, policies
from replays.cases import by_policy, desk
from replays.models import Case, Club, HandLog
from replays.sweep import Sweeper
from tests.replays.hands import SHOWN, hand
from tests.replays.test_matches import deal, settle
from tests.replays.test_verify import change

pytestmark = pytest.mark.storage

WRONG = SHOWN.replace("1=0 2=80 winner=1", "1=0 2=45 winner=1")
OPEN = WRONG.removesuffix("end\n")


def judged(send, *content):
    send(b"\n".join(content))
    while audit.audit_due():
        pass


def test_a_finding_of_a_code_that_was_chosen_opens_one_case(send, alice, charlie):
    judged(send, hand("before", lines=WRONG))
    policies.choose(viewer=alice, code="score-wrong", act="case")
    judged(send, hand("after", lines=WRONG), hand("right"), hand("on", lines=OPEN))

    Sweeper().sweep()

    case = Case.objects.get()
    assert (case.log.name, case.kind, case.seq, case.code) == ("after", "score", 4, "score-wrong")
    assert (case.state, case.opener, case.parties.count()) == ("open", None, 2)
    entry = desk.history(charlie, case)[0]
    assert (entry.who, entry.what) == ("the club’s settings", "opened the case")
    assert entry.text.startswith("The club has a case opened for every finding of this kind: ")
    assert by_policy.open_due() == 0

    # Dismissed, it is not opened again; judged again, neither.
    cases.claim(charlie, case)
    cases.dismiss(charlie, case, text="The sheet was copied wrongly, and that is mended by now.")
    judged(send, hand("after", lines=WRONG) + b"note late\n", hand("on", lines=WRONG))
    assert by_policy.open_due() == 1
    assert Case.objects.order_by("number").last().log.name == "on"

    policies.choose(viewer=alice, code="score-wrong", act="count")
    judged(send, hand("counted", lines=WRONG))
    assert by_policy.open_due() == 0


def test_nobody_is_told_of_a_hand_before_it_lies_open(send, alice, club):
    policies.choose(viewer=alice, code="score-wrong", act="case")
    judged(send, hand(lines=WRONG))

    Club.objects.filter(pk=club.pk).update(opens_after=5)
    assert by_policy.open_due() == 0
    Club.objects.filter(pk=club.pk).update(opens_after=None)
    assert by_policy.open_due() == 1


def test_what_a_match_has_found_opens_a_case_too(send, alice):
    policies.choose(viewer=alice, code="total-wrong", act="case")
    judged(send, deal(1, "1=0 2=60 3=10 totals 1=0 2=50 3=10"))
    settle()

    assert by_policy.open_due() == 1
    case = Case.objects.get()
    assert (case.log, case.code) == (HandLog.objects.get(), "total-wrong")


def test_a_damaged_log_keeps_no_other_from_its_case(send, alice):
    policies.choose(viewer=alice, code="score-wrong", act="case")
    judged(send, hand("damaged", lines=WRONG), hand("whole", lines=WRONG))
    damaged = HandLog.objects.get(name="damaged")
    change("UPDATE replays_logbatch SET body = %s WHERE log_id = %s", [b"no log", damaged.pk])

    Sweeper().sweep()

    assert [case.log.name for case in Case.objects.all()] == ["whole"]
