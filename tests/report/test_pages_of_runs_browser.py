"""The pages of comparisons, trends and verdicts in a real browser, opened from a file."""

import pytest
from selenium.webdriver.common.by import By

from tests.report.browsing import (
    check_contrast,
    check_harmless,
    check_linked,
    check_paper,
    check_width,
    opened,
)
from tests.report.judged_runs import MADE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def urls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name, make in MADE.items():
        found = make(tmp_path_factory.mktemp(name))
        made[name] = found.report(folder / f"{name}.html").as_uri()
    return made


@pytest.mark.parametrize("name", MADE)
def test_it_is_read_on_every_screen_and_on_paper(browser, urls, name):
    with opened(browser, urls[name]) as page:
        check_linked(page)
        for width in (360, 390, 768, 1280):
            check_width(page, width)
        check_paper(page)


@pytest.mark.parametrize("name", MADE)
def test_names_run_nothing(browser, urls, name):
    with opened(browser, urls[name]) as page:
        heading = page.find_element(By.TAG_NAME, "h1").text
        if "<img" in heading:
            check_harmless(page, urls[name])
        assert page.execute_script("return window.pwned") is None
        assert page.find_elements(By.TAG_NAME, "img") == []


@pytest.mark.parametrize("name", MADE)
def test_text_can_be_read_in_both_themes(browser, urls, name):
    with opened(browser, urls[name]) as page:
        check_contrast(page, 30)
