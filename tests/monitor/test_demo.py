"""What `make demo-risk` says one sees, on the files that it works on."""

import runpy

import pytest

import veridical as vd
from veridical.monitor import Monitor, MonitorRules, State
from veridical.store import Store
from veridical.validation import validate_model


@pytest.fixture(scope="module")
def files(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("risk")
    module = runpy.run_path(str(root / "examples" / "model-risk" / "prepare.py"))
    module["main"](folder)
    return folder


def test_the_planted_drift_asks_once(files, tmp_path):
    with Store(tmp_path / "runs.db") as store:
        monitor = Monitor(store, "loans")
        monitor.start(files / "loans-development.csv", MonitorRules(), columns="p_logistic")
        states = [
            monitor.observe(files / f"month-{month:02d}.csv", f"2026-{month:02d}").state
            for month in range(1, 13)
        ]
        requests = monitor.status().requests
    assert states == [State.STABLE] * 7 + [State.RETRAIN_REQUESTED] * 5
    assert len(requests) == 1


def test_three_banks_bound_what_all_rows_say(files, root):
    named = {"label": "bad", "score": "p_logistic"}
    banks = [vd.summarise(files / f"bank-{n}.csv", **named, min_cell=10) for n in (1, 2, 3)]
    rows = vd.evaluate(
        root / "examples" / "credit" / "lending_club_scores.csv",
        ["roc_auc", "average_precision", "brier", "log_loss"],
        **named,
        intervals=False,
    )
    pooled = vd.evaluate(banks[0] + banks[1] + banks[2], list(rows_of(rows)), intervals=False)
    for name in ("roc_auc", "average_precision", "brier"):
        assert pooled[name].bounds.low <= rows[name].value <= pooled[name].bounds.high
    assert not pooled["log_loss"].ok


def rows_of(ev):
    return [result.metric for result in ev.results]


def test_neither_model_meets_the_standard_and_a_vacuous_rule_is_named(files):
    for name in ("hmda", "loans"):
        found = validate_model(files / f"{name}.yaml", date="2026-11-30")
        document = found.to_dict()
        assert document["verdict"] == "not met"
        assert "vacuous" in str(document)
