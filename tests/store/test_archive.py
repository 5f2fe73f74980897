"""Portable files: the same runs give the same bytes, and nothing in a file is trusted."""

import hashlib
import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from veridical import strict_json
from veridical.errors import (
    FileFormatError,
    FileMissingError,
    MismatchError,
    OutputError,
    RunNotFoundError,
    StoreError,
)
from veridical.store import Store
from veridical.store.drafts import draft


@pytest.fixture
def other(tmp_path):
    """Another store."""
    with Store(tmp_path / "other.db") as opened:
        yield opened


@pytest.fixture
def file(file_store, ev, tmp_path):
    """A file with two runs."""
    ev.save("one", tags=["a"], store=file_store)
    file_store.save(draft(kind="bench", name="two / \N{GRINNING FACE}"))
    file_store.export(None, tmp_path / "runs.zip")
    return tmp_path / "runs.zip"


def test_what_is_exported_is_imported(store, ev, tmp_path, other):
    run = ev.save("first", tags=["a", "b"], store=store)
    assert [one.id for one in store.export(["first"], tmp_path / "runs.zip")] == [run.id]
    new, every = other.import_file(tmp_path / "runs.zip")
    assert [one.id for one in new] == [one.id for one in every] == [run.id]
    again = other.load("first")
    assert again == run
    assert again.parts == dict(store.load("first").parts)
    assert again.evaluation.to_dict() == ev.to_dict()
    assert other.runs(tag="b")[0].id == run.id
    assert len(other.points()) == len(store.points()) > 0
    assert other.verify() == (1, [])


def test_the_same_runs_give_the_same_bytes(file, file_store, other, tmp_path):
    other.import_file(file)
    for store, references in ((file_store, None), (other, None), (other, ["two", "one", "one"])):
        store.export(references, tmp_path / "again.zip")
        assert (tmp_path / "again.zip").read_bytes() == file.read_bytes()


def test_importing_twice_changes_nothing(file, other):
    new, every = other.import_file(file)
    assert len(new) == len(every) == 2
    before = other.runs()
    new, every = other.import_file(file)
    assert (len(new), len(every)) == (0, 2)
    assert other.runs() == before


def test_a_file_is_readable_without_veridical(file, ev):
    with zipfile.ZipFile(file) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        documents = [
            json.loads(archive.read(name)) for name in archive.namelist() if "/document" in name
        ]
    assert ev.to_dict() in documents
    assert manifest["schema"] == "veridical.runs/1"
    assert {run["name"] for run in manifest["runs"]} == {"one", "two / \N{GRINNING FACE}"}


def test_a_run_with_the_id_of_another_is_refused_and_nothing_is_imported(file, other):
    with zipfile.ZipFile(file) as archive:
        first, second = json.loads(archive.read("manifest.json"))["runs"]
    other.save(replace(draft(kind="evaluation", name="mine"), id=second["id"]))
    with pytest.raises(MismatchError, match="differ") as caught:
        other.import_file(file)
    assert caught.value.exit_code == 4
    assert second["id"] in caught.value.where
    assert [run.name for run in other.runs()] == ["mine"]
    assert first["id"] != second["id"]


def test_a_run_that_is_running_is_not_exported(file_store, tmp_path):
    begun = file_store.save(draft(kind="bench", state="running"))
    with pytest.raises(MismatchError, match="still running"):
        file_store.export([begun.id], tmp_path / "runs.zip")
    assert not (tmp_path / "runs.zip").exists()
    assert file_store.export(None, tmp_path / "runs.zip") == []


def test_exporting_nowhere_or_what_is_not_there(file_store, tmp_path):
    with pytest.raises(OutputError):
        file_store.export(None, tmp_path / "no" / "runs.zip")
    with pytest.raises(RunNotFoundError):
        file_store.export(["nobody"], tmp_path / "runs.zip")
    with pytest.raises(FileMissingError):
        file_store.import_file(tmp_path / "runs.zip")


def rewritten(file, change) -> None:
    """Write the file again after ``change(entries)``, hashes of entries made right."""
    with zipfile.ZipFile(file) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(entries.pop("manifest.json"))
    change(manifest, entries)
    manifest["entries"] = {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
        for name, content in entries.items()
    }
    entries["manifest.json"] = strict_json.canonical(manifest)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def entry(entries, ending) -> str:
    return next(name for name in entries if name.endswith(ending))


