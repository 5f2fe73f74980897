"""Every reason for which a metric of classification is skipped is reachable, and gives no float."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import veridical as vd
from veridical import finalise, metrics
from veridical.errors import SkippedError
from veridical.measures import metric
from veridical.metrics import find
from veridical.reasons import SkipReason
from veridical.results import Measured
from veridical.summaries import GroupedCounts

COSTS = vd.Costs(fn=10, fp=1)
BOTH = ([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
NEGATIVES = ([0, 0, 0], [0.1, 0.4, 0.9])
POSITIVES = ([1, 1, 1], [0.1, 0.4, 0.9])
NOTHING = ([], [])

# reason -> (metric, rows, settings) in which it is the answer
REACHED = {
    "no_rows": [
        ("binary.accuracy", NOTHING, {"threshold": 0.5}),
        ("binary.precision_top@3", NOTHING, {}),
        ("binary.roc_auc", NOTHING, {}),
        ("calibration.brier", NOTHING, {}),
        ("calibration.brier_skill", NOTHING, {}),
        ("calibration.log_loss", NOTHING, {}),
        ("calibration.ece_equal_mass", NOTHING, {}),
        ("cost.best_threshold", NOTHING, {"costs": COSTS}),
        ("cost.total", NOTHING, {"costs": COSTS, "threshold": 0.5}),
        ("cost.saving", NOTHING, {"costs": COSTS}),
    ],
    "no_positives": [
        ("binary.recall", NEGATIVES, {"threshold": 0.5}),
        ("binary.roc_auc", NEGATIVES, {}),
        ("binary.average_precision", NEGATIVES, {}),
        ("binary.recall@fpr=0.1", NEGATIVES, {}),
        ("binary.recall@precision=0.9", NEGATIVES, {}),
        ("binary.precision@recall=0.9", NEGATIVES, {}),
        ("binary.lift_top@1", NEGATIVES, {}),
        ("binary.balanced_accuracy", NEGATIVES, {"threshold": 0.5}),
        ("binary.mcc", NEGATIVES, {"threshold": 0.5}),
        ("calibration.brier_skill", NEGATIVES, {}),
        ("calibration.slope", NEGATIVES, {}),
    ],
    "no_negatives": [
        ("binary.specificity", POSITIVES, {"threshold": 0.5}),
        ("binary.fpr", POSITIVES, {"threshold": 0.5}),
        ("binary.roc_auc", POSITIVES, {}),
        ("binary.gini", POSITIVES, {}),
        ("binary.ks", POSITIVES, {}),
        ("binary.partial_auc", POSITIVES, {}),
        ("binary.recall@fpr=0.1", POSITIVES, {}),
        ("binary.mcc", POSITIVES, {"threshold": 0.5}),
        ("calibration.intercept", POSITIVES, {}),
    ],
    "nothing_flagged": [
        ("binary.precision", BOTH, {"threshold": 0.95}),
        ("binary.fbeta@0", BOTH, {"threshold": 0.95}),
        ("binary.mcc", BOTH, {"threshold": 0.95}),
    ],
    "no_predicted_negative": [
        ("binary.npv", BOTH, {"threshold": 0.05}),
        ("binary.mcc", BOTH, {"threshold": 0.05}),
    ],
    "all_counts_zero": [
        ("binary.f1", NEGATIVES, {"threshold": 0.95}),
        ("binary.fbeta@2", NEGATIVES, {"threshold": 0.95}),
    ],
    "no_threshold": [
        ("binary.precision", BOTH, {}),
        ("cost.total", BOTH, {"costs": COSTS}),
    ],
    "no_costs": [
        ("cost.best_threshold", BOTH, {}),
        ("cost.total", BOTH, {"threshold": 0.5}),
        ("cost.saving", BOTH, {"threshold": 0.5}),
    ],
    "zero_denominator": [("binary.partial_auc@fpr=0", BOTH, {})],
    "infinite_log_loss": [("calibration.log_loss", ([1, 0], [0.0, 0.5]), {})],
    "infinite_logit": [
        ("calibration.slope", ([1, 0, 1], [1.0, 0.5, 0.3]), {}),
        ("calibration.intercept", ([1, 0, 1], [1.0, 0.5, 0.3]), {}),
    ],
    "degenerate_variance": [
        # Any intercept from -30 to 680 fits these two rows to the precision of a double.
        ("calibration.intercept", ([0, 1], [1e-300, 1 - 2**-53]), {}),
    ],
    "no_variation": [("calibration.slope", ([1, 0, 1], [0.5, 0.5, 0.5]), {})],
    "perfect_separation": [
        ("calibration.slope", ([1, 0, 1, 0], [0.9, 0.2, 0.8, 0.1]), {}),
        ("calibration.slope", ([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]), {}),
        # Clipping ties the two rows that kept the classes apart.
        ("calibration.slope,clip=0.1", ([1, 0, 1], [0.01, 0.02, 0.5]), {}),
    ],
}  # fmt: skip
CASES = [(reason, *case) for reason, cases in REACHED.items() for case in cases]


@pytest.mark.parametrize(
    ("reason", "name", "rows", "settings"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES]
)
@pytest.mark.parametrize("intervals", [True, False])
def test_the_reason_is_given_and_no_float(reason, name, rows, settings, intervals):
    labels, scores = np.array(rows[0], dtype=int), np.array(rows[1], dtype=float)
    result = vd.measure(name, labels, scores, intervals=intervals, **settings)
    assert (result.ok, result.reason, result.value) == (False, reason, None)
    assert result.metric == str(find(name))
    assert result.detail
    assert result.n_rows == len(labels)
    for number in (float, lambda r: r + 1, lambda r: r < 1, round):
        with pytest.raises((SkippedError, TypeError)):
            number(result)
    document = result.to_dict()
    assert document["value"] is None
    assert document["skip"]["reason"] == reason


def _reasons_in_the_source() -> set[str]:
    """Return every reason that a file of the metrics, or ``finalise``, names as a string."""
    folder = Path(metrics.__file__).parent
    named = set()
    ours = {"binary", "calibration", "cost"}
    files = [f for f in folder.glob("*.py") if f.stem.partition("_")[0] in ours]
    for file in [*files, folder / "outcomes.py", Path(finalise.__file__)]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in set(SkipReason):
                named.add(node.value)
            if isinstance(node, ast.Attribute) and node.attr in SkipReason.__members__:
                named.add(str(SkipReason[node.attr]))
    return named


def test_no_reason_of_these_families_is_left_out():
    assert _reasons_in_the_source() - {"unsupported_by_engine"} == set(REACHED)


def test_every_reason_has_a_sentence_and_one_thing_to_do():
    for reason in SkipReason:
        assert reason.sentence
        assert reason.fix
        assert reason.sentence[0].islower()
        assert not reason.sentence.endswith(".")
        assert str(reason) == reason.value == reason.name.lower()


def test_a_summary_that_rows_of_scores_do_not_have_is_unsupported(monkeypatch):
    from veridical import measures

    monkeypatch.setattr(measures, "_REGISTRY", dict(measures._REGISTRY))

    def gap(counts: GroupedCounts):
        """Never computed here."""
        return Measured(0.0, len(counts))

    measure = metric("test_family", summary=GroupedCounts)(gap)
    result = vd.measure(measure, *BOTH)
    assert result.reason == "unsupported_by_engine"
    assert "GroupedCounts" in result.detail


def test_a_true_zero_is_a_number():
    """Recall 0 of 5 is 0, recall 0 of 0 is not."""
    zero = vd.measure("binary.recall", [1] * 5 + [0], [0.1] * 6, threshold=0.5)
    assert (zero.ok, zero.value, zero.n) == (True, 0.0, 5)
    none = vd.measure("binary.recall", [0], [0.1], threshold=0.5)
    assert (none.ok, none.reason, none.n) == (False, "no_positives", 0)
    f1 = vd.measure("binary.f1", [1, 0], [0.1, 0.1], threshold=0.5)
    assert (f1.ok, f1.value) == (True, 0.0)
