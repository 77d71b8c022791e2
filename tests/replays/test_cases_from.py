"""A case is opened from an event, from a finding or from a row of a match."""

import html
import re

from replays.models import Case, Club, MatchRow
from replays.models.people import Role
from tests.replays.conftest import join
from tests.replays.disputes import WHY, dispute  # noqa: F401 - a fixture
from tests.replays.world import settle


def ways(client, address):
    """Give where the links of a page to a new case lead, by what they are called."""
    page = client.get(address).content.decode()
    found = re.findall(r'<a [^>]*href="(/cases/new[^"]*)"([^>]*)>([^<]*)<', page)
    return {
        html.unescape(way): re.sub(r'.*aria-label="([^"]*)".*', r"\1", more) if more else words
        for way, more, words in found
    }


def test_a_finding_and_a_row_of_a_match_lead_to_a_case_about_them(dispute, signed_in):  # noqa: F811
    settle()
    player = signed_in(dispute.bilal)
    hand, match = dispute.log.public_id, MatchRow.objects.get().public_id
    about = f"/cases/new?hand={hand}"

    at_event = ways(player, f"/hands/{hand}/{dispute.seq}")
    in_match = ways(player, f"/matches/{match}")

    declared = f"{about}&seq={dispute.seq}&code=wrong-declaration"
    assert at_event[declared] == "Open a case"
    assert in_match[f"{about}&kind=total"] == "Open a case about deal 2"
    page = player.get(declared).content.decode()
    assert "The declaration does not stand" in page
    assert '<option value="declaration" selected>' in page
    player.post(declared, {"kind": "declaration", "seq": dispute.seq, "text": WHY, "code": ""})
    player.post(f"{about}&kind=total", {"kind": "total", "text": WHY})
    assert [(each.kind, each.seq) for each in Case.objects.order_by("pk")] == [
        ("declaration", dispute.seq),
        ("total", 0),
    ]


def test_who_may_open_no_case_is_offered_none(dispute, signed_in):  # noqa: F811
    settle()
    Club.objects.update(opens_hands=True)
    viewer = signed_in(join(dispute.club, "victor", Role.VIEWER))
    hand, match = dispute.log.public_id, MatchRow.objects.get().public_id

    for address in (f"/hands/{hand}/{dispute.seq}", f"/matches/{match}"):
        assert viewer.get(address).status_code == 200
        assert ways(viewer, address) == {}
