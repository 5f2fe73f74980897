"""Two runs, and a trend, as text: what is said, and that no name says more than itself."""

import lxml.html
import pytest
from markdown_it import MarkdownIt

from tests.gates.documents import document, result, written
from tests.gates.test_outputs import HOSTILE, hidden
from veridical.comparison import compare_recorded, trend
from veridical.comparison.terminal import comparison_markdown, comparison_text
from veridical.comparison.trend_table import trend_text


@pytest.fixture
def files(tmp_path):
    """Return two documents of one subject and group."""

    def make(subject="p", group="g=a"):
        return [
            written(
                tmp_path / name,
                document(
                    result(value, value - 0.02, value + 0.02, subject=subject),
                    result(value, value - 0.05, value + 0.05, subject=subject, group=group),
                    result(None, metric="binary.ks", subject=subject),
                ),
            )
            for name, value in (("one.json", 0.9), ("two.json", 0.8))
        ]

    return make


def test_a_comparison_says_what_it_stands_on(files):
    printed = comparison_text(compare_recorded(*files()))
    text = " ".join(printed.split())
    # A long path is broken where the line ends.
    unbroken = "".join(printed.split())
    assert unbroken.startswith(f"{files()[0]}−{files()[1]}comparedfromtheirresults")
    # Square and add: 0.1 -+ 0.02 * sqrt(2), and z = 0.1 / (0.0283 / 1.96) = 6.93.
    assert "ROC-AUC 0.9000 0.8000 +0.1000 0.0717 to 0.1283 square-and-add" in text
    assert f"{files()[0]}better(p<0.0001)" in unbroken
    assert "g=a" in text
    # 0.1 -+ 0.05 * sqrt(2): z = 2.77, p = 0.0056.
    assert "0.0293 to 0.1707 square-and-add" in text
    assert "p = 0.0056" in text
    assert "not compared" in text
    assert "for want of an outcome for each unit" in text


def test_a_difference_that_is_not_shown_says_what_would_have_been(files, tmp_path):
    near = document(result(0.89, 0.87, 0.91))
    text = comparison_text(compare_recorded(files()[0], written(tmp_path / "near.json", near)))
    # (1.96 + 0.84) * 0.0283 / 1.96 = 0.0404.
    assert "differences from 0.0404 on are found with 80% power" in " ".join(text.split())


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_stay_text(files, name):
    both = files(name, f"g={name}")
    found = compare_recorded(*both)
    assert not hidden(comparison_text(found))
    assert not hidden(trend_text(trend(both, "roc_auc", group=f"g={name}")))
    text = comparison_markdown(found)
    page = lxml.html.fromstring(MarkdownIt("commonmark").enable("table").render(text))
    tags = {element.tag for element in page.iter()}
    assert tags <= {"div", "p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
    assert {len(row.findall("td")) for row in page.findall(".//tbody/tr")} == {8}
    assert not hidden(text)
