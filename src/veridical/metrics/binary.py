"""Binary classifiers: decisions, rankings and operating points."""

from veridical.metrics.binary_counts import (
    accuracy,
    balanced_accuracy,
    f1,
    fbeta,
    fpr,
    mcc,
    npv,
    precision,
    recall,
    specificity,
)
from veridical.metrics.binary_points import (
    precision_at_recall,
    recall_at_fpr,
    recall_at_precision,
)
from veridical.metrics.binary_ranking import (
    average_precision,
    gini,
    ks,
    partial_auc,
    roc_auc,
)
from veridical.metrics.binary_top import lift_top, precision_top, recall_top

__all__ = [
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "f1",
    "fbeta",
    "fpr",
    "gini",
    "ks",
    "lift_top",
    "mcc",
    "npv",
    "partial_auc",
    "precision",
    "precision_at_recall",
    "precision_top",
    "recall",
    "recall_at_fpr",
    "recall_at_precision",
    "recall_top",
    "roc_auc",
    "specificity",
]
