"""``veridical monitor``: from a reference to a request that was answered."""

import json

import numpy as np
import pytest

from veridical.monitor import Target


def table(path, shift, seed):
    values = np.random.default_rng(seed).normal(shift, 1.0, 3_000)
    rows = [f"{value:.6f},{'ab'[k % 2]}" for k, value in enumerate(values)]
    path.write_text("\n".join(["score,kind", *rows, ""]))
    return path.name


@pytest.fixture
def months(tmp_path):
    shifts = {"then": 0.0, "january": 0.0, "february": 0.45, "march": 2.0}
    for seed, (name, shift) in enumerate(shifts.items()):
        table(tmp_path / f"{name}.csv", shift, seed)
    return tmp_path


def test_a_year_begins(veridical, months):
    started = veridical("monitor", "start", "fraud", "then.csv")
    assert "2 columns of 3,000 rows" in started.out
    states = []
    for name in ("january", "february", "march"):
        outcome = veridical("monitor", "observe", "fraud", f"{name}.csv", "--period", name)
        assert outcome.code == 0, outcome.err
        states.append(outcome.out.split()[2])
    assert states == ["STABLE", "MONITORING_ALERT", "RETRAIN_REQUESTED"]
    sent = veridical("monitor", "dispatch", "fraud")
    assert "delivered" in sent.out
    (request,) = (months / "retrain-requests").iterdir()
    assert json.loads(request.read_text())["subject"] == "march"
    assert veridical("monitor", "dispatch", "fraud").out == "nothing is due\n"
    assert "COOLDOWN" in veridical("monitor", "ack", "fraud", "--reason", "job 17").out
    status = veridical("monitor", "status", "fraud")
    for told in ("significant", "score", "DISPATCHED -> ACKED", "job 17", "convention", "seal"):
        assert told in status.out
    document = veridical("monitor", "status", "fraud", "--json").document
    assert document["state"] == "COOLDOWN"
    assert document["seal"] == document["events"][-1]["sha256"]
    assert veridical("monitor", "list").out == "fraud\n"


def test_a_person_approves(veridical, months):
    (months / "rules.yaml").write_text("approval: person\nname: house\ncooldown: 0\n")
    veridical("monitor", "start", "fraud", "then.csv", "--rules", "rules.yaml")
    veridical("monitor", "observe", "fraud", "march.csv", "--period", "2026-03")
    assert veridical("monitor", "dispatch", "fraud").out == "nothing is due\n"
    assert "waits for approval" in veridical("monitor", "status", "fraud").out
    veridical("monitor", "approve", "fraud", "--actor", "anna")
    assert "delivered" in veridical("monitor", "dispatch", "fraud").out
    assert "STABLE" in veridical("monitor", "reject", "fraud", "--reason", "not now").out


def test_a_delivery_that_fails_exits_with_69_and_says_why(veridical, months):
    (months / "rules.yaml").write_text(
        "attempts: 1\ntarget: {kind: command, argv: [/no/such/command]}\n"
    )
    veridical("monitor", "start", "fraud", "then.csv", "--rules", "rules.yaml")
    veridical("monitor", "observe", "fraud", "march.csv", "--period", "2026-03")
    outcome = veridical("monitor", "dispatch", "fraud")
    assert outcome.code == 69
    assert "dead: it cannot be started" in outcome.out
    assert "dead letter" in veridical("monitor", "status", "fraud").out
    assert veridical("monitor", "dispatch", "fraud", "--again").code == 69


def test_the_variable_of_the_secret_is_no_unknown_setting(veridical, months, monkeypatch):
    monkeypatch.setenv(Target().secret_env, "a secret of sixteen")
    assert veridical("monitor", "start", "fraud", "then.csv").code == 0
    assert veridical("monitor", "dispatch", "fraud").out == "nothing is due\n"


