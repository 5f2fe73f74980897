"""A store with runs of every kind, and the viewer of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import numpy as np
import pytest
from starlette.testclient import TestClient

import veridical as vd
from veridical.store import Store
from veridical.store.drafts import draft
from veridical.store.keeping import drafted
from veridical.store.run import new_id
from veridical.view.application import build

PORT, TOKEN = 8642, "the-token"
HOSTILE = "<img src=x onerror=window.pwned=1>"
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
N = 240


def columns(seed, better=0.0, threshold_seed=11):
    rng = np.random.default_rng(threshold_seed)
    y = rng.random(N) < 0.3
    noise = np.random.default_rng(seed).normal(0, 1, N)
    logit = rng.normal(-1, 1, N) + (1.5 + better) * y
    return {
        "y": y.astype(int),
        "p": 1 / (1 + np.exp(-logit)),
        HOSTILE: 1 / (1 + np.exp(-logit - noise)),
        "g": np.where(np.arange(N) % 3, "x", HOSTILE),
        "id": [f"{HOSTILE}-{k:03d}" if k % 2 else f"row-{k:03d}" for k in range(N)],
    }


def evaluated(seed, better=0.0, **options):
    settings = {"label": "y", "score": ["p", HOSTILE], "id": "id", "threshold": 0.5} | options
    metrics = ["binary.roc_auc", "binary.recall", "calibration.ece"]
    return vd.evaluate(columns(seed, better), metrics, **settings)


def at(run, day):
    when = START + timedelta(days=day)
    return replace(run, created=when, id=new_id(when))


def fill(store):
    """Save runs of every kind, and return their ids."""
    ids = SimpleNamespace(nightly=[])
    for day in range(3):
        ev = evaluated(day, better=day)
        run = drafted(ev, name="nightly", tags=["main", f"day-{day}"])
        ids.nightly.append(store.save(at(run, day)).id)
    other = drafted(evaluated(9, groups=["g"], threshold=0.25), name="other", tags=[HOSTILE])
    ids.other = store.save(at(other, 3)).id
    qrels = {f"q{k}": {f"d{k}": 1} for k in range(12)}
    system = {q: {**docs, "x": 0.5} for q, docs in qrels.items()}
    ranking = vd.evaluate_ranking({"bm25": system, HOSTILE: system}, qrels, ["ndcg@10", "mrr"])
    ids.ranking = store.save(at(drafted(ranking, name=HOSTILE), 4)).id
    text = vd.evaluate_text(["a cat", "a dog"], ["a cat", "the dog"], ["text.rouge_l"])
    ids.text = store.save(at(drafted(text, name="texts"), 5)).id
    ids.failed = store.save(at(draft(kind="bench", name="broken", state="failed"), 6)).id
    running = store.save(at(draft(kind="rag", name="working", state="running"), 7))
    ids.running = running.id
    ledger = store.ledger(running.id)
    ledger.plan({f"case-{k:03d} {HOSTILE}": "0" * 64 for k in range(130)})
    for claim in ledger.claim(3):
        ledger.record(claim, "infra_error", error=f"no answer {HOSTILE}", settle="failed")
    ledger.record(ledger.claim()[0], "scored", settle="done")
    return ids


def viewer(store):
    """Return a client that was let in."""
    guarded = build(store, token=TOKEN, port=PORT)
    client = TestClient(guarded, base_url=f"http://127.0.0.1:{PORT}", raise_server_exceptions=False)
    client.get(f"/?token={TOKEN}")
    return client


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The viewer of a store that no test changes: its client, its store, the ids of its runs."""
    path = tmp_path_factory.mktemp("store") / "runs.db"
    with Store(path) as store:
        ids = fill(store)
        yield SimpleNamespace(client=viewer(store), store=store, ids=ids, path=path)


@pytest.fixture
def fresh(tmp_path):
    """The viewer of a store of one's own."""
    with Store(tmp_path / "runs.db") as store:
        yield SimpleNamespace(client=viewer(store), store=store, path=tmp_path / "runs.db")
