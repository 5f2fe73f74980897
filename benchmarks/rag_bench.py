"""Whole runs of `veridical rag run`, from start to exit, with and without a judge.

    python benchmarks/rag_bench.py [--static 1e3,1e4,1e5] [--judged 1e2,1e3]

The answers stand in the cases, so that no pipeline is waited for.  The judge is
`veridical rag serve-mock`, which answers every call after 50 ms; sixteen calls go at a time, so no
process can be faster than calls / 16 * 0.05 s, which has a column of its own.
"""

from __future__ import annotations

import contextlib
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import arguments, record, whole_process

VERIDICAL = str(Path(sys.executable).with_name("veridical"))
LATENCY_S, CONCURRENCY, CONTRACTS = 0.05, 16, 5
JUDGE = """
judge: {{base_url: "{url}", model: lexical, concurrency: {concurrency}}}
"""


def case(number: int) -> dict[str, Any]:
    """Return a case whose answer is right, cited, and supported word by word."""
    text = f"Rule {number} costs {number} euros."
    document = f"d{number}"
    return {
        "id": f"c{number}",
        "question": f"What does rule {number} cost?",
        "expected_answer": text,
        "expected_source_ids": [document],
        "answer": {
            "text": f"{text} [{document}]",
            "citations": [document],
            "retrieved_chunks": [{"id": document, "text": text}],
        },
    }


def project(folder: Path, cases: int, judge: str = "") -> None:
    """Write the cases and the configuration of a run."""
    lines = (json.dumps(case(number)) for number in range(cases))
    (folder / "cases.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (folder / "veridical.yaml").write_text(f"version: 1\npipeline: {{kind: static}}\n{judge}")


def checked(folder: Path, cases: int, *, judged: bool) -> None:
    """Run once, and hold the results against what the cases are made for."""
    document = json.loads(_veridical(folder, "rag", "run", "--json", "--no-cache"))
    results = {one["metric"]: one for one in document["results"]}
    expected = ["retrieval.recall@5", "generation.citation_validity"]
    expected += ["generation.groundedness"] if judged else []
    for name in expected:
        found = results[name]
        if (found["value"], found["n"]) != (1.0, cases):
            raise RuntimeError(f"{name} is 1 of {cases} cases, not {found}")


def timed(folder: Path, *options: str, runs: int) -> tuple[float, float, float]:
    """Return wall seconds, processor seconds and peak MB of a whole process."""
    with contextlib.chdir(folder):
        return whole_process([VERIDICAL, "rag", "run", *options], runs=runs)


@contextlib.contextmanager
def mock_judge() -> Iterator[str]:
    """Yield the address of a judge in a process of its own."""
    command = [VERIDICAL, "rag", "serve-mock", "--port", "0"]
    command += ["--latency-ms", str(int(1000 * LATENCY_S))]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            for line in server.stdout or ():
                words = [word for word in line.split() if word.startswith("http://")]
                if words:
                    yield words[0].rstrip(".,")
                    return
            raise RuntimeError("the mock judge did not start")
        finally:
            server.terminate()


def _veridical(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [VERIDICAL, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


def static(sizes: list[int]) -> None:
    """Measure runs without a judge."""
    rows = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            project(folder, size)
            checked(folder, size, judged=False)
            wall, processor, peak = timed(folder, runs=1 if size > 20_000 else 2)
        rows.append((f"{size:,}", f"{wall:.2f}", f"{processor:.2f}", f"{peak:.0f}"))
    record(
        "17-rag-static",
        "RAG runs without a judge",
        "`veridical rag run` over cases that hold their answers: read, scored, on the ledger, "
        "summarised and stored.",
        ["cases", "wall seconds", "processor seconds", "peak MB"],
        rows,
    )


def judged(sizes: list[int]) -> None:
    """Measure runs with a judge that takes 50 ms, cold and from the cache."""
    rows = []
    with mock_judge() as url:
        for size in sizes:
            least = math.ceil(CONTRACTS * size / CONCURRENCY) * LATENCY_S
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                project(folder, size, JUDGE.format(url=url, concurrency=CONCURRENCY))
                checked(folder, size, judged=True)
                cold = timed(folder, "--no-cache", runs=3)
                warm = timed(folder, runs=3)
            for kind, (wall, processor, peak) in (("every call made", cold), ("cached", warm)):
                waits = f"{least:.2f}" if kind != "cached" else ""
                rows.append(
                    (f"{size:,}", kind, waits, f"{wall:.2f}", f"{processor:.2f}", f"{peak:.0f}")
                )
    record(
        "18-rag-judged",
        "RAG runs with a judge that takes 50 ms, sixteen calls at a time",
        "Five questions a case.  The third column is what the judge alone makes anybody wait.",
        ["cases", "", "waiting seconds", "wall seconds", "processor seconds", "peak MB"],
        rows,
    )


def main() -> None:
    """Run both."""
    told = arguments(__doc__ or "", static="1e3,1e4,1e5", judged="1e2,1e3")
    static(told.static)
    judged(told.judged)


if __name__ == "__main__":
    main()
