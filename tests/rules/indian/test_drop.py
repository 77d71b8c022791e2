"""001 Drop rules: first and middle drop, leaving, missed turns, and formats without drops."""

import pytest

from tests.rules.indian.hands import RIGHT, SHOWN, dealt, found, judged, not_run, said, turns

ALONE = {"players": 2}


def scored(body, one, two, **settings):
    """Return what is found when seat 2 is the last one left and this is written down."""
    return judged(f"{body}\nscore 1={one} 2={two} winner=2", **{**ALONE, **settings})


@pytest.mark.parametrize(
    ("body", "points"),
    [
        pytest.param("drop 1", 20, id="first-turn"),
        pytest.param(turns(1, 2) + "\ndrop 1", 40, id="middle"),
        pytest.param("miss 1\n" + turns(2) + "\ndrop 1", 20, id="first-turn-after-a-miss"),
        pytest.param(
            "draw 1 discard KS\ndiscard 1 KC\n" + turns(2) + "\ndrop 1", 40, id="took-the-open-card"
        ),
    ],
)
def test_what_a_drop_costs(body, points):
    result = scored(body, points, 0)

    assert (said(result), result.result.scores) == ([], {1: points, 2: 0})
    assert result.result.winner == 2
    wrong = scored(body, points + 20, 0)
    (finding,) = wrong.findings
    assert (finding.code, finding.seat) == ("penalty-points-wrong", 1)
    assert (finding.recorded, finding.expected) == (points + 20, points)


@pytest.mark.parametrize(
    ("form", "first", "middle"),
    [("points", 20, 40), ("pool-101", 20, 40), ("pool-201", 25, 50), ("pool-61", 15, 30)],
)
def test_a_format_sets_what_drops_cost(form, first, middle):
    match = {"match": f"M1 format={form}"}

    assert said(scored("drop 1", first, 0, **match)) == []
    assert said(scored(turns(1, 2) + "\ndrop 1", middle, 0, **match)) == []


def test_a_drop_after_the_draw_is_late():
    body = "draw 1 stock 8C\ndrop 1"

    assert said(scored(body, 40, 0)) == ["drop-late 6/1"]
    assert said(scored(body, 40, 0, rules="drop_after_draw=true")) == []


def test_a_drop_out_of_turn_is_late_and_takes_nobodys_turn():
    assert found("drop 2\n" + turns(1, 3, 1), end="") == ["drop-late 6/2"]
    assert found("draw 1 stock 8C\ndrop 2\ndiscard 1 8C\n" + turns(3, 1), end="") == [
        "drop-late 7/2"
    ]
    # Nor is it a second slip where the table goes on from whoever dropped.
    assert found("drop 2\n" + turns(3, 1), end="") == ["drop-late 6/2"]
    assert found("drop 2\n" + turns(3, 1, 3, 1), end="") == ["drop-late 6/2"]


def test_a_drop_out_of_turn_with_nothing_drawn_is_a_first_drop():
    result = judged(
        "drop 2\n" + turns(1) + "\ndraw 3 stock 8C\ndrop 3\nscore 1=0 2=20 3=40 winner=1"
    )

    assert said(result) == ["drop-late 6/2", "drop-late 10/3"]


def test_when_all_but_one_drop_the_last_has_won():
    result = judged("drop 1\ndrop 2\nscore 1=20 2=20 3=0 winner=3")

    assert (said(result), result.result.winner) == ([], 3)
    assert found("drop 1\ndrop 2\ndrop 3\nscore 1=20 2=20 3=0 winner=3") == ["event-after-end 8/3"]
    assert found("drop 1\ndrop 2\n" + turns(3), end="") == ["event-after-end 8/3"]


def test_a_drop_after_a_right_declaration_saves_no_points():
    body = f"draw 1 stock 5D\n{RIGHT}\ndrop 2\n{SHOWN[3]}\nscore 1=0 2=40 3=55 winner=1"

    assert found(body) == ["event-after-end 8/2", "score-wrong 10/2"]


