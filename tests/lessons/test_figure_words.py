"""What is told of a figure to who cannot see it: each number is computed again."""

import math

import numpy as np
import pytest

from tests.docs.pages import NUMBER
from veridical.lessons import (
    LESSONS,
    agents,
    calibration,
    drift,
    fairness,
    judges,
    lesson_called,
    metrics,
    uncertainty,
)
from veridical.lessons.metrics.stops import PRICES

ALTS = {key: alt for lesson in LESSONS for key, alt in lesson.figure_alts.items()}
STEADY, WAVERING = agents.steady_and_wavering().values()


def roc():
    y, s = metrics.synthetic_scores()
    return [len(y), f"{metrics.roc_auc(y, s):.2f}"]


def pr():
    y, s = metrics.synthetic_scores()
    precision, recall, _ = metrics.pr_curve(y, s)
    first, half, most = (f"{precision[np.argmax(recall >= least)]:.2f}" for least in (0, 0.5, 0.8))
    return [first, half, 0.5, most, 0.8, f"{y.mean():.0%}"]


def cost_vs_threshold():
    for prices in PRICES:
        threshold, cost, _ = metrics.best_threshold_by_cost(*metrics.synthetic_scores(), *prices)
        yield from (cost, f"{threshold:.2f}", *prices)


def ndcg_discount():
    for rank in (1, 2, 3, 10):
        yield from (f"{metrics.dcg_at_k([0] * (rank - 1) + [1], rank):.2f}", rank)


def overlap_scores():
    for answer in metrics.GEN_CANDIDATES.values():
        for score in (metrics.bleu, metrics.rouge_l):
            yield f"{round(score(answer, metrics.GEN_REFERENCE), 2):g}"


def interval_coverage():
    [axes] = lesson_called("uncertainty").figures()["interval_coverage"].axes
    _, wald, promised = (line.get_xydata() for line in axes.get_lines())
    rate, held = wald[-1]
    [rows] = (n for n in range(10, 50) if uncertainty.coverage(uncertainty.wald, rate, n) == held)
    level = f"{promised[0, 1]:.0%}"
    return [level, rows, level, f"{math.ceil(held * 10) / 10:.0%}", math.ceil(rate)]


def half_width():
    [axes] = lesson_called("uncertainty").figures()["half_width"].axes
    marks = [line.get_xydata()[0] for line in axes.get_lines()[3:]]
    told = [word for n, half in marks for word in (f"{half:.3f}", f"{n:.0f}")]
    return ["95%", *("50%", "90%", "99%"), "50%", *told]


def reliability():
    [axes] = lesson_called("calibration").figures()["reliability"].axes
    drawn = axes.get_lines()[1].get_xydata()
    table = calibration.reliability_table(*calibration.overconfident_forecasts())
    assert drawn[:, 1].tolist() == [one.rate for one in table]
    return [sum(one.n for one in table)]


def ece_by_luck():
    [axes] = lesson_called("calibration").figures()["ece_by_luck"].axes
    _, ten, target = (dict(line.get_xydata().tolist()) for line in axes.get_lines())
    told = [word for n in (50, 1_000, 10_000) for word in (f"{ten[n]:.2f}", n)]
    return [10, *told, 20, target.popitem()[1]]


def psi_without_drift():
    psi = np.array(drift.index_without_drift(200, replicates=1_000))
    stable, significant = (psi < 0.10).sum(), (psi >= 0.25).sum()
    middle = len(psi) - stable - significant
    return [len(psi), 200, stable, "0.10", middle, "0.25", significant]


def psi_noise_by_rows():
    ten, five, twenty = (drift.rows_needed(0.10, cells) for cells in (10, 5, 20))
    return [10, "0.10", ten, 5, five, 20, twenty]


def four_fifths_by_luck():
    yield "30%"
    for n in (20, 100, 400):
        yield from (f"{fairness.fails_by_luck(0.3, n, n):.0%}", n)


def judged_rate():
    bad, good = (judges.apparent_rate(share, 0.9, 0.8) for share in (0, 1))
    truth = judges.apparent_rate(2 / 3, 0.9, 0.8)
    assert truth == pytest.approx(2 / 3)
    guessed = judges.apparent_rate(truth, 0.5, 0.5)
    return [f"{one:.0%}" for one in (good, bad, bad, good, truth, guessed)]


def repeats():
    at_every_k = {round(agents.pass_hat_k(STEADY, k), 9) for k in range(1, 9)}
    [steady] = {*at_every_k, agents.pass_hat_k(WAVERING, 1)}
    all_of = {k: agents.pass_hat_k(WAVERING, k) for k in range(1, 9)}
    one_of = {k: agents.pass_at_k(WAVERING, k) for k in range(1, 9)}
    never = min(k for k, rate in all_of.items() if rate == 0)
    always = min(k for k, rate in one_of.items() if rate == 1)
    wavering = [f"{all_of[2]:.0%}", 2, f"{all_of[4]:.0%}", 4, never, f"{one_of[2]:.0%}", 2, always]
    return [f"{steady:.0%}"] * 2 + wavering


TOLD = [
    *(roc, pr, cost_vs_threshold, ndcg_discount, overlap_scores, interval_coverage, half_width),
    *(reliability, ece_by_luck, psi_without_drift, psi_noise_by_rows, four_fifths_by_luck),
    *(judged_rate, repeats),
]


@pytest.mark.parametrize("computed", TOLD, ids=lambda computed: computed.__name__)
def test_each_number_that_is_told_is_computed(computed):
    told = [number.replace(",", "") for number in NUMBER.findall(ALTS[computed.__name__])]
    assert told == [str(number) for number in computed()]


def test_every_figure_is_among_them():
    assert {computed.__name__ for computed in TOLD} == set(ALTS)
