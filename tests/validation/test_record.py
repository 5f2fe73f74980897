"""The verdict of a validation in the run store, in the viewer, and beside a later validation."""

import json
import shutil
from dataclasses import replace

import pytest

import veridical as vd
from tests.report.payloads import HOSTILE
from tests.validation.models import DAY, describe, write_model
from tests.view.conftest import viewer
from veridical.cli import main
from veridical.errors import FileFormatError, MismatchError, RunNotFoundError
from veridical.store import Store
from veridical.validation import validate_model
from veridical.validation.contents import document_of
from veridical.validation.page import page_of
from veridical.validation.record import earlier, record_of, recorded_verdict
from veridical.validation.since import since
from veridical.validation.word import word_of

BEFORE = "2026-10-31"


def policy(folder, auc, version=1):
    """A policy with one rule about scores, a band that no rule is about, and one about drift."""
    rules = f"[{{metric: binary.roc_auc, at_least: {auc}}}, {{metric: drift.psi, at_most: 0.1}}]"
    bands = (
        "[{metric: binary.average_precision, bands: [{at_least: 0.5, label: fair}, {label: weak}]}]"
    )
    text = f"version: {version}\nname: house\nrules: {rules}\nbands: {bands}\n"
    (folder / "house.yaml").write_text(text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two validations of one model, the first one saved under a name."""
    at = tmp_path_factory.mktemp("validations")
    changes = {"policy": ["house.yaml", "fairness-standard"], "limitations": [HOSTILE]}
    policy(at, 0.9)
    before = validate_model(write_model(at, **changes), date=BEFORE)
    before.save("fraud", tags=["bank"], store=at / "runs.db")
    policy(at, 0.999, version=2)
    describe(at, **changes, version="3.2")
    return at


@pytest.fixture(scope="module")
def now(folder):
    return validate_model(folder / "model.yaml", date=DAY)


@pytest.fixture(scope="module")
def before(folder):
    return earlier("fraud", folder / "runs.db")


def test_what_was_kept_is_what_was_found(folder, now, before):
    run = vd.load_run("fraud-verdict", store=folder / "runs.db")
    assert (run.kind, run.tags, run.seed) == ("validation", ("bank",), 0)
    assert run.data_sha256 == now.out_of_time.source["sha256"]
    assert (before.verdict, before.date.isoformat()) == ("not met", BEFORE)
    assert before.model == {"name": "Card fraud score", "version": "3.1"}
    assert {**before.to_dict(), "source": None} == {**run.document, "source": None}
    assert [one.name for one in before.verdicts] == ["house", "fairness-standard"]
    assert before.verdicts[0].rows[0].result.interval is not None
    assert before.limits["stated"] == [HOSTILE]
    for what, name in (
        ("scores", "fraud"),
        ("drift", "fraud-drift"),
        ("fairness", "fraud-fairness"),
    ):
        assert before.parts[what] == vd.load_run(name, store=folder / "runs.db").id


def test_rules_then_and_now(now, before):
    found = now.beside(before).since
    house = [one for one in found.rules if one.policy == "house"]
    assert [(one.rule, one.words) for one in house if one.altered] == [
        ("binary.roc_auc at least 0.999", ("not asked", "not met")),
        ("binary.roc_auc at least 0.9", ("met", "not asked")),
    ]
    unaltered = [one for one in house if not one.altered]
    assert {one.rule for one in unaltered} == {"drift.psi at most 0.1"}
    assert all(one.before.result == one.now.result for one in unaltered)
    assert len(found.remarks) == 3
    told = " ".join(found.remarks)
    assert "3.1 then" in told
    assert before.verdicts[0].sha256 in told
    assert "nothing here is news of the world" in told


def test_a_verdict_that_turned_is_named(now, before):
    (met, *others), *policies = (before.verdicts[0].rows, before.verdicts[1])
    turned = replace(
        before.verdicts[0], rows=(replace(met, rule="binary.roc_auc at least 0.999"), *others)
    )
    found = since(replace(before, verdicts=(turned, *policies)), recorded_verdict(now, {}))
    assert [one.words for one in found.rules if one.altered] == [("met", "not met")]


def test_two_models_do_not_follow_each_other(now, before):
    other = replace(before, model={"name": "Another", "version": "1"})
    with pytest.raises(MismatchError, match="model differs: Another then, Card fraud score now"):
        now.beside(other)
    with pytest.raises(MismatchError, match="level"):
        now.beside(replace(before, level=0.9))


def test_the_report_has_a_section(now, before):
    told = now.beside(before)
    document = document_of(told)
    (section,) = (one for one in document.sections if one.name == "since")
    html = page_of(document)
    assert 'href="#since"' in html
    assert "Since the last validation" in html
    assert word_of(document, told.date) == word_of(document, told.date)
    table = section.blocks[-1]
    assert table.rows[0][-2:] == ("not asked", "not met")
    assert "(0." in table.rows[0][4]  # the interval stands beside the number
    assert all(one.name != "since" for one in document_of(now).sections)


@pytest.fixture
def run(capsys, folder, monkeypatch):
    monkeypatch.chdir(folder)

    def command(*words):
        code = main(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def test_the_command_line(run):
    code, out, _ = run("validate", "model.yaml", "--previous", "fraud", "--store", "runs.db")
    assert code == 1
    assert f"Since {BEFORE} (fraud-verdict" in out
    assert "score: binary.roc_auc at least 0.9, met then, not asked now" in " ".join(out.split())
    code, out, _ = run(
        "validate", "model.yaml", "--previous", "fraud-verdict", "--store", "runs.db", "--json"
    )
    assert json.loads(out)["since"]["verdict"] == "not met"
    code, out, err = run("validate", "model.yaml", "--previous", "nobody", "--store", "runs.db")
    assert (code, out) == (65, "")
    assert "nobody" in err
    code, out, _ = run("runs", "list", "--kind", "validation", "--store", "runs.db")
    assert (code, "fraud-verdict" in out) == (0, True)
    code, out, _ = run("runs", "show", "fraud-verdict", "--store", "runs.db")
    assert code == 0
    assert "Overall: not met. At least one rule is not met." in out
    assert "binary.roc_auc at least 0.9, found 0.9724" in out
    code, out, err = run("compare", *["fraud-verdict"] * 2, "--store", "runs.db")
    assert (code, out) == (64, "")
    assert "holds no result" in err


def test_what_is_no_validation_is_refused(folder, tmp_path):
    with Store(tmp_path / "runs.db") as store:
        scores = vd.evaluate({"y": [1, 0], "p": [0.9, 0.6]}, label="y", score="p")
        alone = scores.save("alone", store=store)
        with pytest.raises(MismatchError, match="kind evaluation"):
            record_of(store.load(alone.id))
        with pytest.raises(RunNotFoundError, match="alone"):
            earlier("alone", tmp_path / "runs.db")


@pytest.mark.parametrize(
    "key", ["verdict", "date", "model", "policies", "limits", "parts", "source"]
)
def test_a_damaged_document_is_told(folder, key):
    run = vd.load_run("fraud-verdict", store=folder / "runs.db")
    document = {name: value for name, value in run.document.items() if name != key}
    damaged = replace(run, parts={**run.parts, "document": json.dumps(document).encode()})
    with pytest.raises(FileFormatError, match="fraud-verdict"):
        record_of(damaged)


def test_the_viewer_shows_verdict_limits_and_parts(folder, before):
    with Store(folder / "runs.db") as store:
        head = store.find("fraud-verdict")
        answer = viewer(store).get(f"/runs/{head.id}")
        listing = viewer(store).get("/")
    assert answer.status_code == 200
    assert HOSTILE not in answer.text
    assert "&lt;img src=x" in answer.text
    assert "binary.roc_auc at least 0.9" in answer.text
    assert 'verdict-not-met">not met' in answer.text
    assert all(run_id in answer.text for run_id in before.parts.values())
    assert "fraud-verdict" in listing.text


def test_it_travels(folder, tmp_path, before):
    with Store(folder / "runs.db") as store:
        store.export(["fraud-verdict"], tmp_path / "x.runs")
    with Store(tmp_path / "other.db") as other:
        other.import_file(tmp_path / "x.runs")
        assert record_of(other.load("fraud-verdict")).to_dict() == before.to_dict()
        assert other.verify()[1] == []


def test_the_viewer_holds_it_beside_the_one_before(folder, tmp_path, now):
    path = shutil.copy(folder / "runs.db", tmp_path / "runs.db")
    with Store(path) as store:
        now.save("fraud", store=store)
        html = viewer(store).get(f"/runs/{store.find('fraud-verdict').id}").text
    assert f">{BEFORE}</a>: not met then" in html
    assert "binary.roc_auc at least 0.9</bdi>, met then, not asked now" in html
    assert "nothing here is news of the world" in html
