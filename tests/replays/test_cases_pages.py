"""The pages of cases: who reads and does what, evidence, and what leaves the house."""

import re

import pytest
from django.core import mail
from django.test import Client

from replays import access, cases, decisions, keys
from replays.cases import desk, pictures
from replays.cases.minute import minute
from replays.models import Case, Desk, Evidence, HandLog, Membership, TrailEntry
from replays.models.people import Scope
from tests.replays.disputes import (  # noqa: F401 - a fixture
    REASONS,
    WHY,
    decide,
    dispute,
    disputed,
    png,
    ruled_points,
)

JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08\x00\x02\x00\x03\x01\x11\x00\xff\xd9"
WEBP = b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0"


def test_a_picture_is_what_its_bytes_say():
    assert pictures.read(png()) == ("image/png", 3, 2)
    assert pictures.read(JPEG) == ("image/jpeg", 3, 2)
    assert pictures.read(WEBP) == ("image/webp", 3, 2)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "neither a PNG"),
        (b"GIF89a\x01\0\x01\0", "neither a PNG"),
        (b"<html>" + png(), "neither a PNG"),
        (png()[:18], "cut off"),
        (JPEG[:8], "cut off"),
        (png(20_000, 2), "a side"),
        (png(0, 2), "a side"),
        (png(11_000, 11_000), "million pixels"),
        (png() + b"\0" * pictures.MOST_BYTES, "larger than 8 MB"),
    ],
)
def test_what_is_no_picture_is_not_kept(body, why):
    with pytest.raises(pictures.PictureError, match=why):
        pictures.read(body)


def test_a_picture_leaves_as_a_download_of_its_own_type(dispute, signed_in):  # noqa: F811
    case = dispute.open()
    kept = cases.pin(dispute.bilal, case, kind="image", picture=png(), text="The sheet")

    answer = signed_in(dispute.charlie).get(f"/cases/1/evidence/{kept.event.number}")

    assert answer.content == png()
    assert {name: answer[name] for name in ("Content-Type", "X-Content-Type-Options")} == {
        "Content-Type": "image/png",
        "X-Content-Type-Options": "nosniff",
    }
    assert answer["Content-Disposition"] == f'attachment; filename="case-1-{kept.event.number}.png"'
    with pytest.raises(cases.RefusedError, match="pinned to this case already"):
        cases.pin(dispute.asha, case, kind="image", picture=png())


def test_evidence_that_cannot_be_pinned_is_refused_in_a_sentence(dispute, signed_in):  # noqa: F811
    case = dispute.open()
    page = signed_in(dispute.bilal)
    sent = {"kind": "image", "picture": __file__ and _upload(b"<script>alert(1)</script>")}

    answer = page.post(f"/cases/{case.number}/pin", sent, follow=True)

    assert "neither a PNG, a JPEG nor a WebP" in answer.content.decode()
    with pytest.raises(cases.RefusedError, match="has no event 99"):
        cases.pin(dispute.bilal, case, kind="event", seq=99)
    with pytest.raises(cases.RefusedError, match="Write the note"):
        cases.pin(dispute.bilal, case, kind="note")
    assert Evidence.objects.count() == 0


def test_what_was_typed_in_a_step_that_is_refused_stays_in_its_form(dispute, signed_in):  # noqa: F811
    dispute.open()
    page = signed_in(dispute.bilal)

    refused = page.post("/cases/1/pin", {"kind": "event", "seq": "99", "text": "Look at the draw."})
    said = refused.content.decode()

    assert "has no event 99" in said
    assert 'name="seq" inputmode="numeric" value="99"' in said
    assert ">Look at the draw.</textarea>" in said
    # A browser that shows this anew asks for the address of the form, without the form.
    anew = page.get("/cases/1/pin")
    assert (anew.status_code, anew["Allow"]) == (405, "POST")
    assert 'href="/cases/1"' in anew.content.decode()


def _upload(body):
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile("x.png", body, content_type="image/png")


