"""A club with one of each thing, everybody who may ask, and another club: built once a module."""

import datetime
from types import SimpleNamespace

from django.db.models.functions import Now
from django.utils import timezone

from replays import (
    audit,
    cases,
    deals,
    evenings,
    keys,
    links,
    match_audits,
    members,
    shadow,
    webhooks,
)
from replays.cases import open_case
from replays.deals import Typed
from replays.models import Club, HandLog, MatchRow, Membership, Player, ScoreSheet, default_club
from replays.models.keys import LinkKind
from replays.models.people import Role, Scope
from replays.rulesets_of_clubs import make_ruleset_version
from tests.replays.conftest import join, upload
from tests.replays.disputes import decide, disputed, png

# Stands in every name, text and address of the club's things: nobody else ever sees it.
CANARY = "Kanarienvogel"
DAY = datetime.date(2026, 11, 28)


def people():
    """The members of a club by name, and mallory, who owns another one."""
    club = default_club()
    other = Club.objects.create(slug="other", name="The other club")
    roles = {
        "alice": Role.OWNER,
        "bob": Role.SCOREKEEPER,
        "charlie": Role.REFEREE,
        "dora": Role.PLAYER,
        "victor": Role.VIEWER,
    }
    found = {name: join(club, name, role) for name, role in roles.items()}
    return SimpleNamespace(**found, mallory=join(other, "mallory", Role.OWNER))


def settle():
    """Judge all that is owed."""
    while audit.audit_due():
        pass
    MatchRow.objects.update(due=Now())
    while match_audits.audit_due():
        pass


def world(word=CANARY):
    """One of each kind in the club, with a word in each name; ``ids`` stand in the addresses."""
    w = people()
    w.club = w.alice.club
    text = disputed(name=f"{word}-7").replace(b"Asha", word.encode())
    w.upload = upload(w.club, text.replace(b"pool-1 ", f"{word}-1 ".encode()))
    settle()
    w.log, w.match = HandLog.objects.get(), MatchRow.objects.get()
    w.player = Player.objects.create(club=w.club, ref=word, name=word)
    w.case, _new = open_case(w.bob, log=w.log, kind="declaration", text=word * 9, seq=2)
    w.ruled, _new = open_case(w.bob, log=w.log, kind="conduct", text=word * 9, seq=0)
    w.pinned = cases.pin(w.bob, w.ruled, kind="image", picture=png(), text=word)
    w.decision = decide(w.charlie, cases.claim(w.charlie, w.ruled), effect="none", text=word * 9)
    w.rules = make_ruleset_version(
        viewer=w.alice, slug="canary", name=word, base="indian-13@1", settings={"set_max": 3}
    )
    w.evening = evenings.make_evening(
        viewer=w.bob, name=word, date=DAY, ruleset="indian-13@1", correction_minutes=30
    )
    w.table = evenings.add_table(viewer=w.bob, evening=w.evening, name=word)
    named = [evenings.Named(name) for name in (word, "Bilal", "Chitra")]
    evenings.add_players(viewer=w.bob, evening=w.evening, named=named)
    w.refs = [each.ref for each in evenings.roster(w.evening)]
    w.played = evenings.start_match(
        viewer=w.bob, table=w.table, match_format="pool-101", refs=w.refs
    )
    # A table on which a deal has been entered.
    w.dealt = evenings.add_table(viewer=w.bob, evening=w.evening, name=f"{word} 2")
    match = evenings.start_match(viewer=w.bob, table=w.dealt, match_format="pool-101", refs=w.refs)
    typed = Typed(1, {2: 20, 3: 30})
    deals.enter_deal(viewer=w.bob, match=match, key="first", number=1, typed=typed)
    _link, w.dealt_phone = evenings.make_table_link(viewer=w.bob, table=w.dealt)
    body = f"deal,{word},Bilal\n1,0,20\n".encode()
    w.sheet = ScoreSheet.objects.create(
        club=w.club, user=w.bob.user, file=f"{word}.csv", body=body, received_at=timezone.now()
    )
    w.hook = webhooks.make_endpoint(
        viewer=w.alice,
        url=f"https://{CANARY}.example/",
        events=["hand.audited"],
        words=word,
    )
    w.sent = webhooks.send_example(viewer=w.alice, endpoint=w.hook)
    w.key, _secret = keys.make_key(w.alice, name=word, scopes=[Scope.HANDS_READ])
    w.invitation, w.invited = members.invite(w.alice, role=Role.PLAYER)
    scope = {"hand": w.log.public_id, "seat": None, "seq": None}
    w.share, w.shared = links.make_link(w.bob, kind=LinkKind.SHARE, scope=scope)
    _link, w.phone = evenings.make_table_link(viewer=w.bob, table=w.table)
    w.run = shadow.run_over_upload(viewer=w.alice, words=word)
    w.ids = ids_of(w)
    return w


def ids_of(w):
    """What stands in the address of each kind of thing."""
    return {
        "hand": {"public_id": w.log.public_id},
        "upload": {"public_id": w.upload.public_id},
        "upload-ids": {"ids": w.upload.public_id},
        "match": {"public_id": w.match.public_id},
        "sheet": {"public_id": w.sheet.public_id},
        "case": {"number": w.case.number},
        "decision": {"number": w.decision.number},
        "evidence": {"number": w.ruled.number, "event": w.pinned.event.number},
        "rules": {"slug": w.rules.slug, "version": 1},
        "rules-slug": {"slug": w.rules.slug},
        "rules-name": {"name": w.rules.slug, "version": 1},
        "evening": {"public_id": w.evening.public_id},
        "table": {"public_id": w.table.public_id},
        "deal": {"public_id": w.dealt.public_id, "match": "1", "place": 1},
        "webhook": {"public_id": w.hook.public_id},
        "delivery": {"public_id": w.hook.public_id, "delivery_id": w.sent.public_id},
        "member": {"pk": Membership.objects.get(user=w.charlie.user).pk},
        "player": {"pk": w.player.pk},
        "key": {"prefix": w.key.prefix},
        "invitation": {"public_id": w.invitation.public_id},
        "share": {"public_id": w.share.public_id},
        "invitation-token": {"token": w.invited},
        "share-token": {"token": w.shared},
        "table-token": {"token": w.phone},
        "deal-token": {"token": w.dealt_phone, "match": "1", "place": 1},
        "shadow": {"public_id": w.run.public_id},
    }
