"""Score sheets as clubs write them: read as they were meant, or refused with what to change."""

import pytest

from replays import sheets, sheets_out
from replays.sheets_deals import Settings, read_table
from replays.sheets_read import SheetError
from tests.replays.sheets import csv, workbook


def readings(content, **settings):
    return [
        read_table(grid, table, Settings(match="M", **settings))
        for grid, table in sheets.tables(content)
    ]


def reading(content, **settings):
    (one,) = readings(content, **settings)
    return one


def points(one):
    """By deal number, what each player has: points, with the mark and a rejoin behind."""
    return {
        deal.number: {
            one.names[int(seat)]: value for seat, value in deal.score(one.charges)["points"].items()
        }
        for deal in one.deals
    }


def refusal(content):
    with pytest.raises(SheetError) as refused:
        readings(content)
    return str(refused.value)


PLAIN = {1: {"Asha": 0, "Bilal": 20}, 2: {"Asha": 12, "Bilal": 0}}


# --- the ten odd sheets ------------------------------------------------------------------------


def test_a_merged_header_stands_over_points_and_running_totals():
    one = reading(
        workbook(
            (
                "Friday",
                [
                    ["Pool 101, Friday", None, None, None, None],
                    ["Deal", "Asha", None, "Bilal", None],
                    [None, "pts", "total", "pts", "total"],
                    [1, 0, 0, 20, 20],
                    [2, 12, 12, 0, 21],
                ],
                ["A1:E1", "B2:C2", "D2:E2"],
            )
        )
    )

    assert points(one) == PLAIN
    assert [deal.totals for deal in one.deals] == [{1: 0, 2: 20}, {1: 12, 2: 21}]
    assert one.problems == {}


def test_a_row_of_totals_is_no_deal_and_is_held_against_the_sums():
    one = reading(csv("Deal,Asha,Bilal", "1,0,20", "2,12,0", "Total,12,21"))

    assert points(one) == PLAIN
    assert one.warnings == {(3, 2): "The deals of Bilal add up to 20, the sheet says 21."}


def test_a_row_of_totals_without_its_word_is_asked_about():
    one = reading(csv("Asha,Bilal", "0,20", "12,0", "12,20"))

    assert list(one.problems) == [(3, -1)]
    assert "Write “Total” at the beginning of the row" in one.problems[3, -1]


def test_empty_seats_are_left_out_and_an_empty_cell_of_a_player_still_in_is_asked_about():
    one = reading(csv("Deal,Asha,Bilal,Chitra,Dev,", "1,0,20,3,,", "2,12,0,,,", "3,0,2,,,"))

    assert one.names == {1: "Asha", 2: "Bilal", 3: "Chitra"}
    assert one.table.notes == ["“Dev” has no numbers: the column is left out."]
    assert points(one)[2] == {"Asha": 12, "Bilal": 0}
    assert list(one.warnings) == [(2, 3)]
    assert "Chitra has nothing here" in one.warnings[2, 3]


def test_a_rejoin_in_the_middle_is_written_into_the_deal():
    one = reading(
        csv("Deal,Asha,Bilal,Chitra", "1,0,80,10", "2,0,40,10", "3,0,,7", "4,0,5 rejoin,7")
    )

    assert one.warnings == one.problems == {}
    assert one.records(one.deals[3])[0]["match"] == {
        "id": "M", "format": "pool-101", "deal": 4, "rejoined": [2],
    }  # fmt: skip
    assert one.records(one.deals[2])[0]["players"] == [
        {"seat": 1, "name": "Asha"},
        {"seat": 3, "name": "Chitra"},
    ]


def test_a_rejoin_starts_from_the_totals_before_the_deal():
    one = reading(
        csv(
            *("Deal,Asha,Bilal,Chitra", "1,0,80,10", "2,0,40,10", "3,30,5 rejoin,0"),
            "Total,30,26,20",
        )
    )

    assert one.warnings == one.problems == {}


