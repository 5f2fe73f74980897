"""The validation report as a page that asks the network for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from veridical.report.html import render_page
from veridical.report.unit_page import Fact
from veridical.validation.contents import document_of
from veridical.validation.document import Document
from veridical.writing import write_made

if TYPE_CHECKING:
    from veridical.validation.model_validation import Validation

__all__ = ["page_of", "write_page"]


def write_page(validation: Validation, path: str | Path) -> Path:
    """Write the page.

    Parameters
    ----------
    validation
        What to report.
    path
        Where to write; an existing file is replaced, whole or not at all.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    return write_made(path, lambda: page_of(document_of(validation)))


def page_of(document: Document) -> str:
    """Return a document as HTML text, to be written as UTF-8."""
    context = {
        "title": document.title,
        "facts": [Fact(term, said) for term, said in document.facts],
        "sections": [
            {
                "name": section.name,
                "short": section.short,
                "title": section.title,
                "blocks": [{"kind": type(one).__name__, "of": one} for one in section.blocks],
            }
            for section in document.sections
        ],
    }
    return render_page("validation.html", context)
