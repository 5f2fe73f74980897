"""Names as the public page promises them: canonical, foreign, short, misspelt, from elsewhere."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distributions

import pytest

import veridical as vd
from veridical import metrics
from veridical.errors import MetricNameError, ParameterError
from veridical.measures import Measure
from veridical.metrics import every_measure, find

CANONICAL = {
    "binary": """accuracy precision recall f1 fbeta specificity npv fpr balanced_accuracy mcc
        roc_auc average_precision ks gini partial_auc precision_top recall_top lift_top""",
    "calibration": """ece mce ece_equal_mass brier brier_skill brier_reliability brier_resolution
        brier_uncertainty brier_within_variance brier_within_covariance log_loss slope
        intercept""",
    "cost": "total best_threshold saving",
}
ALIASES = {
    "roc_auc": "binary.roc_auc",
    "auc": "binary.roc_auc",
    "ROC-AUC": "binary.roc_auc",
    "ROC AUC": "binary.roc_auc",
    "binary.auc": "binary.roc_auc",
    "ap": "binary.average_precision",
    "pr_auc": "binary.average_precision",
    "PR-AUC": "binary.average_precision",
    "average_precision_score": "binary.average_precision",
    "matthews_corrcoef": "binary.mcc",
    "f1_score": "binary.f1",
    "sensitivity": "binary.recall",
    "tpr": "binary.recall",
    "expected_calibration_error": "calibration.ece",
    "ECE": "calibration.ece",
    "brier_score_loss": "calibration.brier",
    "logloss": "calibration.log_loss",
    "recall@fpr=0.001": "binary.recall@fpr=0.001",
    "Recall@FPR=0.001": "binary.recall@fpr=0.001",
    "recall@fpr=1e-3": "binary.recall@fpr=0.001",
    "recall@fpr=0.1%": "binary.recall@fpr=0.001",
    "Recall@0.1% FPR": "binary.recall@fpr=0.001",
    "recall@fpr=0.001,mode=certified": "binary.recall@fpr=0.001,mode=certified",
    "recall,fpr=0.001": "binary.recall@fpr=0.001",
    "recall@mode=certified,fpr=0.001": "binary.recall@fpr=0.001,mode=certified",
    "binary.recall@fpr=0.001,mode=observed": "binary.recall@fpr=0.001",
    "recall@precision=0.9": "binary.recall@precision=0.9",
    "precision@recall=0.8": "binary.precision@recall=0.8",
    "precision_top@100": "binary.precision_top@100",
    "precision_top@k=100": "binary.precision_top@100",
    "lift@10": "binary.lift_top@10",
    "partial_auc@fpr=0.1": "binary.partial_auc",
    "partial_auc@fpr=0.2": "binary.partial_auc@fpr=0.2",
    "ece@15": "calibration.ece@15",
    "ece@10": "calibration.ece",
    "ece,bins=15": "calibration.ece@15",
    "fbeta@2": "binary.fbeta@2",
    "fbeta@beta=0.5": "binary.fbeta@0.5",
    "log_loss,clip=1e-15": "calibration.log_loss,clip=1e-15",
    "  binary.mcc ": "binary.mcc",
}


@pytest.mark.parametrize(
    "name", [f"{family}.{name}" for family, names in CANONICAL.items() for name in names.split()]
)
def test_canonical_names_exist(name):
    measures = {f"{m.family}.{m.name}": m for m in every_measure()}
    assert name in measures
    assert isinstance(measures[name], Measure)


@pytest.mark.parametrize(("alias", "canonical"), ALIASES.items())
def test_alias(alias, canonical):
    assert str(find(alias)) == canonical
    assert find(alias) == find(canonical)


@pytest.mark.parametrize("percent", [f"{n / 100:g}" for n in range(1, 100)])
def test_a_percentage_is_the_decimal_it_says(percent):
    # 0.07 / 100 is 0.0007000000000000001 in doubles, and would be another metric.
    assert find(f"Recall@{percent}% FPR") == find(f"recall@fpr={float(percent) * 100:.0f}e-4")
    assert find(f"recall@fpr={percent}%") == find(f"Recall@{percent}% FPR")


def test_measure_objects_are_the_names():
    assert str(vd.binary.recall(fpr=0.001)) == "binary.recall@fpr=0.001"
    assert str(vd.binary.precision_top @ 100) == "binary.precision_top@100"
    assert str(vd.calibration.ece @ 15) == "calibration.ece@15"
    labels, scores = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]
    named = vd.measure("recall@fpr=0.5", labels, scores)
    assert named == vd.measure(vd.binary.recall(fpr=0.5), labels, scores)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("roc_acu", "binary.roc_auc"),
        ("binary.recal", "binary.recall"),
        ("avrage_precision", "binary.average_precision"),
        ("expected_callibration_error", "calibration.ece"),
        ("matthews_corcoef", "binary.mcc"),
        ("cost.best_treshold", "cost.best_threshold"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(typed, meant):
    with pytest.raises(MetricNameError) as caught:
        find(typed)
    assert typed in caught.value.what
    assert meant in caught.value.fix


@pytest.mark.parametrize("typed", ["", "@", "zzzzqqqq", "<script>alert(1)</script>", "a" * 10_000])
def test_nonsense_is_refused_in_a_short_sentence(typed):
    with pytest.raises(MetricNameError) as caught:
        find(typed)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("recall@fpr=2", "from 0 to 1"),
        ("recall@fpr=-0.1", "from 0 to 1"),
        ("recall@fpr=nan", "from 0 to 1"),
        ("recall@fpr=much", "from 0 to 1"),
        ("recall@fpr=0.1,mode=sloppy", "one of observed, certified"),
        ("recall@fpr=0.1,colour=red", "fpr, mode"),
        ("recall@fpr=0.1,precision=0.9", "combined"),
        ("recall@fpr=0.1,fpr=0.2", "twice"),
        ("recall@0.001", "binary.recall@fpr="),
        ("recall@10", "write retrieval.recall@10 if that is meant"),
        ("roc_auc@10", "roc_auc"),
        ("roc_auc,bins=10", "no parameter 'bins'"),
        ("precision_top@0", "at least 1"),
        ("precision_top@2.5", "integer"),
        ("fbeta@inf", "number"),
        ("fbeta@-1", "at least 0"),
        ("ece@0", "from 1 to"),
        ("ece@1e9", "from 1 to"),
    ],
)
def test_a_wrong_parameter_is_answered_with_the_legal_ones(typed, part):
    with pytest.raises((ParameterError, MetricNameError)) as caught:
        find(typed)
    assert part in str(caught.value)


def test_a_required_parameter_that_is_absent_is_an_error():
    with pytest.raises(ParameterError, match="needs k"):
        vd.measure("precision_top", [1, 0], [0.2, 0.1])
    with pytest.raises(MetricNameError, match="needs a value"):
        find("recall@fpr")


def test_what_a_short_name_means_does_not_depend_on_what_was_loaded_first():
    find_it = "from veridical.metrics import find; find('recall@fpr')"
    for script in (find_it, f"import veridical.metrics.retrieval_counts; {find_it}"):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
        assert b"needs a value" in done.stderr


# Metrics of other packages ----------------------------------------------------------------------

THEIRS = '''
from veridical.measures import metric
from veridical.results import Measured, Skipped
from veridical.summaries import ConfusionCounts


@metric("acme", summary=ConfusionCounts, settings=["threshold"], aliases=["caught"])
def alerts(counts: ConfusionCounts):
    """Flagged rows.

    Formula
    -------
    TP + FP

    When it is undefined
    --------------------
    Never.

    References
    ----------
    None.

    Examples
    --------
    >>> alerts.function(ConfusionCounts(tp=1)).value
    1.0
    """
    return Measured(counts.flagged, counts.n)


@metric("acme", summary=ConfusionCounts, settings=["threshold"], aliases=["caught"])
def recall(counts: ConfusionCounts):
    """Recall as Acme counts it."""
    return Measured(0.5, counts.n)
'''


@pytest.fixture
def acme(tmp_path, monkeypatch):
    """An installed distribution that announces metrics by entry point."""
    (tmp_path / "acme_metrics.py").write_text(THEIRS)
    info = tmp_path / "acme_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[veridical.metrics]\nacme = acme_metrics\n")
    yield from _installed(tmp_path, monkeypatch)


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """An installed distribution whose entry point cannot be imported."""
    info = tmp_path / "broken_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[veridical.metrics]\nbroken = broken_metrics\n")
    yield from _installed(tmp_path, monkeypatch)


def _installed(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    assert any(d.locate_file("") == folder for d in distributions())
    from veridical import measures

    monkeypatch.setattr(measures, "_REGISTRY", dict(measures._REGISTRY))
    metrics._load_theirs.cache_clear()
    yield folder
    for name in ("acme_metrics", "broken_metrics"):
        sys.modules.pop(name, None)
    metrics._load_theirs.cache_clear()


def test_a_third_party_metric_is_found_and_measured(acme):
    result = vd.measure("acme.alerts", [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], threshold=0.3)
    assert (result.value, result.metric) == (3.0, "acme.alerts")
    assert str(find("alerts")) == "acme.alerts"
    ev = vd.evaluate(
        {"y": [1, 0], "s": [0.9, 0.1]}, ["acme.alerts"], label="y", score="s", threshold=0.5
    )
    assert ev["acme.alerts"].value == 1.0


def test_the_catalogue_lists_ours_first_and_theirs_after(acme):
    listed = [f"{m.family}.{m.name}" for m in every_measure()]
    assert listed[-2:] == ["acme.alerts", "acme.recall"]
    assert "binary.recall" in listed


def test_an_installed_package_never_changes_what_our_short_names_mean(acme):
    assert str(find("recall")) == "binary.recall"
    every_measure()
    assert str(find("recall")) == "binary.recall"
    assert str(find("acme.recall")) == "acme.recall"


def test_a_short_name_of_two_metrics_is_refused_and_both_are_listed(acme):
    with pytest.raises(MetricNameError) as caught:
        find("caught")
    assert "acme.alerts" in str(caught.value)
    assert "acme.recall" in str(caught.value)


def test_a_broken_third_party_module_is_reported_and_not_fatal(broken):
    with pytest.warns(UserWarning, match="broken_metrics"):
        assert every_measure()
    assert vd.measure("binary.roc_auc", [1, 0], [0.9, 0.1]).value == 1.0


def test_a_stored_name_cannot_be_taken_twice():
    from veridical.measures import metric
    from veridical.results import Measured
    from veridical.summaries import ConfusionCounts

    def recall(counts):
        return Measured(0.0, counts.n)

    with pytest.raises(MetricNameError, match="exists already"):
        metric("binary", summary=ConfusionCounts)(recall)
