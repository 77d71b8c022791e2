"""Rules of a club's own: made in versions, in force from a day on, and hands judged by them."""

import datetime

import msgspec
import pytest

from replays import audit, queries, rulesets_of_clubs
from replays.models import ClubRuleset, HandLog, TrailEntry
from replays.rulesets_of_clubs import RulesetProblemsError
from rummy_audit.rules.rulesets import ruleset
from tests.replays.hands import hand

FIRST, LATER = datetime.date(2026, 1, 1), datetime.date(2026, 6, 1)


def make(viewer, **settings):
    return rulesets_of_clubs.make_ruleset_version(
        viewer=viewer, slug="house", name="Our rules", base="indian-13", settings=settings
    )


def activate(viewer, version, day):
    return rulesets_of_clubs.activate_ruleset(viewer=viewer, version=version, valid_from=day)


def report(log):
    _audit, said = queries.newest_audit(log)
    return said


def test_versions_are_counted_and_the_same_again_is_the_same(alice):
    first, again, second = make(alice, cap=100), make(alice, cap=100), make(alice, cap=101)

    assert (first.pinned, again.pk, second.pinned) == ("house@1", first.pk, "house@2")
    assert (first.base, first.active, first.valid_from) == ("indian-13@1", False, None)
    assert first.digest == ruleset("indian-13", house={"cap": 100}).digest
    verbs = TrailEntry.objects.values_list("verb", "target")
    assert list(verbs) == [("ruleset.make", "house@1"), ("ruleset.make", "house@2")]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Club 7", "club-7"),
        ("7 cards at ours", "club-7-cards-at-ours"),
        ("Indian, as we play it", "club-indian-as-we-play-it"),
        ("\u0915\u094d\u0932\u092c \u0928\u093f\u092f\u092e", "club-rules"),
        ("_under_ __score", "under-score"),
        ("Our rules!", "our-rules-2"),
        ("Our rules", "our-rules"),
        ("x" * 99, "x" * 47),
    ],
)
def test_rules_may_have_any_name_and_logs_have_a_word_for_them(alice, signed_in, name, slug):
    make(alice)
    ClubRuleset.objects.update(slug="our-rules")
    sent = {"base": "indian-13@1", "name": name, "first_drop": "25"}

    made = signed_in(alice).post("/club/rules/new", sent)

    newest = ClubRuleset.objects.latest("pk")
    assert (made.status_code, newest.name, newest.slug) == (302, name, slug)
    assert rulesets_of_clubs.check(slug=slug, base="indian-13", settings={}) == []


def test_every_problem_is_named_and_nothing_is_stored(alice):
    with pytest.raises(RulesetProblemsError) as raised:
        rulesets_of_clubs.make_ruleset_version(
            viewer=alice,
            slug="indian-ours",
            name="Ours",
            base="basic",
            settings={"run_min": 99, "rum_min": 3, "stock_exhausted": "block"},
        )

    assert [each.parameter for each in raised.value.problems] == ["slug", "run_min", "rum_min"]
    assert ClubRuleset.objects.count() == 0


def test_contradictions_are_named(alice):
    with pytest.raises(RulesetProblemsError) as raised:
        make(alice, set_min=4, set_max=3)

    assert [each.parameter for each in raised.value.problems] == ["set_min, set_max"]


def test_a_version_is_in_force_from_its_day_until_the_next(alice, club):
    first, second = make(alice, cap=100), make(alice, cap=101)
    assert rulesets_of_clubs.rules_at(club, "house", LATER) is None

    activate(alice, first, FIRST)
    activate(alice, second, LATER)

    days = [FIRST - datetime.timedelta(1), FIRST, LATER - datetime.timedelta(1), LATER]
    found = [rulesets_of_clubs.rules_at(club, "house", day) for day in days]
    assert found == [None, first, first, second]


def test_of_versions_in_force_the_one_from_the_latest_day_holds_whatever_its_number(alice, club):
    first, second = make(alice, cap=100), make(alice, cap=101)
    activate(alice, first, LATER)
    activate(alice, second, FIRST)

    days = [FIRST, LATER]
    assert [rulesets_of_clubs.rules_at(club, "house", day) for day in days] == [second, first]


