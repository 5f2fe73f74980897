"""Runs that were kept: paired by the ids of their units, or refused, or compared apart."""

import dataclasses

import numpy as np
import pytest

import veridical as vd
from tests.compare.samples import two_models
from veridical.comparison import Comparison
from veridical.comparison.recorded import recorded
from veridical.comparison.runs import compare_recorded
from veridical.errors import (
    FileFormatError,
    InputError,
    MetricNameError,
    MismatchError,
    ParameterError,
)
from veridical.results import Measured
from veridical.stats.standard_error import scaled_interval, standard_error

Y, P, Q = two_models(400, 0.3, seed=4)
IDS = [f"u{at:03d}" for at in range(len(Y))]
SEGMENT = np.where(np.arange(len(Y)) % 3 == 0, "a", "b")


@pytest.fixture
def store(tmp_path):
    return str(tmp_path / "runs.db")


@pytest.fixture
def saved(store):
    """Save a score column under a name; rows may be chosen and reordered."""

    def save(name, scores=P, *, rows=None, metrics=None, columns=None, **settings):
        at = np.arange(len(Y)) if rows is None else np.asarray(rows)
        data = {"id": IDS, "y": Y, "s": scores, "g": SEGMENT, **(columns or {})}
        chosen = {key: np.asarray(values)[at] for key, values in data.items()}
        ev = vd.evaluate(chosen, metrics, label="y", score="s", id="id", **settings)
        ev.save(name, store=store)
        return ev

    return save


def test_rows_are_paired_by_id_and_not_by_order(saved, store):
    saved("a", threshold=0.6, costs=vd.Costs(fn=10, fp=1))
    saved("b", Q, rows=np.arange(len(Y))[::-1], threshold=0.6, costs=vd.Costs(fn=10, fp=1))
    found = compare_recorded("a", "b", store=store)
    data = {"y": Y, "p": P, "q": Q}
    ev = vd.evaluate(data, label="y", score=["p", "q"], threshold=0.6, costs=vd.Costs(fn=10, fp=1))
    expected = {c.metric: c for c in ev.comparisons}
    assert found.matched.n == len(Y)
    assert {c.metric for c in found.comparisons} == set(expected)
    for one in found.comparisons:
        there = expected[one.metric]
        assert (one.a, one.b) == ("a", "b")
        assert one.difference.interval == there.difference.interval, one.metric
        assert one.p_adjusted == there.p_adjusted
        assert one.method == there.method


def test_subjects_that_one_run_lacks_are_named(store):
    data = {"id": IDS, "y": Y, "p": P, "q": Q, "r": P, "s": Q}
    for name, scores in {"a": ["p", "q", "r"], "b": ["p", "s"]}.items():
        ev = vd.evaluate(data, ["roc_auc"], label="y", score=scores, id="id")
        ev.save(name, store=store)
    found = compare_recorded("a", "b", "roc_auc", store=store)
    assert [one.a for one in found.comparisons] == ["a: p"]
    notes = (
        "only in the first, and not compared: 'q', 'r'",
        "only in the second, and not compared: 's'",
    )
    assert found.notes == notes
    assert found.to_dict()["notes"] == list(notes)
    assert all(note in repr(found) for note in notes)
    assert compare_recorded("a", "b", subject="p", store=store).notes == ()


def test_units_that_one_run_lacks_are_refused_counted_and_allowed(saved, store):
    saved("a", rows=range(390))
    saved("b", Q, rows=range(5, 400))
    with pytest.raises(MismatchError, match="differ in units: 390 rows and 395, 385 of them"):
        compare_recorded("a", "b", store=store)
    found = compare_recorded("a", "b", "binary.roc_auc", allow=["units"], store=store)
    assert (len(found.matched.only_a), len(found.matched.only_b)) == (5, 10)
    assert found.matched.only_a[0] == "u000"
    (one,) = found.comparisons
    both = slice(5, 390)
    alone = vd.evaluate({"y": Y[both], "p": P[both], "q": Q[both]}, label="y", score=["p", "q"])
    assert one.difference.interval == alone.comparisons[0].difference.interval
    assert one.difference.conditions["allowed"] == ("units",)
    assert "common_units" in one.difference.notes
    assert found.to_dict()["allowed"][0]["field"] == "units"


