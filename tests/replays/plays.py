"""How each write of trail.txt is made: by whom, at what, with what; objects are those of world.py.

A play gives who asks (a member, ``key`` or ``phone``), the ids of the address, what is sent, and
more for the client. A name may hold the verb that is left, where a route leaves one of several.
"""

from django.db.models.functions import Now

from replays import cases, deals, decisions, evenings, members, retention, roster, shadow
from replays.cases import open_case
from replays.deals import Typed
from replays.models import Case, HandLog, Membership
from replays.models.people import Role, Scope
from tests.api.test_live import RECORD
from tests.api.test_shadow import week, work_off
from tests.replays.conftest import join, upload
from tests.replays.disputes import REASONS, decide
from tests.replays.hands import hand

WHY = "There is no pure sequence in what was declared."
RULES = {"name": "house", "base": "indian-13@1", "settings": {"set_max": 3}}
HOOK = {"address": "https://hooks.example.org/", "events": ["hand.audited"]}
RULING = {
    "outcome": "granted",
    "clause": "001 Declaration Rules",
    "text": REASONS,
    "effect": "points",
}


def of(who, kind, data=None, **more):
    """Play a write at one of the things of the world."""
    return lambda w: (who, w.ids[kind] if kind else {}, data or {}, dict(more))


# --- cases -------------------------------------------------------------------------------------


def claimed(w):
    return cases.claim(w.charlie, w.case)


def dismissed(w):
    return cases.dismiss(w.charlie, claimed(w), text=WHY)


def decided(w):
    return decide(w.charlie, claimed(w)).case


def after(prepare, who, data=None, **more):
    """Play a step of the case behind others."""

    def play(w):
        prepare(w)
        return who, w.ids["case"], data or {}, dict(more)

    return play


def draft(w):
    case, _new = open_case(w.bob, log=w.log, kind="score", text=WHY, seq=0, draft=True)
    return "bob", {"number": case.number}, {}, {}


def joined(w):
    other, _new = open_case(w.bob, log=w.log, kind="score", text=WHY, seq=0)
    cases.claim(w.charlie, other)
    return "charlie", {"number": other.number}, {"into": w.case.number}, {}


def seen(w):
    ruled = decisions.Ruled(effect="points", points={1: 80, 2: 0, 3: 0})
    return decisions.preview(claimed(w), ruled).digest


def decided_by_form(w):
    digest = seen(w)
    points = {"points_1": 80, "points_2": 0, "points_3": 0}
    return "charlie", w.ids["case"], {**RULING, **points, "save": "1", "seen": digest}, {}


def decided_by_program(w):
    key = w.clients["key"]
    key.send(f"cases/{w.case.number}/claim", {})
    case = Case.objects.get(pk=w.case.pk)
    ruled = decisions.Ruled(effect="points", points={1: 80, 2: 0, 3: 0})
    data = {**RULING, "points": {"1": 80, "2": 0, "3": 0}}
    data["seen"] = decisions.preview(case, ruled).digest
    return "key", w.ids["case"], data, {"headers": {"If-Match": f'"{case.version}"'}}


def of_program(prepare=None, data=None):
    """Play a step over the API in a case that the key has opened itself."""

    def play(w):
        said = {"hand": w.log.public_id, "kind": "score", "seq": 0, "text": WHY}
        number = w.clients["key"].send("cases", said).json()["number"]
        if prepare:
            prepare(w, Case.objects.get(number=number))
        return "key", {"number": number}, data or {}, {}

    return play


def of_referee(data=None):
    """Play a step over the API in a case that the key has taken to decide it."""

    def play(w):
        case, _new = open_case(w.bob, log=w.log, kind="score", text=WHY, seq=0)
        w.clients["key"].send(f"cases/{case.number}/claim", {})
        sent = data(w) if callable(data) else data or {}
        return "key", {"number": case.number}, sent, {}

    return play


def charlie_dismisses(w, case):
    cases.dismiss(w.charlie, cases.claim(w.charlie, case), text=WHY)


def charlie_decides(w, case):
    decide(w.charlie, cases.claim(w.charlie, case))


# --- tables ------------------------------------------------------------------------------------

DEAL = {"number": 1, "key": "k", "winner": 1, "p2": 20, "p3": 30}
CORRECTED = {**DEAL, "p2": 25, "step": "save", "reason": "misread", "version": 1}


def entered(w, device="another phone"):
    viewer, _table = evenings.table_of_link(w.phone)
    return deals.enter_deal(
        viewer=viewer,
        match=w.played,
        key="k",
        number=1,
        typed=Typed(1, {2: 20, 3: 30}),
        device=device,
    )


