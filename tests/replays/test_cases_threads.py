"""What users of other systems asked for or complained of about disputes, by thread number."""

import hashlib
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from replays import cases, decisions
from replays.cases import desk
from replays.cases.minute import minute
from replays.models import Case, CaseText, Decision, Desk, HandLog, LogBatch
from tests.replays.conftest import join
from tests.replays.disputes import (  # noqa: F401 - a fixture
    REASONS,
    WHY,
    decide,
    dispute,
    disputed,
    play,
    ruled_points,
)

pytestmark = [pytest.mark.storage, pytest.mark.ci_on_postgres]

NEWS = {"kind": "note", "text": "The photo of the table shows a pure sequence of hearts."}


def decided(people, **fields):
    case = people.open()
    cases.claim(people.charlie, case)
    decide(people.charlie, case, **fields)
    case.refresh_from_db()
    return case


def appealed(people):
    case = decided(people)
    cases.appeal(people.asha, case, text="I laid it down in another order than written.")
    case.refresh_from_db()
    return case


def expire(case):
    """Let the running clock of a case end."""
    Case.objects.filter(pk=case.pk).update(due_at=timezone.now() - timedelta(minutes=1))
    case.refresh_from_db()


def totals():
    hands = list(HandLog.objects.filter(match="pool-1").order_by("deal"))
    return decisions.by_decision(hands).totals


def test_75_every_version_is_kept_and_an_older_page_is_told_so(dispute):  # noqa: F811
    case = appealed(dispute)
    cases.claim(dispute.erin, case)
    case.refresh_from_db()
    version = case.version
    cases.say(dispute.bob, case, text="The sheet of that evening lies in the office.")

    with pytest.raises(cases.StaleError):
        decide(dispute.erin, case, effect="none", outcome="refused", expected=version)
    decide(dispute.erin, case, effect="none", outcome="refused")

    kept = [(each.number, each.effect) for each in Decision.objects.order_by("number")]
    assert kept == [(1, "points"), (2, "none")]
    assert ruled_points(dispute.log) is None


def test_76_a_referee_looks_at_what_was_decided_long_ago(dispute):  # noqa: F811
    case = decided(dispute)
    expire(case)
    cases.tend()

    assert [row.case.number for row in desk.queue(dispute.erin, only="closed")] == [case.number]
    found = decisions.precedents(dispute.erin, code="declare-no-pure-sequence", clause="001 decl")
    assert [each.number for each in found] == [1]
    assert decisions.precedents(dispute.erin, code="score-wrong") == []


def test_77_a_final_result_is_corrected_on_a_formal_path(dispute):  # noqa: F811
    case = decided(dispute)
    expire(case)
    cases.tend()
    case.refresh_from_db()
    assert case.state == "final"
    with pytest.raises(cases.RefusedError, match="can only be reopened, with new evidence"):
        cases.claim(dispute.erin, case)

    cases.reopen(dispute.asha, case, **NEWS)
    with pytest.raises(cases.RefusedError, match="known already"):
        cases.reopen(dispute.asha, case, **NEWS)
    cases.claim(dispute.erin, case)
    decide(dispute.erin, case, outcome="refused", effect="points", points={1: 0, 2: 48, 3: 49})

    assert totals() == {1: 30, 2: 48, 3: 109}
    # What was overturned is no precedent any more.
    Case.objects.update(state="final")
    assert [each.number for each in decisions.precedents(dispute.erin)] == [2]


def test_78_a_decision_that_does_not_say_all_it_must_is_refused(dispute):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)

    for fields, why in (
        ({"outcome": "perhaps"}, "Say whether the complaint is right"),
        ({"clause": " "}, "Name the clause"),
        ({"code": "cheating"}, "There is no finding “cheating”"),
        ({"effect": "halved"}, "Say what the decision does"),
        ({"points": {}}, "give at least one"),
        ({"effect": "void", "winner": 1}, "A winner is named only together with points"),
        ({"points": {4: 10}}, "Nobody sat at seat 4"),
        ({"winner": 4}, "Nobody sat at seat 4"),
        ({"points": {1: -1}}, "Points go from 0 to"),
    ):
        with pytest.raises(cases.RefusedError, match=why):
            decide(dispute.charlie, case, **fields)
    assert not Decision.objects.exists()


