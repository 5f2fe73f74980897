"""The family ``generation``: what an answer is worth, given what it was made from."""

from __future__ import annotations

from veridical.measures import metric
from veridical.metrics.case_means import mean_over_cases, over_cases
from veridical.results import Result
from veridical.summaries.case_outcomes import CaseOutcomes

__all__ = [
    "answer_relevance",
    "citation_support",
    "citation_validity",
    "completeness",
    "groundedness",
]

_of_cases = metric("generation", summary=CaseOutcomes, bounds=(0, 1), interval=over_cases)


@_of_cases
def citation_validity(outcomes: CaseOutcomes) -> Result:
    """Mean over answers of the share of cited ids that were retrieved; no judge is asked.

    Formula
    -------
    |cited ids in the retrieved set| / |cited ids|, each id once; 0 where nothing was retrieved.

    When it is undefined
    --------------------
    An answer that cites nothing: skipped ``no_citation``; no answer: ``no_answer``; an adapter that
    does not expose retrieval: ``no_retrieval``.

    References
    ----------
    T. Gao, H. Yen, J. Yu and D. Chen (2023), Enabling large language models to generate text with
    citations.  doi:10.18653/v1/2023.emnlp-main.398

    Examples
    --------
    >>> rows = [("c1", 1, "scored", 1.0, ""), ("c2", 1, "scored", 0.0, "")]
    >>> citation_validity.function(CaseOutcomes.of(rows)).value
    0.5
    """
    return mean_over_cases(outcomes)


@_of_cases
def groundedness(outcomes: CaseOutcomes) -> Result:
    """Mean over answers of the share of their claims that the retrieved text supports.

    Formula
    -------
    supported claims / claims, as a judge takes the answer apart and holds each claim to the text.

    When it is undefined
    --------------------
    Without a judge: skipped ``no_judge``.  No text was retrieved: ``no_context``, or
    ``no_retrieval`` where that is not exposed.  An answer without a claim, a refusal, is not
    applicable: counted, and in no mean.

    References
    ----------
    S. Es, J. James, L. Espinosa-Anke and S. Schockaert (2024), RAGAs: Automated evaluation of
    retrieval augmented generation.  doi:10.18653/v1/2024.eacl-demo.16

    Examples
    --------
    >>> rows = [("c1", 1, "scored", 1.0, ""), ("c2", 1, "scored", 0.0, "")]
    >>> groundedness.function(CaseOutcomes.of(rows)).value
    0.5
    """
    return mean_over_cases(outcomes)


@_of_cases
def citation_support(outcomes: CaseOutcomes) -> Result:
    """Mean over answers of the share of cited chunks that support what cites them.

    Formula
    -------
    supported / cited ids, each once; an id without a verdict, or that was not retrieved, is not
    supported.

    When it is undefined
    --------------------
    Without a judge: skipped ``no_judge``.  An answer that cites nothing: ``no_citation``.

    References
    ----------
    T. Gao, H. Yen, J. Yu and D. Chen (2023), Enabling large language models to generate text with
    citations.  doi:10.18653/v1/2023.emnlp-main.398

    Examples
    --------
    >>> rows = [("c1", 1, "scored", 1.0, ""), ("c2", 1, "scored", 0.0, "")]
    >>> citation_support.function(CaseOutcomes.of(rows)).value
    0.5
    """
    return mean_over_cases(outcomes)


@_of_cases
def answer_relevance(outcomes: CaseOutcomes) -> Result:
    """Mean over answers of whether they address the question.

    Formula
    -------
    1 for relevant, 0.5 for partial, 0 for irrelevant, as a judge finds.

    When it is undefined
    --------------------
    Without a judge: skipped ``no_judge``.  No answer: ``no_answer``.

    References
    ----------
    S. Es, J. James, L. Espinosa-Anke and S. Schockaert (2024), RAGAs: Automated evaluation of
    retrieval augmented generation.  doi:10.18653/v1/2024.eacl-demo.16

    Examples
    --------
    >>> rows = [("c1", 1, "scored", 1.0, ""), ("c2", 1, "scored", 0.0, "")]
    >>> answer_relevance.function(CaseOutcomes.of(rows)).value
    0.5
    """
    return mean_over_cases(outcomes)


@_of_cases
def completeness(outcomes: CaseOutcomes) -> Result:
    """Mean over answers of whether they say what the expected answer says.

    Formula
    -------
    1 for complete, 0.5 for partial, 0 for missing, as a judge finds.

    When it is undefined
    --------------------
    Without a judge: skipped ``no_judge``.  A case without an expected answer: ``no_reference``.

    References
    ----------
    S. Es, J. James, L. Espinosa-Anke and S. Schockaert (2024), RAGAs: Automated evaluation of
    retrieval augmented generation.  doi:10.18653/v1/2024.eacl-demo.16

    Examples
    --------
    >>> rows = [("c1", 1, "scored", 1.0, ""), ("c2", 1, "scored", 0.0, "")]
    >>> completeness.function(CaseOutcomes.of(rows)).value
    0.5
    """
    return mean_over_cases(outcomes)
