"""``--save`` of every command that evaluates, and ``veridical runs``."""

import json
import os
import subprocess
import sys

import pytest

import veridical as vd
from veridical.store import Store
from veridical.store.drafts import draft

EVALUATE = ("--label", "y", "--score", "p")


@pytest.fixture(autouse=True)
def no_store_from_outside(monkeypatch):
    monkeypatch.delenv("VERIDICAL_STORE", raising=False)


@pytest.fixture
def saved(veridical, scores):
    """One run, ``base``, in the usual place."""
    done = veridical("evaluate", scores, *EVALUATE, "--id", "id", "--save", "base", "--tag", "t")
    assert done.code == 0
    return vd.load_run("base")


def test_what_is_saved_is_what_was_printed(veridical, scores):
    plain = veridical("evaluate", scores, *EVALUATE, "--json")
    kept = veridical("evaluate", scores, *EVALUATE, "--json", "--save", "a name", "--tag", "x",
                     "--tag", "y")  # fmt: skip
    assert kept.out == plain.out
    run = vd.load_run("a name")
    assert run.document == plain.document
    assert run.tags == ("x", "y")
    assert f"saved: a name ({run.id})" in kept.err
    assert "without units: the rows have no ids, or are not held in memory" in kept.err


def test_a_name_is_not_needed(veridical, scores):
    assert veridical("evaluate", scores, *EVALUATE, "--save").code == 0
    assert veridical("evaluate", scores, "--save", *EVALUATE).code == 0
    assert [run.name for run in Store().runs()] == [None, None]


def test_the_settings_are_kept(veridical, scores):
    words = ("-m", "roc_auc", "--group", "segment", "--missing", "drop", "--seed", "3", "--save")
    assert veridical("evaluate", scores, *EVALUATE, *words).code == 0
    run = vd.load_run()
    expected = {"metrics": ["roc_auc"], "groups": ["segment"], "missing": "drop", "seed": 3}
    assert expected.items() <= run.settings.items()
    assert run.seed == 3


def test_every_command_that_evaluates_saves(veridical, scores, tmp_path):
    (tmp_path / "golden.json").write_text('{"q1": {"d1": 1}}', encoding="utf-8")
    (tmp_path / "run.json").write_text('{"q1": {"d1": 0.5, "d2": 0.9}}', encoding="utf-8")
    (tmp_path / "said.txt").write_text("a b c d\n", encoding="utf-8")
    (tmp_path / "meant.txt").write_text("a c d e\n", encoding="utf-8")
    (tmp_path / "raters.csv").write_text("a,b\ny,y\nn,y\nn,n\n", encoding="utf-8")
    assert veridical("summarise", scores, *EVALUATE, "-o", "x.summary").code == 0
    commands = {
        "evaluation": ("evaluate", scores, *EVALUATE),
        "pooled": ("merge", "x.summary"),
        "ranking": ("rank", "run.json", "--qrels", "golden.json"),
        "text": ("text", "--candidates", "said.txt", "--references", "meant.txt"),
        "agreement": ("agree", "raters.csv", "--rater", "a", "--rater", "b"),
    }
    for kind, words in commands.items():
        done = veridical(*words, "--save", kind, "--tag", "each", "--json")
        assert done.code == 0, done.err
        run = vd.load_run(kind)
        assert run.kind == ("evaluation" if kind == "pooled" else kind)
        assert run.summaries
        shown = veridical("runs", "show", kind)
        assert shown.code == 0, shown.err
        printed = veridical(*words)
        assert printed.out.split("\n\n")[-1].strip() in shown.out
    listed = veridical("runs", "list", "--tag", "each", "--json").document["runs"]
    assert [run["name"] for run in listed] == list(commands)[::-1]


def test_what_could_not_be_measured_is_saved_too(veridical, tmp_path):
    (tmp_path / "one.csv").write_text("y,p\n0,0.5\n0,0.25\n", encoding="utf-8")
    done = veridical("evaluate", "one.csv", *EVALUATE, "-m", "roc_auc", "--save", "empty")
    assert done.code == 3
    assert str(vd.load_run("empty").results[0].reason) == "no_positives"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--tag", "x"), 64, "--tag is for a run that is saved"),
        (("--save", "latest"), 64, "cannot be called"),
        (("--save", "a\nb"), 64, "control characters"),
        (("--save", "x" * 300), 64, "300 characters"),
        (("--save", "a", "--tag", ""), 64, "tag is empty"),
        (("--save", "a", "--store", "."), 65, "the store is a folder"),
        (("--save", "a", "--store", "no/such/x.db"), 65, "does not exist"),
        (("--save", "a", "--store", "mysql://x"), 64, "a file or a PostgreSQL database"),
        (("--save", "a", "--store", "postgresql://me:secret@127.0.0.1:1/x"), 69, "reached"),
    ],
)
def test_what_cannot_be_saved(veridical, scores, words, code, told):
    done = veridical("evaluate", scores, *EVALUATE, *words)
    assert done.code == code
    assert told in done.err
    assert "secret" not in done.err
    assert not os.path.exists(".veridical")  # noqa: PTH110 - relative to the folder of the test
    # What was asked wrongly is refused before anything is measured; the rest is printed.
    assert ("ROC-AUC" in done.out) == (code != 64 or "mysql://x" in words)


