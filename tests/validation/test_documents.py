"""The page and the text document: one content, the same bytes every time, nothing left out."""

import datetime as dt
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from html.parser import HTMLParser

import docx
import numpy as np
import pyarrow as pa
import pytest

import veridical as vd
from tests.report.payloads import HOSTILE
from tests.validation.models import DAY, payments, write_model
from veridical.regulation import load_regulations
from veridical.report.visible import legal_xml
from veridical.validation.contents import document_of
from veridical.validation.document import (
    Bullets,
    Document,
    Figure,
    Paragraph,
    Section,
    Signatures,
    Table,
    legible,
)
from veridical.validation.page import page_of
from veridical.validation.word import word_of

DATE = dt.date.fromisoformat(DAY)
BIDI = "b\N{RIGHT-TO-LEFT OVERRIDE}c\a"


class _Text(HTMLParser):
    """The text of a page, and its tables as rows of cells."""

    def __init__(self):
        super().__init__()
        self.text, self.rows, self.tags, self.cell = [], [], [""], None

    def handle_starttag(self, tag, attrs):  # noqa: ARG002 - the signature of the base class
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.cell = []

    def handle_endtag(self, tag):
        if tag in {"td", "th"}:
            self.rows[-1].append("".join(self.cell))
            self.cell = None

    def handle_data(self, data):
        if self.tags[-1] not in {"style", "script"}:
            self.text.append(data)
        if self.cell is not None:
            self.cell.append(data)


def read_page(text):
    page = _Text()
    page.feed(text)
    return " ".join(page.text), [tuple(row) for row in page.rows]


def read_word(data):
    made = docx.Document(io.BytesIO(data))
    rows = [tuple(c.text for c in row.cells) for table in made.tables for row in table.rows]
    text = [p.text for p in made.paragraphs] + [cell for row in rows for cell in row]
    return " ".join(text), rows


def both(validation):
    document = document_of(validation)
    return read_page(page_of(document)), read_word(word_of(document, validation.date))


@pytest.fixture(scope="module")
def difficult(tmp_path_factory):
    """A sample in which much cannot be measured, with names that mean harm."""
    table = payments()
    channel = np.array(table["channel"].to_pylist(), object)
    free = np.asarray(table["is_fraud"]) == 0
    channel[free & (np.arange(len(free)) % 9 == 0)] = HOSTILE
    channel[free & (np.arange(len(free)) % 31 == 0)] = BIDI
    columns = {
        "is_fraud": table["is_fraud"],
        HOSTILE: pa.array(np.round(np.asarray(table["score"]), 3)),
        "points": pa.array(np.round(100 * np.asarray(table["old"]))),
        "channel": pa.array(channel.tolist()),
        "empty": pa.nulls(len(free), pa.float64()),
        "amount": table["amount"],
    }
    file = write_model(
        tmp_path_factory.mktemp("difficult"),
        pa.table(columns),
        name=HOSTILE,
        purpose=f"Two\n\nparagraphs, {HOSTILE}\nof it",
        owner=BIDI,
        limitations=[HOSTILE],
        score=HOSTILE,
        champion="points",
        features=["amount", "empty"],
        threshold=0.999999,
        policy=["metric-standard", "fairness-standard", "bank"],
    )
    return vd.validate_model(file, date=DAY)


def skipped(validation):
    """Every result without a value, found without the help of what lists them."""
    parts = [
        *validation.development.results,
        *validation.out_of_time.results,
        *(one.difference for one in validation.out_of_time.comparisons),
        *validation.drift.results,
        *validation.fairness.results,
        *validation.fairness.calibration,
        *(row.result for verdict in validation.verdicts for row in verdict.rows),
        *(r for verdict in validation.verdicts for row in verdict.rows for r in row.skill),
        *(band.result for verdict in validation.verdicts for band in verdict.bands),
    ]
    return [result for result in parts if not result.ok]


def test_both_name_everything_that_was_skipped(difficult):
    absent = skipped(difficult)
    assert len({(r.metric, r.reason) for r in absent}) > 5
    for _, rows in both(difficult):
        listed = [row for row in rows if len(row) == 5]
        for result in absent:
            names = [legal_xml(name) for name in (result.subject, result.group) if name]
            of_it = [
                row
                for row in listed
                if row[:3] == (result.metric, str(result.reason), legal_xml(result.detail))
                and row[3] == result.reason.fix
            ]
            assert len(of_it) == 1, result
            assert " · ".join(names) in of_it[0][4]


def test_both_name_every_limitation(difficult):
    limits = difficult.limits
    assert limits.stated
    assert limits.vacuous
    assert limits.few
    assert limits.noted
    sentences = [*limits.stated, *limits.absent, *limits.remarks]
    sentences += [one.sentence for one in (*limits.vacuous, *limits.few, *limits.noted)]
    for text, _ in both(difficult):
        for sentence in sentences:
            assert legal_xml(sentence) in text


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"champion": None}, "There is no benchmark"),
        ({"groups": None}, "over all rows alone"),
        ({"features": None}, "features were not measured"),
        ({"proxies": None}, "Fairness was not measured: the model file names no proxies"),
        ({"costs": None}, "Decisions were not measured"),
        ({"costs": None}, "Cost was not measured"),
        ({"out_of_time": "dev.csv"}, "nothing here is out of time"),
    ],
)
def test_a_part_that_is_absent_is_a_limitation(tmp_path, changes, told):
    validation = vd.validate_model(write_model(tmp_path, **changes), date=DAY)
    for text, _ in both(validation):
        assert told in text


