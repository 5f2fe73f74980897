"""``measure`` takes the options of every family, and of no metric more than it heeds."""

from __future__ import annotations

import pytest

import veridical as vd
from veridical.errors import ParameterError

YES_NO = [1, 0, 1, 0]
OTHERS = [1, 0, 0, 0]
DATA = {
    "binary.roc_auc": (YES_NO, [0.9, 0.6, 0.4, 0.1]),
    "retrieval.mrr": ({"q": {"a": 0.5}}, {"q": {"a": 1}}),
    "trec.map": ({"q": {"a": 0.5}}, {"q": {"a": 1}}),
    "agreement.cohens_kappa": (YES_NO, OTHERS),
    "text.rouge_l": (["a b"], ["a c"]),
    "drift.psi": ([1.0, 2.0, 3.0, 4.0] * 9, [1.0, 2.0, 4.0, 4.0] * 9),
    "fairness.demographic_parity_difference": (YES_NO, ["f", "f", "m", "m"]),
}
GIVEN = {
    "positive": 1,
    "threshold": 0.5,
    "costs": vd.Costs(5, 1),
    "weight": [1, 1, 2, 1],
    "cluster": ["a", "a", "b", "c"],
    "bins": 5,
    "weights": "linear",
    "scale": [0, 1],
    "ties": "average",
    "duplicates": "keep-first",
    "average": "intersection",
    "model": "a-model",
    "baseline": "a-file",
    "groups": ["f", "f", "m", "m"],
    "favourable": 1,
    "favourable_label": 1,
    "reference": "f",
    "missing": "drop",
}
OF_ROWS = {"positive", "threshold", "costs", "weight", "cluster", "bins", "missing"}
TAKES = {
    "binary": OF_ROWS,
    "retrieval": {"ties", "duplicates", "average"},
    "trec": {"ties", "duplicates", "average"},
    "agreement": {"weights", "scale", "missing"},
    "text": {"model", "baseline"},
    "drift": {"bins"},
    "fairness": {"groups", "favourable", "favourable_label", "reference", "threshold"}
    | {"weight", "cluster", "missing"},
}


FOREIGN = [(one, name) for one in DATA for name in GIVEN if name not in TAKES[one.split(".")[0]]]


@pytest.mark.parametrize(("metric", "option"), FOREIGN)
def test_an_option_of_another_family_is_refused(metric, option):
    """A weight that is left out of account would be a wrong number that looks right."""
    with pytest.raises(ParameterError, match=f"{option}= means nothing to {metric}") as caught:
        vd.measure(metric, *DATA[metric], **{option: GIVEN[option]})
    for own in TAKES[metric.split(".")[0]]:
        assert own in str(caught.value)


@pytest.mark.parametrize("metric", DATA)
def test_what_says_how_may_be_said_of_every_metric(metric):
    own = {"favourable": 1} if metric.startswith("fairness") else {}
    how = {"level": 0.9, "intervals": False, "seed": 1, "replicates": 200, "threads": 2}
    one = vd.measure(metric, *DATA[metric], **how, **own)
    assert one.ok
    unchanged = {"ties": "docid_desc", "missing": "error", "average": "golden", "weight": None}
    other = vd.measure(metric, *DATA[metric], **how, **own, **unchanged)
    assert other.value == one.value


def test_a_weight_that_is_heeded_changes_the_number():
    labels, scores = DATA["binary.roc_auc"]
    assert vd.measure("roc_auc", labels, scores, weight=[1, 3, 2, 1]).value != 0.75
