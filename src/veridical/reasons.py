"""Why a number is absent: a closed list of reasons, one sentence and one fix each.

The strings are stable: they are written to files, and tools compare them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

__all__ = ["SkipReason"]


class SkipReason(StrEnum):
    """The reason a metric has no value.

    Every member carries a ``sentence`` (what happened) and a ``fix`` (one thing to do).

    Examples
    --------
    >>> SkipReason("no_positives").sentence
    'there is no positive row, so the denominator is zero'
    >>> SkipReason.NO_THRESHOLD.fix
    'give threshold= (on the command line --threshold)'
    """

    sentence: str
    fix: str

    def __new__(cls, code: str, sentence: str = "", fix: str = "") -> Self:
        """Make the member of a code, carrying its sentence and fix."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        member.fix = fix
        return member

    NO_ROWS = (
        "no_rows",
        "there is no row to measure",
        "check the filter, the group or the file",
    )
    NO_POSITIVES = (
        "no_positives",
        "there is no positive row, so the denominator is zero",
        "measure on data that contains positives, or check positive=",
    )
    NO_NEGATIVES = (
        "no_negatives",
        "there is no negative row, so the denominator is zero",
        "measure on data that contains negatives, or check positive=",
    )
    NOTHING_FLAGGED = (
        "nothing_flagged",
        "no row was flagged, so precision is 0/0",
        "lower the threshold, or read recall instead",
    )
    NO_PREDICTED_NEGATIVE = (
        "no_predicted_negative",
        "every row was flagged, so the negative predictive value is 0/0",
        "raise the threshold",
    )
    ALL_COUNTS_ZERO = (
        "all_counts_zero",
        "there are no positives and nothing was flagged: TP = FP = FN = 0",
        "measure on data that contains positives",
    )
    NO_THRESHOLD = (
        "no_threshold",
        "this metric needs a decision threshold and none was given",
        "give threshold= (on the command line --threshold)",
    )
    NO_COSTS = (
        "no_costs",
        "this metric needs the prices of errors and none were given",
        "give costs=Costs(fn=..., fp=...) (on the command line --cost-fn and --cost-fp)",
    )
    NO_GROUPS = (
        "no_groups",
        "this metric compares groups and none were given",
        "give groups= (on the command line --group)",
    )
    NO_LABELS = (
        "no_labels",
        "this metric compares decisions with what was right, and no labels were given",
        "give label= (on the command line --label)",
    )
    GROUP_TOO_SMALL = (
        "group_too_small",
        "the group is smaller than the stated minimum",
        "gather more rows of this group, or lower the minimum",
    )
    ZERO_DENOMINATOR = (
        "zero_denominator",
        "the denominator of this ratio is zero",
        "read the counts beside it",
    )
    ZERO_VECTOR = (
        "zero_vector",
        "a vector of length zero has no direction",
        "check the text or the embedding that gave it",
    )
    NO_VARIATION = (
        "no_variation",
        "all values are equal, so the statistic is 0/0",
        "measure on data that varies",
    )
    DEGENERATE_VARIANCE = (
        "degenerate_variance",
        "the variance cannot be estimated from so few or so uniform rows",
        "gather at least two rows of each class",
    )
    NO_REPLICATES = (
        "no_replicates",
        "no combination of levels was run twice, so there is no noise to measure an effect by",
        "run the combinations again with other seeds",
    )
    EMPTY_CELL = (
        "empty_cell",
        "some combinations of levels have no run, so the effect cannot be told from others",
        "run the missing combinations, or name fewer factors",
    )
    NOT_PROBABILITIES = (
        "not_probabilities",
        "calibration is defined for forecasts in [0, 1] only",
        "calibrate the scores first, or leave the metric out",
    )
    INFINITE_LOG_LOSS = (
        "infinite_log_loss",
        "a forecast of exactly 0 or 1 was wrong, which costs infinity",
        "clip the forecasts, for example calibration.log_loss,clip=1e-15",
    )
    INFINITE_LOGIT = (
        "infinite_logit",
        "a forecast of exactly 0 or 1 has an infinite logit",
        "clip the forecasts, for example calibration.slope,clip=1e-6",
    )
    PERFECT_SEPARATION = (
        "perfect_separation",
        "the forecasts separate the classes completely, so the fit has no finite solution",
        "read ROC-AUC and the reliability diagram instead",
    )
    NO_RELEVANT = (
        "no_relevant",
        "the query has no relevant document",
        "judge more documents, or leave the query out",
    )
    NO_REFERENCE = (
        "no_reference",
        "there is no reference to compare with",
        "give a reference",
    )
    NO_RETRIEVAL = (
        "no_retrieval",
        "the adapter does not expose what was retrieved",
        "return the retrieved chunks with the answer",
    )
    NO_EXPECTED_SOURCES = (
        "no_expected_sources",
        "the case has no expected_source_ids",
        "add expected_source_ids to the case",
    )
    NO_ANSWER = ("no_answer", "there is no answer to judge", "check the pipeline's reply")
    NO_CITATION = ("no_citation", "the answer cites nothing", "ask the pipeline to cite")
    NO_CONTEXT = (
        "no_context",
        "there is no retrieved text to judge the answer by",
        "return the retrieved chunks with the answer",
    )
    CONTEXT_TOO_LONG = (
        "context_too_long",
        "the context does not fit the judge's limit",
        "retrieve less, or raise the limit",
    )
    NO_JUDGE = ("no_judge", "no judge is configured", "configure a judge")
    WRONG_CASE_KIND = (
        "wrong_case_kind",
        "the metric does not apply to cases of this kind",
        "add cases of the kind that the metric needs",
    )
    NO_PAYLOAD = (
        "no_payload",
        "the case has no adversarial_payload to look for",
        "add adversarial_payload to the case",
    )
    ERRORS = (
        "errors",
        "the pipeline or the judge failed",
        "read the errors by their codes, remove the cause, and run it again",
    )
    PENDING = ("pending", "they have not been asked yet", "go on with `veridical rag resume`")
    NO_CLAIMS = ("no_claims", "the answer makes no claim", "read abstention instead")
    NO_CORRECT_ANSWER = (
        "no_correct_answer",
        "no answer was correct, so there is nothing to average over",
        "read exact match instead",
    )
    UNPRICED_MODEL = (
        "unpriced_model",
        "the model has no price in the table",
        "add its price",
    )
    USAGE_UNKNOWN = (
        "usage_unknown",
        "the provider reported no token usage",
        "use an endpoint that reports usage",
    )
    UNSUPPORTED_BY_ENGINE = (
        "unsupported_by_engine",
        "this engine or summary does not hold what the metric needs",
        "use the engine or summary that the detail names",
    )
    MISSING_EXTRA = (
        "missing_extra",
        "an optional dependency is not installed",
        "install the extra that the detail names",
    )
