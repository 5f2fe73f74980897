"""A report as a browser reads it: elements, texts, policy."""

import base64
import hashlib
from html.parser import HTMLParser


class Page(HTMLParser):
    """Elements with their attributes, and the text of style and script elements."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.texts, self._open = [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self._open = (tag, dict(attrs), [])

    def handle_data(self, data):
        if self._open:
            self._open[2].append(data)

    def handle_endtag(self, tag):
        if self._open and tag == self._open[0]:
            self.texts.append((tag, self._open[1], "".join(self._open[2])))
            self._open = None


def policy_of(page):
    meta = [a for t, a in page.elements if t == "meta" and "http-equiv" in a]
    (only,) = (a["content"] for a in meta if a["http-equiv"] == "Content-Security-Policy")
    return dict(part.strip().split(" ", 1) for part in only.split(";"))


def assert_policy(page):
    """The policy names every style sheet and script by its hash, and allows nothing else."""
    policy = policy_of(page)
    assert policy["default-src"] == "'none'"
    assert policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in " ".join(policy.values())
    for tag, attributes, text in page.texts:
        if attributes.get("type") == "application/json":
            continue
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[f"{tag}-src"]


def assert_asks_for_nothing(page):
    """No element loads anything, styles itself, or runs a script of its own."""
    for tag, attributes in page.elements:
        assert tag not in {"img", "iframe", "object", "embed", "base", "form"}
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        for name in ("src", "href"):
            assert attributes.get(name, "#").startswith(("#", "data:,"))
