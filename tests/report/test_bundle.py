"""The bundled script is the recorded one, its licences are shipped, and its build is pinned."""

import hashlib
import json
import re
from importlib import resources

import pytest

ASSETS = resources.files("veridical.report") / "assets"


def test_the_bundle_is_the_recorded_one():
    recorded, name = (ASSETS / "charts.sha256.txt").read_text(encoding="utf-8").split()
    assert name == "charts.js"
    assert hashlib.sha256((ASSETS / name).read_bytes()).hexdigest() == recorded


def test_the_bundle_is_a_subset_and_carries_its_licences():
    script = (ASSETS / "charts.js").read_text(encoding="utf-8")
    licences = (ASSETS / "LICENSES.txt").read_text(encoding="utf-8")
    assert len(script) < 350_000
    assert licences in script
    assert "@observablehq/plot" in licences
    assert licences.count("Copyright") >= licences.count("\n---\n")


def test_the_bundle_cannot_end_the_element_that_holds_it():
    script = (ASSETS / "charts.js").read_text(encoding="utf-8").lower()
    for mark in ("</script", "<!--", "sourcemappingurl"):
        assert mark not in script


def test_the_lock_file_pins_every_package_and_names_no_host(root):
    path = root / "frontend" / "package-lock.json"
    text = path.read_text(encoding="utf-8")
    packages = {k: v for k, v in json.loads(text)["packages"].items() if k}
    assert packages
    assert all(v["integrity"].startswith("sha512-") for v in packages.values())
    assert '"resolved"' not in text
    assert not re.search(r"https?://(?!(github|opencollective)\.com)", text)


@pytest.mark.parametrize("name", ["charts.js", "report.css", "plot.css"])
def test_assets_have_one_kind_of_line_ending(name):
    # A browser hashes the text that it parsed, in which a carriage return has become a line feed.
    assert b"\r" not in (ASSETS / name).read_bytes()
