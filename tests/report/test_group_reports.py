"""The reports of fairness and drift: what stands in them, and how a real browser shows them."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from selenium.webdriver.common.by import By

import veridical as vd
from tests.report.browsing import CONTRASTS, background, media, requested, resize, settled
from tests.report.payloads import HOSTILE
from veridical.cli import main
from veridical.report.display import rate_text
from veridical.view.run_report import report_of

ESCAPE = "</script><script>window.pwned=2</script>"


def fairness():
    """Two columns of groups, one of them small, one without a favourable label; hostile names."""
    rng = np.random.default_rng(5)
    group = rng.choice([HOSTILE, ESCAPE, "c"], 400, p=[0.5, 0.3, 0.2])
    score = rng.random(400).round(3)
    label = (rng.random(400) < score).astype(int)
    data = {
        "p": [*score, 0.25, 0.5],
        HOSTILE: [*label.tolist(), 1, 1],
        ESCAPE: [*group.tolist(), "tiny", None],
        "sex": ["f", "m"] * 201,
    }
    return vd.evaluate_fairness(
        data, score="p", threshold=0.4, label=HOSTILE, groups=[ESCAPE, "sex"], favourable=0,
        policy="fairness-standard",
    )  # fmt: skip


def drift():
    """A column that moved, one that did not, categories, missing values; hostile names."""
    rng = np.random.default_rng(6)

    def table(shift, levels):
        return {
            HOSTILE: [*rng.normal(shift, 1, 300), None, None],
            "same": rng.normal(size=302),
            ESCAPE: [*rng.choice(levels, 300), None, HOSTILE],
        }

    return vd.evaluate_drift(table(0, ["a", ESCAPE]), table(1, ["a", "new", HOSTILE]))


REPORTS = {"fairness": fairness, "drift": drift}


@pytest.fixture(scope="module")
def evaluations():
    return {name: make() for name, make in REPORTS.items()}


@pytest.fixture(scope="module")
def paths(evaluations, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    return {name: ev.report(folder / f"{name}.html") for name, ev in evaluations.items()}


def shown(path):
    html = path.read_text(encoding="utf-8")
    body = html[html.index("<body>") : html.index("<script")]
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", body)))


@pytest.mark.parametrize("name", REPORTS)
def test_hostile_names_are_text(paths, name):
    html = paths[name].read_text(encoding="utf-8")
    assert HOSTILE not in html
    assert ESCAPE not in html
    assert html.count("<script") == html.count("</script>") == 1
    assert HOSTILE in unescape(html)


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_is_asked_of_the_network(paths, name):
    class Links(HTMLParser):
        found: list[str] = []  # noqa: RUF012 - of this class alone

        def handle_starttag(self, tag, attrs):
            wanted = {"src", "href", "action", "style"}
            self.found += [f"{tag}: {value}" for name, value in attrs if name in wanted]

    links = Links()
    links.feed(paths[name].read_text(encoding="utf-8"))
    assert all(re.match("(a: #|link: data:)", link) for link in links.found), links.found
    assert "default-src 'none'" in unescape(paths[name].read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", REPORTS)
def test_every_result_stands_there(evaluations, paths, name):
    text = shown(paths[name])
    for result in evaluations[name].results:
        assert result.metric in text
        if result.ok:
            assert re.search(rf"{re.escape(rate_text(abs(result.value))[:5])}", text), result
        else:
            assert result.detail in text


def test_the_report_of_fairness_says_what_it_must(evaluations, paths):
    ev, text = evaluations["fairness"], shown(paths["fairness"])
    for row in ev.rows():
        assert f"{row.shares['favourable'].hits:,} of {row.n:,}" in text
    for words in (
        "the largest group", "small, not ranked", "employment law", "sets no such number",
        "status as of 2026", "not yet checked against the original", "certifies nothing",
        "ratio of unfavourable", "Does a score mean the same", "fairness-standard",
    ):  # fmt: skip
        assert words.lower() in text.lower(), words
    assert "complian" not in text.lower()


def test_the_report_of_drift_says_what_it_must(evaluations, paths):
    ev, text = evaluations["drift"], shown(paths["drift"])
    assert "significant" in text
    assert "which no regulation sets" in text
    assert "2 missing now" in text
    psi = ev[HOSTILE, "drift.psi"]
    assert rate_text(psi.conditions["expected_without_drift"]) in text
    for cell in ev.summaries[HOSTILE, "drift.psi"].partition.names[:3]:
        assert cell in text
    assert "(unseen)" in text


def test_the_commands_write_them(tmp_path, capsys):
    rows = ["d,g,x", *(f"{i % 2},{'ab'[i % 3 == 0]},{i}" for i in range(90))]
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n")
    data = str(tmp_path / "data.csv")
    for words in (
        ["fairness", data, "--decision", "d", "--group", "g", "--favourable", "0", "--json"],
        ["drift", data, data, "--json"],
    ):
        at = tmp_path / f"{words[0]}.html"
        with pytest.raises(SystemExit) as ended:
            raise SystemExit(main([*words, "--report", str(at)]))
        assert not ended.value.code
        assert json.loads(capsys.readouterr().out)["results"]
        assert at.read_text(encoding="utf-8").startswith("<!doctype html>")
        with pytest.raises(SystemExit) as ended:
            raise SystemExit(main([*words, "--report", data]))
        assert ended.value.code == 64
        capsys.readouterr()


@pytest.mark.browser
@pytest.mark.parametrize("name", REPORTS)
def test_in_a_browser(browser, paths, name):
    url = paths[name].as_uri()
    resize(browser, 1280, 900)
    media(browser)
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(url)
    asked = requested(browser)
    assert url in asked
    assert all(address == url or address.startswith("data:") for address in asked)
    assert browser.execute_script("return window.pwned") is None
    assert browser.find_elements(By.TAG_NAME, "img") == []
    for scheme in ("light", "dark"):
        media(browser, scheme=scheme)
        worst = min(browser.execute_script(CONTRASTS), key=lambda entry: entry[0])
        assert worst[0] >= 4.5, (scheme, worst)
    media(browser)
    for width in (1280, 700, 360):
        resize(browser, width, 844)
        settled(browser)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    light = background(browser)
    media(browser, scheme="dark")
    assert background(browser) != light
    resize(browser, 794, 1123)  # A4 at 96 pixels an inch
    media(browser, kind="print", scheme="dark")
    settled(browser)
    assert background(browser) == light
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 794
    assert browser.get_log("browser") == []


@pytest.mark.browser
@pytest.mark.parametrize("name", REPORTS)
def test_without_scripts_all_of_it_can_be_read(browser, paths, evaluations, name):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(paths[name].as_uri())
        body = browser.find_element(By.TAG_NAME, "body").text
        bars = browser.find_elements(By.CSS_SELECTOR, ".bar")
        assert bars
        assert any(bar.is_displayed() for bar in bars)
        assert str(evaluations[name].results[0].metric) in body
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_stored_run_of_drift_has_its_report_again(evaluations, paths, tmp_path):
    with vd.Store(tmp_path / "runs.db") as store:
        evaluations["drift"].save("drift", store=store)
        again = store.load("drift").evaluation
        assert again.to_dict() == evaluations["drift"].to_dict()
        written = again.report(tmp_path / "again.html").read_text(encoding="utf-8")
    assert written == paths["drift"].read_text(encoding="utf-8")


def test_what_rows_are_weighted_by_is_said_wherever_they_are_counted(tmp_path):
    data = {
        "y": [1, 0] * 40,
        "p": [0.9, 0.2, 0.4, 0.6] * 20,
        "g": ["a", "a", "b", "b"] * 20,
        "times <b>": [1, 2, 3, 4] * 20,
    }
    said = "in weights of <bdi>times &lt;b&gt;</bdi>"
    ev = vd.evaluate(data, label="y", score="p", weight="times <b>")
    assert said in ev.report(tmp_path / "scores.html").read_text(encoding="utf-8")
    kept, _ = report_of(ev.save(store=tmp_path / "runs.db"))
    assert kept["passport"]["weight"] == "times <b>"
    fair = vd.evaluate_fairness(
        data, decision="y", groups="g", favourable=1, weight="times <b>", cluster=None
    )
    page = fair.report(tmp_path / "fairness.html").read_text(encoding="utf-8")
    assert "in weights of times &lt;b&gt;" in page
    assert "n in weights of times <b>" in repr(fair)
    plain = vd.evaluate(data, label="y", score="p")
    assert "in weights" not in plain.report(tmp_path / "plain.html").read_text(encoding="utf-8")
