"""The viewer as its user has it: the command, a real browser, the keyboard."""

import re
import signal
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.report.browsing import CONTRASTS, requested
from tests.view.conftest import HOSTILE, N, fill
from veridical.store import Store

pytestmark = pytest.mark.browser

PATIENCE_S = 20


@pytest.fixture(scope="module")
def viewer(tmp_path_factory):
    """`veridical view` on a store with runs of every kind."""
    path = tmp_path_factory.mktemp("store") / "runs.db"
    with Store(path) as store:
        ids = fill(store)
        command = [sys.executable, "-m", "veridical", "view", "--port", "0", "--no-browser"]
        process = subprocess.Popen(
            [*command, "--store", str(path)], stdout=subprocess.PIPE, text=True
        )
        address = process.stdout.readline().strip()
        origin = address.split("/?")[0]
        yield SimpleNamespace(address=address, origin=origin, ids=ids, store=store)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0


def media(browser, scheme="light", width=1280):
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen", "features": features})
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@pytest.fixture
def page(browser, viewer):
    """The list of runs; the console stays silent, and no other host is asked."""
    media(browser)
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(viewer.address)
    browser.execute_script("sessionStorage.clear(); delete document.documentElement.dataset.theme")
    yield browser
    assert browser.get_log("browser") == []
    assert browser.execute_script("return window.pwned") is None
    sent = requested(browser)
    assert sent
    assert {
        url.split("/static/")[0][: len(viewer.origin)] for url in sent if url[:5] != "data:"
    } == {viewer.origin}


def go(page, viewer, path):
    page.get(viewer.origin + path)


def keys(page, *pressed):
    ActionChains(page).send_keys(*pressed).perform()


def texts(page, selector):
    return [element.text for element in page.find_elements(By.CSS_SELECTOR, selector)]


def until(page, condition):
    """Wait for it; a page that is just being replaced has no answer yet."""
    gone = (StaleElementReferenceException, NoSuchElementException)
    return WebDriverWait(page, PATIENCE_S, ignored_exceptions=gone).until(condition)


def path_of(page):
    found = urlsplit(page.current_url)
    return f"{found.path}?{found.query}" if found.query else found.path


def focused(page):
    return page.execute_script("return document.activeElement.getAttribute('href')")


def test_the_address_opens_the_list_and_loses_its_token(page, viewer):
    assert path_of(page) == "/"
    assert len(page.find_elements(By.CSS_SELECTOR, "[data-row]")) == 8
    assert page.get_cookies()[0]["httpOnly"]
    assert page.get_cookies()[0]["sameSite"] == "Strict"


def test_a_filter_is_chosen_shared_and_taken_away(page):
    page.find_element(By.CSS_SELECTOR, "select[name=kind] option:nth-child(3)").click()
    until(page, lambda p: path_of(p) == "/?kind=ranking")
    assert texts(page, "[data-row]") == [HOSTILE]
    page.find_element(By.CSS_SELECTOR, ".chip").click()
    until(page, lambda p: path_of(p) == "/")


def test_a_search_leaves_no_empty_parameters_in_the_address(page, viewer):
    keys(page, "/")
    keys(page, "nightly", Keys.ENTER)
    until(page, lambda p: path_of(p) == "/?text=nightly")
    assert texts(page, "[data-row]") == ["nightly"] * 3


def test_rows_by_keyboard(page, viewer):
    ids = viewer.ids
    keys(page, "j")
    assert focused(page) == f"/runs/{ids.running}"
    keys(page, "j", "j", "k")
    assert focused(page) == f"/runs/{ids.failed}"
    outline = page.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    keys(page, Keys.ENTER)
    until(page, lambda p: path_of(p) == f"/runs/{ids.failed}")
    keys(page, "r")
    until(page, lambda p: path_of(p) == "/")
    keys(page, "k")
    assert focused(page) == f"/runs/{ids.nightly[0]}"


def test_letters_in_a_field_are_letters(page):
    keys(page, "/", "jkxc?")
    field = page.find_element(By.CSS_SELECTOR, "[data-search]")
    assert field.get_property("value") == "jkxc?"
    keys(page, Keys.ESCAPE, "?")
    assert page.find_element(By.ID, "keys").get_attribute("open") is not None
    assert "next, previous row" in page.find_element(By.ID, "keys").text


