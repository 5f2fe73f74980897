"""Saving, loading and finding runs, on both databases."""

import getpass
import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import veridical as vd
from veridical.errors import MismatchError, ParameterError, RunNotFoundError
from veridical.results import Measured
from veridical.store import Run, Store, UnitColumn, Units
from veridical.store.drafts import draft


def small(**fields) -> Run:
    """A run that holds next to nothing."""
    return draft(kind="evaluation", **fields)


def document(*values: float, metric="binary.recall", **fields) -> dict:
    """A document with one result for each value."""
    results = [Measured(value, 10, metric=metric, subject="p", **fields) for value in values]
    return {
        "schema": "veridical.evaluation/1",
        "source": {},
        "results": [result.to_dict() for result in results],
    }


def test_what_is_saved_is_loaded(store, ev):
    saved = ev.save("first", tags=["nightly", "a tag"], store=store, settings={"note": 1})
    run = store.load("first")
    assert run == saved
    assert (run.name, run.tags, run.kind, run.state) == (
        "first",
        ("a tag", "nightly"),
        "evaluation",
        "finished",
    )
    assert run.document == ev.to_dict()
    assert run.results == ev.results
    assert run.evaluation.to_dict() == ev.to_dict()
    assert repr(run.evaluation) == repr(ev)
    assert run.evaluation.policy == ev.policy
    assert run.evaluation.comparisons == ev.comparisons
    assert run.evaluation.settings == ev.settings
    assert run["p", "roc_auc"] == ev["p", "roc_auc"]
    assert run.settings["note"] == 1
    assert run.seed == 0
    assert run.data_sha256 == ev.source["sha256"]
    assert abs(datetime.now(UTC) - run.created) < timedelta(minutes=5)


def test_a_run_is_read_after_its_store_was_closed(place, ev):
    ev.save("first", store=place)
    run = vd.load_run(store=place)
    assert run["p", "roc_auc"] == ev["p", "roc_auc"]


def test_rows_are_kept_by_their_ids(store, ev):
    units = store.load(ev.save(store=store).id).units
    assert units.noun == "row"
    assert list(units.ids) == ["a", "b", "c", "d", "e", "f"]
    assert units.column("label").tolist() == [True, False, True, False, True, False]
    assert units.column("score", subject="q").tolist() == [0.2, 0.7, 0.1, 0.3, 0.6, 0.4]
    assert units.column("group", "g").tolist() == ["x", "x", "y", "y", "x", "y"]


def test_rows_that_were_left_out_are_no_units(file_store):
    data = {"id": [7, 8, 9], "y": [1, 0, 1], "p": [0.5, None, 0.25]}
    ev = vd.evaluate(data, "roc_auc", label="y", score="p", id="id", missing="drop")
    units = ev.save(store=file_store).units
    assert list(units.ids) == ["7", "9"]
    assert units.column("score").tolist() == [0.5, 0.25]


def test_rows_without_ids_are_not_kept_and_the_run_says_so(file_store):
    ev = vd.evaluate({"y": [1, 0], "p": [0.9, 0.6]}, label="y", score="p")
    run = ev.save(store=file_store)
    assert run.units is None
    assert run.left_out["units"] == "the rows have no ids, or are not held in memory"


def test_queries_are_kept_with_their_values(store):
    run = {"q1": {"d1": 0.5, "d2": 0.9}, "q2": {"d3": 1.0}}
    golden = {"q1": {"d1": 1}, "q2": {"d3": 1}, "q3": {"d9": 0}}
    with pytest.warns(UserWarning, match="q3|quer"):
        ev = vd.evaluate_ranking(run, golden, ["mrr", "ndcg@10"])
    stored = store.load(ev.save("ranked", store=store).id)
    values = stored.units.column("value", "retrieval.mrr")
    by_query = dict(zip(stored.units.ids, values.tolist(), strict=True))
    assert by_query == {"q1": 0.5, "q2": 1.0, "q3": None}
    assert stored.kind == "ranking"
    assert stored.evaluation.to_dict() == ev.to_dict()
    assert stored.data_sha256 == ev.source["qrels"]["sha256"]


def test_a_name_stands_for_its_newest_run(store):
    first, second = (store.save(small(name="nightly")) for _ in range(2))
    assert first.id != second.id
    newest = max((first, second), key=lambda run: (run.created, run.id))
    assert store.find("nightly").id == newest.id
    assert [run.id for run in store.runs(name="nightly")] == [second.id, first.id]


