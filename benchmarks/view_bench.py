"""Pages of the viewer on a store of ten thousand runs, one of which has a hundred thousand units.

    python benchmarks/view_bench.py [--runs 1e4] [--units 1e5]

Times are wall time inside the server, from the request to the last byte of the page, with no
browser in between.  "First look" is the first request for a page after the viewer has started;
the store is made once, and kept in .bench/data.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from harness import WORK, record
from starlette.testclient import TestClient

import veridical as vd
from veridical import strict_json
from veridical.store import Store
from veridical.store.drafts import draft
from veridical.store.run import DOCUMENT, new_id
from veridical.view.application import build

PORT, TOKEN, LOOKS = 8642, "benchmark", 9
START = datetime(2026, 1, 1, tzinfo=UTC)
METRICS = (
    "binary.roc_auc",
    "binary.average_precision",
    "calibration.brier",
    "calibration.log_loss",
)


def measured(rows: int, seed: int, names: int) -> dict[str, Any]:
    """Return the columns of a data set: labels, scores that know something of them, ids."""
    rng = np.random.default_rng(seed)
    y = rng.random(rows) < 0.1
    logit = rng.normal(-2.0, 1.0, rows) + 1.5 * y
    scores = {f"p_{k}": 1 / (1 + np.exp(-logit - 0.1 * k)) for k in range(names)}
    return {"y": y.astype(int), **scores, "id": np.arange(rows)}


def made(folder: Path, n_runs: int, n_units: int) -> Path:
    """Return the file of the store, made when it was not there."""
    path = folder / f"runs-{n_runs}-{n_units}.db"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    half = folder / "half-made.db"
    for left in folder.glob("half-made.db*"):
        left.unlink()
    with Store(half) as store:
        fill(store, n_runs, n_units)
    half.rename(path)
    return path


def fill(store: Store, n_runs: int, n_units: int) -> None:
    """Save small runs, one of many units, and one that works through as many."""
    small = measured(400, 0, 2)
    ev = vd.evaluate(small, METRICS, label="y", score=["p_0", "p_1"], id="id")
    template = draft(kind="evaluation", document=ev.to_dict(), settings={"label": "y"}, seed=0)
    for k in range(n_runs):
        document = ev.to_dict()
        for result in document["results"]:
            result["value"] = min(1.0, result["value"] * (1 + 0.00001 * k))
        when = START + timedelta(minutes=30 * k)
        parts = {**template.parts, DOCUMENT: strict_json.canonical(document)}
        tags = ("main", f"week-{k // 336}") if k % 3 else ("canary",)
        run = replace(template, id=new_id(when), created=when, name=f"model-{k % 40}", tags=tags)
        store.save(replace(run, parts=parts))
    many = measured(n_units, 1, 2)
    for seed in (0, 1):
        many["p_0"] = np.clip(many["p_0"] + 0.01 * seed, 0, 1)
        large = vd.evaluate(many, METRICS, label="y", score=["p_0", "p_1"], id="id", seed=0)
        large.save(f"large-{seed}", tags=["large"], store=store)
    working = store.save(draft(kind="bench", name="working", state="running"))
    ledger = store.ledger(working.id)
    ledger.plan({f"case-{k:06d}": "0" * 64 for k in range(n_units)})
    for claim in ledger.claim(200):
        ledger.record(claim, "scored", settle="done")


def pages(store: Store) -> Iterator[tuple[str, str]]:
    """Yield what each page is, and its address."""
    small, large, other, working = (
        store.find(name).id for name in ("model-7", "large-1", "large-0", "working")
    )
    yield "list, newest first", "/"
    yield "list, last page", "/?page=200"
    yield "list, of a tag and a name", "/?tag=main&name=model-7"
    yield "list, search in names, ids, tags, models", "/?text=odel-3"
    yield "list, sorted by a metric", "/?metric=binary.roc_auc&sort=value"
    yield "one small run", f"/runs/{small}"
    yield "run of many units: report and charts", f"/runs/{large}"
    yield "its units", f"/runs/{large}/units"
    yield (
        "its units, filtered and sorted",
        f"/runs/{large}/units?w0=yes&by=1&min=0.2&sort=1&order=up",
    )
    yield "its units, sorted by id, last page", f"/runs/{large}/units?sort=id&page=1000"
    yield "ledger of a run in progress", f"/runs/{working}/units?state=pending&page=500"
    yield "counts of a run in progress", f"/runs/{working}/progress"
    yield "two small runs side by side", f"/compare?a={small}&b=model-8"
    yield "two runs of many units side by side", f"/compare?a={large}&b={other}"
    yield "their paired comparison", f"/compare/difference?a={large}&b={other}"
    yield "trend of a metric, newest hundred runs", "/trends?metric=binary.roc_auc"


def timed(store: Store) -> Iterator[tuple[str, float, float, float]]:
    """Yield what, first look, median of the others, and kilobytes, for each page."""
    client = TestClient(build(store, token=TOKEN, port=PORT), base_url=f"http://127.0.0.1:{PORT}")
    client.get(f"/?token={TOKEN}")
    client.get("/runs/nothing")  # what is imported and compiled once is nobody's page
    for what, address in pages(store):
        looks, size = [], 0
        for _ in range(LOOKS):
            start = time.perf_counter()
            answer = client.get(address)
            looks.append(1000 * (time.perf_counter() - start))
            size = len(answer.content)
            answer.raise_for_status()
        yield what, looks[0], statistics.median(looks[1:]), size / 1024


def main() -> None:
    """Make the store, ask for every page, and record what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=float, default=1e4)
    parser.add_argument("--units", type=float, default=1e5)
    given = parser.parse_args()
    n_runs, n_units = int(given.runs), int(given.units)
    with Store(made(WORK / "data" / "view", n_runs, n_units)) as store:
        rows = [
            [what, f"{first:.0f}", f"{again:.0f}", f"{size:.0f}"]
            for what, first, again, size in timed(store)
        ]
    record(
        "90-view",
        f"The viewer on {n_runs:,} runs and {n_units:,} units",
        "Milliseconds in the server, wall time: the first look at a page, and the median of eight "
        "more. A paired comparison is computed once and then held; its page is asked for by the "
        "page of two runs, which does not wait for it.",
        ["page", "first look ms", "again ms", "kB"],
        rows,
    )


if __name__ == "__main__":
    main()