def test_where_runs_are_kept_can_be_said_in_three_ways(veridical, scores, tmp_path, monkeypatch):
    assert veridical("evaluate", scores, *EVALUATE, "--save", "a", "--store", "one.db").code == 0
    (tmp_path / "veridical.yaml").write_text("store: two.db\n", encoding="utf-8")
    assert veridical("evaluate", scores, *EVALUATE, "--save", "b").code == 0
    monkeypatch.setenv("VERIDICAL_STORE", "three.db")
    assert veridical("evaluate", scores, *EVALUATE, "--save", "c").code == 0
    for name, place in (("a", "one.db"), ("b", "two.db"), ("c", "three.db")):
        assert [run.name for run in Store(place).runs()] == [name]
    monkeypatch.delenv("VERIDICAL_STORE")
    assert "b" in veridical("runs", "list").out


@pytest.mark.parametrize(
    ("setting", "names"), [("true", [None]), ("false", []), ("nightly", ["nightly"])]
)
def test_the_project_file_can_ask_for_every_run_to_be_kept(
    veridical, scores, tmp_path, setting, names
):
    (tmp_path / "veridical.yaml").write_text(f"evaluate:\n  save: {setting}\n", encoding="utf-8")
    assert veridical("evaluate", scores, *EVALUATE).code == 0
    assert [run.name for run in Store().runs()] == names


def test_lists_show_what_they_were_asked_for(veridical, saved):
    Store().save(draft(kind="bench", name="other", state="failed"))
    everything = veridical("runs", "list")
    assert everything.out.splitlines()[1].split()[1] == "other"
    assert "bench, failed" in everything.out
    assert everything.out.splitlines()[2].split()[:2] == [saved.id, "base"]
    by_metric = veridical("runs", "list", "-m", "roc_auc")
    assert "other" not in by_metric.out
    assert "binary.roc_auc p: 0.75" in by_metric.out
    [found] = veridical("runs", "list", "-m", "roc_auc", "--json").document["runs"]
    assert [(one["subject"], one["value"], one["n"]) for one in found["results"]] == [
        ("p", 0.75, 4)
    ]
    for words in (("--kind", "ranking"), ("--tag", "none"), ("--since", "2999-01-01")):
        none = veridical("runs", "list", *words)
        assert (none.code, none.out) == (0, "no such runs in .veridical/veridical.db\n")
    for since in ("1h", "2d", "3w", "2020-01-01", "2020-01-01T12:00", "2020-01-01T12:00+02:00"):
        assert "base" in veridical("runs", "list", "--since", since).out
    assert "the newest 1 are shown" in veridical("runs", "list", "--limit", "1").err
    assert "base" in veridical("runs", "list", "--limit", "0").out


@pytest.mark.parametrize(
    "words",
    [("--kind", "magic"), ("--state", "odd"), ("--since", "yesterday"), ("--limit", "-1"),
     ("--metric", "rok_auc"), ("--since", "99999999999999d")],
)  # fmt: skip
def test_lists_say_what_they_do_not_understand(veridical, saved, words):
    assert veridical("runs", "list", *words).code == 64


def test_showing_says_where_a_run_came_from(veridical, scores, saved):
    shown = veridical("runs", "show", "bas").out
    for told in (saved.id, "tags      t", "Python 3", "id id", saved.data_sha256, "4 by id"):
        assert told in shown
    table = veridical("evaluate", scores, *EVALUATE, "--id", "id").out
    assert table in shown
    assert veridical("runs", "show").out == shown  # the latest


def test_showing_as_json(veridical, saved):
    document = veridical("runs", "show", "base", "--json").document
    assert document["schema"] == "veridical.run/1"
    assert document["document"] == saved.document
    assert document["run"]["sha256"] == saved.sha256
    assert document["n_units"] == 4
    assert document["environment"]["versions"]["veridical"] == vd.__version__


def test_a_run_that_is_not_there(veridical, saved):
    done = veridical("runs", "show", "bsae")
    assert done.code == 65
    assert "did you mean base?" in done.err
    assert veridical("runs", "show", "x", "--store", "none.db").code == 65
    assert not os.path.exists("none.db")  # noqa: PTH110


