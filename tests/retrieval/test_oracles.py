"""Random runs, ties and gaps included, against pytrec_eval and ranx: equal where they define alike.

Where they do not is the table of design/retrieval.md.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import veridical as vd

TREC = {
    "map": "map", "recip_rank": "mrr", "ndcg_cut_10": "ndcg@10", "ndcg": "ndcg",
    "P_5": "precision@5", "recall_30": "recall@30", "Rprec": "r_precision",
    "success_5": "success@5", "bpref": "bpref", "map_cut_20": "map@20",
}  # fmt: skip
ONLY_TREC = [
    "infAP", "binG", "set_P", "set_recall", "set_map", "set_F", "num_ret", "num_rel",
    "num_rel_ret", "ndcg_rel", "Rndcg", "P_100", "success_1", "success_10", "recall_5",
]  # fmt: skip


def random_data(seed, lowest, decimals):
    """Return a run with ties, and a golden set with gaps: unjudged, unretrieved, no relevant."""
    generator = np.random.default_rng(seed)
    run, qrels = {}, {}
    for query in range(40):
        ids = [f"d{one}" for one in generator.permutation(300).tolist()]
        length = int(generator.integers(1, 80))
        scores = np.round(generator.normal(size=length), decimals).tolist()
        judged = generator.choice(ids[:150], int(generator.integers(1, 60)), replace=False)
        highest = 4 if query % 8 else 1
        grades = generator.integers(lowest, highest, len(judged)).tolist()
        run[f"q{query}"] = dict(zip(ids[:length], scores, strict=True))
        qrels[f"q{query}"] = dict(zip(judged.tolist(), grades, strict=True))
    return run, qrels


@pytest.mark.parametrize("decimals", [0, 1, 8])
@pytest.mark.parametrize("lowest", [0, -1])
def test_pytrec_eval(lowest, decimals):
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")
    run, qrels = random_data(10 * lowest + 10 + decimals, lowest, decimals)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    names = [*TREC, *ONLY_TREC]
    ours = vd.evaluate_ranking(run, qrels, list(TREC.values()), intervals=False)
    named = vd.evaluate_ranking(run, qrels, [f"trec.{name}" for name in names], intervals=False)
    for query, judged in qrels.items():
        for name in names:
            value = pytest.approx(theirs[query][name], abs=1e-9)
            assert named.query_values(f"trec.{name}").of(query) == value, (name, query)
        for name, metric in TREC.items():
            if name == "bpref" and lowest < 0:
                continue  # for us a negative grade is a judgement
            found = ours.query_values(metric).of(query)
            if max(judged.values()) < 1:
                assert found is None
            else:
                assert found == pytest.approx(theirs[query][name], abs=1e-9), (name, query)


def test_the_means_of_pytrec_eval():
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")
    run, qrels = random_data(3, 0, 1)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg", "gm_map"}).evaluate(run)
    ev = vd.evaluate_ranking(run, qrels, ["trec.map", "trec.ndcg", "trec.gm_map"], intervals=False)
    for name in ("map", "ndcg"):
        mean = math.fsum(one[name] for one in theirs.values()) / len(theirs)
        assert ev[f"trec.{name}"].value == pytest.approx(mean, abs=1e-12)


RANX = {
    "ndcg@10": "ndcg@10", "ndcg": "ndcg", "ndcg_burges@5": "ndcg@5,gain=exp", "map": "map",
    "map@20": "map@20", "mrr": "mrr", "mrr@5": "mrr@5", "precision@5": "precision@5",
    "recall@30": "recall@30", "f1@10": "f1@10", "hit_rate@3": "success@3",
    "r-precision": "r_precision",
}  # fmt: skip


@pytest.mark.long
def test_ranx():
    """Without ties, which it leaves in the order given, and without queries it cannot score."""
    ranx = pytest.importorskip("ranx", reason="ranx is not installed: benchmarks/requirements.txt")
    run, qrels = random_data(1, 0, 8)
    qrels = {query: judged for query, judged in qrels.items() if max(judged.values()) > 0}
    run = {query: run[query] for query in qrels}
    theirs = ranx.Run(run)
    ranx.evaluate(ranx.Qrels(qrels), theirs, list(RANX))
    ours = vd.evaluate_ranking(run, qrels, list(RANX.values()), intervals=False)
    for name, metric in RANX.items():
        values = ours.query_values(metric)
        for query, value in theirs.scores[name].items():
            assert values.of(query) == pytest.approx(value, abs=1e-9), (name, query)
