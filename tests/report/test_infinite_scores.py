"""An infinite score is a legal threshold, in every form that a result is shown in."""

import math

import pytest

import veridical as vd
from veridical import strict_json
from veridical.report.markdown import markdown
from veridical.report.terminal import terminal_text

METRICS = ["recall@precision=0.5", "precision@recall=1", "recall@fpr=0.5", "ks"]


@pytest.fixture(params=[-math.inf, math.inf])
def ev(request):
    """Half of the rows score infinitely: the thresholds that are found are infinite too."""
    scores = [request.param if row % 2 else row / 60 for row in range(60)]
    return vd.evaluate(
        {"y": [row % 3 == 0 for row in range(60)], "s": scores},
        [*METRICS, "cost.best_threshold"],
        label="y",
        score="s",
        threshold=0.5,
        costs=vd.Costs(fn=1000, fp=1),
        groups=(),
    )


def test_some_threshold_is_infinite(ev):
    found = [r.conditions["threshold"] for r in ev.results if "threshold" in r.conditions]
    assert {"inf", "-inf"} & set(found)


def test_every_form_can_be_made(ev, tmp_path):
    assert "<table" in ev._repr_html_()
    assert strict_json.loads(strict_json.dumps(ev.to_dict())) == ev.to_dict()
    assert len(ev.to_frame()) == len(ev.results)
    assert "\N{INFINITY}" in terminal_text(ev)
    assert "\N{INFINITY}" in markdown(ev)
    page = ev.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "\N{INFINITY}" in page
