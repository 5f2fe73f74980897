"""What ``veridical text`` prints: results, and once that overlap measures wording, not truth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from veridical.report.unit_comparisons import comparison_lines
from veridical.report.unit_lines import COLUMNS, result_lines
from veridical.report.visible import visible, wrapped

if TYPE_CHECKING:
    from veridical.evaluation.text import TextEvaluation
    from veridical.results import Result

__all__ = ["WORDING", "example_text", "overlap_markdown", "overlap_text"]

WORDING = (
    "Overlap measures wording, not truth: a false text in the right words scores high, a true one "
    "in other words low (--example shows both)."
)


def overlap_text(ev: TextEvaluation) -> str:
    """Return the results as text.

    Parameters
    ----------
    ev
        What to print.

    Examples
    --------
    >>> import veridical as vd
    >>> ev = vd.evaluate_text(["a b"], ["a c"], ["rouge_1"], intervals=False)
    >>> print(overlap_text(ev).splitlines()[3])
    text.rouge_1  0.5000  1
    """
    lines = [_size(ev), ""]
    lines += result_lines(ev.results, subjects=len(ev.subjects) > 1)
    lines += comparison_lines(ev.comparisons, ev.units, COLUMNS)
    lines.append("")
    for remark in _counted(ev):
        lines += [remark] if "|" in remark else wrapped(remark, COLUMNS)
    return "\n".join([*lines, "", *wrapped(WORDING, COLUMNS)])


def overlap_markdown(ev: TextEvaluation) -> str:
    """Return the results as Markdown.

    Parameters
    ----------
    ev
        What to print.
    """
    from veridical.report.unit_markdown import unit_markdown

    level = ev.settings.shown_level
    heading = f"Wording of {', '.join(ev.subjects)}"
    return unit_markdown(ev, heading, [_size(ev), *_counted(ev), WORDING], level)


def _size(ev: TextEvaluation) -> str:
    return f"{ev.source['n_rows']:,} segments"


def _counted(ev: TextEvaluation) -> list[str]:
    """Return by which tokens each metric was counted, and the signatures."""
    tokenisers: dict[str, list[str]] = {}
    for result in ev.results:
        names = tokenisers.setdefault(str(result.conditions.get("tokeniser", "")), [])
        if result.metric not in names:
            names.append(result.metric)
    signatures = {
        f"{result.metric}: {visible(result.conditions['signature'])}": None
        for result in ev.results
        if "signature" in result.conditions
    }
    told = [f"tokens by {name}: {', '.join(names)}" for name, names in tokenisers.items() if name]
    return [*told, *signatures]


def example_text(rows: Iterable[tuple[str, str, Result, Result]]) -> str:
    """Return the example of a false text that overlaps and a true one that does not.

    Parameters
    ----------
    rows
        Kind, text, sentence BLEU and ROUGE-L.
    """
    lines = ["reference: The meeting was moved to Friday because the manager is sick.", ""]
    for kind, text, bleu, rouge in rows:
        lines += [f"{kind}: {text}", f"  BLEU {float(bleu):.4f}  ROUGE-L {float(rouge):.4f}"]
    return "\n".join(lines)
