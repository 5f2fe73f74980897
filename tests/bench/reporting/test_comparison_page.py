"""The page of two agents: every figure of the table, and whatever agents wrote is text."""

from __future__ import annotations

import pytest

from tests.bench.reporting.test_report import EVIL, small
from tests.report.browsing import check_contrast, check_linked, check_paper, check_width, opened
from tests.report.documents import Page, assert_asks_for_nothing, assert_policy
from tests.report.test_unit_reports import visible_text
from veridical.bench.comparing import compare_agents
from veridical.bench.reporting.comparison import comparison_tables
from veridical.bench.reporting.comparison_page import agents_html, write_agents_report


@pytest.fixture(scope="module")
def found():
    a, b = small(12, agents=("a", "b")).agents
    return compare_agents(a, b)


def test_nothing_is_asked_for_and_names_are_text(found):
    html = agents_html(found)
    page = Page(html)
    assert_policy(page)
    assert_asks_for_nothing(page)
    assert EVIL not in html
    assert html.count("<script") == 1


def test_every_figure_stands_there(found):
    text = visible_text(agents_html(found))
    tables = comparison_tables(found)
    assert tables
    for table in tables:
        assert table.heading in text
        for row in table.rows:
            for cell in row:
                assert " ".join(cell.split()) in text


@pytest.mark.browser
def test_it_is_read_on_every_screen_and_on_paper(browser, found, tmp_path):
    url = write_agents_report(found, tmp_path / "agents.html").as_uri()
    with opened(browser, url) as page:
        check_linked(page)
        for width in (360, 390, 768, 1280):
            check_width(page, width)
        check_paper(page)
        check_contrast(page, 30)
        assert page.execute_script("return window.pwned") is None
