"""Fairness from summaries: what banks send is worth what their rows would be."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import veridical as vd
from tests.fairness.test_fairness import DIR, DPD, EVERY, ODDS
from tests.portable.rows import columns, example
from veridical.cli import main
from veridical.errors import CellError, MismatchError, ParameterError
from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.metrics import find
from veridical.parity import evaluate_fairness, fairness_by_place
from veridical.parity.opening import open_result
from veridical.report.fairness import fairness_markdown, fairness_text
from veridical.report.fairness_places import fairness_places_text
from veridical.summaries import ConfusionCounts
from veridical.summaries.compared_groups import ComparedGroups
from veridical.summaries.open_groups import OpenCounts, OpenGroups

NAMED = {"label": "y", "score": "p", "groups": "region"}
AT = 0.3


def of_rows(data, favourable=0, **options):
    return evaluate_fairness(data, **NAMED, threshold=AT, favourable=favourable, **options)


def banks(n: int = 3, size: int = 400):
    """Return the rows of several banks, and of all of them."""
    each = {f"bank {i}": example(40 + i, size + 60 * i) for i in range(n)}
    together = {
        name: np.concatenate([np.asarray(one[name]) for one in each.values()])
        for name in ("y", "p", "region")
    }
    return each, together


def same(one, other):
    """Whether two results are one, but for what they were read from."""
    assert (one.value, one.interval, one.bounds, one.n) == (
        other.value, other.interval, other.bounds, other.n)  # fmt: skip
    assert one.conditions == other.conditions
    assert one.ok or one.reason == other.reason


@pytest.mark.parametrize("favourable", [0, 1])
@pytest.mark.parametrize("options", [{"thresholds": [AT]}, {"exact": True}])
def test_pooled_summaries_give_what_pooled_rows_give(favourable, options):
    each, together = banks()
    summaries = {name: vd.summarise(rows, **NAMED, **options) for name, rows in each.items()}
    found = fairness_by_place(summaries, favourable=favourable, threshold=AT)
    rows = of_rows(together, favourable)
    assert found.pooled.counts == rows.counts
    assert found.pooled.references == rows.references
    for metric in EVERY:
        same(found.pooled[metric], rows[metric])
    reference = [f"region={rows.references['region']}"]
    for place, (name, alone) in zip(found.places, each.items(), strict=True):
        assert place.name == name
        for metric in EVERY:
            same(place.alone[metric], of_rows(alone, favourable, reference=reference)[metric])
        others = {
            column: np.concatenate([np.asarray(v[column]) for k, v in each.items() if k != name])
            for column in together
        }
        for metric in EVERY:
            same(place.without[metric], of_rows(others, favourable, reference=reference)[metric])


@settings(max_examples=30)
@given(st.data())
def test_what_rows_give_lies_within_the_bounds(data):
    rows = data.draw(columns(forecasts=True, least=8, most=60))
    at = data.draw(st.sampled_from([0.1, 0.3, 0.5, 0.7]))
    favourable = data.draw(st.sampled_from([0, 1]))
    try:
        summary = vd.summarise(rows, **NAMED, min_cell=data.draw(st.integers(2, 4)))
    except CellError:
        assume(False)
    found = evaluate_fairness(summary, threshold=at, favourable=favourable)
    exact = evaluate_fairness(rows, **NAMED, threshold=at, favourable=favourable)
    assert found.references == exact.references
    for one, wanted in zip(found.results, [exact[key] for key in found], strict=True):
        if one.bounds is not None:
            assert wanted.value in one.bounds
            if wanted.interval is not None:
                assert one.interval.low <= wanted.interval.low + 1e-12
                assert one.interval.high >= wanted.interval.high - 1e-12
        elif one.ok:
            assert one.value == wanted.value
        elif wanted.ok:
            assert one.reason == "unsupported_by_engine"
        screens = [result.conditions.get("four_fifths") for result in (one, wanted)]
        assert screens[0] in {screens[1], "open", None}


sides = st.tuples(*[st.integers(0, 4)] * 6)


def side(drawn):
    """Return open counts: tp of a to a + b among a + b + c, fp of d to d + e among d + e + f."""
    a, b, c, d, e, f = drawn
    return OpenCounts(
        ConfusionCounts(tp=a, fp=d, fn=b + c, tn=e + f), ConfusionCounts(a + b, d + e, c, f)
    )


def every(counts: OpenCounts):
    few, many = counts
    for tp in range(few.tp, many.tp + 1):
        for fp in range(few.fp, many.fp + 1):
            yield ConfusionCounts(tp, fp, few.positives - tp, few.negatives - fp)


@settings(max_examples=40)
@given(sides, sides)
def test_bounds_are_the_extremes_of_all_counts_they_allow(mine, theirs):
    group, reference = side(mine), side(theirs)
    assume(not (group.is_exact and reference.is_exact))
    without = UnitSettings(intervals=False)
    for metric in EVERY:
        measure = find(metric)
        found = open_result(measure, OpenGroups(group, reference), without)
        values = [
            unit_result(measure, ComparedGroups(a, b), without)
            for a in every(group)
            for b in every(reference)
        ]
        if not found.ok:
            assert not all(one.ok for one in values)
            continue
        assert all(one.ok for one in values)
        low, high = (edge(one.value for one in values) for edge in (min, max))
        assert found.bounds.low <= low
        assert found.bounds.high >= high
        # No looser than they must be: all counts between the ends can occur.
        if metric != ODDS:
            assert found.bounds.low == pytest.approx(low, abs=1e-12)
        assert found.bounds.high == pytest.approx(high, abs=1e-12)
        if metric == DIR:
            screens = {one.conditions["four_fifths"] for one in values}
            told = found.conditions["four_fifths"]
            assert told == "open" or screens == {told}


def test_what_is_open_is_shown_as_open(tmp_path):
    summary = vd.summarise(example(3, 600), **NAMED, min_cell=6)
    ev = evaluate_fairness(summary, threshold=AT, favourable=0)
    assert ev[DIR].bounds is not None
    assert ev[DIR].conditions["four_fifths"] == "open"
    text = fairness_text(ev)
    assert "certified" in text
    assert "four-fifths screen open" in text
    assert "certified" in fairness_markdown(ev)
    page = ev.report(tmp_path / "page.html").read_text()
    assert "certified" in page
    assert ">open<" in page
    assert "not ranked<" not in page
    for row in ev.rows():
        low, high = (one["deserving_of_favourable"] for one in (row.shares, row.highest))
        assert f"{low.hits} of {low.n} to {high.hits} of {high.n}" in page
    row = ev.to_dict()["groups"][0]["rates"]["favourable"]
    assert row["value"] < row["highest"]
    again = ev.save("open", store=tmp_path / "runs.db").evaluation
    assert again.results == ev.results
    assert again.to_dict()["groups"] == ev.to_dict()["groups"]


def test_a_policy_is_undecided_where_the_bounds_straddle():
    summary = vd.summarise(example(3, 600), **NAMED, min_cell=4)
    found = evaluate_fairness(summary, threshold=AT, favourable=0, policy="fairness-standard")
    assert {row.verdict for row in found.policy.rows} == {"undecided"}


def test_a_bank_without_a_group_has_nothing_to_compare():
    each, _ = banks(2)
    only = {"y": [1, 0] * 20, "p": [0.2, 0.6] * 20, "region": ["north"] * 40}
    named = {name: vd.summarise(rows, **NAMED) for name, rows in {**each, "c": only}.items()}
    found = fairness_by_place(named, favourable=1, threshold=AT, reference="north")
    last = found.places[-1].alone
    assert {result.reason for result in last.results if not result.ok} >= {"no_rows"}
    assert [row.n for row in last.rows()] == [40, 0]
    assert "skipped (no_rows)" in fairness_places_text(found)


def test_weights_in_a_summary():
    rows = example(5, 300)
    weights = np.random.default_rng(1).random(300)
    for w, note in (
        (weights, "no_interval_without_rows"),
        (np.ceil(weights * 3), "frequency_weights"),
    ):
        data = {**rows, "w": w}
        found = evaluate_fairness(
            vd.summarise(data, **NAMED, weight="w", thresholds=[AT]), favourable=0
        )
        wanted = of_rows(data, weight="w")
        assert found[DPD].value == pytest.approx(wanted[DPD].value, rel=1e-12)
        assert note in found[DPD].notes
        assert (found[DPD].interval is None) == (note == "no_interval_without_rows")
        assert ("z" in found[DPD].conditions) == (note == "frequency_weights")


def test_what_a_summary_does_not_hold_is_refused():
    rows = example(5, 100)
    summary = vd.summarise(rows, **NAMED, thresholds=[0.2, 0.4])
    for options, told in (
        ({"decision": "d"}, "decision=d"),
        ({"cluster": "c"}, "cluster=c"),
        ({"weight": "w"}, "weight=w"),
        ({"label": "z"}, "label=z"),
        ({"groups": "state"}, "made with 'region'"),
        ({"score": "q"}, "no score 'q'"),
        ({"favourable": "yes"}, "decides 1 or 0"),
        ({"favourable_label": "yes"}, "does not know the label yes"),
        ({"threshold": None}, "no decision"),
    ):
        asked = {"favourable": 0, "threshold": 0.2} | options
        with pytest.raises(ParameterError, match=told):
            evaluate_fairness(summary, **asked)
    ungrouped = vd.summarise(rows, label="y", score="p")
    with pytest.raises(ParameterError, match="no groups"):
        evaluate_fairness(ungrouped, favourable=0, threshold=0.2)
    with pytest.raises(MismatchError, match="grouping columns"):
        fairness_by_place({"a": summary, "b": ungrouped}, favourable=0, threshold=0.2)


def test_a_named_positive_label():
    rows = example(5, 200)
    words = {**rows, "y": np.where(rows["y"], "bad", "good").tolist()}
    summary = vd.summarise(words, **NAMED, positive="bad", thresholds=[AT])
    for favourable, label in ((1, "bad"), (0, "good")):
        options = {
            **NAMED,
            "threshold": AT,
            "favourable": favourable,
            "favourable_label": label,
            "positive": "bad",
        }
        wanted = evaluate_fairness(words, **options)
        found = evaluate_fairness(summary, favourable=favourable)
        assert {k: r.value for k, r in found.items()} == {k: r.value for k, r in wanted.items()}


def test_the_command(tmp_path, capsys):
    each, together = banks(2)
    files = []
    for name, rows in each.items():
        summary = vd.summarise(rows, **NAMED, thresholds=[AT])
        files.append(str(summary.save(tmp_path / f"{name}.summary")))
    words = ["merge", *files, "-m", "roc_auc", "--favourable", "0", "--reference", "north"]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["fairness"]
    wanted = of_rows(together, reference="north")
    assert [one["value"] for one in document["pooled"]["results"]] == [
        result.value for result in wanted.results
    ]
    assert [one["path"] for one in document["files"]] == files
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "all but" in out
    assert f"{wanted[DIR].value:.4f}" in out
    assert main(["fairness", files[0], "--favourable", "0", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert alone["source"]["path"] == files[0]
    assert len(alone["calibration"]) > 0
