"""The validation report as a text document (extra ``docx``), the same bytes for the same content.

A document file is a zip: its parts are written in one order, and bear one date.
"""

from __future__ import annotations

import datetime as dt
import io
import warnings
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.errors import MissingExtraError
from veridical.extras import install_command
from veridical.validation.contents import document_of
from veridical.validation.document import (
    Block,
    Bullets,
    Document,
    Figure,
    Paragraph,
    Signatures,
    Table,
)
from veridical.writing import write_made

if TYPE_CHECKING:
    from veridical.validation.model_validation import Validation

__all__ = ["check_installed", "word_of", "write_word"]

_WIDTH_CM, _HEIGHT_CM, _MARGIN_CM = 29.7, 21.0, 1.8
_TABLE_POINTS, _TEXT_POINTS = 7.5, 10
_CHARACTER_CM, _PADDING_CM = 0.16, 0.45
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first day that a zip knows
_UNIX = 3


def check_installed() -> None:
    """Raise unless what the document is written with is installed.

    Raises
    ------
    MissingExtraError
        It is not.
    """
    absent = [name for name in ("docx", "matplotlib") if find_spec(name) is None]
    if absent:
        raise MissingExtraError(
            f"a text document needs {'python-docx' if absent[0] == 'docx' else absent[0]}, "
            "which is not installed",
            fix=install_command("docx"),
        )


def write_word(validation: Validation, path: str | Path) -> Path:
    """Write the text document.

    Parameters
    ----------
    validation
        What to report.
    path
        Where to write; an existing file is replaced, whole or not at all.

    Raises
    ------
    MissingExtraError
        python-docx or matplotlib is not installed.
    OutputError
        The file cannot be written.
    """
    check_installed()
    return write_made(path, lambda: word_of(document_of(validation), validation.date))


def word_of(document: Document, date: dt.date) -> bytes:
    """Return a document as the bytes of a ``.docx``.

    Parameters
    ----------
    document
        Its content.
    date
        The day that it bears inside, too.
    """
    import docx

    made = docx.Document()
    _set_up(made, document.title, date)
    made.add_heading(document.title, 0)
    facts = Table("", ("", ""), document.facts)
    _add_rows(made, facts, head=False)
    for section in document.sections:
        if any(isinstance(block, Signatures) for block in section.blocks):
            made.add_page_break()  # type: ignore[no-untyped-call]
        made.add_heading(section.title, 1)
        for block in section.blocks:
            _add(made, block)
    draft = io.BytesIO()
    made.save(draft)
    return _packed(draft.getvalue())


def _set_up(made: Any, title: str, date: dt.date) -> None:
    from docx.enum.section import WD_ORIENT
    from docx.shared import Cm, Pt

    page = made.sections[0]
    page.orientation = WD_ORIENT.LANDSCAPE
    page.page_width, page.page_height = Cm(_WIDTH_CM), Cm(_HEIGHT_CM)
    page.left_margin = page.right_margin = Cm(_MARGIN_CM)
    page.top_margin = page.bottom_margin = Cm(_MARGIN_CM)
    made.styles["Normal"].font.size = Pt(_TEXT_POINTS)
    about = made.core_properties
    about.title, about.author, about.last_modified_by = title[:255], "veridical", "veridical"
    about.comments, about.revision = "", 1
    about.created = about.modified = dt.datetime.combine(date, dt.time())


def _add(made: Any, block: Block) -> None:
    match block:
        case Paragraph():
            made.add_paragraph().add_run(block.text).italic = block.quiet
        case Bullets():
            for sentence in block.sentences:
                made.add_paragraph(sentence, style="List Bullet")
        case Table():
            made.add_heading(block.title, 2)
            _add_rows(made, block, head=True)
        case Figure():
            _add_figure(made, block)
        case Signatures():
            _add_lines(made, block)


def _add_rows(made: Any, table: Table, *, head: bool) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml import OxmlElement
    from docx.shared import Cm, Pt

    rows = [table.head, *table.rows] if head else list(table.rows)
    if not rows:
        return
    widths = [Cm(width) for width in _widths(rows)]
    drawn = made.add_table(len(rows), len(widths), style="Table Grid")
    drawn.autofit = False
    for column, width in zip(drawn.columns, widths, strict=True):
        column.width = width
    for index, (row, texts) in enumerate(zip(drawn.rows, rows, strict=True)):
        for at, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
            cell.width = widths[at]
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_after = Pt(0)
            run = paragraph.add_run(text)
            run.font.size = Pt(_TABLE_POINTS)
            run.bold = index == 0 and head
            if at in table.numbers:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        properties = row._tr.get_or_add_trPr()  # noqa: SLF001 - the library names no other way
        properties.append(OxmlElement("w:cantSplit"))
        if index == 0 and head:
            properties.append(OxmlElement("w:tblHeader"))
    made.add_paragraph()


def _widths(rows: Sequence[tuple[str, ...]]) -> list[float]:
    """Return the width of each column in cm.

    Room for its longest word, and of the rest a share that grows with its longest text, though not
    in proportion to it.
    """
    columns = list(zip(*rows, strict=True))
    words = [
        max(len(word) for text in column for word in [*text.split(), ""]) for column in columns
    ]
    needed = [_CHARACTER_CM * min(longest, 24) + _PADDING_CM for longest in words]
    shares = [min(max(map(len, column)), 200) ** 0.6 for column in columns]
    rest = max(0.0, _WIDTH_CM - 2 * _MARGIN_CM - sum(needed))
    total = sum(shares) or 1.0
    return [least + rest * share / total for least, share in zip(needed, shares, strict=True)]


def _add_figure(made: Any, figure: Figure) -> None:
    from docx.shared import Cm

    made.add_heading(figure.title, 2)
    drawn = made.add_picture(io.BytesIO(_picture(figure)), width=Cm(11))
    # For those who cannot see it; the library names no other way.
    drawn._inline.docPr.set("descr", f"{figure.title}. {figure.caption}")  # noqa: SLF001
    made.add_paragraph().add_run(figure.caption).italic = True


def _picture(figure: Figure) -> bytes:
    """Return the chart as a PNG, whatever style the user has set."""
    from matplotlib import style
    from matplotlib.figure import Figure as Canvas

    picture = io.BytesIO()
    with style.context("default"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name may hold characters that the font has not
        canvas = Canvas(figsize=(5.5, 4.2), layout="constrained")
        figure.draw(canvas.subplots())
        canvas.savefig(picture, format="png", dpi=150, metadata={"Software": None})
    return picture.getvalue()


def _add_lines(made: Any, signatures: Signatures) -> None:
    from docx.shared import Cm

    for role in signatures.roles:
        made.add_heading(role, 2)
        table = made.add_table(len(signatures.lines), 2, style="Table Grid")
        table.autofit = False
        for row, line in zip(table.rows, signatures.lines, strict=True):
            row.height = Cm(0.75)
            label, blank = row.cells
            label.width, blank.width = Cm(4), Cm(12)
            label.paragraphs[0].add_run(line)


def _packed(draft: bytes) -> bytes:
    """Return a zip of the same parts, sorted and undated; that of their types must be first."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(draft)) as parts, zipfile.ZipFile(packed, "w") as sorted_parts:
        for name in sorted(parts.namelist(), key=lambda name: (name[0] != "[", name)):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, _UNIX
            entry.external_attr = 0o644 << 16
            sorted_parts.writestr(entry, parts.read(name))
    return packed.getvalue()
