"""The pages of shadow runs: begun, looked at, adopted from, and what to do by finding."""

import re

import pytest

from replays import policies
from replays.models import ClubRuleset, ShadowRun
from tests.api.test_shadow import week, work_off

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def owner(signed_in, alice):
    return signed_in(alice)


def text(answer):
    return answer.content.decode()


@pytest.fixture
def run(owner, send):
    send(week())
    owner.post("/shadow", {"words": "May", "since": "2001-01-01", "until": ""})
    work_off()
    return ShadowRun.objects.get()


def test_a_run_says_how_many_hands_differ_by_what(owner, run):
    listed = text(owner.get("/shadow"))
    assert "May" in listed
    assert "from 2001-01-01 00:00 UTC" in listed
    shown = text(owner.get(f"/shadow/{run.public_id}"))

    assert "Of 10 hands, 3 agree and 7 differ." in shown
    assert "4 hands differ only by Points of a first drop: 25" in shown
    assert "2 hands differ only by Points of a first drop: 25, Points of a middle drop: 50" in shown
    assert "Nothing is left over." not in shown


def test_groups_are_adopted_into_a_ruleset(owner, run):
    page = f"/shadow/{run.public_id}"
    groups = re.findall(r'name="groups" value="(\d+)"', owner.get(page).content.decode())
    refused = text(owner.post(page, {"groups": groups[:1], "slug": "indian-ours"}))
    assert "slug is “indian-ours”, expected a name" in refused
    assert "choose groups of one ruleset" in text(owner.post(page, {"slug": "house"}))
    for strange in ("7", "9" * 10, "9" * 5000):
        assert owner.post(page, {"groups": [strange], "slug": "house"}).status_code == 200
    assert ClubRuleset.objects.count() == 0

    answer = owner.post(page, {"groups": groups, "slug": "house"}, follow=True)
    assert "house@1 is made." in text(answer)
    made = ClubRuleset.objects.get()
    assert (made.settings, made.active) == ({"first_drop": 25, "middle_drop": 50}, False)


def test_what_to_do_about_a_finding_is_chosen(owner, run, alice):
    owner.post(f"/shadow/{run.public_id}/policy/score-wrong", {"act": "case"})

    assert policies.acts_of(alice.club)["score-wrong"] == "case"
    shown = text(owner.get(f"/shadow/{run.public_id}"))
    assert '<option value="case" selected>' in shown


def test_days_that_are_none_are_said(owner):
    assert "A day is written as" in text(owner.post("/shadow", {"since": "yesterday"}))
    assert ShadowRun.objects.count() == 0


def test_who_may_see_and_adopt(run, signed_in, bob, dora, mallory):
    page = f"/shadow/{run.public_id}"
    scorekeeper = signed_in(bob)
    shown = text(scorekeeper.get(page))
    assert ("differ only by" in shown, "Adopt" in shown) == (True, False)
    scorekeeper.post(page, {"groups": ["0"], "slug": "house"})
    assert ClubRuleset.objects.count() == 0
    assert scorekeeper.post(f"{page}/policy/score-wrong", {"act": "case"}).status_code == 403

    assert signed_in(dora).get(page).status_code == 403
    assert signed_in(mallory).get(page).status_code == 404
