"""Stored runs that are computed again without their data give the numbers they gave."""

from dataclasses import replace

import numpy as np
import pytest

import veridical as vd
from veridical import strict_json
from veridical.errors import FileFormatError, ParameterError
from veridical.evaluation.refinalising import refinalised
from veridical.metrics import find
from veridical.store import Run
from veridical.summaries import RankedQueries, ScoreSlots

RNG = np.random.default_rng(5)
N = 400
SCORES = {
    "y": (RNG.random(N) < 0.3).tolist(),
    "p": RNG.random(N).round(2).tolist(),
    "q": RNG.random(N).tolist(),
    "raw": (RNG.normal(size=N) * 3).tolist(),
    "g": RNG.choice(["a", "b"], N).tolist(),
    "w": RNG.integers(1, 4, N).tolist(),
    "f": RNG.random(N).tolist(),
    "c": RNG.integers(0, 50, N).tolist(),
    "amount": RNG.integers(1, 900, N).tolist(),
}


def stored(ev, file_store) -> Run:
    """What comes back from the store."""
    return file_store.load(ev.save(store=file_store).id)


def test_every_number_of_an_evaluation_comes_back(ev, file_store):
    again = refinalised(stored(ev, file_store))
    assert again.results == ev.results
    assert again.settings == ev.settings


@pytest.mark.parametrize(
    "options",
    [
        {"score": ["p", "q"], "groups": "g", "threshold": 0.4},
        {"score": "raw"},
        {"score": "p", "weight": "w"},
        {"score": "p", "metrics": ["ece_equal_mass", "slope", "log_loss,clip=0.001", "ece,bins=7"]},
        {"score": "q", "intervals": False, "costs": vd.Costs(fn=5, fp=1)},
    ],
)
def test_with_groups_weights_raw_scores_and_other_bins(options, file_store):
    ev = vd.evaluate(SCORES, label="y", **options)
    assert refinalised(stored(ev, file_store)).results == ev.results


def test_slots_of_large_data_come_back(file_store, monkeypatch):
    monkeypatch.setattr("veridical.engines.evidence.SLOTS_FROM_ROWS", 100)
    for asked in (None, ["roc_auc", "slope", "ece_equal_mass"]):
        ev = vd.evaluate(SCORES, asked, label="y", score="q", threshold=0.4)
        run = stored(ev, file_store)
        held = run.summaries[0]["summary"]
        assert held["ranking"]["schema"] == ScoreSlots.schema
        assert (held["table"] is None) == (asked is None)
        assert refinalised(run).results == ev.results


@pytest.mark.parametrize("score", ["p", "raw"])
def test_scores_counted_in_bins_come_back(file_store, score):
    options = {"label": "y", "score": score, "groups": "g", "threshold": 0.4}
    ev = vd.evaluate(SCORES, engine="histogram", **options)
    assert any("histogram" in str(r.conditions.get("summary")) for r in ev.results)
    assert refinalised(stored(ev, file_store)).results == ev.results


def test_bins_that_were_read_again_are_left_out_and_the_run_says_so(file_store):
    ev = vd.evaluate(SCORES, label="y", score="q", engine="histogram", bounds_within=0.0)
    assert "read again" in stored(ev, file_store).left_out["summaries"]


@pytest.mark.parametrize("exact", [True, False])
def test_a_summary_comes_back(exact, file_store):
    summary = vd.summarise(SCORES, label="y", score="p", groups="g", exact=exact, thresholds=[0.5])
    ev = vd.evaluate(summary)
    assert refinalised(stored(ev, file_store)).results == ev.results


@pytest.mark.parametrize("column", ["weight", "cluster"])
def test_intervals_over_whole_units_are_left_out_with_a_note(column, file_store):
    ev = vd.evaluate(SCORES, label="y", score="q", **{column: "f" if column == "weight" else "c"})
    again = refinalised(stored(ev, file_store))
    for before, after in zip(ev.results, again.results, strict=True):
        assert after.value == before.value
        assert after.interval is None
        assert ("no_interval_without_rows" in after.notes) == (before.interval is not None)


def test_prices_by_row_come_back(file_store):
    ev = vd.evaluate(
        SCORES, label="y", score="q", threshold=0.5, intervals=False,
        costs=vd.Costs(fn="amount", fp=25),
    )  # fmt: skip
    assert refinalised(stored(ev, file_store)).results == ev.results


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_ranking_comes_back(file_store):
    queries = [f"q{at}" for at in range(12)]
    golden = {q: {f"d{d}": int(RNG.integers(0, 3)) for d in range(8)} for q in queries}
    runs = {
        name: {q: {f"d{d}": float(RNG.random()) for d in range(10)} for q in queries[:10]}
        for name in ("bm25", "dense")
    }
    ev = vd.evaluate_ranking(runs, golden)
    run = stored(ev, file_store)
    assert refinalised(run).results == ev.results
    assert repr(run.evaluation) == repr(ev)
    values = run.evaluation.query_values("ndcg@10", "dense")
    assert values.to_dict() == ev.query_values("ndcg@10", "dense").to_dict()


def test_texts_come_back(file_store):
    words = ["the", "cat", "sat", "on", "a", "mat", "."]
    texts = {name: [" ".join(RNG.choice(words, 7)) for _ in range(9)] for name in ("one", "other")}
    references = [" ".join(RNG.choice(words, 7)) for _ in range(9)]
    ev = vd.evaluate_text(texts, references, ["bleu", "corpus_bleu", "chrf", "rouge_l", "ter"])
    run = stored(ev, file_store)
    assert refinalised(run).results == ev.results
    assert repr(run.evaluation) == repr(ev)
    assert list(run.units.ids) == [str(line) for line in range(1, 10)]
    values = run.units.column("value", "text.rouge_l", "other")
    assert values.tolist() == ev.text_values("rouge_l", "other").tolist()
    assert run.units.find("statistic", subject="one")


