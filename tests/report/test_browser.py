"""The report in a real browser, opened from a file."""

import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.report.browsing import (
    FOCUSED,
    background,
    check_contrast,
    media,
    opened,
    requested,
    resize,
    settled,
)
from tests.report.payloads import HOSTILE, payload, score_table, subject
from veridical.report.display import count_text, money_text, rate_text, threshold_text
from veridical.report.html import render_report

pytestmark = pytest.mark.browser

CONTENT = payload()


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_report(CONTENT), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser, url):
    """The report, freshly opened; whatever a test does, the console stays silent."""
    with opened(browser, url) as page:
        yield page


def text(page, identifier):
    return page.find_element(By.ID, identifier).text


def slider(page):
    return page.find_element(By.ID, "slider")


def position(page):
    return int(slider(page).get_property("value"))


def select(page, index):
    page.execute_script(
        "document.querySelectorAll('input[name=subject]')[arguments[0]].click()", index
    )


def assert_shows(page, point):
    """Every number of the panel is what Python gives at this point."""
    shown = {name: text(page, name) for name in ("tp", "fp", "fn", "tn")}
    assert shown == {name: count_text(point[name]) for name in shown}
    assert text(page, "flagged") == count_text(point["tp"] + point["fp"])
    assert text(page, "threshold-value") == threshold_text(point["threshold"])
    assert text(page, "cost") == money_text(point["cost"])
    for name in ("recall", "precision", "fpr"):
        rate = point[name]
        if rate is None:
            assert text(page, f"{name}-value") == "undefined"
            assert text(page, f"{name}-interval") == ""
        else:
            ends = f"{rate_text(rate['low'])} to {rate_text(rate['high'])}"
            assert text(page, f"{name}-value") == rate_text(rate["value"])
            assert text(page, f"{name}-interval") == ends


@pytest.mark.parametrize("index", [0, 1])
def test_the_slider_by_keyboard_shows_exactly_what_python_gives(page, index):
    points = CONTENT["subjects"][index]["points"]
    select(page, index)
    page.execute_script("document.getElementById('slider').focus()")
    handle = slider(page)
    handle.send_keys(Keys.HOME)
    assert position(page) == 0
    assert_shows(page, points[0])
    for expected in range(1, 6):
        handle.send_keys(Keys.ARROW_RIGHT)
        assert position(page) == expected
        assert_shows(page, points[expected])
    for key in (Keys.PAGE_UP, Keys.PAGE_UP, Keys.PAGE_UP, Keys.ARROW_LEFT, Keys.PAGE_DOWN):
        before = position(page)
        handle.send_keys(key)
        assert position(page) != before
        assert_shows(page, points[position(page)])
    handle.send_keys(Keys.END)
    assert position(page) == len(points) - 1
    assert_shows(page, points[-1])


def markers(page):
    """Per chart, where its marker is: (line x, circle x, circle y)."""
    return page.execute_script(
        """const found = {};
        for (const chart of document.querySelectorAll("[data-chart]")) {
          const line = chart.querySelector(".marker line");
          const ring = chart.querySelector(".marker circle");
          const number = (node, name) => node && Number(node.getAttribute(name));
          found[chart.dataset.chart] = [number(line, "x1"), number(ring, "cx"), number(ring, "cy")];
        }
        return found;"""
    )


def test_the_slider_moves_the_marker_on_every_chart(page):
    points = CONTENT["subjects"][0]["points"]
    slider(page).send_keys(Keys.HOME)
    start = markers(page)["roc"]
    slider(page).send_keys(Keys.END)
    end = markers(page)["roc"]
    seen = []
    for _ in range(3):
        slider(page).send_keys(Keys.PAGE_DOWN)
        at, point = markers(page), points[position(page)]
        # Flag nothing and flag everything are the two corners of the ROC square.
        x = start[1] + point["fpr"]["value"] * (end[1] - start[1])
        y = start[2] + point["recall"]["value"] * (end[2] - start[2])
        assert at["roc"][1:] == pytest.approx([x, y], abs=0.1)
        x = start[1] + point["recall"]["value"] * (end[1] - start[1])
        assert at["precision_recall"][1] == pytest.approx(x, abs=0.1)
        seen.append(at)
    for chart in ("roc", "precision_recall", "cost", "reliability"):
        assert len({at[chart][0] for at in seen}) == 3


def test_rare_events_on_logarithmic_axes(page, tmp_path):
    rare = subject("p", score_table(n=5000, prevalence=0.002, levels=3000))
    path = tmp_path / "rare.html"
    path.write_text(render_report(payload(("p",), subjects=[rare])), encoding="utf-8")
    page.get(path.as_uri())
    slider(page).send_keys(Keys.HOME)
    start = markers(page)["roc"]
    for _ in range(8):
        slider(page).send_keys(Keys.PAGE_UP)
    end = markers(page)["roc"]
    assert_shows(page, rare["points"][position(page)])
    assert start[1] < end[1]
    assert start[2] > end[2]


def test_standard_operating_points_are_buttons(page):
    subject = CONTENT["subjects"][0]
    for named in subject["named_thresholds"]:
        (button,) = (
            b
            for b in page.find_elements(By.CSS_SELECTOR, "[data-point]")
            if b.is_displayed() and b.text == named["name"]
        )
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        assert_shows(
            page, next(p for p in subject["points"] if p["threshold"] == named["threshold"])
        )


