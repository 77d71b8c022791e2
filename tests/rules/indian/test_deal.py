"""001 Dealing Rules, Misdeals: the deal, the first open card, the wild joker, misdeals."""

import pytest

from tests.rules.indian.hands import DEALT, RIGHT, SHOWN, dealt, found, judged, not_run, said, turns

END = f"draw 1 stock 5D\n{RIGHT}\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55 winner=1"
SHORT = f"deal 1 {DEALT[1][:-3]}"  # without KC
LAID = "upcard KS\nwild 7H"


def deals(*lines, laid=LAID):
    return "\n".join([*lines, laid])


WRONG_COUNT = deals(SHORT, dealt(2), dealt(3))
EXPOSED = deals(dealt(1), dealt(2), dealt(3), "irregularity exposed-card 2 4S")
UNSHUFFLED = deals(dealt(1), dealt(2), dealt(3), "irregularity not-shuffled")
RIGHT_DEAL = deals(dealt(1), dealt(2), dealt(3))

# A wrong number of cards


def test_a_wrong_number_of_cards_is_found_at_its_deal_and_has_to_be_called():
    result = judged(turns(1), start=WRONG_COUNT, end="")
    short, called = result.findings

    assert said(result) == ["deal-count 1/1", "misdeal-not-called 6/1"]
    assert (short.recorded, short.expected, short.rule.source) == (12, 13, "001 Misdeals")
    assert called.cause.code == "deal-count"


def test_a_deal_in_two_parts_is_one_deal():
    parts = ["deal 1 " + DEALT[1][:20], "deal 1 " + DEALT[1][21:], dealt(2), dealt(3)]

    assert found(turns(1), start=deals(*parts), end="") == []
    assert found("", start="\n".join(parts[:1]), end="") == []


def test_seats_that_were_dealt_nothing_sit_out():
    body = turns(1, 3, 1)

    assert found(body, start=deals(dealt(1), dealt(3)), end="") == []
    assert found(body, start=deals(dealt(1), "deal 2 x0", dealt(3)), end="") == []
    settings = {"start": deals(dealt(1), dealt(3)), "end": ""}
    assert found(turns(1, 3) + "\ndrop 2", **settings) == ["out-of-turn 9/2"]


def test_a_seat_that_sat_out_needs_no_points():
    body = f"draw 1 stock 5D\n{RIGHT}\n{SHOWN[3]}\nscore 1=0 3=55 winner=1"

    assert found(body, start=deals(dealt(1), dealt(3))) == []
    assert found(body.replace("3=55", "2=0 3=55"), start=deals(dealt(1), dealt(3))) == []


def test_how_many_were_dealt_may_not_be_known():
    result = judged(turns(1), start=deals("deal 1", dealt(2), dealt(3)), end="")

    assert said(result) == []
    assert "deal-count" in not_run(result)


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_the_order_in_which_a_log_names_deal_open_card_and_wild_joker_is_its_own(cut):
    def start(*given):
        lines = [*given[:cut], "wild 7H", "upcard KS", *given[cut:]]
        return {"start": "\n".join(lines), "end": ""}

    assert found(turns(1, 2, 3, 1), **start(dealt(1), dealt(2), dealt(3))) == []
    assert found(turns(1), **start(dealt(1), dealt(2), f"{dealt(3)} 9S")) == [
        "deal-count 5/3",
        "misdeal-not-called 6/1",
    ]
    first = 1 if cut else 3
    assert found("misdeal", **start(SHORT, dealt(2), dealt(3))) == [f"deal-count {first}/1 note"]


def test_a_card_the_deck_does_not_have_cannot_be_dealt():
    result = judged("", start=deals(dealt(1).replace("KC", "JK")), rules="printed_jokers=0")

    assert (said(result), result.verdict) == (["card-not-in-deck 1/1"], "impossible")


def test_a_third_copy_cannot_be_dealt():
    result = judged("", start=deals(dealt(1).replace("KC", "4H 4H")))

    assert (said(result), result.verdict) == (["too-many-copies 1/1"], "impossible")


