"""A judge's rate, corrected: against ppi-python, the definition, and by simulation."""

import numpy as np
import pytest

import veridical as vd
from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.metrics import find
from veridical.summaries import ConfusionCounts
from veridical.summaries.judged_sample import JudgedSample

RATES = ("judged_rate", "rogan_gladen_rate", "prediction_powered_rate")

# What ppi-python 0.2.3 gives (ppi_mean_pointestimate, ppi_mean_ci with alpha=0.05): it pulls numba,
# pandas and gdown, so its numbers are kept and not the package.  Row k was drawn with
# numpy.random.default_rng(k): N = integers(100, 2000), n = integers(20, min(400, N)), the rate,
# sensitivity and specificity uniform; then truth and judgement of N items, the first n labelled.
# tp, fn, fp, tn, judged positive of the unlabelled, unlabelled, estimate, low, high
PPI_PYTHON = [
    (36, 28, 84, 114, 760, 1454, 0.2498704020050236, 0.19815862190086128, 0.3015821821091859),
    (107, 91, 0, 16, 403, 785, 0.9268044308486536, 0.8927030347770533, 0.960905826920254),
    (36, 4, 35, 44, 959, 1572, 0.3414711808273966, 0.2646209171702999, 0.41832144448449327),
    (10, 0, 9, 33, 635, 1589, 0.2091765550106054, 0.12617297935034322, 0.29218013067086757),
    (173, 3, 100, 102, 801, 1102, 0.4677130624954613, 0.4233140525953469, 0.5121120723955757),
    (186, 63, 35, 41, 701, 1049, 0.7640706768161676, 0.7192495563831109, 0.8088917972492242),
    (51, 28, 35, 110, 332, 721, 0.37450138650777876, 0.3157637207063961, 0.43323905230916143),
    (201, 18, 11, 27, 1305, 1638, 0.8400616844168691, 0.8035188790774206, 0.8766044897563177),
]


def result(name, sample):
    return unit_result(find(f"agreement.{name}"), sample, UnitSettings())


def sample_of(tp, fn, fp, tn, positive, unlabelled):
    counts = ConfusionCounts(tp=tp, fn=fn, fp=fp, tn=tn)
    return JudgedSample(counts, tp + fp + positive, tp + fn + fp + tn + unlabelled)


@pytest.mark.parametrize("row", PPI_PYTHON)
def test_the_numbers_of_ppi_python(row):
    *counts, estimate, low, high = row
    found = result("prediction_powered_rate", sample_of(*counts))
    assert found.value == pytest.approx(estimate, abs=1e-12)
    assert found.interval.low == pytest.approx(low, abs=1e-9)
    assert found.interval.high == pytest.approx(high, abs=1e-9)


def powered_by_hand(y, f, unlabelled):
    """The mean under PPI++, from the rows: lambda as a ratio of sample moments."""
    n, total = len(y), len(unlabelled)
    pooled = np.concatenate([f, unlabelled])
    weight = np.cov(y, f, bias=True)[0, 1] / (pooled.var(ddof=1) * (1 + n / total))
    weight = min(1, max(0, weight))
    estimate = y.mean() + weight * (unlabelled.mean() - f.mean())
    variance = (y - weight * f).var() / n + weight**2 * unlabelled.var() / total
    return estimate, np.sqrt(variance)


@pytest.mark.parametrize("seed", range(6))
def test_prediction_powered_inference_from_the_rows(seed):
    generator = np.random.default_rng(seed)
    truth = (generator.random(500) < 0.4).astype(int)
    judge = np.where(generator.random(500) < 0.85, truth, 1 - truth)
    estimate, error = powered_by_hand(truth[:120], judge[:120], judge[120:])
    known = [int(y) if i < 120 else None for i, y in enumerate(truth)]
    result = vd.evaluate_agreement(
        {"j": judge, "t": known}, ["prediction_powered_rate"], raters=["j", "t"], rate=1
    ).results[0]
    assert result.value == pytest.approx(estimate, abs=1e-12)
    assert result.interval.low == pytest.approx(estimate - 1.959963984540054 * error, abs=1e-9)