def test_78_deciding_without_touching_the_score_leaves_it(dispute, signed_in):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    before = totals()
    page = signed_in(dispute.charlie)
    said = {"outcome": "refused", "clause": "001 Scoring", "text": REASONS, "cites": ""}

    empty = page.post(f"/cases/{case.number}/decide", {**said, "effect": "points"})
    assert "give at least one" in empty.content.decode()
    shown = page.post(f"/cases/{case.number}/decide", {**said, "effect": "none"})
    seen = shown.context["preview"].digest
    page.post(f"/cases/{case.number}/decide", {**said, "effect": "none", "seen": seen, "save": "1"})

    assert Decision.objects.get().points == {}
    assert totals() == before


def test_79_an_override_keeps_its_reason_and_what_it_was_made_from(dispute):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    with pytest.raises(cases.RefusedError, match="at least 20 characters"):
        decide(dispute.charlie, case, text="Because.")
    with pytest.raises(cases.RefusedError, match="Name the clause"):
        decide(dispute.charlie, case, clause=" ")

    made = decide(dispute.charlie, case)

    assert made.event.text.body == REASONS
    assert (made.head, made.version) == (dispute.log.head, dispute.log.version)
    text = made.event.text
    said = hashlib.sha256(f"{text.salt}{REASONS}".encode()).hexdigest()
    assert said == made.event.text_digest


def test_80_a_corrected_score_moves_the_total(dispute):  # noqa: F811
    assert totals() == {1: 110, 2: 48, 3: 109}  # the others as written down
    decided(dispute)
    assert totals() == {1: 110, 2: 0, 3: 60}


def test_81_the_knock_on_is_shown_before_it_is_saved_and_blocks_nothing(dispute):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    ruled = decisions.Ruled(effect="points", points={1: 80, 2: 0, 3: 0})

    shown = decisions.preview(case, ruled)
    assert [(row.name, row.recorded, row.by_rules, row.then) for row in shown.rows] == [
        ("Asha", 0, 80, 80),
        ("Bilal", 48, None, 0),
        ("Chitra", 49, None, 0),
    ]
    assert shown.moved.totals == [(2, 48, 0), (3, 109, 60)]
    assert shown.moved.back_in == [3]
    with pytest.raises(decisions.UnseenError):
        decisions.decide(
            dispute.charlie,
            case,
            outcome="granted",
            clause="001 Declaration Rules",
            text=REASONS,
            seen="not looked at",
            effect="points",
            points={1: 80},
        )
    assert Decision.objects.count() == 0
    decide(dispute.charlie, case)
    assert Decision.objects.count() == 1


def test_82_corrections_stand_apart_from_the_record(dispute):  # noqa: F811
    before = list(LogBatch.objects.values())
    decided(dispute)

    assert list(LogBatch.objects.values()) == before
    ruled = decisions.in_force([dispute.log])
    assert [(each.case, each.number, each.points) for each in ruled.values()] == [
        (1, 1, {1: 80, 2: 0, 3: 0})
    ]


def test_83_a_decided_result_is_provisional_until_it_is_final(dispute):  # noqa: F811
    case = decided(dispute)
    assert decisions.in_force([dispute.log])[dispute.log.pk].provisional
    assert cases.holds(dispute.log)

    expire(case)
    assert cases.tend() == 1

    assert not decisions.in_force([dispute.log])[dispute.log.pk].provisional
    assert not cases.holds(dispute.log)


def test_84_a_what_if_is_pinned_and_the_log_stays(dispute):  # noqa: F811
    case = dispute.open()
    before = list(LogBatch.objects.values())
    mine = f"/hands/{dispute.log.public_id}/what-if"
    address = f"{mine}?seq=2&line=declare+1+KH+KS+KD+%7C+2H&card=&read_as="

    cases.pin(dispute.bilal, case, kind="what-if", address=address, text="Grouped otherwise")

    assert [each.address for each in desk.history(dispute.erin, case)][-1] == address
    assert list(LogBatch.objects.values()) == before
    for bad in (
        *("https://elsewhere.example/", "//elsewhere.example/hands/", "javascript:alert(1)"),
        *(mine, f"{mine}?", f"{mine}?next=1", f"{mine}?seq=2#x", f"{mine}?seq=2&", f"{mine}?seq"),
        *(f"{mine}/../../logout?seq=2", f"{mine}?seq=2 3", f"{mine}?seq=2\u202e", f"{mine}?seq=\\"),
        f"{mine}?{'&'.join(['seq=1'] * 30)}",
        "/hands/zzzzzzzzzzzzzzzz/what-if?seq=2",
    ):
        with pytest.raises(cases.RefusedError, match="what-if of this hand"):
            cases.pin(dispute.bilal, case, kind="what-if", address=bad)