def test_two_runs_are_chosen_and_compared_by_keyboard(page, viewer):
    first, second, third = viewer.ids.nightly
    go(page, viewer, "/?name=nightly")
    keys(page, "j", "x", "j", "x", "c")
    until(page, lambda p: path_of(p) == f"/compare?a={third}&b={second}")
    until(page, lambda p: p.find_elements(By.CSS_SELECTOR, "#difference table"))
    shown = page.find_element(By.ID, "difference").text
    assert f"{N} rows are in both" in shown
    assert "binary.roc_auc" in shown
    assert "computing" not in shown
    go(page, viewer, f"/compare?a={viewer.ids.other}&b={first}")
    until(page, lambda p: "Refused" in p.find_element(By.ID, "difference").text)
    page.find_element(By.CSS_SELECTOR, "#difference .button").click()
    until(
        page, lambda p: "Allowed to differ: threshold" in p.find_element(By.ID, "difference").text
    )


def test_hostile_names_are_text(page, viewer):
    ids = viewer.ids
    assert HOSTILE in texts(page, "[data-row]")
    for path in (
        f"/runs/{ids.other}",
        f"/runs/{ids.other}/units",
        f"/runs/{ids.ranking}",
        f"/runs/{ids.running}/units",
        f"/compare?a={ids.other}&b={ids.nightly[0]}&all=1",
        f"/compare?a={ids.nightly[1]}&b={ids.nightly[0]}",
        "/trends?metric=binary.recall",
    ):
        go(page, viewer, path)
        until(page, lambda p: not p.find_elements(By.CSS_SELECTOR, "[aria-busy]"))
        assert HOSTILE in page.find_element(By.TAG_NAME, "main").text, path
        assert page.find_elements(By.TAG_NAME, "img") == []


def test_the_reports_charts_move_with_the_slider(page, viewer):
    go(page, viewer, f"/runs/{viewer.ids.nightly[0]}")
    assert len(page.find_elements(By.CSS_SELECTOR, "svg.veridical-chart")) >= 3
    slider = page.find_element(By.ID, "slider")
    slider.send_keys(Keys.HOME)
    assert page.find_element(By.ID, "flagged").text == "0"
    slider.send_keys(Keys.END)
    assert page.find_element(By.ID, "flagged").text == str(N)
    page.find_element(By.CSS_SELECTOR, ".subject-choice label:nth-of-type(2)").click()
    assert page.find_element(By.ID, "threshold-value").text


def test_units_are_filtered_and_walked_through(page, viewer):
    go(page, viewer, f"/runs/{viewer.ids.nightly[0]}/units")
    page.find_element(By.CSS_SELECTOR, "select[name=w0] option:nth-child(2)").click()
    until(page, lambda p: "w0=yes" in p.current_url)
    positives = int(viewer.store.load(viewer.ids.nightly[0]).units.column("label").sum())
    assert f"{positives} of {N} units" in page.find_element(By.CSS_SELECTOR, ".found").text
    go(page, viewer, f"/runs/{viewer.ids.nightly[0]}/units")
    keys(page, "n")
    until(page, lambda p: p.current_url.endswith("page=2"))
    keys(page, "p")
    until(page, lambda p: "page" not in p.current_url)
    page.find_element(By.CSS_SELECTOR, "thead th:nth-child(3) a").click()
    until(page, lambda p: "sort=1" in p.current_url)
    scores = [float(x) for x in texts(page, ".units td:nth-child(3)")]
    assert scores == sorted(scores, reverse=True)


def test_a_dot_of_a_trend_leads_to_its_run(page, viewer):
    go(page, viewer, "/trends?metric=binary.roc_auc&subject=p&name=nightly")
    dots = page.find_elements(By.CSS_SELECTOR, ".trend a")
    assert len(dots) == 3
    page.execute_script("arguments[0].focus()", dots[1])
    keys(page, Keys.ENTER)
    until(page, lambda p: path_of(p) == f"/runs/{viewer.ids.nightly[1]}")


def background(page):
    return page.execute_script("return getComputedStyle(document.body).backgroundColor")


def test_the_theme_follows_the_system_and_a_choice_lasts_as_long_as_the_tab(page, viewer):
    light = background(page)
    media(page, "dark")
    dark = background(page)
    assert dark != light
    button = page.find_element(By.ID, "view-theme")
    until(page, lambda _: button.text == "Light theme")
    button.click()
    assert background(page) == light
    go(page, viewer, f"/runs/{viewer.ids.nightly[0]}")
    assert background(page) == light
    assert page.find_element(By.ID, "view-theme").text == "Dark theme"
    assert page.execute_script("return localStorage.length") == 0
    assert [cookie["name"].split("-")[0] for cookie in page.get_cookies()] == ["veridical"]