# Misdeals


@pytest.mark.parametrize(
    ("start", "code", "seq"),
    [
        pytest.param(WRONG_COUNT, "deal-count 1/1", 1, id="count"),
        pytest.param(EXPOSED, "deal-exposed 4/2", 4, id="exposed"),
        pytest.param(UNSHUFFLED, "deal-unshuffled 4", 4, id="unshuffled"),
    ],
)
@pytest.mark.parametrize("detail", ["full", "table"])
class TestADueMisdeal:
    def start(self, start, detail):
        if detail == "full":
            return start
        return "\n".join(
            f"deal {line.split()[1]} x{len(line.split()) - 2}" if line.startswith("deal") else line
            for line in start.splitlines()
        )

    @pytest.mark.parametrize("call", ["misdeal", "misdeal cause=other", 'misdeal reason="dropped"'])
    def test_called_before_the_first_draw_is_a_note(self, start, code, seq, detail, call):
        result = judged(call, start=self.start(start, detail), detail=detail, end="end misdeal")

        assert (said(result), result.verdict) == ([f"{code} note"], "clean")
        assert result.findings[0].handled
        assert (result.result.outcome, result.result.scores) == ("misdeal", {})

    def test_without_a_call_but_the_end_of_the_hand(self, start, code, seq, detail):
        settings = {"start": self.start(start, detail), "detail": detail, "end": "end misdeal"}

        assert found("", **settings) == [f"{code} note"]

    def test_played_on(self, start, code, seq, detail):
        settings = {"start": self.start(start, detail), "detail": detail, "end": ""}
        first = len(start.splitlines()) + 1

        assert found(turns(1, 2), **settings) == [code, f"misdeal-not-called {first}/1"]

    def test_called_too_late(self, start, code, seq, detail):
        settings = {"start": self.start(start, detail), "detail": detail, "end": "end misdeal"}
        first = len(start.splitlines()) + 1
        result = judged(turns(1, 2) + "\nmisdeal", **settings)

        assert said(result) == [
            code,
            f"misdeal-not-called {first}/1",
            f"misdeal-too-late {first + 4}",
        ]
        assert result.verdict == "flagged"

    def test_dealt_again_in_the_same_log(self, start, code, seq, detail):
        again = self.start(RIGHT_DEAL, detail)
        settings = {"start": self.start(start, detail), "detail": detail, "end": ""}

        assert found(f"misdeal\n{again}\n" + turns(1, 2), **settings) == [f"{code} note"]


def test_only_what_the_rules_name_makes_a_misdeal():
    rules = "misdeal_exposed_card=false"

    assert found(turns(1), start=EXPOSED, rules=rules, end="") == ["deal-exposed 4/2"]
    called = found("misdeal", start=EXPOSED, rules=rules, end="end misdeal")
    assert called == ["deal-exposed 4/2", "misdeal-unfounded 7"]


def test_where_a_deal_does_not_stand_it_may_be_called_later():
    body = turns(1) + "\nmisdeal"
    settings = {"start": EXPOSED, "rules": "deal_stands=false", "end": "end misdeal"}

    assert found(body, **settings) == ["deal-exposed 4/2 note", "misdeal-not-called 7/1"]


