"""Two models whose rows are not in memory: the digits of rows that are."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.compare.samples import two_models
from veridical.comparison import contrasts
from veridical.comparison.contrasts import Contrast, PassSums, SumsOf
from veridical.comparison.row_values import AtSlots, LossOf
from veridical.engines.again import added
from veridical.engines.partition_sums import in_pieces, read_pieces
from veridical.errors import InputError
from veridical.metrics import find
from veridical.metrics.intervals import Units

SETTINGS = {
    "label": "y",
    "score": ["p", "q", "z"],
    "threshold": 0.2,
    "costs": vd.Costs(fn=20, fp=1, review=0.5),
}
SUMMED = [
    "roc_auc", "gini", "average_precision", "ks", "brier", "brier_skill", "log_loss", "recall",
    "specificity", "fpr", "accuracy", "precision", "f1", "mcc", "npv", "balanced_accuracy",
    "cost.total", "cost.best_threshold", "cost.saving",
]  # fmt: skip
RESAMPLED = ["recall@fpr=0.01", "partial_auc@fpr=0.1", "precision_top@50"]


def data(n=1_500, seed=3):
    y, p, q = two_models(n, 0.2, seed)
    rng = np.random.default_rng(seed)
    groups = rng.choice(["north", "south=1"], n)
    return pa.table({"y": y, "p": p.round(3), "q": q, "z": p.astype(np.float32), "g": groups})


def told(comparisons, left_out=()):
    return [
        {name: value for name, value in one.to_dict().items() if name not in left_out}
        for one in comparisons
        if not one.metric.startswith("binary.recall@fpr")  # resampled; beside the ROC-AUC
    ]


@pytest.fixture
def path(tmp_path):
    pq.write_table(data(), tmp_path / "rows.parquet", row_group_size=400)
    return tmp_path / "rows.parquet"


@pytest.fixture
def small_batches(monkeypatch):
    from veridical.tables import rows

    monkeypatch.setattr(rows.iter_rows, "__defaults__", (211,))


def test_files_in_batches_compare_as_rows_in_memory(path, small_batches):
    memory = vd.evaluate(path, SUMMED, **SETTINGS, engine="memory")
    batches = vd.evaluate(path, SUMMED, **SETTINGS, engine="batches")
    assert {one.metric for one in memory.comparisons} >= {str(find(name)) for name in SUMMED}
    by_many = ("p_adjusted", "n_tests", "verdict")  # rows in memory have some tests more
    found = told(batches.comparisons, by_many)
    assert found == told(memory.comparisons, by_many)
    ours = {str(find(name)) for name in SUMMED}
    assert all(
        one["p_value"] is not None for one in found if one["metric"] in ours and one["b"] == "q"
    )


def test_all_comparisons_are_made_in_one_pass_after_the_two(path, small_batches):
    seen = []
    vd.evaluate(
        path,
        SUMMED,
        **SETTINGS,
        engine="batches",
        progress=lambda name, rows: seen.append((name, rows)),
    )
    passes = [name for name, rows in seen if rows == 1_500]
    assert passes == ["first pass", "second pass", "comparison"]


def test_an_evaluation_in_batches_is_compared_later_and_in_its_groups(path):
    sides = []
    for engine in ("memory", "batches"):
        ev = vd.evaluate(path, ["roc_auc", "log_loss"], **SETTINGS, groups=["g"], engine=engine)
        parts = [ev.subject(name).group("g=south=1") for name in "pq"]
        sides.append(vd.compare(*parts, ["roc_auc", "log_loss", "mcc"]))
    assert told(sides[0]) == told(sides[1])
    assert sides[0][0].difference.group == "g=south=1"


def test_metrics_that_resample_rows_refuse_in_one_sentence(path):
    ev = vd.evaluate(path, RESAMPLED, **SETTINGS, engine="batches")
    for one in ev.comparisons:
        if one.metric != "binary.roc_auc":  # which stands beside the partial one
            assert one.difference.reason == "unsupported_by_engine"
            assert 'engine="memory"' in one.verdict


def test_a_reversed_ks_is_compared_by_resampling_and_refuses(tmp_path):
    y, p, q = two_models(400, 0.3, 5)
    table = pa.table({"y": y, "p": 1 - p, "q": 1 - q})
    ev = vd.evaluate(table, ["ks"], label="y", score=["p", "q"], engine="batches")
    assert ev.comparisons[0].difference.reason == "unsupported_by_engine"


def test_data_that_change_before_the_comparison_are_refused(path):
    ev = vd.evaluate(path, ["roc_auc"], **SETTINGS, engine="batches")
    pq.write_table(data(1_499), path)
    with pytest.raises(InputError, match="changed between"):
        vd.compare(ev.subject("p"), ev.subject("q"), "roc_auc")


@pytest.mark.parametrize("rows", [1, 7, 10**6])
def test_rows_in_memory_may_be_cut_anywhere(monkeypatch, rows):
    table = data(60)
    expected = told(vd.evaluate(table, SUMMED, **SETTINGS).comparisons)
    monkeypatch.setattr(contrasts, "ROWS_AT_ONCE", rows)
    assert told(vd.evaluate(table, SUMMED, **SETTINGS).comparisons) == expected


@given(st.data())
def test_sums_do_not_depend_on_the_split(data):
    n = data.draw(st.integers(1, 30))
    floats = st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0])
    y = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    p, q = (np.array(data.draw(st.lists(floats, min_size=n, max_size=n))) for _ in "pq")
    cut = data.draw(st.integers(0, n))
    slots = AtSlots(np.array([0.7, 0.1]), np.arange(7) / 3)
    contrast = Contrast("both", ("p", "q"), (slots, LossOf("squared_error", 0.0, 0.1)), 0.01)
    sums = SumsOf([contrast])
    rows = {"p": Units(y, p), "q": Units(y, q)}
    parts = (
        {name: Units(y[some], units.scores[some]) for name, units in rows.items()}
        for some in (slice(cut), slice(cut, None))
    )
    one, two = map(sums, parts)
    assert added(one, two) == sums(rows)
    assert PassSums().of(contrast, rows) == sums.read(sums(rows))[0]


@given(st.lists(st.lists(st.integers(-(2**2200), 2**2200), min_size=3, max_size=3), max_size=5))
def test_integers_of_any_size_travel_in_pieces(answers):
    total = {}
    for numbers in answers:
        for place, piece in zip(*in_pieces(numbers), strict=True):
            assert abs(piece) < 2**32
            total[place] = total.get(place, 0) + piece
    expected = [sum(column) for column in zip(*answers, strict=True)] or [0, 0, 0]
    assert read_pieces(total.keys(), total.values(), 3) == expected
