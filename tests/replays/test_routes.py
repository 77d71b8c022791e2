"""Every route, every method, everybody: who gets in, and that nobody sees another club (row 25).

The routes come from the URL configuration. Each needs its lines in tests/replays/routes.txt; what
a line can say stands at the top of that file.
"""

import datetime
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from replays import audit, evenings, keys, links, match_audits, members, webhooks
from replays.cases import open_case
from replays.models import HandLog, MatchRow, Membership, Player, ScoreSheet
from replays.models.keys import LinkKind
from replays.models.people import ROLE_SCOPES, Role, Scope
from replays.rulesets_of_clubs import make_ruleset_version
from tests.replays.conftest import join
from tests.replays.disputes import disputed

TABLE = Path(__file__).with_name("routes.txt")
# Routes of libraries: their own tests stand behind them. Everything else has its lines.
LIBRARIES = re.compile(r"account_|mfa_")
UNKNOWN_ADDRESS = "api:"
# Stands in every name, text and address of the club's things: nobody else ever sees it.
CANARY = "Kanarienvogel"
SHEET = f"deal,{CANARY},Bilal\n1,0,20\n".encode()
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


@pytest.fixture
def things(alice, bob, charlie, send):
    """One of each kind in the club; gives what stands in its address."""
    club = alice.club
    text = disputed(name=f"{CANARY}-7").replace(b"Asha", CANARY.encode())
    upload = send(text.replace(b"pool-1 ", f"{CANARY}-1 ".encode()))
    while audit.audit_due():
        pass
    log = HandLog.objects.get()
    while match_audits.audit_due():
        pass
    match = MatchRow.objects.get()
    player = Player.objects.create(club=club, ref=CANARY, name=CANARY)
    case, _new = open_case(bob, log=log, kind="declaration", text=CANARY * 9, seq=2)
    rules = make_ruleset_version(
        viewer=alice, slug="canary", name=CANARY, base="indian-13@1", settings={"set_max": 3}
    )
    day = datetime.date(2026, 11, 28)
    evening = evenings.make_evening(
        viewer=bob, name=CANARY, date=day, ruleset="indian-13@1", correction_minutes=30
    )
    table = evenings.add_table(viewer=bob, evening=evening, name=CANARY)
    people = [evenings.Named(name) for name in (CANARY, "Bilal", "Chitra")]
    evenings.add_players(viewer=bob, evening=evening, named=people)
    refs = [each.ref for each in evenings.roster(evening)]
    evenings.start_match(viewer=bob, table=table, match_format="pool-101", refs=refs)
    sheet = ScoreSheet.objects.create(
        club=club, user=bob.user, file=f"{CANARY}.csv", body=SHEET, received_at=timezone.now()
    )
    hook = webhooks.make_endpoint(
        viewer=alice, url=f"https://{CANARY}.example/", events=["hand.audited"], words=CANARY
    )
    sent = webhooks.send_example(viewer=alice, endpoint=hook)
    key, _secret = keys.make_key(alice, name=CANARY, scopes=[Scope.HANDS_READ])
    invitation, invited = members.invite(alice, role=Role.PLAYER)
    share, shared = links.make_link(
        bob, kind=LinkKind.SHARE, scope={"hand": log.public_id, "seat": None, "seq": None}
    )
    _link, phone = evenings.make_table_link(viewer=bob, table=table)
    return {
        "hand": {"public_id": log.public_id},
        "upload": {"public_id": upload.public_id},
        "upload-ids": {"ids": upload.public_id},
        "match": {"public_id": match.public_id},
        "sheet": {"public_id": sheet.public_id},
        "case": {"number": case.number},
        "rules": {"slug": rules.slug, "version": 1},
        "rules-slug": {"slug": rules.slug},
        "rules-name": {"name": rules.slug, "version": 1},
        "evening": {"public_id": evening.public_id},
        "table": {"public_id": table.public_id},
        "webhook": {"public_id": hook.public_id},
        "delivery": {"public_id": hook.public_id, "delivery_id": sent.public_id},
        "member": {"pk": Membership.objects.get(user=charlie.user).pk},
        "player": {"pk": player.pk},
        "key": {"prefix": key.prefix},
        "invitation": {"public_id": invitation.public_id},
        "share": {"public_id": share.public_id},
        "invitation-token": {"token": invited},
        "share-token": {"token": shared},
        "table-token": {"token": phone},
    }


