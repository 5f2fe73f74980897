"""Write what the tutorial for search engineers works on: queries, a golden set, and three runs.

    python prepare.py FOLDER

Pages and questions are those of the project that `veridical rag init` writes: a library that is
made up.  The runs are those of its own BM25: over titles alone (`titles`), over texts alone
(`texts`), and over both (`both`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from veridical.rag.example import project_files
from veridical.rag.example.my_rag.bm25 import BM25

DEPTH = 10


def main(folder: Path) -> None:
    """Write all files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = project_files()
    pages = [json.loads(line) for line in files["documents.jsonl"].splitlines()]
    cases = [json.loads(line) for line in files["cases.jsonl"].splitlines()]
    judged = [case for case in cases if case.get("expected_source_ids")]
    queries = [f"{case['id']}\t{case['question']}" for case in judged]
    write(folder / "queries.tsv", queries)
    qrels = [line for case in judged for line in golden(case["id"], case["expected_source_ids"])]
    write(folder / "qrels.trec", qrels)

    titles = [page["title"] for page in pages]
    texts = [page["text"] for page in pages]
    both = [f"{title}. {text}" for title, text in zip(titles, texts, strict=True)]
    runs = {"titles": BM25(titles), "texts": BM25(texts), "both": BM25(both)}
    for name, index in runs.items():
        lines = []
        for case in judged:
            found = index.scores(case["question"])
            for rank, at in enumerate(index.ranked(case["question"])[:DEPTH], 1):
                lines.append(f"{case['id']} Q0 {pages[at]['id']} {rank} {found[at]:.6f} {name}")
        write(folder / f"{name}.trec", lines)


def golden(query: str, sources: dict[str, int] | list[str]) -> list[str]:
    """Return the judgements of one query: those of a list are all of grade 1."""
    grades = sources if isinstance(sources, dict) else dict.fromkeys(sources, 1)
    return [f"{query} 0 {document} {grade}" for document, grade in grades.items()]


def write(path: Path, lines: list[str]) -> None:
    """Write lines into a file."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
