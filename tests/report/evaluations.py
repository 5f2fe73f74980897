"""Evaluations of runs, systems and raters in which every name and text is hostile."""

import warnings

import numpy as np

import veridical as vd
from tests.report.payloads import HOSTILE

ESCAPE = "</script><script>window.pwned=2</script>"


def ranking(queries=60, runs=2, seed=1):
    """Runs that answer one query in five alike; ids that would run something."""
    rng = np.random.default_rng(seed)
    ids = [HOSTILE, ESCAPE, *(f"q{i}" for i in range(queries - 2))]
    documents = [f"d{i}" for i in range(30)]
    golden = {
        query: {d: int(g) for d, g in zip(documents, rng.integers(0, 3, 30), strict=True) if g}
        for query in ids
    }
    golden["nothing relevant"] = {"d1": 0}
    names = [HOSTILE, "tfidf & co", *(f"run {i}" for i in range(runs - 2))][:runs]
    found = {
        name: {query: list(map(str, rng.permutation(documents)[:12])) for query in ids[:-1]}
        for name in names
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return vd.evaluate_ranking(found, golden, ["ndcg@10", "map", "mrr"])


def texts(n=40, seed=2):
    """Two systems; texts that would run something, an empty one, and one without spaces."""
    rng = np.random.default_rng(seed)
    words = ["meeting", "moved", "friday", "manager", "sick", "the", "was", HOSTILE]
    references = [" ".join(rng.choice(words, 9)) for _ in range(n - 2)]
    references += [f"{ESCAPE} ends here", "\u6211\u559c\u6b22\u4f60"]

    def written(share):
        return [
            " ".join(w if rng.random() > share else "other" for w in text.split(" "))
            for text in references[:-2]
        ] + ["", "\u6211\u559c\u6b22\u4ed6"]

    systems = {HOSTILE: written(0.3), "folder/second & last": written(0.6)}
    return vd.evaluate_text(systems, references, ["rouge_l", "bleu", "chrf"])


def agreement(n=90, seed=3, labels=(HOSTILE, "fail", "pass")):
    """Two people and a judge."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(labels), n)

    def rater(wrong):
        codes = np.where(rng.random(n) < wrong, rng.integers(0, len(labels), n), truth)
        return [labels[code] for code in codes]

    data = {HOSTILE: rater(0.1), "ben": rater(0.2), "judge": rater(0.5)}
    return vd.evaluate_agreement(data, raters=list(data), judge="judge")


def rate(n=80, seed=4):
    """A judge whose rate is corrected by the items of which the truth is known."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["pass", "fail"], n)
    judge = np.where(rng.random(n) < 0.2, "pass", truth)
    known = [label if i % 2 else None for i, label in enumerate(truth.tolist())]
    return vd.evaluate_agreement(
        {"judge": judge.tolist(), "truth": known}, raters=["judge", "truth"], rate="pass",
        missing="drop",
    )  # fmt: skip


REPORTS = {"ranking": ranking, "texts": texts, "agreement": agreement, "rate": rate}
