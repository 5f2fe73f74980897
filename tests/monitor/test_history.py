"""The history of a monitor: what is kept of each period, the chart, the page, the terminal."""

import re
from dataclasses import replace
from html import unescape

import pytest

from tests.monitor.histories import SHIFTS, eventful, period, table
from tests.report.payloads import HOSTILE
from veridical import strict_json
from veridical.monitor import Monitor, MonitorRules, State
from veridical.monitor.history import Reading, periods_of
from veridical.monitor.page import monitor_html
from veridical.monitor.trend_text import trend_text
from veridical.report.display import rate_text
from veridical.report.period_chart import PeriodPoint, Sign, Threshold, period_chart
from veridical.stability import Reference, evaluate_drift
from veridical.store import Store


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("history") / "runs.db") as made:
        yield made


@pytest.fixture(scope="module")
def events(store):
    return eventful(store).events()


@pytest.fixture(scope="module")
def html(events):
    return monitor_html("fraud", events)


@pytest.fixture(scope="module")
def words(html):
    body = html[html.index("<body>") : html.index("<script")]
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", body)))


def rows_of(html, section):
    """The cells of the body rows of a section's tables."""
    part = html[html.index(f'<section id="{section}"') :]
    part = part[: part.index("</section>")]
    return [
        [
            re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", cell))).strip()
            for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL)
        if 'scope="row"' in row
    ]


def test_a_period_keeps_what_was_measured_with_its_interval(events):
    seen = periods_of("fraud", events)[4].seen
    reference = Reference.from_dict(events[0].body["reference"])
    ev = evaluate_drift(reference, table(SHIFTS[4], 1_000, 5), ["drift.psi", "drift.jsd"])
    for name in ("drift.psi", "drift.jsd"):
        found, whole = Reading.of(seen, "score", name), ev["score", name]
        ends = whole.interval
        assert (found.value, found.low, found.high) == (whole.value, ends.low, ends.high)
        assert found.low < found.value < found.high
    psi = ev["score", "drift.psi"].conditions
    column = seen.columns["score"]
    for key in ("expected_without_drift", "quantile_without_drift"):
        assert column[key] == psi[key] > 0


def test_each_period_has_what_was_done_until_the_next_one(events):
    found = [([mark.word for mark in one.marks], one.state) for one in periods_of("fraud", events)]
    failed = ["approved", "attempt failed", "given up: a dead letter"]
    assert found == [
        ([], State.STABLE),
        ([], State.STABLE),  # too few rows
        (["alert"], State.MONITORING_ALERT),
        (["stable again"], State.STABLE),
        (["retraining requested"], State.RETRAIN_REQUESTED),
        (failed, State.RETRAIN_REQUESTED),
        (["to be tried again", "delivered"], State.DISPATCHED),
        (["acknowledged", "cooldown"], State.COOLDOWN),
        ([], State.COOLDOWN),
        (["stable again"], State.STABLE),
        (["retraining requested"], State.RETRAIN_REQUESTED),
        (failed, State.RETRAIN_REQUESTED),
    ]


def test_the_table_beside_the_chart_has_every_number(events, html):
    rows = rows_of(html, "metrics")
    periods = periods_of("fraud", events)
    assert [row[0] for row in rows] == [period(at) for at in range(len(SHIFTS))]
    for row, one in zip(rows, periods, strict=True):
        psi = Reading.of(one.seen, one.seen.column, "drift.psi")
        assert row[1] == rate_text(one.seen.psi) == rate_text(psi.value)
        assert row[2] == f"{rate_text(psi.low)} to {rate_text(psi.high)}"
        assert row[4] == str(one.seen.light).replace("_", " ")
        assert row[5:7] == [one.seen.column, f"{one.seen.rows:,}"]
        assert row[8] == (", ".join(mark.word for mark in one.marks) or "nothing")


def test_every_watched_metric_of_every_column_is_shown(events, html):
    rows = rows_of(html, "columns")
    assert len(rows) == 2 * len(SHIFTS)
    expected = [
        [
            rate_text(Reading.of(one.seen, name, metric).value)
            for metric in ("drift.psi", "drift.jsd")
        ]
        for name in ("score", HOSTILE)  # the one that moved most first
        for one in periods_of("fraud", events)
    ]
    assert [[row[1], row[3]] for row in rows] == expected
    assert html.count('class="static-chart periods') == 5


