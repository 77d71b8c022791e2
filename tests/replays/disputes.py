"""A match with a declaration in dispute, and the people of a dispute."""

import struct
import zlib
from types import SimpleNamespace

import pytest

from replays import cases, decisions, queries
from replays.models import HandLog, Player
from tests.replays.conftest import join

# Asha's declaration has no pure sequence, and the table took it: Bilal and Chitra were charged.
DISPUTED = """\
hand {name} rhl=1 ruleset=indian-13 detail=shown
player 1 Asha ref=r-asha
player 2 Bilal ref=r-bilal
player 3 Chitra ref=r-chitra
match pool-1 format=pool-101 deal={deal}
wild 2D
declare 1 KH KS KD | 6H 7H JK | 9S TS JS JK | 5S 5H 5D / 3C
show 2 4H 5H 6H | 8C 9C TC + KS QD 9D 7D 5C 4C 3D
show 3 4S 5S 6S | 7C 8C 9C + KC QS 9H 7D 6D 4C 3D
score 1=0 2=48 3=49 winner=1
end
"""
EARLIER = """\
hand P-1 rhl=1 ruleset=indian-13 detail=scores
player 1 Asha ref=r-asha
player 2 Bilal ref=r-bilal
player 3 Chitra ref=r-chitra
match pool-1 format=pool-101 deal=1
score 1=30 2=0 3=60 winner=2
end
"""
WHY = "There is no pure sequence in what Asha declared."
REASONS = "Both sequences use a joker; a declaration needs a pure one."


def disputed(name="P-2", deal=2):
    return DISPUTED.format(name=name, deal=deal).encode()


def play(club, user, ref, name):
    """Give a player of the roster an account."""
    return Player.objects.update_or_create(
        club=club, ref=ref, defaults={"name": name, "user": user}
    )[0]


def png(width=3, height=2):
    """A picture of any size, of one colour."""

    def chunk(kind, body):
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x66" * 3 * min(width, 9)) * min(height, 9))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def decide(viewer, case, **fields):
    """Look at what a decision moves, then decide."""
    said = {
        "outcome": "granted",
        "clause": "001 Declaration Rules",
        "code": "declare-no-pure-sequence",
        "text": REASONS,
        "effect": "points",
        "points": {1: 80, 2: 0, 3: 0},
    } | fields
    if said["effect"] != "points":
        said.pop("points")
    ruled = decisions.Ruled(
        effect=said["effect"], points=said.get("points", {}), winner=said.get("winner")
    )
    seen = decisions.preview(case, ruled).digest
    return decisions.decide(viewer, case, seen=seen, **said)


@pytest.fixture
def dispute(club, alice, bob, charlie, send):
    """A disputed hand of a match, brought in by bob, and everybody around it.

    asha, bilal and chitra played it; charlie and erin are referees, alice is the owner.
    """
    from replays.models.people import Role

    asha, bilal, chitra = (
        join(club, name.lower(), Role.PLAYER) for name in ("Asha", "Bilal", "Chitra")
    )
    play(club, asha.user, "r-asha", "Asha")
    play(club, bilal.user, "r-bilal", "Bilal")
    play(club, chitra.user, "r-chitra", "Chitra")
    erin = join(club, "erin", Role.REFEREE)
    for each in (alice, bob, charlie, erin, asha, bilal, chitra):
        each.user.email = f"{each.user.username}@club.example"
        each.user.save()
    send(EARLIER.encode() + b"\n" + disputed(), user=bob.user)
    log = HandLog.objects.get(name="P-2")
    declared = next(
        each.seq for each in queries.hand_of(log).events if type(each).__name__ == "Declare"
    )

    def opened(by=bilal, **fields):
        said = {"log": log, "kind": "declaration", "text": WHY, "seq": declared} | fields
        return cases.open_case(by, **said)[0]

    return SimpleNamespace(
        club=club,
        alice=alice,
        bob=bob,
        charlie=charlie,
        erin=erin,
        asha=asha,
        bilal=bilal,
        chitra=chitra,
        log=log,
        seq=declared,
        open=opened,
    )


def ruled_points(log):
    """Return the points by seat that decisions give a hand; None where none is in force."""
    ruled = decisions.in_force([log]).get(log.pk)
    return ruled and dict(ruled.points)
