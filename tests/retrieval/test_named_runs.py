"""One run or several: what each form is taken for, and what is refused."""

from __future__ import annotations

from collections import OrderedDict
from types import MappingProxyType

import pytest

import veridical as vd
from veridical.errors import ParameterError
from veridical.ranking.names import named_runs

SCORED = {"q1": {"a": 0.5, "b": 0.2}, "q2": {}}
LISTED = {"q1": ["a", "b"], "q2": []}
GOLDEN = {"q1": {"b": 1}, "q2": {"c": 1}}
ONE = [
    SCORED,
    LISTED,
    {},
    {"q2": {}, "q1": {"a": 0.5}},
    {"q1": {}},
    {"q1": MappingProxyType({"a": 0.5})},
    OrderedDict(SCORED),
    {"query": ["q1"], "document": ["a"], "score": [0.5]},
    "one.trec",
]
RUNS = [SCORED, LISTED, OrderedDict(SCORED), "one.trec", MappingProxyType(SCORED)]


@pytest.mark.parametrize("run", ONE)
def test_one_run_has_no_name(run):
    assert named_runs(run) == {None: run}


@pytest.mark.parametrize("run", RUNS)
def test_several_runs_have_the_names_of_their_dict(run):
    assert named_runs({"one": run, 2: run}) == {"one": run, "2": run}


def test_files_bring_their_names():
    paths = ["x/one.trec", "y/one.trec", "two.csv"]
    assert list(named_runs(paths)) == ["one", "one.trec", "two"]


def test_two_names_that_are_one_text_are_refused():
    with pytest.raises(ParameterError, match="two runs have the same name"):
        named_runs({1: SCORED, "1": LISTED})


def test_one_metric_is_of_one_run():
    """The first of several would be told as if it were all."""
    with pytest.raises(ParameterError, match="measure takes one run, not 2"):
        vd.measure("retrieval.map", {"one": SCORED, "two": LISTED}, GOLDEN)
    assert vd.measure("retrieval.map", {"one": SCORED}, GOLDEN).value == 0.25


def test_no_metrics_are_an_empty_table():
    ev = vd.evaluate_ranking(SCORED, GOLDEN, [])
    assert len(ev) == 0
    assert "2 queries, 2 judgements" in repr(ev)
