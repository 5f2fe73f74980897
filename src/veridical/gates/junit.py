"""A verdict as JUnit XML: each rule is a test case."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from veridical.gates.verdict import GateRule, GateVerdict
from veridical.gates.wording import details, headline, remarks
from veridical.report.visible import visible

__all__ = ["gate_junit"]

# What no XML 1.0 document may hold, however it is written.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELEMENTS = {"fail": "failure", "undecided": "error"}


def gate_junit(verdict: GateVerdict) -> str:
    """Return the verdict as one XML document in the form that CI systems read.

    A rule that fails is a failure, one that is undecided an error, so that neither looks green.
    Where every rule passes and the verdict is still undecided (all are vacuous), one case says so.

    Parameters
    ----------
    verdict
        What to write.
    """
    counts = verdict.counts()
    alone = counts["fail"] + counts["undecided"] == 0 and verdict.verdict != "pass"
    numbers = {
        "tests": str(len(verdict.rules) + alone),
        "failures": str(counts["fail"]),
        "errors": str(counts["undecided"] + alone),
        "skipped": "0",
        "time": "0",
    }
    suites = ET.Element("testsuites", {"name": "veridical gate", **numbers})
    name = f"{verdict.policy.name} {verdict.policy.version}"
    suite = ET.SubElement(suites, "testsuite", {"name": _legal(name), **numbers})
    properties = ET.SubElement(suite, "properties")
    for key, value in (
        ("policy_sha256", verdict.policy.sha256),
        ("run", verdict.run.label),
        ("baseline", verdict.baseline.label if verdict.baseline else ""),
        ("verdict", verdict.verdict),
        ("veridical", "; ".join(remarks(verdict))),
    ):
        ET.SubElement(properties, "property", {"name": key, "value": _legal(value)})
    for rule in verdict.rules:
        _case(suite, rule)
    if alone:
        case = ET.SubElement(suite, "testcase", _attributes("gate", "the whole policy"))
        ET.SubElement(case, "error", {"type": "undecided", "message": _legal(headline(verdict))})
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, "unicode") + "\n"


def _case(suite: ET.Element, rule: GateRule) -> None:
    row = rule.row
    case = ET.SubElement(suite, "testcase", _attributes(row.result.subject or "", row.rule))
    lines = [_legal(detail) for detail in details(rule)]
    element = _ELEMENTS.get(rule.verdict)
    if element is None:
        ET.SubElement(case, "system-out").text = "\n".join(lines)
        return
    message = f"{rule.verdict}: {row.rule}" + (f"; {lines[0]}" if lines else "")
    found = ET.SubElement(case, element, {"type": rule.verdict, "message": _legal(message)})
    found.text = "\n".join(lines)


def _attributes(subject: str, rule: str) -> dict[str, str]:
    return {"classname": _legal(f"veridical.{subject}"), "name": _legal(rule), "time": "0"}


def _legal(text: str) -> str:
    """Return ``text`` with what XML forbids, and what nobody can see, spelt out."""
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", visible(text))
