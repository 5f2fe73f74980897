"""The reports of runs, systems and raters in a real browser, opened from a file."""

import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.report.browsing import (
    FOCUSED,
    background,
    check_contrast,
    check_width,
    media,
    requested,
    resize,
    settled,
)
from tests.report.evaluations import REPORTS, ranking
from tests.report.payloads import HOSTILE
from veridical.report.display import rate_text

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def evaluations():
    return {name: make() for name, make in REPORTS.items()}


@pytest.fixture(scope="module")
def urls(evaluations, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    return {name: ev.report(folder / f"{name}.html").as_uri() for name, ev in evaluations.items()}


@pytest.fixture
def opened(browser, urls):
    """Open a report; whatever a test does, the console stays silent."""

    def open_report(name):
        resize(browser, 1280, 900)
        media(browser)
        browser.get_log("browser")
        browser.get(urls[name])
        return browser

    yield open_report
    assert browser.get_log("browser") == []


def text(page, identifier):
    return page.find_element(By.ID, identifier).text


def slider(page):
    return page.find_element(By.ID, "query-slider")


def position(page):
    return int(slider(page).get_property("value"))


def cells(page):
    rows = page.find_elements(By.CSS_SELECTOR, "#query-values tr")
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in rows]


def assert_shows(page, ev, query):
    """Every value of the panel is what Python gives for this query."""
    a, b = ev.subjects
    assert text(page, "query-id") == query
    for shown, metric in zip(cells(page), ("ndcg@10", "map", "mrr"), strict=True):
        one, two = (ev.query_values(metric, name).of(query) for name in (a, b))
        assert shown[1:3] == [rate_text(one), rate_text(two)]
        assert float(shown[3]) == pytest.approx(one - two, abs=1.1e-4)


def by_difference(ev, metric="ndcg@10"):
    a, b = (ev.query_values(metric, name) for name in ev.subjects)
    known = [at for at, defined in enumerate(a.defined.tolist()) if defined]
    # The page sorts what it shows: four digits.
    shown = [round(a.values[at], 4) - round(b.values[at], 4) for at in range(len(a.ids))]
    return [a.ids[at] for at in sorted(known, key=lambda at: (round(shown[at], 4), at))]


def test_the_slider_goes_through_the_queries_by_difference(opened, evaluations):
    page, ev = opened("ranking"), evaluations["ranking"]
    order = by_difference(ev)
    slider(page).send_keys(Keys.HOME)
    seen = [text(page, "query-id")]
    for _ in range(4):
        slider(page).send_keys(Keys.ARROW_RIGHT)
        seen.append(text(page, "query-id"))
        assert_shows(page, ev, seen[-1])
    slider(page).send_keys(Keys.END)
    assert position(page) == len(order) - 1
    assert_shows(page, ev, order[-1])
    assert seen[0] == order[0]


def test_another_metric_keeps_the_query_and_changes_the_order(opened, evaluations):
    page, ev = opened("ranking"), evaluations["ranking"]
    slider(page).send_keys(Keys.END)
    query = text(page, "query-id")
    Select(page.find_element(By.ID, "query-metric")).select_by_visible_text("MRR")
    assert text(page, "query-id") == query
    slider(page).send_keys(Keys.HOME)
    a, b = (ev.query_values("mrr", name) for name in ev.subjects)
    lowest = min(x - y for x, y, d in zip(a.values, b.values, a.defined, strict=True) if d)
    shown = text(page, "query-id")
    assert a.of(shown) - b.of(shown) == pytest.approx(lowest, abs=2e-4)
    assert page.find_element(By.CSS_SELECTOR, "#query-values .current th").text == "MRR"


def test_find_a_query_by_what_it_begins_with(opened, evaluations):
    page = opened("ranking")
    field = page.find_element(By.ID, "query-find")
    field.send_keys("q17")
    assert_shows(page, evaluations["ranking"], "q17")
    assert text(page, "query-missing") == ""
    field.send_keys("x")
    assert "No query" in text(page, "query-missing")
    assert text(page, "query-id") == "q17"


def test_a_click_on_a_point_opens_its_query(opened, evaluations):
    page = opened("ranking")
    chart = page.find_element(By.CSS_SELECTOR, "#query-chart svg")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", chart)
    dots = page.find_elements(By.CSS_SELECTOR, "#query-chart [aria-label=dot] circle")
    assert len(dots) == 60
    slider(page).send_keys(Keys.HOME)
    ActionChains(page).move_to_element(dots[-1]).click().perform()
    ring = page.find_element(By.CSS_SELECTOR, "#query-chart .ring")
    at = [float(ring.get_attribute(name)) for name in ("cx", "cy")]
    assert at == pytest.approx([float(dots[-1].get_attribute(n)) for n in ("cx", "cy")], abs=3)
    assert_shows(page, evaluations["ranking"], text(page, "query-id"))


def test_a_link_in_the_table_opens_its_query(opened, evaluations):
    page = opened("ranking")
    link = page.find_elements(By.CSS_SELECTOR, "#changes [data-query]")[3]
    query = link.get_attribute("data-query")
    page.execute_script("arguments[0].click()", link)
    assert_shows(page, evaluations["ranking"], query)


def test_a_screen_reader_hears_the_query(opened):
    page = opened("ranking")
    slider(page).send_keys(Keys.END)
    spoken = slider(page).get_attribute("aria-valuetext")
    assert spoken.startswith(f"Query {text(page, 'query-id')}, nDCG@10")
    assert "relevant found, at" in spoken
    region = page.find_element(By.ID, "announcement")
    WebDriverWait(page, 10).until(lambda _: region.get_property("textContent") == spoken)


