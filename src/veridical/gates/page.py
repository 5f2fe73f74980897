"""A verdict as a page that asks the network for nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from veridical.comparison.page import facts_of_run, without_folder
from veridical.gates.verdict import GateRule, GateVerdict
from veridical.gates.wording import beside, headline, remarks
from veridical.report.html import render_page
from veridical.report.payload import Shown
from veridical.report.result_rows import axis_of, ends_of, entry_of, result_row
from veridical.report.unit_page import Fact, level_text, made_with, presented

__all__ = ["gate_html"]

_LOOKS: Final = {"pass": "met", "fail": "not-met", "undecided": "undecided"}


def gate_html(verdict: GateVerdict, title: str | None = None) -> str:
    """Return the verdict as HTML text; the same verdict always gives the same text.

    Parameters
    ----------
    verdict
        What to show.
    title
        The page's heading; the verdict, the policy and the run by default.
    """
    verdict = _without_folders(verdict)
    policy, results = verdict.policy, [rule.row.result for rule in verdict.rules]
    shown = presented(results)
    level = max((i.level for result in results if (i := result.interval)), default=None)
    baseline = verdict.baseline
    context = {
        "title": title or headline(verdict),
        "facts": sorted(
            [
                Fact(
                    "Policy",
                    f"{policy.name} {policy.version}",
                    [policy.source] if policy.source else [],
                ),
                Fact("Exit code", str(verdict.exit_code)),
                *facts_of_run("Run", verdict.run),
                *([] if baseline is None else facts_of_run("Baseline", baseline)),
                made_with(),
                Fact("Policy sha256", policy.sha256, width="wide"),
            ],
            key=lambda fact: fact.width == "wide",
        ),
        "verdict": verdict.verdict,
        "look": _LOOKS[verdict.verdict],
        "level": level_text(level),
        "remarks": list(remarks(verdict)),
        "has_subjects": len({result.subject for result in results}) > 1,
        "rules": [_rule(shown, rule) for rule in verdict.rules],
    }
    return render_page("gate.html", context)


def _without_folders(verdict: GateVerdict) -> GateVerdict:
    run, baseline = verdict.run, verdict.baseline
    if baseline is None:
        return replace(verdict, run=without_folder(run))
    return replace(
        verdict, run=without_folder(run, baseline), baseline=without_folder(baseline, run)
    )


def _rule(shown: Shown, rule: GateRule) -> dict[str, Any]:
    result = rule.row.result.to_dict()
    entry = entry_of(shown, result["metric"])
    axis = axis_of(entry, [result])
    return result_row(shown, result, axis, {}) | {
        "rule": rule.row.rule,
        "vacuous": bool(rule.row.vacuous),
        "verdict": rule.verdict,
        "look": _LOOKS[rule.verdict],
        "ends": ends_of(entry, axis),
        "lines": list(beside(rule)),
    }
