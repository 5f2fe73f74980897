"""Retrieval metrics of cases beside those of rankings, and beside trec_eval's own code."""

import numpy as np
import pytrec_eval

import veridical as vd
from veridical.rag.answers import Answer, Chunk, Reply
from veridical.rag.case_fields import case_of
from veridical.rag.scoring import ScoreSettings, score

# Ours, and what trec_eval calls it.
NAMES = {
    "retrieval.precision@{}": "P_{}",
    "retrieval.recall@{}": "recall_{}",
    "retrieval.mrr": "recip_rank",
    "retrieval.ndcg@{}": "ndcg_cut_{}",
}


def collection(seed, *, graded, n=40):
    """Return grades and rankings of some queries, each with a relevant document."""
    draw = np.random.default_rng(seed)
    golden, ranked = {}, {}
    for query in map(str, range(n)):
        documents = [f"d{at}" for at in draw.permutation(60)]
        grades = draw.integers(0, 4, draw.integers(1, 20)) if graded else np.ones(6, dtype=int)
        golden[query] = {document: int(g) for document, g in zip(documents, grades, strict=False)}
        golden[query][documents[0]] = 2 if graded else 1
        found = draw.permutation(documents)[: draw.integers(1, 40)]
        ranked[query] = [str(document) for document in found]
    return golden, ranked


def of_cases(golden, ranked, k, *, graded):
    """Return metric to the value of each query, scored as cases."""
    found = {}
    for query, documents in ranked.items():
        expected = golden[query] if graded else [one for one, g in golden[query].items() if g]
        case = case_of({"id": query, "question": "?", "expected_source_ids": expected})
        reply = Reply(Answer("a", (), tuple(Chunk(document, "") for document in documents)))
        for metric, one in score(case, reply, {}, ScoreSettings(k=k)).items():
            if metric.startswith("retrieval."):
                found.setdefault(metric, {})[query] = one.value
    return found


def as_run(ranked):
    return {
        query: {document: float(len(documents) - at) for at, document in enumerate(documents)}
        for query, documents in ranked.items()
    }


def each(seeds=range(12)):
    for seed in seeds:
        for graded in (False, True):
            for k in (1, 5, 13):
                yield *collection(seed, graded=graded), k, graded


def test_values_of_cases_are_those_of_rankings_to_the_last_bit():
    for golden, ranked, k, graded in each():
        mine = of_cases(golden, ranked, k, graded=graded)
        names = [name.format(k) for name in NAMES]
        ev = vd.evaluate_ranking(as_run(ranked), golden, names, intervals=False)
        assert list(mine) == names
        for name in names:
            theirs = ev.query_values(name)
            assert dict(zip(theirs.ids, theirs.values, strict=True)) == mine[name], (name, k)


def test_values_of_cases_are_trec_evals():
    for golden, ranked, k, graded in each(range(3)):
        names = {name.format(k): theirs.format(k) for name, theirs in NAMES.items()}
        wanted = {theirs.rsplit("_", 1)[0] + f".{k}" for theirs in names.values() if k_of(theirs)}
        evaluator = pytrec_eval.RelevanceEvaluator(golden, {"recip_rank", *wanted})
        theirs = evaluator.evaluate(as_run(ranked))
        for name, values in of_cases(golden, ranked, k, graded=graded).items():
            for query, value in values.items():
                assert abs(value - theirs[query][names[name]]) < 1e-9, (name, query)


def k_of(name):
    return name.rsplit("_", 1)[1].isdigit()
