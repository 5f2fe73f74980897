"""Speed of text overlap and agreement beside rouge-score, sacrebleu and scikit-learn."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np
import sacrebleu
from rouge_score.rouge_scorer import RougeScorer
from sklearn.metrics import cohen_kappa_score

import veridical as vd

_RANDOM = random.Random(0)  # noqa: S311 - texts, no secrets
_WORDS = [
    "".join(_RANDOM.choices("abcdefghijklmnop", k=_RANDOM.randint(2, 9))) for _ in range(2000)
]


def pairs(n: int, words: int) -> tuple[list[str], list[str]]:
    """Return candidates that keep about 70% of the words of their references."""
    references = [_RANDOM.choices(_WORDS, k=words) for _ in range(n)]
    candidates = [
        [word if _RANDOM.random() < 0.7 else _RANDOM.choice(_WORDS) for word in reference]
        for reference in references
    ]
    return [" ".join(c) for c in candidates], [" ".join(r) for r in references]


def seconds(call: Callable[[], object], repeats: int = 3) -> float:
    """Return the shortest of a few runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def compared(name: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Print both times and their ratio."""
    mine, other = seconds(ours), seconds(theirs)
    print(f"{name:32s} {mine * 1e3:9.1f} ms {other * 1e3:9.1f} ms {other / mine:7.1f} times")


def rouge(name: str, scorer_name: str, n: int, words: int) -> None:
    """Compare one ROUGE on pairs of texts."""
    candidates, references = pairs(n, words)
    scorer = RougeScorer([scorer_name])
    compared(
        f"{name}, {n} texts of {words} words",
        lambda: vd.measure(f"text.{name}", candidates, references, intervals=False),
        lambda: [scorer.score(r, c) for c, r in zip(candidates, references, strict=True)],
    )


def main() -> None:
    """Print one line a comparison."""
    for name, scorer_name in (("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_l", "rougeL")):
        rouge(name, scorer_name, 1000, 25)
    rouge("rouge_l", "rougeL", 20, 400)
    candidates, references = pairs(1000, 25)
    for name, theirs in (("corpus_bleu", sacrebleu.corpus_bleu), ("chrf", sacrebleu.corpus_chrf)):
        compared(
            f"{name}, 1000 texts of 25 words",
            lambda name=name: vd.measure(name, candidates, references, intervals=False),
            lambda theirs=theirs: theirs(candidates, [references]),
        )
    generator = np.random.default_rng(0)
    first = generator.integers(0, 4, 200_000)
    second = np.where(generator.random(200_000) < 0.7, first, 0)
    kappa = "agreement.cohens_kappa"
    compared(
        "kappa, 200,000 integers",
        lambda: vd.measure(kappa, first, second),
        lambda: cohen_kappa_score(first, second),
    )
    texts = [[f"label{code}" for code in side.tolist()] for side in (first, second)]
    compared(
        "kappa, 200,000 texts",
        lambda: vd.measure(kappa, *texts),
        lambda: cohen_kappa_score(*texts),
    )


if __name__ == "__main__":
    main()