def test_the_same_units_with_another_truth_cannot_be_allowed(saved, store):
    saved("a")
    saved("b", columns={"y": np.where(np.arange(len(Y)) == 7, ~Y, Y)})
    for allow in ((), ("units", "data")):
        with pytest.raises(MismatchError, match="differ in truth: 400 rows and 1 have another"):
            compare_recorded("a", "b", allow=allow, store=store)
    with pytest.raises(ParameterError, match="'truth' is no condition"):
        compare_recorded("a", "b", allow=["truth"], store=store)


def test_the_positive_label_may_be_named_or_not(saved, store):
    saved("a", metrics="roc_auc")
    saved("b", Q, metrics="roc_auc", columns={"y": Y.astype(int)}, positive=1)
    found = compare_recorded("a", "b", "roc_auc", store=store)
    assert found.comparisons[0].difference.conditions["paired"]


@pytest.mark.parametrize(
    ("one", "two", "field"),
    [
        ({"threshold": 0.5}, {"threshold": 0.4}, "threshold"),
        ({"weight": "w"}, {}, "weight"),
        ({"cluster": "c"}, {}, "cluster"),
    ],
)
def test_a_differing_condition_is_refused_by_name(saved, store, one, two, field):
    columns = {"w": np.arange(len(Y)) % 3 + 1, "c": np.arange(len(Y)) // 4}
    saved("a", columns=columns, metrics=["recall", "roc_auc"], **one)
    saved("b", Q, columns=columns, metrics=["recall", "roc_auc"], **two)
    with pytest.raises(MismatchError, match=f"the two differ in {field}") as caught:
        compare_recorded("a", "b", store=store)
    assert caught.value.exit_code == 4
    assert f"--allow {field}" in caught.value.fix


def test_a_condition_of_one_metric_may_be_allowed(saved, store):
    metrics = ["recall@fpr=0.1", "recall@fpr=0.1,mode=certified", "roc_auc"]
    saved("a", metrics=metrics, threshold=0.5)
    saved("b", Q, metrics=metrics, threshold=0.4)
    found = compare_recorded("a", "b", allow=["mode", "threshold"], store=store)
    assert all(one.difference.conditions["paired"] for one in found.comparisons)
    # Nothing that was compared differs in either.
    assert not found.allowed


def test_clusters_and_weights_are_kept(saved, store):
    columns = {"w": np.arange(len(Y)) % 3 + 0.5, "c": np.arange(len(Y)) // 4}
    for settings in ({"cluster": "c"}, {"weight": "w"}, {"cluster": "c", "weight": "w"}):
        saved("a", columns=columns, **settings)
        saved("b", Q, columns=columns, **settings)
        (one,) = compare_recorded("a", "b", "binary.roc_auc", store=store).comparisons
        ev = vd.evaluate(
            {"y": Y, "p": P, "q": Q, **columns}, "roc_auc", label="y", score=["p", "q"], **settings
        )
        there = next(c for c in ev.comparisons if c.metric == one.metric)
        assert one.difference.interval == there.difference.interval


def test_groups_are_compared_within_themselves(saved, store):
    saved("a", groups="g")
    saved("b", Q, groups="g")
    found = compare_recorded("a", "b", "binary.roc_auc", store=store)
    assert [c.difference.group for c in found.groups] == ["g=a", "g=b"]
    assert {c.n_tests for c in found.groups} == {2}
    inside = SEGMENT == "a"
    alone = vd.evaluate(
        {"y": Y[inside], "p": P[inside], "q": Q[inside]}, label="y", score=["p", "q"]
    )
    assert found.groups[0].difference.interval == alone.comparisons[0].difference.interval
    only = compare_recorded("a", "b", "binary.roc_auc", groups=["g=b"], store=store)
    assert [c.difference.group for c in only.groups] == ["g=b"]
    with pytest.raises(ParameterError, match="do not share a group 'g=c'"):
        compare_recorded("a", "b", groups=["g=c"], store=store)


def test_groups_of_other_members_are_refused_by_name(saved, store):
    saved("a", groups="g")
    moved = SEGMENT.copy()
    moved[0] = "b" if SEGMENT[0] == "a" else "a"
    saved("b", Q, groups="g", columns={"g": moved})
    with pytest.raises(MismatchError, match="differ in rows") as caught:
        compare_recorded("a", "b", "binary.roc_auc", store=store)
    assert caught.value.where == "binary.roc_auc of g=a"
    assert "allow=['rows'] (on the command line --allow rows)" in caught.value.fix
    found = compare_recorded("a", "b", "binary.roc_auc", allow=["rows"], store=store)
    assert [c.difference.conditions["paired"] for c in found.groups] == [False, False]


def test_a_run_against_itself_differs_on_no_unit(saved, store):
    saved("a", threshold=0.5)
    found = compare_recorded("a", "a", store=store)
    for one in found.comparisons:
        assert one.difference.value == 0
        assert "no_unit_differs" in one.difference.notes
        assert not one.shown


def test_every_subject_that_both_have_is_compared(store):
    for name, columns in (("a", (P, Q)), ("b", (Q, P))):
        data = {"id": IDS, "y": Y, "s": columns[0], "t": columns[1]}
        ev = vd.evaluate(data, "roc_auc", label="y", score=["s", "t"], id="id")
        ev.save(name, store=store)
    found = compare_recorded("a", "b", "roc_auc", store=store)
    assert [(c.a, c.b) for c in found.comparisons] == [("a: s", "b: s"), ("a: t", "b: t")]
    first, second = (c.difference.value for c in found.comparisons)
    assert first == -second
    across = compare_recorded("a", "b", "roc_auc", subject="s", against="t", store=store)
    assert across.comparisons[0].difference.value == 0
    with pytest.raises(MetricNameError, match="b has no 'u'"):
        compare_recorded("a", "b", subject="s", against="u", store=store)


def test_metrics_are_those_of_both(saved, store):
    saved("a", metrics=["roc_auc", "ks", "ece"])
    saved("b", Q, metrics=["roc_auc", "ece"])
    found = compare_recorded("a", "b", store=store)
    # ROC-AUC never stands alone: average precision and recalls at fixed rates come with it.
    assert "binary.ks" not in {c.metric for c in found.comparisons}
    assert compare_recorded("a", "b", ["ece"], store=store).comparisons[0].method == "none"
    with pytest.raises(MetricNameError, match="was not measured in both"):
        compare_recorded("a", "b", ["ks"], store=store)


def ranking(seed, n=60):
    rng = np.random.default_rng(seed)
    golden = {f"q{i}": {"d1": 1, "d2": 1} for i in range(n)}
    run = {f"q{i}": {f"d{j}": float(s) for j, s in enumerate(rng.normal(size=6))} for i in range(n)}
    return run, golden


def test_rankings_are_paired_by_query(store):
    (one, golden), (two, _) = ranking(1), ranking(2)
    metrics = ["retrieval.ndcg@5", "retrieval.mrr"]
    a, b = (vd.evaluate_ranking({"bm25": run}, golden, metrics) for run in (one, two))
    a.save("a", store=store)
    b.save("b", store=store)
    found = compare_recorded("a", "b", store=store)
    for mine, theirs in zip(found.comparisons, vd.compare(a, b, metrics), strict=True):
        assert mine.difference.interval == theirs.difference.interval
        assert mine.p_adjusted == theirs.p_adjusted
        assert mine.difference.counts == theirs.difference.counts
        assert mine.method == "permutation"
    fewer = {query: graded for query, graded in golden.items() if query != "q7"}
    shorter = {query: ranked for query, ranked in two.items() if query != "q7"}
    vd.evaluate_ranking({"bm25": shorter}, fewer, metrics).save("c", store=store)
    with pytest.raises(MismatchError, match="differ in units: 60 queries and 59, 59 of them"):
        compare_recorded("a", "c", store=store)
    with pytest.raises(MismatchError, match="differ in golden_sha256"):
        compare_recorded("a", "c", allow=["units"], store=store)
    apart = compare_recorded("a", "c", allow=["units", "golden_sha256"], store=store)
    assert apart.matched.only_a == ("q7",)
    assert apart.comparisons[0].difference.n == 59


def test_runs_of_two_kinds_are_refused(saved, store):
    saved("a")
    run, golden = ranking(1)
    vd.evaluate_ranking({"bm25": run}, golden).save("b", store=store)
    with pytest.raises(MismatchError, match="differ in kind: evaluation and ranking"):
        compare_recorded("a", "b", store=store)


def test_without_ids_runs_are_compared_apart_and_say_so(store):
    a, b = (vd.evaluate({"y": Y, "s": s}, "roc_auc", label="y", score="s") for s in (P, Q))
    a.save("a", store=store)
    b.save("b", store=store)
    with pytest.raises(MismatchError, match="differ in data") as caught:
        compare_recorded("a", "b", store=store)
    assert "save both with --id" in caught.value.fix
    found = compare_recorded("a", "b", "binary.roc_auc", allow=["data"], store=store)
    (one,) = found.comparisons
    assert one.method == "square-and-add"
    assert not one.difference.conditions["paired"]
    assert one.p_value is not None
    assert found.matched is None


@pytest.mark.parametrize(("lead", "level"), [(0.0, 0.95), (0.02, 0.9), (0.08, 0.95), (0.3, 0.99)])
def test_an_unpaired_p_value_agrees_with_its_interval(store, lead, level):
    y, p, q = two_models(300, 0.3, seed=int(100 * lead), better=10 * lead)
    for name, scores in (("a", p), ("b", q)):
        ev = vd.evaluate({"y": y, "s": scores}, "roc_auc", label="y", score="s", level=level)
        ev.save(name, store=store)
    (one,) = compare_recorded("a", "b", "roc_auc", allow=["data"], store=store).comparisons
    assert (one.p_value < 1 - level) == (0 not in one.difference.interval)


def test_a_difference_of_the_detectable_size_is_found_in_four_of_five_samples():
    rng = np.random.default_rng(5)

    def compared(shift):
        apart = rng.normal(shift, size=60)
        mean = float(apart.mean())
        interval = scaled_interval(mean, standard_error(apart), 0.95, "student")
        difference = Measured(mean, 60, interval=interval)
        return Comparison(
            metric="retrieval.mrr", a="a", b="b", value_a=0, value_b=0, difference=difference
        )

    detectable = np.mean([compared(0.0).detectable for _ in range(200)])
    found = sum(compared(detectable).shown for _ in range(1_000))
    # Three standard deviations of a share of 1,000 around 80%.
    assert 0.762 <= found / 1_000 <= 0.838


def test_the_detectable_effect_follows_from_the_interval(saved, store):
    saved("a")
    saved("b", Q)
    (one,) = compare_recorded("a", "b", "binary.roc_auc", store=store).comparisons
    error = one.difference.interval.width / 2 / 1.959963984540054
    assert one.detectable == pytest.approx((1.959963984540054 + 0.8416212335729143) * error)
    assert one.to_dict()["minimum_detectable_effect"] == one.detectable


REFERENCES = [f"the cat number {i} sat on mat {i % 7}" for i in range(40)]
ONE = [text.replace("sat", "lay") if at % 3 else text for at, text in enumerate(REFERENCES)]
TWO = [text.replace("cat", "dog") if at % 2 else text[:-2] for at, text in enumerate(REFERENCES)]


def test_texts_are_paired_by_line_also_in_scores_of_the_corpus(store):
    metrics = ["text.rouge_l", "text.corpus_bleu", "text.chrf", "text.ter"]
    a, b = (vd.evaluate_text({"mt": texts}, REFERENCES, metrics) for texts in (ONE, TWO))
    a.save("a", store=store)
    b.save("b", store=store)
    found = compare_recorded("a", "b", store=store)
    assert [one.metric.partition(",")[0] for one in found.comparisons] == metrics
    for mine, theirs in zip(found.comparisons, vd.compare(a, b, metrics), strict=True):
        assert mine.difference.value == pytest.approx(theirs.difference.value, abs=1e-12)
        assert mine.difference.interval == theirs.difference.interval
        assert mine.p_value == theirs.p_value
        assert mine.difference.conditions["paired"]
    same = compare_recorded("a", "a", store=store)
    assert all("no_unit_differs" in one.difference.notes for one in same.comparisons)


def test_texts_with_other_references_are_refused(store):
    vd.evaluate_text({"mt": ONE}, REFERENCES, ["rouge_l"]).save("a", store=store)
    vd.evaluate_text({"mt": ONE}, TWO, ["rouge_l"]).save("b", store=store)
    with pytest.raises(MismatchError, match="differ in references"):
        compare_recorded("a", "b", store=store)


def test_judges_are_paired_by_item_against_the_rater_they_share(store):
    rng = np.random.default_rng(8)
    human = rng.choice(["good", "fair", "bad"], 120)
    judges = [np.where(rng.random(120) < share, human, "fair") for share in (0.9, 0.6)]
    metrics = ["raw_agreement", "cohens_kappa"]
    both = {"new": judges[0], "old": judges[1], "human": human}
    a, b = (vd.evaluate_agreement(both, metrics, raters=[name, "human"]) for name in ("new", "old"))
    a.save("new", store=store)
    b.save("old", store=store)
    found = compare_recorded("new", "old", store=store)
    for mine, theirs in zip(found.comparisons, vd.compare(a, b, metrics), strict=True):
        assert (mine.a, mine.b) == ("new", "old")
        assert mine.difference.value == theirs.difference.value
        assert mine.difference.interval == theirs.difference.interval
        assert mine.p_value == theirs.p_value
    assert found.comparisons[1].winner == "new"
    # Two judges of one name are told apart by what they said.
    for name, judge in (("c", judges[0]), ("d", judges[1])):
        named = {"judge": judge, "human": human}
        vd.evaluate_agreement(named, metrics, raters=["judge", "human"]).save(name, store=store)
    again = compare_recorded("c", "d", store=store)
    assert [one.p_value for one in again.comparisons] == [one.p_value for one in found.comparisons]
    other = np.where(np.arange(120) == 5, "bad", human)
    vd.evaluate_agreement(
        {"judge": judges[1], "human": other}, metrics, raters=["judge", "human"]
    ).save("other", store=store)
    with pytest.raises(MismatchError, match="differ in reference"):
        compare_recorded("c", "other", store=store)


def test_other_metrics_of_agreement_are_compared_apart_and_say_so(store):
    rng = np.random.default_rng(9)
    human = rng.choice(["y", "n"], 80)
    for name, share in (("a", 0.9), ("b", 0.8)):
        judge = np.where(rng.random(80) < share, human, "y")
        data = {"judge": judge, "human": human}
        vd.evaluate_agreement(data, ["gwet_ac1"], raters=["judge", "human"]).save(name, store=store)
    (one,) = compare_recorded("a", "b", store=store).comparisons
    assert one.method == "square-and-add"
    assert not one.difference.conditions["paired"]
    assert "units_not_kept" in one.difference.notes


@pytest.mark.parametrize("state", ["running", "interrupted", "failed"])
def test_a_run_that_is_not_finished_is_refused(saved, store, state):
    saved("a")
    run = dataclasses.replace(vd.load_run("a", store=store), state=state)
    with pytest.raises(InputError, match=f"the run is {state}"):
        compare_recorded("a", run, store=store)


def test_compare_takes_stored_runs(saved, store, monkeypatch):
    monkeypatch.setenv("VERIDICAL_STORE", store)
    saved("a")
    saved("b", Q)
    found = vd.compare("a", vd.load_run("b"), "roc_auc")
    assert found.winner in {"a", "b", None}
    assert found.difference.interval == vd.compare("a", "b")[0].difference.interval
    with pytest.raises(vd.VeridicalError, match="is no evaluation"):
        vd.compare("a", [0.5])


def test_a_file_hides_a_stored_run_of_its_name_and_says_so(saved, store, tmp_path, monkeypatch):
    saved("nightly")
    run = vd.load_run("nightly", store=store)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nightly").write_text("a log")
    with pytest.raises(FileFormatError) as caught:
        recorded("nightly", store)
    assert "the id of a stored run that has this name" in caught.value.fix
    assert recorded(run.id, store).run.name == "nightly"