@pytest.mark.parametrize(
    ("call", "detail", "expected"),
    [
        pytest.param("misdeal", "full", ["misdeal-unfounded 6"], id="full-shows-everything"),
        pytest.param("misdeal", "table", [], id="no-cause-at-the-table"),
        pytest.param("misdeal cause=wrong-count", "full", ["misdeal-unfounded 6"], id="counted"),
        pytest.param(
            "misdeal cause=wrong-count", "table", ["misdeal-unfounded 6"], id="counted-too"
        ),
        pytest.param("misdeal cause=exposed-card", "full", [], id="exposed"),
        pytest.param("misdeal cause=not-shuffled", "table", [], id="unshuffled"),
        pytest.param("misdeal cause=agreed", "table", ["misdeal-unfounded 6"], id="agreed"),
        pytest.param("misdeal cause=other", "table", ["misdeal-unfounded 6"], id="other"),
        pytest.param("misdeal cause=wrong-dealer", "table", ["misdeal-unfounded 6"], id="dealer"),
        pytest.param("misdeal cause=stock-exhausted", "full", ["misdeal-unfounded 6"], id="stock"),
        pytest.param(
            'misdeal reason="wrong number"',
            "full",
            ["misdeal-unfounded 6"],
            id="a-reason-is-no-cause",
        ),
    ],
)
def test_a_misdeal_needs_a_reason_that_the_rules_know(call, detail, expected):
    result = judged(call, detail=detail, end="end misdeal")

    assert said(result) == expected
    assert ("misdeal-unfounded" in not_run(result)) == (call == "misdeal" and detail == "table")


def test_a_call_without_a_cause_where_the_log_does_not_count_the_deal():
    start = deals(dealt(1), "deal 2", dealt(3))

    assert found("misdeal", start="", end="end misdeal") == []
    assert found("misdeal", start=start, end="end misdeal") == []
    assert found("void", start=start, end="end void") == []


def test_a_misdeal_of_a_hand_that_was_only_shown():
    result = judged("misdeal cause=wrong-count", detail="shown", start="", end="end misdeal")

    assert said(result) == []
    assert not_run(result)["misdeal-unfounded"] == "how many cards were dealt is not in this log"


def test_a_misdeal_called_after_the_hand_is_decided():
    body = END.replace("score", "misdeal cause=exposed-card\nscore")

    assert found(body, end="") == ["misdeal-too-late 10"]


def test_nobody_scores_in_a_misdeal():
    settings = {"start": EXPOSED, "end": "end misdeal"}

    assert found("misdeal\nscore 1=0 2=0 3=0", **settings) == ["deal-exposed 4/2 note"]
    scored = found("misdeal\nscore 1=0 2=0 3=20", **settings)
    assert scored == ["deal-exposed 4/2 note", "score-wrong 8/3"]


def test_play_goes_on_after_a_misdeal():
    settings = {"start": EXPOSED, "end": ""}

    assert found("misdeal\n" + turns(1, 2), **settings) == [
        "deal-exposed 4/2 note",
        "event-after-end 8/1",
    ]


def test_what_is_noticed_after_the_first_draw_is_past():
    body = turns(1) + "\nirregularity exposed-card 2 4S\n" + turns(2)

    assert found(body, end="") == ["irregularity-handled 8/2 note"]


def test_a_wrong_number_that_only_the_table_noticed():
    start = deals("deal 1", "deal 2", "deal 3", "irregularity wrong-count 2")

    assert found("misdeal", start=start, end="end misdeal") == ["deal-count 4/2 note"]
    # Where the log counts the cards itself, it is said once, or not at all.
    assert found("", start=RIGHT_DEAL + "\nirregularity wrong-count 2", end="") == []
    twice = WRONG_COUNT + "\nirregularity wrong-count 1"
    assert found("misdeal", start=twice, end="end misdeal") == ["deal-count 1/1 note"]


def test_a_dealer_the_table_found_wrong():
    assert found("irregularity wrong-dealer\n" + turns(1), end="") == ["dealer-wrong 0"]


def test_without_the_play_nobody_knows_when_something_was_noticed():
    noticed = "irregularity exposed-card 2 4S\n"
    settings = {"detail": "shown", "start": "wild 7H"}
    result = judged(f"{noticed}{RIGHT}\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55", **settings)

    assert said(result) == []
    assert "deal-exposed" in not_run(result)
    assert found(f"{noticed}misdeal", **settings, end="end misdeal") == ["deal-exposed 2/2 note"]
    counted = {"detail": "shown", "start": "deal 1 x12\ndeal 2 x13\ndeal 3 x13\nwild 7H"}
    assert found(RIGHT, **counted, end="") == ["deal-count 1/1", "misdeal-not-called 5"]


# The first open card and the wild joker


