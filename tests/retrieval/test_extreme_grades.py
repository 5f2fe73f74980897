"""Grades of any size end in a number or in a clear error, never in NaN or a warning."""

import numpy as np
import pytest

import veridical as vd
from tests.silence import silence
from veridical.errors import InputError

RUN = {"q1": {"d1": 0.9, "d2": 0.5, "d3": 0.1}, "q2": {"d1": 0.5, "d4": 0.25}}
METRICS = ["ndcg@10", "map", "mrr", "recall@10", "rbp", "bpref", "r_precision", "err", "judged@10"]


@pytest.fixture(autouse=True)
def no_warning():
    with silence():
        yield


def judged(grade):
    return {"q1": {"d1": 0, "d2": grade, "d3": 1}, "q2": {"d4": grade, "d5": grade}}


@pytest.mark.parametrize("grade", [1, 999, 1024, 5000, 2**53])
@pytest.mark.parametrize("metric", METRICS)
def test_large_grades_are_gains(metric, grade):
    result = vd.measure(f"retrieval.{metric}", RUN, judged(grade))
    assert result.ok
    assert 0 <= result.value <= 1


@pytest.mark.parametrize("grade", [1024, 5000, 2**53])
def test_an_exponential_gain_beyond_float64_is_refused(grade):
    with pytest.raises(InputError, match="has no gain") as caught:
        vd.measure("retrieval.ndcg@10,gain=exp", RUN, judged(grade))
    assert "gain=linear" in caught.value.fix


@pytest.mark.parametrize("grade", [1e21, 1e308, np.inf, -np.inf, np.nan])
def test_what_is_no_grade(grade):
    with pytest.raises(InputError, match="a grade is"):
        vd.measure("retrieval.ndcg@10", RUN, judged(grade))


@pytest.mark.parametrize("highest", [1, 2, 3, 4])
@pytest.mark.parametrize("grades", [(3, 0, 1), (0, 0, 2), (4, 4, 4), (0.5, 2.5, 1.5)])
def test_err_is_as_defined(grades, highest):
    """Chapelle et al. (2009), equation 7, written out."""
    qrels = {"q": dict(zip("abc", grades, strict=True))}
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    expected, reached = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        stop = min((2**grade - 1) / 2**highest, 1.0)
        expected += reached * stop / rank
        reached *= 1 - stop
    measured = vd.measure(f"retrieval.err,max={highest}", run, qrels)
    assert measured.value == pytest.approx(expected, abs=1e-15)
