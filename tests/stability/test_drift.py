"""Drift: the golden cases, other people's implementations, laws, and what cannot be computed."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import chi2_contingency, ks_2samp, wasserstein_distance

import veridical as vd
from tests.golden.cases import all_cases
from veridical.cli import main
from veridical.errors import FileFormatError, InputError, MismatchError, ParameterError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.report.display import rate_text
from veridical.report.drift import drift_markdown
from veridical.report.markdown import markdown_text
from veridical.results import Conditions, Measured
from veridical.stability import Light, Reference, evaluate_drift, light_of
from veridical.stability.reference import FrozenColumn
from veridical.summaries.partition import Partition
from veridical.summaries.shifted_cells import ShiftedCells, TwoSamples

GOLDEN = [
    ("psi_identical", "drift.psi", "psi"),
    ("psi_empty_ref_bin_eps", "drift.psi", "psi"),
    ("psi_both_empty", "drift.psi", "psi"),
    ("jsd_disjoint", "drift.jsd", "jsd_divergence_base2"),
    ("jsd_disjoint", "drift.js_distance", "jsd_distance_base2"),
    ("jsd_identical", "drift.js_distance", "jsd_distance_base2"),
    ("jsd_value", "drift.jsd", "jsd_divergence_base2"),
    ("jsd_value", "drift.js_distance", "jsd_distance_base2"),
]
OF_CELLS = ("psi", "jsd", "js_distance", "hellinger", "chi2")
counts = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=8)


def of_cells(metric: str | Measure, reference, current):
    """Return a metric of two lists of counts."""
    measure = find(metric, ("drift",))
    cells = ShiftedCells(np.array(reference), np.array(current))
    return measure.function(cells, **measure.arguments())


@pytest.mark.parametrize(("case", "metric", "key"), GOLDEN)
def test_golden(case, metric, key):
    case = all_cases()[case]
    found = of_cells(metric, case["input"]["ref"], case["input"]["cur"])
    assert found.value == pytest.approx(case["expected"][key], rel=0, abs=case["tol"])


def test_golden_constant_reference():
    same = vd.measure("drift.psi", [5.0] * 100, [5.0] * 40)
    assert same.value == all_cases()["psi_constant_reference_same"]["expected"]["psi"]
    above = vd.measure("drift.psi", [5.0] * 100, [5.0] * 50 + [6.0] * 50, intervals=False)
    expected = all_cases()["psi_constant_reference_above"]["expected"]["psi"]
    assert above.value == pytest.approx(expected, rel=0, abs=1e-12)


def test_golden_ties_categories_and_nothing():
    assert vd.measure("drift.ks", [1, 1, 1, 2], [1, 2, 2, 2]).value == 0.5
    new = vd.measure("drift.js_distance", ["a"] * 50 + ["b"] * 50, ["a"] * 50 + ["c"] * 50)
    assert new.value == pytest.approx(math.sqrt(0.5), rel=0, abs=1e-12)
    for name in OF_CELLS:
        assert of_cells(f"drift.{name}", [5, 5], [0, 0]).reason == "no_rows"
        assert of_cells(f"drift.{name}", [0, 0], [5, 5]).reason == "no_rows"


def plain_psi(reference: np.ndarray, current: np.ndarray, bins: int, eps: float) -> float:
    """Return the index by its definition, one cell after the other."""
    n = len(reference)
    ordered = sorted(reference)
    quantiles = [ordered[math.ceil(k * n / bins) - 1] for k in range(1, bins)]
    cells = []
    below = -math.inf
    for edge in sorted(set(quantiles)):
        if quantiles.count(edge) > 1:
            cells += [lambda x, a=below, b=edge: a < x < b, lambda x, b=edge: x == b]
        else:
            cells.append(lambda x, a=below, b=edge: a < x <= b)
        below = edge
    cells.append(lambda x, a=below: x > a)
    total = 0.0
    for cell in cells:
        p = sum(map(cell, reference)) / n
        q = sum(map(cell, current)) / len(current)
        total += (q - p) * math.log((q + eps) / (p + eps))
    return total


@pytest.mark.parametrize("seed", range(20))
def test_the_index_is_its_definition(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, int(rng.integers(5, 200)), 300) / 7
    reference, current = values[:200], values[200:] + rng.integers(0, 2) * 3
    bins = int(rng.integers(3, 15))
    found = vd.measure(f"drift.psi,bins={bins}", reference, current, bins=bins, intervals=False)
    assert found.value == pytest.approx(plain_psi(reference, current, bins, 1e-7), rel=0, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_others_find_the_same(seed):
    rng = np.random.default_rng(seed)
    reference = np.round(rng.normal(size=200), int(rng.integers(0, 4)))
    current = np.round(rng.normal(0.3, 1.4, size=int(rng.integers(1, 150))), 2)
    both = reference, current
    assert vd.measure("drift.ks", *both).value == pytest.approx(
        ks_2samp(*both).statistic, abs=1e-12
    )
    moved = vd.measure("drift.wasserstein", *both).value
    assert moved == pytest.approx(wasserstein_distance(*both), rel=1e-9)
    a, b = rng.integers(0, 40, (2, 6)) + np.array([[1], [0]])
    assert of_cells("drift.js_distance", a, b).value == pytest.approx(
        jensenshannon(a, b, base=2), abs=1e-9
    )
    table = np.stack((a, b))[:, a + b > 0]
    theirs = chi2_contingency(table, correction=False)
    ours = of_cells("drift.chi2", a, b)
    assert ours.value == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.conditions["p_value"] == pytest.approx(theirs.pvalue, rel=1e-9)


@given(counts)
def test_laws_of_cells(pairs):
    a, b = (list(side) for side in zip(*pairs, strict=True))
    for name in OF_CELLS:
        found, back = of_cells(f"drift.{name}", a, b), of_cells(f"drift.{name}", b, a)
        assert found.ok == back.ok
        if not found.ok:
            continue
        assert 0 <= found.value < math.inf
        if name != "psi":
            assert found.value == pytest.approx(back.value, rel=1e-12)
        if name == "jsd":
            assert found.value == back.value  # to the bit
    if sum(a):
        assert of_cells("drift.psi", a, [3 * x for x in a]).value == 0
        assert of_cells("drift.jsd", a, [3 * x for x in a]).value == 0


numbers = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=40)


@given(numbers, st.integers(2, 12))
def test_cells_hold_every_row_once(values, bins):
    cells = Partition.of_numbers(np.array(values), bins)
    assert len(cells.names) == len(set(cells.names))
    counted = cells.count(np.array(values), missing=2)
    assert counted.sum() == len(values) + 2
    assert cells.from_dict(cells.to_dict()) == cells


@given(numbers, numbers, st.integers(2, 12), st.sampled_from([-1.0, 1.0]))
def test_ranges_that_do_not_meet_are_never_stable(reference, current, bins, side):
    gap = 11 * side
    moved = [x + gap for x in current]
    for metric in ("psi", "jsd", "hellinger"):
        found = vd.measure(f"drift.{metric}", reference, moved, bins=bins, intervals=False)
        assert found.value > 0


@given(numbers, numbers, numbers)
def test_samples_merge(a, b, c):
    one = TwoSamples.of(np.array(a), np.array(b)) + TwoSamples.of(np.array(c), np.array(b))
    whole = TwoSamples.of(np.array(a + c), np.array(b + b))
    assert one.to_dict() == whole.to_dict()
    assert TwoSamples.from_dict(whole.to_dict()).sha256 == whole.sha256


@pytest.mark.parametrize(
    ("psi", "light"),
    [
        (0.0, Light.STABLE),
        (np.nextafter(0.1, 0), Light.STABLE),
        (0.1, Light.MODERATE),
        (0.25, Light.MODERATE),
        (np.nextafter(0.25, 1), Light.SIGNIFICANT),
    ],
)
def test_the_light_at_its_boundaries(psi, light):
    enough = Conditions(observed={"quantile_without_drift": 0.05})
    assert light_of(Measured(psi, 9, conditions=enough)) == light
    noisy = Conditions(observed={"quantile_without_drift": 0.3})
    assert light_of(Measured(psi, 9, conditions=noisy)) == Light.INSUFFICIENT_DATA
    assert light_of(Measured(0.31, 9, conditions=noisy)) == Light.SIGNIFICANT


def test_noise_alone_stays_below_its_quantile():
    over = 0
    for seed in range(5, 10):
        rng = np.random.default_rng(seed)
        for _ in range(400):
            sides = rng.normal(size=1000), rng.normal(size=800)
            found = vd.measure("drift.psi", *sides, intervals=False)
            over += found.value > found.conditions["quantile_without_drift"]
    assert 61 <= over <= 139  # 100 of 2,000 expected; four standard deviations either way


def test_intervals_cover():
    rng = np.random.default_rng(6)
    covered = 0
    true = find("drift.hellinger").definition
    shares = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.2, 0.25, 0.25, 0.3])
    value = float(true.statistic(*shares, {}))
    for seed in range(200):
        labels = [np.repeat(list("abcd"), rng.multinomial(500, p)).tolist() for p in shares]
        interval = vd.measure("drift.hellinger", *labels, seed=seed, replicates=200).interval
        covered += interval.low <= value <= interval.high
    assert covered >= 180


THEN = {"age": [20.0, 30, 40, 50, None] * 40, "kind": ["a", "b"] * 100, "code": [1, 2] * 100}
NOW = {"age": [30.0, 40, 50, 60, None] * 40, "kind": ["a", "c"] * 100, "code": [1, 2] * 100}


def test_columns_by_size():
    ev = evaluate_drift(THEN, NOW, categorical=["code"])
    assert ev.subjects[-1] == "code"
    assert ev.kinds == {"age": "numeric", "kind": "categorical", "code": "categorical"}
    assert ev.light("code") == Light.STABLE
    age = ev["age", "drift.psi"]
    assert age.conditions["share_above_reference"] == 0.2
    assert age.counts["n_missing"] == 40
    assert sum(age.conditions["contributions"]) == pytest.approx(age.value)
    adjusted = [r.conditions.get("p_value_holm") for r in ev.results]
    assert any(p is not None for p in adjusted)


def test_a_frozen_reference_gives_the_same(tmp_path):
    at = Reference.freeze(THEN).save(tmp_path / "then.reference")
    whole, frozen = evaluate_drift(THEN, NOW), evaluate_drift(str(at), NOW)
    for column in THEN:
        assert frozen[column, "drift.psi"] == whole[column, "drift.psi"]
    asked = evaluate_drift(at, NOW, "drift.ks", columns=["age"])
    assert asked["drift.ks"].reason == "unsupported_by_engine"
    with pytest.raises(ParameterError, match="frozen in 10 bins"):
        evaluate_drift(at, NOW, "drift.psi,bins=5")
    with pytest.raises(ParameterError, match="frozen in 10 bins, not 20"):
        evaluate_drift(at, NOW, bins=20)


def mixed(n: int, seed: int) -> dict[str, np.ndarray]:
    """Return a column of numbers and two of categories, some of them missing."""
    rng = np.random.default_rng(seed)
    shade = rng.choice(["red", "green", "blue", ""], n)
    return {"x": rng.normal(seed, 1, n), "shade": shade, "size": rng.choice(["s", "m", "l"], n)}


def test_columns_together_are_what_each_metric_of_each_is_alone(tmp_path):
    path = tmp_path / "kept.reference"
    reference = Reference.freeze(mixed(300, 0))
    reference.save(path)
    now = mixed(200, 1)
    together = evaluate_drift(path, now, ["psi", "jsd", "chi2"])
    assert len(together) == 9
    for (column, metric), found in together.items():
        alone = evaluate_drift(reference, now, metric, columns=[column])[metric]
        assert found.conditions["reference_sha256"] == reference.sha256
        assert without_holm(found) == without_holm(alone)


def without_holm(result):
    """Return a result but for its adjustment over all tests there are."""
    document = result.to_dict()
    document["conditions"].pop("p_value_holm", None)
    return {key: value for key, value in document.items() if key != "requested"}


def test_a_reference_of_many_columns_is_hashed_and_counted_once(monkeypatch):
    hashed, counted = [], []
    whole, beside = Reference.sha256.fget, FrozenColumn.beside
    monkeypatch.setattr(Reference, "sha256", property(lambda self: hashed.append(1) or whole(self)))
    monkeypatch.setattr(
        FrozenColumn, "beside", lambda self, current: counted.append(1) or beside(self, current)
    )
    evaluate_drift(Reference.freeze(mixed(300, 0)), mixed(200, 1), ["psi", "jsd", "chi2"])
    assert len(hashed) == 1
    assert len(counted) == 3


def test_a_reference_that_was_changed_is_refused(tmp_path):
    at = Reference.freeze(THEN).save(tmp_path / "then.reference")
    document = json.loads(at.read_text())
    document["columns"]["age"]["counts"][0] += 1
    at.write_text(json.dumps(document))
    with pytest.raises(FileFormatError, match="changed"):
        Reference.load(at)
    for content in ("", "{}", "[]", "null", '{"schema": 7}', "\xff"):
        at.write_text(content)
        with pytest.raises(FileFormatError):
            Reference.load(at)


def test_what_cannot_be_compared():
    with pytest.raises(MismatchError, match="in common"):
        evaluate_drift({"a": [1]}, {"b": [1]})
    with pytest.raises(InputError, match="infinite"):
        evaluate_drift({"a": [1.0, math.inf]}, {"a": [1.0]})
    with pytest.raises(InputError):
        evaluate_drift({"a": [1.0, 2.0]}, {"a": ["x", "y"]})


def test_columns_without_values():
    ev = evaluate_drift({"a": [None, None], "b": [1.0, 2.0]}, {"a": [None], "b": [None]})
    assert ev["a", "drift.psi"].value == 0
    assert ev["b", "drift.psi"].value > 0
    assert ev["b", "drift.ks"].reason == "no_rows"


def test_the_command(tmp_path, capsys):
    for name, data in (("then", THEN), ("now", NOW)):
        rows = zip(*data.values(), strict=True)
        lines = [",".join("" if x is None else str(x) for x in row) for row in rows]
        (tmp_path / f"{name}.csv").write_text("\n".join([",".join(data), *lines]) + "\n")
    files = [str(tmp_path / f"{name}.csv") for name in ("then", "now")]
    frozen = str(tmp_path / "then.reference")
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["drift", *files, "--freeze", frozen]))
    assert not ended.value.code
    out = capsys.readouterr().out
    assert "significant" in out
    assert "no regulation sets" in out
    with pytest.raises(SystemExit):
        raise SystemExit(main(["drift", frozen, files[1], "--json", "-m", "drift.psi"]))
    found = {r["subject"]: r["value"] for r in json.loads(capsys.readouterr().out)["results"]}
    whole = evaluate_drift(*files)
    assert found == {column: whole[column, "drift.psi"].value for column in THEN}


def test_a_saved_run_is_found_again(tmp_path):
    ev = evaluate_drift(THEN, NOW)
    with vd.Store(tmp_path / "runs.db") as store:
        run = ev.save("drift", store=store)
        again = store.load(run.id)
        assert again.kind == "drift"
        assert again.evaluation.to_dict() == ev.to_dict()


def test_markdown_says_what_the_table_says(tmp_path, capsys):
    hostile = "<script>|*_"
    before = {hostile: [k / 100 for k in range(300)], "kind": ["a", "b", None] * 100}
    after = {hostile: [1.0 + k / 100 for k in range(300)], "kind": ["a", "b", "b"] * 100}
    ev = evaluate_drift(before, after, ["drift.psi", "drift.jsd", "drift.wasserstein"])
    text = drift_markdown(ev)
    assert "<script>" not in text
    assert "&#60;script&#62;&#124;\\*\\_" in text
    for result in ev.results:
        assert (rate_text(result.value) in text) if result.ok else (result.detail in text)
    for name in ev.subjects:
        psi = ev[name, "drift.psi"]
        light = str(ev.light(name)).replace("_", " ")
        row = next(
            line for line in text.split("**Lights**")[1].split("\n")
            if line.startswith(f"| {markdown_text(name)} |")
        )  # fmt: skip
        assert row.endswith(f"| {light} |")
        assert rate_text(psi.conditions["expected_without_drift"]) in row
    for side, table in (("then", before), ("now", after)):
        (tmp_path / f"{side}.json").write_text(json.dumps(table_rows(table)))
    files = [str(tmp_path / f"{side}.json") for side in ("then", "now")]
    assert main(["drift", *files, "-m", "drift.psi", "-m", "drift.jsd", "-m", "drift.wasserstein",
                 "--markdown"]) == 0  # fmt: skip
    assert capsys.readouterr().out == text
    assert main(["drift", *files, "--markdown", "--json"]) == 64


def table_rows(columns):
    """Return columns as a list of rows."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


