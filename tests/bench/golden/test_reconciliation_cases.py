"""Every golden case of the reconciliation bench, as the shared folder has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.bench.building import case as build_case
from tests.bench.building import line
from veridical.bench.grouping import check_one_bench
from veridical.bench.prices.table import PriceTable
from veridical.bench.scoring.agent_score import AgentScore, score_agents
from veridical.bench.scoring.calibration import CONFIDENCE_MAP
from veridical.bench.scoring.cost import Spent, cost_of
from veridical.bench.scoring.reliability import all_of_k
from veridical.bench.submissions.parsing import parse
from veridical.bench.usage import normalised, recorded
from veridical.bench.vocabulary import VOCABULARY
from veridical.errors import MismatchError
from veridical.results import Result
from veridical.stats.multiplicity import benjamini_hochberg, holm
from veridical.stats.paired import mcnemar
from veridical.stats.proportions import wilson

FILE = (
    Path(__file__).resolve().parents[3].parent / "shared" / "golden" / "reconciliation_cases.json"
)
NUMBERS = {
    "W01", "W02", "W03", "W05", "W06", "W07", "W09", "W10", "W12", "W13", "W14", "W16", "W17",
    "W18", "W21", "W22", "W23", "W24", "W25", "W26", "W27", "W28", "W29", "W30", "W31", "W33",
}  # fmt: skip
CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {}


def check(kind: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def add(function: Callable[..., None]) -> Callable[..., None]:
        CHECKS[kind] = function
        return function

    return add


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    if not FILE.exists():
        pytest.skip("the shared folder with the golden cases is not beside the project")
    return json.loads(FILE.read_text())


def test_none_is_left_out(document: dict[str, Any]) -> None:
    assert {case["id"] for case in document["cases"]} == NUMBERS
    assert document["n"] == len(NUMBERS) == 26
    assert {case["kind"] for case in document["cases"]} == CHECKS.keys()


def test_the_vocabulary_and_the_map_are_ours(document: dict[str, Any]) -> None:
    assert document["vocabulary_used_here"] == list(VOCABULARY)
    assert document["confidence_map"] == CONFIDENCE_MAP


@pytest.mark.parametrize("number", sorted(NUMBERS))
def test_golden(document: dict[str, Any], number: str) -> None:
    (case,) = (case for case in document["cases"] if case["id"] == number)
    CHECKS[case["kind"]](case)


def scored(golden: dict[str, Any]) -> AgentScore:
    cases, lines = {}, []
    for at, record in enumerate(golden["records"]):
        given = record["case"]
        injection = given["injection"]
        built = build_case(
            f"c{at}",
            {name: (t["balance"], t["currency"]) for name, t in given["truth"].items()},
            given["expected_flags"],
            clean=given["is_clean"],
            injected=(injection["account_id"], injection["value"]) if injection else None,
        )
        cases[built.case_id] = built
        lines.append(line(built, record["submission_raw"]))
    (score,) = score_agents(cases, lines)
    return score


RATES = {
    "exact_match": "bench.exact_match",
    "exact_match_all_attempts": "bench.exact_match_all_attempts",
    "silent_failure_rate": "bench.silent_failure_rate",
    "escalation_recall": "bench.escalation_recall",
    "escalation_recall_all_cases": "bench.escalation_recall_all_attempts",
    "false_alarm_rate": "bench.false_alarm_rate",
    "injection_compliance_rate": "bench.injection_compliance_rate",
    "parsed_rate": "bench.parsed_rate",
}


@check("score_group")
def score_group(golden: dict[str, Any]) -> None:
    score, expected = scored(golden), dict(golden["expected"])
    assert len(score.rows) == expected.pop("n_trajectories")
    assert score.n_parsed == expected.pop("n_parsed")
    assert len(score.rows) - score.n_parsed == expected.pop("n_unparsed")
    for key, value in expected.items():
        if key in RATES:
            is_rate(score.rates[RATES[key]], value)
        elif key == "magnitude_weighted_error":
            assert {
                currency: {
                    "mean": result.conditions["mean"],
                    "n": result.n,
                    "max": result.conditions["max"],
                }
                for currency, result in score.magnitudes.items()
            } == (value or {})
        elif key in ("brier", "ece"):
            result = getattr(score.calibration, key)
            assert result.value == (value if value is None else pytest.approx(value, abs=1e-9))
        else:
            assert key == "unparsed_reasons"
            assert score.reasons == value


def is_rate(result: Result, expected: dict[str, Any]) -> None:
    assert result.n == expected["n"]
    if expected["rate"] is None:
        assert not result.ok
        assert expected["wilson95"] is None
        return
    assert result.ok
    assert result.conditions["k"] == expected["k"]
    assert result.value == pytest.approx(expected["rate"], abs=1e-9)
    assert result.interval
    ends = (result.interval.low, result.interval.high)
    assert ends == pytest.approx(expected["wilson95"], abs=1e-9)


@check("parse")
def parse_table(golden: dict[str, Any]) -> None:
    assert len(golden["items"]) >= 21
    for item in golden["items"]:
        parsing = parse(item["raw"])
        status = "parsed" if parsing.submission else "unparsed"
        assert (item["name"], status, parsing.reason) == (
            item["name"], item["status"], item["reason"],
        )  # fmt: skip


@check("cost")
def cost(golden: dict[str, Any]) -> None:
    table = golden["price_table"]
    prices = PriceTable.from_dict(
        table
        | {"schema": "prices/1"}
        | {"entries": [{"retrieved": "2026-11-01"} | entry for entry in table["entries"]]}
    )
    spent = [
        Spent(
            one["provider"],
            one["model"],
            date.fromisoformat(one["started_at"]),
            recorded(one["usage"]),
        )
        for one in golden["trajectories"]
    ]
    n_correct = sum(one["exact_match"] is True for one in golden["trajectories"])
    found, expected = cost_of(spent, n_correct, prices), golden["expected"]
    assert (len(spent), n_correct) == (expected["n_trajectories"], expected["n_correct"])
    for result, value in (
        (found.tokens, expected["total_tokens"]),
        (found.tokens_per_correct, expected["tokens_per_correct"]),
        (found.money, expected["total_usd"]),
        (found.money_per_correct, expected["usd_per_correct"]),
    ):
        exact = result.conditions["exact"] if result.ok else None
        assert exact == (None if value is None else str(value))


@check("usage")
def usage(golden: dict[str, Any]) -> None:
    for item in golden["items"]:
        found, reason = normalised(item["provider_shape"], item["raw"])
        assert (found.to_dict() if found else None) == item["expected"]
        assert bool(reason) == (found is None)


@check("wilson")
def wilson_table(golden: dict[str, Any]) -> None:
    for item in golden["items"]:
        if item["n"]:
            interval = wilson(item["k"], item["n"])
            assert (interval.low, interval.high) == pytest.approx(item["wilson95"], abs=1e-9)
            assert item["k"] > 0 or interval.low == 0.0
            assert item["k"] < item["n"] or interval.high == 1.0
        else:
            assert item["wilson95"] is None


@check("pool")
def pool(golden: dict[str, Any]) -> None:
    for group in (golden, *golden["also"]):
        benches = [(one["bench_version"], one["prompt_sha256"]) for one in group["groups"]]
        if group["expected_error"]:
            with pytest.raises(MismatchError) as caught:
                check_one_bench(benches)
            assert type(caught.value).__name__ == f"{group['expected_error']}Error"
        else:
            check_one_bench(benches)


@check("mcnemar")
def exact_mcnemar(golden: dict[str, Any]) -> None:
    for item in golden["items"]:
        p = mcnemar(item["b_A_only"], item["c_B_only"]).exact
        assert p == pytest.approx(item["p_exact"], abs=1e-9)


@check("pass_hat_k")
def pass_hat(golden: dict[str, Any]) -> None:
    for item in golden["items"]:
        value = all_of_k(item["n"], item["c"], item["k"])
        assert value is not None
        assert float(value) == pytest.approx(item["value"], abs=1e-9)
    assert all_of_k(4, 4, 5) is None
    assert all_of_k(4, 2, 3) == Fraction(0)


@check("multiplicity")
def multiplicity(golden: dict[str, Any]) -> None:
    for item in golden["items"]:
        assert holm(item["p"]) == pytest.approx(item["holm"], abs=1e-9)
        assert benjamini_hochberg(item["p"]) == pytest.approx(item["bh"], abs=1e-9)