@pytest.mark.parametrize("row", PPI_PYTHON)
def test_rogan_and_gladen_undo_what_the_judge_mixes(row):
    tp, fn, fp, tn, positive, unlabelled = row[:6]
    # What the judge says of the true and of the false, a column each, times the rates is what he
    # says of all: solving for the rates is the correction.
    mixing = np.array([[tp, fn], [fp, tn]]).T / [tp + fn, fp + tn]
    said = (tp + fp + positive) / (tp + fn + fp + tn + unlabelled)
    rate = float(np.linalg.solve(mixing, [said, 1 - said])[0])
    found = result("rogan_gladen_rate", sample_of(tp, fn, fp, tn, positive, unlabelled))
    assert found.value == pytest.approx(min(1.0, max(0.0, rate)), abs=1e-12)
    assert found.value in found.interval
    assert ("rate_cut" in found.notes) == (not 0 <= rate <= 1)


def draw(generator, rate, sensitivity, specificity, n, labelled):
    """Return a sample of n judged items, the first of which are labelled."""
    truth = generator.random(n) < rate
    judge = generator.random(n) < np.where(truth, sensitivity, 1 - specificity)
    y, f = truth[:labelled], judge[:labelled]
    cells = (y & f, y & ~f, ~y & f, ~y & ~f)
    rest = judge[labelled:]
    return sample_of(*(int(cell.sum()) for cell in cells), int(rest.sum()), len(rest))


def coverage(runs, rate, *shape):
    """Return how often each interval holds the true rate."""
    hits = dict.fromkeys(RATES, 0)
    for seed in range(runs):
        sample = draw(np.random.default_rng(seed), rate, *shape)
        for name in RATES:
            interval = result(name, sample).interval
            hits[name] += interval is not None and rate in interval
    return {name: count / runs for name, count in hits.items()}


def test_corrected_rates_cover_what_the_judges_word_does_not():
    share = coverage(300, 0.3, 0.9, 0.75, 600, 150)
    assert share["judged_rate"] < 0.1
    assert 0.91 <= share["rogan_gladen_rate"] <= 0.99
    assert 0.91 <= share["prediction_powered_rate"] <= 0.99


@pytest.mark.long
@pytest.mark.parametrize("labelled", [60, 150, 400])
@pytest.mark.parametrize(
    ("rate", "sensitivity", "specificity"),
    [(0.1, 0.9, 0.9), (0.3, 0.9, 0.75), (0.5, 0.7, 0.7), (0.8, 0.95, 0.6), (0.5, 0.99, 0.99)],
)
def test_corrected_rates_cover(rate, sensitivity, specificity, labelled):
    share = coverage(2000, rate, sensitivity, specificity, 1000, labelled)
    # Where little is labelled Lang and Reiczigel's interval is wide, and the normal one narrow.
    assert share["rogan_gladen_rate"] >= 0.93, share
    assert share["prediction_powered_rate"] >= (0.89 if labelled < 100 else 0.92), share
    assert share["prediction_powered_rate"] <= 0.97, share


def test_one_label_alone_and_no_label_at_all():
    alone = sample_of(20, 0, 0, 0, 30, 30)
    assert str(result("rogan_gladen_rate", alone).reason) == "no_negatives"
    assert str(result("rogan_gladen_rate", sample_of(0, 0, 5, 5, 1, 2)).reason) == "no_positives"
    assert str(result("prediction_powered_rate", sample_of(0, 0, 0, 0, 3, 9)).reason) == (
        "no_reference"
    )
    worse = sample_of(2, 8, 8, 2, 5, 10)
    assert str(result("rogan_gladen_rate", worse).reason) == "zero_denominator"
    assert result("prediction_powered_rate", alone).value == 1.0
