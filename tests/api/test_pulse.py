"""The open page of a hand learns within a second or two that it has gone on."""

import pytest

from tests.api.test_live import EVENTS, table

__all__ = ["table"]
pytestmark = pytest.mark.django_db


def test_a_page_learns_that_its_hand_has_gone_on(api, table, bob, signed_in):
    client = signed_in(bob)
    public_id = table.rpartition("/")[2]
    address = f"/hands/{public_id}/pulse"

    first = client.get(address)
    same = client.get(address, headers={"if-none-match": first["ETag"]})
    api.send(f"{table}/events", {"expect": 3, "events": EVENTS[3:5]})
    more = client.get(address, headers={"if-none-match": first["ETag"]})

    assert (first.json()["open"], first.json()["seq"], same.status_code) == (True, 3, 304)
    assert more.json() == {
        "open": True,
        "seq": 5,
        "at": f"/hands/{public_id}/5",
        "says": "The hand has gone on to event 5.",
    }
    assert f'data-pulse="{address}"' in client.get(f"/hands/{public_id}").content.decode()
