"""``veridical agree``."""

import json

import pytest

from veridical.cli import main

ROWS = """id,human,judge
1,pass,pass
2,fail,pass
3,pass,pass
4,fail,fail
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ratings.csv"
    path.write_text(ROWS, encoding="utf-8")
    return str(path)


def test_a_table_with_what_to_know_about_it(file, capsys):
    assert main(["agree", file, "--rater", "human", "--rater", "judge"]) == 0
    out = capsys.readouterr().out
    assert "agreement.cohens_kappa" in out
    assert "human (down) against judge (across), 4 items" in out
    assert "ceiling" in out


def test_one_json_document(file, capsys):
    assert (
        main(["agree", file, "--rater", "human", "--rater", "judge", "-m", "kappa", "--json"]) == 0
    )
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert document["schema"] == "veridical.evaluation/1"
    (result,) = document["results"]
    assert result["metric"] == "agreement.cohens_kappa"
    assert result["requested"] == "kappa"
    assert result["value"] == 0.5
    assert result["subject"] == "human / judge"


def test_weights_need_a_scale(file, capsys):
    words = ["agree", file, "--rater", "human", "--rater", "judge", "--weights", "linear"]
    assert main(words) == 64
    assert "scale" in capsys.readouterr().err
    assert main([*words, "--scale", "fail,pass"]) == 0


def test_nothing_to_score_has_its_own_exit_code(tmp_path, capsys):
    path = tmp_path / "one.csv"
    path.write_text("a,b\nx,x\nx,x\n", encoding="utf-8")
    assert main(["agree", str(path), "--rater", "a", "--rater", "b", "-m", "kappa"]) == 3
    assert "no_variation" in capsys.readouterr().out


def test_an_absent_column_is_told(file, capsys):
    assert main(["agree", file, "--rater", "human", "--rater", "jugde"]) == 65
    assert "judge" in capsys.readouterr().err
