"""The page of a RAG run as text: evidence, counts, escapes, samples, what was not kept."""

import csv
import dataclasses
import io
import json
import re
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from tests.rag.attempts import Answer, Case, Reply, scored
from tests.rag.report.pages import evaluation, grounded_case, records
from tests.report.documents import Page, assert_asks_for_nothing, assert_policy
from tests.report.payloads import HOSTILE
from veridical.rag.exports import cases_csv, cases_junit, report_document
from veridical.rag.showing import shown_case, worst_first
from veridical.rag.terminal import rag_text
from veridical.report.rag_page import errors_by_code, rag_html
from veridical.report.titles import title


@pytest.fixture(scope="module")
def ev():
    return evaluation()


@pytest.fixture(scope="module")
def cases(ev):
    return worst_first(ev.records)


@pytest.fixture(scope="module")
def html(ev, cases):
    return rag_html(ev, cases)


def text_of(html):
    return unescape(
        re.sub(
            r"\s+",
            " ",
            re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]+>", " ", html, flags=re.DOTALL),
        )
    )


def test_the_page_asks_for_nothing_and_runs_nothing_of_others(html):
    page = Page(html)
    assert_policy(page)
    assert_asks_for_nothing(page)
    assert HOSTILE not in html
    assert html.count("onerror") == html.count("&lt;img src=x onerror")


def test_every_claim_is_one_click_away_with_its_verdict_chunks_and_quote(html):
    body = text_of(html)
    for part in (
        "Claims: 1 of 2 supported",
        "The fee is 2 euros. supported d1#0 2 euros",
        "not supported",
        "quote not found",
        "cited outside retrieved",
        "partial",
        "Odd indeed.",
    ):
        assert part in body
    # Nothing that holds a claim is inside a second <details>.
    opened = html[html.index('<details class="case') :]
    claim = opened.index("Claims: 1 of 2")
    before = opened[:claim]
    assert before.count("<details") - before.count("</details") == 1


def test_hits_and_citations_are_marked(html, cases):
    fee = next(case for case in cases if case.id == "fee")
    assert [(chunk.hit, chunk.cited) for chunk in fee.chunks] == [(True, True), (False, False)]
    assert text_of(html).count(" expected cited The fee is 2 euros a month.") == 1


def test_a_document_is_a_hit_where_documents_are_matched():
    record = grounded_case()
    case = dataclasses.replace(record.case, expected_sources={"d1": 1.0})
    record = dataclasses.replace(record, case=case)
    assert [c.hit for c in shown_case(record, "document").chunks] == [True, False]
    assert [c.hit for c in shown_case(record, "chunk").chunks] == [False, False]


def test_every_row_of_the_ledger_adds_up(ev, html):
    body = html[html.index('id="ledger"') : html.index('id="groups"')]
    rows = re.findall(r'<tr><th scope="row".*?</tr>', body, re.DOTALL)
    assert len(rows) == 13
    for row in rows:
        *parts, total = map(int, re.findall(r'class="number[^>]*>(\d+)</td>', row))
        assert sum(parts) == total == len(ev.records)


def test_overrefusal_stands_beside_abstention(ev, html):
    names = [result.metric for result in ev.results if result.group is None]
    assert names.index("robustness.overrefusal") == names.index("robustness.abstention") + 1
    assert re.search(r"Abstention\s+[\d.]+.*\n\s*Overrefusal\s+[\d.]+", rag_text(ev))


def test_the_terminal_says_why_there_is_no_interval(ev):
    bare = [title(one.metric) for one in ev.results if "no_interval_uniform" in one.notes]
    said = " ".join(rag_text(ev).split())
    told = f"{', '.join(dict.fromkeys(bare))}: no interval: all units say the same"
    assert bare
    assert told in said


def test_flags_are_told_in_words(html):
    assert "1 quote not found" in text_of(html)
    assert "1 sentinel in refusal" in text_of(html)
    assert "{'" not in text_of(html)


def test_errors_are_told_by_code(cases):
    rows = {(row["state"], row["code"]): row for row in errors_by_code(cases)}
    assert rows.keys() == {("case_error", "timeout"), ("judge_error", "schema")}
    assert rows["case_error", "timeout"]["ids"] == ["late"]
    assert len(rows["case_error", "timeout"]["metrics"]) == 13
    assert rows["judge_error", "schema"]["metrics"] == ["Groundedness"]


def test_the_worst_come_first(cases):
    assert cases[0].id == "late"
    assert [case.badness for case in cases] == sorted((c.badness for c in cases), reverse=True)


def test_the_terminal_tells_the_table_errors_and_worst_cases(ev, cases):
    told = rag_text(ev, cases)
    assert "case error timeout: 1 case (late)" in told
    assert "the call failed: timeout: no answer within 60 s" in told
    assert told.index("Errors, by code") < told.index("The worst cases")
    assert "\x1b" not in told


