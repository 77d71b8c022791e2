"""What a correction would move, asked before it is saved."""

import pytest

from replays.knock_on import knock_on
from replays.models import HandLog, LogBatch
from rummy_audit.rhl.records import Amend, Score

pytestmark = pytest.mark.django_db

HAND = """\
hand M-{deal} rhl=1 ruleset=indian-13 detail=scores
player 1 Asha
player 2 Bilal
player 3 Chitra
match M format=pool-101 deal={deal} seats=1,2,3
score {points} winner=1
end
"""


@pytest.fixture
def pool(send):
    """Three deals of a pool; Chitra was written down with 62 in the second."""
    scores = ["1=0 2=40 3=30", "1=0 2=20 3=62", "1=0 2=39 3=7"]
    send("".join(HAND.format(deal=n, points=p) for n, p in enumerate(scores, 1)).encode())
    return {log.deal: log for log in HandLog.objects.all()}


def corrected(points):
    return Amend(target=1, replace=Score(points=points, winner=1), reason="26, not 62")


def test_whose_total_moves_who_is_out_and_who_wins_is_known_before(bob, pool):
    found = knock_on(bob, pool[2], corrected({1: 0, 2: 20, 3: 26}))

    assert found.totals == [(3, 99, 63)]
    assert (found.newly_out, found.back_in, found.winner_changes) == ([], [], False)

    found = knock_on(bob, pool[2], corrected({1: 0, 2: 22, 3: 64}))

    assert found.totals == [(2, 99, 101), (3, 99, 101)]
    assert found.newly_out == [2, 3]
    assert (found.before.winner, found.after.winner) == (None, 1)
    assert found.winner_changes
    assert found.names == {1: "Asha", 2: "Bilal", 3: "Chitra"}


def test_somebody_who_was_dealt_in_when_out_is_named_before(bob, pool):
    found = knock_on(bob, pool[2], corrected({1: 0, 2: 20, 3: 71}))

    assert found.newly_out == [3]
    assert [(each.hand, each.finding.code) for each in found.new_findings] == [
        ("M-3", "eliminated-player-dealt-in")
    ]
    assert found.gone_findings == []


def test_nothing_is_stored_by_asking(bob, pool):
    before = list(LogBatch.objects.values_list("pk", "body"))
    log = pool[2]

    assert knock_on(bob, log, corrected({1: 0, 2: 20, 3: 62})).is_quiet

    assert list(LogBatch.objects.values_list("pk", "body")) == before
    assert HandLog.objects.get(pk=log.pk).version == 1


def test_a_hand_of_no_match_is_judged_before_and_after(bob, send):
    send(b"hand S rhl=1 ruleset=indian-13 detail=scores\nplayer 1 A\nplayer 2 B\n"
         b"score 1=0 2=1 winner=1\nend\n")  # fmt: skip
    log = HandLog.objects.get()

    found = knock_on(bob, log, Amend(target=1, replace=Score(points={1: 0, 2: 10}, winner=1)))

    assert (found.before.hand.verdict, found.after.hand.verdict) == ("flagged", "clean")
    assert (found.before.match, found.after.match) == (None, None)