NAMED = {"id": [f"c{i}" for i in range(200)], "kind": ["a", "b"] * 100}


def test_a_column_that_names_rows_is_left_out_with_a_warning():
    with pytest.warns(UserWarning, match="'id' is left out: it has 200 values in 200 rows"):
        frozen = Reference.freeze(NAMED)
    assert list(frozen.columns) == ["kind"]
    assert "c17" not in json.dumps(frozen.to_dict())
    with pytest.warns(UserWarning, match="'id' is left out"):
        ev = evaluate_drift(NAMED, NAMED, intervals=False)
    assert ev.subjects == ("kind",)
    assert list(ev.reference.columns) == ["kind"]


def test_a_column_that_names_rows_is_compared_where_it_is_named():
    ev = evaluate_drift(NAMED, NAMED, columns="id", intervals=False)
    assert ev.subjects == ("id",)


def test_customers_with_a_row_or_two_are_names_and_many_kinds_are_not():
    customers = [f"c{i // 2}" for i in range(100)] + [f"d{i}" for i in range(100)]
    kinds = [f"k{i // 2}" for i in range(200)]
    with pytest.warns(UserWarning, match="'customer' is left out"):
        frozen = Reference.freeze({"customer": customers, "kind": kinds})
    assert list(frozen.columns) == ["kind"]


def test_nothing_but_names_of_rows_has_no_drift():
    with pytest.raises(InputError, match="every column names rows"):
        Reference.freeze({"id": NAMED["id"]})


def test_a_frozen_file_has_the_ending_by_which_it_is_read_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("x\n1\n2\n")
    assert main(["drift", "a.csv", "a.csv", "--freeze", "a.cells"]) == 64
    assert "call it a.reference" in capsys.readouterr().err
    assert not (tmp_path / "a.cells").exists()
