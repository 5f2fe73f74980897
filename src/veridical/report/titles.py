"""What metrics are called in a table: the field's usual names."""

from __future__ import annotations

import re

__all__ = ["TITLES", "title"]

TITLES = {
    "agreement.cohens_kappa": "Cohen's kappa",
    "agreement.fleiss_kappa": "Fleiss' kappa",
    "agreement.gwet_ac1": "Gwet's AC1",
    "agreement.judged_rate": "Rate by the judge",
    "agreement.krippendorff_alpha": "Krippendorff's alpha",
    "agreement.prediction_powered_rate": "Rate, prediction-powered",
    "agreement.raw_agreement": "Raw agreement",
    "agreement.rogan_gladen_rate": "Rate by Rogan and Gladen",
    "binary.accuracy": "Accuracy",
    "binary.average_precision": "Average precision",
    "binary.balanced_accuracy": "Balanced accuracy",
    "binary.f1": "F1",
    "binary.fbeta": "F-beta",
    "binary.fpr": "False positive rate",
    "binary.gini": "Gini",
    "binary.ks": "KS",
    "binary.lift_top": "Lift in the top",
    "binary.mcc": "MCC",
    "binary.npv": "NPV",
    "binary.partial_auc": "Partial AUC",
    "binary.precision": "Precision",
    "binary.precision_top": "Precision in the top",
    "binary.recall": "Recall",
    "binary.recall_top": "Recall in the top",
    "binary.roc_auc": "ROC-AUC",
    "binary.specificity": "Specificity",
    "calibration.brier": "Brier score",
    "calibration.brier_reliability": "Brier: reliability",
    "calibration.brier_resolution": "Brier: resolution",
    "calibration.brier_skill": "Brier skill",
    "calibration.brier_uncertainty": "Brier: uncertainty",
    "calibration.brier_within_covariance": "Brier: within-bin cov.",
    "calibration.brier_within_variance": "Brier: within-bin var.",
    "calibration.ece": "ECE",
    "calibration.ece_equal_mass": "ECE, equal mass",
    "calibration.intercept": "Calibration intercept",
    "calibration.log_loss": "Log loss",
    "calibration.mce": "MCE",
    "calibration.slope": "Calibration slope",
    "cost.best_threshold": "Lowest cost",
    "cost.saving": "Saving",
    "cost.total": "Total cost",
    "drift.chi2": "Chi-square",
    "drift.hellinger": "Hellinger distance",
    "drift.js_distance": "Jensen-Shannon distance",
    "drift.jsd": "Jensen-Shannon divergence",
    "drift.ks": "Kolmogorov-Smirnov distance",
    "drift.psi": "Population stability index",
    "drift.wasserstein": "Wasserstein distance",
    "fairness.fpr_difference": "False positive rate difference",
    "text.bleu": "Sentence BLEU",
    "text.chrf": "chrF",
    "text.corpus_bleu": "Corpus BLEU",
    "text.embedding_cosine": "Cosine of embeddings",
    "text.rouge_1": "ROUGE-1",
    "text.rouge_2": "ROUGE-2",
    "text.rouge_l": "ROUGE-L",
    "text.rouge_lsum": "ROUGE-Lsum",
    "text.ter": "TER",
}
_RANKING = {"map": "MAP", "mrr": "MRR", "ndcg": "nDCG", "rbp": "RBP", "err": "ERR", "f1": "F1"}
_WORDS = {"fpr": "FPR"}


def title(metric: str) -> str:
    """Return the title of a metric from its canonical name.

    Examples
    --------
    >>> title("binary.recall@fpr=0.001"), title("binary.lift_top@100")
    ('Recall at FPR 0.001', 'Lift in the top 100')
    >>> title("calibration.ece@15"), title("theirs.sharpness@2,kind=wide")
    ('ECE, 15 bins', 'Sharpness @2, kind wide')
    >>> title("retrieval.ndcg@10,gain=exp"), title("text.rouge_l,tokeniser=words")
    ('nDCG@10, gain exp', 'ROUGE-L, tokeniser words')
    >>> title("trec.map")
    'trec.map'
    """
    family, _, rest = metric.partition(".")
    if family == "trec":
        return metric
    if family == "retrieval":
        return _ranking(rest)
    head, at, rest = metric.partition("@")
    if not at:
        head, _, rest = metric.partition(",")
    name = TITLES.get(head) or head.partition(".")[2].replace("_", " ").capitalize() or head
    arguments = rest.split(",") if rest else []
    if at and arguments:
        name += _bound(head, arguments.pop(0))
    return "".join([name, *(f", {' '.join(a.split('='))}" for a in arguments)])


def _ranking(rest: str) -> str:
    name, *arguments = re.split(r"(?=[@,])", rest)
    words = _RANKING.get(name) or name.replace("_", "-").capitalize()
    return words + "".join(
        one if one.startswith("@") else f", {one[1:].replace('=', ' ')}" for one in arguments
    )


def _bound(head: str, argument: str) -> str:
    """Return the words for what follows the ``@``."""
    key, equals, value = argument.partition("=")
    if equals:
        return f" at {_WORDS.get(key, key)} {value}"
    if head not in TITLES:
        return f" @{argument}"
    return f", {argument} bins" if head.startswith("calibration.") else f" {argument}"
