"""What the tests of the API share: keys, and a client that speaks JSON."""

import json

import pytest
from django.test import Client

from replays import keys
from replays.models.people import Scope
from tests.api.endpoints import courier, on_this_machine, taking
from tests.replays.conftest import (
    alice,
    bob,
    charlie,
    club,
    dora,
    mallory,
    other_club,
    send,
    signed_in,
)

__all__ = [
    "alice",
    "bob",
    "charlie",
    "club",
    "courier",
    "dora",
    "mallory",
    "on_this_machine",
    "other_club",
    "send",
    "signed_in",
    "taking",
]


class Program(Client):
    """A client with a key; paths are below ``/api/v1/``."""

    def __init__(self, secret="", **words):
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        super().__init__(headers=headers, **words)

    def generic(self, method, path, *args, **words):
        path = path if path.startswith("/") else f"/api/v1/{path}"
        return super().generic(method, path, *args, **words)

    def send(self, path, data, content_type="application/json", method="POST", **words):
        """Send JSON, or bytes as they are."""
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        return self.generic(method, path, body, content_type, **words)


@pytest.fixture
def program():
    """Make a key for somebody's club and give its client; all scopes unless some are named."""

    def program(viewer, *scopes, **words):
        _key, secret = keys.make_key(viewer, name="tests", scopes=scopes or tuple(Scope), **words)
        return Program(secret)

    return program


@pytest.fixture
def api(program, alice):
    """A client with a key of alice's club that may do everything, as fast as a machine can ask."""
    return program(alice, rate=1_000_000)


def problem(response):
    """The code of a problem document, after checking that it is a whole one."""
    assert response["Content-Type"] == "application/problem+json"
    said = response.json()
    assert set(said) >= {"type", "title", "status", "detail", "code", "next"}
    assert said["status"] == response.status_code
    assert said["type"].endswith(f"#{said['code']}")
    return said["code"]