# Addresses that belong to no club.
OPEN = {
    "code": {"code": "score-wrong"},
    "code-name": {"name": "score-wrong"},
    "family": {"family": "indian"},
    "parameter": {"family": "indian", "name": "set_max"},
    "form": {"form": "csv"},
}
# Kinds that hang on something else; they are only asked for where they are not.
NOT_MADE = {"decision", "evidence", "deal", "deal-token", "shadow"}
# The rest of an address, by its name.
REST = {"seq": 1, "form": "rhl", "place": 1, "event": 1, "match": "1", "number": 1, "version": 1}


@pytest.fixture
def everybody(request):
    """Everybody who may ask, with what they may do: members by session, programs by key."""
    alice, mallory = (request.getfixturevalue(name) for name in ("alice", "mallory"))
    asking = {"nobody": (Client(raise_request_exception=False), frozenset(), "")}
    people = {
        "owner": alice,
        "scorekeeper": request.getfixturevalue("bob"),
        "referee": request.getfixturevalue("charlie"),
        "player": request.getfixturevalue("dora"),
        "viewer": join(alice.club, "victor", Role.VIEWER),
        "other club's owner": mallory,
    }
    for name, viewer in people.items():
        client = Client(raise_request_exception=False)
        client.force_login(viewer.user)
        asking[name] = (client, frozenset(ROLE_SCOPES[viewer.role]), "session")
    programs = {
        "read-only key": (alice, [Scope.HANDS_READ]),
        "full key": (alice, list(Scope)),
        "other club's key": (mallory, list(Scope)),
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
    return reverse(line.route, kwargs={name: ids.get(name, REST.get(name)) for name in wanted})


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


def concerns(line, who, way):
    """Whether a line has something to say of somebody that another of them does not say already."""
    if line.may in ("everybody", "token", "local"):
        return who in ("nobody", "other club's owner", "full key")
    # A page that is the scorekeeper's is the same page for those who may do more.
    least = line.may == "members" or line.may in ROLE_SCOPES[Role.SCOREKEEPER]
    if line.method == "GET" and least and who in ("referee", "owner"):
        return False
    # To pages a program is nobody.
    return (
        way != "key" or line.route.startswith("api:") or (who, line.method) == ("full key", "GET")
    )


def expected(line, who, scopes, way):
    """Say how somebody is to be received at their own club's things."""
    api = line.route.startswith("api:")
    if line.may == "local":
        return {"in", "not here", "refused", "sign in"}
    if line.may in ("everybody", "token"):
        exact = line.what not in NOT_MADE and line.method == "GET"
        return {"in"} if exact else {"in", "not here"}
    if way == "" or (way == "key" and not api):
        return {"sign in"}
    if line.may == "members":
        return {"in", "not here"} if line.method == "POST" else {"in"}
    if line.may not in scopes:
        return {"refused"}
    if line.what == "asked" or (line.what in NOT_MADE and line.method != "GET"):
        return {"in", "not here"}
    if line.what in NOT_MADE or (who in ("player", "viewer") and line.what in NARROW):
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


@pytest.mark.timeout(600)  # a thousand requests: on a machine with much else to do they take long
def test_row_25_everybody_at_every_route(things, everybody):
    patterns = {name: pattern for name, pattern, _view in known()}
    things = {**things, **OPEN}
    wrong = []
    for line in (line for line in lines() if line.route in patterns):
        pattern, ids = patterns[line.route], things.get(line.what, {})
        if line.what in NOT_MADE:
            ids = {"token": things["table-token"]["token"]} if "token" in line.what else {}
            ids |= {"public_id": things["table"]["public_id"], "number": 987_654}
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


def test_row_25_no_other_method_gets_in(things, everybody):
    by_route = {line.route: line for line in lines()}
    told = {(line.route, line.method) for line in lines()}
    things = {**things, **OPEN}
    client, _scopes, _way = everybody["owner"]
    wrong = []
    for name, pattern, _view in known():
        line = by_route.get(name)
        for method in ("PUT", "DELETE", "POST", "GET"):
            # Who has no line yet is told so by the test above.
            if line is None or (name, method) in told or line.what in NOT_MADE:
                continue
            path = address(line, pattern, things.get(line.what, {}))
            response, _body = ask(client, line._replace(method=method), path)
            if response.status_code not in (405, 404, 403, 401):
                wrong.append(f"{method} {path}: {response.status_code}")

    assert wrong == []