def test_requests_show_approval_attempts_dead_letters_and_answers(html, words):
    first, second = rows_of(html, "requests")
    assert first[0] == period(4)
    assert first[3:7] == ["approved by anna", "delivered HTTP 202", "3",
                          f"acknowledged by coordinator: {HOSTILE}"]  # fmt: skip
    assert second[4:7] == [f"given up: a dead letter HTTP 500: {HOSTILE}", "2", "none yet"]
    assert "Monitor fraud: RETRAIN_REQUESTED" in words


def test_the_page_is_closed_and_hostile_names_are_text(events, html):
    assert HOSTILE not in html
    assert "default-src &#39;none&#39;" in html
    assert " style=" not in html
    assert html.count("<script") == html.count("</script>") == 1
    assert html == monitor_html("fraud", events)
    assert "compliant" not in html


def test_a_journal_from_before_intervals_is_still_shown(events):
    def older(event):
        if event.kind != "observed":
            return event
        columns = {
            name: {key: one[key] for key in ("psi", "light", "quantile_without_drift")}
            for name, one in event.body["columns"].items()
        }
        return replace(event, body={**event.body, "columns": columns})

    old = [older(event) for event in events]
    html = monitor_html("fraud", old)
    row = rows_of(html, "metrics")[0]
    assert (row[1], row[2]) == (rate_text(old[1].body["psi"]), "none")
    assert html.count('class="static-chart periods') == 3  # there is no divergence to draw
    assert "score" in trend_text("fraud", old)


def test_a_monitor_without_periods_has_a_page(store):
    monitor = Monitor(store, "new")
    monitor.start(table(0.0), MonitorRules())
    html = monitor_html("new", monitor.events())
    assert "No period was observed yet" in html
    assert 'class="static-chart' not in html
    assert trend_text("new", monitor.events()) == "monitor new: STABLE, 0 periods"


def test_the_trend_in_a_terminal(events):
    lines = trend_text("fraud", events).split("\n")
    assert lines[0] == "monitor fraud: RETRAIN_REQUESTED, 12 periods"
    at = next(i for i, line in enumerate(lines) if line.startswith("score"))
    blocks, lights = lines[at].split("  ")[-2].strip(), lines[at + 1].strip()
    assert len(blocks) == len(SHIFTS)
    seen = [one.seen for one in periods_of("fraud", events)]
    letters = {"stable": ".", "moderate": "m", "significant": "S", "insufficient_data": "?"}
    assert lights == "".join(letters[one.columns["score"]["light"]] for one in seen)
    assert blocks[6] == "█"
    assert blocks[0] == "▁"
    assert "  2025-06: given up: a dead letter: attempt 2: HTTP 500: <img src=x" in "\n".join(lines)


def heights(svg):
    return [float(y) for y in re.findall(r'<circle cx="[0-9.]+" cy="([0-9.]+)"', svg)]


@pytest.mark.parametrize("largest", [0.3, 8.0])  # on an axis of values, and one of roots
def test_a_point_stands_above_a_line_where_its_value_does(largest):
    lines = [Threshold(0.10, "a"), Threshold(0.25, "b")]
    values = [0.05, 0.10, 0.2, 0.25, 0.26, largest]
    points = [PeriodPoint(str(v), str(v), v) for v in values]
    svg = period_chart(points, lines, "d")
    (low, high) = (float(y) for y in re.findall(r'class="reference" d="M84.0,([0-9.]+)H', svg))
    ys = heights(svg)
    assert ys == sorted(ys, reverse=True)
    assert ys[0] > low == ys[1] > ys[2] > high == ys[3] > ys[4]


def test_a_period_without_a_value_breaks_the_line():
    values = [0.1, 0.1, None, 0.1, 0.1]
    svg = period_chart([PeriodPoint("p", "p", v) for v in values], [], "d")
    (path,) = re.findall(r'class="curve trace" d="([^"]+)"', svg)
    assert re.sub("[^ML]", "", path) == "MLML"
    assert len(heights(svg)) == 4


def test_signs_stand_in_their_row_and_text_is_escaped():
    signs = [Sign("a", "plain", "x"), Sign("a", "bad", HOSTILE), Sign("b", "good", "z")]
    svg = period_chart([PeriodPoint(HOSTILE, HOSTILE, 0.1, signs=signs)], [], HOSTILE, ["a", "b"])
    assert HOSTILE not in svg
    assert svg.count('class="sign sign-bad"') == svg.count('class="sign sign-good"') == 1
    assert "sign-plain" not in svg  # the last one of a row is drawn, and all are named
    assert "x; &lt;img" in svg


def test_the_document_of_a_monitor_says_it_too(events):
    bodies = [event.body for event in events if event.kind == "observed"]
    assert strict_json.loads(strict_json.dumps(bodies)) == bodies
