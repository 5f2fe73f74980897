"""How many rows are behind an ``n`` that is a sum of weights: those counted without weights."""

import numpy as np
import pytest

import veridical as vd
from veridical import finalise
from veridical.measures import REQUIRED
from veridical.metrics import find
from veridical.slices import Slice

FAMILIES = {"binary", "calibration", "cost"}
NAMES = [
    str(entry.measure)
    for entry in vd.catalogue()
    if entry.definition.family in FAMILIES
    and all(one.default is not REQUIRED for one in entry.definition.parameters)
]
SETTINGS = {"threshold": 0.4, "costs": vd.Costs(fn=10, fp=1), "intervals": False}


def evaluated(n=90, cluster=None, zeros=0, **given):
    rng = np.random.default_rng(2)
    labels = np.arange(n) % 3 == 0
    weight = rng.random(n) * 2
    weight[:zeros] = 0
    data = {
        "y": labels.astype(int),
        "p": np.clip(0.3 + 0.4 * labels + rng.normal(0, 0.2, n), 0.02, 0.98).round(2),
        "w": weight,
        "g": np.where(np.arange(n) % 2, "a", "b"),
        "c": np.arange(n) // 3,
    }
    of = {"label": "y", "score": "p", "weight": "w", "groups": "g", "cluster": cluster}
    return vd.evaluate(data, given.pop("metrics", NAMES), **of, **SETTINGS)


@pytest.mark.parametrize("cluster", [None, "c"])
@pytest.mark.parametrize("zeros", [0, 7])
def test_they_are_those_of_the_rows_without_weights(cluster, zeros):
    ev = evaluated(cluster=cluster, zeros=zeros)
    parts = {part.group: part for part in ev.slices}
    found = [result for result in ev.results if result.ok]
    assert {result.metric for result in found} >= {"calibration.ece", "calibration.slope"}
    for result in found:
        part = parts[result.group]
        plain = finalise._computed(find(result.metric), part.unweighted(part.units), ev.settings)
        assert result.counts["n_rows_counted"] == (plain.n if plain.ok else part.evidence.rows)


def test_what_is_over_all_rows_is_not_computed_again(monkeypatch):
    def refused(*_):
        raise AssertionError("rows without weights are not needed to count all of them")

    monkeypatch.setattr(Slice, "unweighted", refused)
    ev = evaluated(metrics=[name for name in NAMES if not name.startswith("binary.")])
    assert {r.counts["n_rows_counted"] for r in ev.results if r.ok and r.group is None} == {90}
