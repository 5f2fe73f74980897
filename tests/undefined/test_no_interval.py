"""No interval of width zero: where nothing varies between replicates, nothing is known."""

import pytest

import veridical as vd

LABELS = [1, 0, 0] * 20
SCORES = [(17 * row % 60) / 60 for row in range(60)]
COSTS = vd.Costs(fn=10, fp=1, review=1)


def everything(data, **options):
    return vd.evaluate(data, label="y", score="s", threshold=0.5, costs=COSTS, **options)


def widths(ev):
    return {r.metric: r.interval.width for r in ev.results if r.ok and r.interval is not None}


def test_one_cluster_has_no_variance():
    ev = everything({"y": LABELS, "s": SCORES, "c": ["all"] * 60}, cluster="c")
    assert any(result.ok for result in ev.results)
    assert widths(ev) == {}
    for result in ev.results:
        if result.ok:
            assert [note for note in result.notes if note.startswith("no_interval")]


@pytest.mark.parametrize("weight", [None, 0.3])
@pytest.mark.parametrize(("n", "score"), [(2, 0.75), (60, 0.75), (60, 0.8), (60, 0.7)])
def test_a_perfect_separation_is_not_certain(n, score, weight):
    half = n // 2
    data = {"y": [1] * half + [0] * half, "s": [score] * half + [1 - score] * half}
    weights = {} if weight is None else {"weight": "w"}
    ev = everything({**data, "w": [weight or 1.0] * n}, **weights)
    for metric in ("binary.f1", "binary.mcc", "binary.balanced_accuracy"):
        result = ev[metric]
        assert result.value == pytest.approx(1)
        assert result.interval is None
        assert [note for note in result.notes if note.startswith("no_interval")]
    assert min(widths(ev).values()) > 1e-9


def test_one_replicate_is_no_interval():
    ev = everything({"y": LABELS, "s": SCORES}, replicates=1)
    assert min(widths(ev).values()) > 0
    assert ev["f1"].interval is None


@pytest.mark.parametrize(
    ("level", "replicates", "few"),
    [(0.95, 39, True), (0.95, 41, False), (0.999999, 1000, True), (0.99, 1000, False)],
)
def test_a_level_that_the_replicates_cannot_resolve_is_noted(level, replicates, few):
    ev = everything({"y": LABELS, "s": SCORES}, level=level, replicates=replicates)
    assert ("few_replicates" in ev["f1"].notes) is few
    assert "few_replicates" not in ev["recall"].notes  # Wilson's interval draws nothing