def test_drop_then_miss():
    assert found("drop 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3), end="") == []


# Leaving


@pytest.mark.parametrize(
    ("ruleset", "before", "after"),
    [("indian-13", 40, 40), ("indian-13-central", 20, 40), ("indian-13-circle", 20, 40)],
)
def test_leaving_costs_a_first_or_a_middle_drop_by_the_rulebook(ruleset, before, after):
    rules = {"ruleset": ruleset}

    assert said(scored("leave 1", before, 0, **rules)) == []
    assert said(scored(turns(1, 2) + "\nleave 1", after, 0, **rules)) == []
    assert said(scored("draw 1 stock 8C\nleave 1", after, 0, **rules)) == []
    assert said(scored("leave 1", 80, 0, **rules)) == ["penalty-points-wrong 6/1"]


def test_leaving_is_allowed_at_any_time():
    assert found("draw 1 stock 8C\nleave 3\ndiscard 1 8C\n" + turns(2, 1), end="") == []
    assert found("leave 2\n" + turns(1, 3), end="") == []


def test_leaving_between_draw_and_discard_passes_the_turn_and_leaves_a_dead_hand():
    assert found("draw 1 stock 8C\nleave 1\n" + turns(2, 3, 2), end="") == []
    body = "draw 1 stock 8C\nleave 1\n" + turns(2) + "\ndiscard 1 8C"
    assert found(body, end="") == ["acted-after-drop 10/1"]


def test_leaving_after_the_hand_is_over_is_nobodys_business():
    body = f"draw 1 stock 5D\n{RIGHT}\n{SHOWN[2]}\n{SHOWN[3]}\nleave 2\nscore 1=0 2=33 3=55"

    assert found(body) == []


def test_leaving_after_a_drop_costs_nothing_more():
    assert said(scored("drop 1\nleave 1", 20, 0)) == []


# Missed turns


def test_three_missed_turns_cost_a_middle_drop():
    body = "miss 1\n" + turns(2) + "\nmiss 1\n" + turns(2) + "\nmiss 1"

    assert said(scored(body, 40, 0)) == []
    assert said(scored(body, 20, 0)) == ["penalty-points-wrong 12/1"]
    assert said(scored(body + "\ndrop 1", 40, 0)) == []


def test_a_hand_dead_after_the_draw_costs_a_middle_drop():
    assert said(scored("draw 1 stock 8C\nmiss 1", 40, 0)) == []


# Formats without drops


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("leave 1", id="leaving"),
        pytest.param("miss 1\n" + turns(2) + "\nmiss 1\n" + turns(2) + "\nmiss 1", id="misses"),
    ],
)
def test_where_nobody_may_drop_going_costs_the_most(body):
    assert said(scored(body, 80, 0, match="M1 format=deals-2")) == []
    assert said(scored(body, 40, 0, match="M1 format=deals-2"))[-1].startswith(
        "penalty-points-wrong"
    )


def test_003_deals_know_no_drops():
    result = scored("drop 1", 80, 0, match="M1 format=deals-2")

    assert said(result) == ["drop-not-allowed 5/1"]
    assert result.findings[0].rule.source == "003 What is a Drop?"
    # One slip: the time does not matter where it was not allowed at all.
    assert said(scored("draw 1 stock 8C\ndrop 1", 80, 0, rules="drops=false")) == [
        "drop-not-allowed 6/1"
    ]


# In a log without play


def test_a_drop_in_a_log_without_play_is_a_first_or_a_middle_one():
    settings = {"detail": "shown"}
    body = f"drop 2\n{RIGHT}\n{SHOWN[3]}\nscore 1=0 2={{}} 3=55 winner=1"

    assert found(body.format(20), **settings) == []
    assert found(body.format(40), **settings) == []
    assert found(body.format(30), **settings) == ["penalty-points-wrong 5/2"]
    assert judged(body.format(20), **settings).result.scores == {1: 0, 3: 55}


