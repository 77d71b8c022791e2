"""Every route, every method, everybody: who gets in, and that nobody sees another club (row 25).

The routes come from the URL configuration. Each needs its lines in tests/replays/routes.txt; what
a line can say stands at the top of that file.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from replays import keys
from replays.models.people import ROLE_SCOPES, Scope
from tests.replays.world import CANARY, world

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).with_name("routes.txt")
# Routes of libraries: their own tests stand behind them. Everything else has its lines.
LIBRARIES = re.compile(r"account_|mfa_")
UNKNOWN_ADDRESS = "api:"
MISSING = {"slug": "zzzzzzzzzzzzzzzz", "int": 987_654, "str": "zzzzzzzzzzzzzzzz"}
# What a player sees a part of: theirs is none of these.
NARROW = {"hand", "upload", "match", "case", "decision", "evidence"}


class Line(NamedTuple):
    """A line of the table."""

    route: str
    method: str
    may: str
    what: str


def lines():
    """Read the table."""
    said = [
        line.split() for line in TABLE.read_text().splitlines() if line and not line.startswith("#")
    ]
    return [Line(*(*each, "-")[:4]) for each in said]


def routes(resolver=None, prefix="", space=""):
    """Give the name, the pattern and the view of every route there is."""
    for each in (resolver or get_resolver()).url_patterns:
        pattern = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            inner = f"{each.namespace}:" if each.namespace else space
            yield from routes(each, pattern, inner)
        else:
            yield space + (each.name or ""), pattern, each.callback


def known():
    return [
        (name, pattern, view)
        for name, pattern, view in routes()
        if not LIBRARIES.match(name) and name != UNKNOWN_ADDRESS
    ]


def test_every_route_has_its_lines():
    told = {line.route for line in lines()}
    missing = sorted({name for name, _pattern, _view in known()} - told)

    assert missing == [], f"Say in tests/replays/{TABLE.name} who may do what there."


def test_every_method_of_the_api_has_its_line():
    told = {(line.route, line.method) for line in lines()}
    there = {
        (name, method.upper())
        for name, _pattern, view in known()
        for method in getattr(getattr(view, "cls", None), "functions", {})
    }

    assert sorted(there - told) == [], f"Say in {TABLE.name} who may do that."


@pytest.fixture(scope="module")
def things(kept_database):
    """The club with one of each kind."""
    return world()


# Addresses that belong to no club.
OPEN = {
    "code": {"code": "score-wrong"},
    "code-name": {"name": "score-wrong"},
    "family": {"family": "indian"},
    "parameter": {"family": "indian", "name": "set_max"},
    "form": {"form": "csv"},
}
# The rest of an address, by its name.
REST = {"seq": 1, "form": "rhl", "place": 1, "event": 1, "match": "1", "number": 1, "version": 1}
# What a page must be asked besides.
ASKED = {"table-show": "?seat=1", "table-link-show": "?seat=1"}


# Somebody of the site itself who belongs to no club.
STAFF = "staff of no club"


@pytest.fixture(scope="module")
def everybody(things):
    """Everybody who may ask, with what they may do: members by session, programs by key."""
    asking = {"nobody": (Client(raise_request_exception=False), frozenset(), "")}
    people = {
        "owner": things.alice,
        "scorekeeper": things.bob,
        "referee": things.charlie,
        "player": things.dora,
        "viewer": things.victor,
        "other club's owner": things.mallory,
    }
    for name, viewer in people.items():
        client = Client(raise_request_exception=False)
        client.force_login(viewer.user)
        asking[name] = (client, frozenset(ROLE_SCOPES[viewer.role]), "session")
    staff = get_user_model().objects.create(username="s", is_staff=True, is_superuser=True)
    client = Client(raise_request_exception=False)
    client.force_login(staff)
    asking[STAFF] = (client, frozenset(), "session")
    programs = {
        "read-only key": (things.alice, [Scope.HANDS_READ]),
        "full key": (things.alice, list(Scope)),
        "other club's key": (things.mallory, list(Scope)),
    }
    for name, (viewer, scopes) in programs.items():
        _key, secret = keys.make_key(viewer, name=name, scopes=scopes)
        client = Client(
            raise_request_exception=False, headers={"authorization": f"Bearer {secret}"}
        )
        asking[name] = (client, frozenset(scopes), "key")
    return asking


def address(line, pattern, ids):
    wanted = re.findall(r"<(?:\w+:)?(\w+)>", pattern)
    path = reverse(line.route, kwargs={name: ids.get(name, REST.get(name)) for name in wanted})
    return path + ASKED.get(line.route, "")


def missing_ids(pattern, ids):
    kinds = {name: kind for kind, name in re.findall(r"<(\w+):(\w+)>", pattern)}
    names = [name for name in kinds if name in ids] or [n for n in kinds if n not in REST]
    first = names[0] if names else next(iter(kinds))
    return {**ids, first: MISSING[kinds[first]]}


def ask(client, line, path):
    """Send a request whose traces are taken back; gives the answer and its body."""
    method = line.method
    with transaction.atomic():
        more = {"content_type": "application/json"} if line.route.startswith("api:") else {}
        if method == "GET":
            more = {}
        response = (
            client.generic(method, path, "{}" if more else "", **more)
            if more
            else (getattr(client, method.lower())(path))
        )
        body = b"".join(response.streaming_content) if response.streaming else response.content
        transaction.set_rollback(True)
    return response, body.decode("utf-8", "replace")


def outcome(response):
    """Say in a word how somebody was received."""
    code = response.status_code
    if code == 401 or (code == 302 and response["Location"].startswith("/account/login/")):
        return "sign in"
    return {403: "refused", 404: "not here"}.get(code, "in" if code < 500 else f"error {code}")


# The members of a club by how much they may do: each may do what those before them may.
MEMBERS = ("viewer", "player", "scorekeeper", "referee", "owner")


def concerns(line, who, way):
    """Whether a line has something to say of somebody that another of them does not say already.

    Of the members who may do it whoever may least is asked, and of those who may not whoever
    may most; who sees a part only is asked wherever that may matter.
    """
    api, reads = line.route.startswith("api:"), line.method == "GET"
    if line.may in ("everybody", "token", "local"):
        return who in ("nobody", "other club's owner") or (api and who == "full key")
    if way == "key":
        # To pages a program is nobody.
        return api or (reads and who == "full key")
    if api and not reads:
        # Who has signed in is known there as on pages; what they may is asked of keys.
        return who == "nobody"
    if who == STAFF:
        return reads and not api
    if who not in MEMBERS:
        return who == "nobody" or not api
    may = [each for each in MEMBERS if line.may == "members" or line.may in ROLE_SCOPES[each]]
    may_not = [each for each in MEMBERS if each not in may]
    narrow = who == "player" and line.what in NARROW
    return who in (*may[:1], *may_not[-1:]) or (narrow and who in may)


def expected(line, who, scopes, way):
    """Say how somebody is to be received at their own club's things."""
    api = line.route.startswith("api:")
    if line.may == "local":
        return {"in", "not here", "refused", "sign in"}
    if line.may in ("everybody", "token"):
        return {"in"} if line.method == "GET" else {"in", "not here"}
    if way == "" or (way == "key" and not api):
        return {"sign in"}
    if line.may == "members":
        return {"in", "not here"} if line.method == "POST" else {"in"}
    if who == STAFF:
        # No club is theirs: they are refused like somebody who may nothing.
        return {"refused"}
    if line.may not in scopes:
        return {"refused"}
    if line.what == "asked":
        return {"in", "not here"}
    if who in ("player", "viewer") and line.what in NARROW:
        return {"not here"}
    if who.startswith("other club"):
        # A body that says nothing may be refused before anything is looked up.
        hoped = {"in"} if line.what in {"-", *OPEN} else {"not here"}
        return hoped | {"in"} if api and line.method != "GET" else hoped
    # What a form lacks is told as 404 by some, where the thing that it names is missing.
    return {"in", "refused", "not here"} if line.method != "GET" else {"in"}


