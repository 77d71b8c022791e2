"""Score sheets made to harm: refused by their size, or read without anything in them being run."""

import io
import time
import tracemalloc
import zipfile

import openpyxl
import pytest

from replays import sheets
from replays.sheets_read import SheetError, read_file
from tests.replays.sheets import csv, repacked, workbook

ROWS = [["Deal", "Asha", "Bilal"], [1, 0, 20], [2, 12, 0]]


def refusal(content):
    """What a file is refused with: at once, and without much memory."""
    tracemalloc.start()
    begun = time.monotonic()
    try:
        with pytest.raises(SheetError) as refused:
            sheets.tables(content)
        assert tracemalloc.get_traced_memory()[1] < 64 * 1024 * 1024
    finally:
        tracemalloc.stop()
    assert time.monotonic() - begun < 20
    return str(refused.value)


def sheet_xml(body):
    """The workbook of ROWS with another first sheet."""
    return repacked(workbook(ROWS), lambda name, old: body if name.endswith("sheet1.xml") else old)


def test_a_zip_bomb_is_measured_and_not_unpacked():
    bomb = repacked(
        workbook(ROWS), lambda _name, body: body, more={"xl/media/x": b"0" * 50_000_000}
    )

    assert len(bomb) < 100_000
    assert refusal(bomb).startswith("Unpacked, this workbook is far too large")


def test_a_zip_that_lies_about_its_size_is_not_unpacked_beyond_it():
    honest = repacked(workbook(ROWS), lambda _name, body: body, more={"xl/a.xml": b"0" * 9_000_000})
    lie = honest.replace((9_000_000).to_bytes(4, "little"), (1_000).to_bytes(4, "little"))

    assert lie != honest
    assert refusal(lie).startswith("This workbook is damaged.")


def test_too_many_parts_are_refused():
    many = repacked(workbook(ROWS), lambda _n, body: body, more={f"x/{n}": b"" for n in range(300)})

    assert refusal(many).startswith("Unpacked, this workbook is far too large")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_entity_bomb_is_refused_before_it_is_parsed(encoding):
    bomb = '<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    )
    body = f"{bomb}]><worksheet><sheetData><row><c><v>&j;</v></c></row></sheetData></worksheet>"

    assert refusal(sheet_xml(body.encode(encoding))).startswith("No spreadsheet program has made")


def test_an_entity_that_reads_a_file_is_refused():
    body = b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><worksheet>&f;</worksheet>'

    assert refusal(sheet_xml(body)).startswith("No spreadsheet program has made")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("A1048576", "There are more than 500 rows."),
        ("XFD3", "There are more than 40 columns."),
        ("A501", "There are more than 500 rows."),
    ],
)
def test_a_cell_far_away_is_said_and_not_silently_left_out(cell, said):
    row = "".join(filter(str.isdigit, cell))
    body = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        f'<row r="{row}"><c r="{cell}"><v>1</v></c></row></sheetData></worksheet>'
    )

    assert refusal(sheet_xml(body.encode())).startswith(said)


def test_a_million_rows_are_refused():
    begun = time.monotonic()
    for content, said in (
        (b"a,1\n" * 1_000_000, "The file is larger than 2 MB."),
        (b"\n" * 1_000_000 + b"a,1\n", "There are more than 500 rows."),
        (b"a,1\n" * 501, "There are more than 500 rows."),
        (sheet_xml(b'<row r="1"><c r="A1"><v>1</v></c></row>' * 300_000), "Unpacked, this workb"),
    ):
        with pytest.raises(SheetError, match=said):
            sheets.tables(content)
    assert time.monotonic() - begun < 20


def test_many_columns_and_long_cells_are_bounded():
    assert refusal(b",".join([b"1"] * 41)).startswith("There are more than 40 columns.")
    (grid,) = read_file(csv("Deal," + "n" * 5_000 + ",B", "1,0,20"))
    assert len(grid.rows[0][1]) == 200


def test_a_quotation_mark_without_a_partner_is_refused_with_its_line():
    content = csv("Deal,Asha,Bilal", "1,0,20") + b'\r\n2,"' + b"x" * 200_000

    assert refusal(content).startswith("Line 3 is not CSV")


@pytest.mark.parametrize("sheets_", [21])
def test_too_many_sheets_are_refused(sheets_):
    assert refusal(workbook(*[ROWS] * sheets_)).startswith("There are more than 20 sheets")


def test_a_formula_counts_with_the_result_that_stands_in_the_file_or_is_asked_about():
    book = workbook([["Deal", "Asha", "Bilal"], [1, 0, "=10+10"], [2, 12, 0]])
    ((grid, table),) = sheets.tables(book)
    assert grid.problems.keys() == {(1, 2)}
    assert "This formula has no result in the file." in grid.problems[1, 2]

    with_result = repacked(
        book, lambda _name, body: body.replace(b"<f>10+10</f><v />", b"<f>10+10</f><v>20</v>")
                                     .replace(b"<f>10+10</f><v></v>", b"<f>10+10</f><v>20</v>")
    )  # fmt: skip
    ((grid, table),) = sheets.tables(with_result)
    assert (grid.rows[1], grid.problems) == (["1", "0", "20"], {})
    assert table.rows == [1, 2]


def test_macros_are_not_looked_at_and_that_is_said():
    book = repacked(workbook(ROWS), lambda _n, body: body, more={"xl/vbaProject.bin": b"\xd0\xcf"})
    ((grid, table),) = sheets.tables(book)

    assert grid.notes == ["There are macros in this workbook; they were not looked at."]
    assert table.rows == [1, 2]


def test_links_to_other_workbooks_are_not_followed():
    link = b'<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>'
    book = repacked(
        workbook(ROWS), lambda _n, body: body, more={"xl/externalLinks/externalLink1.xml": link}
    )

    assert [table.rows for _grid, table in sheets.tables(book)] == [[1, 2]]


def test_a_hidden_sheet_is_not_taken_in():
    book = openpyxl.load_workbook(io.BytesIO(workbook(ROWS, ROWS)))
    book.worksheets[1].sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)

    assert len(sheets.tables(out.getvalue())) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xd0\xcf\x11\xe0" + b"\0" * 99, "This is an old Excel file, or one with a password."),
        (b"%PDF-1.7 ...", "This is a picture or a printed page."),
        (b"\x89PNG\r\n", "This is a picture or a printed page."),
        (b"PK\x03\x04 and no more", "This workbook is damaged."),
        (bytes(range(256)) * 4, "This is not a score sheet."),
        (b"a,\x81\x8d\n1,2\n", "Some letters of this file cannot be read."),
    ],
)
def test_other_files_are_refused_with_what_to_do(content, said):
    assert refusal(content).startswith(said)


def test_a_zip_that_is_no_workbook_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")

    assert refusal(out.getvalue()).startswith("This is not an .xlsx workbook.")


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
@pytest.mark.parametrize("body", [b"", b"<", b"<a/>", b"\xff\xff"])
def test_a_workbook_with_a_broken_part_is_refused_or_read_never_an_error_of_ours(part, body):
    broken = repacked(workbook(ROWS), lambda name, old: body if name == part else old)
    try:
        read_file(broken)
    except SheetError as error:
        assert str(error)  # noqa: PT017 - either is fine, anything else fails the test