def test_a_run_in_progress_moves_on_by_itself(page, viewer):
    from veridical.store.drafts import draft

    store = viewer.store
    run = store.save(draft(kind="bench", name="moving", state="running"))
    ledger = store.ledger(run.id)
    ledger.plan({f"case-{k}": "0" * 64 for k in range(4)})
    go(page, viewer, f"/runs/{run.id}")
    assert "0 of 4 units are settled" in page.find_element(By.ID, "progress").text
    for claim in ledger.claim(3):
        ledger.record(claim, "scored", settle="done")
    until(page, lambda p: "3 of 4 units are settled" in p.find_element(By.ID, "progress").text)
    ledger.settle("case-3")
    store.update(replace(run, state="finished"))
    until(page, lambda p: "How it went" in p.find_element(By.ID, "progress").text)
    assert texts(page, ".head .state") == ["finished"]
    store.delete([run.id])


def test_without_javascript_everything_is_there(page, viewer):
    first = viewer.ids.nightly[0]
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        go(page, viewer, "/?kind=evaluation&name=nightly")
        for box in page.find_elements(By.CSS_SELECTOR, "input[type=checkbox]")[:2]:
            box.click()
        page.find_element(By.CSS_SELECTOR, "[data-compare]").click()
        until(page, lambda p: "/compare?a=" in p.current_url)
        page.find_element(By.LINK_TEXT, "Compute them").click()
        until(page, lambda p: "/compare/difference" in p.current_url)
        assert f"{N} rows are in both" in page.find_element(By.TAG_NAME, "main").text
        go(page, viewer, f"/runs/{first}")
        assert len(page.find_elements(By.CSS_SELECTOR, ".static-chart")) >= 3
        assert "The slider needs JavaScript" in page.find_element(By.TAG_NAME, "main").text
        go(page, viewer, "/trends?metric=binary.roc_auc&name=nightly")
        assert len(page.find_elements(By.CSS_SELECTOR, ".trend circle")) == 3
        assert not page.find_element(By.ID, "view-theme").is_displayed()
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        # A page that was loaded without scripts runs none of those that a test asks for.
        go(page, viewer, "/")


def addresses(ids):
    first, second, _ = ids.nightly
    return [
        "/",
        "/?metric=binary.roc_auc",
        f"/runs/{ids.other}",
        f"/runs/{ids.running}",
        f"/runs/{first}/units",
        f"/runs/{ids.running}/units",
        f"/compare?a={ids.other}&b={first}&all=1",
        f"/compare?a={second}&b={first}",
        "/trends?metric=binary.recall",
        "/trends",
        "/nowhere",
    ]


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_width_makes_a_page_scroll_sideways(page, viewer, width):
    media(page, width=width)
    for path in addresses(viewer.ids)[:-1]:
        go(page, viewer, path)
        until(page, lambda p: not p.find_elements(By.CSS_SELECTOR, "[aria-busy]"))
        assert page.execute_script("return document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(page, viewer, scheme):
    media(page, scheme)
    for path in addresses(viewer.ids)[:-1]:
        go(page, viewer, path)
        until(page, lambda p: not p.find_elements(By.CSS_SELECTOR, "[aria-busy]"))
        worst = min(page.execute_script(CONTRASTS), key=lambda entry: entry[0])
        assert worst[0] >= 4.5, (path, worst)


def test_another_page_cannot_ask_for_anything(page, viewer, tmp_path):
    """A page from elsewhere, with this browser's cookie at hand, gets and shows nothing."""
    target = f"{viewer.origin}/runs/{viewer.ids.other}"
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text(
        f'<iframe id="f" src="{target}"></iframe><a id="a" href="{target}">open</a>'
        f'<form id="p" method="post" action="{target}"></form>',
        encoding="utf-8",
    )
    page.get(elsewhere.as_uri())
    failed = page.execute_async_script(
        "const [url, done] = arguments;"
        "fetch(url, {credentials: 'include'}).then((r) => r.text())"
        ".then(done, () => done('failed'));",
        target,
    )
    assert failed == "failed"
    page.find_element(By.ID, "a").click()
    until(page, lambda p: p.current_url == target)
    assert "Refused: the request comes from another" in page.find_element(By.TAG_NAME, "body").text
    page.back()
    page.execute_script("document.getElementById('p').submit()")
    until(page, lambda p: p.current_url == target)
    assert "Refused" in page.find_element(By.TAG_NAME, "body").text
    messages = [entry["message"] for entry in page.get_log("browser")]
    assert all(re.search("CORS|403|405|frame|Refused|Failed to load", m) for m in messages), (
        messages
    )
    page.get_log("performance")
    go(page, viewer, "/")
