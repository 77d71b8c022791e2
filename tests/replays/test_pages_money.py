"""A club that plays for points alone is shown no finding about money, on no page and in no file."""

import io
import re

import pytest
from django.urls import reverse

from replays import audit, uploads
from replays.models import HandLog, MatchRow, default_club
from tests.replays.hands import hand

PLAYERS = ("Asha", "Bilal")


def deal(number, *, value, amount):
    """A deal whose winner is said to have got ``amount`` at ``value`` a point."""
    lines = (
        f"match M-1 format=points deal={number} point_value={value} fee=0\n"
        f"score 1=0 2=20 winner=1 amounts 1={amount} 2=-{20 * value}\nend\n"
    )
    return hand(f"D-{number}", lines=lines, names=PLAYERS).replace(
        b"detail=shown", b"detail=scores"
    )


@pytest.fixture
def log(club):
    # Deal 1 pays too much, and deal 2 is played for another stake.
    content = deal(1, value=5, amount=777) + b"\n" + deal(2, value=6, amount=120)
    uploads.receive(io.BytesIO(content), club=default_club())
    while audit.audit_due():
        pass
    return HandLog.objects.get(name="D-1")


# What only a finding about money says on these pages: the amount, and the stake.
MONEY = re.compile(r"777|amount-wrong|point_value|value of a point")


def shown(client, log):
    """What the pages and files about a hand and its match say, by name."""
    row = MatchRow.objects.get()
    addresses = {
        "hand": reverse("hand", args=[log.public_id]),
        "steps": reverse("hand-steps", args=[log.public_id]),
        "report": reverse("hand-report", args=[log.public_id]),
        "what-if": reverse("what-if", args=[log.public_id]) + "?rule=cap&value=60",
        "match": reverse("match", args=[row.public_id]),
        "match-report": reverse("match-report", args=[row.public_id]),
        "csv": reverse("standings-csv", args=[row.public_id]),
        "hands": reverse("hands"),
    }
    return {name: client.get(address).content.decode() for name, address in addresses.items()}


def test_money_is_shown_where_it_is_on_and_nowhere_where_it_is_off(signed_in, alice, club, log):
    alice_here = signed_in(alice)

    said = shown(alice_here, log)
    assert {name: MONEY.findall(text) for name, text in said.items() if MONEY.search(text)} == {}
    assert "match-settings-differ" not in said["match"] + said["csv"]
    # The verdict stays what it is, and the page says why nothing is seen of it.
    assert log.verdict == "flagged"
    for name in ("hand", "match"):
        assert "Your club plays for points alone" in said[name]
    assert '"verdict": "flagged"' in said["report"]
    assert "report_digest" not in said["report"]

    club.money = True
    club.save()
    said = shown(alice_here, log)
    assert [name for name, text in said.items() if MONEY.search(text)] == [
        name for name in said if name != "csv"
    ]
    assert "match-settings-differ" in said["csv"]
    assert "report_digest" in said["report"]


@pytest.mark.usefixtures("log")
def test_the_table_of_findings_follows_too(client, club, alice):
    from replays.keys import make_key
    from replays.models.people import Scope

    _key, secret = make_key(viewer=alice, name="out", scopes=[Scope.EXPORT, Scope.HANDS_REVEAL])
    ask = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}

    told = client.get("/api/v1/export/findings.csv", **ask).content.decode()
    assert ("amount-wrong" in told, told.count("D-1")) == (False, 0)
    club.money = True
    club.save()
    assert "amount-wrong" in client.get("/api/v1/export/findings.csv", **ask).content.decode()
