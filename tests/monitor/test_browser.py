"""The report of a monitor in a real browser, opened from a file."""

import pytest
from selenium.webdriver.common.by import By

from tests.monitor.histories import SHIFTS, eventful
from tests.report.browsing import (
    check_contrast,
    check_harmless,
    check_linked,
    check_paper,
    check_width,
    opened,
)
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
    with opened(browser, url) as page:
        yield page


def test_hostile_names_run_nothing_and_no_request_leaves(page, url):
    check_harmless(page, url)


def test_every_section_is_linked(page):
    check_linked(page)


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
    check_width(page, width)


def test_paper_holds_the_page(page):
    check_paper(page)
    widest = page.execute_script(
        "return Math.max(...[...document.querySelectorAll('.periods')]"
        ".map((chart) => chart.getBoundingClientRect().right))"
    )
    assert widest <= 794


def test_text_has_enough_contrast_in_both_themes(page):
    check_contrast(page, 60)