def at_table(data, *, dealt=False, more_ids=None):
    """The same write by a member and by the phone of the table."""

    def play(who, ids):
        def made(w):
            entry = entered(w) if dealt else None
            sent = data(w) if callable(data) else data
            del entry
            return who, {**w.ids[ids], **(more_ids or {})}, sent, {}

        return made

    return play("bob", "table"), play("phone", "table-token")


def started(w):
    return {"match": 1, "kind": "pool", "of": 101, "player": w.refs}


WHICH = {"match": "1", "place": 1}
_TABLE = {
    "deals": at_table({**DEAL, "match": 1}),
    "deal": at_table(CORRECTED, dealt=True, more_ids=WHICH),
    "confirm": at_table({"match": 1, "c1": 1, "seat": 2}, dealt=True),
    "lock": at_table({"match": 1}),
    "match": at_table(started, dealt=True),
    "match-drop": at_table({}),
}


# --- people, hands, the rest ---------------------------------------------------------------------


def unknown(w):
    each = roster.unknown(w.alice)[0]
    said = {name: getattr(each, name) for name in ("name", "ref", "source", "event")}
    return "bob", {}, {**said, "player": "new"}, {}


def of_member(w):
    data = {"member": Membership.objects.get(user=w.dora.user).pk}
    return "alice", w.ids["player"], data, {}


def joins(w):
    _link, token = members.invite(w.alice, role=Role.VIEWER)
    return "mallory", {"token": token}, {}, {}


def held(w):
    retention.hold(w.alice, w.log, why="a dispute")
    return "alice", w.ids["hand"], {"end": "1"}, {}


def amended(w):
    """A sheet that was taken in, and one of its deals is otherwise."""
    w.clients["bob"].post(f"/sheets/{w.sheet.public_id}", {"do": "take", "match": "S"})
    type(w.sheet).objects.filter(pk=w.sheet.pk).update(
        body=bytes(w.sheet.body).replace(b"0,20", b"0,25")
    )
    return "bob", w.ids["sheet"], {"number": 1, "reason": "misread"}, {}


def corrected(w):
    """The wild card of the hand was another one."""
    said = {"version": w.log.version, "reason": "misread"}
    return "bob", w.ids["hand"], said, {"query": "?seq=1&line=wild+5C"}


def grows(w):
    import json

    upload(w.club, json.dumps(RECORD).encode() + b"\n")
    ids = {"public_id": HandLog.objects.order_by("-pk").first().public_id}
    card = {"type": "note", "text": "?"}
    return "key", ids, {"expect": 0, "events": [card]}, {}


def looked_into(w):
    """Give a shadow run something to adopt; give the numbers of its groups."""
    shadow.add_hands(viewer=w.alice, run=w.run, content=week(0, 1, 0, 0))
    w.run.parts.update(due=Now())
    work_off()
    return [each.number for each in shadow.found(w.alice, w.run).groups]


def adopted(w):
    return "key", w.ids["shadow"], {"name": "shadowed", "groups": looked_into(w)}, {}


def adopted_on_page(w):
    return "alice", w.ids["shadow"], {"slug": "shadowed", "groups": looked_into(w)}, {}


def disputes(w):
    data = {"kind": "score", "seq": 0, "text": WHY}
    return "bob", {}, data, {"query": f"?hand={w.log.public_id}"}


DESK = {
    "claim_hours": 5,
    "decide_hours": 48,
    "appeal_hours": 48,
    "idle_minutes": 60,
    "levels": 1,
    "least_text": 10,
}
EVENING = {"name": "Sunday", "date": "2026-11-29", "ruleset": "indian-13@1"}
NOTE = {"kind": "note", "text": "Seen on the film of the evening."}
CODE = "score-wrong"


def open_hand(w):
    return "key", {}, {"hand": w.log.public_id, "kind": "score", "seq": 0, "text": WHY}, {}


def new_member(w):
    join(w.club, "nina", Role.VIEWER)
    pk = Membership.objects.get(user__username="nina").pk
    return "alice", {"pk": pk}, {}, {}


