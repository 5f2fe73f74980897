"""The report of a monitor in a real browser, opened from a file."""

import pytest
from selenium.webdriver.common.by import By

from tests.monitor.histories import SHIFTS, eventful
from tests.report.browsing import CONTRASTS, background, media, requested, resize, settled
from tests.report.payloads import HOSTILE
from veridical.store import Store

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with Store(folder / "runs.db") as store:
        return eventful(store, HOSTILE).report(folder / "report.html").as_uri()


@pytest.fixture
def page(browser, url):
    """The page; whatever a test does, the console stays silent."""
    resize(browser, 1280, 900)
    media(browser)
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(url)
    yield browser
    assert browser.get_log("browser") == []


def test_hostile_names_run_nothing_and_no_request_leaves(page, url):
    assert HOSTILE in page.find_element(By.TAG_NAME, "h1").text
    assert page.execute_script("return window.pwned") is None
    assert page.find_elements(By.TAG_NAME, "img") == []
    asked = requested(page)
    assert url in asked
    assert all(address == url or address.startswith("data:") for address in asked)


def test_every_section_is_linked(page):
    sections = page.find_elements(By.CSS_SELECTOR, "main > section")
    named = {section.get_attribute("id") for section in sections}
    links = page.find_elements(By.CSS_SELECTOR, "nav a")
    assert {link.get_attribute("href").partition("#")[2] for link in links} == named


def test_charts_are_drawn_and_named(page):
    charts = page.find_elements(By.CSS_SELECTOR, ".static-chart.periods")
    assert len(charts) == 5
    for chart in charts:
        assert chart.size["height"] > 150
        assert chart.get_attribute("aria-label").endswith("the table has every number")
        dots = chart.find_elements(By.CSS_SELECTOR, "circle:not(.sign)")
        assert len(dots) == len(SHIFTS)
    # No two names of the axes lie on each other.
    overlapping = page.execute_script(
        """
        const boxes = [...document.querySelectorAll(".periods")[0].querySelectorAll("text")]
          .map((text) => text.getBoundingClientRect());
        return boxes.some((a, i) => boxes.slice(i + 1).some((b) =>
          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
        """
    )
    assert overlapping is False


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(page, width):
    resize(page, width, 844)
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


def test_paper_holds_the_page(page):
    light = background(page)
    resize(page, 794, 1123)  # A4 at 96 pixels an inch
    media(page, kind="print", scheme="dark")
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 794
    assert background(page) == light
    widest = page.execute_script(
        "return Math.max(...[...document.querySelectorAll('.periods')]"
        ".map((chart) => chart.getBoundingClientRect().right))"
    )
    assert widest <= 794


def test_text_has_enough_contrast_in_both_themes(page):
    for scheme in ("light", "dark"):
        media(page, scheme=scheme)
        ratios = page.execute_script(CONTRASTS)
        assert len(ratios) > 60
        worst = min(ratios, key=lambda entry: entry[0])
        assert worst[0] >= 4.5, (scheme, worst)