def test_another_clubs_rules_are_not_found(alice, mallory):
    activate(alice, make(alice, cap=100), FIRST)

    assert rulesets_of_clubs.rules_at(mallory.club, "house", LATER) is None
    assert list(rulesets_of_clubs.listed(mallory)) == []


@pytest.mark.storage
@pytest.mark.parametrize("name", ["house", "house@1"])
def test_a_hand_that_names_a_clubs_rules_is_judged_by_them(name, alice, send):
    activate(alice, make(alice, cap=100), FIRST)
    text = hand().replace(b"ruleset=indian-13", f"ruleset={name}".encode())

    upload = send(text)
    audit.audit_due()

    log = HandLog.objects.get()
    assert (upload.created, log.ruleset, log.verdict) == (1, "house@1", "flagged")
    said = report(log)
    assert said["ruleset"] == {
        "id": "house@1",
        "digest": ruleset("indian-13", house={"cap": 100}).digest,
        "rules": {},
    }
    # Bilal's cards count 84: over the preset's cap of 80, below the club's.
    assert said["scores"] == {"1": 0, "2": 84}
    codes = [finding["code"] for finding in said["findings"]]
    assert codes == ["arrangement-not-best", "score-wrong"]


def test_the_finding_cites_the_clubs_own_rule(alice, send):
    activate(alice, make(alice, wrong_declaration_points=60), FIRST)
    lines = (
        "wild 7D\n"
        "declare 1 4H 5H 6H 7S | 8S 9S TS JK | 9H 9D 9C | KD KS / QC\n"
        "score 1=80 2=0 winner=2\nend\n"
    )
    send(hand(lines=lines).replace(b"ruleset=indian-13", b"ruleset=house"))
    audit.audit_due()

    rules = [each["rule"] for each in report(HandLog.objects.get())["findings"]]
    assert {
        "parameter": "wrong_declaration_points",
        "value": 60,
        "source": "own rule of the club",
    } in rules


def test_a_hand_keeps_the_version_it_came_in_under(alice, send):
    activate(alice, make(alice, cap=100), FIRST)
    send(hand().replace(b"ruleset=indian-13", b"ruleset=house"))
    activate(alice, make(alice, cap=82), FIRST)
    audit.audit_due()

    log = HandLog.objects.get()
    assert (log.ruleset, report(log)["scores"]) == ("house@1", {"1": 0, "2": 84})


def test_when_the_hand_was_played_decides_which_version_is_meant(alice, send):
    activate(alice, make(alice, cap=100), FIRST)
    activate(alice, make(alice, cap=82), LATER)
    text = hand(head="started=2026-02-03T20:00:00Z")
    send(text.replace(b"ruleset=indian-13", b"ruleset=house"))

    assert HandLog.objects.get().ruleset == "house@1"


def test_rules_not_yet_in_force_and_rules_nobody_made_are_refused(alice, send):
    make(alice, cap=100)

    for name, expected in (("house", "a version in force on"), ("hause", "one of basic")):
        upload = send(hand().replace(b"ruleset=indian-13", f"ruleset={name}".encode()))
        outcome = upload.outcomes.get()
        assert (outcome.kind, outcome.found) == ("rejected", f"ruleset {name}")
        assert outcome.expected.startswith(expected)


def test_rules_of_clubs_are_looked_up_once_for_many_hands(alice, send, django_assert_num_queries):
    activate(alice, make(alice, cap=100), FIRST)
    names = [f"H{number}" for number in range(3)]
    send(b"".join(hand(each).replace(b"ruleset=indian-13", b"ruleset=house@1") for each in names))
    logs = list(HandLog.objects.all())
    own = rulesets_of_clubs.OwnRules()

    with django_assert_num_queries(1):
        record = msgspec.structs.replace(queries_record(), ruleset="house@1")
        found = [own.of(log)(record) for log in logs]

    assert [each.name for each in found] == ["house@1"] * 3


def queries_record():
    from replays.logs import hand_in

    return hand_in(hand()).record
