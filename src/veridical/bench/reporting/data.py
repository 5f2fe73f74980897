"""What a report is made of, whatever its form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from veridical import strict_json
from veridical.bench.cases import Case
from veridical.bench.grouping import GroupKey
from veridical.bench.prices.table import PriceTable
from veridical.bench.reporting.limits import LIMITS
from veridical.bench.scoring.agent_score import AgentScore
from veridical.bench.scoring.calibration import CONFIDENCE_MAP
from veridical.bench.scoring.rates import LEVEL
from veridical.bench.scoring.scored import Scored

__all__ = ["BASELINE", "BenchReport", "is_baseline"]

BASELINE: Final = "closing_copier"
"""The agent that copies the printed closing balance; it stands in every report."""
_SHIPPED: Final = strict_json.sha256({})
"""Of the configuration of an agent that is shipped: what people plug in has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchReport:
    """One suite, and what agents did with it.

    Attributes
    ----------
    suite
        Its name.
    cases
        By id, with their files.
    agents
        Scores, the baseline last.
    hashes
        Versions and sha256 of all that was asked, by name.
    prices
        The table that money is by.
    harness_versions
        Of the trajectories.
    level
        Of the intervals.
    confidence_map
        The probability that each level of confidence stands for.
    """

    suite: str
    cases: Mapping[str, Case]
    agents: Sequence[AgentScore]
    hashes: Mapping[str, str]
    prices: PriceTable
    harness_versions: Sequence[str]
    level: float = LEVEL
    confidence_map: Mapping[str, float] = field(default_factory=lambda: CONFIDENCE_MAP)

    @property
    def composition(self) -> dict[str, int]:
        """How many cases there are of each class; a case may be in several."""
        every = self.cases.values()
        return {
            "cases": len(self.cases),
            "clean": sum(case.is_clean for case in every),
            "benign noise": sum(case.benign_noise for case in every),
            "with a flag due": sum(bool(case.expected_flags) for case in every),
            "injected": sum(case.injection is not None for case in every),
            "not determinable": sum(not case.determinable for case in every),
            "templates": len({case.template_id for case in every}),
        }

    @property
    def seeds(self) -> list[str]:
        """Seeds of the suite."""
        return sorted({case.seed for case in self.cases.values()})

    @property
    def labels(self) -> list[str]:
        """A name for each agent, no two alike."""
        names = [one.key.label for one in self.agents]
        repeated = {name for name, n in Counter(names).items() if n > 1}
        return [f"{name} #{at}" if name in repeated else name for at, name in enumerate(names, 1)]

    @property
    def asked(self) -> list[AgentScore]:
        """The agents but for the baseline; it alone where there is no other."""
        return [one for one in self.agents if not is_baseline(one.key)] or list(self.agents)

    def rows(self) -> list[dict[str, Any]]:
        """Return every score, case by case, as JSON has it."""
        return [
            {"agent": label, **row.to_dict()}
            for label, one in zip(self.labels, self.agents, strict=True)
            for row in one.rows
        ]

    def opened(self) -> tuple[Case, list[Scored | None]] | None:
        """Return one case, and each agent's first answer to it.

        The first case on which an agent failed silently, else one that an agent got wrong; the
        baseline is not asked.
        """
        rows = sorted(
            (row for one in self.asked for row in one.rows if row.parsed),
            key=lambda row: (not row.silent, row.correct, row.case.case_id),
        )
        if not rows:
            return None
        case = rows[0].case
        return self.cases[case.case_id], [_first(one, case.case_id) for one in self.agents]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {
            "schema": "veridical.bench_report/1",
            "suite": self.suite,
            "seeds": self.seeds,
            "composition": self.composition,
            "hashes": dict(self.hashes),
            "price_table": {
                "version": self.prices.version,
                "currency": self.prices.currency,
                "sha256": self.prices.sha256,
            },
            "harness_versions": list(self.harness_versions),
            "level": self.level,
            "confidence_map": dict(self.confidence_map),
            "baseline": BASELINE,
            "agents": [
                {"label": label, **one.to_dict()}
                for label, one in zip(self.labels, self.agents, strict=True)
            ],
            "limits": [f"{what} {why}" for what, why in LIMITS],
        }


def is_baseline(key: GroupKey) -> bool:
    """Whether this is the agent that is shipped, and not somebody else's of its name."""
    return key.agent == BASELINE and key.config_sha256 == _SHIPPED


def _first(score: AgentScore, case_id: str) -> Scored | None:
    return next((row for row in score.rows if row.case.case_id == case_id), None)
