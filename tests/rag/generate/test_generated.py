"""Generated cases: what they attack or hold out, that they are cases, and their bytes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from veridical.cli import main
from veridical.errors import (
    FileFormatError,
    FileMissingError,
    InputError,
    OutputError,
    ParameterError,
)
from veridical.rag.cases import Case
from veridical.rag.dataset import read_dataset
from veridical.rag.generate import (
    check_output,
    injection_cases,
    read_corpus,
    unanswerable_cases,
    write_generated,
)
from veridical.rag.payloads import PAYLOADS

GOLDEN = [
    Case(id=f"q{n}", question=f"What does rule {n} cost?", expected_sources={f"d{n}": 1.0})
    for n in range(12)
]


@pytest.fixture
def corpus(tmp_path):
    """Twelve documents; d3 and d4 say the same, and d5 has a column of its own."""
    rows = [
        {"docno": f"d{n}", "title": f"Rule {n}", "contents": f"Rule {n} costs {n}. Pay it."}
        for n in range(12)
    ]
    rows[4]["contents"] = " rule 3 COSTS 3.\nPay it. "
    rows[5]["owner"] = {"name": "Zoë"}
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return read_corpus(path)


def test_every_payload_at_every_placement(corpus):
    made = injection_cases(corpus, cases=GOLDEN, count=20)
    turns = {(one["adversarial_payload"], one["metadata"]["placement"]) for one in made.cases}
    assert turns == {(p, place) for p in PAYLOADS for place in ("question", "document")}


def test_an_attack_stands_where_its_case_says(corpus):
    made = injection_cases(corpus, cases=GOLDEN, count=20, seed=3)
    questions = {one.id: one.question for one in GOLDEN}
    for case in made.cases:
        attack, about = PAYLOADS[case["adversarial_payload"]], case["metadata"]
        text = attack.text(about["sentinel"])
        asked = questions[about["question_of"]]
        if about["placement"] == "question":
            assert case["question"] in {f"{asked} {text}", f"{text} {asked}"}
            continue
        original = corpus.by_id[about["document_id"]]
        copy = made.corpus.by_id[about["poisoned_id"]]
        assert case["question"] == asked
        assert about["document_id"] in GOLDEN[int(about["question_of"][1:])].expected_sources
        assert copy.text.replace(f" {text}", "") == original.text
        assert copy.record == {**original.record, "docno": copy.id, "contents": copy.text}


def test_an_attack_that_is_obeyed_is_recognised(corpus):
    for case in injection_cases(corpus, count=20).cases:
        attack = PAYLOADS[case["adversarial_payload"]]
        assert attack.obeyed_by(f"Sure: {case['metadata']['sentinel']}")


def test_no_two_attacks_in_one_document(corpus):
    made = injection_cases(corpus, count=12, placements=["document"])
    assert len({one["metadata"]["document_id"] for one in made.cases}) == 12
    assert made.corpus.documents[:12] == corpus.documents
    with pytest.raises(ParameterError, match="13 documents would have to be copied"):
        injection_cases(corpus, count=13, placements=["document"])


def test_attacks_in_questions_alone_need_no_other_corpus(corpus):
    made = injection_cases(corpus, count=50, placements=["question"])
    assert made.corpus is None
    assert len(made.cases) == 50


def test_an_id_that_is_taken_is_not_given_again(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"id": "a", "text": "One."}\n{"id": "a-copy-0001", "text": "Two."}\n', encoding="utf-8"
    )
    for seed in range(4):
        made = injection_cases(read_corpus(path), count=2, placements=["document"], seed=seed)
        ids = [one.id for one in made.corpus.documents]
        assert len(set(ids)) == len(ids) == 4


def test_what_is_held_out_is_gone_with_what_says_the_same(corpus):
    made = unanswerable_cases(corpus, cases=GOLDEN[3:5], count=1)
    assert made.cases[0]["metadata"]["held_out"] in (["d3"], ["d4"])
    left = {one.id for one in made.corpus.documents}
    assert left == {f"d{n}" for n in range(12)} - {"d3", "d4"}


def test_the_hash_in_each_case_is_that_of_the_corpus_beside(corpus, tmp_path):
    for made in (unanswerable_cases(corpus, count=5), injection_cases(corpus, count=5)):
        beside, path = write_generated(made, tmp_path / "made.jsonl")
        assert (beside.name, path.name) == ("made.corpus.jsonl", "made.jsonl")
        digest = hashlib.sha256(beside.read_bytes()).hexdigest()
        assert {one["metadata"]["generated"]["corpus_sha256"] for one in made.cases} == {digest}
        assert read_corpus(beside) == made.corpus


def test_what_is_written_is_a_dataset(corpus, tmp_path):
    for make, kind in ((injection_cases, "injection"), (unanswerable_cases, "unanswerable")):
        *_, path = write_generated(make(corpus, count=8), tmp_path / "made.jsonl")
        dataset = read_dataset(path)
        assert dataset.warnings == ()
        assert [one.kind for one in dataset.cases] == [kind] * 8
        assert all("generated" in one.metadata for one in dataset.cases)


def test_a_title_that_two_documents_share_is_not_asked_for(tmp_path):
    path = tmp_path / "c.jsonl"
    rows = [("a", "Fees"), ("b", "FEES"), ("c", "Hours?"), ("d", "")]
    path.write_text(
        "".join(f"{json.dumps({'id': i, 'title': t, 'text': ''})}\n" for i, t in rows),
        encoding="utf-8",
    )
    made = unanswerable_cases(read_corpus(path), count=1)
    assert made.cases[0]["question"] == "What do the documents say about Hours?"
    with pytest.raises(ParameterError, match="there are 1 questions"):
        unanswerable_cases(read_corpus(path), count=2)


def test_what_cannot_be_made(corpus):
    other = [Case(id="q", question="?", expected_sources={"elsewhere": 1.0})]
    with pytest.raises(InputError, match="no qa case has its expected_source_ids"):
        unanswerable_cases(corpus, cases=other, count=1)
    with pytest.raises(ParameterError, match="no document would be left"):
        unanswerable_cases(corpus, count=12)
    for wrong in ({"count": 0}, {"count": 100_001}, {"seed": -1}, {"placements": []}):
        with pytest.raises(ParameterError):
            injection_cases(corpus, **wrong)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no document"),
        (b'{"id": "a", "text": "x"}\n[]\n', "one JSON object a line"),
        (b'{"id": "a"}\n', "no text"),
        (b'{"text": "x"}\n', "no id"),
        (b'{"id": " ", "text": "x"}\n', "empty id"),
        (b'{"id": 1, "text": "x"}\n{"id": "1", "text": "y"}\n', "stands twice"),
        (b'{"id": "a", "text": "\xff"}\n', "not UTF-8"),
        (b'{"id": "a", "id": "b", "text": "x"}\n', "occurs twice"),
        (b"{\n", "not JSON"),
    ],
)
def test_a_corpus_that_is_none(tmp_path, content, told):
    path = tmp_path / "c.jsonl"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=told):
        read_corpus(path)


def test_a_device_without_an_end_is_no_corpus():
    with pytest.raises(FileFormatError, match="a device, which may have no end"):
        read_corpus("/dev/zero")


def test_a_folder_is_a_corpus(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.TXT").write_bytes(b"\xef\xbb\xbfTwo.")
    (tmp_path / "a.md").write_text("One.", encoding="utf-8")
    (tmp_path / "c.csv").write_text("no", encoding="utf-8")
    found = read_corpus(tmp_path).documents
    assert [(one.id, one.title, one.text) for one in found] == [
        ("a.md", "a", "One."),
        ("sub/b.TXT", "b", "Two."),
    ]
    with pytest.raises(FileMissingError):
        read_corpus(tmp_path / "elsewhere")


def test_half_a_surrogate_is_written_as_json_has_it(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_bytes(b'{"id": "a", "text": "x \\ud800"}\n{"id": "b", "text": "y"}\n')
    made = injection_cases(read_corpus(path), count=2, placements=["document"])
    beside, _ = write_generated(made, tmp_path / "made.jsonl")
    assert read_corpus(beside) == made.corpus


def test_what_is_read_is_not_replaced(corpus, tmp_path):
    read = tmp_path / "x.corpus.jsonl"
    read.touch()
    check_output(tmp_path / "y.jsonl", corpus, [read])
    for name in ("x.corpus.jsonl", "./x.jsonl"):
        with pytest.raises(ParameterError, match="would replace"):
            check_output(tmp_path / name, corpus, [read])
    with pytest.raises(OutputError):
        check_output(tmp_path / "no" / "y.jsonl", corpus, [read])


@pytest.fixture
def folder(tmp_path):
    """A folder of four documents, one of them with line ends of another system."""
    found = tmp_path / "docs"
    texts = {"a.md": "One. Two.", "b/c.txt": "Three.\r\nFour.", "b.txt": "Five."}
    texts["b/a.md"] = "## Not this\n# What it costs #\nSix."
    for name, text in texts.items():
        (found / name).parent.mkdir(parents=True, exist_ok=True)
        (found / name).write_bytes(text.encode())
    return found


def test_the_corpus_of_a_folder_is_a_folder(folder, tmp_path):
    corpus = read_corpus(folder)
    found = [(one.id, one.title) for one in corpus.documents]
    assert found == [("a.md", "a"), ("b/a.md", "What it costs #"), ("b/c.txt", "c"), ("b.txt", "b")]
    made = injection_cases(corpus, count=4, placements=["document"])
    beside, _ = write_generated(made, tmp_path / "made.jsonl")
    assert beside == tmp_path / "made.corpus"
    assert read_corpus(beside).sha256 == made.corpus.sha256
    for case in made.cases:
        about = case["metadata"]
        original, copy = folder / about["document_id"], beside / about["poisoned_id"]
        assert (copy.parent.relative_to(beside), copy.suffix) == (
            original.parent.relative_to(folder),
            original.suffix,
        )
        assert (beside / about["document_id"]).read_bytes() == original.read_bytes()
        assert about["sentinel"][-8:] in copy.read_text("utf-8")
    reduced = unanswerable_cases(corpus, count=2)
    beside, _ = write_generated(reduced, tmp_path / "un.jsonl")
    held_out = {one for case in reduced.cases for one in case["metadata"]["held_out"]}
    assert {one.id for one in read_corpus(beside).documents} == set(corpus.by_id) - held_out


def full(_path, _content):
    """A disk without room."""
    raise OSError(28, "No space left on device")


def test_a_folder_is_never_replaced(folder, tmp_path, monkeypatch):
    corpus = read_corpus(folder)
    made = unanswerable_cases(corpus, count=1)
    write_generated(made, tmp_path / "made.jsonl")
    with pytest.raises(OutputError, match="already"):
        write_generated(made, tmp_path / "made.jsonl")
    (tmp_path / "made.corpus").rename(tmp_path / "elsewhere")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="cannot be written"):
        write_generated(made, tmp_path / "made.jsonl")
    assert sorted(tmp_path.rglob("*")) == before  # no half of one is left
    folder.rename(tmp_path / "docs.corpus")
    with pytest.raises(ParameterError, match="would replace"):
        check_output(tmp_path / "docs.jsonl", corpus, [tmp_path / "docs.corpus"])


def test_cases_that_are_there_are_replaced_only_where_asked(corpus, tmp_path, capsys, monkeypatch):
    """Somebody may have corrected them by hand."""
    monkeypatch.chdir(tmp_path)
    words = ["rag", "generate", "injection", "--corpus", "corpus.jsonl", "-o", "made.jsonl"]
    assert main(words) == 0
    made = Path("made.jsonl").read_bytes()
    Path("made.jsonl").write_bytes(b"corrected by hand\n")
    assert main(words) == OutputError.exit_code
    assert "--force" in capsys.readouterr().err
    assert Path("made.jsonl").read_bytes() == b"corrected by hand\n"
    assert main([*words, "--force"]) == 0
    assert Path("made.jsonl").read_bytes() == made


def test_the_same_bytes_in_any_locale(corpus, tmp_path):
    """Another process with another hash seed and locale makes the same files."""
    found = set()
    for seed, locale in (("1", "C"), ("2", "C.UTF-8")):
        digest = hashlib.sha256()
        for kind in ("injection", "unanswerable"):
            words = ["--corpus", "corpus.jsonl", "--seed", "7", "--count", "9", "-o", "made.jsonl"]
            words += ["--force"]
            subprocess.run(
                [sys.executable, "-m", "veridical", "rag", "generate", kind, *words],
                cwd=tmp_path,
                env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale},
                check=True,
                stdout=subprocess.DEVNULL,
            )
            for name in ("made.jsonl", "made.corpus.jsonl"):
                digest.update((tmp_path / name).read_bytes())
        found.add(digest.hexdigest())
    assert len(found) == 1
