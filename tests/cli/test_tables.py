"""The same evaluation as a terminal table, as Markdown, as ``repr`` and as a page."""

import io

import pytest

import veridical as vd
from veridical.report.assemble import report_payload
from veridical.report.markdown import markdown
from veridical.report.terminal import terminal_text


def terminal(ev):
    return terminal_text(ev, io.StringIO())


@pytest.fixture(scope="module")
def credit(root):
    """Two models on real decisions, with groups, prices and a policy."""
    return vd.evaluate(
        root / "examples" / "credit" / "hmda_scores.csv",
        ["roc_auc", "brier", "ece", "log_loss", "cost.best_threshold", "precision"],
        label="denied",
        score=["p_logistic", "p_boosting"],
        groups=["black"],
        costs=vd.Costs(fn=850, fp=25, review=5, currency="USD"),
        policy="metric-standard",
    )


@pytest.mark.parametrize("shown", [terminal, markdown])
def test_everything_is_said(credit, shown):
    text = shown(credit).replace("\\", "")
    interval = credit["p_logistic", "roc_auc"].interval
    for words in (
        "2,380 rows, 285 positive (12.0%)",
        "0.8219",
        f"{interval.low:.4f} to {interval.high:.4f}",
        "By black",
        "Cost in USD",
        "one false alarm costs 30 in all",
        "prevalence 0.1197",
        "on the same rows",
        "p_logistic better",
        "no difference shown",
        "policy metric-standard",
        "not met",
        "Not measured",
        "no_threshold",
        "flatters it",
        "seed 0",
        f"data sha256 {credit.source['sha256'][:12]}",
        f"veridical {vd.__version__}",
    ):
        assert words in " ".join(text.split()), words


def test_companions_stand_beside_roc_auc(credit):
    titles = [line.split("  ")[0] for line in terminal(credit).splitlines()]
    first = titles.index("ROC-AUC")
    below = [t for t in titles[first + 1 :] if t and not t.startswith(" ")]
    assert below[:3] == ["Average precision", "Recall at FPR 0.0001", "Recall at FPR 0.001"]


def test_a_vacuous_target_is_marked(credit):
    # Always saying the base rate has no calibration error at all, so this target means nothing.
    (line,) = [x for x in terminal(credit.subject("p_logistic")).splitlines() if "ece at most" in x]
    assert line.endswith("vacuous")


def test_the_page_and_the_table_say_the_same(credit):
    payload = report_payload(credit)
    assert payload["title"] == "hmda_scores.csv"
    assert [s["name"] for s in payload["subjects"]] == ["p_logistic", "p_boosting"]
    assert payload["costs"]["false_alarm"] == "30"
    assert payload["subjects"][0]["named_thresholds"][0]["name"] == "cheapest"
    assert payload["metrics"]["binary.average_precision"]["baseline"] == pytest.approx(285 / 2380)
    assert payload["policy"]["verdict"] == "not met"
    assert len(payload["comparisons"]) == len(credit.comparisons)


def test_the_cheapest_point_costs_what_the_metric_says(credit):
    for subject in report_payload(credit)["subjects"]:
        named = {point["name"]: point["threshold"] for point in subject["named_thresholds"]}
        (point,) = [p for p in subject["points"] if p["threshold"] == named["cheapest"]]
        assert point["cost"] == credit[subject["name"], "cost.best_threshold"].value


def test_a_group_is_shown_as_a_whole_of_its_own(credit):
    group = credit.subject("p_logistic").group("black=yes")
    text = terminal(group)
    assert "black=yes" in text
    assert "339 rows, 96 positive" in text
    assert "339 rows" in repr(group)
    payload = report_payload(group)
    assert payload["passport"]["rows"] == 339
    assert {result["group"] for result in payload["results"]} == {None}
    assert payload["subjects"][0]["positives"] == 96


def test_repr_is_short_and_plain(credit):
    lines = repr(credit.subject("p_logistic")).splitlines()
    assert lines[0].endswith("2,380 rows, 285 positive (12.0%)")
    assert "\x1b" not in repr(credit)
    assert max(map(len, lines)) <= 100


def test_one_class_and_no_interval_are_shown():
    ev = vd.evaluate({"y": [0, 0], "s": [0.1, 0.2]}, label="y", score="s")
    text = terminal(ev)
    assert "no_positives" in text
    assert "0 positive (0.00%)" in text


def test_no_rows_at_all():
    ev = vd.evaluate({"y": [], "s": []}, label="y", score="s")
    assert "0 rows" in terminal(ev)
    assert "no_rows" in terminal(ev)
    assert "no\\_rows" in markdown(ev)
    assert "skipped" in repr(ev)


def test_charts_are_matplotlib_axes(credit):
    pytest.importorskip("matplotlib").use("agg")
    for name in ("roc", "precision_recall", "pr", "cost", "reliability"):
        assert getattr(credit.plot, name)().get_xlabel()
