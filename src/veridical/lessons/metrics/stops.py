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
    expected_agreement,
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
    terms = (
        "Of what was flagged, precision is the share that is fraud; of the fraud, recall is the "
        "share that was flagged. Flag more, and recall rises while precision mostly falls."
    )
    return Shown(
        [_counts(counts), rates, terms],
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
    meaning = (
        "The ROC curve shows recall at every threshold, against the share of honest payments that "
        "are flagged with it. The area under it is 1 for perfect scores, 0.5 for a coin flip, and "
        "the same number as the share of pairs in which the fraud has the higher score, ties half."
    )
    return Shown(
        [ways, meaning, unsaid],
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
    rule = (
        "A payment is flagged where its score is at least the threshold. Every score was tried as "
        "threshold; the cost is misses times their price plus false alarms times theirs."
    )
    return Shown(
        [rule, Table(head, rows)],
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
    dcg = dcg_at_k([GRADES.get(document, 0) for document in RANKED], 5)
    ideal = dcg_at_k(sorted(GRADES.values(), reverse=True), 5)
    discount = (
        f"DCG adds grade times weight, and a place weighs 1 / log2(rank + 1): {dcg:.2f} here. The "
        f"best list (d3, d4, d8) would have {ideal:.2f}, and nDCG is the one by the other."
    )
    return Shown(
        [
            Table(("rank", "document", "grade", "weight"), places),
            discount,
            Table(("metric", "why", "value"), [(name, why, f"{v:.3f}") for name, why, v in values]),
        ],
        "recall@k asks whether it was found, nDCG also at which place.",
    )


def _overlap() -> Shown:
    rows = [
        (name, f"{bleu(text, GEN_REFERENCE):.2f}", f"{rouge_l(text, GEN_REFERENCE):.2f}")
        for name, text in GEN_CANDIDATES.items()
    ]
    counted = (
        "BLEU counts runs of one to four words that also stand in what the person wrote, ROUGE-L "
        "the longest sequence of words that both have in the same order."
    )
    return Shown(
        [Table(("answer", "BLEU", "ROUGE-L"), rows), counted],
        "overlap measures wording, not truth: the false one wins.",
    )


def _kappa() -> Shown:
    rows = []
    for name, (person, judge) in judge_examples().items():
        agreement, kappa = raw_agreement(person, judge), cohens_kappa(person, judge)
        by_chance = expected_agreement(person, judge)
        rows.append((name, f"{agreement:.0%}", f"{by_chance:.0%}", f"{kappa:.2f}"))
    formula = (
        "By chance is how often two would agree who pass as many as these, but at random. Kappa "
        "is the agreement beyond that, as a share of all that is possible: "
        "(agreement - chance) / (1 - chance)."
    )
    return Shown(
        [Table(("judge", "agreement", "by chance", "kappa"), rows), formula],
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
        f'A person wrote "{GEN_REFERENCE}" A true answer has other words: '
        f'"{GEN_CANDIDATES["correct paraphrase"]}" A false one copies all but the day: '
        f'"{GEN_CANDIDATES["wrong but copies wording"]}" A third is a copy.',
        "Which of the first two shares more with what the person wrote?",
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
