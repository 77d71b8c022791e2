"""Row 35: every write has its place on the trail, and every verb of the trail has its write."""

import re
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WRITES = ("POST", "PUT", "PATCH", "DELETE")
# Left by commands and by what follows from other writes, not by a route.
ELSEWHERE = {"hand.purge", "name.forget", "person.export"}


def lines(name):
    text = (HERE / name).read_text()
    return [line.split() for line in text.splitlines() if line.strip() and line[0] != "#"]


def register():
    return {(route, method): rest for route, method, *rest in lines("trail.txt")}


def verbs_in_code():
    """Verbs that code leaves; a part that is worked out stands as ``*``."""
    found = set()
    for package in ("replays", "api"):
        for path in (ROOT / package).rglob("*.py"):
            for verb in re.findall(r'leave\(\s*[^,]+,\s*f?"([^"]+)"', path.read_text()):
                if "." in verb:
                    found.add(re.sub(r"\{[^}]+\}", "*", verb))
    return found


def test_every_write_says_what_it_leaves():
    writes = {(route, method) for route, method, *_rest in lines("routes.txt") if method in WRITES}
    register_ = register()

    assert set(register_) == writes, "tests/replays/trail.txt: a line for each write"
    assert all(rest for rest in register_.values())
    assert all(len(rest) > 1 for rest in register_.values() if rest[0] == "-")


def test_every_verb_of_the_register_is_left_and_every_verb_left_is_in_it():
    lines = [rest for rest in register().values() if rest[0] != "-"]
    told = {verb for rest in lines for some in rest for verb in some.split("+")} | ELSEWHERE
    left = verbs_in_code()

    assert {verb for verb in told if not any(fnmatch(verb, each) for each in left)} == set()
    assert {each for each in left if not any(fnmatch(verb, each) for verb in told)} == set()
