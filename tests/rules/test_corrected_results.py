"""What a ruling at the table corrected and was written anew was dealt with, in any game."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand

RULED = "ruling ref1 2 score-corrected\n"
# Of each game a hand that ends its match: what was wrong with the first result, the right one.
ENDINGS = {
    "gin": (
        "format=game deal=1",
        "score 1=110 2=0 winner=1 totals 1=110 2=0",
        "result 1=335 2=1 winner=2 bonus 1.game=100 1.shutout=90 1.box=25",
        ["winner-wrong", "total-wrong", "bonus-wrong"],
        "result 1=335 2=0 winner=1 bonus 1.game=100 1.shutout=100 1.box=25",
    ),
    "basic": (
        "format=target deal=1",
        "score 1=110 2=0 winner=1 totals 1=110 2=0",
        "result 1=111 2=0 winner=2",
        ["winner-wrong", "total-wrong"],
        "result 1=110 2=0 winner=1",
    ),
    "tile-easy": (
        "format=deals-1 deal=1",
        "score 1=50 2=-50 winner=1 totals 1=50 2=-50",
        "result 1=51 2=-50 winner=2",
        ["winner-wrong", "total-wrong"],
        "result 1=50 2=-50 winner=1",
    ),
    "indian-13": (
        "format=deals-1 deal=1",
        "score 1=0 2=50 winner=1 totals 1=130 2=30",
        "result 1=131 2=30 winner=2",
        ["winner-wrong", "total-wrong"],
        "result 1=130 2=30 winner=1",
    ),
}


def judged(game, *lines):
    match, score = ENDINGS[game][:2]
    head = f"hand H1 rhl=1 ruleset={game} detail=scores dealer=2\nplayer 1\nplayer 2\n"
    log = "\n".join([f"{head}match M {match}", score, *lines, "end"])
    (hand,) = read(log.encode())
    report = audit_match([Deal(hand, for_hand(hand.record), replay(hand))])
    return report.verdict, [(each.finding.code, each.finding.handled) for each in report.findings]


@pytest.mark.parametrize("game", ENDINGS)
def test_a_result_that_a_ruling_corrected_is_a_note(game):
    _, _, wrong, codes, right = ENDINGS[game]
    stands = sorted((code, False) for code in codes)

    assert judged(game, right) == ("clean", [])
    verdict, found = judged(game, wrong, RULED + right)
    assert (verdict, sorted(found)) == ("clean", sorted((code, True) for code in codes))
    # Without a ruling, or without another result, the wrong one stands.
    for lines in (
        [wrong, right],
        [wrong, RULED.strip()],
        [wrong, RULED.replace(" 2 ", " 1 "), right],
    ):
        verdict, found = judged(game, *lines)
        assert (verdict, sorted(found)) == ("flagged", stands)


@pytest.mark.parametrize(
    ("ruleset", "bonus"),
    [("basic", "2.game=100"), ("tile-easy", "2.game=100"), ("gin", "2.game=50")],
)
def test_so_is_a_bonus_that_is_not_due(ruleset, bonus):
    head = f"hand H1 rhl=1 ruleset={ruleset} detail=scores\nplayer 1\nplayer 2\n"
    points = "1=-60 2=60" if ruleset == "tile-easy" else "1=0 2=60"
    log = f"{head}score {points}\nresult winner=2 bonus {bonus}\n%sresult winner=2\nend"
    (ruled,), (not_ruled,) = read((log % RULED).encode()), read((log % "").encode())

    assert [(each.code, each.handled) for each in replay(ruled).findings] == [("bonus-wrong", True)]
    assert [each.handled for each in replay(not_ruled).findings] == [False]


@pytest.mark.parametrize("ruleset", ["gin", "basic", "tile-easy", "indian-13"])
def test_points_of_a_hand_that_was_annulled_are_taken_back_by_a_ruling(ruleset):
    head = f"hand H1 rhl=1 ruleset={ruleset} detail=shown\nplayer 1\nplayer 2\n"
    log = f"{head}misdeal cause=exposed-card\nscore 1=5 2=-5\n{RULED}score 1=0 2=0\nend misdeal"
    (hand,) = read(log.encode())

    assert [(each.code, each.handled) for each in replay(hand).findings] == [("score-wrong", True)]
