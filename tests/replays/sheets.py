"""Score sheets for the tests: workbooks from rows, and parts of workbooks made by hand."""

import io
import zipfile

import openpyxl


def workbook(*sheets):
    """A workbook of sheets, each a list of rows; a sheet may be (title, rows, merged ranges)."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, each in enumerate(sheets, 1):
        title, rows, merged = each if isinstance(each, tuple) else (f"S{number}", each, ())
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def repacked(content, change, *, more=None):
    """The workbook with each part as ``change(name, body)`` gives it, and more parts."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.infolist():
            new.writestr(part.filename, change(part.filename, old.read(part)))
        for name, body in (more or {}).items():
            new.writestr(name, body)
    return out.getvalue()


def csv(*lines):
    return "\r\n".join(lines).encode()
