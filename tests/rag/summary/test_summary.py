"""The summary of a RAG run: values worked by hand, counts that add up, bytes that stay."""

import dataclasses
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rag.attempts import (
    ANSWERED,
    ERROR,
    FAILED,
    JUDGED,
    UNJUDGED,
    Attempted,
    Case,
    Outcome,
    evaluated,
    records_of,
)
from veridical import strict_json
from veridical.errors import FileFormatError, InternalError, MismatchError
from veridical.rag.conservation import check_ledger, check_result
from veridical.rag.outcomes import STATES
from veridical.rag.summary import summarise
from veridical.stats.proportions import wilson
from veridical.store import Store, Units
from veridical.summaries import CaseOutcomes

GROUNDED = "generation.groundedness"
EXACT = "echo.exact_match"
OVER = "robustness.overrefusal"
PENDING = Outcome("pending")
NO_CLAIMS = Outcome("not_applicable", reason="no_claims")


def test_mean_percentiles_and_every_count():
    column = [0.1, 0.2, 0.3, 0.4, None, NO_CLAIMS, ERROR, "failed", "failed"]
    ev = evaluated({GROUNDED: column}, JUDGED)
    result = ev[GROUNDED]
    # Nearest rank of 4 values: ceil(0.5 * 4) = 2nd, ceil(0.95 * 4) = 4th.
    assert (result.value, result.n, result.n_rows) == (0.25, 4, 9)
    assert (result.conditions["p50"], result.conditions["p95"]) == (0.2, 0.4)
    assert result.counts == {
        "n_skipped": 1,
        "n_skipped_no_answer": 1,
        "n_not_applicable": 1,
        "n_judge_errors": 1,
        "n_case_errors": 2,
        "n_errors": 3,
        "n_pending": 0,
    }


@pytest.mark.parametrize(
    ("n", "p50", "p95"), [(1, 1, 1), (2, 1, 2), (3, 2, 3), (20, 10, 19), (21, 11, 20)]
)
def test_percentiles_are_values_at_the_nearest_rank(n, p50, p95):
    result = evaluated({"retrieval.mrr": [at / 100 for at in range(n, 0, -1)]})["retrieval.mrr"]
    assert (result.conditions["p50"], result.conditions["p95"]) == (p50 / 100, p95 / 100)


def test_zeros_and_ones_have_wilsons_interval():
    result = evaluated({EXACT: [1.0] * 9 + [0.0]})[EXACT]
    expected = wilson(9, 10)
    assert (result.interval.low, result.interval.high) == (expected.low, expected.high)
    # An interval over nothing but successes is no point.
    assert evaluated({EXACT: [1.0] * 10})[EXACT].interval.low < 0.8


def test_repeats_of_a_case_are_no_more_cases():
    twenty = dataclasses.replace(UNJUDGED, repeats=20)
    values = [float(case % 2) for case in range(10) for _ in range(20)]
    many = evaluated({EXACT: values}, twenty, repeats=20)[EXACT]
    once = evaluated({EXACT: values[::20]})[EXACT]
    assert (many.value, many.n) == (0.5, 200)
    assert many.interval.width > 0.8 * once.interval.width
    assert many.interval.method == "bootstrap-percentile"


@pytest.mark.parametrize(
    ("column", "reason", "said"),
    [
        ([None, None], "no_answer", "2 of 2"),
        ([Outcome("skipped", reason="no_judge")], "no_judge", "1 of 1"),
        ([NO_CLAIMS], "no_claims", "1 of 1"),
        (["failed", ERROR, "failed"], "errors", "3 of 3 cases: the pipeline or the judge failed, "),
        (["failed", "failed", None], "errors", "2 of 3 cases"),
        ([ERROR, Outcome("skipped", reason="wrong_case_kind")], "errors", "1 of 2 cases"),
        ([PENDING, PENDING, ERROR], "pending", "2 of 3 cases: they have not been asked yet"),
        (
            [Outcome("skipped", reason="wrong_case_kind")] * 5
            + [Outcome("skipped", reason="no_citation")],
            "no_citation",
            "1 of 6",
        ),
    ],
)
def test_where_nothing_is_scored_there_is_no_value_but_a_reason(column, reason, said):
    result = evaluated({GROUNDED: column}, JUDGED)[GROUNDED]
    assert not result.ok
    assert str(result.reason) == reason
    assert said in result.detail
    assert result.to_dict()["value"] is None


OTHER_KIND = Outcome("skipped", reason="wrong_case_kind")


