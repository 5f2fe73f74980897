"""``ablate``: combinations, effects, what intervals cover, and what has no value."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import veridical as vd
from tests.ablation.runs import METRIC, run_of, table_of, write_experiment, write_scores
from veridical.errors import MetricNameError, MismatchError, ParameterError
from veridical.evaluation.result_set import ResultSet
from veridical.results import Conditions, Measured, Skipped
from veridical.stats.multiplicity import holm

# Means 0.70, 0.72, 0.75, 0.85; the runs of each combination are 0.01 from their mean.
CELLS = {
    ("ce", "few"): (0.69, 0.71),
    ("ce", "all"): (0.71, 0.73),
    ("focal", "few"): (0.74, 0.76),
    ("focal", "all"): (0.84, 0.86),
}
NAMES = ("loss", "features")


@pytest.fixture(scope="module")
def found():
    return vd.ablate(table_of(CELLS, NAMES), reference={"features": "few"})


def test_the_mean_of_a_combination_by_hand(found):
    cell = found["loss=ce, features=few", METRIC]
    assert cell.value == pytest.approx(0.70)
    assert (cell.n, cell.counts["n_runs"]) == (2, 2)
    # s = 0.02 / sqrt(2); t with one degree of freedom is tan(0.475 pi) = 12.706.
    reach = math.tan(0.475 * math.pi) * 0.01
    assert cell.interval.low == pytest.approx(0.70 - reach)
    assert cell.interval.high == pytest.approx(0.70 + reach)
    assert cell.conditions["covers"] == "seeds"
    assert cell.conditions["standard_deviation"] == pytest.approx(0.02 / math.sqrt(2))


def test_main_effects_and_interaction_by_hand(found):
    # Means of loss are 0.80 and 0.71, of features 0.785 and 0.725: differences 0.09 and 0.06;
    # interaction: (0.85 - 0.72) - (0.75 - 0.70) = 0.08.
    # s2 = 8 * 0.01**2 / 4 = 0.0002; errors sqrt(s2 / 2) = 0.01 and sqrt(2 s2) = 0.02.
    expected = {("loss",): (0.09, 0.01), ("features",): (0.06, 0.01), NAMES: (0.08, 0.02)}
    t = float(stats.t.ppf(0.975, 4))
    p_values = []
    for factors, (difference, error) in expected.items():
        term = found.term(METRIC, *factors)
        (contrast,) = term.contrasts
        assert contrast.value == pytest.approx(difference)
        assert contrast.conditions["standard_error"] == pytest.approx(error)
        assert contrast.interval.low == pytest.approx(difference - t * error)
        assert term.statistic == pytest.approx((difference / error) ** 2)
        assert term.df == (1, 4)
        p_values.append(2 * float(stats.t.sf(difference / error, 4)))
    adjusted = [found.term(METRIC, *factors).p_adjusted for factors in expected]
    assert adjusted == pytest.approx(holm(p_values))
    assert [found.term(METRIC, *factors).shown for factors in expected] == [True] * 3
    assert [one.value for one in found.term(METRIC, "loss").means] == pytest.approx([0.71, 0.80])


def test_an_unbalanced_level_counts_its_combinations_once():
    cells = {**CELLS, ("ce", "few"): (0.69, 0.71, 0.70, 0.70, 0.70)}
    found = vd.ablate(table_of(cells, NAMES))
    assert found.term(METRIC, "loss").contrasts[0].value == pytest.approx(0.09)


def test_levels_are_in_order_of_size_and_the_reference_is_chosen():
    rows = [
        {"lr": lr, "seed": seed, "run": run_of(0.5 + 0.01 * lr + 0.001 * seed)}
        for lr in (10, 9, 0.5)
        for seed in (1, 2)
    ]
    found = vd.ablate(rows)
    assert found.experiment.factors[0].levels == ("0.5", "9", "10")
    term = found.term(METRIC, "lr")
    assert [one.conditions["level"] for one in term.contrasts] == ["9", "10"]
    assert [one.value for one in term.contrasts] == pytest.approx([0.085, 0.095])
    assert term.df[0] == 2
    other = vd.ablate(rows, reference={"lr": 9}).term(METRIC, "lr")
    assert [one.subject for one in other.contrasts] == ["lr: 0.5 − 9", "lr: 10 − 9"]
    assert other.statistic == pytest.approx(term.statistic)


def test_without_replicates_nothing_is_an_effect():
    found = vd.ablate(table_of({levels: v[:1] for levels, v in CELLS.items()}, NAMES))
    for term in found.terms:
        assert term.p_value is None
        assert term.verdict == "not tested"
        assert {one.reason.value for one in (*term.means, *term.contrasts)} == {"no_replicates"}
    assert found["loss=ce, features=few", METRIC].value == 0.69
    assert not found.is_empty


def test_an_empty_combination_is_named():
    cells = {levels: v for levels, v in CELLS.items() if levels != ("focal", "all")}
    found = vd.ablate(table_of(cells, NAMES))
    (contrast,) = found.term(METRIC, "loss").contrasts
    assert contrast.reason.value == "empty_cell"
    assert "1 of 4" in contrast.detail
    assert "loss=focal, features=all" in contrast.detail
    assert found.term(METRIC, *NAMES).p_value is None


def test_equal_replicates_measure_no_noise():
    found = vd.ablate(table_of({levels: (v[0], v[0]) for levels, v in CELLS.items()}, NAMES))
    (contrast,) = found.term(METRIC, "loss").contrasts
    assert contrast.reason.value == "degenerate_variance"
    cell = found["loss=ce, features=few", METRIC]
    assert cell.interval is None
    assert cell.notes == ("no_interval_replicates_equal",)


def test_a_run_without_a_value_leaves_its_combination_without_one():
    rows = table_of(CELLS, NAMES)
    skipped = Skipped("no_positives", detail="0 of 5 rows are positive", metric=METRIC, subject="p")
    rows[0]["run"] = ResultSet(results=(skipped,), source={}, subjects=("p",))
    found = vd.ablate(rows)
    cell = found["loss=ce, features=few", METRIC]
    assert cell.reason.value == "no_positives"
    assert cell.detail == "seed 1: 0 of 5 rows are positive"
    assert found.term(METRIC, "loss").contrasts[0].reason.value == "empty_cell"


def test_intervals_of_means_stay_within_the_bounds_of_the_metric():
    found = vd.ablate(table_of({("a",): (0.9, 0.99), ("b",): (0.1, 0.01)}, ["f"]))
    assert found["f=a", METRIC].interval.high == 1.0
    assert found["f=b", METRIC].interval.low == 0.0


def test_a_factor_of_one_level_has_no_effect():
    rows = [row | {"data": "hmda"} for row in table_of(CELLS, NAMES)]
    found = vd.ablate(rows)
    assert [one.name for one in found.experiment.constants] == ["data"]
    assert found.term(METRIC, "loss").contrasts[0].value == pytest.approx(0.09)
    with pytest.raises(MetricNameError, match="no effect of data"):
        found.term(METRIC, "data")


def test_only_replicates_give_one_mean():
    found = vd.ablate([{"seed": s, "run": run_of(0.7 + s / 100)} for s in (1, 2, 3)])
    assert found["all runs", METRIC].value == pytest.approx(0.72)
    assert found.terms == ()


def test_paired_seeds_take_out_what_a_seed_does_everywhere():
    # Seed 2 is 0.1 better everywhere: within a seed hardly any noise is left.
    shift = (0.0, 0.1, 0.05)
    generator = np.random.default_rng(0)
    cells = {
        levels: tuple(v[0] + one + 0.001 * generator.normal() for one in shift)
        for levels, v in CELLS.items()
    }
    alone = vd.ablate(table_of(cells, NAMES)).term(METRIC, "loss")
    paired = vd.ablate(table_of(cells, NAMES), paired_seeds=True).term(METRIC, "loss")
    assert paired.contrasts[0].value == pytest.approx(alone.contrasts[0].value)
    assert paired.contrasts[0].interval.width < alone.contrasts[0].interval.width / 10
    assert paired.df == (1, 2)
    with pytest.raises(ParameterError, match="seed '3' has no run of loss=focal, features=all"):
        vd.ablate(table_of(cells, NAMES)[:-1], paired_seeds=True)
    rows = [{k: v for k, v in row.items() if k != "seed"} for row in table_of(cells, NAMES)[::3]]
    with pytest.raises(ParameterError, match="seeds cannot be paired"):
        vd.ablate(rows, paired_seeds=True)


def test_runs_of_other_settings_are_refused_unless_allowed():
    rows = table_of(CELLS, NAMES)
    for row, threshold in zip(rows, (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4), strict=True):
        conditions = Conditions({"threshold": threshold})
        row["run"] = run_of(0.7 + row["seed"] / 100, conditions=conditions)
    with pytest.raises(MismatchError, match=r"differ in threshold: 0.5 and 0.4") as refused:
        vd.ablate(rows)
    assert "row 0, row 7" in refused.value.where
    assert vd.ablate(rows, allow=["threshold"]).terms


def test_defaults_and_what_they_cover(tmp_path):
    found = vd.ablate(write_experiment(tmp_path), label="y", score="p", id="id")
    assert found.metrics == (
        METRIC,
        "binary.average_precision",
        "calibration.ece",
        "calibration.brier",
    )
    covers = {one.metric: one.conditions["covers"] for one in found.results}
    # A binned calibration error has no known influence of a row.
    assert covers["calibration.ece"] == "seeds"
    assert covers[METRIC] == covers["calibration.brier"] == "seeds and rows"
    assert found.source["rows"] == "all runs are on the same 200 rows, paired by id"
    assert found.term("brier", "features").kind == "main effect"
    # The mean is that of what evaluate says of each file.
    files = [tmp_path / f"ce-few-{seed}.csv" for seed in (1, 2, 3)]
    each = [float(vd.evaluate(f, "ece", label="y", score="p")["ece"]) for f in files]
    assert found["loss=ce, features=few", "ece"].value == pytest.approx(np.mean(each))


def test_rows_that_runs_share_widen_means_more_than_differences(tmp_path):
    path = write_experiment(tmp_path)
    with_rows = vd.ablate(path, "brier", label="y", score="p", id="id")
    # The same values without rows: intervals of seeds alone.
    rows = [
        {"loss": run.levels[0], "features": run.levels[1], "seed": run.seed,
         "run": run_of(float(of["calibration.brier"]), metric="calibration.brier")}
        for run, of in zip(with_rows.experiment.runs, with_rows.runs, strict=True)
    ]  # fmt: skip
    alone = vd.ablate(rows)
    for wide, narrow in zip(with_rows.results, alone.results, strict=True):
        assert wide.value == pytest.approx(narrow.value)
        assert wide.conditions["covers"] == "seeds and rows"
        assert narrow.conditions["covers"] == "seeds"

    def error(found):
        return found.term("brier", "loss").contrasts[0].conditions["standard_error"]

    def seen(found):
        return found.term("brier", "loss").means[0].conditions["standard_error"]

    assert error(with_rows) >= error(alone) * (1 - 1e-9)
    assert seen(with_rows) / seen(alone) > error(with_rows) / error(alone)


def test_rows_of_their_own_are_in_what_replicates_differ_by(tmp_path):
    found = vd.ablate(write_experiment(tmp_path, own_rows=True), label="y", score="p", id="id")
    assert found.source["rows"] == "every run has rows of its own"
    assert {one.conditions["covers"] for one in found.results} == {"seeds and rows"}


def test_one_run_alone_has_the_interval_of_its_rows(tmp_path):
    path = write_experiment(tmp_path, seeds=(1,))
    found = vd.ablate(path, "roc_auc", label="y", score="p")
    cell = found["loss=ce, features=few", "roc_auc"]
    ev = vd.evaluate(tmp_path / "ce-few-1.csv", "roc_auc", label="y", score="p")
    assert cell.interval == ev["roc_auc"].interval
    assert cell.conditions["covers"] == "rows"
    assert found.term("roc_auc", "loss").contrasts[0].reason.value == "no_replicates"


def test_other_labels_of_the_same_rows_are_refused(tmp_path):
    path = write_experiment(tmp_path)
    generator = np.random.default_rng(0)
    write_scores(tmp_path / "ce-few-1.csv", generator.random(200) < 0.4, generator.random(200))
    with pytest.raises(MismatchError, match="has one label in one run and another in another"):
        vd.ablate(path, label="y", score="p", id="id")
    # Without ids these may be other rows.
    found = vd.ablate(path, label="y", score="p")
    assert found.source["rows"] == "whether the runs share rows is not known"


def test_rows_in_another_order_are_paired_by_id(tmp_path):
    path = write_experiment(tmp_path)
    before = vd.ablate(path, "roc_auc", label="y", score="p", id="id")
    file = tmp_path / "focal-all-2.csv"
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([head, *reversed(lines)]) + "\n", encoding="utf-8")
    after = vd.ablate(path, "roc_auc", label="y", score="p", id="id")
    for one, two in zip(before.terms, after.terms, strict=True):
        assert one.p_value == pytest.approx(two.p_value)
        assert one.contrasts[0].interval.low == pytest.approx(two.contrasts[0].interval.low)


def test_scores_that_are_no_probabilities_leave_calibration_out(tmp_path):
    for name, values in {"a1": (3, 1, 2, 0), "a2": (3, 0, 2, 1)}.items():
        write_scores(tmp_path / f"{name}.csv", (1, 0, 1, 0), values)
    rows = [{"seed": s, "file": str(tmp_path / f"a{s}.csv")} for s in (1, 2)]
    found = vd.ablate(rows, label="y", score="p")
    assert found["all runs", "brier"].reason.value == "not_probabilities"
    assert found["all runs", "roc_auc"].ok


def test_stored_runs_with_their_rows(tmp_path):
    path = write_experiment(tmp_path)
    from_files = vd.ablate(path, ["roc_auc", "brier"], label="y", score="p", id="id")
    store = str(tmp_path / "runs.db")
    rows = []
    for run in from_files.experiment.runs:
        ev = vd.evaluate(run.source, ["roc_auc", "brier"], label="y", score="p", id="id")
        name = run.source.rpartition("/")[2].removesuffix(".csv")
        ev.save(name, store=store)
        rows.append({"loss": run.levels[0], "features": run.levels[1], "seed": run.seed,
                     "run": name})  # fmt: skip
    found = vd.ablate(rows, ["roc_auc", "brier"], store=store)
    for one, two in zip(from_files.terms, found.terms, strict=True):
        assert one.p_value == pytest.approx(two.p_value)
    assert found["loss=ce, features=all", "brier"].conditions["covers"] == "seeds and rows"


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_table_means_nothing(random):
    rows = table_of(CELLS, NAMES)
    before = vd.ablate(rows).to_dict()
    shuffled = random.sample(rows, len(rows))
    after = vd.ablate(shuffled).to_dict()
    for key in ("factors", "results"):
        for one, two in zip(before[key], after[key], strict=True):
            assert one.keys() == two.keys()
            assert one.get("subject") == two.get("subject")
            assert one.get("value") == pytest.approx(two.get("value"))
    for one, two in zip(before["terms"], after["terms"], strict=True):
        assert one["factors"] == two["factors"]
        assert one["p_adjusted"] == pytest.approx(two["p_adjusted"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(min_size=1), min_size=2, max_size=2, unique=True))
def test_names_of_levels_mean_nothing(names):
    named = dict(zip(("ce", "focal"), names, strict=True))
    renamed = [row | {"loss": named[row["loss"]]} for row in table_of(CELLS, NAMES)]
    found = vd.ablate(renamed, reference={"loss": names[0]})
    assert found.term(METRIC, "loss").contrasts[0].value == pytest.approx(0.09)
    expected = vd.ablate(table_of(CELLS, NAMES))
    for factors in (("loss",), ("features",), NAMES):
        ours, theirs = found.term(METRIC, *factors), expected.term(METRIC, *factors)
        assert ours.p_adjusted == pytest.approx(theirs.p_adjusted)


def test_a_metric_that_a_run_lacks_is_named():
    rows = table_of(CELLS, NAMES)
    with pytest.raises(MetricNameError, match="was not measured in every run"):
        vd.ablate(rows, "brier")
    rows[0]["run"] = run_of(0.1, metric="calibration.brier")
    with pytest.raises(ParameterError, match="no metric in common"):
        vd.ablate(rows)


def test_rankings_are_measured_over_seeds():
    generator = np.random.default_rng(0)
    qrels = {f"q{n}": {"d1": 1, "d2": 1} for n in range(10)}
    rows = []
    for engine in ("bm25", "dense"):
        for seed in (1, 2):
            run = {q: generator.permutation(["d1", "d2", "d3", "d4"]).tolist() for q in qrels}
            ev = vd.evaluate_ranking(run, qrels, ["retrieval.ndcg@10"])
            rows.append({"engine": engine, "seed": seed, "run": ev})
    found = vd.ablate(rows)
    each = [float(row["run"]["retrieval.ndcg@10"]) for row in rows]
    cell = found["engine=dense", "retrieval.ndcg@10"]
    assert cell.value == pytest.approx(np.mean(each[2:]))
    assert cell.conditions["covers"] == "seeds"
    difference = found.term("retrieval.ndcg@10", "engine").contrasts[0]
    assert difference.value == pytest.approx(np.mean(each[2:]) - np.mean(each[:2]))


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{}],
        {"f": ["a"], "run": ["x"], "seed": [None]},
        [{"f": "a", "seed": 1, "file": "x\ud800"}],
        [{"f": float("nan"), "seed": 1, "file": "x"}],
        [{"f": "a", "seed": 1, "run": object()}],
        7,
    ],
)
def test_what_is_no_experiment_says_so(rows):
    files = "file" in str(rows)
    with pytest.raises(vd.VeridicalError):
        vd.ablate(rows, label="y" if files else None, score="p" if files else None)


def test_what_is_measured_is_what_was_put_in(found):
    assert isinstance(found["loss=focal, features=all", "auc"], Measured)
    with pytest.raises(MetricNameError, match="no combination 'loss=x'"):
        found["loss=x", METRIC]
    with pytest.raises(MetricNameError, match="was not measured"):
        found["loss=ce, features=few", "brier"]
    assert list(found.to_frame("pyarrow").column("subject").to_pylist()) == list(found.subjects)