def test_playing_on_after_being_out_without_that_word_is_asked_about():
    one = reading(csv("Deal,Asha,Bilal,Chitra", "1,0,80,10", "2,0,40,10", "3,0,5,7"))

    assert list(one.warnings) == [(3, 2)]
    assert "Write “rejoin” beside the points" in one.warnings[3, 2]


def test_two_tables_in_one_file_are_two_matches_with_their_own_players():
    above = ("Table 1,,", "Deal,Asha,Bilal", "1,0,20", "2,12,0")
    below = ("Table 2,,", "Deal,Chitra,Dev", "1,30,0")
    first, second = readings(csv(*above, "", *below))

    assert (points(first), first.table.title) == (PLAIN, "Table 1")
    assert (points(second), second.table.title) == ({1: {"Chitra": 30, "Dev": 0}}, "Table 2")


def test_two_tables_side_by_side_are_refused_with_how_to_part_them():
    said = refusal(csv("Deal,Asha,Bilal,,Deal,Chitra,Dev", "1,0,20,,1,0,30", "2,3,0,,2,4,0"))

    assert said.startswith("Two tables stand side by side. Put one below the other")


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-8", "cp1252"]
)
def test_names_are_read_whatever_the_encoding(encoding):
    one = reading("Deal\tJosé\tZoë\r\n1\t0\t20\r\n2\t12\t0\r\n".encode(encoding))

    assert points(one) == {1: {"José": 0, "Zoë": 20}, 2: {"José": 12, "Zoë": 0}}


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
@pytest.mark.parametrize("first", ["", "sep={}\r\n"])
def test_the_delimiter_is_found(delimiter, first):
    lines = ("Deal;Asha;Bilal", "1;0;20", "2;12;0")
    content = first.format(delimiter).encode() + csv(*(x.replace(";", delimiter) for x in lines))

    assert points(reading(content)) == PLAIN


def test_spaces_around_numbers_and_numbers_as_decimals_are_numbers():
    one = reading(csv("Deal;Asha;Bilal", "1; 0;20 ", "2;12,0 ;\xa00"))

    assert points(one) == PLAIN


def test_a_name_that_begins_like_a_formula_is_a_name_in_csv_and_in_a_workbook():
    name = '=HYPERLINK("x")'
    rows = [["Deal", "Asha", "'" + name], [1, 0, 20], [2, 12, 0]]
    expected = {1: {"Asha": 0, name: 20}, 2: {"Asha": 12, name: 0}}

    assert points(reading(csv("Deal;Asha;" + name, "1;0;20", "2;12;0"))) == expected
    assert points(reading(workbook(rows))) == expected


def test_thirty_one_deals_are_thirty_one_deals():
    one = reading(csv("Deal,Asha,Bilal", *(f"{number},0,2" for number in range(1, 32))))

    assert [deal.number for deal in one.deals] == list(range(1, 32))
    assert one.problems == {}


# --- words, numbers and what is no score -------------------------------------------------------


def test_words_are_marks_and_are_charged_by_the_rules_of_the_format():
    lines = ("Deal,A1,B1,C1,D1,E1,F1", "1,won,Drop,middle-drop,WRONG,full,absent")
    one = reading(csv(*lines))

    assert one.deals[0].score(one.charges) == {
        "seq": 1,
        "type": "score",
        "points": {"1": 0, "2": 20, "3": 40, "4": 80, "5": 80},
        "marks": {"1": "won", "2": "first-drop", "3": "middle-drop", "4": "wrong", "5": "full",
                  "6": "absent"},
        "winner": 1,
    }  # fmt: skip
    assert one.problems == {}
    larger = reading(csv(*lines), format="pool-201")
    assert points(larger)[1] == {"A1": 0, "B1": 25, "C1": 50, "D1": 80, "E1": 80}
    assert reading(csv(*lines), format="deals-3").charges["first-drop"] == 80


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("20?", "“20?” is no whole number"),
        ("10.5", "“10.5” is no whole number"),
        ("12 13", "“12 13” is no whole number"),
        ("sick", "“sick” is no whole number"),
        ("left", "Write the points too"),
        ("rejoin", "Write the points of this deal beside it."),
        ("99999999", "is no whole number"),
    ],
)
def test_a_cell_that_cannot_be_read_says_what_to_write(cell, problem):
    one = reading(csv("Deal,Asha,Bilal", f"1,0,{cell}", "2,12,0"))

    assert list(one.problems) == [(1, 2)]
    assert problem in one.problems[1, 2]