def plain(body, path, ids):
    """Leave out of a body what differs from one request to the next."""
    body = re.sub(r'value="\w{64}"|csrf\w*|"instance":"[^"]*"|"request":"[^"]*"', "", body)
    for each in (path, *(said for said in map(str, ids.values()) if len(said) > 5)):
        body = body.replace(each, "…")
    return body


@pytest.mark.ci
@pytest.mark.timeout(600)  # many hundred requests: on a machine with much else to do they take long
def test_row_25_everybody_at_every_route(things, everybody):
    patterns = {name: pattern for name, pattern, _view in known()}
    things = {**things.ids, **OPEN}
    wrong = []
    for line in (line for line in lines() if line.route in patterns):
        pattern, ids = patterns[line.route], things.get(line.what, {})
        path = address(line, pattern, ids)
        for who, (client, scopes, way) in everybody.items():
            if not concerns(line, who, way):
                continue
            response, body = ask(client, line, path)
            got, hoped = outcome(response), expected(line, who, scopes, way)
            if got not in hoped:
                wrong.append(f"{line.method} {path} by {who}: {got}, not {' or '.join(hoped)}")
            private = response.get("Cache-Control", "")
            if way and line.may not in ("everybody", "local") and "no-store" not in private:
                wrong.append(f"{line.method} {path} by {who}: Cache-Control is {private!r}")
            if who.startswith("other club") and line.may not in ("everybody", "token", "local"):
                if CANARY in body:
                    wrong.append(f"{line.method} {path} by {who}: shows another club's data")
                if ids and line.what not in OPEN:
                    lost = missing_ids(pattern, ids)
                    elsewhere = address(line, pattern, lost)
                    absent, said = ask(client, line, elsewhere)
                    same = plain(said, elsewhere, lost) == plain(body, path, ids)
                    if absent.status_code != response.status_code or not same:
                        wrong.append(f"{line.method} {path} by {who}: not as if it were missing")

    assert wrong == [], f"\n{len(wrong)} of them; {TABLE.name} says who may:\n" + "\n".join(wrong)


@pytest.mark.ci
def test_row_25_no_other_method_gets_in(things, everybody):
    by_route = {line.route: line for line in lines()}
    told = {(line.route, line.method) for line in lines()}
    things = {**things.ids, **OPEN}
    client, _scopes, _way = everybody["owner"]
    wrong = []
    for name, pattern, _view in known():
        line = by_route.get(name)
        for method in ("PUT", "DELETE", "POST", "GET"):
            # Who has no line yet is told so by the test above.
            if line is None or (name, method) in told:
                continue
            path = address(line, pattern, things.get(line.what, {}))
            response, _body = ask(client, line._replace(method=method), path)
            if response.status_code not in (405, 404, 403, 401):
                wrong.append(f"{method} {path}: {response.status_code}")

    assert wrong == []
