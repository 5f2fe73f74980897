"""The two models of the mortgage decisions, compared."""

import csv

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

import veridical as vd


@pytest.fixture(scope="module")
def credit(root):
    path = root / "examples" / "credit" / "hmda_scores.csv"
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    y = np.array([row["denied"] == "1" for row in rows])
    return (
        path,
        y,
        *(np.array([float(row[s]) for row in rows]) for s in ("p_logistic", "p_boosting")),
    )


def test_the_models_are_compared_on_the_same_rows(credit):
    path, y, p, q = credit
    ev = vd.evaluate(path, label="denied", score=["p_logistic", "p_boosting"], threshold=0.3)
    found = {c.metric: c for c in ev.comparisons}
    auc = found["binary.roc_auc"]
    assert auc.value_a == pytest.approx(0.8218799983251684, abs=1e-12)
    assert auc.value_b == pytest.approx(0.7997429133693421, abs=1e-12)
    parts = []
    for s in (p, q):
        above = (s[y][:, None] > s[~y]) + 0.5 * (s[y][:, None] == s[~y])
        parts.append((above.mean(axis=1), above.mean(axis=0)))
    on_p, on_n = (parts[0][k] - parts[1][k] for k in (0, 1))
    error = np.sqrt(on_p.var(ddof=1) / len(on_p) + on_n.var(ddof=1) / len(on_n))
    assert auc.p_value == pytest.approx(2 * stats.norm.sf(on_p.mean() / error), rel=1e-9)
    assert auc.verdict.startswith("no difference shown")
    flag_p, flag_q = p[y] >= 0.3, q[y] >= 0.3
    table = [[0, (flag_p & ~flag_q).sum()], [(~flag_p & flag_q).sum(), 0]]
    recall = found["binary.recall"]
    assert recall.p_value == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9)
    losses = [-np.log(np.where(y, s, 1 - s)) for s in (p, q)]
    log_loss = found["calibration.log_loss"]
    assert log_loss.p_value == pytest.approx(stats.ttest_rel(*losses).pvalue, abs=0.001)
    assert log_loss.winner == "p_logistic"
