"""The pages of comparisons, trends and verdicts as text: every number, escapes, no folders."""

import pytest

import veridical as vd
from tests.report.documents import Page, assert_asks_for_nothing, assert_policy
from tests.report.judged_runs import FOLDER, MADE
from tests.report.payloads import HOSTILE
from tests.report.test_unit_reports import visible_text
from veridical.comparison.runs import compare_recorded
from veridical.comparison.trend_table import trend_markdown
from veridical.comparison.trends import trend
from veridical.report.sections import number_text


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return {name: make(tmp_path_factory.mktemp(name)) for name, make in MADE.items()}


@pytest.fixture(params=MADE)
def page(request, made, tmp_path):
    path = made[request.param].report(tmp_path / "page.html")
    return made[request.param], path.read_text(encoding="utf-8")


def test_nothing_is_asked_for_and_names_are_text(page):
    _, html = page
    read = Page(html)
    assert_policy(read)
    assert_asks_for_nothing(read)
    assert HOSTILE not in html
    assert HOSTILE in visible_text(html)
    assert html.count("<script") == 1


def test_folders_are_left_out(page):
    assert FOLDER not in page[1]


def test_the_same_gives_the_same_bytes(page, tmp_path):
    found, html = page
    again = found.report(tmp_path / "again.html")
    assert again.read_text(encoding="utf-8") == html


def test_a_title_of_ones_own(made, tmp_path):
    for found in made.values():
        html = found.report(tmp_path / "page.html", title="<b>ours").read_text(encoding="utf-8")
        assert "<h1><bdi>&lt;b&gt;ours</bdi></h1>" in html


def test_every_comparison_stands_there(made, tmp_path):
    found = made["comparison"]
    text = visible_text(found.report(tmp_path / "c.html").read_text(encoding="utf-8"))
    for one in (*found.comparisons, *found.groups):
        assert one.metric in text
        won = {one.a: "the first is better", one.b: "the second is better"}
        assert won.get(one.winner, one.verdict.partition(" (p ")[0]) in text
        if one.difference.ok:
            sign = "+" if one.difference.value > 0 else ""
            assert sign + number_text(one.metric, one.difference.value) in text
    assert "allowed to differ: threshold, 0.4 and 0.5" in text
    assert "no outcomes of single units in common were kept" in text


def test_every_run_of_a_trend_stands_there(made, tmp_path):
    found = made["trend"]
    text = visible_text(found.report(tmp_path / "t.html").read_text(encoding="utf-8"))
    assert len(found.points) == 2
    for point in found.points:
        interval = point.result.interval
        told = f"{number_text(found.metric, interval.low)} to"
        assert number_text(found.metric, point.result.value) in text
        assert told in text
    (left,) = found.left_out
    assert (left.field, left.value, left.newest) == ("threshold", "0.4", "0.5")
    assert "Left out" in text
    assert "threshold 0.4 0.5" in text
    assert found.change.verdict in text


def test_a_trend_as_markdown(made):
    found = made["trend"]
    heading, _, head, align, *rows = trend_markdown(found).splitlines()
    assert heading.startswith("### Recall · &#60;img src=x onerror=")
    assert (head, align) == (
        "| made (UTC) | run | value | interval | n |",
        "| --- | --- | ---: | --- | ---: |",
    )
    for point, row in zip(found.points, rows, strict=False):
        assert f" | {number_text(found.metric, point.result.value)} | " in row
    assert rows[2] == ""
    assert rows[3].startswith("- last − first: ")
    assert rows[-2].startswith("- left out: ")
    assert rows[-1] == "- allowed to differ: data"


def test_every_rule_stands_there(made, tmp_path):
    verdict = made["gate"]
    text = visible_text(verdict.report(tmp_path / "g.html").read_text(encoding="utf-8"))
    assert {rule.verdict for rule in verdict.rules} == {"pass", "fail", "undecided"}
    for rule in verdict.rules:
        assert f"{rule.row.rule} {rule.verdict}" in text
        assert rule.why in text
    assert "minus the baseline: " in text
    assert "worst group: g=" in text
    assert "note: the board's <b>bound</b>" in text
    assert "Exit code 1" in text


def test_one_run_and_no_value(tmp_path):
    ev = vd.evaluate(
        {"y": [1, 1, 1], "p": [0.1, 0.2, 0.4]}, ["roc_auc", "brier"], label="y", score="p"
    )
    found = trend([ev], "roc_auc")
    text = visible_text(found.report(tmp_path / "t.html").read_text(encoding="utf-8"))
    assert "no_negatives" in text
    assert "one run alone shows no change" in text
    assert "made" not in text.lower().partition("made (utc)")[0].replace("made with", "")
    alone = compare_recorded(ev, ev, "roc_auc", subject="p", against="p")
    text = visible_text(alone.report(tmp_path / "c.html").read_text(encoding="utf-8"))
    assert "skipped: " in text


def test_two_files_of_one_name_keep_their_folders(tmp_path):
    paths = []
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "run.json")
        data = {"y": [1, 0] * 9, "p": [0.9, 0.2, 0.3] * 6}
        document = vd.evaluate(data, "roc_auc", label="y", score="p").to_dict()
        paths[-1].write_text(vd.strict_json.dumps(document), encoding="utf-8")
    found = compare_recorded(*paths)
    text = visible_text(found.report(tmp_path / "c.html").read_text(encoding="utf-8"))
    assert "old/run.json" in text
    assert "new/run.json" in text
