"""The deal: who plays, how many tiles, a known order of them, and hands that were annulled."""

import pytest

from rummy_audit.rhl.shuffle import commit, deck_from, tiles_pack
from rummy_audit.rules.replay import replay
from tests.rules.tile.play import audit, codes, found_in, log

PACK = [*tiles_pack()]
FIRST, OTHER = PACK[0:28:2], PACK[1:28:2]


def deck(*acts, pack=PACK, first=FIRST, other=OTHER, seats=(1, 2)):
    """Return a log in which the first seat of two was dealt first, from a stated order."""
    one, two = seats
    return "\n".join(
        [
            f"deck {' '.join(pack)}",
            f"deal {one} {' '.join(first)}",
            f"deal {two} {' '.join(other)}",
            *acts,
        ]
    )


@pytest.mark.parametrize(
    ("seats", "count"), [((1,), 1), ((1, 2), 0), ((1, 2, 3, 4), 0), ((1, 2, 4, 5, 7), 5)]
)
def test_two_to_four_play(seats, count):
    found = found_in(f"draw {seats[0]} stock", seats=seats)

    assert found == ([("player-count", 0, None)] if count else [])


def test_who_was_dealt_nothing_does_not_play():
    dealt = "\n".join(f"deal {seat} x14" for seat in (1, 2, 3, 4))

    assert found_in(f"{dealt}\ndraw 1 stock", seats=(1, 2, 3, 4, 5)) == []
    assert found_in("score 1=0\nend", detail="scores", seats=(1,))[0] == ("player-count", 0, None)


@pytest.mark.parametrize(("count", "wrong"), [(13, True), (14, False), (15, True)])
def test_fourteen_tiles_each(count, wrong):
    found = audit(f"deal 1 x14\ndeal 2 x{count}\ndraw 1 stock")

    assert codes(found) == ([("deal-count", 2, 2)] if wrong else [])


def test_a_deal_without_a_number_is_not_judged():
    found = audit("deal 1\ndeal 2 x14\ndraw 1 stock\npass 2")

    assert codes(found) == []
    assert {each.check for each in found.not_run} == {"deal-count", "tile-draw-missing"}


def test_who_was_dealt_nothing_is_out_of_turn_once_and_moves_no_turn():
    dealt = "deal 1 x14\ndeal 2 x14\ndeal 3 x14\ndraw 1 stock\ndraw 4 stock\n"
    lines = f"{dealt}draw 2 stock\ndraw 3 stock\ndraw 4 stock\ndraw 1 stock"

    assert found_in(lines, seats=(1, 2, 3, 4)) == [("out-of-turn", 5, 4)]


def test_who_was_dealt_no_tile_in_so_many_words_is_in_no_turn_either():
    lines = "deal 1 x14\ndeal 2 x14\ndeal 3 x0\ndraw 1 stock\ndraw 2 stock\ndraw 1 stock"

    assert found_in(lines, seats=(1, 2, 3)) == [("deal-count", 3, 3)]


def test_one_deal_does_not_say_that_nobody_else_was_dealt():
    found = audit("deal 1 x14\ndraw 1 stock\ndraw 2 stock\nend abandoned")

    assert codes(found) == []
    assert "deal-count" in [each.check for each in found.not_run]
    lines = f"deck {' '.join(PACK)}\ndeal 1 {' '.join(FIRST)}\ndraw 1 stock {PACK[28]}"
    assert found_in(lines, detail="full") == []


def test_tiles_dealt_while_the_hand_is_played_or_over():
    begun = "deal 1 x14\ndeal 2 x{}\ndraw 1 stock\ndeal 2 x1\ndraw 2 stock"
    assert found_in(begun.format(14)) == [("deal-count", 4, 2)]
    assert found_in(begun.format(13)) == [("deal-count", 2, 2)]
    over = "deal 1 x4\ndeal 2 x4\nplay 1 R13 B13 K13 O13\ndeal 2 x1\nshow 2 + R1 R2 R3 R4"
    assert found_in(over, rules="hand_size=4") == [("event-after-end", 4, 2)]


def test_a_deal_in_parts_is_what_it_comes_to():
    begun = "deal 1 x7\ndeal 2 x7\ndeal 1 x7\ndeal 2 "

    assert found_in(f"{begun}x7\ndraw 1 stock") == []
    assert found_in(f"{begun}x8\ndraw 1 stock") == [("deal-count", 4, 2)]
    assert found_in(f"{begun}x8\nmisdeal cause=wrong-count\nend misdeal") == []
    assert found_in(f"{begun}x7\nmisdeal cause=wrong-count\nend misdeal") == [
        ("misdeal-unfounded", 5, None)
    ]


def test_tiles_come_from_a_stated_order_one_at_a_time_from_the_first_deal():
    assert (
        found_in(deck(f"draw 1 stock {PACK[28]}", f"draw 2 stock {PACK[29]}"), detail="full") == []
    )
    turned = deck(f"draw 2 stock {PACK[28]}", seats=(2, 1))
    assert found_in(turned, detail="full") == []


