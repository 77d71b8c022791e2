"""Pages say settings, findings and acts in words: nothing that only a program would write."""

import re
from itertools import chain
from pathlib import Path

import pytest
from django.urls import reverse

from replays import audit, rule_words, trail, trail_words
from replays.cases import machine
from replays.code_examples import example, logs
from replays.models import HandLog
from replays.templatetags.words import with_settings
from rummy_audit.rules.findings import codes
from rummy_audit.rules.rulesets import FAMILIES, parameters
from tests.replays.hands import hand
from tests.replays.test_pages import FIVE

REGISTER = Path(__file__).with_name("trail.txt").read_text(encoding="utf-8")


def text_of(response):
    shown = re.sub(r"<code[^>]*>.*?</code>|<head>.*?</head>", " ", response.content.decode())
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", shown))


@pytest.mark.parametrize("family", FAMILIES)
def test_each_setting_of_a_game_and_each_of_its_words_has_a_name(family):
    known = parameters(family).values()
    words = set(chain.from_iterable(each.choices or () for each in known))

    assert {each.name for each in known} - set(rule_words.SETTINGS) == set()
    assert {each for each in words if not each.isdigit()} - set(rule_words.VALUES) == set()


def test_each_act_of_the_register_has_its_words():
    lines = [line.split() for line in REGISTER.splitlines() if line and not line.startswith("#")]
    said = {verb for line in lines if line[2] != "-" for verb in line[2:]}
    verbs = {verb for each in said for verb in each.split("+") if verb[-1] != "*"}

    assert verbs | {f"case.{verb}" for verb in machine.VERBS} <= set(trail_words.VERBS)


@pytest.fixture
def log(client, send):
    send(hand("five", lines=FIVE).replace(b"indian-13", b"indian-13-circle"))
    audit.audit_due()
    return HandLog.objects.get()


def test_the_pages_of_a_hand_say_their_codes_in_words(client, log):
    query = "?seq=2&rule=set_max&value=4"
    hand_page, what_if, under, listed = (
        client.get(address)
        for address in (
            reverse("hand", args=[log.public_id]),
            reverse("what-if", args=[log.public_id]) + query,
            reverse("under", args=[log.public_id]) + "?ruleset=indian-13",
            "/hands",
        )
    )
    family = client.get("/rules/indian")

    # The list of house rules is sorted by what is read, and its values are the logs' names.
    assert '<option value="set_max" selected>Most cards of a set (set_max)</option>' in (
        what_if.content.decode()
    )
    assert "A set has too many cards" in text_of(what_if)
    assert "Most cards of a set : none → 4" in text_of(under)
    assert "Where the ace stands" in text_of(family)
    assert "also round the corner" in text_of(family)
    code = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\bindian-13\S*|\bset-too-long\b")
    for page in (hand_page, under, listed, family):
        assert code.findall(text_of(page)) == []


def test_a_hand_is_said_with_cards_and_limits_as_people_write_them(client, send):
    send(hand("five", lines=FIVE))
    page = client.get(reverse("hand", args=[HandLog.objects.get().public_id]))

    said = text_of(page)
    assert (
        "flagged Asha’s declaration does not stand: 5♦ 5♣ joker Q♥ Q♠: a set of 5 cards, "
        "at most 4 are allowed."
    ) in said
    assert "Recorded 5 By the rules at most 4" in said
    # Who won stands with who says so.
    assert "Asha won 0 80 ●" in said
    assert "Bilal 36 won 0 ●" in said
    last = client.get(reverse("hand-at", args=[HandLog.objects.get().public_id, 4]))
    assert "Recorded Asha By the rules Bilal" in text_of(last)
    assert re.findall(r"\b[2-9TJQKA][SHDC]\b|\bJK\b", said) == []


def test_a_what_if_says_what_falls_away_what_is_new_and_when_nothing_changes(client, log):
    page = reverse("what-if", args=[log.public_id])
    changed = text_of(client.get(page + "?seq=2&rule=set_max&value=4"))
    same = text_of(client.get(page + "?seq=2&rule=set_max&value=6"))

    assert ("● new · Event" in changed, "Nothing changes" in changed) == (True, False)
    assert ("new ·" in same, "Nothing changes: the verdict" in same) == (False, True)


def test_the_trail_says_what_was_done(client, alice, db):
    trail.leave(alice, "ruleset.make", target="house@1")
    client.force_login(alice.user)

    page = client.get("/trail").content.decode()
    assert 'wrote a version of rules <code class="quiet">ruleset.make</code>' in page


def test_each_finding_has_an_example_of_its_own_in_which_it_is_found(client, db):
    shown = {code: example(code) for code in codes()}

    assert [code for code, each in shown.items() if not each] == []
    marked = {
        code: [line for line in each["lines"] if line["marked"]] for code, each in shown.items()
    }
    assert [code for code, lines in marked.items() if not lines] == []
    plays = {re.sub(r"^hand \S+", "", "".join(texts)) for texts in logs().values()}
    assert len(plays) == len(codes())

    remedies = [with_settings(codes()[code].remedy, each["family"]) for code, each in shown.items()]
    assert [
        each for each in remedies if re.search(r"[a-z]_[a-z]", re.sub("<[^>]+>", "", each))
    ] == []

    page = client.get("/findings/set-too-long").content.decode()
    assert 'Look up <a href="/rules/indian/set_max">Most cards of a set</a>: rulebooks' in page
    assert "<mark>declare 1 4H 5H 6H | 2D 3D 4D 5D 6D | 9H 9D 9C 9S JK / KC</mark>" in page
    assert "a set of 5 cards, at most 4 are allowed" in page


def test_each_value_of_a_game_s_rules_opens_where_it_comes_from(client, db):
    page = client.get("/rules/indian").content.decode()
    cells = re.findall(r"<td [^>]*>(.*?)</td>", page)

    assert len(cells) > 100
    opened = [re.match(r'<a href="(/rules/indian/\w+)#([\w@-]+)">.+</a>$', cell) for cell in cells]
    assert None not in opened
    assert f'id="{opened[0][2]}"' in client.get(opened[0][1]).content.decode()
