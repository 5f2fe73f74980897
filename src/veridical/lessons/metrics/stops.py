"""The walk-through in seven stops."""

from __future__ import annotations

from veridical.lessons.lesson import Shown, Stop, Table
from veridical.lessons.metrics.confusion_matrix import (
    Confusion,
    confusion,
    flag_nothing_trap,
    fraud_example,
)
from veridical.lessons.metrics.judge_calibration import (
    cohens_kappa,
    judge_examples,
    raw_agreement,
)
from veridical.lessons.metrics.overlap_scores import GEN_CANDIDATES, GEN_REFERENCE, bleu, rouge_l
from veridical.lessons.metrics.search_results import (
    dcg_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)
from veridical.lessons.metrics.thresholds import (
    best_threshold_by_cost,
    pr_curve,
    roc_auc,
    roc_auc_rank,
    synthetic_scores,
)

__all__ = ["GRADES", "PRICES", "RANKED", "STOPS"]

PRICES = ((1, 1), (10, 1), (1, 10))
"""What a miss costs, and what a false alarm costs."""

RANKED = ("d7", "d3", "d9", "d1", "d4")
GRADES = {"d3": 3, "d4": 2, "d8": 1}


_NO_ALARM = (
    "Precision is a share of nothing here. This lesson writes 0, as textbooks do; the library "
    "skips it and says why (nothing_flagged)."
)


def _counts(counts: Confusion) -> Table:
    return Table(
        ("", "flagged", "left alone"),
        [
            ("fraud", f"TP {counts.tp}", f"FN {counts.fn}"),
            ("honest", f"FP {counts.fp}", f"TN {counts.tn}"),
        ],
    )


def _fraud() -> Shown:
    counts = confusion(*fraud_example())
    rates = Table(
        ("metric", "how", "value"),
        [
            (
                "precision",
                f"{counts.tp} of {counts.tp + counts.fp} flagged",
                f"{counts.precision:.3f}",
            ),
            ("recall", f"{counts.tp} of {counts.tp + counts.fn} frauds", f"{counts.recall:.3f}"),
            ("F1", "between both, nearer the lower", f"{counts.f1:.3f}"),
            ("accuracy", f"{counts.tp + counts.tn} of {counts.n} right", f"{counts.accuracy:.3f}"),
        ],
    )
    return Shown(
        [_counts(counts), rates],
        f"accuracy says {counts.accuracy:.0%}, and {counts.fn} of 10 frauds went through.",
    )


def _flag_nothing() -> Shown:
    trap = flag_nothing_trap()
    rates = Table(
        ("metric", "value"),
        [
            ("accuracy", f"{trap.accuracy:.2f}"),
            ("recall", f"{trap.recall:.2f}"),
            ("precision", f"{trap.precision:.2f}"),
        ],
    )
    return Shown(
        [
            _counts(trap),
            rates,
            _NO_ALARM,
        ],
        f"where frauds are rare, a model that does nothing is {trap.accuracy:.0%} accurate.",
    )


def _two_ways() -> Shown:
    y, s = synthetic_scores()
    ways = Table(
        ("ROC-AUC", "value"),
        [
            ("area under the ROC curve", f"{roc_auc(y, s):.4f}"),
            ("share of pairs ranked right", f"{roc_auc_rank(y, s):.4f}"),
        ],
    )
    precision, recall, thresholds = pr_curve(y, s)
    first = int((recall >= 0.8).argmax())
    unsaid = (
        f"What it does not say: at the first threshold that finds 80% of the frauds "
        f"({thresholds[first]:.2f}), precision is {precision[first]:.2f}. Two of three alarms "
        "are false."
    )
    return Shown(
        [ways, unsaid],
        f"AUC {roc_auc(y, s):.2f}: in {roc_auc(y, s):.0%} of pairs the fraud has the higher score.",
    )


