"""The project of `veridical rag init`: how it is written, and what its data promise."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from veridical.cli import main
from veridical.errors import OutputError
from veridical.rag.dataset import read_dataset
from veridical.rag.example import project_files, write_project
from veridical.rag.payloads import PAYLOADS


def content(folder: Path) -> dict[str, bytes]:
    """Return every file and empty folder below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            found[name] = path.read_bytes()
        elif not any(path.iterdir()):
            found[name] = b"(empty folder)"
    return found


def test_twice_is_the_same_to_the_byte(tmp_path):
    for name in "ab":
        write_project(tmp_path / "new" / name)
    first = content(tmp_path / "new/a")
    assert first == content(tmp_path / "new/b") == project_files()
    assert {"veridical.yaml", "cases.jsonl", "documents.jsonl", "my_rag/__init__.py"} < set(first)


def test_nothing_is_replaced_unless_it_is_wanted(tmp_path):
    (tmp_path / "cases.jsonl").write_text("mine")
    with pytest.raises(OutputError, match="has cases"):
        write_project(tmp_path)
    assert content(tmp_path) == {"cases.jsonl": b"mine"}
    (tmp_path / "notes.txt").write_text("mine too")
    write_project(tmp_path, force=True)
    assert content(tmp_path) == {**project_files(), "notes.txt": b"mine too"}


def test_a_folder_with_the_name_of_a_file_is_never_replaced(tmp_path):
    (tmp_path / "cases.jsonl").mkdir()
    (tmp_path / "cases.jsonl" / "a").write_text("mine")
    with pytest.raises(OutputError, match="has cases"):
        write_project(tmp_path, force=True)
    assert content(tmp_path) == {"cases.jsonl/a": b"mine"}


def test_a_link_is_replaced_and_not_what_it_leads_to(tmp_path):
    (tmp_path / "elsewhere").write_text("mine")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "cases.jsonl").symlink_to(tmp_path / "elsewhere")
    write_project(folder, force=True)
    assert (tmp_path / "elsewhere").read_text() == "mine"
    assert content(folder) == project_files()


@pytest.mark.parametrize("force", [False, True])
def test_what_fails_midway_leaves_everything_as_it_was(tmp_path, monkeypatch, force):
    folder = tmp_path / "project"
    if force:
        folder.mkdir()
        for name in ("cases.jsonl", "veridical.yaml"):
            (folder / name).write_text(f"my {name}")
    before = content(tmp_path)
    rename, places = Path.rename, set(project_files())

    for failing in range(len(places)):
        moved = []

        def one_fails(self, target, failing=failing, moved=moved):
            if Path(target).suffix != ".old" and self.parent.suffix == ".part":
                moved.append(target)
                if len(moved) == failing + 1:
                    raise OSError(28, "No space left on device")
            return rename(self, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "rename", one_fails)
            with pytest.raises(OutputError, match="No space left"):
                write_project(folder, force=force)
        assert len(moved) > failing
        assert content(tmp_path) == before


def test_the_command_tells_what_it_wrote_and_what_to_do_next(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "init", "a project"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines() == [f"a project/{name}" for name in project_files()]
    commands = [line.strip() for line in told.err.splitlines() if line.startswith("  ")]
    assert commands[0] == "cd 'a project'"
    assert all(line.startswith("veridical rag ") for line in commands[1:])
    assert main(["rag", "init", "a project"]) == 65
    assert "--force" in capsys.readouterr().err
    assert main(["rag", "init", "a project", "--force"]) == 0


def test_whoever_has_no_configuration_hears_of_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["rag", "run"]) != 0
    assert "veridical rag init" in capsys.readouterr().err


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    write_project(folder)
    return folder


@pytest.fixture(scope="module")
def documents(project):
    lines = (project / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    by_id = {one["id"]: f"{one['title']}. {one['text']}" for one in records}
    assert len(by_id) == len(records) >= 40
    return by_id


@pytest.fixture(scope="module")
def dataset(project):
    return read_dataset(project / "cases.jsonl")


def test_kinds_and_warnings(dataset):
    assert Counter(case.kind for case in dataset.cases) == {
        "qa": 40,
        "unanswerable": 10,
        "injection": 10,
    }
    assert dataset.warnings == ()
    assert any(case.graded for case in dataset.cases)
    assert all(case.expected_answer and case.expected_sources for case in of(dataset, "qa"))


def of(dataset, kind):
    return [case for case in dataset.cases if case.kind == kind]


def test_every_expected_source_is_there(dataset, documents):
    expected = {source for case in dataset.cases for source in case.expected_sources}
    assert expected
    assert expected <= set(documents)


def test_every_number_of_an_expected_answer_stands_in_its_sources(dataset, documents):
    numbers = re.compile(r"\d+")
    checked = 0
    for case in of(dataset, "qa"):
        text = " ".join(documents[source] for source in case.expected_sources)
        said = set(numbers.findall(case.expected_answer))
        assert said <= set(numbers.findall(text)), case.id
        checked += len(said)
    assert checked > 15


def test_each_payload_stands_where_its_case_says_and_nowhere_else(dataset, documents):
    attacks = of(dataset, "injection")
    assert {case.adversarial_payload for case in attacks} == set(PAYLOADS)
    assert Counter(case.metadata["placement"] for case in attacks) == {"question": 5, "document": 5}
    texts = {case.id: case.question for case in dataset.cases} | documents
    for case in attacks:
        attack, sentinel = PAYLOADS[case.adversarial_payload], case.metadata["sentinel"]
        assert sentinel == attack.sentinel(case.id, 0)
        place = case.metadata.get("document_id", case.id)
        holding = [name for name, text in texts.items() if attack.text(sentinel) in text]
        assert holding == [place]
        assert (place in documents) == (case.metadata["placement"] == "document")
    # Nothing but these sentences asks for anything, and no sentinel stands outside of them.
    everything = "\n".join(texts.values())
    for case in attacks:
        attack = PAYLOADS[case.adversarial_payload]
        everything = everything.replace(attack.text(case.metadata["sentinel"]), "")
    assert not re.search(r"vrd|https?:", everything)