def test_a_long_run_shows_the_worst_and_says_so(ev, cases):
    html = rag_html(ev, cases, most=2)
    assert "The 2 worst of 5 are shown in full" in text_of(html)
    assert html.count('<details class="case') == 2


def test_long_texts_are_cut_and_that_is_said():
    case = Case(id="long", question="Q" * 7_000)
    ev = evaluation([scored(case, Reply(Answer("A" * 10_000_000)), judge=True)])
    html = rag_html(ev, worst_first(ev.records))
    assert "and 1,000 more characters" in html
    assert len(html) < 600_000


@pytest.mark.parametrize(("texts", "said"), [("hashed", "hashes stand"), ("none", "are empty")])
def test_what_was_not_kept_is_said(ev, cases, texts, said):
    assert said in rag_html(ev, cases, texts=texts)
    assert said in rag_text(ev, cases, texts=texts)
    assert "not kept" not in rag_text(ev, cases)


def test_csv_has_a_row_a_case_and_metric(ev, cases):
    rows = list(csv.DictReader(io.StringIO(cases_csv(cases))))
    assert len(rows) == 5 * 13
    states = {(row["case"], row["metric"]): row for row in rows}
    grounded = states["fee", "generation.groundedness"]
    assert (grounded["state"], float(grounded["value"])) == ("scored", 0.5)
    assert states["late", "echo.exact_match"]["value"] == ""
    assert states["odd", "generation.groundedness"]["reason"] == "schema"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\r=1", "\uff1d1"])
def test_no_text_in_csv_is_a_formula(name):
    case = Case(id=name, question="?", tags=("=2",))
    record = scored(case, Reply(Answer("yes")), judge=False)
    rows = list(csv.DictReader(io.StringIO(cases_csv([shown_case(record)]), newline="")))
    assert {row["case"] for row in rows} == {f"'{name}"}
    assert {row["tags"] for row in rows} == {"'=2"}
    # A negative number would be a number.
    assert all(re.fullmatch(r"[\d.]*", row["value"]) for row in rows)


def test_junit_has_a_suite_a_metric(ev, cases):
    suites = ET.fromstring(cases_junit(ev, cases))  # noqa: S314 - our own
    assert len(suites) == 13
    for suite in suites:
        tags = [child.tag for case in suite for child in case]
        assert int(suite.get("tests")) == 5 == len(tags)
        assert int(suite.get("errors")) == tags.count("error") >= 1
        assert int(suite.get("skipped")) == tags.count("skipped")
    grounded = next(s for s in suites if s.get("name") == "generation.groundedness")
    assert grounded.get("errors") == "2"


def test_hostile_text_stays_legal_xml(ev):
    case = Case(id="a\x00\ud800\x1b]b", question="?")
    found = [scored(case, Reply(Answer("yes")), judge=False)]
    ET.fromstring(cases_junit(evaluation(found), [shown_case(found[0])]))  # noqa: S314 - our own


def test_the_document_holds_results_and_evidence(ev, cases):
    document = json.loads(json.dumps(report_document(ev.to_dict(), cases)))
    assert document["schema"] == "veridical.rag_report/1"
    assert document["evaluation"]["schema"] == "veridical.evaluation/1"
    fee = next(case for case in document["cases"] if case["id"] == "fee")
    assert fee["claims"][1]["flags"] == ["quote_not_found"]
    assert fee["replies"][0]["raw"] == [f'{{"claims": "{HOSTILE}"}}']


def test_the_report_is_a_function_of_the_records(ev):
    again = evaluation(list(reversed(records())))
    assert rag_html(again, worst_first(again.records)) == rag_html(ev, worst_first(ev.records))


def test_a_judge_is_described_without_what_is_empty(ev):
    judge = {
        "model": "m",
        "served": [],
        "endpoint": "http://127.0.0.1:1/v1",
        "parameters": {"temperature": 0.0, "language": "en"},
        "dropped": ["seed", "top_p"],
    }
    page = rag_html(dataclasses.replace(ev, source={**ev.source, "judge": judge}), ())
    text = unescape(re.sub(r"<[^>]+>", " ", page))
    assert "served" not in text.partition("How good are the answers?")[0]
    for line in ("endpoint http://127.0.0.1:1/v1", "temperature 0.0", "dropped seed, top_p"):
        assert line in text


def test_grades_are_no_warning():
    case = Case(id="g", question="How much?", expected_sources={"a": 2.0}, graded=True)
    shown = shown_case(scored(case, Reply(Answer("2 euros", (), ()))), source_match="chunk")
    assert "graded" in {flag for one in shown.outcomes for flag in one.flags}
    assert shown.flags == ()
