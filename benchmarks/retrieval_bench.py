"""Ranked retrieval beside pytrec_eval and ranx: dictionaries, fusion, and whole commands on files.

Both sides measure nDCG@10, recall@10, MAP, MRR and precision@10 of 100 documents a query.  20
documents a query are judged, half of which were retrieved.  Two runs that share half of their
documents are fused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from harness import WORK, Side, arguments, race, ratio, record, whole_process

NAMES = {
    "retrieval.ndcg@10": ("ndcg_cut_10", "ndcg@10"),
    "retrieval.recall@10": ("recall_10", "recall@10"),
    "retrieval.map": ("map", "map"),
    "retrieval.mrr": ("recip_rank", "mrr"),
    "retrieval.precision@10": ("P_10", "precision@10"),
}
RETRIEVED, JUDGED = 100, 20
_BUILT: dict[str, Any] = {}

Rows = Iterator[tuple[int, list[int], list[float], list[int], list[int]]]


def random_rows(queries: int) -> Rows:
    """Yield query, retrieved documents, their scores, judged documents and their grades."""
    generator = np.random.default_rng(0)
    for query in range(queries):
        numbers = generator.choice(1_000_000, RETRIEVED + JUDGED // 2, replace=False)
        # No two alike: ranx leaves equal scores in the order given.
        scores = generator.choice(20_000_000, RETRIEVED, replace=False) / 1e6
        # Every query has a relevant document, so that all sides average over the same ones.
        grades = np.append(1, generator.integers(0, 4, JUDGED - 1))
        judged = generator.permutation(numbers[-JUDGED:])
        rows = (numbers[:RETRIEVED], scores, judged, grades)
        yield query, *(column.tolist() for column in rows)


def random_run(queries: int, kind: str = "text") -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return a run and a golden set; equal ids are objects of their own, as from two files."""
    run: dict[Any, Any] = {}
    qrels: dict[Any, Any] = {}
    for query, documents, scores, judged, grades in random_rows(queries):
        if kind == "int":
            run[query] = dict(zip(documents, scores, strict=True))
            qrels[query] = dict(zip(judged, grades, strict=True))
        else:
            run[f"q{query}"] = {f"d{d}": s for d, s in zip(documents, scores, strict=True)}
            qrels[f"q{query}"] = {f"d{d}": g for d, g in zip(judged, grades, strict=True)}
    return run, qrels


def _size_on_disk(queries: int) -> Path:
    """Return the file that tells each side how many queries to make: the data of a race."""
    path = WORK / "data" / f"queries-{queries}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(queries))
    return path


def _dicts(size: Path, kind: str = "text") -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return the data of this process, made in the first run, which the best one is not."""
    if not _BUILT:
        _BUILT["data"] = random_run(int(size.read_text()), kind)
    found: tuple[dict[Any, Any], dict[Any, Any]] = _BUILT["data"]
    return found


def dictionaries(size: Path) -> dict[str, float]:
    """Hold the data, and do nothing: what the memory of the others begins with."""
    _dicts(size)
    return {}


def veridical(size: Path, kind: str = "text") -> dict[str, float]:
    """The public function, with validation and the sha256 of the golden set."""
    import veridical as vd

    ev = vd.evaluate_ranking(*_dicts(size, kind), list(NAMES), intervals=False)
    return {name: ev[name].value for name in NAMES}


def pytrec_eval(size: Path) -> dict[str, float]:
    """Its evaluator, and the means that its user computes."""
    from pytrec_eval import RelevanceEvaluator

    run, qrels = _dicts(size)
    asked = {theirs.replace("cut_", "cut.").replace("_10", ".10") for theirs, _ in NAMES.values()}
    found = RelevanceEvaluator(qrels, asked).evaluate(run)
    return {
        ours: float(np.mean([one[theirs] for one in found.values()]))
        for ours, (theirs, _) in NAMES.items()
    }


def ranx(size: Path) -> dict[str, float]:
    """From dictionaries to metrics; what it compiles is compiled in the first run."""
    from ranx import Qrels, Run, evaluate

    run, qrels = _dicts(size)
    theirs = [name for _, name in NAMES.values()]
    found = evaluate(Qrels(qrels), Run(run), theirs, make_comparable=False)
    return {ours: float(found[name]) for ours, (_, name) in NAMES.items()}


def from_dictionaries(sizes: list[int]) -> None:
    """Race the libraries on dictionaries."""
    rows = []
    for size in sizes:
        data = _size_on_disk(size)
        runs = 8 if size < 50_000 else 2
        sides = [
            Side("veridical", "veridical", runs=4 * runs),
            Side("veridical, int ids", "veridical", {"kind": "int"}, runs=4 * runs),
            Side("veridical, numpy", "veridical", {}, {"VERIDICAL_KERNELS": "numpy"}, runs=2),
            Side("pytrec_eval", "pytrec_eval", runs=runs),
            Side("ranx", "ranx", runs=2),
            Side("the dictionaries", "dictionaries", runs=1),
        ]
        times = race("retrieval_bench", data, sides)
        ours, held = times["veridical"], times.pop("the dictionaries")
        for name, taken in times.items():
            added = f"{taken.megabytes - held.megabytes:.0f}"
            memory = "" if "int" in name else added  # their dictionaries are smaller
            rows.append((f"{size:,}", name, f"{taken.seconds:.4f}", ratio(taken, ours), memory))
    record(
        "11-ranking",
        "Five retrieval metrics from dictionaries",
        "Of 100 documents a query, 20 judged. veridical is the public `evaluate_ranking` without "
        "intervals, with validation and the sha256 of the golden set; ranx without the time in "
        "which it compiles. The ratio says how many times as long the other takes; memory is the "
        "peak beside the dictionaries.",
        ["queries", "", "seconds", "ratio", "MB added"],
        rows,
    )


def _two_runs(size: Path) -> list[dict[str, dict[str, float]]]:
    """Return two runs that share half of their documents; no two scores of a query are alike."""
    if "runs" not in _BUILT:
        one: dict[str, dict[str, float]] = {}
        two: dict[str, dict[str, float]] = {}
        for query, documents, scores, _, _ in random_rows(int(size.read_text())):
            others = [*documents[::2], *(d + 1_000_000 for d in documents[1::2])]
            one[f"q{query}"] = {f"d{d}": s for d, s in zip(documents, scores, strict=True)}
            two[f"q{query}"] = {f"d{d}": s for d, s in zip(others, scores[::-1], strict=True)}
        _BUILT["runs"] = [one, two]
    found: list[dict[str, dict[str, float]]] = _BUILT["runs"]
    return found


def _told(fused: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return what two fused runs must have in common."""
    return {
        "documents": sum(map(len, fused.values())),
        "scores": sum(sum(documents.values()) for documents in fused.values()),
        "best scores": sum(max(documents.values()) for documents in fused.values()),
    }