def test_a_tile_dealt_otherwise_than_it_lay():
    first, other = [*FIRST], [*OTHER]
    first[3], other[5] = other[5], first[3]
    lines = deck(f"draw 1 stock {PACK[29]}", first=first, other=other)

    assert found_in(lines, detail="full") == [("deck-order", 2, 1)]


def test_a_tile_drawn_otherwise_than_it_lay_is_named_once():
    lines = deck(f"draw 1 stock {PACK[29]}", f"draw 2 stock {PACK[28]}", f"draw 1 stock {PACK[31]}")
    (finding,) = audit(lines, detail="full").findings

    assert (finding.code, finding.seq, finding.seat) == ("deck-order", 4, 1)
    assert (finding.recorded, finding.expected) == (PACK[29], PACK[28])


def test_penalty_tiles_come_from_the_stated_order_too():
    three = " ".join(PACK[28:31])
    wrong = " ".join([PACK[29], PACK[28], PACK[30]])
    turn = f"play 1 {FIRST[0]} {FIRST[1]}"

    assert found_in(deck(turn, f"penalty 1 {three}"), detail="full") == []
    assert found_in(deck(turn, f"penalty 1 {wrong}"), detail="full") == [("deck-order", 5, 1)]
    unseen = deck(turn, "penalty 1 x3", f"draw 2 stock {PACK[31]}")
    assert found_in(unseen, detail="full") == []


def test_a_penalty_without_a_number_loses_the_order():
    turn = (f"play 1 {FIRST[0]} {FIRST[1]}", "penalty 1", f"draw 2 stock {PACK[31]}")
    found = audit(deck(*turn), detail="full")

    assert codes(found) == []
    assert "deck-order" in [each.check for each in found.not_run]
    shuffle = shuffled("rain", "seed=rain", stated=False).splitlines()
    draw, reveal = shuffle[-2:]
    turn = (f"play 1 {' '.join(shuffle[1].split()[2:4])}", "penalty 1")
    late = draw.replace("draw 1", "draw 2").split()[:3]
    order = deck_from("rain", 7, ("a", "b"), PACK)
    lines = [*shuffle[:-2], *turn, " ".join([*late, order[31]]), reveal]
    assert found_in("\n".join(lines), detail="full") == []


def test_an_uneven_deal_cannot_be_laid_over_the_order():
    lines = deck(f"draw 1 stock {PACK[29]}", first=[*FIRST, PACK[28]])
    found = audit(lines, detail="full")

    assert codes(found) == [("deal-count", 2, 1)]
    assert [each.check for each in found.not_run] == ["deck-order"]


@pytest.mark.parametrize(
    ("pack", "code"),
    [
        (PACK[1:], "deck-order"),
        ([*PACK[1:], "R14"], "card-not-in-deck"),
        ([*PACK[1:], "JK"], "too-many-copies"),
    ],
)
def test_the_stated_order_holds_all_tiles(pack, code):
    assert [each for each, _, _ in found_in(f"deck {' '.join(pack)}\ndeal 1 x14\ndeal 2 x14")] == [
        code
    ]


def shuffled(seed, reveal, *, stated=False):
    tiles = deck_from(seed, 7, ("a", "b"), tiles_pack())
    lines = [f"shuffle scheme=rhl-shuffle-1 commit={commit(seed)} client=a,b nonce=7"]
    lines += [f"deck {' '.join(tiles)}"] if stated else []
    lines += [f"deal 1 {' '.join(tiles[0:28:2])}", f"deal 2 {' '.join(tiles[1:28:2])}"]
    lines += [f"draw 1 stock {tiles[28]}", f"reveal {reveal}"]
    return "\n".join(lines)


@pytest.mark.parametrize("stated", [False, True])
def test_the_order_follows_from_the_seed_that_was_committed_to(stated):
    assert found_in(shuffled("rain", "seed=rain", stated=stated), detail="full") == []
    wrong = found_in(shuffled("rain", "seed=snow", stated=stated), detail="full")
    assert [code for code, _, _ in wrong] == ["shuffle-mismatch"]


def test_a_seed_that_gives_another_order():
    dry = shuffled("rain", "seed=sun").replace(commit("rain"), commit("sun"))

    assert [code for code, _, _ in found_in(dry, detail="full")] == ["shuffle-mismatch"]


def test_the_order_of_a_new_deal_stands_before_it():
    """A pack shuffled again after a misdeal is followed as the first one was."""
    turned = [*reversed(PACK)]
    again = deck(
        f"draw 1 stock {turned[28]}", pack=turned, first=turned[0:28:2], other=turned[1:28:2]
    )
    wrong = again.replace(f"stock {turned[28]}", f"stock {turned[29]}")
    before = deck("misdeal cause=agreed")

    assert found_in(f"{before}\n{again}", detail="full") == []
    assert found_in(f"{before}\n{wrong}", detail="full") == [("deck-order", 8, 1)]
    assert found_in(f"{before}\n{again.splitlines()[0]}\nend misdeal", detail="full") == []


