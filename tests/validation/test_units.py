"""Weights and clusters of a model file: everything that was measured takes them in, or says so."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

import veridical as vd
from tests.validation.models import DAY, payments, write_model
from veridical.validation import validate_model
from veridical.validation.contents import document_of
from veridical.validation.page import page_of
from veridical.validation.result_tables import share_text

PLAIN = {"groups": None, "features": None}


@pytest.fixture(scope="module")
def table():
    """Payments with fractional and with whole weights, and with an account for every few rows."""
    made, rng = payments(), np.random.default_rng(4)
    n = made.num_rows
    made = made.append_column("weight", pa.array(rng.uniform(0.5, 3, n)))
    made = made.append_column("times", pa.array(rng.integers(1, 4, n)))
    return made.append_column("account", pa.array(rng.integers(0, n // 4, n)))


def validated(folder, table, **changes):
    return validate_model(write_model(folder, table, **changes), date=DAY)


@pytest.fixture(scope="module")
def weighted(table, tmp_path_factory):
    return validated(tmp_path_factory.mktemp("weighted"), table, weight="weight", cluster="account")


def test_scores_and_fairness_are_those_of_the_verbs(weighted):
    units = {"weight": "weight", "cluster": "account"}
    later = weighted.description.out_of_time
    scores = vd.evaluate(
        later, "roc_auc", label="is_fraud", score=["score", "old"], **units,
        costs=weighted.description.costs,
    )  # fmt: skip
    found = weighted.out_of_time["score", "roc_auc"]
    assert found.value == scores["score", "roc_auc"].value
    assert found.interval == scores["score", "roc_auc"].interval
    fair = vd.evaluate_fairness(
        later, groups=["channel"], favourable=0, score="score", threshold=weighted.threshold,
        label="is_fraud", **units,
    )  # fmt: skip
    assert weighted.fairness.results == fair.results
    assert weighted.out_of_time.comparisons[0].method == "influence-clusters"


def test_the_threshold_is_that_of_the_weighted_costs(table, weighted, tmp_path):
    first = vd.evaluate(
        weighted.description.development, "cost.best_threshold", label="is_fraud", score="score",
        weight="weight", costs=weighted.description.costs, intervals=False,
    )["cost.best_threshold"]  # fmt: skip
    assert weighted.threshold == first.conditions["threshold"]


def test_whole_weights_are_repeated_rows(table, tmp_path):
    times = np.asarray(table["times"])
    half = table.num_rows // 2  # of rows before they are repeated
    repeated = table.take(pa.array(np.repeat(np.arange(table.num_rows), times)))
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one = validated(tmp_path / "one", table, weight="times", **PLAIN)
    file = write_model(tmp_path / "two", repeated, **PLAIN)
    cut = int(times[:half].sum())
    for name, part in (("dev.csv", repeated.slice(0, cut)), ("oot.csv", repeated.slice(cut))):
        csv.write_csv(part, tmp_path / "two" / name)
    two = validate_model(file, date=DAY)
    assert one.threshold == two.threshold
    for name in ("roc_auc", "average_precision", "brier", "ece"):
        assert one.out_of_time["score", name].value == pytest.approx(
            two.out_of_time["score", name].value, rel=1e-12
        )
    ours, theirs = ({r.metric: r.value for r in v.fairness.results} for v in (one, two))
    assert ours == pytest.approx(theirs, rel=1e-12)


def test_the_report_says_so(weighted, tmp_path):
    html = page_of(document_of(weighted))
    said = weighted.limits.remarks
    assert any(
        text.startswith("Scores, costs and fairness count the weights in w") for text in said
    )
    assert any(text.startswith("Rows of one account belong together") for text in said)
    sections = {section.name: section for section in document_of(weighted).sections}
    roles = dict(sections["purpose"].blocks[-1].rows)
    assert (roles["Weight"], roles["Cluster"]) == ("weight", "account")
    happened = next(
        block for block in sections["metrics"].blocks
        if getattr(block, "title", "") == "What was forecast, and what happened"
    )  # fmt: skip
    for row, ev in zip(happened.rows, (weighted.development, weighted.out_of_time), strict=True):
        part = next(s for s in ev.slices if (s.subject, s.group) == ("score", None))
        counts = part.evidence.at(None)
        assert row[3] == f"{float(counts.positives / counts.n):.4f}"  # weighted, no interval
    points = next(b for b in sections["points"].blocks if b.__class__.__name__ == "Table"
                  and b.title.startswith("Standard"))  # fmt: skip
    assert not any("(" in cell for row in points.rows for cell in row[3:6])
    assert weighted.report(tmp_path / "r.html").read_text() == html


def test_clusters_alone_have_no_intervals_by_row(table, tmp_path):
    found = validated(tmp_path, table, cluster="account", **PLAIN)
    sections = {section.name: section for section in document_of(found).sections}
    tables = [b for s in ("purpose", "metrics", "points", "calibration") for b in sections[s].blocks
              if b.__class__.__name__ == "Table" and b.title.startswith(("Samples", "What was for",
              "Standard", "Forecasts"))]  # fmt: skip
    assert len(tables) == 4
    assert not any("(0." in cell for one in tables for row in one.rows for cell in row)
    psi = found.drift["score", "drift.psi"]
    assert psi.interval is not None  # by row, and the limitations say it


def test_an_unknown_column_is_told(table, tmp_path):
    with pytest.raises(vd.VeridicalError, match="nobody"):
        validated(tmp_path, table, weight="nobody")


@pytest.mark.parametrize(
    ("hits", "n", "level", "told"),
    [
        (0, 0, 0.95, "0/0"),
        (1, 4, None, "0.2500"),
        (1.5, 3, 0.95, "0.5000"),
        # Wilson: the middle is (0.25 + 1.92 / 4) / (1 + 3.84 / 4).
        (1, 4, 0.95, "0.2500 (0.0456 to 0.6994)"),
    ],
)
def test_a_share_as_text(hits, n, level, told):
    assert share_text(hits, n, level) == told
