"""Retrieval metrics of runs in dictionaries, beside pytrec_eval: answers first, then the ratio."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from veridical.ranking.evaluating import RankingSettings, evaluated

METRICS = {
    "ndcg_cut_10": "retrieval.ndcg@10",
    "map": "retrieval.map",
    "recip_rank": "retrieval.mrr",
    "recall_100": "retrieval.recall@100",
}
REPEATS = 3


def random_run(queries: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a run of 100 documents a query, and 20 judgements, half of them retrieved."""
    generator = np.random.default_rng(0)
    run, qrels = {}, {}
    for query in range(queries):
        numbers = dict.fromkeys(generator.integers(0, 1_000_000, 130).tolist())
        ids = [f"d{number}" for number in numbers]
        run[f"q{query}"] = dict(zip(ids[:100], generator.random(100).tolist(), strict=True))
        grades = generator.integers(0, 4, 20).tolist()
        qrels[f"q{query}"] = dict(zip(ids[90:110], grades, strict=True))
    return run, qrels


def best_time(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least processor time of some repetitions, and the last answer."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        answer = work()
        times.append(time.process_time() - start)
    return min(times), answer


def main() -> None:
    """Print one line a size."""
    try:
        import pytrec_eval
    except ImportError:
        print("pytrec_eval is not installed: pip install pytrec_eval-terrier")
        return
    for queries in (1_000, 10_000):
        run, qrels = random_run(queries)
        settings = RankingSettings(intervals=False)
        ours, ev = best_time(
            lambda r=run, q=qrels, s=settings: evaluated({"run": r}, q, METRICS.values(), s)
        )
        names = {"ndcg_cut.10", "map", "recip_rank", "recall.100"}
        theirs, answers = best_time(
            lambda r=run, q=qrels, n=names: pytrec_eval.RelevanceEvaluator(q, n).evaluate(r)
        )
        for name, metric in METRICS.items():
            values = [one[name] for query, one in answers.items() if max(qrels[query].values())]
            if not abs(ev[metric].value - np.mean(values)) < 1e-9:
                raise SystemExit(f"{metric} disagrees")
        print(
            f"{queries:>7,} queries x 100: veridical {ours:.3f} s, pytrec_eval {theirs:.3f} s, "
            f"ratio {theirs / ours:.1f}"
        )


if __name__ == "__main__":
    main()