def test_what_officials_say_among_themselves_is_for_them(dispute, signed_in):  # noqa: F811
    case = dispute.open()
    secret = "I have seen this player do the same before."
    cases.say(dispute.charlie, case, text=secret, audience="officials")
    hidden = cases.pin(
        dispute.charlie, case, kind="image", picture=png(), audience="officials", text="hidden"
    )

    assert secret in signed_in(dispute.erin).get("/cases/1").content.decode()
    for other in (dispute.bilal, dispute.asha, dispute.bob):
        assert secret not in signed_in(other).get("/cases/1").content.decode()
        taken = signed_in(other).get(f"/cases/1/evidence/{hidden.event.number}")
        assert taken.status_code == 404
    with pytest.raises(cases.RefusedError, match="Only a referee without a part"):
        cases.say(dispute.asha, case, text=secret, audience="officials")


def test_a_player_reads_the_cases_that_they_are_a_party_to(dispute, dora, mallory, signed_in):  # noqa: F811
    case = dispute.open()

    assert [row.case.number for row in desk.queue(dispute.asha, only="all")] == [case.number]
    assert desk.queue(dora, only="all") == []
    missing = signed_in(dora).get("/cases/99")
    for stranger in (dora, mallory):
        answer = signed_in(stranger).get("/cases/1")
        assert (answer.status_code, len(answer.content) > 0) == (404, True)
    assert missing.status_code == 404
    assert signed_in(mallory).post("/cases/1/claim").status_code == 404
    assert signed_in(dora).post("/cases/1/claim").status_code == 403
    assert Client().get("/cases/1").status_code == 302
    assert not Case.objects.get().holder


def test_a_draft_is_read_by_its_author_alone(dispute):  # noqa: F811
    case = dispute.open(draft=True)
    assert desk.queue(dispute.charlie, only="all") == []
    assert [row.case.state for row in desk.queue(dispute.bilal)] == ["draft"]
    key, _secret = keys.make_key(dispute.bilal, name="k", scopes=[Scope.CASES_READ])
    assert desk.queue(access.program(key), only="all") == []

    cases.send(dispute.bilal, case)

    assert [row.case.state for row in desk.queue(dispute.charlie)] == ["open"]


def test_a_draft_that_is_taken_back_is_told_to_nobody(
    dispute,  # noqa: F811
    signed_in,
    django_capture_on_commit_callbacks,
):
    case = dispute.open(draft=True)
    with django_capture_on_commit_callbacks(execute=True):
        cases.withdraw(dispute.bilal, case, text="\x00Never mind")
    others = (dispute.asha, dispute.charlie, dispute.alice)

    assert [each.body for each in mail.outbox] == []
    assert [desk.queue(who, only="all") for who in others] == [[], [], []]
    assert [row.case.state for row in desk.queue(dispute.bilal, only="all")] == ["withdrawn"]
    assert [signed_in(who).get("/cases/1").status_code for who in others] == [404, 404, 404]

    # Opened after all it is a case like any other, also when it is taken back then.
    cases.reopen(dispute.bilal, case, text="Here is the film of it.", kind="note")
    cases.withdraw(dispute.bilal, case)
    assert [row.case.state for row in desk.queue(dispute.asha, only="all")] == ["withdrawn"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"seq": 0}, "Say which event it is about"),
        ({"seq": 77}, "has no event 77"),
        ({"seq": 3, "kind": "play"}, "needs a draw, a discard or cards laid, and event 3 is none"),
        ({"kind": "drop"}, "needs a drop, a missed turn or somebody who left"),
        ({"text": "Wrong!"}, "at least 20 characters"),
        ({"kind": "nonsense"}, "Choose what is in dispute"),
        ({"code": "no-such-code"}, "There is no finding"),
        ({"seats": [1, 9]}, "Nobody sat at seat 9"),
    ],
)
def test_a_case_that_cannot_apply_is_not_opened(dispute, fields, why):  # noqa: F811
    with pytest.raises(cases.RefusedError, match=why):
        dispute.open(**fields)
    assert Case.objects.count() == 0


def test_a_case_is_opened_from_the_page_and_the_hand_says_so(dispute, signed_in):  # noqa: F811
    page = signed_in(dispute.bob)
    address = f"/cases/new?hand={dispute.log.public_id}&seq={dispute.seq}"
    form = page.get(address)
    assert form.context["form"].initial["kind"] == "declaration"
    said = form.content.decode()
    assert "Wrong declaration: 80 to Asha, play goes on" in said
    assert "The same cards could have been declared in other groups:" in said

    answer = page.post(
        address, {"kind": "declaration", "seq": dispute.seq, "text": WHY}, follow=True
    )

    assert answer.redirect_chain == [("/cases/1", 302)]
    assert [(each["name"], str(each["side"])) for each in answer.context["parties"]] == [
        ("bob", "opened the case"),
        ("Asha", "it is about"),
        ("Bilal", "played in the hand"),
        ("Chitra", "played in the hand"),
    ]