def test_a_click_on_a_chart_chooses_the_nearest_point(page):
    chart = page.find_element(By.CSS_SELECTOR, "[data-chart=roc] svg")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", chart)
    ActionChains(page).move_to_element_with_offset(chart, -20, -30).click().perform()
    clicked = [chart.size["width"] / 2 - 20, chart.size["height"] / 2 - 30]
    points = CONTENT["subjects"][0]["points"]
    chosen = position(page)
    assert_shows(page, points[chosen])

    def distance(index):
        page.execute_script(
            "const s = document.getElementById('slider'); s.value = arguments[0];"
            "s.dispatchEvent(new Event('input'));",
            index,
        )
        _, x, y = markers(page)["roc"]
        return (x - clicked[0]) ** 2 + (y - clicked[1]) ** 2

    nearest = distance(chosen)
    # A pixel of rounding in the click's position may decide between neighbours.
    for other in range(0, len(points), 7):
        assert nearest <= distance(other) + 60


def test_a_screen_reader_hears_the_numbers(page):
    slider(page).send_keys(Keys.ARROW_RIGHT)
    point = CONTENT["subjects"][0]["points"][position(page)]
    spoken = slider(page).get_attribute("aria-valuetext")
    assert f"Threshold {threshold_text(point['threshold'])}" in spoken
    assert f"recall {rate_text(point['recall']['value'])}" in spoken
    region = page.find_element(By.ID, "announcement")
    assert region.get_attribute("aria-live") == "polite"
    waited_until = time.monotonic() + 10
    while region.get_property("textContent") != spoken and time.monotonic() < waited_until:
        time.sleep(0.05)
    assert region.get_property("textContent") == spoken
    label = page.execute_script("return document.getElementById('slider').labels[0].textContent")
    assert label == "Threshold"


def test_every_control_is_reached_by_keyboard_and_shows_its_focus(page):
    reached = set()
    while len(reached) < 60:
        ActionChains(page).send_keys(Keys.TAB).perform()
        focused = page.execute_script(FOCUSED)
        if focused is None:
            break
        name, outlines = focused
        assert "solid" in outlines, name
        reached.add(name)
    assert {"Skip to the numbers", "theme", "Metrics", "subject", "slider", "in use"} <= reached


def test_hostile_names_run_nothing(page):
    assert page.execute_script("return window.pwned") is None
    assert page.find_elements(By.TAG_NAME, "img") == []
    assert HOSTILE in page.find_element(By.TAG_NAME, "h1").text


def test_no_request_leaves(browser, url):
    browser.get_log("performance")
    browser.get(url)
    slider(browser).send_keys(Keys.END)
    asked = requested(browser)
    assert url in asked
    assert all(address == url or address.startswith("data:") for address in asked)
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_the_policy_stops_a_script_that_got_in_all_the_same(browser, url):
    browser.get(url)
    browser.execute_script(
        "document.body.insertAdjacentHTML('beforeend', arguments[0]);"
        "const s = document.createElement('script'); s.textContent = 'window.pwned = 2';"
        "document.body.append(s);",
        HOSTILE,
    )
    time.sleep(0.3)
    assert browser.execute_script("return window.pwned") is None
    browser.get_log("browser")


def test_values_are_readable_with_javascript_off(browser, url):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(url)
        body = browser.find_element(By.TAG_NAME, "body").text
        for expected in ("0.8765", "no_threshold", "in use", "The slider needs JavaScript"):
            assert expected in body
        assert not browser.find_element(By.ID, "slider").is_displayed()
        charts = browser.find_elements(By.CSS_SELECTOR, ".static-chart")
        assert len(charts) == 4
        assert all(chart.is_displayed() for chart in charts)
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_dark_mode_follows_the_system_until_the_button_is_pressed(page):
    light = background(page)
    media(page, scheme="dark")
    dark = background(page)
    assert dark != light
    button = page.find_element(By.ID, "theme")
    # The browser tells the page of the change in its own time.
    WebDriverWait(page, 10).until(lambda _: button.text == "Light theme")
    button.click()
    assert background(page) == light
    assert button.text == "Dark theme"


def test_without_score_columns_the_theme_can_still_be_chosen(page, tmp_path):
    path = tmp_path / "results.html"
    path.write_text(render_report(payload(subjects=[])), encoding="utf-8")
    page.get(path.as_uri())
    light = background(page)
    page.find_element(By.ID, "theme").click()
    assert background(page) != light


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_print_is_light_and_leaves_the_controls_out(page, scheme):
    light = background(page)
    media(page, kind="print", scheme=scheme)
    assert background(page) == light
    assert not slider(page).is_displayed()
    assert page.find_element(By.ID, "tp").is_displayed()


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(page, width, tmp_path):
    resize(page, width, 844)
    path = tmp_path / "long.html"
    path.write_text(render_report(payload(("a_name_without_end_" * 8, "p"))), encoding="utf-8")
    page.get(path.as_uri())
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


def test_text_has_enough_contrast_in_both_themes(page):
    check_contrast(page, 100)