def test_a_printed_joker_is_buried_and_the_next_card_turned():
    buried = deals(dealt(1), dealt(2), dealt(3), laid="upcard JK\nupcard KS\nwild 7H")
    result = judged(
        turns(1),
        start=buried,
        end="",
    )

    assert said(result) == []
    assert found(turns(1), start=buried.replace("wild 7H\n", ""), end="") == []


def test_a_printed_joker_that_stays_lying():
    lying = deals(dealt(1), dealt(2), dealt(3), laid="upcard JK\nwild 7H")
    body = "draw 1 discard JK\ndiscard 1 2D"

    assert found(body, start=lying, end="") == ["joker-upcard-not-buried 4"]
    keep = {"start": lying, "end": ""}
    assert found(body, rules="upcard_joker=keep", **keep) == []
    barred = "upcard_joker=keep upcard_joker_takeable=false"
    assert found(body, rules=barred, **keep) == ["joker-from-discard 6/1"]


def test_a_kept_joker_is_taken_by_the_first_player_or_not_at_all():
    lying = deals(dealt(1), dealt(2), dealt(3), laid="upcard JK\nwild 7H")
    settings = {"start": lying, "rules": "upcard_joker=keep", "end": ""}

    assert found("drop 1\ndraw 2 discard JK\ndiscard 2 2C", **settings) == []
    covered = turns(1) + "\ndraw 2 discard 7S\ndiscard 2 2C"
    assert found(covered, **settings) == ["joker-from-discard 8/2"]


def test_a_first_open_card_of_the_wild_rank_stays_and_may_be_taken():
    wild = deals(dealt(1), dealt(2), dealt(3), laid="upcard 7S\nwild 7H")

    assert found("draw 1 discard 7S\ndiscard 1 2D", start=wild, end="") == []
    assert found("miss 1\ndraw 2 discard 7S\ndiscard 2 2C", start=wild, end="") == []


def test_a_second_open_card_after_one_that_was_no_joker():
    second = deals(dealt(1), dealt(2), dealt(3), laid="upcard 9S\nupcard KS\nwild 7H")

    assert found(turns(1), start=second, end="") == ["upcard-order 5"]


def test_an_open_card_after_the_first_draw():
    assert found(turns(1) + "\nupcard 2S", end="") == ["upcard-order 8"]


def test_no_wild_joker_turned():
    missing = deals(dealt(1), dealt(2), dealt(3), laid="upcard KS")
    result = judged("draw 1 stock 5D\n" + END.split("\n", 1)[1], start=missing)

    assert said(result) == ["deal-wild-missing 5"]
    # Which cards were wild is not in the log: what hangs on it is not judged.
    assert result.result.scores == {1: 0}
    assert "score-wrong" in {each.check for each in result.not_run}


def test_cards_dealt_while_the_hand_is_played_or_over():
    more = "deal 2 9S"
    body = f"draw 1 stock 5D\n{RIGHT}\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55"

    late = judged(f"{turns(1, 2)}\n{more}\n{turns(3)}\n{body}")
    assert said(late) == ["deal-count 10/2"]
    assert (late.findings[0].recorded, late.findings[0].expected) == (14, 13)
    assert found(f"{body}\n{more}") == ["event-after-end 11/2"]
    assert found(f"{body}\nreshuffle") == ["event-after-end 11"]


def test_a_card_drawn_after_the_end_makes_no_show_too_small():
    body = f"draw 1 stock 5D\n{RIGHT}\ndraw 2 stock 9S\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55"

    assert found(body) == ["event-after-end 8/2"]


def test_a_wild_joker_said_twice_is_one_card():
    twice = deals(dealt(1), dealt(2), dealt(3), laid="upcard KS\nwild 7H\nwild 7H")
    body = turns(1) + "\ndraw 2 stock 7H\ndiscard 2 7H"

    assert found(body, start=twice, end="") == []