def test_hostile_names_are_text_in_both(difficult):
    (page, _), (word, _) = both(difficult)
    html = page_of(document_of(difficult))
    assert "<img" not in html
    assert "img" not in _tags(html)
    for text in (page, word):
        assert HOSTILE in text
        assert "b\\u202ec\\x07" in text
        assert not re.search("[\u202e\x07]", text)


def _tags(html):
    page = _Text()
    page.feed(html)
    return set(page.tags)


def test_what_cannot_be_seen_is_spelt_out_in_every_block():
    hostile = "a\ud800\x00\ufffe"
    blocks = (
        Paragraph(hostile),
        Bullets((hostile,)),
        Table(hostile, (hostile,), ((hostile,),)),
        Signatures((hostile,), (hostile,)),
    )
    document = legible(Document(hostile, ((hostile, hostile),), (Section("s", "s", "s", blocks),)))
    visible = "a\\ud800\\x00\N{REPLACEMENT CHARACTER}"
    for text, _ in (read_page(page_of(document)), read_word(word_of(document, DATE))):
        assert text.count(visible) >= 9
        assert not re.search("[\ud800\x00\ufffe]", text)


def test_both_say_the_same(validation):
    document = document_of(validation)
    (page, page_rows), (word, word_rows) = both(validation)
    tables = [b for s in document.sections for b in s.blocks if isinstance(b, Table)]
    assert len(tables) > 15
    for table in tables:
        for row in (table.head, *table.rows):
            assert row in page_rows
            assert row in word_rows
    for section in document.sections:
        assert section.title in page
        assert section.title in word
    drawn = sum(isinstance(block, Figure) for s in document.sections for block in s.blocks)
    made = docx.Document(io.BytesIO(word_of(document, validation.date)))
    assert (drawn, len(made.inline_shapes)) == (4, 4)
    told = [shape._inline.docPr.get("descr") for shape in made.inline_shapes]
    assert [text.partition(".")[0] for text in told] == [
        "ROC",
        "Precision and recall",
        "Reliability",
        "Cost",
    ]


def test_neither_certifies_anything(validation, difficult):
    for one in (validation, difficult):
        for text, _ in both(one):
            assert "complian" not in text.lower()
            assert "A tool certifies nothing" in text


def test_evidence_is_cited_with_its_day_and_a_warning_where_a_text_is_out_of_force(validation):
    table = load_regulations()
    for text, rows in both(validation):
        told = f"evidence for discrimination of SR 11-7 / OCC 2011-12, status as of {table.as_of}"
        (row,) = [r for r in rows if r[0].startswith("binary.roc_auc at least")]
        assert row[-1] == told
        assert "SR 11-7 / OCC 2011-12 is no longer in force; cite SR 26-2" in text


def test_vacuous_rules_are_marked(validation):
    vacuous = [row for verdict in validation.verdicts for row in verdict.rows if row.vacuous]
    assert vacuous
    for _, rows in both(validation):
        marked = [cell for row in rows for cell in row if cell.endswith(", vacuous")]
        assert marked == [f"{row.verdict}, vacuous" for row in vacuous]


def test_nothing_is_signed_beforehand(validation):
    _, (_, rows) = both(validation)
    lines = ("Name", "Decision", "Conditions", "Date", "Signature")
    assert rows[-15:] == [(line, "") for line in lines] * 3


def test_the_same_bytes_whatever_the_environment(tmp_path):
    file = write_model(tmp_path)
    made = []
    for number, changes in enumerate(
        (
            {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
            {"PYTHONHASHSEED": "12", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "MPLBACKEND": "svg"},
        )
    ):
        page, word = (tmp_path / f"{number}.{ending}" for ending in ("html", "docx"))
        command = [sys.executable, "-m", "veridical", "validate", file, "--report", page]
        done = subprocess.run(
            [*command, "--docx", word, "--date", DAY, "--json"],
            env=os.environ | changes,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        made.append((page.read_bytes(), word.read_bytes(), done.stdout))
    assert made[0] == made[1]


def test_another_day_is_in_both(validation):
    day = validation.date.replace(year=2027)
    later = replace(validation, date=day)
    for text, _ in both(later):
        assert "2027-11-30" in text
        assert "2026-11-30" in text  # of the texts that are cited
    properties = docx.Document(io.BytesIO(word_of(document_of(later), day))).core_properties
    assert properties.created.date() == properties.modified.date() == day


def test_the_parts_of_the_document_are_sorted_and_undated(validation):
    data = word_of(document_of(validation), validation.date)
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        entries = parts.infolist()
        assert parts.testzip() is None
    names = [entry.filename for entry in entries]
    assert names[0] == "[Content_Types].xml"
    assert names[1:] == sorted(names[1:])
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}


def test_an_office_program_opens_it(validation, tmp_path):
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        pytest.skip("needs LibreOffice: apt-get install libreoffice-writer")
    validation.docx(tmp_path / "report.docx")
    subprocess.run(
        [
            office,
            f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}",
            "--headless",
            "--convert-to",
            "pdf",
            "--outdir",
            tmp_path,
            tmp_path / "report.docx",
        ],
        check=True,
        capture_output=True,
        timeout=180,
    )
    data = (tmp_path / "report.pdf").read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 8
    assert len(re.findall(rb"/Subtype\s*/Image\b", data)) >= 4
