"""The OpenAPI document: whole, right, and its examples do what they show."""

import json

import jsonschema
import pytest

from api import openapi, problems
from api.operations import Operation
from api.urls import urlpatterns
from tests.api.conftest import Program, problem
from tests.replays.hands import hand

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def document():
    return json.loads(json.dumps(openapi.document()))


def operations(document):
    return [
        (method, path, said)
        for path, methods in document["paths"].items()
        for method, said in methods.items()
    ]


def validator(document, schema):
    return jsonschema.Draft202012Validator({**schema, "components": document["components"]})


def test_every_address_stands_in_the_document(document):
    routes = {
        f"/api/v1/{pattern.pattern}" for pattern in urlpatterns if hasattr(pattern.callback, "cls")
    }

    assert document["openapi"].startswith("3.1")
    assert len(document["paths"]) == len(routes)


def test_every_operation_tells_its_scope_and_every_refusal(document):
    for method, path, said in operations(document):
        statuses = set(said["responses"])
        assert {"400", "401", "406", "429", "500", "503"} <= statuses, (method, path)
        assert ("403" in statuses) == bool(said["security"]) == ("x-scope" in said)
        assert ("404" in statuses) == ("{" in path)
        assert ({"413", "415"} <= statuses) == ("requestBody" in said)
        assert said["summary"].endswith(".")


def test_every_code_of_a_problem_is_documented(document):
    told = {
        code
        for _method, _path, said in operations(document)
        for answer in said["responses"].values()
        for code in answer.get("content", {}).get(problems.MEDIA_TYPE, {}).get("examples", {})
    }

    assert set(problems.KINDS) - told - {"method-not-allowed", "precondition-failed"} == set()


def test_examples_of_answers_are_what_the_schema_says(document):
    for _method, _path, said in operations(document):
        for answer in said["responses"].values():
            for form in answer.get("content", {}).values():
                examples = [each["value"] for each in form.get("examples", {}).values()]
                examples += [form["example"]] if "example" in form else []
                for example in examples:
                    validator(document, form["schema"]).validate(example)
    case = document["paths"]["/api/v1/cases/{number}"]["get"]["responses"]["200"]["content"]
    assert case["application/json"]["example"]["number"] == 3


def test_an_example_of_an_answer_that_is_not_given_is_refused():
    with pytest.raises(ValueError, match=r"examples of \{200\}"):
        Operation(scope=None, answers={200: None}, examples={200: {}})


def test_answers_are_what_the_schema_says(document, api):
    sent = api.send("hands", hand(), "text/plain")
    at = sent.json()["outcomes"][0]["url"]
    cases = [("post", "/api/v1/hands", sent), ("get", "/api/v1/hands", api.get("hands"))]
    cases.append(("get", "/api/v1/hands/{public_id}", api.get(at)))
    cases += [
        ("get", f"/api/v1/hands/{{public_id}}/{name}", api.get(f"{at}/{name}"))
        for name in ("report", "steps", "findings")
    ]

    for method, path, answer in cases:
        said = document["paths"][path][method]["responses"][str(answer.status_code)]
        validator(document, said["content"]["application/json"]["schema"]).validate(answer.json())


def test_examples_of_bodies_can_be_sent(document, api):
    for method, path, said in operations(document):
        for media_type, form in said.get("requestBody", {}).get("content", {}).items():
            if "example" not in form:
                continue
            validator(document, form["schema"]).validate(form["example"])
            body = form["example"]
            body = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            if "{" in path:
                continue  # its hand would have to be there; tests/api/test_live.py has such ones
            answer = api.generic(method.upper(), path, body, media_type)
            assert answer.status_code < 300, (path, answer.content)


def test_everybody_may_read_the_document_and_its_page():
    nobody = Program()
    answer, page = nobody.get("openapi.json"), nobody.get("docs")

    assert answer.json()["paths"].keys() >= {"/api/v1/hands", "/api/v1/judge"}
    for code in problems.KINDS:
        assert f'id="{code}"' in page.content.decode()
    assert problem(nobody.get("hands")) == "not-signed-in"