def test_what_needs_a_wild_joker_that_was_not_turned_is_not_called_wrong():
    missing = deals(dealt(1), dealt(2), dealt(3), laid="upcard KS")
    end = (
        END.split("\n", 1)[1]
        .replace("5H 6H | 8S 9S TS", "5H 6H | 8S 9S KC")
        .replace("/ KC", "/ TS")
    )
    result = judged("draw 1 stock 5D\n" + end, start=missing)

    assert said(result) == ["deal-wild-missing 5"]
    assert "wrong-declaration" in {each.check for each in result.not_run}


@pytest.mark.parametrize(
    ("rules", "points"), [("wild_if_printed=aces", 23), ("wild_if_printed=printed-only", 33)]
)
def test_a_printed_joker_as_wild_joker(rules, points):
    start = deals(dealt(1), dealt(2), dealt(3), laid="upcard KS\nwild JK")
    result = judged("\n".join(END.splitlines()[:-1]), start=start, rules=rules, end="")

    assert result.result.scores[2] == points  # the AS counts nothing where aces are wild


def test_a_printed_joker_as_wild_joker_is_turned_again_where_the_rules_say_so():
    start = deals(dealt(1), dealt(2), dealt(3), laid="upcard KS\nwild JK\nwild 7H")
    again = {"rules": "wild_if_printed=redraw"}

    assert found(END, start=start, **again) == []
    twice = start.replace("wild JK", "wild JK\nwild JK")
    assert found(END, start=twice, **again) == []
    once = start.replace("\nwild 7H", "")
    assert found(END, start=once, **again)[0] == "deal-wild-missing 6"


def test_a_call_after_the_score_is_too_late_or_without_reason():
    body = f"{END}\n"

    assert found(body + "misdeal cause=exposed-card")[-1] == "misdeal-too-late 11"
    assert found(body + "void cause=stock-exhausted")[-1] == "void-unfounded 11"


def test_cards_dealt_to_nobody_are_gone_all_the_same():
    start = deals(dealt(1), dealt(2), dealt(3), "deal 5 7S 7S")

    assert found("draw 1 stock 7S", start=start, end="") == ["too-many-copies 7/1"]


class TestWhatFollowsAMisdealWithoutTheDeals:
    """Behind a misdeal there was another deal: a log of detail shown need not hold it."""

    WON = f"wild 7H\n{RIGHT}\n{SHOWN[2]}\n{SHOWN[3]}"
    CALL = "misdeal cause=exposed-card"

    def judged(self, body, **settings):
        return judged(body, **{"start": "", "detail": "shown"} | settings)

    @pytest.mark.parametrize("first", ["wild 8H\n", "irregularity exposed-card 2\nwild 8H\n", ""])
    def test_the_hand_that_is_shown_is_judged(self, first):
        result = self.judged(f"{first}{self.CALL}\n{self.WON}\nscore 1=0 2=33 3=55 winner=1")

        assert [each for each in said(result) if "note" not in each] == []
        assert result.result.scores == {1: 0, 2: 33, 3: 55}

    def test_a_wrong_score_of_it_is_named(self):
        result = self.judged(f"{self.CALL}\n{self.WON}\nscore 1=0 2=33 3=50 winner=1")

        assert said(result) == ["score-wrong 6/3"]

    def test_without_its_wild_joker_none_of_another_deal_is_taken(self):
        shown = f"{RIGHT}\n{SHOWN[2]}\nscore 1=0 2=34 3=55 winner=1"
        result = self.judged(f"wild JK\n{self.CALL}\n{shown}")

        assert (said(result), result.result.scores) == ([], {1: 0})
        assert said(self.judged(f"{self.CALL}\nwild JK\n{shown}"))[-1:] == ["score-wrong 5/2"]

    def test_points_alone_are_of_the_next_deal_and_stand(self):
        result = self.judged(f"{self.CALL}\nscore 1=0 2=33 3=55 winner=1", detail="scores")

        assert (said(result), result.result.outcome) == ([], "undecided")

    def test_nothing_behind_it_is_a_misdeal(self):
        result = self.judged(self.CALL, end="end misdeal")

        assert (said(result), result.result.outcome) == ([], "misdeal")
