"""The built site: strict, whole, quiet towards other hosts, and fit for a phone."""

import io
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from PIL import Image

from tests.docs.pages import ROOT
from tests.report.browsing import requested
from tools import docs

# Built once, by whichever process has the group.
pytestmark = pytest.mark.xdist_group("site")
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
LOADED = {("script", "src"), ("img", "src"), ("source", "srcset"), ("iframe", "src")}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built anew."""
    if shutil.which("npm") is None:
        if os.environ.get("CI") == "true":
            pytest.fail(docs.NO_NODE)
        pytest.skip(docs.NO_NODE)
    target = tmp_path_factory.mktemp("built") / "site"
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "docs.py", target],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        pytest.fail(f"the site cannot be built:\n{done.stderr[-4_000:]}", pytrace=False)
    return target


class Elements(HTMLParser):
    """What a file has of headings, ids, links, and things that are loaded."""

    def __init__(self, text):
        super().__init__()
        self.headings, self.ids, self.links = [], set(), []
        self.loaded, self.pictures, self.diagrams = [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.add(given["id"])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") in {"stylesheet", "preload", "icon"}:
            self.loaded.append(given["href"])
        if tag == "img":
            self.pictures.append(given.get("alt"))
        self.diagrams += (tag, given.get("class")) == ("pre", "mermaid")
        self.loaded += [given[name] for kind, name in LOADED if kind == tag and name in given]


@pytest.fixture(scope="module")
def parsed(site):
    """What is in all files, those beside the pages too: a search, an index, the way in."""
    return {path: Elements(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


@pytest.fixture(scope="module")
def shown(site, parsed):
    return {path: page for path, page in parsed.items() if path.parent != site}


def test_every_section_has_its_pages(site):
    for name in ("tutorials", "lessons", "how-to", "reference", "coming-from"):
        assert len(list((site / "docs" / name).rglob("*.html"))) > 1, name
    assert (site / "index.html").exists()


def test_one_title_and_no_level_skipped(shown):
    for path, page in shown.items():
        levels = page.headings
        assert levels.count(1) == 1, path
        assert levels[0] == 1, path
        assert all(b <= a + 1 for a, b in pairwise(levels)), path


def test_every_picture_is_told_in_words(parsed):
    for path, page in parsed.items():
        assert all(alt and alt.strip() for alt in page.pictures), path


def test_links_lead_somewhere(parsed):
    for path, page in parsed.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert re.fullmatch(r"https?://[\w.-]+\.[a-z]+(/\S*)?", link), f"{path}: {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), f"{path}: {link}"
            if parts.fragment and target in parsed:
                assert unquote(parts.fragment) in parsed[target].ids, f"{path}: {link}"


def test_nothing_is_loaded_from_another_host(site, parsed):
    for path, page in parsed.items():
        assert not [link for link in page.loaded if urlsplit(link).netloc], path
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?\s*(https?:)?//", style.read_text("utf-8"))


FAULTS = {
    "[to nowhere](nowhere.md)": "nowhere.md",
    "[to no heading](index.md#nowhere)": "nowhere",
    "![a picture of nothing](nothing.png)": "nothing.png",
    r"$\frac{1}{$": "formula cannot be read",
    "#### Too deep": "Non-consecutive header level",
    "```nothing\n```": "nothing",
}


@pytest.mark.parametrize("fault", FAULTS, ids=FAULTS.values())
def test_a_fault_stops_the_build(site, tmp_path, fault):
    source = tmp_path / "source"
    (source / "docs").mkdir(parents=True)
    (source / "docs" / "index.md").write_text(f"# A page\n\n{fault}\n", encoding="utf-8")
    done = subprocess.run(
        [*docs.SPHINX, source, tmp_path / "built"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode != 0
    assert FAULTS[fault] in done.stderr


def test_without_node_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="apt-get install nodejs npm"):
        docs.build(tmp_path / "site")


def test_a_registry_out_of_reach_is_tried_again_and_told(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(docs, "MODULES", tmp_path)
    monkeypatch.setattr(docs.shutil, "which", lambda name: name)

    def failing(command, **_kept):
        asked.append(command[0])
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(docs.subprocess, "run", failing)
    with pytest.raises(SystemExit, match="run it again: make docs"):
        docs.fetch_scripts()
    assert asked == ["npm"] * docs.TRIES


def await_diagrams(browser):
    """Wait until the diagrams of the page are drawn."""
    from selenium.webdriver.support.ui import WebDriverWait

    drawn = "return document.body.dataset.diagrams === 'drawn'"
    WebDriverWait(browser, 60).until(lambda one: one.execute_script(drawn))


@pytest.mark.browser
def test_a_phone_scrolls_no_page_sideways_and_asks_no_other_host(site, shown, browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    too_wide = {}
    for path, page in sorted(shown.items()):
        browser.get(path.as_uri())
        if page.diagrams:
            await_diagrams(browser)
            count = "return document.querySelectorAll('pre.mermaid svg > title').length"
            assert browser.execute_script(count) == page.diagrams, path
        width = browser.execute_script("return document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            too_wide[str(path.relative_to(site))] = width
        assert [url for url in requested(browser) if re.match("http|ws", url)] == [], path
        assert [one["message"] for one in browser.get_log("browser")] == [], path
    assert too_wide == {}


@pytest.mark.browser
def test_a_phone_cuts_no_name_off_the_index(site, browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    browser.get((site / "genindex.html").as_uri())
    ends = (
        "return [...arguments[0].querySelectorAll('a')].map(a => a.getBoundingClientRect().right)"
    )
    found = browser.execute_script(ends, browser.find_element("css selector", ".genindextable"))
    assert found
    assert max(found) <= PHONE["width"]


@pytest.fixture(params=["light", "dark"])
def ground(request, site, browser):
    """The page of a lesson on a phone, in either scheme, and how bright its ground is."""
    scheme = {"name": "prefers-color-scheme", "value": request.param}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get((site / "docs" / "lessons" / "metrics.html").as_uri())
    await_diagrams(browser)
    yield {"light": 255, "dark": 20}[request.param]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def brightness(browser, element):
    """How bright the uppermost part of an element is on the screen: a number a pixel."""
    below_the_bar = "arguments[0].style.scrollMarginTop = '100px'"
    show = "arguments[0].scrollIntoView({behavior: 'instant'})"
    browser.execute_script(f"{below_the_bar}; {show}", element)
    box = browser.execute_script("return arguments[0].getBoundingClientRect().toJSON()", element)
    seen = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("L")
    left, top = int(box["left"]), int(box["top"])
    return np.asarray(seen, dtype=int)[top : top + int(box["height"])][:, left : int(box["right"])]


@pytest.mark.browser
def test_a_wide_table_is_shaded_where_more_of_it_is(ground, browser):
    table = browser.find_element("css selector", "#the-options .table-wrapper")
    for scrolled, shaded in ((0, [False, True]), (50, [True, True]), (9_999, [True, False])):
        browser.execute_script("arguments[0].scrollLeft = arguments[1]", table, scrolled)
        ends = np.median(brightness(browser, table)[:, [0, -1]], axis=0)  # most of it is no letter
        assert (abs(ends - ground) > 20).tolist() == shaded, scrolled


@pytest.mark.browser
def test_figures_have_the_ground_of_the_page(ground, browser):
    figures = browser.find_elements("css selector", "article img")
    assert figures
    for figure in figures:
        assert abs(np.median(brightness(browser, figure)[2]) - ground) < 5  # above what is drawn
