"""A run for other programs: CSV with a row a case and metric, JUnit, one JSON document."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from veridical.report.display import name_text
from veridical.report.rag_case import ShownCase, ShownOutcome
from veridical.report.visible import legal_xml

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet

__all__ = ["cases_csv", "cases_junit", "report_document"]

SCHEMA: Final = "veridical.rag_report/1"
_HEAD: Final = (
    "case", "repeat", "kind", "language", "tags", "metric", "state", "value", "reason", "detail",
    "flags",
)  # fmt: skip
_FORMULA: Final = tuple("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n")
"""What a spreadsheet may take for the beginning of a formula."""


def cases_csv(cases: Sequence[ShownCase]) -> str:
    """Return one row a case, repeat and metric; no text in it is a formula.

    Parameters
    ----------
    cases
        All of a run.
    """
    out = io.StringIO()
    writer = csv.writer(out)  # lines end in CR LF, and a cell that holds either is quoted
    writer.writerow(_HEAD)
    for case in cases:
        place = (case.id, case.repeat, case.kind, case.language, " ".join(case.tags))
        for one in case.outcomes:
            value = "" if one.value is None else repr(one.value)
            rest = (one.reason, one.detail, " ".join(one.flags))
            texts = (*place, one.metric, one.state)
            writer.writerow([*map(_cell, texts), value, *map(_cell, rest)])
    return out.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = name_text(value).replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def cases_junit(ev: ResultSet, cases: Sequence[ShownCase]) -> str:
    """Return the run in the form that CI systems read: a suite a metric, a case a case.

    What is scored passes, whatever its value, for a run alone judges nothing; errors are errors,
    and what is skipped, not applicable or pending is skipped.

    Parameters
    ----------
    ev
        The results.
    cases
        All of a run.
    """
    suites = ET.Element("testsuites", {"name": "veridical rag"})
    for result in ev.results:
        if result.group is not None:
            continue
        found = [(case, one) for case in cases for one in case.outcomes if _is_of(one, result)]
        counts = {
            "tests": len(found),
            "failures": 0,
            "errors": sum(one.state.endswith("_error") for _, one in found),
            "skipped": sum(_is_skipped(one) for _, one in found),
        }
        numbers = {name: str(n) for name, n in counts.items()}
        name = legal_xml(result.metric)
        suite = ET.SubElement(suites, "testsuite", {"name": name, **numbers, "time": "0"})
        for case, one in found:
            _junit_case(suite, case, one)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, "unicode") + "\n"


def _is_of(one: ShownOutcome, result: Any) -> bool:
    return bool(one.metric == result.metric)


def _is_skipped(one: ShownOutcome) -> bool:
    return one.state in {"skipped", "not_applicable", "pending"}


def _junit_case(suite: ET.Element, case: ShownCase, one: ShownOutcome) -> None:
    name = case.id if case.repeat == 1 else f"{case.id} (repeat {case.repeat})"
    of = {"classname": legal_xml(one.metric), "name": legal_xml(name), "time": "0"}
    element = ET.SubElement(suite, "testcase", of)
    told = legal_xml(": ".join(filter(None, (one.reason or one.state, one.detail))))
    if one.state.endswith("_error"):
        kind = {"type": one.state, "message": told}
        ET.SubElement(element, "error", kind)
    elif _is_skipped(one):
        ET.SubElement(element, "skipped", {"message": told})
    else:
        ET.SubElement(element, "system-out").text = legal_xml(
            " ".join((repr(one.value), *one.flags))
        )


def report_document(
    evaluation: Mapping[str, Any], cases: Sequence[ShownCase], texts: str = "full"
) -> dict[str, Any]:
    """Return results and cases with their evidence as one JSON document.

    Parameters
    ----------
    evaluation
        What ``--json`` of the run prints.
    cases
        All of a run, the worst first.
    texts
        What was kept of texts: ``full``, ``hashed`` or ``none``.
    """
    return {
        "schema": SCHEMA,
        "evaluation": dict(evaluation),
        "store_text": texts,
        "cases": [asdict(case) for case in cases],
    }