PLAYS = {
    "invite POST": of("alice", "", {"role": "player"}),
    "open-hands POST": of("alice", "", {"open": "1"}),
    "name-confirm POST": unknown,
    "member-role POST": of("alice", "member", {"role": "player"}),
    "member-remove POST": new_member,
    "player-account POST": of_member,
    "invitation-end POST": of("alice", "invitation"),
    "join POST": joins,
    "keys POST": of("alice", "", {"name": "x", "scopes": [Scope.EXPORT], "days": 90}),
    "key-rotate POST": of("alice", "key"),
    "key-revoke POST": of("alice", "key"),
    "privacy POST": of("alice", "", {"opens": "later", "hours": 5}),
    "hold POST": lambda w: ("alice", {}, {"hand": w.log.public_id, "why": "a dispute"}, {}),
    "hand-hold POST hand.hold": of("alice", "hand", {"why": "a dispute"}),
    "hand-hold POST hand.let_go": held,
    "person-forget POST": of("alice", "player", {"sure": "forget"}),
    "shares POST": of("bob", "hand", {"seat": "1"}),
    "share-end POST": of("bob", "share"),
    "upload POST": of("bob", "", {"text": hand("new").decode()}),
    "sheet POST": of("bob", "sheet", {"do": "take", "match": "S"}),
    "sheet-amend POST": amended,
    "hand-amend POST": corrected,
    "case-new POST": disputes,
    "desk POST": of("alice", "", DESK),
    "case-claim POST": of("charlie", "case"),
    "case-release POST": after(claimed, "charlie"),
    "case-send POST": draft,
    "case-say POST": of("bob", "case", {"text": WHY}),
    "case-pin POST": of("bob", "case", NOTE),
    "case-decide POST": decided_by_form,
    "case-dismiss POST": after(claimed, "charlie", {"text": WHY}),
    "case-join POST": joined,
    "case-appeal POST": after(decided, "bob", {"text": WHY}),
    "case-withdraw POST": of("bob", "case", {"text": WHY}),
    "case-reopen POST": after(dismissed, "bob", NOTE),
    "club-rules-new POST": of("alice", "", {**RULES, "set_max": "3"}),
    "club-rules-next POST": of("alice", "rules-slug", {**RULES, "set_max": "4"}),
    "club-rules-activate POST": of("alice", "rules", {"valid_from": "2026-06-01"}),
    "club-money POST": of("alice", "", {"money": "on"}),
    "evening-new POST": of("bob", "", {**EVENING, "correction_minutes": 30}),
    "evening-players POST": of("bob", "evening", {"names": "Dinesh"}),
    "evening-tables POST": of("bob", "evening", {"name": "Table 5"}),
    "table-qr POST": of("bob", "table"),
    "table-link-end POST": of("bob", "table"),
    **{f"table-{name} POST": member for name, (member, _phone) in _TABLE.items()},
    **{f"table-link-{name} POST": phone for name, (_member, phone) in _TABLE.items()},
    "webhooks POST": of("alice", "", HOOK),
    "webhook POST webhook.change": of("alice", "webhook", {**HOOK, "act": "change"}),
    "webhook POST webhook.rotate": of("alice", "webhook", {"act": "rotate"}),
    "webhook POST webhook.try": of("alice", "webhook", {"act": "try"}),
    "webhook POST webhook.delete": of("alice", "webhook", {"act": "delete"}),
    "webhook-resend POST": of("alice", "delivery"),
    "shadow-runs POST": of("alice", "", {"words": "all"}),
    "shadow-run POST": adopted_on_page,
    "shadow-policy POST": lambda w: (
        "charlie",
        {**w.ids["shadow"], "code": CODE},
        {"act": "case"},
        {},
    ),
    "api:hands POST": of("key", "", hand("newer"), content_type="text/plain"),
    "api:hand-events POST": grows,
    "api:webhooks POST": of("key", "", HOOK),
    "api:webhook PATCH": of("key", "webhook", {"words": "ours"}),
    "api:webhook DELETE": of("key", "webhook"),
    "api:webhook-rotate POST": of("key", "webhook"),
    "api:webhook-try POST": of("key", "webhook"),
    "api:delivery-resend POST": of("key", "delivery"),
    "api:rulesets POST": of("key", "", RULES),
    "api:ruleset-activate POST": of("key", "rules-name", {"valid_from": "2026-06-01"}),
    "api:shadow POST": of("key", "", {"words": "May"}),
    "api:shadow-hands POST": of("key", "shadow", week(0, 1, 0, 0), content_type="text/plain"),
    "api:shadow-adopt POST": adopted,
    "api:policy PUT": lambda w: ("key", {"name": CODE}, {"act": "case"}, {}),
    "api:cases POST": open_hand,
    "api:case-say POST": of("key", "case", {"text": WHY}),
    "api:case-claim POST": of("key", "case"),
    "api:case-decide POST": decided_by_program,
    "api:case-release POST": of_referee(),
    "api:case-dismiss POST": of_referee({"text": WHY}),
    "api:case-join POST": of_referee(lambda w: {"into": w.case.number}),
    "api:case-pin POST": of_program(None, NOTE),
    "api:case-reopen POST": of_program(charlie_dismisses, NOTE),
    "api:case-appeal POST": of_program(charlie_decides, {"text": WHY}),
    "api:case-withdraw POST": of_program(None, {"text": WHY}),
}
