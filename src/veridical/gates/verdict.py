"""``GateVerdict``: pass, fail or undecided, rule by rule and over all of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

from veridical.comparison.differing import Allowed
from veridical.comparison.recorded import Recorded
from veridical.exit_codes import FAILED, OK, UNDECIDED
from veridical.gates.validated import Validated
from veridical.policy import PolicyRow, PolicyVerdict
from veridical.policy.parts import shows_skill
from veridical.results import Result
from veridical.writing import write_made

__all__ = ["GateRule", "GateVerdict", "Outcome"]

Outcome: TypeAlias = Literal["pass", "fail", "undecided"]

_OUTCOMES: Final[dict[str, Outcome]] = {"met": "pass", "not met": "fail"}
_EXIT_CODES: Final = {"pass": OK, "fail": FAILED, "undecided": UNDECIDED}


@dataclass(frozen=True, slots=True)
class GateRule:
    """One rule about one subject.

    Attributes
    ----------
    row
        The rule, the result, and what the policy says.
    worst
        The result of the group in which the metric is worst; None without groups.
    """

    row: PolicyRow
    worst: Result | None = None

    @property
    def verdict(self) -> Outcome:
        """``pass``, ``fail``, or ``undecided``: a metric that was skipped never passes."""
        return _OUTCOMES.get(self.row.verdict, "undecided")

    @property
    def why(self) -> str:
        """Why the verdict is what it is, in words; empty where the numbers say it."""
        result, why = self.row.result, self.row.why
        if result.ok:
            return why
        return "; ".join(filter(None, (f"skipped: {result.detail} ({result.reason})", why)))

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as one JSON object."""
        return {
            **self.row.to_dict(),
            "verdict": self.verdict,
            "why": self.why,
            "worst_group": None if self.worst is None else self.worst.to_dict(),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class GateVerdict:
    """What a policy says about a run.

    Attributes
    ----------
    run, baseline
        What was judged, and what it was compared with; None without a baseline.
    policy
        The policy by name, version and hash, and its rows.
    rules
        One a rule and subject.
    allowed
        Conditions in which run and baseline differ, and were allowed to.
    notes
        What must be said about the whole: that no rule reads the baseline.
    validation
        The runs of the saved validation that was judged; None where it was none.
    """

    schema: ClassVar[str] = "veridical.gate/1"

    run: Recorded
    policy: PolicyVerdict
    rules: tuple[GateRule, ...]
    baseline: Recorded | None = None
    allowed: tuple[Allowed, ...] = ()
    notes: tuple[str, ...] = ()
    validation: Validated | None = None

    @property
    def verdict(self) -> Outcome:
        """Fail where any rule fails; else pass where every subject passes; else undecided.

        A validation passes as ``validate`` says: by a rule that a forecast without skill fails.
        """
        found = _OUTCOMES.get(self.policy.verdict, "undecided")
        return "undecided" if found == "pass" and self._shows_no_skill else found

    @property
    def _shows_no_skill(self) -> bool:
        return self.validation is not None and not shows_skill(self.policy)

    @property
    def exit_code(self) -> int:
        """0 for pass, 1 for fail, 3 for undecided."""
        return _EXIT_CODES[self.verdict]

    @property
    def why(self) -> str:
        """Why the verdict over all rules is not that of each; empty where it is."""
        if self.verdict != "undecided":
            return ""
        if not self.rules:
            return "the policy has no rules"
        if all(rule.verdict == "pass" for rule in self.rules):
            if self.policy.verdict == "met":
                return "no rule that passes asks for skill: random scores would meet each of them"
            return "every rule that passes is vacuous: a forecast without skill meets it too"
        return ""

    def counts(self) -> dict[Outcome, int]:
        """Return how many rules pass, fail and are undecided."""
        verdicts = [rule.verdict for rule in self.rules]
        kinds: tuple[Outcome, ...] = ("pass", "fail", "undecided")
        return {kind: verdicts.count(kind) for kind in kinds}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document that ``--json`` prints."""
        return {
            "schema": self.schema,
            "verdict": self.verdict,
            "why": self.why,
            "exit_code": self.exit_code,
            "run": self.run.described(),
            "baseline": None if self.baseline is None else self.baseline.described(),
            "allowed": [one.to_dict() for one in self.allowed],
            "notes": list(self.notes),
            **({} if self.validation is None else {"validation": self.validation.to_dict()}),
            "policy": {
                "name": self.policy.name,
                "version": self.policy.version,
                "sha256": self.policy.sha256,
                "source": self.policy.source,
            },
            "counts": self.counts(),
            "rules": [rule.to_dict() for rule in self.rules],
        }

    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write a self-contained HTML page.

        Parameters
        ----------
        path
            Where to write; an existing file is replaced, whole or not at all.
        title
            The page's heading; the verdict, the policy and the run by default.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        from veridical.gates.page import gate_html

        return write_made(path, lambda: gate_html(self, title))

    def __repr__(self) -> str:
        from veridical.gates.terminal import gate_text

        return gate_text(self)
