"""Names, labels and groups from outside never act: not on a terminal, not in Markdown or HTML."""

import csv
import json
import re
from pathlib import Path

import pytest

import veridical as vd

ANSI, BIDI, TAG = "\x1b[31mred", "\u202eder\u2066", "<img src=x onerror=alert(1)>"
CELL, LINK, ZERO_WIDTH = "a|b`c`", "[x](https://example.org)", "p\u200bq"
NAMES = [ANSI, BIDI, TAG, CELL, LINK, ZERO_WIDTH]
ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def hostile(tmp_path):
    """A file whose label, score and group columns and whose values are hostile."""
    path = tmp_path / "hostile.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([f"label {TAG}", f"one {ANSI}", f"two {CELL}", f"group {BIDI}"])
        for row in range(40):
            label = f"yes {ANSI}" if row % 3 else f"no {TAG}"
            writer.writerow([label, (row * 7 % 40) / 40, (row * 11 % 40) / 40, NAMES[row % 6]])
    return path


def words(path):
    return [
        *("evaluate", path, "--label", f"label {TAG}", "--positive", f"yes {ANSI}"),
        *("--score", f"one {ANSI}", "--score", f"two {CELL}", "--group", f"group {BIDI}"),
        *("--threshold", "2", "-m", "precision", "-m", "roc_auc", "--no-intervals"),
    ]


def test_nothing_acts_on_a_terminal(veridical, hostile):
    out = veridical(*words(hostile)).out
    assert "nothing_flagged" in out
    assert not ACTING.search(out)
    assert r"\x1b[31mred" in out
    assert r"\u202e" in out


def test_nothing_acts_in_markdown(veridical, hostile):
    out = veridical(*words(hostile), "--markdown").out
    assert not ACTING.search(out)
    assert "<img" not in out
    assert not re.search(r"(?<!\\)\](?=\()", out)
    assert "https://" not in out
    tables = [line for line in out.splitlines() if line.startswith("|")]
    # No name adds a cell.
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} == {7}


def test_nothing_acts_in_a_notebook(hostile):
    ev = vd.evaluate(
        hostile,
        ["precision", "roc_auc"],
        label=f"label {TAG}",
        positive=f"yes {ANSI}",
        score=[f"one {ANSI}", f"two {CELL}"],
        groups=[f"group {BIDI}"],
        threshold=2,
        intervals=False,
    )
    page = ev._repr_html_()
    assert "<img" not in page
    assert "&lt;img" in page
    assert not ACTING.search(page)
    assert not ACTING.search(repr(ev))


def test_json_keeps_the_names_as_they_are(veridical, hostile):
    document = veridical(*words(hostile), "--json").document
    assert {result["subject"] for result in document["results"]} == {f"one {ANSI}", f"two {CELL}"}


def test_the_report_does_not_hold_the_tag(veridical, hostile, tmp_path):
    assert veridical(*words(hostile), "--report", "r.html", "--json").code == 0
    assert "<img" not in (tmp_path / "r.html").read_text(encoding="utf-8")


# In a page a tab is a tab, and what joins or parts letters belongs to words.
ACTING_IN_A_PAGE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def pages(veridical, hostile):
    """Yield the page of every command that writes one of the hostile file, and its document."""
    evaluated, shared = words(hostile), ["--report", "page.html", "--json"]
    raters = ["--rater", f"label {TAG}", "--rater", f"group {BIDI}"]
    of_groups = ["--group", f"group {BIDI}", "--decision", f"label {TAG}"]
    for command in (
        evaluated,
        ["drift", hostile, hostile],
        ["agree", hostile, *raters],
        ["fairness", hostile, *of_groups, "--favourable", f"no {TAG}"],
    ):
        outcome = veridical(*command, *shared)
        yield Path("page.html"), outcome
    veridical("monitor", "start", "watched", hostile)
    veridical("monitor", "observe", "watched", hostile, "--period", "2026-03")
    yield Path("page.html"), veridical("monitor", "report", "watched", *shared)


def test_nothing_acts_in_a_page_or_in_the_text_of_a_document(veridical, hostile):
    for page, outcome in pages(veridical, hostile):
        text = page.read_text(encoding="utf-8")
        assert not ACTING_IN_A_PAGE.search(text)
        assert r"\u202e" in text
        # What a chart draws is written as JSON, whose escapes would come back as characters.
        assert "u001b" not in text
        assert not ACTING_IN_A_PAGE.search(outcome.out)
        assert BIDI in json.dumps(outcome.document, ensure_ascii=False)
