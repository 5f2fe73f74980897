"""The validation report in a real browser, opened from a file."""

import pytest
from selenium.webdriver.common.by import By

import veridical as vd
from tests.report.browsing import (
    check_contrast,
    check_harmless,
    check_linked,
    check_paper,
    check_width,
    opened,
)
from tests.report.payloads import HOSTILE
from tests.validation.models import DAY, write_model

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    file = write_model(folder, name=HOSTILE, purpose=HOSTILE * 40, limitations=[HOSTILE])
    return vd.validate_model(file, date=DAY).report(folder / "report.html").as_uri()


@pytest.fixture
def page(browser, url):
    with opened(browser, url) as page:
        yield page


def test_hostile_names_run_nothing_and_no_request_leaves(page, url):
    check_harmless(page, url)


def test_every_section_is_linked(page):
    assert len(check_linked(page)) == 12


def test_figures_are_drawn(page):
    charts = page.find_elements(By.CSS_SELECTOR, ".static-chart")
    assert len(charts) == 4
    assert all(chart.size["height"] > 100 for chart in charts)


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(page, width):
    check_width(page, width)


def test_paper_holds_the_page_and_its_last_one_is_to_sign(page):
    check_paper(page)
    broken = "return getComputedStyle(document.getElementById('sign-off')).breakBefore"
    assert page.execute_script(broken) == "page"
    lines = page.find_elements(By.CSS_SELECTOR, "#sign-off dd")
    assert len(lines) == 15
    assert all(line.text == "" and line.size["width"] > 100 for line in lines)


def test_text_has_enough_contrast_in_both_themes(page):
    check_contrast(page, 60)
