"""Runs of pipelines compared case by case: pairs, tests, what was lost, what is refused."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rag.attempts import ERROR, JUDGE, JUDGED, PROMPTS, UNJUDGED, Outcome, evaluated
from veridical import strict_json
from veridical.comparison.terminal import comparison_markdown, comparison_text
from veridical.errors import MismatchError, ParameterError
from veridical.rag.comparing import compare_rag
from veridical.stats.paired import mcnemar, permutation_test

GROUNDED = "generation.groundedness"
EXACT = "echo.exact_match"
OVER = "robustness.overrefusal"
ABSTAINED = "robustness.abstention"


def only(found):
    (one,) = found.comparisons
    return one


def compared(a, b, metric=EXACT, **given):
    return only(compare_rag(evaluated({metric: a}), evaluated({metric: b}), **given))


def test_zeros_and_ones_are_tested_by_mcnemar_on_the_cases_that_differ():
    # 9 cases only the first has right, 1 only the second, 5 both, 5 neither.
    a, b = [1.0] * 9 + [0.0] + [1.0] * 5 + [0.0] * 5, [0.0] * 9 + [1.0] + [1.0] * 5 + [0.0] * 5
    one = compared(a, b)
    assert one.method == "mcnemar-exact"
    assert one.p_value == mcnemar(9, 1).exact == pytest.approx(22 / 1024)
    assert one.difference.value == pytest.approx(8 / 20)
    assert one.difference.counts == {"n_wins": 9, "n_ties": 10, "n_losses": 1, "n_missing": 0}
    assert one.winner == one.a


def test_other_values_are_tested_by_permutation_with_a_bootstrap_interval():
    a, b = [0.9, 0.8, 0.7, 0.9, 0.6, 0.5], [0.5, 0.6, 0.6, 0.7, 0.6, 0.4]
    one = compared(a, b, "retrieval.mrr")
    assert one.method == "permutation"
    assert one.p_value == permutation_test(np.array(a) - np.array(b)) == 2 / 32
    assert one.difference.interval.method == "bootstrap-percentile"


def test_where_lower_is_better_the_lower_wins():
    one = compared([0.0] * 12, [1.0] * 12, OVER)
    assert one.winner == one.a
    assert one.difference.value == -1
    assert one.difference.counts["n_wins"] == 12


def test_a_case_that_failed_on_one_side_is_lost_and_said():
    found = compare_rag(
        evaluated({EXACT: [1.0] * 12 + ["failed"]}), evaluated({EXACT: [0.0] * 12 + [1.0]})
    )
    one = only(found)
    assert (one.difference.n, one.difference.counts["n_missing"]) == (12, 1)
    assert "12 cases scored in both, 1 lost" in comparison_text(found)
    assert "12 cases scored in both, 1 lost" in comparison_markdown(found)


@pytest.mark.parametrize(("lost", "winner"), [(11, True), (12, False)])
def test_nothing_is_better_where_the_missing_cases_could_turn_it(lost, winner):
    # 12 wins; at worst each lost case, which the second side has as 1, is a loss: 12 - lost > 0.
    a, b = [1.0] * 12 + ["failed"] * lost, [0.0] * 12 + [1.0] * lost
    one = compared(a, b)
    assert one.p_value < 0.001
    assert (one.winner is not None) == winner
    assert ("12 missing cases could turn it" in one.verdict) != winner
    assert ("missing_could_turn" in one.difference.notes) != winner


def test_a_case_that_failed_on_both_sides_may_be_as_bad_as_the_bounds_allow():
    a, b = [1.0] * 12 + ["failed"] * 12, [0.0] * 12 + ["failed"] * 12
    one = compared(a, b)
    assert one.difference.conditions["worst_low"] == 0
    assert one.difference.conditions["worst_high"] == 1
    assert one.winner is None


def test_cases_of_another_kind_are_not_missing():
    other = Outcome("skipped", reason="wrong_case_kind")
    kinds = ["qa"] * 12 + ["injection"] * 12
    # One injection case failed on both sides: that the metric is not about it is known by the rest.
    columns = [[value] * 12 + [other] * 11 + ["failed"] for value in (1.0, 0.0)]
    one, two = (evaluated({OVER: column}, kinds=kinds) for column in columns)
    assert only(compare_rag(one, two)).difference.counts["n_missing"] == 0


def test_a_case_that_is_skipped_on_both_sides_is_not_missing():
    assert compared([1.0] * 9 + [None], [0.0] * 9 + [None]).difference.counts["n_missing"] == 0


def test_a_case_without_a_claim_on_one_side_is_missing():
    refusal = Outcome("not_applicable", reason="no_claims")
    one = evaluated({GROUNDED: [1.0] * 9 + [refusal]}, JUDGED)
    two = evaluated({GROUNDED: [0.5] * 9 + [0.5]}, JUDGED)
    assert only(compare_rag(one, two)).difference.counts["n_missing"] == 1


values = st.sampled_from([0.0, 0.5, 1.0, None, ERROR, "failed"])


def extreme(value, unknown):
    return value if isinstance(value, float) else unknown


@given(st.lists(st.tuples(values, values), min_size=1, max_size=12))
def test_no_completion_of_what_is_missing_turns_what_is_called_better(pairs):
    one = compared([a for a, _ in pairs], [b for _, b in pairs], "retrieval.mrr")
    known = [pair for pair in pairs if pair != (None, None)]
    least = sum(extreme(a, 0.0) - extreme(b, 1.0) for a, b in known)
    most = sum(extreme(a, 1.0) - extreme(b, 0.0) for a, b in known)
    assert one.winner is None or (least > 0 if one.winner == one.a else most < 0)


def test_holm_is_over_all_metrics():
    a = {EXACT: [1.0] * 10, "retrieval.mrr": [1.0] * 6 + [0.5] * 4, OVER: [0.0] * 10}
    b = {EXACT: [0.0] * 10, "retrieval.mrr": [0.5] * 10, OVER: [0.0] * 9 + [1.0]}
    found = compare_rag(evaluated(a), evaluated(b))
    assert [one.n_tests for one in found.comparisons] == [3, 3, 3]
    raw = sorted(one.p_value for one in found.comparisons)
    assert min(one.p_adjusted for one in found.comparisons) == pytest.approx(3 * raw[0])


def test_repeats_are_pooled_within_their_case():
    twice = dataclasses.replace(UNJUDGED, repeats=2)
    a = evaluated({EXACT: [1.0, 1.0, 1.0, 0.0] * 5}, twice, repeats=2)
    b = evaluated({EXACT: [0.0, 0.0, 1.0, 0.0] * 5}, twice, repeats=2)
    one = only(compare_rag(a, b))
    assert (one.difference.n, one.method) == (10, "permutation")


def test_groups_are_paired_too():
    kinds = ["qa"] * 10 + ["unanswerable"] * 10
    one = evaluated({EXACT: [1.0] * 10 + [0.0] * 10}, kinds=kinds)
    two = evaluated({EXACT: [0.0] * 20}, kinds=kinds)
    found = {c.difference.group: c for c in compare_rag(one, two).groups}
    assert found["kind=qa"].method == "mcnemar-exact"
    assert (found["kind=qa"].difference.n, found["kind=qa"].difference.value) == (10, 1.0)
    assert found["kind=unanswerable"].difference.value == 0


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"judge": {**JUDGE, "model": "judge-2"}}, "judge_model"),
        ({"judge": {**JUDGE, "temperature": 1}}, "judge"),
        ({"prompts": {**PROMPTS, "groundedness": "0" * 64}}, "prompt_sha256"),
        ({"judge": None, "prompts": {}}, "judge_model"),
    ],
)
def test_other_judges_are_refused_unless_allowed_and_then_said(change, name):
    columns = {GROUNDED: [1.0, 0.5] * 6, EXACT: [1.0, 0.0] * 6}
    one = evaluated(columns, JUDGED)
    two = evaluated(columns, dataclasses.replace(JUDGED, **change))
    with pytest.raises(MismatchError, match=f"in {name}: ") as refused:
        compare_rag(one, two)
    assert refused.value.exit_code == 4
    assert "--allow-mixed-judges" in refused.value.fix
    found = compare_rag(one, two, allow_mixed_judges=True)
    assert name in {allowed.field for allowed in found.allowed}
    assert found.notes[0].startswith("MIXED JUDGES")
    assert comparison_text(found).splitlines()[1].startswith("MIXED JUDGES")
    assert found.to_dict()["notes"] == list(found.notes)


def test_metrics_without_a_judge_are_compared_whoever_judged_the_others():
    columns = {GROUNDED: [1.0, 0.5] * 6, EXACT: [1.0, 0.0] * 6}
    one, two = evaluated(columns, JUDGED), evaluated(columns, UNJUDGED)
    found = compare_rag(one, two, [EXACT])
    assert not found.notes
    assert not found.allowed


def test_refusals_by_judge_and_by_heuristic_are_never_compared():
    columns = {OVER: [1.0, 0.0] * 6, EXACT: [1.0, 0.0] * 6}
    one, two = evaluated(columns, JUDGED), evaluated(columns, UNJUDGED)
    found = compare_rag(one, two, allow_mixed_judges=True)
    assert [c.metric for c in found.comparisons] == [EXACT]
    assert any("never compared" in note for note in found.notes)
    with pytest.raises(MismatchError, match="differ in abstention"):
        compare_rag(one, two, [OVER], allow_mixed_judges=True)
    with pytest.raises(ParameterError, match="no condition"):
        compare_rag(one, two, allow=["abstention"], allow_mixed_judges=True)


def test_other_cases_are_refused():
    one = evaluated({EXACT: [1.0] * 5})
    two = evaluated({EXACT: [1.0] * 6})
    with pytest.raises(MismatchError, match="differ in units"):
        compare_rag(one, two)
    # Allowed, a case that only one of them has is missing on the other side.
    found = compare_rag(one, two, allow=["units"])
    assert only(found).difference.counts["n_missing"] == 1


def test_what_is_no_rag_run_is_refused():
    import veridical as vd

    scores = vd.evaluate({"y": [1, 0], "p": [0.9, 0.1]}, label="y", score="p")
    with pytest.raises(ParameterError, match="no RAG run"):
        compare_rag(scores, scores)


@pytest.mark.parametrize(("lost", "winner"), [(0, True), (1, True), (8, False)])
def test_documents_without_cases_are_taken_at_their_worst(tmp_path, lost, winner):
    # 18 and 6 of 20. With 2 lost on each side at least 18 / 22 and at most 8 / 22; with 16 lost
    # at least 18 / 36 and at most 22 / 36.
    files = []
    for name, share in (("a", 0.9), ("b", 0.3)):
        column = [1.0] * round(20 * share) + [0.0] * round(20 * (1 - share)) + [ERROR] * lost * 2
        path = tmp_path / f"{name}.json"
        path.write_text(strict_json.dumps(evaluated({EXACT: column}).to_dict()), encoding="utf-8")
        files.append(str(path))
    one = only(compare_rag(*files))
    assert one.difference.counts["n_missing"] == 4 * lost
    assert (one.winner is not None) == winner
    assert ("could turn it" in one.verdict) != winner


def test_overrefusal_is_compared_beside_abstention():
    kinds = ["unanswerable"] * 6 + ["qa"] * 6
    other = [Outcome("skipped", reason="wrong_case_kind")] * 6
    columns = {ABSTAINED: [1.0] * 6 + other, OVER: [*other, *([0.0] * 6)]}
    found = compare_rag(*(evaluated(columns, kinds=kinds) for _ in "ab"), [ABSTAINED])
    assert [one.metric for one in found.comparisons] == [ABSTAINED, OVER]


def test_what_no_side_could_score_is_one_line_and_a_note_names_its_group():
    # The two are alike within the injections alone.
    one = {EXACT: [1.0] * 12 + [0.0] * 6, ABSTAINED: [None] * 18, GROUNDED: [None] * 18}
    two = {**one, EXACT: [0.0] * 18}
    kinds = ["qa"] * 12 + ["injection"] * 6
    found = compare_rag(*(evaluated(columns, kinds=kinds) for columns in (one, two)))
    text = " ".join(comparison_text(found).split())
    assert text.count("not compared, no value on either side: Abstention, Groundedness") == 3
    assert "none none" not in text
    assert "Exact match (kind=injection): the two are the same on every unit" in text
    assert "no unit has a value on both sides" in comparison_markdown(found)