def nothing(*_):
    """Change nothing."""


def better_value(manifest, entries):
    name = max((n for n in entries if n.endswith("/document")), key=lambda n: len(entries[n]))
    document = json.loads(entries[name])
    document["results"][0]["value"] = 0.999
    entries[name] = strict_json.canonical(document)


def sealed(run, entries):
    """Make the hash of a run right again, as somebody who knows the format would."""
    held = f"runs/{run['id']}/"
    parts = {
        name.removeprefix(held): hashlib.sha256(content).hexdigest()
        for name, content in entries.items()
        if name.startswith(held)
    }
    described = {**run, "sha256": None}
    run["sha256"] = strict_json.sha256({"schema": "veridical.run/1", **described, "parts": parts})


def forged(part, change):
    """Return a change of one part of the run with results, under a hash that is right."""

    def forge(manifest, entries):
        name = max((n for n in entries if n.endswith("/document")), key=lambda n: len(entries[n]))
        run_id = name.split("/")[1]
        name = f"runs/{run_id}/{part}"
        held = json.loads(entries[name])
        change(held)
        entries[name] = strict_json.dumps(held, indent=None).encode()
        sealed(next(run for run in manifest["runs"] if run["id"] == run_id), entries)

    return forge


FORGED = {
    "metric is a number": forged("document", lambda d: d["results"][0].update(metric=5)),
    "count beyond 64 bits": forged("document", lambda d: d["results"][0].update(n=10**30)),
    "count is text": forged("document", lambda d: d["results"][0].update(n_rows="many")),
    "notes are numbers": forged("document", lambda d: d["results"][0].update(notes=[1])),
    "interval upside down": forged(
        "document", lambda d: d["results"][0]["interval"].update(low=2.0, high=1.0)
    ),
    "results are text": forged("document", lambda d: d.update(results="all good")),
    "no settings": forged("context", lambda d: d.pop("settings")),
    "git is a number": forged("context", lambda d: d.update(git=7)),
    "environment is a list": forged("context", lambda d: d.update(environment=[1])),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_file_whose_hashes_are_right_is_read_with_distrust(file, other, what):
    rewritten(file, FORGED[what])
    with pytest.raises(FileFormatError, match="damaged or changed"):
        other.import_file(file)
    assert other.runs() == []


def test_a_forgery_that_changes_nothing_is_not_refused(file, other):
    rewritten(file, forged("context", nothing))
    assert len(other.import_file(file)[0]) == 2


def other_name(manifest, entries):
    manifest["runs"][0]["name"] = "a better name"


def other_tag(manifest, entries):
    manifest["runs"][0]["tags"] = ["approved"]


def other_state(manifest, entries):
    manifest["runs"][0]["state"] = "failed"


def running(manifest, entries):
    manifest["runs"][0] |= {"state": "running", "sha256": None}


def lost_part(manifest, entries):
    del entries[entry(entries, "/context")]


def foreign_part(manifest, entries):
    entries[entry(entries, "/context").replace("context", "more")] = b"{}"


def entry_of_nobody(manifest, entries):
    entries["../../../tmp/evil"] = b"x"


def twice(manifest, entries):
    manifest["runs"].append(manifest["runs"][0])


def newer_file(manifest, entries):
    manifest["schema"] = "veridical.runs/2"


def id_of_a_path(manifest, entries):
    manifest["runs"][0]["id"] = "../../x"


def no_list(manifest, entries):
    manifest["runs"] = 7


def no_name(manifest, entries):
    manifest["runs"][0]["name"] = "a\nb"


@pytest.mark.parametrize(
    "change",
    [
        better_value, other_name, other_tag, other_state, running, lost_part, foreign_part,
        entry_of_nobody, twice, newer_file, id_of_a_path, no_list, no_name,
    ],
)  # fmt: skip
def test_a_file_that_was_changed_is_refused(file, other, change):
    rewritten(file, change)
    with pytest.raises(FileFormatError, match="damaged or changed") as caught:
        other.import_file(file)
    assert caught.value.where == str(file)
    assert other.runs() == []


def test_a_file_that_is_only_written_again_is_not_refused(file, other):
    # Otherwise the tests above could pass for the writing alone.
    rewritten(file, nothing)
    assert len(other.import_file(file)[0]) == 2


def test_every_byte_counts(file, other):
    whole = file.read_bytes()
    rng = np.random.default_rng(1)
    refused = 0
    for at in rng.integers(0, len(whole), 200).tolist():
        changed = bytearray(whole)
        changed[at] ^= 1 << int(rng.integers(0, 8))
        file.write_bytes(bytes(changed))
        try:
            other.import_file(file)
        except (FileFormatError, MismatchError):
            refused += 1
        # Bits of ZIP's own that mean nothing (a time, a system) may change: then nothing else did.
        assert other.verify()[1] == []
        assert {run.name for run in other.runs()} <= {"one", "two / \N{GRINNING FACE}"}
    assert refused > 150


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x00" * 1000, b"{}"])
def test_a_file_that_is_something_else(tmp_path, file_store, content):
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    with pytest.raises(FileFormatError):
        file_store.import_file(path)


def test_a_compressed_bomb_is_not_opened(tmp_path, file_store):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b" " * 50_000_000)
    (tmp_path / "x.zip").write_bytes(buffer.getvalue())
    with pytest.raises(FileFormatError, match="compressed"):
        file_store.import_file(tmp_path / "x.zip")


