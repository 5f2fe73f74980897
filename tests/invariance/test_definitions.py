"""What a registered metric promises: bounds, direction, companions, documentation."""

from __future__ import annotations

import doctest
import inspect
import math
import re
from collections import defaultdict

import numpy as np
import pytest

import veridical as vd
from tests.invariance.measuring import Rows, measured, sample
from tests.laws.registry import example, label, score_forms
from veridical import strict_json
from veridical.metrics import find
from veridical.notes import NOTES
from veridical.results import result_from_dict

FORMS = score_forms()
EVERY = pytest.mark.parametrize("form", FORMS, ids=label)


def inside(value: float, bounds: tuple[float | None, float | None]) -> bool:
    low, high = (-math.inf if bounds[0] is None else bounds[0]), bounds[1]
    return low - 1e-12 <= value <= (math.inf if high is None else high) + 1e-12


def random_rows(seed: int) -> Rows:
    """Return few rows with heavy ties: where bounds and intervals are tested hardest."""
    generator = np.random.default_rng(seed)
    n = int(generator.integers(3, 40))
    labels = generator.integers(0, 2, n)
    labels[:2] = [0, 1]
    scores = generator.integers(1, 10, n) / 10
    weight = [None, generator.integers(1, 4, n), generator.gamma(2.0, 0.5, n)][seed % 3]
    return Rows(labels, scores, weight)


@EVERY
def test_values_and_intervals_lie_inside_the_bounds(form):
    definition = form[1]
    for seed in range(30):
        result = measured(example(form), random_rows(seed), replicates=60)
        if not result.ok:
            continue
        assert inside(result.value, definition.bounds), result
        if result.interval is not None:
            assert inside(result.interval.low, definition.bounds), result
            assert inside(result.interval.high, definition.bounds), result


@pytest.mark.parametrize("form", [f for f in FORMS if f[1].interval], ids=label)
def test_the_value_lies_inside_its_interval(form):
    outside = 0
    for seed in range(40):
        result = measured(example(form), sample(seed, n=200, levels=25), replicates=300)
        if result.ok and result.interval is not None:
            assert result.interval.level == 0.95
            assert result.interval.method
            outside += result.value not in result.interval
    assert outside == 0


@EVERY
def test_without_an_interval_a_note_says_why(form):
    for seed in range(20):
        result = measured(example(form), random_rows(seed), replicates=60)
        if result.ok and result.interval is None:
            assert any(note.startswith("no_interval") for note in result.notes), result


@EVERY
def test_a_higher_level_gives_a_wider_interval(form):
    rows = sample(3, n=300)
    narrow, wide = (measured(example(form), rows, level=level).interval for level in (0.8, 0.99))
    if narrow is None:
        assert wide is None
        return
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide.width > narrow.width or narrow.width == 0


NEITHER = {
    "calibration.brier_resolution": "a perfect forecast and its reverse have the same bins",
    "calibration.brier_within_covariance": "is 0 for forecasts of 0 and 1, right or wrong",
    "calibration.brier_within_variance": "is 0 for forecasts of 0 and 1, right or wrong",
    "calibration.brier_uncertainty": "belongs to the labels alone",
    "binary.ks": "is a distance: a reversed ranking is as far away (note ranking_reversed)",
    "calibration.slope": "is undefined for a perfect and for a constant forecast",
    "calibration.intercept": "is 0 for every forecast that is right on average",
}


@pytest.mark.parametrize("form", [f for f in FORMS if f[1].id not in NEITHER], ids=label)
def test_better_is_the_side_of_the_perfect_model(form):
    rows = sample(1, n=120)
    perfect = rows.but(scores=np.where(rows.labels == 1, 0.99, 0.01))
    reversed_ = rows.but(scores=np.where(rows.labels == 1, 0.01, 0.99))
    settings = {"threshold": None} if form[1].id == "cost.saving" else {}
    good, noisy, bad = (
        measured(example(form), r, intervals=False, **settings) for r in (perfect, rows, reversed_)
    )
    sign = {"higher": 1, "lower": -1}[form[1].better]
    assert sign * good.value > sign * bad.value
    assert sign * good.value >= sign * noisy.value >= sign * bad.value
    best = form[1].bounds[1 if sign > 0 else 0]
    if best is not None and form[1].family == "binary" and "top" not in form[1].name:
        assert good.value == best