def veridical_fused(size: Path, method: str) -> dict[str, float]:
    """From dictionaries to a dictionary."""
    from veridical.ranking import fuse

    return _told(fuse(_two_runs(size), method))


def ranx_fused(size: Path, method: str) -> dict[str, float]:
    """From dictionaries to a dictionary; what it compiles is compiled in the first run."""
    from ranx import Run, fuse

    runs = [Run(run) for run in _two_runs(size)]
    if method == "rrf":
        return _told(fuse(runs=runs, norm=None, method="rrf").to_dict())
    return _told(fuse(runs=runs, norm="min-max", method="sum").to_dict())


def fusion(sizes: list[int]) -> None:
    """Race both libraries at fusing two runs."""
    rows = []
    for size in sizes:
        data = _size_on_disk(size)
        for method in ("rrf", "combsum"):
            sides = [
                Side("veridical", "veridical_fused", {"method": method}),
                Side("ranx", "ranx_fused", {"method": method}, runs=2),
            ]
            times = race("retrieval_bench", data, sides)
            for name, taken in times.items():
                told = (f"{taken.seconds:.3f}", ratio(taken, times["veridical"]))
                rows.append((f"{size:,}", method, name, *told, f"{taken.megabytes:.0f}"))
    record(
        "11b-fusion",
        "Two runs fused",
        "Of 100 documents a query, half of them in both runs; from dictionaries to a dictionary, "
        "ranx without the time in which it compiles.",
        ["queries", "method", "", "seconds", "ratio", "peak MB"],
        rows,
    )


PYTREC_FILES = """
import sys
import pytrec_eval
run, qrels = sys.argv[1:]
with open(qrels) as file:
    judged = pytrec_eval.parse_qrel(file)
with open(run) as file:
    retrieved = pytrec_eval.parse_run(file)
measures = {"ndcg_cut.10", "recall.10,100", "map", "recip_rank", "P.10"}
found = pytrec_eval.RelevanceEvaluator(judged, measures).evaluate(retrieved)
for name in sorted(next(iter(found.values()))):
    values = [one[name] for one in found.values()]
    print(name, pytrec_eval.compute_aggregated_measure(name, values))
"""


def trec_files(queries: int) -> tuple[Path, Path]:
    """Return a run and a golden set in TREC text, made when they were not there."""
    run, qrels = WORK / "data" / f"{queries}.trec", WORK / "data" / f"{queries}.qrels"
    if not qrels.exists():
        run.parent.mkdir(parents=True, exist_ok=True)
        with run.open("w") as runs, qrels.open("w") as golden:
            for query, documents, scores, judged, grades in random_rows(queries):
                ranked = sorted(zip(scores, documents, strict=True), reverse=True)
                runs.writelines(
                    f"q{query} Q0 d{document} {rank} {score:.6f} bench\n"
                    for rank, (score, document) in enumerate(ranked, 1)
                )
                golden.writelines(
                    f"q{query} 0 d{document} {grade}\n"
                    for document, grade in zip(judged, grades, strict=True)
                )
    return run, qrels


def from_files(sizes: list[int]) -> None:
    """Race whole commands on TREC text."""
    rows = []
    for size in sizes:
        run, qrels = map(str, trec_files(size))
        command = [str(Path(sys.executable).with_name("veridical")), "rank", run, "--qrels", qrels]
        runs = 5 if size < 50_000 else 2
        ours = whole_process([*command, "--no-intervals"], runs=2 * runs)
        theirs = whole_process([sys.executable, "-c", PYTREC_FILES, run, qrels], runs=runs)
        for name, (wall, processor, peak) in (("veridical", ours), ("pytrec_eval", theirs)):
            rows.append(
                (
                    f"{size:,}", name, f"{processor:.3f}", f"{processor / ours[1]:.1f}",
                    f"{wall:.3f}", f"{peak:.0f}",
                )
            )  # fmt: skip
    record(
        "12-trec-files",
        "Whole commands on TREC text",
        "`veridical rank RUN --qrels Q --no-intervals`, and a script that reads both files with "
        "pytrec_eval, evaluates and averages; 100 documents a query, the interpreter's start "
        "included, which is most of the time of ours at 1,000 queries.",
        ["queries", "", "processor seconds", "ratio", "wall seconds", "peak MB"],
        rows,
    )


def main() -> None:
    """Run the races."""
    told = arguments(__doc__ or "", dicts="1e3,1e4,1e5", fused="1e3,1e4", files="1e3,1e4,1e5")
    from_dictionaries(told.dicts)
    fusion(told.fused)
    from_files(told.files)


if __name__ == "__main__":
    main()