@pytest.mark.parametrize("detail", ["shown", "scores"])
@pytest.mark.parametrize(
    ("body", "right", "wrong"),
    [
        ("drop 2", (20, 40), 33),
        ("leave 2", (40,), 20),
        ("declare 2 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D KC", (80,), 60),
    ],
)
def test_001_drop_rules_who_is_out_pays_though_nobody_noted_who_declared(
    detail, body, right, wrong
):
    body = f"{body}\nscore 1=0 2={{}} 3=55 winner=1"

    for points in right:
        settled = judged(body.format(points), detail=detail, start="wild 7H")
        assert (settled.verdict, settled.result.winner) == ("clean", None)
    refused = judged(body.format(wrong), detail=detail, start="wild 7H")
    assert "penalty-points-wrong 3/2" in said(refused)


def test_a_mark_tells_which_drop_it_was_in_a_log_without_play():
    body = "drop 2\nscore 1=0 2={} 3=55 winner=1 marks 2={}"
    notes = {"detail": "shown"}

    assert found(body.format(20, "first-drop"), **notes) == []
    assert found(body.format(20, "middle-drop"), **notes) == ["penalty-points-wrong 3/2"]
    assert found(body.format(33, "middle-drop"), **notes) == ["penalty-points-wrong 3/2"]


def test_001_drop_rules_missed_turns_are_not_taken_for_consecutive_where_no_play_was_seen():
    missed = f"miss 2\nmiss 2\nmiss 2\n{RIGHT}\n{SHOWN[2]}\nscore 1=0 2={{}} winner=1"

    for points in (33, 40):
        result = judged(missed.format(points), detail="shown", players=2)
        assert said(result) == []
        assert "followed one another" in not_run(result)["score-wrong"]


def test_nobody_is_left_alone_by_missed_turns_where_no_play_was_seen():
    body = "miss 2\nmiss 2\nmiss 2\ndrop 3\ndrop 1\nscore 1={} 2=0 3=20 winner=2"
    notes = {"detail": "shown"}

    assert found(body.format(40), **notes) == found(body.format(20), **notes) == []
    assert found(body.format(30), **notes) == ["penalty-points-wrong 7/1"]


def test_who_should_have_been_dropped_plays_on_when_all_others_are_out():
    missed = "miss 2\n{0}\nmiss 2\n{0}\nmiss 2\ndrop 3\n{1}\n".format(turns(3, 1), turns(1))
    body = f"{turns(1)}\n{missed}"
    acts = "draw 2 stock 2S\ndiscard 2 2S\ndrop 1\nscore 1=40 2=0 3=40"

    assert found(f"{body}{acts}") == ["auto-drop-missing 22/2"]
    # Where it acts no more the one who was left alone had won.
    assert found(f"{body}score 1=0 2=40 3=40") == ["event-after-end 20/1"]


def test_a_misdeal_is_due_at_the_first_draw_also_behind_a_last_miss():
    start = "\n".join([dealt(1), f"{dealt(2)} 7S", "upcard KS", "wild 7H"])
    body = "miss 1\ndraw 2 stock 2S\ndiscard 2 2S\ndraw 1 stock 8C\ndiscard 1 8C\ndrop 2"
    settings = {"players": 2, "rules": "misses_to_drop=1", "start": start}

    assert found(f"{body}\nscore 1=0 2=40", **settings) == [
        "deal-count 2/2",
        "misdeal-not-called 6/2",
        "auto-drop-missing 8/1",
    ]
    assert found("drop 1\ndraw 2 stock 2S\nscore 1=20 2=0", **settings) == [
        "deal-count 2/2",
        "event-after-end 6/2",
    ]


def test_who_misses_again_behind_a_drop_out_of_turn_has_missed_another_turn():
    """Some tables go on from whoever dropped: the left neighbour may miss its turn once more."""
    body = f"{turns(1, 2)}\nmiss 3\nmiss 4\ndrop 3\nmiss 4\n{turns(1, 2)}\nmiss 4\n{turns(1)}\n"

    assert found(f"{body}drop 2\nscore 1=0 2=40 3=20 4=40", players=4) == ["drop-late 13/3"]
