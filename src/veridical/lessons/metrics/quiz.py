"""Eight questions; what holds is computed when they are asked."""

from __future__ import annotations

from veridical.lessons.lesson import Choice, Question, number
from veridical.lessons.metrics.confusion_matrix import (
    Confusion,
    confusion,
    flag_nothing_trap,
    fraud_example,
)
from veridical.lessons.metrics.judge_calibration import (
    cohens_kappa,
    expected_agreement,
    judge_examples,
    raw_agreement,
)
from veridical.lessons.metrics.overlap_scores import GEN_CANDIDATES, GEN_REFERENCE, bleu
from veridical.lessons.metrics.search_results import recall_at_k, reciprocal_rank
from veridical.lessons.metrics.thresholds import (
    best_threshold_by_cost,
    pr_curve,
    roc_auc_rank,
    synthetic_scores,
)

__all__ = ["QUIZ"]

_PASSAGES = [f"p{rank}" for rank in range(1, 11)]
_ANSWER = {"p8"}


def _fraud() -> Confusion:
    return confusion(*fraud_example())


def _nothing() -> Confusion:
    return flag_nothing_trap(n=100, fraud_rate=0.1)


def _timid() -> Confusion:
    return Confusion(tp=1, fp=0, fn=9, tn=90)


def _best(cost_fn: float, cost_fp: float) -> tuple[float, int, int]:
    """Return the cheapest threshold, its alarms, and its misses."""
    threshold, _, counts = best_threshold_by_cost(*synthetic_scores(), cost_fn, cost_fp)
    return threshold, counts.tp + counts.fp, counts.fn


def _threshold(cost_fn: float, cost_fp: float) -> float:
    return _best(cost_fn, cost_fp)[0]


def _lowered() -> bool:
    (threshold, alarms, misses), (before, fewer, more) = _best(10, 1), _best(1, 1)
    return threshold < before and alarms > fewer and misses < more


def _everywhere(curve: int, value: float) -> bool:
    """Whether precision (0) or recall (1) is ``value`` at every threshold."""
    return all(round(float(at), 2) == value for at in pr_curve(*synthetic_scores())[curve])


def _bleu(answer: str) -> float:
    return bleu(GEN_CANDIDATES[answer], GEN_REFERENCE)


def _lenient() -> tuple[list[str], list[str]]:
    return judge_examples()["passes everything"]


