"""Row 20: whatever is sent, the answer is a problem document, and nothing breaks."""

from urllib.parse import quote

import pytest

from replays.models import HandLog, Upload
from tests.api.conftest import problem
from tests.api.hostile import corpus

# What stands in a log that the service reads but cannot take is told hand by hand.
TOLD = {"audit"}


@pytest.mark.ci_on_postgres
@pytest.mark.django_db
@pytest.mark.storage
def test_hostile_requests_are_refused_in_the_same_words_on_every_route(api):
    words = {}
    wrong = []
    sent = list(corpus())

    for each in sent:
        answer = api.generic(
            each.method, each.path, each.body, each.content_type, headers=each.headers
        )
        told = each.path in TOLD and answer.status_code == 200
        if told:
            if not answer.json()["errors"]:
                wrong.append((each.name, "taken"))
            continue
        if not 400 <= answer.status_code < 500:
            wrong.append((each.name, answer.status_code))
        elif answer["Content-Type"] != "application/problem+json":
            wrong.append((each.name, answer["Content-Type"]))
        elif len(answer.content) > 4096:
            wrong.append((each.name, f"{len(answer.content)} bytes come back"))
        elif each.group:
            said = answer.json()
            words.setdefault(each.group, set()).add(
                (said["status"], said["code"], said["detail"], str(said.get("place")))
            )

    assert wrong == []
    assert {group: said for group, said in words.items() if len(said) > 1} == {}
    assert len(sent) >= 300
    assert HandLog.objects.count() == 0
    assert Upload.objects.exclude(rejected=1).count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
@pytest.mark.parametrize("name", ["since", "until"])
def test_a_moment_beyond_the_calendar_is_refused_with_its_place(api, name, moment):
    asked = f"{name}={quote(moment)}"
    for route in ("hands", "export", "export/hands.csv"):
        answer = api.get(f"{route}?{asked}")
        assert (route, problem(answer)) == (route, "bad-parameter")
        assert answer.json()["place"] == {"parameter": name}

    tried = api.send("rulesets/dry-run", {"base": "indian-13@1", name: moment})
    assert (problem(tried), tried.json()["place"]) == ("bad-value", {"pointer": f"/{name}"})
    run = api.send("shadow", {"stored": {name: moment}})
    assert (problem(run), run.json()["place"]) == ("bad-value", {"pointer": f"/stored/{name}"})