@pytest.mark.parametrize(("told", "found"), [("rain", []), ("snow", ["shuffle-mismatch"])])
def test_the_seed_of_a_new_deal_stands_before_it(told, found):
    lines = f"{deck('misdeal cause=agreed')}\n{shuffled('rain', f'seed={told}')}"

    assert [code for code, _, _ in found_in(lines, detail="full")] == found
    assert audit(lines, detail="full").not_run == ()


def test_a_seed_without_its_shuffle_is_not_judged():
    found = audit(deck("reveal seed=rain"), detail="full")

    assert codes(found) == []
    assert [each.check for each in found.not_run] == ["shuffle-mismatch"]


# Annulled


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param("deal 1 x14\ndeal 2 x15\nmisdeal cause=wrong-count\nend misdeal", [], id="a"),
        pytest.param("deal 1 x14\ndeal 2 x15\nend misdeal", [], id="only the end says so"),
        pytest.param(
            "deal 1 x14\ndeal 2 x14\nmisdeal cause=wrong-count\nend misdeal",
            [("misdeal-unfounded", 3, None)],
            id="the count was right",
        ),
        pytest.param("deal 1 x14\ndeal 2 x14\nmisdeal cause=agreed\nend misdeal", [], id="agreed"),
        pytest.param(
            "draw 1 stock\nmisdeal cause=agreed\nend misdeal",
            [("misdeal-unfounded", 4, None)],
            id="agreed after somebody acted",
        ),
        pytest.param(
            "irregularity exposed-card 2 K1\nmisdeal cause=exposed-card\nend misdeal", [], id="seen"
        ),
        pytest.param("draw 1 stock\nvoid cause=agreed\nend void", [], id="void, agreed"),
        pytest.param(
            "draw 1 stock\nvoid cause=stock-exhausted\nend void",
            [("void-unfounded", 4, None)],
            id="void for the stock",
        ),
        pytest.param("misdeal\nend misdeal", [], id="no cause, not judged below full"),
    ],
)
def test_a_hand_is_annulled_with_a_reason(lines, found):
    assert found_in(lines) == found


def test_at_full_detail_a_reason_shows_in_the_log():
    dealt = f"deal 1 {' '.join(FIRST)}\ndeal 2 {' '.join(OTHER)}\n"

    assert found_in(f"{dealt}misdeal\nend misdeal", detail="full") == [
        ("misdeal-unfounded", 3, None)
    ]
    assert found_in(f"{dealt}end misdeal", detail="full") == [("misdeal-unfounded", 0, None)]
    assert found_in(f"{dealt}end void", detail="full") == [("void-unfounded", 0, None)]


@pytest.mark.parametrize("cause", ["exposed-card", "not-shuffled", "other"])
def test_a_cause_that_the_log_cannot_show_is_not_judged(cause):
    found = audit(f"misdeal cause={cause}\nend misdeal")

    assert codes(found) == []
    assert [each.check for each in found.not_run] == ["misdeal-unfounded"]


def test_a_wrong_deal_that_was_dealt_again_was_dealt_with():
    found = audit("deal 1 x14\ndeal 2 x15\nmisdeal cause=wrong-count\nend misdeal")

    assert codes(found, notes=True) == [("deal-count", 2, 2)]
    assert found.result.outcome == "misdeal"


def test_dealt_again_in_the_same_log():
    lines = (
        "deal 1 x14\ndeal 2 x15\nmisdeal cause=wrong-count\ndeal 1 x14\ndeal 2 x14\ndraw 2 stock"
    )

    assert found_in(lines) == []


def test_of_an_annulled_hand_nobody_owes_a_penalty():
    assert found_in("play 1 B7 B8 undone=true\nvoid cause=agreed\nend void") == []


def test_play_after_a_hand_was_annulled():
    assert found_in("void cause=agreed\ndraw 1 stock\ndraw 2 stock") == [("event-after-end", 4, 1)]


def test_an_amendment_is_judged_in_its_targets_place():
    lines = 'draw 1 stock\ndraw 1 stock\namend 4 by=scorer reason="typed wrong seat" : draw 2 stock'

    assert found_in(lines) == []
    assert codes(replay(log(lines), corrected=False)) == [("second-draw", 4, 1)]


def test_each_event_of_an_amendment_is_judged_by_itself():
    """They have one seq: what was handled of a play says nothing of its penalty."""
    lines = "draw 1 stock\ndraw 2 stock\nend abandoned\namend 4 : play 2 B7 B8 ; penalty 2 x2"
    found = audit(lines)

    assert codes(found) == [("penalty-wrong", 4, 2)]
    assert codes(found, notes=True) == [("table-invalid", 4, 2), ("group-too-short", 4, 2)]


@pytest.mark.parametrize(
    "event", ["discard 1 R1", "meld 1 R1 R2 R3", "drop 1", "declare 1 R1 R2 R3"]
)
def test_events_of_other_games_are_kept_and_noted(event):
    found = audit(f"{event}\ndraw 1 stock\ndraw 2 stock")

    assert codes(found) == []
    assert codes(found, notes=True) == [("unknown-event", 3, None)]