QUIZ = (
    Question(
        "100 payments, 10 of them fraud. 8 are flagged, 6 of these rightly. What is recall?",
        (
            number("0.75", lambda: _fraud().recall, "that is precision, 6 of the 8 flagged."),
            number("0.60", lambda: _fraud().recall),
            number(
                "0.94",
                lambda: _fraud().recall,
                "that is accuracy, which also counts the 88 honest payments left alone.",
            ),
        ),
        "recall asks of the frauds, and 6 of the 10 were flagged.",
    ),
    Question(
        "The same detector is right about 94 of 100 payments. Is that good?",
        (
            Choice(
                "Yes, it finds nearly all of the fraud.",
                lambda: _fraud().recall > 0.9,
                "accuracy is taken for recall. It finds 6 of 10.",
            ),
            Choice(
                "Yes, without skill nothing comes near.",
                lambda: _nothing().accuracy < _fraud().accuracy - 0.1,
                "chance is taken for a coin. Where one kind is rare, always saying the other is "
                "right nearly always.",
            ),
            Choice(
                "Hardly: flagging nothing is right about 90 of them.",
                lambda: _nothing().accuracy == 0.9,
            ),
        ),
        "accuracy means something only beside the share of the larger class, 0.90 here.",
    ),
    Question(
        "A detector flags one payment, a fraud; 9 other frauds go through. Precision is 1.0, "
        "recall 0.1. What is F1?",
        (
            number("0.18", lambda: _timid().f1),
            number(
                "0.55",
                lambda: _timid().f1,
                "that is the ordinary mean. F1 is the harmonic one, and stays near the smaller.",
            ),
            number(
                "1.00",
                lambda: _timid().f1,
                "that is precision alone. What is never flagged cannot lower it.",
            ),
        ),
        "2 TP / (2 TP + FP + FN) is 2 / 11. Nobody makes a good F1 of precision alone.",
    ),
    Question(
        "ROC-AUC is 0.89. What does that say?",
        (
            Choice(
                "At any threshold 89% of the frauds are caught.",
                lambda: _everywhere(1, 0.89),
                "that would be recall, and recall belongs to one threshold. AUC belongs to none.",
            ),
            Choice(
                "At any threshold 89% of the alarms are right.",
                lambda: _everywhere(0, 0.89),
                "that would be precision. Where frauds are rare it may be low beside a high AUC.",
            ),
            Choice(
                "In 89% of pairs the fraud scores above the honest payment.",
                lambda: round(roc_auc_rank(*synthetic_scores()), 2) == 0.89,
            ),
        ),
        "it is the share of pairs in the right order, ties half: the area under the ROC curve.",
    ),
    Question(
        "Misses become ten times as dear as false alarms. Where does the best threshold go?",
        (
            Choice("Down: more alarms, fewer misses.", _lowered),
            Choice(
                "Up: an alarm must be surer.",
                lambda: _threshold(10, 1) > _threshold(1, 1),
                "that is what dear false alarms do.",
            ),
            Choice(
                "Nowhere: the scores are the same.",
                lambda: _threshold(10, 1) == _threshold(1, 1),
                "scores are the model's, a threshold is a decision, and decisions have prices.",
            ),
        ),
        "recall matters where a miss is dear, precision where a false alarm is.",
    ),
    Question(
        "A search returns ten passages, and the first three are passed to a model. The only one "
        "that holds the answer stands eighth. Which number is 0, since the model never sees it?",
        (
            Choice(
                "recall@10",
                lambda: recall_at_k(_PASSAGES, _ANSWER, 10) == 0,
                "k is taken from a habit. At ten it is 1.0, for passages that nobody passes on.",
            ),
            Choice("recall@3", lambda: recall_at_k(_PASSAGES, _ANSWER, 3) == 0),
            Choice(
                "reciprocal rank",
                lambda: reciprocal_rank(_PASSAGES, _ANSWER) == 0,
                "it says where the first relevant passage stands (1/8), however many are passed "
                "on.",
            ),
        ),
        "k is the number of passages that the model gets. What is not among them cannot be used.",
    ),
    Question(
        "A true answer in other words, and a false one that copies the reference but for one "
        "word: which has the higher BLEU?",
        (
            Choice(
                "The true one.",
                lambda: _bleu("correct paraphrase") > _bleu("wrong but copies wording"),
                "overlap is taken for meaning. It counts words that both texts have.",
            ),
            Choice(
                "The false one.",
                lambda: _bleu("wrong but copies wording") > _bleu("correct paraphrase"),
            ),
            Choice(
                "Neither: both are near 0.",
                lambda: max(map(_bleu, list(GEN_CANDIDATES)[:2])) < 0.1,
                "one wrong word breaks few runs of words, however much hangs on it.",
            ),
        ),
        "0.73 against 0.16: overlap measures wording, not truth.",
    ),
    Question(
        "A person passes 18 of 20 answers, and a judge agrees on 90% of the 20. Is it enough?",
        (
            Choice(
                "Yes, chance alone would give 50%.",
                lambda: round(expected_agreement(*_lenient()), 2) == 0.5,
                "chance is taken for a coin. Here a judge that passes everything has 90%.",
            ),
            Choice(
                "Yes, its kappa will be about 0.9 as well.",
                lambda: round(cohens_kappa(*_lenient()), 1) == 0.9,
                "kappa starts where chance ends, and chance alone may give 90%.",
            ),
            Choice(
                "Not by itself: its kappa may be 0.",
                lambda: raw_agreement(*_lenient()) == 0.9 and cohens_kappa(*_lenient()) == 0,
            ),
        ),
        "a judge that passes everything agrees on 90% and has kappa 0. Ask for kappa first.",
    ),
)
