"""``veridical text``."""

import json

import pytest

from veridical.cli import main


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {
        "c.txt": "the cat sat\n\na b c\n",
        "r.txt": "the cat sat\nx y\na b d\n",
        "s.txt": "a cat sat\nx y\na b c\n",
        "short.txt": "one\n",
        "latin.txt": "ok\ncaf\xe9\n",
    }.items():
        (tmp_path / name).write_bytes(lines.encode("latin-1"))


def test_results_and_what_they_do_not_say(files, capsys):
    assert main(["text", "--candidates", "c.txt", "--references", "r.txt"]) == 0
    out = capsys.readouterr().out
    assert "text.corpus_bleu" in out
    assert out.count("wording, not truth") == 1
    assert "tok:13a" in out


def test_several_references_and_one_document(files, capsys):
    words = ["text", "--candidates", "c.txt", "--references", "r.txt", "s.txt", "-m", "rouge_1"]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    (result,) = document["results"]
    assert result["conditions"]["references"] == 2
    assert result["value"] == pytest.approx(2 / 3)  # the empty line in the middle scores 0
    assert result["subject"] == "c.txt"


def test_the_example_of_a_false_text(capsys):
    assert main(["text", "--example"]) == 0
    out = capsys.readouterr().out
    assert "0.7334" in out
    assert "0.1585" in out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--candidates", "c.txt", "--references", "short.txt"], 4, "3 candidates"),
        (["--candidates", "c.txt", "--references", "latin.txt"], 65, "latin.txt:2"),
        (["--candidates", "c.txt", "--references", "gone.txt"], 65, "gone.txt"),
        (["--candidates", "c.txt"], 64, "--references"),
        (["--candidates", "c.txt", "--references", "r.txt", "-m", "roc_auc"], 64, "no metric"),
    ],
)
def test_errors_say_where(files, capsys, words, code, told):
    assert main(["text", *words]) == code
    assert told in capsys.readouterr().err