def test_three_runs_and_one(opened, tmp_path):
    page = opened("ranking")
    three = ranking(runs=3)
    page.get(three.report(tmp_path / "three.html").as_uri())
    Select(page.find_element(By.ID, "query-second")).select_by_visible_text("run 0")
    heads = [h.text for h in page.find_elements(By.CSS_SELECTOR, "#query-head th")]
    assert heads == ["Metric", HOSTILE, "run 0", "Difference"]
    # A link in the table of another pair shows that pair.
    link = page.find_elements(By.CSS_SELECTOR, "#changes [data-pair='1 2']")[0]
    page.execute_script("arguments[0].click()", link)
    heads = [h.text for h in page.find_elements(By.CSS_SELECTOR, "#query-head th")]
    assert heads == ["Metric", "tfidf & co", "run 0", "Difference"]
    assert text(page, "query-id") == link.get_attribute("data-query")
    assert Select(page.find_element(By.ID, "query-first")).first_selected_option.text == heads[1]
    page.get(three.subject("run 0").report(tmp_path / "one.html").as_uri())
    slider(page).send_keys(Keys.HOME)
    values = three.query_values("ndcg@10", "run 0")
    lowest = min(v for v, known in zip(values.values, values.defined, strict=True) if known)
    assert cells(page)[0][1] == rate_text(lowest)
    heads = [h.text for h in page.find_elements(By.CSS_SELECTOR, "#query-head th")]
    assert heads == ["Metric", "run 0"]


@pytest.mark.parametrize("name", REPORTS)
def test_hostile_names_and_texts_run_nothing(opened, name):
    page = opened(name)
    for link in page.find_elements(By.CSS_SELECTOR, "[data-query]"):
        page.execute_script("arguments[0].click()", link)
    time.sleep(0.2)
    assert page.execute_script("return window.pwned") is None
    assert page.find_elements(By.TAG_NAME, "img") == []
    if name != "rate":
        assert HOSTILE in page.find_element(By.TAG_NAME, "h1").text


@pytest.mark.parametrize("name", REPORTS)
def test_no_request_leaves(browser, urls, name):
    browser.get_log("performance")
    browser.get(urls[name])
    asked = requested(browser)
    assert urls[name] in asked
    assert all(address == urls[name] or address.startswith("data:") for address in asked)


@pytest.mark.parametrize("name", REPORTS)
def test_every_control_is_reached_by_keyboard_and_shows_its_focus(opened, name):
    page = opened(name)
    reached = set()
    for _ in range(120):
        ActionChains(page).send_keys(Keys.TAB).perform()
        focused = page.execute_script(FOCUSED)
        if focused is None:
            break
        label, outlines = focused
        assert "solid" in outlines, label
        reached.add(label)
    assert {"Skip to the numbers", "theme", "Metrics"} <= reached
    if name == "ranking":
        assert {"query-metric", "query-find", "query-slider", "One query on", "q1"} <= reached


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ranking", ["The queries that changed most", "Choosing a query needs JavaScript"]),
        ("texts", ["The texts with the lowest overlap", "From text to text"]),
        ("agreement", ["Label by label", "people among themselves"]),
        ("rate", ["What the judge's rate of pass is worth"]),
    ],
)
def test_readable_with_javascript_off(browser, urls, evaluations, name, expected):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(urls[name])
        body = browser.find_element(By.TAG_NAME, "body").text
        for words in (*expected, rate_text(evaluations[name].results[0].value)):
            assert words in body
        assert all(not e.is_displayed() for e in browser.find_elements(By.ID, "query-slider"))
        charts = browser.find_elements(By.CSS_SELECTOR, ".static-chart, .heat")
        assert charts
        assert all(chart.is_displayed() for chart in charts)
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_dark_and_print(opened):
    page = opened("agreement")
    light = background(page)
    media(page, scheme="dark")
    assert background(page) != light
    media(page, kind="print", scheme="dark")
    assert background(page) == light
    assert not page.find_element(By.ID, "theme").is_displayed()


@pytest.mark.parametrize("name", REPORTS)
def test_paper_holds_the_page(opened, name):
    page = opened(name)
    resize(page, 794, 1123)  # A4 at 96 pixels an inch
    media(page, kind="print")
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 794
    assert not any(e.is_displayed() for e in page.find_elements(By.CSS_SELECTOR, "select, input"))


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(opened, name, width):
    page = opened(name)
    check_width(page, width)


@pytest.mark.parametrize("name", REPORTS)
def test_text_has_enough_contrast_in_both_themes(opened, name):
    page = opened(name)
    check_contrast(page, 60)


def test_text_on_the_darkest_cell_has_enough_contrast(opened):
    page = opened("agreement")
    for scheme in ("light", "dark"):
        media(page, scheme=scheme)
        assert page.execute_script(DARKEST_CELL) >= 4.5, scheme


# The ratio of ink on a full cell: the accent laid over the paper as strongly as any cell is.
DARKEST_CELL = """
const channel = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const rgb = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v / 255);
};
const cellOf = (cell) => getComputedStyle(cell);
const cells = [...document.querySelectorAll(".heat .cell")].map(cellOf);
const darkest = Math.max(...cells.map((style) => Number(style.fillOpacity)));
const paper = rgb(getComputedStyle(document.body).backgroundColor);
const accent = rgb(cells[0].fill);
const behind = luminance(paper.map((p, i) => p * (1 - darkest) + accent[i] * darkest));
const ink = luminance(rgb(getComputedStyle(document.querySelector(".heat .count")).fill));
const [a, b] = [behind, ink].sort((x, y) => y - x);
return (a + 0.05) / (b + 0.05);
"""