@pytest.mark.parametrize(
    ("kinds", "column", "reason", "said"),
    [
        # Nobody of the run's cases is unanswerable: another run would say as little.
        (["qa", "qa", "injection"], ["failed", OTHER_KIND, "failed"], "wrong_case_kind", "3 of 3"),
        (["qa", "qa"], [PENDING, OTHER_KIND], "wrong_case_kind", "2 of 2"),
        (["qa"] * 2 + ["unanswerable"], ["failed", OTHER_KIND, "failed"], "errors", "1 of 3"),
        (["qa"] * 2 + ["unanswerable"], [PENDING, OTHER_KIND, PENDING], "pending", "1 of 3"),
        (["qa"] * 3 + ["unanswerable"], ["failed"] * 3 + [None], "no_answer", "1 of 4"),
    ],
)
def test_a_case_of_another_kind_is_no_reason_to_run_again(kinds, column, reason, said, tmp_path):
    ev = evaluated({"robustness.abstention": column}, JUDGED, kinds=kinds)
    result = ev["robustness.abstention"]
    assert (str(result.reason), said in result.detail) == (reason, True)
    # It is counted all the same, where it failed.
    assert result.counts["n_case_errors"] == column.count("failed")
    assert result.counts["n_pending"] == column.count(PENDING)
    assert not [r for r in ev.results if r.group in {"kind=qa", "kind=injection"}]
    with Store(tmp_path / "runs.db") as store:
        read = store.load(ev.save(store=store).id)
        assert [r.reason for r in read.refinalised().results] == [r.reason for r in ev.results]


outcomes = st.sampled_from(
    [0.0, 0.25, 1.0, None, NO_CLAIMS, ERROR, PENDING, "failed",
     Outcome("skipped", reason="no_citation")]
)  # fmt: skip


@given(st.lists(st.tuples(outcomes, outcomes), min_size=1, max_size=12), st.randoms())
def test_the_ledger_adds_up_and_no_order_shows(rows, shuffled):
    columns = {GROUNDED: [a for a, _ in rows], "retrieval.mrr": [b for _, b in rows]}
    kinds = [("qa", "unanswerable")[at % 2] for at in range(len(rows))]
    records = records_of(columns, kinds=kinds)
    ev = summarise(records, conditions=JUDGED)
    for result in ev.results:
        counts = result.counts
        parts = ("n_skipped", "n_not_applicable", "n_judge_errors", "n_case_errors", "n_pending")
        assert result.n + sum(counts[name] for name in parts) == result.n_rows
        by_reason = [n for name, n in counts.items() if name.startswith("n_skipped_")]
        assert sum(by_reason) == counts["n_skipped"]
    written = strict_json.canonical(ev.to_dict())
    assert b"NaN" not in written
    shuffled.shuffle(records)
    assert strict_json.canonical(summarise(records, conditions=JUDGED).to_dict()) == written


def test_what_a_call_took_is_in_nothing():
    records = records_of({EXACT: [1.0, 0.0]})
    reply = dataclasses.replace(ANSWERED, latency_s=9.5, attempts=4)
    slow = [dataclasses.replace(record, reply=reply) for record in records]
    one, two = (summarise(found, conditions=UNJUDGED) for found in (records, slow))
    assert one.to_dict() == two.to_dict()
    assert one.units().to_bytes() == two.units().to_bytes()


def record(outcome, reply=ANSWERED, case="c", repeat=1, metric=EXACT):
    return Attempted(Case(id=case, question="?"), repeat, reply, outcomes={metric: outcome})


@pytest.mark.parametrize(
    "records",
    [
        [record(Outcome("scored", 1.0)), record(Outcome("scored", 1.0))],
        [record(Outcome("scored", 1.0), repeat=2)],
        [record(Outcome("scored", 1.0), FAILED)],
        [record(Outcome("scored", 1.0), None)],
        [record(Outcome("skipped", reason="no_answer"), FAILED)],
        [record(PENDING, None), record(PENDING, None, case="d", metric=OVER)],
    ],
)
def test_a_ledger_that_cannot_be_is_a_fault_of_ours(records):
    with pytest.raises(InternalError) as found:
        check_ledger(records, 1)
    assert found.value.exit_code == 70


@pytest.mark.parametrize("name", ["n_skipped", "n_case_errors", "n_skipped_no_answer"])
def test_counts_that_do_not_add_up_are_a_fault_of_ours(name):
    column = [1.0, None, "failed"]
    result = evaluated({EXACT: column})[EXACT]
    states = Counter(("scored", "skipped", "case_error"))
    check_result(result, states)
    wrong = dataclasses.replace(result, counts={**result.counts, name: 7})
    with pytest.raises(InternalError, match="add up"):
        check_result(wrong, states)


def test_conditions_hold_what_can_move_a_value_and_no_more():
    columns = {GROUNDED: [1.0, 0.0], "retrieval.ndcg@3": [1.0, 0.5], OVER: [0.0, 1.0]}
    ev = evaluated(columns, JUDGED)
    grounded, ndcg, over = (ev[metric].conditions.settings for metric in columns)
    assert {"judge_model", "judge", "prompt_sha256", "dataset_sha256"} <= grounded.keys()
    assert "source_match" not in grounded
    assert (ndcg["source_match"], ndcg["k"]) == ("chunk", 3)
    assert "judge_model" not in ndcg
    assert over["abstention"] == "judge"
    assert evaluated(columns)[OVER].conditions["abstention"] == "heuristic"