def test_vectors_come_back(file_store):
    vectors = RNG.normal(size=(6, 4))
    ev = vd.evaluate_text(vectors, vectors[::-1], ["embedding_cosine"])
    assert refinalised(stored(ev, file_store)).results == ev.results


def test_ratings_come_back(file_store):
    labels = np.array(["no", "perhaps", "yes"])
    data = {rater: labels[RNG.integers(0, 3, 60)].tolist() for rater in "abc"}
    data["c"][3] = None
    ev = vd.evaluate_agreement(data, raters=["a", "b", "c"], missing="drop")
    run = stored(ev, file_store)
    assert refinalised(run).results == ev.results
    assert run.evaluation.to_dict() == ev.to_dict()
    assert repr(run.evaluation) == repr(ev)
    for rater in "abc":
        kept = run.evaluation.ratings.codes[rater].tolist()
        assert kept == ev.ratings.codes[rater].tolist()
    assert run.units.column("rating", "c").tolist()[3] is None


def test_a_corrected_rate_comes_back(file_store):
    data = {"judge": ["y", "n", "y", "y", "n", "y"], "truth": ["y", "n", "n", "y", None, None]}
    ev = vd.evaluate_agreement(data, raters=["judge", "truth"], rate="y", missing="drop")
    assert refinalised(stored(ev, file_store)).results == ev.results


def test_a_newer_definition_is_used(ev, file_store):
    run = stored(ev, file_store)
    definition = find("binary.recall").definition
    old = definition.function
    object.__setattr__(definition, "function", lambda counts: replace(old(counts), value=0.125))
    try:
        assert refinalised(run)["p", "binary.recall"].value == 0.125
    finally:
        object.__setattr__(definition, "function", old)


def test_too_many_distinct_scores_are_left_out_and_the_run_says_so(ev, file_store, monkeypatch):
    monkeypatch.setattr("veridical.store.kept_slices.MOST_ENTRIES", 3)
    run = stored(ev, file_store)
    assert "more than 3 distinct scores" in run.left_out["summaries"]
    with pytest.raises(ParameterError, match="without its data") as caught:
        refinalised(run)
    assert "distinct scores" in caught.value.why


def test_what_was_computed_again_can_be_saved_and_reported(ev, file_store, tmp_path):
    again = refinalised(stored(ev, file_store))
    second = stored(again, file_store)
    assert second.results == ev.results
    assert refinalised(second).results == ev.results
    assert again.report(tmp_path / "report.html").stat().st_size > 1000


@pytest.mark.parametrize("change", ["schema", "edges", "missing"])
def test_damaged_summaries_are_refused(ev, file_store, change):
    run = stored(ev, file_store)
    summaries = [dict(one) for one in run.summaries]
    held = dict(summaries[0]["summary"])
    if change == "schema":
        held["schema"] = "veridical.slice/9"
    elif change == "edges":
        held["ranking"] = {**held["ranking"], "scores": ["0x1p+0"]}
    else:
        del held["reliability"]
    summaries[0]["summary"] = held
    parts = {**run.parts, "summaries": strict_json.canonical(summaries)}
    with pytest.raises(FileFormatError):
        refinalised(Run.of(run, parts))


def test_slots_round_trip():
    y, scores = RNG.random(50) < 0.4, RNG.normal(size=50).astype(np.float32)
    slots = ScoreSlots.from_rows(y, scores, thresholds=[0.25])
    again = ScoreSlots.from_dict(strict_json.loads(strict_json.canonical(slots.to_dict())))
    assert again.sha256 == slots.sha256
    assert again.edges.dtype == np.float32
    assert again.at(0.25) == slots.at(0.25)


@pytest.mark.parametrize(
    "change",
    [
        {"edges": ["0x1p+0", "0x1p-1"]},
        {"edges": ["nan", "0x1p+1"]},
        {"positives": [1]},
        {"tied": [-1, 0]},
        {"between": [0, 0]},
        {"dtype": "int64"},
    ],
)
def test_damaged_slots_are_refused(change):
    slots = ScoreSlots.from_rows(np.array([True, True, False]), np.array([0.5, 1.0, 0.75]))
    with pytest.raises((FileFormatError, ValueError)):
        ScoreSlots.from_dict({**slots.to_dict(), **change})


def test_ranked_queries_round_trip():
    ranked = RankedQueries.from_lists([[None, 3, None], [], [1]], [[3, 2, 1], [1], []])
    again = RankedQueries.from_dict(strict_json.loads(strict_json.canonical(ranked.to_dict())))
    assert again.sha256 == ranked.sha256
    assert again.hits(5).tolist() == ranked.hits(5).tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"ids": ["q0", "q0", "q2"]},
        {"ids": ["q0", 7, "q2"]},
        {"starts": [0, 2, 1, 2]},
        {"starts": [0, 1, 1]},
        {"rank": [0, 1]},
        {"included": [True]},
        {"ideal": [1.0]},
        {"grades": [1.0]},
    ],
)
def test_damaged_rankings_are_refused(change):
    ranked = RankedQueries.from_lists([[None, 3, None], [], [1]], [[3, 2, 1], [1], []])
    with pytest.raises(FileFormatError):
        RankedQueries.from_dict({**ranked.to_dict(), **change})
