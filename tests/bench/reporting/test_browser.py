"""The page of agents in a real browser, opened from a file."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.bench.reporting import shipped
from tests.bench.reporting.test_report import small
from tests.report.browsing import CONTRASTS, media, resize, settled
from veridical.bench.reporting.page import write_bench_report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def urls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    made = {"shipped": shipped.report(), "hostile": small(agents=("a", "b"))}
    return {
        name: write_bench_report(report, folder / f"{name}.html").as_uri()
        for name, report in made.items()
    }


@pytest.fixture
def opened(browser, urls):
    """Open a page; whatever a test does, the console stays silent."""
    resize(browser, 1280, 900)
    media(browser)
    browser.get_log("browser")

    def open_page(name):
        browser.get(urls[name])
        return browser

    yield open_page
    assert browser.get_log("browser") == []


def test_the_headline_is_the_first_table(opened):
    page = opened("shipped")
    head = page.find_element(By.CSS_SELECTOR, "main table thead").text
    for words in ("Silent failure", "Exact match", "Escalation recall", "False alarms"):
        assert words in head
    rows = page.find_elements(By.CSS_SELECTOR, "#metrics tbody tr")
    assert len(rows) == len(shipped.report().agents)
    assert rows[-1].text.startswith("closing_copier")


def test_a_file_of_the_case_opens_by_a_key(opened):
    page = opened("shipped")
    details = page.find_element(By.CSS_SELECTOR, "#case details")
    text = details.find_element(By.TAG_NAME, "pre")
    assert not text.is_displayed()
    details.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert text.is_displayed()
    assert text.text


def test_what_agents_and_banks_wrote_runs_nothing(opened):
    page = opened("hostile")
    for summary in page.find_elements(By.TAG_NAME, "summary"):
        page.execute_script("arguments[0].click()", summary)
    assert page.execute_script("return window.pwned") is None
    assert page.find_elements(By.TAG_NAME, "img") == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["shipped", "hostile"])
def test_nothing_is_wider_than_the_window(opened, name, width):
    page = opened(name)
    resize(page, width, 800)
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(opened, scheme):
    page = opened("shipped")
    media(page, scheme=scheme)
    settled(page)
    assert [one for one in page.execute_script(CONTRASTS) if one[0] < 4.5] == []


def test_it_asks_the_network_for_nothing(opened):
    page = opened("shipped")
    entries = page.execute_script("return performance.getEntriesByType('resource').length")
    assert entries == 0