@pytest.mark.parametrize("cell", ["", "-", "–", "x", "out", "  "])
def test_a_cell_with_nothing_is_nothing(cell):
    one = reading(csv("Deal,Asha,Bilal,Chitra", "1,0,2,3", f"2,0,2,{cell}"))

    assert points(one)[2] == {"Asha": 0, "Bilal": 2}


def test_a_deal_that_stands_twice_and_a_column_without_a_name_are_asked_about():
    twice = reading(csv("Deal,Asha,Bilal", "1,0,20", "1,12,0"))
    assert twice.problems == {
        (2, 0): "Deal 1 stands in row 2 too. Give each deal a number of its own."
    }
    unnamed = reading(csv("Deal,Asha,Bilal,", "1,0,20,5", "2,0,20,5"))
    assert list(unnamed.problems) == [(-1, 3)]
    assert "Write the player's name above it" in unnamed.problems[-1, 3]


def test_two_columns_of_one_name_are_asked_about():
    one = reading(csv("Deal,Asha,Asha", "1,0,20"))

    assert one.problems == {
        (-1, 2): "“Asha” stands above two columns. Give each player a name of their own."
    }


def test_deals_without_numbers_are_counted_and_words_around_a_number_are_no_matter():
    assert points(reading(csv("Asha,Bilal", "0,20", "12,0"))) == PLAIN
    assert points(reading(csv(",Asha,Bilal", "Deal 1,0,20", "Deal 2,12,0"))) == PLAIN
    assert points(reading(csv("S.No,Asha,Bilal", "1,0,20", "2,12,0"))) == PLAIN


def test_a_column_named_for_a_players_total_holds_their_running_totals():
    one = reading(csv("Deal,Asha,Asha total,Bilal,Total Bilal", "1,0,0,20,20", "2,12,12,0,20"))

    assert points(one) == PLAIN
    assert [deal.totals for deal in one.deals] == [{1: 0, 2: 20}, {1: 12, 2: 20}]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "There is nothing in this file."),
        (b"\r\n , ,\r\n", "There is nothing in this file."),
        (csv("1,0,20", "2,12,0"), "No row of names was found above the numbers."),
        (csv("Asha,Bilal", "good,bad"), "No deals were found."),
        (b"one column only\r\n1\r\n2\r\n", "No columns were found."),
    ],
)
def test_a_file_without_a_table_is_refused_with_what_to_write(content, said):
    assert refusal(content).startswith(said)


@pytest.mark.parametrize("make", [sheets_out.template_csv, sheets_out.template_xlsx])
def test_the_empty_sheet_has_no_deals_until_somebody_fills_it_in(make):
    (grid, table), *others = sheets.tables(_filled(make(3)))

    assert others == []
    one = read_table(grid, table, Settings(match="M"))
    assert points(one) == {1: {"Player 1": 0, "Player 2": 20, "Player 3": 5}}


def _filled(content):
    if content.startswith(b"PK"):
        import io

        import openpyxl

        book = openpyxl.load_workbook(io.BytesIO(content))
        for column, value in zip("BCD", (0, "drop", 5), strict=True):
            book.worksheets[0][f"{column}2"] = value
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()
    return content.replace(b"\r\n1,,,", b"\r\n1,0,drop,5").replace(
        b"\r\n1\r\n", b"\r\n1,0,drop,5\r\n"
    )