def test_latest_is_the_newest_finished_run(store):
    with pytest.raises(RunNotFoundError, match="no run is finished"):
        store.find("latest")
    finished = store.save(small())
    store.save(small(state="running"))
    assert store.find("latest").id == finished.id
    assert store.find(" LATEST ").id == finished.id


def test_a_beginning_is_enough_where_it_is_of_one_run_only(store):
    run = store.save(small(name="bm25-baseline"))
    store.save(small(name="dense"))
    assert store.find("bm25").id == run.id
    assert store.find(run.id[:-1]).id == run.id
    with pytest.raises(RunNotFoundError, match="beginning of") as caught:
        store.find(run.id[:4])
    assert run.id in caught.value.fix


def test_an_unknown_name_suggests_the_nearest(store):
    with pytest.raises(RunNotFoundError, match="no run 'x'") as caught:
        store.find("x")
    assert caught.value.where == store.location.shown
    assert "empty" in caught.value.fix
    store.save(small(name="baseline"))
    with pytest.raises(RunNotFoundError) as caught:
        store.find("basline")
    assert "did you mean baseline?" in caught.value.fix


def test_lists_are_filtered(store):
    one = store.save(small(name="one", tags=["x", "both"], document=document(0.5)))
    two = store.save(
        draft(kind="ranking", name="two", tags=["both"], document=document(0.25, metric="m.b"))
    )
    three = store.save(small(name="three", state="failed"))

    def ids(**wanted):
        return [run.id for run in store.runs(**wanted)]

    assert ids() == [three.id, two.id, one.id]
    assert ids(limit=2) == [three.id, two.id]
    assert ids(kind="ranking") == [two.id]
    assert ids(name="one") == [one.id]
    assert ids(tag="both") == [two.id, one.id]
    assert ids(tag="x", kind="ranking") == []
    assert ids(state="failed") == [three.id]
    assert ids(metric="m.b") == [two.id]
    assert ids(since=two.created) == [three.id, two.id]
    assert ids(since=datetime.now(UTC) + timedelta(days=1)) == []
    assert store.runs(name="one")[0].tags == ("both", "x")


def test_points_are_results_without_their_runs(store):
    for value in (0.5, 0.75):
        store.save(small(name="trend", document=document(value)))
    store.save(small(name="other", document=document(0.1)))
    points = store.points(["binary.recall"], name="trend", subject="p")
    assert [(point.run.name, point.value, point.n) for point in points] == [
        ("trend", 0.5, 10),
        ("trend", 0.75, 10),
    ]
    assert store.points(["binary.recall"], group="g=x") == []


def test_a_group_or_subject_with_a_zero_byte_is_a_result_like_any_other(store):
    odd = "a\0b\\\ud800'; DROP TABLE veridical_run; --"
    found = Measured(0.5, 1, metric="binary.recall", subject=odd, group=f"g={odd}")
    held = {"schema": "veridical.evaluation/1", "source": {}, "results": [found.to_dict()]}
    run = store.save(small(document=held))
    assert store.load(run.id).results == (found,)
    [point] = store.points(subject=odd, group=f"g={odd}")
    assert (point.subject, point.group) == (odd, f"g={odd}")


def test_deleting_takes_everything_of_the_run(store, ev):
    gone, kept = ev.save("gone", tags="t", store=store), ev.save("kept", store=store)
    assert [head.id for head in store.delete(["gone", gone.id])] == [gone.id]
    assert [run.id for run in store.runs()] == [kept.id]
    assert {point.run.id for point in store.points()} == {kept.id}
    with pytest.raises(RunNotFoundError):
        store.load("gone")
    with pytest.raises(RunNotFoundError):
        store.delete(["gone"])


def test_what_is_unfinished_can_change_and_what_is_finished_cannot(store):
    begun = store.save(small(name="long", state="running"))
    assert begun.sha256 is None
    later = replace(begun, state="interrupted", parts=small(document=document(0.5)).parts)
    store.update(later)
    done = store.update(replace(later, state="finished"))
    assert store.load("long").results[0].value == 0.5
    assert done.sha256
    with pytest.raises(MismatchError, match="the run is finished"):
        store.update(replace(later, name="other"))
    with pytest.raises(RunNotFoundError):
        store.update(replace(later, id="20200101-000000-00000"))


def test_an_id_that_is_taken_is_replaced(store):
    first = store.save(small(name="a"))
    second = store.save(replace(small(name="b"), id=first.id))
    assert second.id != first.id
    assert {run.name for run in store.runs()} == {"a", "b"}


