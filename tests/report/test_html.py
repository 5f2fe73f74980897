"""The page as text: policy, escapes, determinism, degenerate content."""

import json
import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.documents import Page, assert_asks_for_nothing, assert_policy
from tests.report.payloads import HOSTILE, measured, payload, score_table, subject
from veridical.report.html import render_report
from veridical.report.operating_points import operating_points
from veridical.report.page_data import embedded_json, page_data
from veridical.report.visible import inert
from veridical.results import Skipped
from veridical.summaries import ScoreTable


@pytest.fixture(scope="module")
def html():
    return render_report(payload())


@pytest.fixture(scope="module")
def page(html):
    return Page(html)


def test_the_policy_allows_the_page_and_nothing_else(page):
    assert_policy(page)


def test_nothing_is_asked_from_anywhere(page):
    assert_asks_for_nothing(page)


def test_hostile_names_are_text_everywhere(html):
    assert HOSTILE not in html
    assert html.count("&lt;img src=x onerror=window.pwned=1&gt;") > 15


TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(st.text(st.characters(exclude_categories=[])))
def test_embedded_json_reads_back_and_never_leaves_its_element(name):
    text = embedded_json({"name": name, "by name": {name: 1}})
    assert not set("<>&\u2028\u2029") & set(text)
    found = json.loads(text)
    read = found["name"]
    assert read == inert(name)
    assert [*found["by name"]] == [read]
    assert not [c for c in read if unicodedata.bidirectional(c) in TURNING or c in "\x1b\x00"]


@settings(max_examples=8)
@given(st.text(st.characters(exclude_categories=[]), min_size=1))
def test_any_name_gives_a_page_that_can_be_written(name):
    page = render_report(payload((name, f"{name}2")))
    page.encode("utf-8")


def test_the_same_payload_gives_the_same_bytes(html):
    assert render_report(payload()) == html


def test_a_date_is_printed_only_when_given(html):
    assert "Made on" not in html
    dated = payload()
    dated["passport"]["created"] = "2026-01-31"
    assert "2026-01-31" in render_report(dated)


def visible(html):
    return re.sub(
        r"\s+", " ", re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
    )


def test_values_stand_in_the_page_without_any_script(html):
    text = visible(html)
    assert "0.8765" in text
    assert f"{0.8765 * 0.9:.4f} to {0.8765 * 1.1:.4f}" in text
    assert "no_threshold" in text
    assert "give threshold= (on the command line --threshold)" in text
    assert "+0.0222" in text
    assert "0.0246" in text
    assert "A false alarm costs 30 USD in all" in text


def test_standard_operating_points_are_those_of_the_score_table(html):
    counts = score_table(seed=5).at(0.5)
    row = f"in use 0.5 {counts.flagged} {counts.tp} {counts.fp} {counts.fn} {counts.tn} "
    assert row in visible(html)


def test_accuracy_never_comes_first(html):
    section = html[html.index('id="metrics"') :]
    assert section.index("binary.roc_auc") < section.index("binary.accuracy")


def test_page_data_has_one_entry_for_each_point():
    content = payload()
    for described, given_subject in zip(
        page_data(content)["subjects"], content["subjects"], strict=True
    ):
        points = given_subject["points"]
        columns = [v for v in described.values() if isinstance(v, list)]
        assert {len(column) for column in columns} == {len(points)}
        assert described["tp"] == [p["tp"] for p in points]
        assert described["cost"] == [p["cost"] for p in points]
        assert described["precision"][0] is None


def test_without_subjects_and_results_the_page_still_says_what_was_read():
    empty = payload(subjects=[], results=[], comparisons=[])
    assert "No metric was asked for." in render_report(empty)


@pytest.mark.parametrize("positive", [True, False])
def test_one_class_draws_what_is_defined(positive):
    table = ScoreTable.from_rows(np.full(4, positive), np.array([0.1, 0.2, 0.3, 0.4]))
    html = render_report(payload(("p",), subjects=[subject("p", table)]))
    assert "Undefined: it needs rows of both classes." in visible(html)
    assert ("Undefined: there is no positive row." in visible(html)) is not positive


def test_no_rows():
    html = render_report(payload(("p",), subjects=[subject("p", ScoreTable.empty())]))
    assert "undefined" in visible(html)


def test_infinite_scores_are_thresholds_too():
    scores = np.array([-np.inf, 0.0, 2.0, np.inf])
    table = ScoreTable.from_rows(np.array([False, False, True, True]), scores)
    described = subject("p", score_table()) | {
        "points": operating_points(table),
        "named_thresholds": [{"name": "in use", "threshold": float("inf")}],
        "reliability": [],
    }
    content = payload(("p",), subjects=[described])
    assert page_data(content)["subjects"][0]["threshold"][1] == "\N{INFINITY}"
    assert page_data(content)["subjects"][0]["x"] == [None, None, 2.0, 0.0, None]
    assert "in use \N{INFINITY}" in visible(render_report(content))


def test_thousands_of_groups_show_the_largest_and_count_the_rest():
    many = [measured("binary.roc_auc", 0.5, "p", group=f"g={i}", n_rows=i) for i in range(1000)]
    text = visible(render_report(payload(("p",), results=many)))
    assert "g=999 " in text
    assert "g=960 " in text
    assert "g=959 " not in text
    assert "The 960 smallest groups are not shown." in text


def test_skips_are_told_once_for_all_their_places():
    many = [
        Skipped("no_positives", metric="binary.recall", subject="p", group=f"g={i}", n_rows=1)
        for i in range(50)
    ]
    text = visible(render_report(payload(("p",), results=[m.to_dict() for m in many])))
    assert "and 44 more" in text
