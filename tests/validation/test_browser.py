"""The validation report in a real browser, opened from a file."""

import pytest
from selenium.webdriver.common.by import By

import veridical as vd
from tests.report.browsing import CONTRASTS, background, media, requested, resize, settled
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
    assert len(sections) == 12
    named = {section.get_attribute("id") for section in sections}
    links = page.find_elements(By.CSS_SELECTOR, "nav a")
    assert {link.get_attribute("href").partition("#")[2] for link in links} == named


def test_figures_are_drawn(page):
    charts = page.find_elements(By.CSS_SELECTOR, ".static-chart")
    assert len(charts) == 4
    assert all(chart.size["height"] > 100 for chart in charts)


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(page, width):
    resize(page, width, 844)
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


def test_paper_holds_the_page_and_its_last_one_is_to_sign(page):
    light = background(page)
    resize(page, 794, 1123)  # A4 at 96 pixels an inch
    media(page, kind="print", scheme="dark")
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 794
    assert background(page) == light
    broken = "return getComputedStyle(document.getElementById('sign-off')).breakBefore"
    assert page.execute_script(broken) == "page"
    lines = page.find_elements(By.CSS_SELECTOR, "#sign-off dd")
    assert len(lines) == 15
    assert all(line.text == "" and line.size["width"] > 100 for line in lines)


def test_text_has_enough_contrast_in_both_themes(page):
    for scheme in ("light", "dark"):
        media(page, scheme=scheme)
        ratios = page.execute_script(CONTRASTS)
        assert len(ratios) > 60
        worst = min(ratios, key=lambda entry: entry[0])
        assert worst[0] >= 4.5, (scheme, worst)
