"""An evaluation on stdout, in the form that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.cli.output import emit, emit_json

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = ["show"]


def show(result: Evaluation, *, json: bool = False, markdown: bool = False) -> None:
    """Print an evaluation as a table, as one JSON document or as Markdown."""
    if json:
        emit_json(result.to_dict())
    elif markdown:
        from veridical.report.markdown import markdown as as_markdown

        emit(as_markdown(result))
    else:
        from veridical.report.terminal import terminal_text

        emit(terminal_text(result))
