"""The whole schema is tried by schemathesis, all its checks on."""

import itertools
import os

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from api import openapi
from replays import keys, waiting
from replays.models.people import Scope
from tests.replays.hands import hands

# In all some 300 requests; `python -m tests.soak.schema` asks for many more, and for every
# value at the edge of what the document allows.
EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "7"))
CONFIG = {
    "phases": {"coverage": {"enabled": "SCHEMA_EXAMPLES" in os.environ}},
    "checks": {
        "positive_data_acceptance": {
            # What the document allows may still be no hand, no ruleset or no question (422), say
            # too little of the state that was seen (428), or hold a cursor that is none (400).
            "expected-statuses": [
                *("2xx", "3xx", "400", "401", "403", "404", "409", "422", "428", "429")
            ]
        }
    },
}

pytestmark = [pytest.mark.django_db, pytest.mark.ci]


@pytest.fixture(autouse=True)
def nobody_waits():
    """Whoever asks for a verdict that may come is told at once that there is none."""
    waiting.end_when(lambda: True)
    yield
    waiting.end_when(lambda: False)


def as_text(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


for media_type in ("application/vnd.rhl+jsonl", "application/x-ndjson"):
    schemathesis.serializer(media_type)(as_text)

_django = get_wsgi_application()
_addresses = itertools.count()


def from_everywhere(environ, start_response):
    """Each request from another address: wrong keys are tried often, and never too often."""
    high, low = divmod(next(_addresses), 256)
    return _django({**environ, "REMOTE_ADDR": f"10.0.{high % 256}.{low}"}, start_response)


schema = schemathesis.openapi.from_dict(
    openapi.document(), config=SchemathesisConfig.from_dict(CONFIG)
)
schema.app = from_everywhere


@pytest.fixture
def headers(alice, send):
    """A key that may do everything; hands to be found. Connections stay as pytest has them."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    send(hands(3))
    _key, secret = keys.make_key(alice, name="schema", scopes=tuple(Scope), rate=1_000_000)
    yield {"Authorization": f"Bearer {secret}"}
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_keeps_to_the_document(case, headers):
    case.call_and_validate(headers=headers)