def test_what_does_not_fit_is_refused(veridical, months):
    assert veridical("monitor", "status", "fraud").code == 65  # no store yet
    veridical("monitor", "start", "fraud", "then.csv", "--column", "score")
    assert veridical("monitor", "start", "fraud", "then.csv").code == 4
    assert veridical("monitor", "status", "other").code == 4
    assert veridical("monitor", "ack", "fraud").code == 4
    veridical("monitor", "observe", "fraud", "january.csv", "--period", "1")
    assert veridical("monitor", "observe", "fraud", "january.csv", "--period", "1").code == 0
    again = veridical("monitor", "observe", "fraud", "march.csv", "--period", "1")
    assert again.code == 4
    assert "'1'" in again.err
    assert veridical("monitor", "observe", "fraud", "none.csv", "--period", "2").code == 65
    (months / "rules.yaml").write_text("needed: 5\n")
    wrong = veridical("monitor", "start", "two", "then.csv", "--rules", "rules.yaml")
    assert (wrong.code, "rules.yaml" in wrong.err) == (65, True)
    none = veridical("monitor", "start", "two", "then.csv", "--rules", "none.yaml")
    assert (none.code, "there is no file of rules (none.yaml)" in none.err) == (65, True)


def test_names_run_nothing_in_a_terminal(veridical, months):
    veridical("monitor", "start", "fraud", "then.csv")
    name = "2026-\u202e03 \u0645"
    outcome = veridical("monitor", "observe", "fraud", "march.csv", "--period", name)
    assert outcome.code == 64 or "\u202e" not in outcome.out


def test_the_history_as_a_trend_and_as_a_page(veridical, months, tmp_path):
    veridical("monitor", "start", "fraud", "then.csv")
    for name, month in (("then", "2026-01"), ("march", "2026-03")):
        veridical("monitor", "observe", "fraud", f"{name}.csv", "--period", month)
    outcome = veridical("monitor", "report", "fraud", "--report", "fraud.html")
    assert (outcome.code, outcome.err) == (0, "report: fraud.html\n")
    assert outcome.out.startswith("monitor fraud: RETRAIN_REQUESTED, 2 periods\n")
    page = (tmp_path / "fraud.html").read_text()
    assert "2026-03" in page
    again = veridical("monitor", "report", "fraud", "--report", "again.html", "--json")
    assert again.document == veridical("monitor", "status", "fraud", "--json").document
    assert (tmp_path / "again.html").read_text() == page


def test_the_history_as_markdown(veridical, months):
    veridical("monitor", "start", "fraud", "then.csv")
    empty = veridical("monitor", "report", "fraud", "--markdown")
    assert empty.out == "### monitor fraud: STABLE, 0 periods\n"
    for name, month in (("then", "2026-01"), ("march", "a|b")):
        veridical("monitor", "observe", "fraud", f"{name}.csv", "--period", month)
    told = veridical("monitor", "report", "fraud", "--markdown")
    heading, _, _, _, head, _, *rows = told.out.splitlines()
    assert heading == "### monitor fraud: RETRAIN\\_REQUESTED, 2 periods"
    assert head.startswith("| period | index | interval | light | column |")
    assert rows[0].startswith("| 2026-01 | 0.0000 | ")
    assert rows[0].endswith(" | nothing |")
    assert rows[1].startswith("| a&#124;b | ")
    assert " | significant | " in rows[1]
    assert all(row.count("|") == head.count("|") for row in rows)
    assert veridical("monitor", "report", "fraud", "--markdown", "--json").code == 64


def test_no_page_replaces_the_store_and_none_is_made_of_nothing(veridical, months, tmp_path):
    veridical("monitor", "start", "fraud", "then.csv")
    store = tmp_path / ".veridical" / "veridical.db"
    before = store.read_bytes()
    outcome = veridical("monitor", "report", "fraud", "--report", str(store))
    assert (outcome.code, store.read_bytes()) == (64, before)
    assert veridical("monitor", "report", "other", "--report", "x.html").code == 4
    assert not (tmp_path / "x.html").exists()


def test_the_name_of_rules_does_not_act(veridical, months, tmp_path):
    del months
    (tmp_path / "rules.yaml").write_text('version: 1\nname: "a\\e[31mb"\n', encoding="utf-8")
    out = veridical("monitor", "start", "fraud", "then.csv", "--rules", "rules.yaml").out
    assert "a\\x1b[31mb" in out
    assert "\x1b" not in out
