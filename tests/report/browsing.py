"""What tests in a browser have in common: window, media, and questions to the page."""

import json
from contextlib import contextmanager

from selenium.webdriver.common.by import By

from tests.report.payloads import HOSTILE


@contextmanager
def opened(browser, url):
    """Give the page; whatever is done with it, the console stays silent."""
    resize(browser, 1280, 900)
    media(browser)
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(url)
    yield browser
    assert browser.get_log("browser") == []


def check_harmless(page, url):
    """A hostile name in the heading runs nothing, and no request leaves."""
    assert HOSTILE in page.find_element(By.TAG_NAME, "h1").text
    assert page.execute_script("return window.pwned") is None
    assert page.find_elements(By.TAG_NAME, "img") == []
    asked = requested(page)
    assert url in asked
    assert all(address == url or address.startswith("data:") for address in asked)


def check_linked(page):
    """Every section is linked, and nothing else."""
    sections = page.find_elements(By.CSS_SELECTOR, "main > section")
    links = page.find_elements(By.CSS_SELECTOR, "nav a")
    named = {section.get_attribute("id") for section in sections}
    assert {link.get_attribute("href").partition("#")[2] for link in links} == named
    return sections


def check_width(page, width):
    """No width makes the page scroll sideways."""
    resize(page, width, 844)
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


def check_paper(page):
    """Paper holds the page, and is white whatever the screen was."""
    light = background(page)
    resize(page, 794, 1123)  # A4 at 96 pixels an inch
    media(page, kind="print", scheme="dark")
    settled(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 794
    assert background(page) == light


def check_contrast(page, texts):
    """Text has enough contrast in both themes."""
    for scheme in ("light", "dark"):
        media(page, scheme=scheme)
        ratios = page.execute_script(CONTRASTS)
        assert len(ratios) > texts
        worst = min(ratios, key=lambda entry: entry[0])
        assert worst[0] >= 4.5, (scheme, worst)


def resize(browser, width, height):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )


def media(browser, *, kind="screen", scheme="light"):
    # Without motion: a click must not chase a page that is still scrolling.
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})


def background(page):
    return page.execute_script("return getComputedStyle(document.body).backgroundColor")


def settled(browser):
    """Wait for the frame in which charts are drawn again for a new width."""
    browser.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));"
    )


def requested(browser):
    """Return the addresses that were asked for since the last time."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        one["params"]["request"]["url"]
        for one in messages
        if one["method"] == "Network.requestWillBeSent"
    ]


# The focused control and the outlines of it and its label; null once the page has been left.
FOCUSED = """
const e = document.activeElement;
if (e === document.body) return null;
const outlines = [e, e.parentElement].map((node) => getComputedStyle(node).outlineStyle);
return [e.id || e.ariaLabel || e.name || e.textContent.trim(), outlines];
"""

# WCAG 2 relative luminance of every element that holds text, against its nearest background.
CONTRASTS = """
const channel = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const rgb = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255);
};
const backdrop = (e) => {
  for (; e; e = e.parentElement) {
    const colour = rgb(getComputedStyle(e).backgroundColor);
    if (colour[3] === 1) return colour;
  }
};
return [...document.querySelectorAll("body *:not(script, noscript, svg *)")]
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
  .filter((e) => e.checkVisibility())
  .map((e) => {
    const style = getComputedStyle(e);
    const [a, b] = [luminance(rgb(style.color)), luminance(backdrop(e))].sort((x, y) => y - x);
    return [(a + 0.05) / (b + 0.05), e.textContent.trim().slice(0, 40), style.color];
  });
"""