def test_words_that_are_no_utf8_are_words_all_the_same(veridical, scores):
    odd = os.fsdecode(b"\xff")
    assert veridical("evaluate", scores, *EVALUATE, "--save", odd).code == 64
    assert veridical("evaluate", scores, *EVALUATE, "--save", "x", "--store", f"{odd}.db").code == 0
    assert veridical("runs", "show", odd, "--store", f"{odd}.db").code == 65
    for option in ("--name", "--tag"):
        done = veridical("runs", "list", option, odd, "--store", f"{odd}.db")
        assert (done.code, done.out.startswith("no such runs in ")) == (0, True)
    assert veridical("runs", "list", "--store", f"{odd}.db").code == 0


def test_runs_travel(veridical, saved):
    done = veridical("runs", "export", "base", "-o", "base.zip")
    assert done.code == 0
    assert "1 run," in done.out
    first = veridical("runs", "import", "base.zip", "--store", "other.db")
    assert (first.code, first.out.splitlines()[0]) == (0, "1 run imported, 0 there already")
    again = veridical("runs", "import", "base.zip", "--store", "other.db")
    assert again.out == "0 runs imported, 1 there already\n"
    assert vd.load_run("base", store="other.db") == saved
    assert veridical("runs", "export", "-o", ".veridical/veridical.db").code != 0
    assert vd.load_run("base") == saved


def test_importing_what_is_no_file_of_runs_makes_no_store(veridical, scores):
    assert veridical("runs", "import", scores).code == 65
    assert veridical("runs", "import", "none.zip").code == 65
    assert not os.path.exists(".veridical")  # noqa: PTH110


def test_deleting_asks(veridical, saved):
    done = veridical("runs", "delete", "base")
    assert done.code == 64
    assert "add --yes" in done.err
    assert vd.load_run("base") == saved
    gone = veridical("runs", "delete", "base", "--yes")
    assert (gone.code, gone.out) == (
        0,
        f"1 run deleted\n  base ({saved.id}): evaluation, finished\n",
    )
    assert Store().runs() == []
    assert veridical("runs", "delete", "base", "--yes").code == 65


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 64), ("", 64)])
def test_deleting_takes_yes_for_an_answer(veridical, saved, monkeypatch, answer, code):
    import io

    stream = io.StringIO(answer)
    stream.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", stream)
    done = veridical("runs", "delete", "base")
    assert done.code == code
    assert "delete 1 run? [y/N]" in done.err
    assert (Store().runs() == []) == (code == 0)


def test_verifying(veridical, saved):
    done = veridical("runs", "verify")
    assert (done.code, done.out) == (0, "1 run in .veridical/veridical.db: every hash is right\n")
    with Store()._database.writing() as connection:
        connection.exec_driver_sql("UPDATE veridical_run SET name = 'better \x1b[31m'")
    done = veridical("runs", "verify")
    assert done.code == 1
    assert "does not have its hash" in done.out
    assert "\x1b" not in done.out
    damaged = veridical("runs", "verify", "--json")
    assert damaged.code == 1
    assert damaged.document["n_runs"] == 1
    assert saved.id in damaged.document["damaged"][0]["where"]


def test_a_newer_store_is_refused(veridical, saved):
    with Store()._database.writing() as connection:
        connection.exec_driver_sql("UPDATE veridical_version SET version_num = '0099'")
    done = veridical("runs", "list")
    assert done.code == 65
    assert "0099" in done.err
    assert "install a newer veridical" in done.err


def test_hostile_names_are_shown_as_text(veridical, scores):
    name = "\u202e'; DROP TABLE veridical_run; --[bold]x[/bold]"
    assert veridical("evaluate", scores, *EVALUATE, "--save", name, "--tag", name).code == 0
    for words in (("list",), ("show", name), ("verify", name)):
        done = veridical("runs", *words)
        assert done.code == 0
        assert "\u202e" not in done.out
    assert "DROP TABLE" in veridical("runs", "list").out
    assert "[bold]x[/bold]" in veridical("runs", "list").out


@pytest.mark.parametrize("words", [[], ["--save", "x"]])
def test_the_database_is_loaded_only_to_save(scores, tmp_path, words):
    code = (
        "import json, sys\n"
        "from veridical.cli import main\n"
        "code = main(sys.argv[1:])\n"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "evaluate", str(scores), *EVALUATE, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    status, modules = json.loads(done.stderr.splitlines()[-1])
    assert status == 0
    assert ("sqlalchemy" in modules) == bool(words)
    assert "alembic" not in modules