DAMAGES = {
    "part": ("UPDATE veridical_part SET content = 'x' WHERE name = 'document'", "document"),
    "units": ("UPDATE veridical_part SET sha256 = 'x' WHERE name = 'units'", "units"),
    "size": ("UPDATE veridical_part SET size = 1 WHERE name = 'context'", "context"),
    "encoding": ("UPDATE veridical_part SET encoding = 'lzma' WHERE name = 'context'", "context"),
    "gone": ("DELETE FROM veridical_part WHERE name = 'units'", "list of parts"),
    "name": ("UPDATE veridical_run SET name = 'better'", "name, tags, state"),
    "tag": ("DELETE FROM veridical_tag", "name, tags, state"),
    "state": ("UPDATE veridical_run SET state = 'failed'", "name, tags, state"),
    "kind": ("UPDATE veridical_run SET kind = 'magic'", "its kind is 'magic'"),
    "time": ("UPDATE veridical_run SET created = 'yesterday'", "cannot be read"),
    "value": ("UPDATE veridical_result SET value = 0.9999 WHERE position = 0", "lists and trends"),
    "result": ("DELETE FROM veridical_result WHERE position = 1", "lists and trends"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_verify_names_what_is_damaged(store, ev, damage):
    ev.save("whole", tags=["t"], store=store)
    assert store.verify() == (1, [])
    statement, told = DAMAGES[damage]
    with store._database.writing() as connection:
        connection.exec_driver_sql(statement)
    n_runs, found = store.verify()
    assert n_runs == 1
    assert any(told in one.what for one in found), found
    assert all("whole" in one.where or "better" in one.where for one in found)


@pytest.mark.parametrize("damage", ["name", "tag", "state", "gone"])
def test_a_run_that_was_changed_is_neither_loaded_nor_exported(store, ev, damage, tmp_path):
    run = ev.save("whole", tags=["t"], store=store)
    with store._database.writing() as connection:
        connection.exec_driver_sql(DAMAGES[damage][0])
    with pytest.raises(FileFormatError, match="does not have its hash"):
        store.load(run.id)
    with pytest.raises(FileFormatError, match="does not have its hash"):
        store.export(None, tmp_path / "runs.zip")
    assert not (tmp_path / "runs.zip").exists()


def test_verify_names_only_the_run_that_is_damaged(store, ev):
    kept, broken = (ev.save(name, store=store) for name in ("kept", "broken"))
    with store._database.writing() as connection:
        connection.exec_driver_sql(
            f"UPDATE veridical_part SET content = 'x' WHERE run_id = '{broken.id}'"  # noqa: S608
        )
    assert store.verify(["kept"]) == (1, [])
    n_runs, found = store.verify()
    assert n_runs == 2
    assert {one.where for one in found} == {broken.label}
    assert store.load("kept").results == kept.results
    with pytest.raises(FileFormatError, match="does not have its hash"):
        _ = store.load("broken").document


def test_pages_of_the_file_that_were_overwritten_are_found(tmp_path, ev):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        for number in range(5):
            ev.save(f"run {number}", store=store)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8192] = b"\xa5" * 8192
    path.write_bytes(bytes(content))
    assert outcome(path) != []


def outcome(path):
    """What is damaged; a store that cannot even be opened says so."""
    try:
        with Store(path) as store:
            return store.verify()[1]
    except StoreError as error:
        return [error]
