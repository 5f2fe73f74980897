"""A verdict as JUnit XML: each rule is a test case."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from veridical.gates.verdict import GateRule, GateVerdict
from veridical.gates.wording import details, headline, remarks
from veridical.report.visible import legal_xml

__all__ = ["gate_junit"]

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
    suite = ET.SubElement(suites, "testsuite", {"name": legal_xml(name), **numbers})
    properties = ET.SubElement(suite, "properties")
    for key, value in (
        ("policy_sha256", verdict.policy.sha256),
        ("run", verdict.run.label),
        ("baseline", verdict.baseline.label if verdict.baseline else ""),
        ("verdict", verdict.verdict),
        ("veridical", "; ".join(remarks(verdict))),
    ):
        ET.SubElement(properties, "property", {"name": key, "value": legal_xml(value)})
    for rule in verdict.rules:
        _case(suite, rule)
    if alone:
        case = ET.SubElement(suite, "testcase", _attributes("gate", "the whole policy"))
        ET.SubElement(case, "error", {"type": "undecided", "message": legal_xml(headline(verdict))})
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, "unicode") + "\n"


def _case(suite: ET.Element, rule: GateRule) -> None:
    row = rule.row
    case = ET.SubElement(suite, "testcase", _attributes(row.result.subject or "", row.rule))
    lines = [legal_xml(detail) for detail in details(rule)]
    element = _ELEMENTS.get(rule.verdict)
    if element is None:
        ET.SubElement(case, "system-out").text = "\n".join(lines)
        return
    message = f"{rule.verdict}: {row.rule}" + (f"; {lines[0]}" if lines else "")
    found = ET.SubElement(case, element, {"type": rule.verdict, "message": legal_xml(message)})
    found.text = "\n".join(lines)


def _attributes(subject: str, rule: str) -> dict[str, str]:
    return {"classname": legal_xml(f"veridical.{subject}"), "name": legal_xml(rule), "time": "0"}