def test_graded_gains_are_a_condition():
    values = {"retrieval.ndcg@3": [1.0, 0.5], "retrieval.mrr": [1.0, 0.5]}
    plain, graded = records_of(values), records_of(values)
    graded[1] = dataclasses.replace(
        graded[1], case=dataclasses.replace(graded[1].case, graded=True)
    )
    one, other = (summarise(found, conditions=UNJUDGED) for found in (plain, graded))
    ndcg = "retrieval.ndcg@3"
    assert "graded" not in one[ndcg].conditions.settings
    assert other[ndcg].conditions["graded"] is True
    assert one[ndcg].conditions.differences(other[ndcg].conditions) == ["graded"]
    assert "graded" not in other["retrieval.mrr"].conditions.settings


def test_groups_leave_out_metrics_of_other_kinds():
    other = Outcome("skipped", reason="wrong_case_kind")
    columns = {OVER: [0.0, 1.0, other], GROUNDED: [1.0, 0.5, 0.0]}
    ev = evaluated(columns, JUDGED, kinds=["qa", "qa", "injection"])
    found = {(r.group, r.metric): r.value for r in ev.results if r.group}
    assert found == {
        ("kind=qa", OVER): 0.5,
        ("kind=qa", GROUNDED): 0.75,
        ("kind=injection", GROUNDED): 0.0,
    }


def test_flags_are_counted():
    flagged = Outcome("scored", 0.0, flags=("sentinel_in_refusal",))
    ev = evaluated({EXACT: [flagged, flagged, 1.0]})
    assert dict(ev[EXACT].conditions["flags"]) == {"sentinel_in_refusal": 2}


def test_units_hold_a_value_and_a_state_for_each_case():
    twice = dataclasses.replace(UNJUDGED, repeats=2)
    column = [1.0, 0.5, None, 0.25, "failed", "failed"]
    units = evaluated({EXACT: column}, twice, repeats=2).units()
    read = Units.from_bytes(units.to_bytes())
    values = read.column("value", EXACT)
    assert values.tolist() == [0.75, 0.25, None]
    assert read.column("state", EXACT).tolist() == ["scored", "scored", "case_error: timeout"]


def test_a_stored_run_gives_its_results_back(tmp_path):
    ev = evaluated({EXACT: [1.0, 0.5, None], GROUNDED: [None, None, None]}, JUDGED)
    with Store(tmp_path / "runs.db") as store:
        run = ev.save("nightly", store=store)
        read = store.load(run.id)
        assert (read.kind, read.data_sha256) == ("rag", JUDGED.dataset_sha256)
        assert read.evaluation.to_dict() == ev.to_dict() == read.document
        kept = {one["metric"]: CaseOutcomes.from_dict(one["summary"]) for one in read.summaries}
        assert kept[EXACT].values == [1.0, 0.5]
        again = read.refinalised()
        assert [r.value for r in again.results] == [r.value for r in ev.results]


rows = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 2), st.sampled_from(STATES)),
    unique_by=lambda row: row[:2],
    max_size=10,
).map(
    lambda found: [
        (case, n, state, 0.5 if state == "scored" else None, "") for case, n, state in found
    ]
)


@given(rows, st.integers(0, 10), st.booleans())
def test_outcomes_merge_in_any_order(found, at, elsewhere):
    valued = {row[0] for row in found if row[2] == "scored"}
    cases = {row[0] for row in found} - valued if elsewhere else ()
    whole = CaseOutcomes.of(found, cases)
    one, two = CaseOutcomes.of(found[:at], cases), CaseOutcomes.of(found[at:], cases)
    assert one + two == whole or (one + two).to_dict() == whole.to_dict()
    assert (two + one).sha256 == whole.sha256
    again = CaseOutcomes.from_dict(strict_json.loads(strict_json.dumps(whole.to_dict())))
    assert (again.rows, again.elsewhere) == (whole.rows, whole.elsewhere)


@pytest.mark.parametrize("elsewhere", ["c", 5, ["nobody"], ["scored"], [[]]])
def test_cases_of_another_kind_have_no_value(elsewhere):
    rows = [("c", 1, "case_error", None, "timeout"), ("scored", 1, "scored", 1.0, "")]
    form = CaseOutcomes.of(rows, ["c"]).to_dict()
    assert CaseOutcomes.from_dict(form).elsewhere == {"c"}
    with pytest.raises(FileFormatError, match="another kind"):
        CaseOutcomes.from_dict(form | {"elsewhere": elsewhere})


def test_a_case_cannot_count_twice():
    one = CaseOutcomes.of([("c", 1, "scored", 1.0, "")])
    with pytest.raises(MismatchError, match="stands twice"):
        one + one


def test_ten_thousand_cases_are_summarised_at_once():
    values = np.random.default_rng(0).integers(0, 5, 10_000) / 4
    ev = evaluated({"retrieval.mrr": values.tolist()})
    assert ev["retrieval.mrr"].n == 10_000