@pytest.mark.parametrize(("house", "cost"), [("", 80), (" wrong_declaration_points=60", 60)])
def test_85_the_consequence_is_that_of_the_hands_own_rules(send, house, cost):
    rules = f"rules{house}\n".encode() if house else b""
    send(disputed("P-9").replace(b"wild 2D", rules + b"wild 2D"))

    panel = minute(HandLog.objects.get(name="P-9"))

    assert panel.consequence == f"wrong declaration: {cost} to Asha, play goes on"
    assert panel.points == {1: cost}


def test_86_nobody_judges_a_report_of_their_own_or_about_themselves(dispute):  # noqa: F811
    own = dispute.open(by=dispute.charlie)
    with pytest.raises(cases.RefusedError, match="You reported this yourself"):
        cases.claim(dispute.charlie, own)

    play(dispute.club, dispute.erin.user, "r-asha", "Asha")
    with pytest.raises(cases.RefusedError, match="You played in this hand"):
        cases.claim(dispute.erin, own)

    referee = join(dispute.club, "gita", "referee")
    dispute.log.refresh_from_db()
    from replays.models import Upload

    Upload.objects.update(user=referee.user)
    with pytest.raises(cases.RefusedError, match="You entered this hand"):
        cases.claim(referee, own)
    assert cases.claim(dispute.alice, own).holder == dispute.alice.user


def test_87_a_second_report_joins_the_first_and_its_reporter_is_told(
    dispute,  # noqa: F811
    django_capture_on_commit_callbacks,
):
    first = dispute.open()
    with django_capture_on_commit_callbacks(execute=True):
        again, fresh = cases.open_case(
            dispute.chitra, log=dispute.log, kind="declaration", seq=dispute.seq, text=WHY
        )

    assert (again.pk, fresh, Case.objects.count()) == (first.pk, False, 1)
    assert [each.to for each in mail.outbox] == [["chitra@club.example"]]
    assert "joined to it" in mail.outbox[0].body
    assert first.parties.get(user=dispute.chitra.user).side == "reporter"

    with pytest.raises(cases.RefusedError, match="Others have joined this case"):
        cases.withdraw(dispute.bilal, first)

    other = dispute.open(by=dispute.chitra, kind="score", seq=0)
    cases.join(dispute.charlie, other, into=first)
    other.refresh_from_db()
    assert (other.state, other.duplicate_of) == ("duplicate", first)
    with pytest.raises(cases.RefusedError, match="go on there"):
        cases.claim(dispute.charlie, other)


def test_87_the_same_report_sent_once_more_says_nothing_twice(dispute):  # noqa: F811
    first = dispute.open()
    said = first.events.count()
    for _again in range(2):
        same, fresh = cases.open_case(
            dispute.bilal, log=dispute.log, kind="declaration", seq=dispute.seq, text=WHY
        )
        assert (same.pk, fresh) == (first.pk, False)

    assert first.events.count() == said


def test_87_a_draft_about_what_runs_already_is_told_to_nobody(dispute):  # noqa: F811
    first = dispute.open()
    said = first.events.count()
    with pytest.raises(cases.RefusedError, match="Case 1 is about the same already: say it there"):
        cases.open_case(
            dispute.chitra,
            log=dispute.log,
            kind="declaration",
            seq=dispute.seq,
            text=WHY,
            draft=True,
        )

    assert first.events.count() == said


