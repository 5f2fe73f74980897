"""A metric of somebody else that raises, or returns something else: it is named."""

import pytest

import veridical as vd
from veridical import measures
from veridical.errors import MetricFailedError, ParameterError
from veridical.measures import metric
from veridical.results import Measured
from veridical.summaries import Ranking

DATA = {"y": [1, 0, 1, 0], "p": [0.9, 0.6, 0.4, 0.1], "g": ["a", "a", "b", "b"]}


def raises(*_):
    raise ZeroDivisionError("a bug of its author")


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    monkeypatch.setattr(measures, "_REGISTRY", dict(measures.registered()))


def made(name, function, interval=None):
    return metric("acme", name=name, summary=Ranking, interval=interval)(function)


@pytest.mark.parametrize(
    ("function", "interval", "said"),
    [
        (raises, None, "ZeroDivisionError: a bug of its author"),
        (lambda _: 0.5, None, "it returned float"),
        (lambda _: Measured(0.5), raises, "ZeroDivisionError"),
        (lambda _: Measured(0.5), lambda *_: None, "AttributeError"),
    ],
)
def test_the_metric_is_named_with_its_place(function, interval, said):
    broken = made("broken", function, interval)
    with pytest.raises(MetricFailedError, match=r"acme\.broken failed") as caught:
        vd.evaluate(DATA, [broken], label="y", score="p")
    assert said in str(caught.value)
    assert caught.value.where == "p"
    assert caught.value.exit_code == 70


def test_the_group_is_named_and_the_cause_is_kept():
    broken = made("broken", lambda table: raises() if table.rows < 4 else Measured(0.5))
    with pytest.raises(MetricFailedError) as caught:
        vd.evaluate(DATA, [broken], label="y", score="p", groups="g")
    assert caught.value.where == "p, g=a"
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_errors_of_ours_pass_through():
    def refuses(_):
        raise ParameterError("a parameter that it does not like", fix="give another")

    with pytest.raises(ParameterError, match="does not like"):
        vd.evaluate(DATA, [made("strict", refuses)], label="y", score="p")
