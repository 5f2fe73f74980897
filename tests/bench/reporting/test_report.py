"""A report of the shipped agents in all its forms."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest

from tests.bench.building import case, line, submission
from tests.bench.reporting import shipped
from veridical import strict_json
from veridical.bench.cases import InputFile
from veridical.bench.comparing import compare_agents
from veridical.bench.prices.table import PriceTable
from veridical.bench.prompting import hashes
from veridical.bench.reporting.comparison import comparison_text
from veridical.bench.reporting.data import BASELINE, BenchReport
from veridical.bench.reporting.limits import LIMITS
from veridical.bench.reporting.loading import report_of
from veridical.bench.reporting.page import bench_html
from veridical.bench.reporting.table import Table
from veridical.bench.reporting.tables import tables_of
from veridical.bench.reporting.terminal import bench_markdown, bench_text
from veridical.bench.scoring.agent_score import score_agents
from veridical.bench.scoring.grid import FEW_CASES
from veridical.results import Result

EVIL = "<img src=x onerror=pwned=1>|`**\x1b[31m\u202e"


def small(n: int = 3, *, agents: tuple[str, ...] = ("a",)) -> BenchReport:
    """Return a report of hand-made cases, in which all that others write is hostile."""
    cases, lines = {}, []
    for at in range(n):
        of = case(
            f"c{at}{EVIL}",
            {f"A1{EVIL}": ("1.00", "GBP")},
            template=EVIL,
            inputs=(InputFile.of(f"{EVIL}.csv", EVIL.encode()),),
        )
        cases[of.case_id] = of
        lines += [
            line(
                of,
                submission((f"A1{EVIL}", "2.00" if at else "1.00", "GBP"), flags=[EVIL] * (at % 2)),
                agent={"name": f"{name}{EVIL}", "version": EVIL, "config_sha256": EVIL},
                model_returned=EVIL,
                provider=EVIL,
                harness_version=EVIL,
            )
            for name in agents
        ]
    return BenchReport(
        suite=EVIL,
        cases=cases,
        agents=score_agents(cases, lines),
        hashes={"prompt sha256": EVIL},
        prices=PriceTable.empty(),
        harness_versions=[EVIL],
    )


def text_of(report: BenchReport) -> str:
    return bench_text(report, io.StringIO(), full=True)


def table(report: BenchReport, anchor: str) -> Table:
    return next(one for one in tables_of(report) if one.anchor == anchor)


def test_the_four_figures_stand_in_one_row_and_first():
    first = tables_of(shipped.report())[0]
    assert first.head == (
        "Agent", "Silent failure", "Exact match", "Escalation recall", "False alarms",
    )  # fmt: skip
    for row in first.rows:
        for cell in row[1:]:
            assert re.fullmatch(r"[01]\.\d{3} of \d+ \[[01]\.\d{3}, [01]\.\d{3}\]", cell)


@pytest.mark.parametrize("form", [text_of, bench_markdown, bench_html])
def test_every_form_has_the_baseline_the_limits_and_every_hash(form):
    report = shipped.report()
    text = " ".join(form(report).replace("\\", "").split())
    assert BASELINE in text
    for what, why in LIMITS:
        for words in (what, why):
            # Words are folded, and some are escaped: the first of them must be there in order.
            start = " ".join(words.split()[:4])
            assert start in text or start.replace("'", "&#39;") in text
    for sha256 in (*hashes().values(), shipped.part().manifest_sha256, report.prices.sha256):
        assert sha256 in text
    assert report.prices.version in text


def test_the_baseline_is_run_where_it_is_not_among_the_agents():
    of_one = [one for one in shipped.lines() if one.agent["name"] == "null"]
    report = report_of(of_one, shipped.part())
    assert [one.key.agent for one in report.agents] == ["null", BASELINE]
    assert [one.key.agent for one in report.asked] == ["null"]
    assert report.agents[1].rates["bench.parsed_rate"].value == 1.0
    with_it = [one for one in shipped.lines() if one.agent["name"] in ("null", BASELINE)]
    again = report_of(with_it, shipped.part())
    assert again.agents[1].headline() == report.agents[1].headline()


def test_who_bears_the_name_of_the_baseline_does_not_stand_in_for_it():
    of_one = [one for one in shipped.lines() if one.agent["name"] == "null"]
    named = [
        replace(one, agent={"name": BASELINE, "version": "1", "config_sha256": "a" * 64})
        for one in of_one
    ]
    report = report_of(named, shipped.part())
    assert report.labels == [f"{BASELINE} #1", f"{BASELINE} #2"]
    assert [one.key.config_sha256 for one in report.asked] == ["a" * 64]
    assert report.agents[1].rates["bench.exact_match"].value > 0


def results(report: BenchReport) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for one in report.agents:
        cost = one.cost
        every = {
            **one.rates,
            **{f"magnitude {name}": result for name, result in one.magnitudes.items()},
            "brier": one.calibration.brier,
            "ece": one.calibration.ece,
            "tokens": cost.tokens,
            "tokens per correct": cost.tokens_per_correct,
            "money": cost.money,
            "money per correct": cost.money_per_correct,
            "pass^1": one.pass_hat[0],
            "twin delta": one.twins.difference,
            **{f"accuracy {name}": r for name, r in one.calibration.levels.items()},
        }
        for name, result in every.items():
            found.setdefault(name, []).append(result)
    return found


def test_every_metric_takes_two_values_over_the_shipped_agents():
    for name, found in results(shipped.report()).items():
        values = {result.value for result in found}
        # One of them asks a model and can cost money; one obeys: beside theirs stands no value.
        alone = name.startswith("money") or name == "bench.silent_given_compliance"
        assert len(values if alone else values - {None}) > 1, name


def test_money_is_known_of_the_scripted_model_alone():
    for one in shipped.report().agents:
        priced = one.cost.money.ok
        assert priced is (one.key.agent == "scripted_chat")
        assert one.cost.unpriced == (() if priced else ("no model",))


def test_json_is_strict_and_has_what_can_be_computed_again_from():
    report = shipped.report()
    document = json.loads(strict_json.dumps(report.to_dict()), parse_constant=pytest.fail)
    assert document["baseline"] == BASELINE
    for one, score in zip(document["agents"], report.agents, strict=True):
        assert len(one["confidence_pairs"]) == score.n_parsed
        assert all(r["value"] is not None or r["skip"]["reason"] for r in one["results"])
    rows = report.rows()
    assert len(rows) == len(shipped.lines())
    assert {row["case_id"] for row in rows} == set(report.cases)


def test_a_small_cell_has_a_caveat_and_no_rank():
    few = table(small(3, agents=("a", "b")), "grid")
    assert [row[-2:] for row in few.rows] == [("3 (few)", ""), ("3 (few)", "")]
    many = table(small(FEW_CASES, agents=("a", "b")), "grid")
    assert [row[-2:] for row in many.rows] == [("20", "1"), ("20", "1")]
    assert [row[-1] for row in table(small(FEW_CASES), "grid").rows] == [""]


def test_one_case_is_opened_with_files_truth_and_answers():
    report = shipped.report()
    found = report.opened()
    assert found
    case_shown, rows = found
    silent = [one for one in report.asked if any(row.silent for row in one.rows)]
    assert any(row and row.silent for row in rows) is bool(silent)
    page = bench_html(report)
    for one in case_shown.inputs:
        assert f"<bdi>{one.name}</bdi>" in page
    for true in case_shown.truth.values():
        assert f"{true.balance:.2f} {true.currency}" in page


def test_what_others_wrote_stays_text():
    page = bench_html(small())
    assert "<img" not in page
    assert "onerror=pwned=1&gt;" in page
    assert "\x1b" not in text_of(small())
    assert "\u202e" not in text_of(small())
    assert "<img" not in bench_markdown(small())
    agents = small(agents=("a", "b")).agents
    assert "\x1b" not in comparison_text(compare_agents(*agents), io.StringIO())


def test_agents_of_one_name_are_told_apart():
    report = small(agents=("a",))
    twice = replace(report, agents=[*report.agents, *report.agents])
    assert len(set(twice.labels)) == 2


def test_who_answers_a_part_alone_is_said_to_beside_the_headline():
    cases = {f"c{at}": case(f"c{at}", {"A1": ("1.00", "GBP")}) for at in range(5)}
    right = submission(("A1", "1.00", "GBP"))
    picked = [
        line(cases["c0"], right),
        line(cases["c1"], "I will not say"),
        line(cases["c2"], None, outcome="infra_error"),
    ]
    every = [
        line(one, right, agent={"name": f"all{EVIL}", "version": "1", "config_sha256": "x"})
        for one in cases.values()
    ]
    report = replace(small(), cases=cases, agents=score_agents(cases, [*picked, *every]))
    lede = table(report, "metrics").lede
    assert "2 of 5 cases were asked to an end, 1 of 2 answers parsed" in lede
    assert "all<img" not in lede  # nothing is missing of it
    for form in (text_of(report), bench_markdown(report), bench_html(report)):
        assert "2 of 5 cases" in " ".join(form.split())
    ended = [one["n_cases_ended"] for one in report.to_dict()["agents"]]
    assert sorted(ended) == [2, 5]
    hostile = replace(report, agents=score_agents(cases, every[:1]))
    assert "\u202e" not in table(hostile, "metrics").lede
    assert "1 of 5 cases" in table(hostile, "metrics").lede


def test_an_agent_that_never_answered_is_shown_as_such():
    of = case("c1", inputs=(InputFile.of("a.csv", b"x"),))
    cases = {"c1": of}
    report = BenchReport(
        suite="s",
        cases=cases,
        agents=score_agents(cases, [line(of, None, outcome="infra_error")]),
        hashes={},
        prices=PriceTable.empty(),
        harness_versions=["1"],
    )
    for form in (bench_markdown, bench_html):
        assert "none: no submission parsed" in form(report)
    assert "none: no" in text_of(report)  # its cells take several lines
    assert report.opened() is None
