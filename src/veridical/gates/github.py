"""A verdict for GitHub Actions: annotations in the log, and the summary of the job."""

from __future__ import annotations

import os
from collections.abc import Iterator

from veridical.errors import OutputError
from veridical.gates.markdown import gate_markdown
from veridical.gates.verdict import GateVerdict
from veridical.gates.wording import details, headline
from veridical.report.visible import visible

__all__ = ["append_summary", "workflow_commands"]

SUMMARY = "GITHUB_STEP_SUMMARY"
_LEVELS = {"fail": "error", "undecided": "warning"}
_MOST_ANNOTATIONS = 10
"""GitHub shows ten of a kind in one step; the last of ours says how many more there are."""


def workflow_commands(verdict: GateVerdict) -> Iterator[str]:
    """Yield a workflow command for each rule that does not pass.

    Parameters
    ----------
    verdict
        What to tell.
    """
    found = [rule for rule in verdict.rules if rule.verdict != "pass"]
    shown = found if len(found) <= _MOST_ANNOTATIONS else found[: _MOST_ANNOTATIONS - 1]
    for rule in shown:
        row = rule.row
        lines = [f"{row.result.subject or ''}: {row.rule}", *details(rule)]
        yield _command(_LEVELS[rule.verdict], f"veridical gate: {rule.verdict}", lines)
    if len(found) > len(shown):
        more = f"{len(found) - len(shown):,} more rules do not pass"
        yield _command("error", "veridical gate", [more])
    if not found and verdict.verdict != "pass":
        yield _command("warning", "veridical gate", [headline(verdict), verdict.why])


def append_summary(verdict: GateVerdict) -> str | None:
    """Append Markdown to the summary of the job; return the file, or None outside of a job.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    path = os.environ.get(SUMMARY)
    if not path:
        return None
    try:
        # The runner makes this file, and other steps append to it too.
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:  # noqa: PTH123
            file.write(gate_markdown(verdict) + "\n")
    except (OSError, ValueError) as error:
        raise OutputError(
            f"the summary of the job cannot be written: {getattr(error, 'strerror', error)}",
            where=f"{SUMMARY}={path[:200]}",
            fix="unset the variable, or leave --github out",
        ) from error
    return path


def _command(level: str, title: str, lines: list[str]) -> str:
    """Return a workflow command; nothing in a name can end it or begin another."""
    message = "\n".join(visible(line) for line in lines if line)
    return f"::{level} title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
