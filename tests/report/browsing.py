"""What tests in a browser have in common: window, media, and questions to the page."""

import json


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
