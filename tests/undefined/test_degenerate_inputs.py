"""Degenerate rows end in a result or a clear error, for every registered metric.

Never a NaN, never a warning of numpy, never another exception.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical as vd
from tests.laws.registry import bound, example, label, score_forms
from tests.laws.strategies import drawn_rows
from tests.silence import silence
from veridical import strict_json
from veridical.errors import VeridicalError
from veridical.results import Measured, Skipped

FORMS = score_forms()
EVERY = pytest.mark.parametrize("form", FORMS, ids=label)
TINY = 5e-324


def rows(labels, scores, **columns):
    return np.array(labels), np.array(scores, dtype=float), columns


DEGENERATE = {
    "empty": rows(np.zeros(0, int), []),
    "one positive": rows([1], [0.7]),
    "one negative": rows([0], [0.7]),
    "one of each": rows([1, 0], [0.7, 0.2]),
    "one of each, reversed": rows([1, 0], [0.2, 0.7]),
    "one of each, tied": rows([1, 0], [0.5, 0.5]),
    "only positives": rows([1] * 5, [0.1, 0.2, 0.2, 0.8, 0.9]),
    "only negatives": rows([0] * 5, [0.1, 0.2, 0.2, 0.8, 0.9]),
    "all tied": rows([1, 0] * 10, [0.5] * 20),
    "all 0": rows([1, 0] * 10, [0.0] * 20),
    "all 1": rows([1, 0] * 10, [1.0] * 20),
    "0 and 1, right": rows([1, 0] * 10, [1.0, 0.0] * 10),
    "0 and 1, wrong": rows([1, 0] * 10, [0.0, 1.0] * 10),
    "separated": rows([0] * 10 + [1] * 10, np.linspace(0.01, 0.99, 20)),
    "separated the wrong way": rows([1] * 10 + [0] * 10, np.linspace(0.01, 0.99, 20)),
    "one positive of many": rows([1] + [0] * 99, np.linspace(0.01, 0.99, 100)),
    "one negative of many": rows([0] + [1] * 99, np.linspace(0.01, 0.99, 100)),
    "denormal": rows([1, 0, 1, 0, 1], [TINY, 0.0, 2 * TINY, TINY, 1 - 2**-53]),
    "next to 0 and 1": rows([1, 0, 1, 0], [1e-300, 1 - 2**-53, 1 - 2**-53, 1e-300]),
    "a hair outside": rows([1, 0, 1, 0], [1 + 1e-12, -1e-12, 0.5, 0.4]),
    "all weights 0": rows([1, 0, 1], [0.9, 0.5, 0.2], weight=[0, 0, 0]),
    "one row has weight": rows([1, 0, 1], [0.9, 0.5, 0.2], weight=[0, 1, 0]),
    "tiny weights": rows([1, 0, 1, 0], [0.9, 0.5, 0.2, 0.1], weight=[1e-9, 2e-9, 1e-9, 1e-9]),
    "weights of a tenth": rows([1, 0, 1], [0.9, 0.5, 0.2], weight=[0.1, 0.1, 0.1]),
    "huge weights": rows([1, 0, 1, 0], [0.9, 0.5, 0.2, 0.1], weight=[1e15, 1e15, 2e15, 1e15]),
    "weights far apart": rows([1, 0, 1, 0], [0.9, 0.5, 0.2, 0.1], weight=[1e-9, 1e12, 0.5, 3]),
    "one cluster": rows([1, 0, 1, 0], [0.9, 0.5, 0.2, 0.1], cluster=["a"] * 4),
    "clusters of one class": rows([1, 1, 0, 0], [0.9, 0.5, 0.2, 0.1], cluster=[1, 1, 2, 2]),
    "clusters and weights 0": rows(
        [1, 0, 1, 0], [0.9, 0.5, 0.2, 0.1], cluster=[1, 1, 2, 2], weight=[1, 1, 0, 0]
    ),
}
NOT_FORECASTS = {
    "infinite": rows([1, 0, 1, 0], [math.inf, -math.inf, 0.0, math.inf]),
    "all infinite": rows([1, 0, 1, 0], [math.inf] * 4),
    "infinite positive": rows([1, 0, 0], [math.inf, 1.0, 0.0]),
    "infinite negative": rows([0, 1, 0], [math.inf, 1.0, -math.inf]),
    "largest floats": rows([1, 0, 1, 0], [1.79e308, -1.79e308, 0.0, 1.79e308]),
}


def check(metric, labels, scores, columns, **settings) -> VeridicalError | None:
    """Assert that measuring gives a result without a warning, or return the error of ours."""
    settings = {"threshold": 0.45, "costs": vd.Costs(fn=10, fp=2, review=1), **settings}
    with silence():
        try:
            result = vd.measure(metric, labels, scores, replicates=25, **columns, **settings)
        except VeridicalError as error:
            return error
    assert isinstance(result, (Measured, Skipped))
    strict_json.dumps(result.to_dict())  # refuses what is not finite
    if isinstance(result, Measured):
        assert math.isfinite(result.value)
        low, high = metric.definition.bounds
        assert low is None or result.value >= low - 1e-12
        assert high is None or result.value <= high + 1e-12
    return None


@EVERY
@pytest.mark.parametrize("intervals", [True, False])
def test_degenerate_rows(form, intervals):
    """All of these rows are legal for every metric: a value or a reason, and no exception."""
    for name, (labels, scores, columns) in DEGENERATE.items():
        said = check(example(form), labels, scores, columns, intervals=intervals)
        assert said is None, f"{name}: {said}"


@EVERY
@pytest.mark.parametrize("intervals", [True, False])
def test_scores_that_are_no_forecasts(form, intervals):
    for name, (labels, scores, columns) in NOT_FORECASTS.items():
        said = check(example(form), labels, scores, columns, intervals=intervals)
        assert (said is not None) is form[1].probabilities, f"{name}: {said}"
        if said is not None:
            assert "outside [0, 1]" in said.what


@EVERY
def test_all_scores_missing(form):
    labels, scores = [1, 0, 1], [math.nan] * 3
    with pytest.raises(VeridicalError, match="3 scores missing"):
        vd.measure(example(form), labels, scores)
    settings = {"threshold": 0.5, "costs": vd.Costs(fn=10, fp=2)}
    result = vd.measure(example(form), labels, scores, missing="drop", **settings)
    assert (result.ok, result.value, result.n_rows) == (False, None, 0)
    assert result.counts["n_skipped"] == 3


def any_rows_and_any_parameters(form, data) -> None:
    drawn = data.draw(drawn_rows(forecasts=form[1].probabilities, costs=False, max_size=12))
    columns = {} if drawn.weight is None else {"weight": drawn.weight}
    measure = data.draw(bound(form))
    if "bins" in measure.parameters:
        measure = measure(bins=1 + measure.parameters["bins"] % 40)
    said = check(
        measure, drawn.positive, drawn.scores, columns,
        intervals=data.draw(st.booleans()),
        threshold=data.draw(st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0])),
    )  # fmt: skip
    assert said is None, said


@settings(max_examples=200)
@given(st.sampled_from(FORMS), st.data())
def test_any_rows_and_any_parameters(form, data):
    any_rows_and_any_parameters(form, data)


@pytest.mark.long
@EVERY
@given(data=st.data())
def test_any_rows_and_any_parameters_of_every_metric(form, data):
    any_rows_and_any_parameters(form, data)


@pytest.mark.parametrize("n_groups", [1, 3])
def test_groups_of_one_class_and_of_one_row(n_groups):
    data = {"y": [1, 0, 1, 0], "s": [0.9, 0.6, 0.4, 0.1], "g": ["a", "a", "b", "c"][:4]}
    if n_groups == 1:
        data["g"] = [None] * 4
    with silence():
        ev = vd.evaluate(
            data, label="y", score="s", groups="g", threshold=0.5, costs=vd.Costs(fn=10, fp=1)
        )
    assert len(ev.groups) == n_groups
    strict_json.dumps(ev.to_dict())
    for result in ev.results:
        assert result.ok or result.reason in set(vd.SkipReason)
