"""What every route does alike: who asks, may they, what can be read, how it is refused."""

import pytest

from api import strict_json
from api.problems import Problem
from tests.api.conftest import Program, problem

JSON = "application/json"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b'{"a":1,"a":2}', {"pointer": "/a"}),
        (b'{"a":[1.5]}', {"pointer": "/a/0"}),
        (b'{"a":1e3}', {"pointer": "/a"}),
        (b'{"a":NaN}', {"pointer": "/a"}),
        (b'{"a":-Infinity}', {"pointer": "/a"}),
        (b'{"a":9007199254740992}', {"pointer": "/a"}),
        (b'{"a":' + b"9" * 5000 + b"}", {"pointer": "/a"}),
        (b'{"a":1_000}', {"line": 1, "column": 7}),
        (b'{"a":\xd9\xa3}', {"line": 1, "column": 6}),
        (b'{"a":"\\u0000"}', {"pointer": "/a"}),
        (b'{"a~/":"\\ud800"}', {"pointer": "/a~0~1"}),
        (b'{"\\udfff":1}', {"pointer": "/\\udfff"}),
        (b'{"a":\n "\x01"}', {"line": 2, "column": 3}),
        (b'{"a":\n "\xff"}', {"line": 2, "column": 3}),
        (b"", {"line": 1, "column": 1}),
        (b"{} {}", {"line": 1, "column": 4}),
        (b"[" * 33 + b"]" * 33, {"pointer": "/0" * 32}),
        (b"[" * 100_000, {"pointer": ""}),
        ("{}".encode("utf-16"), {"line": 1, "column": 1}),
    ],
)
def test_json_that_cannot_be_taken_is_refused_with_its_place(body, place):
    with pytest.raises(Problem) as refused:
        strict_json.loads(body)

    assert (refused.value.code, refused.value.place) == ("bad-json", place)


def test_json_within_the_bounds_is_read():
    body = b'\xef\xbb\xbf{"a":[9007199254740991,-1,true,null,"\\ud83d\\ude00"]}'

    assert strict_json.loads(body) == {"a": [2**53 - 1, -1, True, None, "😀"]}


def test_an_address_that_is_none_is_a_problem_document(db):
    answer = Program().get("nowhere")

    assert (answer.status_code, problem(answer)) == (404, "no-such-route")