NAMES = [
    "../../etc/passwd",
    "a/b\\c",
    'it\'s "quoted"',
    "'; DROP TABLE veridical_run; --",
    "%s %(x)s {0} :name ?",
    "\N{GRINNING FACE}\N{ZERO WIDTH JOINER}\N{GRINNING FACE}",
    "\u05e9\u05dc\u05d5\u05dd \u202eevil",
    "x" * 200,
    "NaN",
    "-rf",
    "__proto__",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_text_is_a_name_and_nothing_but_a_name(store, name):
    run = store.save(small(name=name, tags=[name]))
    assert store.find(name).id == run.id
    assert [found.name for found in store.runs(name=name, tag=name)] == [name]


def test_two_ways_to_type_an_accent_are_one_name(store):
    run = store.save(small(name="re\u0301sume\u0301"))
    assert store.find("r\u00e9sum\u00e9").id == run.id


NO_NAMES = ["", "  ", "a\0b", "a\nb", "\x1b[31m", "x" * 10_000, "\ud800", "\u2028"]


@pytest.mark.parametrize("name", [*NO_NAMES, "latest", "Latest"])
def test_what_is_no_name_is_refused_before_a_store_is_touched(tmp_path, ev, name):
    with pytest.raises(ParameterError):
        ev.save(name, store=tmp_path / "never.db")
    assert not (tmp_path / "never.db").exists()


@pytest.mark.parametrize("tag", NO_NAMES)
def test_what_is_no_tag_is_refused_before_a_store_is_touched(tmp_path, ev, tag):
    with pytest.raises(ParameterError):
        ev.save("good", tags=["good", tag], store=tmp_path / "never.db")
    assert not (tmp_path / "never.db").exists()


def test_an_id_is_no_name(ev, file_store):
    run = ev.save(store=file_store)
    with pytest.raises(ParameterError, match="reads as an id"):
        ev.save(run.id, store=file_store)


@pytest.mark.parametrize("name", ["a\0b", "", "\udcff", "x" * 10_000])
def test_what_no_run_can_be_called_is_not_found(store, name):
    store.save(small(name="a"))
    with pytest.raises(RunNotFoundError):
        store.find(name)
    assert store.runs(name=name) == store.runs(tag=name) == store.points(name=name) == []


def test_filters_take_either_way_to_type_an_accent(store):
    run = store.save(small(name="re\u0301sume\u0301", tags=["e\u0301"]))
    assert [r.id for r in store.runs(name="r\u00e9sum\u00e9", tag=" \u00e9")] == [run.id]


def test_units_round_trip_with_what_is_missing_and_what_is_odd():
    ids = ["a\0b", "\ud800", "", "plain"]
    columns = {
        UnitColumn("value", "m", "s\0"): np.ma.masked_array([0.5, 0, 1, 0], [0, 1, 0, 0]),
        UnitColumn("label", "y"): np.array([True, False, True, True]),
        UnitColumn("statistic", "tokens", "s"): np.array([1, 2**60, 3, 4]),
        UnitColumn("group", "g"): np.array(["x", "\ud800", "", "z"], dtype=object),
    }
    again = Units.from_bytes(Units("segment", ids, columns).to_bytes())
    assert (again.noun, list(again.ids)) == ("segment", ids)
    for column, values in columns.items():
        assert again.columns[column].tolist() == values.tolist()


def test_the_truth_of_units_does_not_depend_on_their_order():
    label = UnitColumn("label", "y")
    one = Units("row", ["a", "b"], {label: np.array([True, False])})
    two = Units("row", ["b", "a"], {label: np.array([False, True])})
    other = Units("row", ["b", "a"], {label: np.array([True, False])})
    assert one.truth_sha256 == two.truth_sha256 != other.truth_sha256


def test_the_environment_names_no_machine_and_no_user(file_store, ev, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hunter2-secret")
    run = ev.save(store=file_store)
    told = run.parts["context"].decode()
    assert run.environment["versions"]["veridical"] == vd.__version__
    assert run.environment["versions"]["numpy"] == np.__version__
    assert "hunter2" not in told
    assert socket.gethostname() not in told
    assert f'"{getpass.getuser()}"' not in told


def test_a_store_is_one_of_the_usual_places(tmp_path, ev, monkeypatch):
    ev.save("here")
    assert (tmp_path / ".veridical" / "veridical.db").is_file()
    monkeypatch.setenv("VERIDICAL_STORE", str(tmp_path / "other.db"))
    ev.save("there")
    assert [run.name for run in Store(tmp_path / "other.db").runs()] == ["there"]
    assert [run.name for run in Store(".veridical/veridical.db").runs()] == ["here"]
    assert vd.load_run("here", store="sqlite:///.veridical/veridical.db").name == "here"