def _prices() -> Shown:
    y, s = synthetic_scores()
    rows = []
    for cost_fn, cost_fp in PRICES:
        threshold, cost, at = best_threshold_by_cost(y, s, cost_fn, cost_fp)
        rates = f"{at.precision:.2f}", f"{at.recall:.2f}"
        rows.append((f"{cost_fn}", f"{cost_fp}", f"{threshold:.3f}", *rates, f"{cost:g}"))
    head = ("a miss", "a false alarm", "threshold", "precision", "recall", "total cost")
    return Shown(
        [Table(head, rows)],
        "the same scores, other prices: another threshold is best.",
    )


def _retrieval() -> Shown:
    places = [
        (
            str(rank),
            document,
            str(GRADES.get(document, 0)),
            f"{dcg_at_k([0] * (rank - 1) + [1], rank):.2f}",
        )
        for rank, document in enumerate(RANKED, start=1)
    ]
    values = [
        ("recall@5", "2 of 3 relevant are there", recall_at_k(RANKED, GRADES, 5)),
        ("precision@5", "2 of 5 places hold one", precision_at_k(RANKED, GRADES, 5)),
        ("reciprocal rank", "the first stands second", reciprocal_rank(RANKED, GRADES)),
        ("nDCG@5", "grades by place, of the best", ndcg_at_k(RANKED, GRADES, 5)),
    ]
    return Shown(
        [
            Table(("rank", "document", "grade", "weight"), places),
            Table(("metric", "why", "value"), [(name, why, f"{v:.3f}") for name, why, v in values]),
        ],
        "recall@k asks whether it was found, nDCG also at which place.",
    )


def _overlap() -> Shown:
    rows = [
        (name, f"{bleu(text, GEN_REFERENCE):.2f}", f"{rouge_l(text, GEN_REFERENCE):.2f}")
        for name, text in GEN_CANDIDATES.items()
    ]
    texts = [f"{name}: {text}" for name, text in list(GEN_CANDIDATES.items())[:2]]
    return Shown(
        [Table(("answer", "BLEU", "ROUGE-L"), rows), *texts],
        "overlap measures wording, not truth: the false one wins.",
    )


def _kappa() -> Shown:
    rows = [
        (name, f"{raw_agreement(person, judge):.0%}", f"{cohens_kappa(person, judge):.2f}")
        for name, (person, judge) in judge_examples().items()
    ]
    return Shown(
        [Table(("judge", "agreement", "kappa"), rows)],
        "90% agreement can be worth nothing; kappa takes chance away.",
    )


STOPS = (
    Stop(
        "A detector of fraud",
        "100 payments, 10 of them fraud. A detector flags 8, and is right about 6.",
        "How much of the fraud does it catch, and how many of its alarms are right?",
        _fraud,
    ),
    Stop(
        "The detector that flags nothing",
        "10,000 payments, 1% of them fraud. A detector never flags anything.",
        "What is its accuracy?",
        _flag_nothing,
    ),
    Stop(
        "ROC-AUC, two ways",
        "50 frauds and 450 honest payments have scores from two bell curves that overlap. Draw "
        "one fraud and one honest payment.",
        "How often does the fraud have the higher score?",
        _two_ways,
    ),
    Stop(
        "A threshold by price",
        "The same scores. A threshold turns them into alarms, and each kind of error has a price.",
        "If a miss costs ten times as much as a false alarm, does the threshold rise or fall?",
        _prices,
    ),
    Stop(
        "One list of search results",
        "A search returns d7, d3, d9, d1, d4. Relevant are d3 (grade 3), d4 (grade 2) and d8 "
        "(grade 1).",
        "How much of what is relevant did it find, and does it matter where?",
        _retrieval,
    ),
    Stop(
        "BLEU and ROUGE-L against a paraphrase",
        f"A person wrote: {GEN_REFERENCE} Three answers share words with that: a true one in other "
        "words, a false one that copies it but for the day, and a copy.",
        "Which of the first two scores higher?",
        _overlap,
    ),
    Stop(
        "Kappa against raw agreement",
        "A person passes 18 of 20 answers. One judge passes all 20. Another fails both bad ones, "
        "and one good one.",
        "The first agrees with the person on 90%. Is it any use as a judge?",
        _kappa,
    ),
)