def test_the_panel_says_where_no_grouping_would_stand(send):
    none = disputed("P-3").replace(b"9S TS JS JK", b"9S TS QS JK").replace(b"6H 7H", b"6C 7C")
    send(none)

    panel = minute(HandLog.objects.get(name="P-3"))

    assert panel.why == (
        "No grouping of these cards can be declared: all of them count, 80 points."
    )
    assert (panel.right, panel.declarable, panel.points) == (False, False, {1: 80})


def test_two_referees_claim_at_once_and_one_sees_who_has_it(dispute, signed_in):  # noqa: F811
    dispute.open()
    first, second = signed_in(dispute.charlie), signed_in(dispute.erin)
    version = first.get("/cases/1").context["case"].version
    assert second.get("/cases/1").context["case"].version == version

    first.post("/cases/1/claim", {"version": version})
    answer = second.post("/cases/1/claim", {"version": version}, follow=True)

    assert "charlie was a moment earlier and has the case now." in answer.content.decode()
    assert Case.objects.get().holder == dispute.charlie.user


def test_a_decision_is_saved_only_after_its_effect_was_shown(dispute, signed_in):  # noqa: F811
    case = dispute.open()
    page = signed_in(dispute.charlie)
    page.post("/cases/1/claim")
    offered = page.get("/cases/1?offer=rules").context["form"].initial
    assert (offered["points_1"], offered["code"]) == (80, "declare-no-pure-sequence")
    said = {
        "outcome": "granted",
        "code": "declare-no-pure-sequence",
        "clause": "001 Declaration Rules",
        "effect": "points",
        "points_1": 80,
        "points_2": 0,
        "points_3": 0,
        "text": REASONS,
    }

    unseen = page.post("/cases/1/decide", {**said, "save": "1"})
    assert "Look at it once more" in unseen.content.decode()
    assert case.decisions.count() == 0
    shown = page.post("/cases/1/decide", said)
    assert "back in" in shown.content.decode()
    saved = page.post(
        "/cases/1/decide",
        {**said, "save": "1", "seen": shown.context["preview"].digest},
        follow=True,
    )

    assert "Decision 1 is saved" in saved.content.decode()
    assert ruled_points(dispute.log) == {1: 80, 2: 0, 3: 0}


def test_a_key_stands_for_whoever_made_it(dispute, club):  # noqa: F811
    from replays import access
    from replays.keys import make_key
    from replays.models.people import Scope

    case = dispute.open(by=dispute.charlie)
    key, _secret = make_key(dispute.charlie, name="tool", scopes=[Scope.CASES_DECIDE])

    with pytest.raises(cases.RefusedError, match="You reported this yourself"):
        cases.claim(access.program(key), case)


def test_precedents_are_found_by_finding_and_clause_and_cited(dispute):  # noqa: F811
    first = dispute.open()
    cases.claim(dispute.charlie, first)
    decide(dispute.charlie, first)
    second = dispute.open(kind="score", seq=0)
    cases.claim(dispute.charlie, second)
    with pytest.raises(cases.RefusedError, match="There is no decision 7 to cite"):
        decide(dispute.charlie, second, cites=[7])

    made = decide(dispute.charlie, second, cites=[1])

    assert (made.number, made.cites) == (2, [1])
    assert decisions.precedents(dispute.bob) == []  # neither is final yet


def test_a_member_without_a_part_reads_no_reasons_in_precedents(dispute, signed_in, dora):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    decide(dispute.charlie, case)
    Case.objects.update(state="final")

    assert REASONS not in signed_in(dora).get("/cases/precedents").content.decode()
    assert REASONS in signed_in(dispute.erin).get("/cases/precedents").content.decode()
    assert signed_in(dora).get("/cases/decisions/1").status_code == 404
    Membership.objects.filter(user=dora.user).update(role="viewer")
    assert signed_in(dora).get("/cases/precedents").status_code == 403