@pytest.mark.parametrize(("name", "target"), [("slope", 1.0), ("intercept", 0.0)])
def test_the_target_is_what_a_calibrated_model_attains(name, target):
    # Forecasts k/20 of which exactly the share k/20 is positive.
    shares = np.arange(1, 20)
    scores = np.repeat(shares / 20, 20)
    labels = np.concatenate([np.arange(20) < share for share in shares])
    result = vd.measure(f"calibration.{name}", labels, scores)
    assert result.value == pytest.approx(target, abs=1e-9)
    assert find(f"calibration.{name}").definition.better == "target"
    assert target in result.interval


@EVERY
def test_companions_exist_and_stand_beside_it(form):
    measure, definition = form
    for companion in definition.companions:
        assert str(find(companion)) == companion
        assert find(companion) != measure
    rows = sample()
    settings = {"threshold": 0.45, "costs": vd.Costs(fn=10, fp=2), "intervals": False}
    data = {"y": rows.labels, "s": rows.scores}
    ev = vd.evaluate(data, example(form), label="y", score="s", **settings)
    assert set(definition.companions) <= set(ev)
    assert next(iter(ev)) == str(example(form))


def test_roc_auc_brings_average_precision_and_both_operating_points():
    assert set(find("roc_auc").definition.companions) == {
        "binary.average_precision",
        "binary.recall@fpr=0.0001",
        "binary.recall@fpr=0.001",
    }


def test_no_alias_belongs_to_two_metrics():
    owners = defaultdict(set)
    for measure, definition in FORMS:
        for name in (measure.name, *definition.aliases):
            if "@" not in name:
                owners[name].add(f"{measure.family}.{measure.name}")
    assert {name: who for name, who in owners.items() if len(who) > 1} == {}


def test_names_are_snake_case_and_aliases_lower_case():
    for measure, definition in FORMS:
        for name in (measure.family, measure.name):
            assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        for alias in definition.aliases:
            assert alias == alias.lower().strip()


@EVERY
def test_the_docstring_is_a_whole_catalogue_entry(form):
    documentation = form[1].documentation
    for section in ("", "Formula", "When it is undefined", "References", "Examples"):
        assert documentation.get(section), f"{form[1].id} has no section {section!r}"
    first = documentation[""].splitlines()[0]
    assert first[0].isupper() or first[0].isdigit()
    assert len(documentation["Examples"].splitlines()) <= 8


@EVERY
def test_its_example_runs(form):
    function = form[1].function
    examples = doctest.DocTestParser().get_doctest(
        inspect.cleandoc(function.__doc__),
        dict(inspect.getmodule(function).__dict__),
        form[1].id, None, 0,
    )  # fmt: skip
    assert examples.examples
    failed, tried = doctest.DocTestRunner(verbose=False).run(examples)
    assert (failed, tried) == (0, len(examples.examples))


@EVERY
def test_every_reason_and_note_in_its_docstring_exists(form):
    text = form[1].documentation["When it is undefined"]
    known = {str(reason) for reason in vd.SkipReason} | set(NOTES)
    names = {p.name for p in form[1].parameters} | {m.name for m, _ in FORMS}
    for word in re.findall(r"``([a-z]+(?:_[a-z]+)+)``", text):
        assert word in known | names or word == "majority_class_accuracy", word


@EVERY
def test_the_result_is_json_and_reads_back(form):
    for rows in (sample(), sample().but(weight=np.random.default_rng(0).random(160) + 0.1)):
        result = measured(example(form), rows)
        assert result_from_dict(strict_json.loads(strict_json.dumps(result.to_dict()))) == result
        for note in result.notes:
            assert note in NOTES, f"the note {note!r} has no sentence"


@EVERY
def test_the_conditions_hold_its_parameters(form):
    measure = example(form)
    result = measured(measure, sample(), intervals=False)
    for name, value in measure.arguments().items():
        assert result.conditions[name] == value
    if "threshold" in form[1].settings and form[1].family == "binary":
        assert result.conditions["threshold"] == 0.45


@EVERY
def test_bounds_and_direction_are_declared(form):
    definition = form[1]
    assert definition.better in {"higher", "lower", "target"}
    low, high = definition.bounds
    assert low is None or high is None or low < high
    if definition.better == "higher" and definition.bounds != (None, None):
        assert high is not None or low is not None
