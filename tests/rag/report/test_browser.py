"""The page of a RAG run in a real browser, opened from a file."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.rag.report.pages import evaluation
from tests.report.browsing import CONTRASTS, media, opened, requested, resize, settled

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    path = tmp_path_factory.mktemp("rag") / "rag.html"
    return evaluation().report(path).as_uri()


@pytest.fixture
def page(browser, url):
    """Open the page; whatever a test does, the console stays silent."""
    with opened(browser, url) as page:
        yield page


def shown(page):
    cases = page.find_elements(By.CSS_SELECTOR, ".case")
    return [c.find_element(By.CLASS_NAME, "case-id").text for c in cases if c.is_displayed()]


def choose(page, identifier):
    page.execute_script("arguments[0].click()", page.find_element(By.ID, identifier))


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("show-all", {"late", "odd", "attack", "fee", "moon"}),
        ("show-errors", {"late", "odd"}),
        ("show-unsupported", {"fee"}),
        ("show-flagged", {"fee", "attack"}),
        ("kind-injection", {"attack"}),
    ],
)
def test_filters_need_no_script(page, identifier, expected):
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.get(page.current_url)
        page.find_element(By.ID, identifier).send_keys(Keys.SPACE)
        assert set(shown(page)) == expected
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_one_key_opens_a_case_with_its_claims(page):
    case = page.find_element(By.XPATH, "//details[.//bdi[text()='fee']]")
    claims = case.find_element(By.CLASS_NAME, "evidence")
    assert not claims.is_displayed()
    case.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert claims.is_displayed()
    assert "quote not found" in claims.text
    raw = case.find_element(By.CLASS_NAME, "raw")
    assert not raw.is_displayed()
    case.find_elements(By.TAG_NAME, "summary")[1].send_keys(Keys.ENTER)
    assert raw.is_displayed()


def test_hostile_texts_run_nothing(page):
    choose(page, "show-all")
    for summary in page.find_elements(By.TAG_NAME, "summary"):
        page.execute_script("arguments[0].click()", summary)
    assert page.execute_script("return window.pwned") is None
    assert page.find_elements(By.TAG_NAME, "img") == []


def test_no_request_leaves(page, url):
    page.get_log("performance")
    page.get(url)
    asked = requested(page)
    assert url in asked
    assert all(address == url or address.startswith("data:") for address in asked)


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_is_wider_than_the_window(page, width):
    resize(page, width, 800)
    for summary in page.find_elements(By.CSS_SELECTOR, ".case > summary"):
        page.execute_script("arguments[0].click()", summary)
    wide = page.execute_script("return document.documentElement.scrollWidth")
    assert wide <= page.execute_script("return window.innerWidth")


def test_text_has_enough_contrast_in_both_themes(page):
    for summary in page.find_elements(By.TAG_NAME, "summary"):
        page.execute_script("arguments[0].parentElement.open = true", summary)
    for scheme in ("light", "dark"):
        media(page, scheme=scheme)
        worst = min(page.execute_script(CONTRASTS), key=lambda entry: entry[0])
        assert worst[0] >= 4.5, (scheme, worst)


def test_paper_shows_every_case_and_no_control(page):
    media(page, kind="print")
    resize(page, 794, 1123)  # A4 at 96 pixels an inch
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 794
    assert not any(e.is_displayed() for e in page.find_elements(By.TAG_NAME, "input"))
    claims = page.find_element(By.CLASS_NAME, "evidence")
    visible = "return arguments[0].checkVisibility({contentVisibilityAuto: true})"
    assert page.execute_script(visible, claims)
    assert page.execute_script("return arguments[0].getBoundingClientRect().height", claims) > 50