def test_standings_by_decided_score_or_by_the_rules(dispute, signed_in):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    decide(dispute.charlie, case)
    page = signed_in(dispute.bob)
    address = page.get(f"/hands/{dispute.log.public_id}/match").url

    decided = page.get(address)
    assert decided.context["totals"] == [110, 0, 60]
    assert "not final yet" in decided.content.decode()
    assert page.get(f"{address}?by=rules").context["totals"] == [110, 48, 109]
    assert page.get(f"{address}/report?by=decision").json()["totals"] == {"1": 110, "2": 0, "3": 60}
    assert page.get(f"{address}/report").json()["totals"] == {"1": 110, "2": 48, "3": 109}
    Desk.objects.create(club=dispute.club, by_decided=False)
    assert page.get(address).context["totals"] == [110, 48, 109]


def test_an_owner_sets_how_the_club_decides(dispute, signed_in):  # noqa: F811
    page = signed_in(dispute.alice)
    said = {
        "claim_hours": 1,
        "decide_hours": 48,
        "appeal_hours": 2,
        "file_hours": "",
        "idle_minutes": 30,
        "levels": 2,
        "least_text": 10,
    }

    answer = page.post("/cases/desk", {**said, "levels": 9})
    assert "From 0 to 3." in answer.content.decode()
    page.post("/cases/desk", said)

    kept = Desk.objects.get()
    assert (kept.claim_hours, kept.levels, kept.by_decided) == (1, 2, False)
    entry = TrailEntry.objects.get(verb="desk.set")
    assert (entry.user_id, entry.after["levels"]) == (dispute.alice.user.pk, 2)
    assert signed_in(dispute.charlie).get("/cases/desk").status_code == 403


def test_a_case_of_a_hand_that_goes_on_shows_no_hidden_card(dispute, signed_in, send):  # noqa: F811
    played = disputed("P-5").decode().partition("show 2")[0]
    send(played.encode())
    log = HandLog.objects.get(name="P-5")
    case = dispute.open(log=log, by=dispute.bilal)

    player = signed_in(dispute.bilal).get(f"/cases/{case.number}").content.decode()
    referee = signed_in(dispute.charlie).get(f"/cases/{case.number}").content.decode()

    assert "an event of a hand that still goes on" in player
    assert "K♥" not in player
    assert "K♥" in referee
    with pytest.raises(cases.RefusedError, match="still goes on"):
        cases.pin(dispute.bilal, case, kind="event", seq=1)


def test_the_reasons_of_a_decision_stay_where_the_case_has_gone_on(dispute, signed_in):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    page = signed_in(dispute.charlie)
    said = {"outcome": "granted", "clause": "001 Declaration Rules", "text": REASONS}
    said |= {"effect": "points", "points_1": "80", "points_2": "0", "points_3": "0"}
    case.refresh_from_db()
    said["version"] = case.version
    shown = page.post("/cases/1/decide", said).content.decode()
    said["seen"] = re.search(r'name="seen" value="(\w+)"', shown)[1]
    cases.say(dispute.asha, case, text="I had a pure sequence before the last draw.")

    late = page.post("/cases/1/decide", {**said, "save": "1"})

    told = late.content.decode()
    assert late.status_code == 409
    assert "The case has gone on since you opened this page." in told
    assert f">\n{REASONS}</textarea>" in told
    assert "I had a pure sequence before" in told
    case.refresh_from_db()
    said["version"] = case.version
    assert f'name="version" value="{case.version}"' in told
    assert page.post("/cases/1/decide", {**said, "save": "1"}).url == "/cases/1"
    # Decided by now: what somebody wrote in another tab is given back to them.
    again = page.post("/cases/1/decide", {**said, "text": "Written in vain.", "save": "1"})
    assert again.status_code == 409
    assert "What you wrote is not saved</h2><p>Written in vain.</p>" in again.content.decode()


def test_what_somebody_wrote_outlives_their_session(dispute):  # noqa: F811
    dispute.open()
    stranger = Client()

    lost = stranger.post("/cases/1/say", {"text": WHY, "audience": "parties"})
    short = stranger.post("/cases/1/say", {"text": "no"})

    assert lost.status_code == 403
    assert "Nothing of this was sent" in lost.content.decode()
    assert f"<p>{WHY}</p>" in lost.content.decode()
    assert (short.status_code, short.url) == (302, "/account/login/")