def test_88_nobody_takes_a_case_from_under_a_referee_and_none_is_forgotten(dispute):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    with pytest.raises(cases.RefusedError, match=r"^charlie has this case"):
        cases.claim(dispute.erin, case)

    Case.objects.update(touched_at=timezone.now() - timedelta(hours=3))
    assert cases.claim(dispute.erin, case).holder == dispute.erin.user

    Case.objects.update(touched_at=timezone.now() - timedelta(hours=3))
    assert cases.tend() == 1
    case.refresh_from_db()
    assert (case.state, case.holder) == ("open", None)
    expire(case)
    assert [row.late for row in desk.queue(dispute.charlie, only="late")] == [True]


def test_89_one_referee_has_an_appeal_and_not_the_one_who_decided(dispute):  # noqa: F811
    case = appealed(dispute)
    with pytest.raises(cases.RefusedError, match="You made the decision that is appealed"):
        cases.claim(dispute.charlie, case)

    cases.claim(dispute.erin, case)
    with pytest.raises(cases.RefusedError, match=r"^erin has this case"):
        cases.claim(dispute.alice, case)


def test_90_an_appeal_that_succeeds_is_shown_to_the_player(
    dispute,  # noqa: F811
    signed_in,
    django_capture_on_commit_callbacks,
):
    case = appealed(dispute)
    cases.claim(dispute.erin, case)
    with django_capture_on_commit_callbacks(execute=True):
        decide(dispute.erin, case, outcome="refused", effect="none")

    said = [each.to[0] for each in mail.outbox if "The appeal in case 1 changed" in each.body]
    assert sorted(said) == ["asha@club.example", "bilal@club.example", "chitra@club.example"]
    page = signed_in(dispute.asha).get(f"/cases/{case.number}").content.decode()
    assert "changes the one before" in page
    assert "no longer stands" in page


def test_91_the_filter_of_the_queue_is_kept_and_my_cases_come_first(dispute, signed_in):  # noqa: F811
    first = dispute.open()
    second = dispute.open(kind="score", seq=0)
    cases.claim(dispute.charlie, second)
    Case.objects.filter(pk=first.pk).update(due_at=timezone.now() - timedelta(days=1))

    numbers = [row.case.number for row in desk.queue(dispute.charlie)]
    assert numbers == [second.number, first.number]
    page = signed_in(dispute.charlie)
    page.get("/cases?only=late")
    assert page.get("/cases").context["only"] == "late"
    assert page.get("/cases?only=all").context["only"] == "all"
    assert page.get("/cases").context["only"] == "all"


def test_92_words_can_be_erased_and_people_leave_while_the_record_stands(dispute):  # noqa: F811
    from replays.cases.record import faults

    case = decided(dispute)
    CaseText.objects.filter(event__verb="open").delete()
    dispute.bilal.user.delete()

    case = Case.objects.get(pk=case.pk)
    assert faults(case) == []
    first = desk.history(dispute.erin, case)[0]
    assert (first.text, first.forgotten) == ("", True)
    assert ruled_points(dispute.log) == {1: 80, 2: 0, 3: 0}


def test_93_the_sheet_has_the_times_and_the_words(dispute, signed_in):  # noqa: F811
    case = decided(dispute)
    made = Decision.objects.get()

    sheet = signed_in(dispute.bob).get(f"/cases/decisions/{made.number}").content.decode()

    assert f"{made.at:%Y-%m-%d %H:%M} UTC" in sheet
    assert REASONS in sheet
    assert made.event.digest in sheet.replace("<wbr>", "")
    entries = desk.history(dispute.bob, case)
    assert [each.text for each in entries if each.text] == [WHY, REASONS]
    assert all(each.event.at for each in entries)


def test_a_club_sets_its_own_clocks(dispute):  # noqa: F811
    Desk.objects.create(club=dispute.club, claim_hours=1, appeal_hours=2, levels=2, file_hours=72)
    case = dispute.open()
    assert case.due_at - case.opened_at == timedelta(hours=1)

    HandLog.objects.update(ingested_at=timezone.now() - timedelta(hours=73))
    dispute.log.refresh_from_db()
    with pytest.raises(cases.RefusedError, match="can be disputed for 72 hours"):
        dispute.open(kind="score", seq=0)
    assert dispute.open(by=dispute.bob, kind="score", seq=0).state == "open"
