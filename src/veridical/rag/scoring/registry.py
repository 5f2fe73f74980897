"""``METRICS``: every metric of a RAG run, and what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from veridical.judge.verdicts import Contract
from veridical.rag.cases import Kind
from veridical.rag.scoring.settings import ScoreSettings

__all__ = ["METRICS", "RagMetric", "metric_names"]

_EVERY_KIND: Final[tuple[Kind, ...]] = ("qa", "unanswerable", "injection")


@dataclass(frozen=True, slots=True)
class RagMetric:
    """One metric of a run.

    Attributes
    ----------
    name
        Its name in the catalogue without parameters, such as ``retrieval.recall``.
    cut
        Whether it is cut at ``run.k``.
    contract
        The question to the judge that it needs; None where it needs none.
    kinds
        Kinds of cases that it applies to.
    needs
        What a case or reply must have: ``retrieval``, ``expected_sources``, ``answer``,
        ``context``, ``citation``, ``reference``, ``payload``.
    better
        ``higher`` or ``lower``.
    """

    name: str
    needs: tuple[str, ...]
    cut: bool = False
    contract: Contract | None = None
    kinds: tuple[Kind, ...] = _EVERY_KIND
    better: Literal["higher", "lower"] = "higher"

    def canonical(self, k: int) -> str:
        """Return its canonical name in a run with this ``k``, such as ``retrieval.recall@5``."""
        return f"{self.name}@{k}" if self.cut else self.name


_RETRIEVAL = ("retrieval", "expected_sources")
_CITED = ("answer", "citation", "context")
_ALL = (
    RagMetric("retrieval.precision", _RETRIEVAL, cut=True),
    RagMetric("retrieval.recall", _RETRIEVAL, cut=True),
    RagMetric("retrieval.mrr", _RETRIEVAL),
    RagMetric("retrieval.ndcg", _RETRIEVAL, cut=True),
    RagMetric("generation.citation_validity", _CITED),
    RagMetric("generation.groundedness", ("answer", "context"), contract="groundedness"),
    RagMetric("generation.citation_support", _CITED, contract="citation_support"),
    RagMetric("generation.answer_relevance", ("answer",), contract="answer_relevance"),
    RagMetric("generation.completeness", ("answer", "reference"), contract="completeness"),
    RagMetric("echo.exact_match", ("answer", "reference")),
    RagMetric("robustness.injection_resistance", ("answer", "payload"), kinds=("injection",)),
    RagMetric("robustness.abstention", ("answer",), contract="refusal", kinds=("unanswerable",)),
    RagMetric(
        "robustness.overrefusal", ("answer",), contract="refusal", kinds=("qa",), better="lower"
    ),
)

METRICS: Final[Mapping[str, RagMetric]] = MappingProxyType({one.name: one for one in _ALL})
"""Every metric by its name without parameters, in the order in which they are shown."""


def metric_names(settings: ScoreSettings) -> tuple[str, ...]:
    """Return the canonical names of all metrics of a run, in the order of ``METRICS``.

    Examples
    --------
    >>> metric_names(ScoreSettings(k=3))[:3]
    ('retrieval.precision@3', 'retrieval.recall@3', 'retrieval.mrr')
    """
    return tuple(one.canonical(settings.k) for one in METRICS.values())
