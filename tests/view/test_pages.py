"""What the pages show, as text: lists, runs, units, two runs, trends, and what goes wrong."""

import json
import re
import sqlite3
from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from sqlalchemy import text as sql

import veridical as vd
from tests.view.conftest import HOSTILE, N, at, columns, evaluated, viewer
from veridical.report.display import rate_text
from veridical.store import Store, UnitColumn
from veridical.store.drafts import draft
from veridical.store.keeping import drafted
from veridical.store.records import pack, seal
from veridical.view.rendering import assets


class Page(HTMLParser):
    """Elements with their attributes, the text that is read, and the addresses in it."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.words, self._silent = [], [], 0
        self.feed(html)
        self.text = re.sub(r"\s+", " ", " ".join(self.words))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._silent += tag in {"script", "style", "title", "datalist"}

    def handle_endtag(self, tag):
        self._silent -= tag in {"script", "style", "title", "datalist"}

    def handle_data(self, data):
        if not self._silent:
            self.words.append(data)

    def links(self, **wanted):
        return [
            a["href"]
            for tag, a in self.elements
            if tag == "a" and "href" in a and all(a.get(k) == v for k, v in wanted.items())
        ]

    def rows(self):
        """The addresses of the runs that are listed."""
        return [a["href"].split("/")[-1] for t, a in self.elements if t == "a" and "data-row" in a]


def get(shown, path, status=200):
    answer = shown.client.get(path)
    assert answer.status_code == status, answer.text[:2000]
    return Page(answer.text)


def listed(shown, **parameters):
    return get(shown, f"/?{urlencode(parameters)}").rows()


# Lists ---------------------------------------------------------------------------------------


def test_the_list_shows_every_run_the_newest_first(shown):
    ids = shown.ids
    expected = [ids.running, ids.failed, ids.text, ids.ranking, ids.other, *ids.nightly[::-1]]
    assert listed(shown) == expected
    text = get(shown, "/").text
    assert "8 runs" in text
    auc = shown.store.load(ids.nightly[0]).results[0]
    interval = auc.interval
    assert f"{auc.value:.4f} {interval.low:.4f} to {interval.high:.4f} n {N}" in text


def test_filters_are_in_the_address(shown):
    ids = shown.ids
    assert listed(shown, kind="ranking") == [ids.ranking]
    assert listed(shown, state="running") == [ids.running]
    assert listed(shown, name="nightly") == ids.nightly[::-1]
    assert listed(shown, tag="day-1") == [ids.nightly[1]]
    assert listed(shown, tag=HOSTILE) == [ids.other]
    assert listed(shown, metric="text.rouge_l") == [ids.text]
    assert listed(shown, text="NIGHT") == ids.nightly[::-1]
    assert listed(shown, text="onerror=", kind="evaluation") == [ids.other, *ids.nightly[::-1]]
    assert listed(shown, since="2026-01-07") == [ids.running, ids.failed]
    assert listed(shown, name="nightly", tag="day-2", kind="evaluation") == [ids.nightly[2]]


def test_a_filter_that_is_set_can_be_taken_away(shown):
    page = get(shown, "/?kind=evaluation&tag=main&sort=name&order=up")
    away = [urlsplit(link) for link in page.links(**{"class": "chip"})]
    assert [parse_qs(link.query) for link in away] == [
        {"tag": ["main"], "sort": ["name"], "order": ["up"]},
        {"kind": ["evaluation"], "sort": ["name"], "order": ["up"]},
    ]


def test_columns_sort_both_ways(shown):
    names = {"broken": shown.ids.failed, "other": shown.ids.other}
    up = listed(shown, sort="name", order="up")
    assert up.index(names["broken"]) < up.index(names["other"])
    down = listed(shown, sort="name", order="down")
    assert down.index(names["broken"]) > down.index(names["other"])
    by_value = listed(shown, metric="binary.roc_auc", sort="value")
    values = [shown.store.load(one).results[0].value for one in by_value]
    assert values == sorted(values, reverse=True)
    assert len(values) == 4


def test_a_chosen_metric_is_what_the_list_shows(shown):
    page = get(shown, "/?metric=binary.recall&name=nightly")
    results = shown.store.load(shown.ids.nightly[0]).results
    recall = next(one for one in results if one.metric == "binary.recall")
    assert f"{recall.value:.4f}" in page.text
    assert page.links(href="/trends?name=nightly&metric=binary.recall")


def test_nothing_found_says_so_and_offers_all(shown):
    page = get(shown, "/?text=nowhere")
    assert "No run is like that" in page.text
    assert page.rows() == []


def test_an_empty_store_says_what_to_do(fresh):
    text = get(fresh, "/").text
    assert "veridical evaluate fraud.csv --label is_fraud --score score --save first" in text
    assert "No run has results yet" in get(fresh, "/trends").text
    get(fresh, "/compare")


def test_pages_of_a_long_list(fresh):
    made = draft(kind="bench", name="many")
    ids = [fresh.store.save(at(made, day)).id for day in range(120)]
    seen, address = [], "/?kind=bench"
    for number in (1, 2, 3):
        page = get(fresh, address)
        assert f"Page {number} of 3" in page.text
        seen += page.rows()
        address = next(iter(page.links(rel="next")), None)
    assert address is None
    assert seen == ids[::-1]
    assert get(fresh, "/?page=99").rows() == ids[19::-1]
    assert get(fresh, "/?page=2").links(rel="prev") == ["/"]


@pytest.mark.parametrize(
    "query",
    [
        *("page=0", "page=x", "page=-1", "page=1e3", "page=\u0662", f"page={'9' * 400}"),
        *("since=tomorrow", "since=2026-13-01", "sort=id;drop", "order=sideways", "sort=value"),
        f"text={'a' * 501}",
    ],
)
def test_an_address_that_means_nothing_is_refused_and_explained(shown, query):
    page = get(shown, f"/?{query}", 400)
    assert "This address cannot be answered" in page.text
    assert "What to do" in page.text


# One run -------------------------------------------------------------------------------------


def test_a_run_shows_its_results_with_their_passports(shown):
    run = shown.store.load(shown.ids.other)
    page = get(shown, f"/runs/{run.id}")
    for result in run.results:
        if result.ok and result.group is None:
            assert f"{result.value:.4f}" in page.text
            if result.interval:
                ends = (result.interval.low, result.interval.high)
                assert " to ".join(map(rate_text, ends)) in page.text
    assert f"g={HOSTILE}" in page.text
    assert "What these numbers do not prove" in page.text


def test_a_run_shows_where_it_comes_from(shown):
    run = shown.store.load(shown.ids.nightly[0])
    text = get(shown, f"/runs/{run.id}").text
    for told in (run.data_sha256, run.sha256, run.parts.hashes["units"], run.environment["python"]):
        assert told in text
    assert "threshold 0.5" in text


def test_a_run_has_the_reports_charts(shown):
    answer = shown.client.get(f"/runs/{shown.ids.nightly[0]}")
    data = re.search('<script type="application/json" id="page-data">(.*?)</script>', answer.text)
    subjects = json.loads(data[1])["subjects"]
    assert [subject["name"] for subject in subjects] == ["p", HOSTILE]
    run = shown.store.load(shown.ids.nightly[0])
    positives = int(run.units.column("label").sum())
    assert subjects[0]["tp"][-1] == positives
    assert "charts.js" in answer.text
    assert "charts.js" not in shown.client.get(f"/runs/{shown.ids.ranking}").text


@pytest.mark.parametrize(
    "summaries",
    [
        [{"subject": "p", "group": None, "summary": {"schema": "veridical.slice/99"}}],
        [{"subject": "q", "group": "g=x", "summary": {}}],
        [{}],
        ["text"],
    ],
)
def test_summaries_of_another_version_cost_the_charts_and_nothing_else(fresh, summaries):
    ev = evaluated(1)
    run = draft(kind="evaluation", document=ev.to_dict(), summaries=summaries)
    saved = fresh.store.save(run)
    page = get(fresh, f"/runs/{saved.id}")
    assert "it is shown without charts" in page.text
    assert f"{ev['p', 'roc_auc'].value:.4f}" in page.text
    assert "Where to put the threshold" not in page.text


@pytest.mark.parametrize("kind", ["ranking", "text"])
def test_runs_of_other_kinds_show_their_results(shown, kind):
    run = shown.store.load(getattr(shown.ids, kind))
    text = get(shown, f"/runs/{run.id}").text
    for result in run.results:
        assert result.metric in text
        assert f"{result.value:.4f}" in text


def test_the_document_is_what_was_stored(shown):
    run = shown.store.load(shown.ids.other)
    answer = shown.client.get(f"/runs/{run.id}/document.json")
    assert answer.json() == run.document
    assert answer.headers["content-type"] == "application/json"


def test_the_run_before_is_offered_for_comparison(shown):
    first, second, _ = shown.ids.nightly
    assert f"/compare?a={second}&b={first}" in get(shown, f"/runs/{second}").links()
    assert not [x for x in get(shown, f"/runs/{first}").links() if x.startswith("/compare?")]


def test_a_run_in_progress_counts_its_units(shown):
    page = get(shown, f"/runs/{shown.ids.running}")
    assert "4 of 130 units are settled" in page.text
    (live,) = (a["data-live"] for _, a in page.elements if "data-live" in a)
    piece = get(shown, live)
    assert re.search("pending 126 running 0 done 1 failed 3 skipped 0", piece.text)
    assert ("span", {"data-finished": None}) not in piece.elements


def test_the_counts_follow_the_ledger_until_the_run_is_over(fresh):
    run = fresh.store.save(draft(kind="bench", state="running"))
    assert "No unit is planned yet" in get(fresh, f"/runs/{run.id}").text
    ledger = fresh.store.ledger(run.id)
    ledger.plan({"a": "0" * 64, "b": "0" * 64})
    assert "0 of 2 units are settled" in get(fresh, f"/runs/{run.id}/progress").text
    ledger.record(ledger.claim()[0], "scored", settle="done")
    assert "1 of 2 units are settled" in get(fresh, f"/runs/{run.id}/progress").text
    ledger.settle("b")
    fresh.store.update(replace(run, state="finished"))
    assert ("span", {"data-finished": None}) in get(fresh, f"/runs/{run.id}/progress").elements
    assert "How it went" in get(fresh, f"/runs/{run.id}").text


@pytest.mark.parametrize(
    "path",
    [
        *("/runs/nothing", "/runs/nothing/units", "/runs/%00", "/runs/x/nowhere"),
        *("/nowhere", "/static/0/view.css", "/static/0/nothing"),
    ],
)
def test_what_is_not_there_is_not_found(shown, path):
    page = get(shown, path, 404)
    assert "There is no such" in page.text


# Units ---------------------------------------------------------------------------------------


def unit_ids(page):
    text = " ".join(page.words)
    return re.findall(r"(?:row|onerror=window\.pwned=1>)-(\d{3})", text)


def test_units_page_by_page(shown):
    path = f"/runs/{shown.ids.nightly[0]}/units"
    seen = []
    for number in (1, 2, 3):
        page = get(shown, f"{path}?page={number}")
        assert f"{N} of {N} units" in page.text
        seen += unit_ids(page)
    assert [int(k) for k in seen] == list(range(N))


def test_units_are_filtered_and_sorted(shown):
    run = shown.store.load(shown.ids.nightly[0])
    score, label = (
        run.units.column(role, subject=s) for role, s in (("score", "p"), ("label", None))
    )
    at_score = list(run.units.columns).index(UnitColumn("score", "p", "p"))
    expected = [k for k in sorted(range(N), key=lambda k: score[k]) if label[k] and score[k] >= 0.4]
    query = {"w0": "yes", "by": at_score, "min": 0.4, "sort": at_score, "order": "up"}
    page = get(shown, f"/runs/{run.id}/units?{urlencode(query)}")
    assert [int(k) for k in unit_ids(page)] == expected[:100]
    assert f"{len(expected)} of {N} units" in page.text
    one = get(shown, f"/runs/{run.id}/units?{urlencode({'text': 'ROW-010'})}")
    assert unit_ids(one) == ["010"]
    assert f"{score[10]:.6g}" in one.text
    assert "No unit is like that" in get(shown, f"/runs/{run.id}/units?text=none").text


@pytest.mark.parametrize(
    "query", ["by=0", "by=99", "by=x", "by=1&min=x", "by=1&max=nan", "sort=99"]
)
def test_an_odd_question_about_units_is_refused(shown, query):
    assert get(shown, f"/runs/{shown.ids.nightly[0]}/units?{query}", 400)


def test_units_of_a_ledger_show_their_last_attempt(shown):
    path = f"/runs/{shown.ids.running}/units"
    failed = get(shown, f"{path}?state=failed")
    assert "3 of 130 units" in failed.text
    assert failed.text.count(f"no answer {HOSTILE}") == 3
    assert "10 of 130 units" in get(shown, f"{path}?text=CASE-10").text
    assert "Page 2 of 2" in get(shown, f"{path}?page=2").text
    assert get(shown, f"{path}?state=lost", 400)


def test_a_run_without_units_says_so(shown):
    page = get(shown, f"/runs/{shown.ids.failed}/units", 404)
    assert "No units were kept" in page.text
    assert "save it with --id" in page.text


# Two runs ------------------------------------------------------------------------------------


def test_two_chosen_runs_get_an_address_the_newer_first(shown):
    first, second, _ = shown.ids.nightly
    answer = shown.client.get(f"/compare?run={first}&run={second}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/compare?a={second}&b={first}"


@pytest.mark.parametrize("chosen", [1, 3])
def test_another_number_of_runs_is_refused(shown, chosen):
    ids = [shown.ids.other, *shown.ids.nightly][:chosen]
    page = get(shown, f"/compare?{urlencode([('run', one) for one in ids])}", 400)
    assert "choose two" in page.text


def test_only_what_changed_is_shown(fresh):
    one = fresh.store.save(at(drafted(evaluated(1), name="one"), 0))
    two = fresh.store.save(at(drafted(evaluated(2), name="two"), 1))
    page = get(fresh, f"/compare?a={two.id}&b={one.id}")
    same = [r for r in one.results if r in two.results]
    differ = [r for r in one.results if r not in two.results]
    assert same
    assert differ
    assert f"{len(differ)} of {len(one.results)} results differ" in page.text
    changed = page.text.split("Values")[1]
    assert "binary.roc_auc" in changed
    assert "threshold" not in page.text.split("Is the difference real?")[1]
    everything = get(fresh, f"/compare?a={two.id}&b={one.id}&all=1")
    for result in same:
        assert result.metric in everything.text
        assert f"{result.value:.4f}" in everything.text
    assert "threshold" in everything.text


def test_settings_and_conditions_that_differ_are_named_with_both_values(shown):
    page = get(shown, f"/compare?a={shown.ids.other}&b={shown.ids.nightly[0]}")
    settings = page.text.split("What was measured")[1]
    assert re.search(r"threshold 0\.25 0\.5", settings)
    assert re.search(r"binary\.recall p .* threshold: 0\.25 .* threshold: 0\.5", page.text)


def test_a_paired_comparison_says_what_the_library_says(shown):
    from veridical.comparison.runs import compare_recorded

    first, second, _ = (shown.store.load(one) for one in shown.ids.nightly)
    found = compare_recorded(second, first)
    page = get(shown, f"/compare/difference?a={second.id}&b={first.id}")
    assert f"{N} rows are in both and were compared one by one" in page.text
    for one in found.comparisons:
        assert f"{abs(one.difference.value):.4f}" in page.text
    better = [one for one in found.comparisons if one.winner is not None]
    assert better
    assert page.text.count("the first is better") == len([o for o in better if o.winner == o.a])
    assert page.text.count("the second is better") == len([o for o in better if o.winner == o.b])
    table = page.text.split("Verdict")[1]
    for metric in ("binary.roc_auc", "binary.recall", "calibration.ece"):
        assert table.index(f"{metric} p ") < table.index(f"{metric} {HOSTILE} ")


def test_a_refused_comparison_names_the_field_and_can_be_allowed(shown):
    a, b = shown.ids.other, shown.ids.nightly[0]
    page = get(shown, f"/compare/difference?a={a}&b={b}")
    assert "Refused" in page.text
    assert "the two differ in threshold: 0.25 and 0.5" in page.text
    (allowing,) = (link for link in page.links() if "allow=threshold" in link)
    both = get(shown, allowing)
    (piece,) = (attrs["data-load"] for _, attrs in both.elements if "data-load" in attrs)
    allowed = get(shown, piece)
    assert "Allowed to differ: threshold, 0.25 and 0.5" in allowed.text
    assert get(shown, f"/compare/difference?a={a}&b={b}&allow=nonsense").text.count("Refused") == 1


def test_runs_may_be_named_in_the_address(shown):
    page = get(shown, "/compare?a=nightly&b=other")
    assert shown.ids.nightly[2] in page.text
    assert "did you mean" in get(shown, "/compare?a=nightli&b=other", 404).text
    assert "Choose two runs" in get(shown, "/compare?a=nightly").text


# Trends --------------------------------------------------------------------------------------


def test_a_trend_joins_runs_under_the_same_conditions(shown):
    query = urlencode({"metric": "binary.recall", "subject": "p"})
    page = get(shown, f"/trends?{query}")
    assert "1 run under the same conditions" in page.text
    left_out = page.text.split("Left out")[1]
    assert left_out.count("threshold is 0.5 , not 0.25") == 3
    nightly = get(shown, f"/trends?{query}&name=nightly")
    assert "3 runs under the same conditions" in nightly.text
    dots = [
        a
        for tag, a in nightly.elements
        if tag == "a" and "aria-label" in a and a["href"].startswith("/runs/")
    ]
    assert [a["href"].split("/")[-1] for a in dots] == shown.ids.nightly
    for one, dot in zip(shown.ids.nightly, dots, strict=True):
        value = next(r for r in shown.store.load(one).results if r.metric == "binary.recall")
        assert f"{value.value:.4f}, {rate_text(value.interval.low)} to" in dot["aria-label"]


def test_a_trend_may_be_allowed_over_other_conditions(shown):
    query = urlencode({"metric": "binary.recall", "subject": "p"})
    page = get(shown, f"/trends?{query}")
    (allowing,) = (link for link in page.links() if "allow=" in link)
    allowed = get(shown, allowing)
    assert "4 runs under the same conditions" in allowed.text
    assert "Allowed to differ: threshold" in allowed.text
    assert "Left out" not in allowed.text


def test_a_trend_leaves_out_what_the_command_leaves_out(fresh):
    from veridical.comparison.trends import trend

    runs = [drafted(evaluated(k), name="run") for k in range(2)]
    runs.append(drafted(evaluated(3, threshold=0.4), name="run"))
    data = {"y": [1, 0, 1, 0, 0], "p": [0.9, 0.2, 0.7, 0.4, 0.1], "id": list("abcde")}
    other = vd.evaluate(data, ["binary.recall"], label="y", score="p", id="id", threshold=0.5)
    runs += [drafted(other, name="run"), drafted(evaluated(4), name="run")]
    saved = [fresh.store.save(at(run, day)) for day, run in enumerate(runs)]
    found = trend(saved, "binary.recall", subject="p")
    page = get(fresh, "/trends?metric=binary.recall&subject=p")
    points = [point.run.id for point in found.points]
    assert page.rows() == points[::-1] + [one.run.id for one in found.left_out][::-1]
    assert f"{len(points)} runs under the same conditions" in page.text
    assert "data is 5 rows, 2 positive" in page.text


def test_a_trend_finds_a_metric_by_any_of_its_names(shown):
    full, short = (
        get(shown, f"/trends?metric={name}&subject=p") for name in ("binary.roc_auc", "auroc")
    )
    assert full.rows() == short.rows() != []


def test_a_trend_of_a_group_and_of_nothing(shown):
    group = urlencode({"metric": "binary.recall", "group": f"g={HOSTILE}"})
    assert "1 run under the same conditions" in get(shown, f"/trends?{group}").text
    assert "No run has" in get(shown, "/trends?metric=binary.none").text
    assert get(shown, "/trends?metric=binary.recall&subject=nobody", 400)
    assert "binary.roc_auc" in get(shown, "/trends").text


@pytest.mark.parametrize("engine", ["auto", "batches", "histogram"])
@pytest.mark.parametrize("metric", ["binary.roc_auc", "binary.recall", "calibration.log_loss"])
def test_a_run_of_one_metric_is_shown(fresh, metric, engine):
    data = columns(1) if engine == "auto" else written(fresh, columns(1))
    ev = vd.evaluate(data, metric, label="y", score="p", threshold=0.5, engine=engine)
    run = fresh.store.save(drafted(ev, name="narrow"))
    assert f"{ev.results[0].value:.4f}" in get(fresh, f"/runs/{run.id}").text


def written(fresh, data):
    path = fresh.path.with_name("rows.csv")
    rows = zip(data["y"], data["p"], strict=True)
    path.write_text("y,p\n" + "".join(f"{y},{p}\n" for y, p in rows))
    return path


def test_a_run_that_ended_without_units_is_no_longer_in_progress(shown):
    page = get(shown, f"/runs/{shown.ids.nightly[0]}/progress")
    assert ("span", {"data-finished": None}) in page.elements
    assert "unit" not in page.text


# What goes wrong -----------------------------------------------------------------------------


def damage(path, statement, *values):
    with sqlite3.connect(path) as connection:
        assert connection.execute(statement, values).rowcount >= 1


def test_a_damaged_run_is_shown_as_damaged_and_breaks_nothing(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        ids = [store.save(at(drafted(evaluated(k), name="run"), k)).id for k in range(5)]
    content, head, row, whole, summary = ids
    damage(
        path,
        "UPDATE veridical_part SET content = 'x' WHERE run_id = ? AND name = 'document'",
        content,
    )
    damage(path, "UPDATE veridical_run SET name = 'forged' WHERE id = ?", head)
    damage(path, "UPDATE veridical_run SET created = 'never' WHERE id = ?", row)
    damage(
        path,
        "UPDATE veridical_part SET content = 'x' WHERE run_id = ? AND name = 'summaries'",
        summary,
    )
    with Store(path) as store:
        shown = type("Shown", (), {"client": viewer(store)})
        page = get(shown, "/")
        assert sorted(page.rows()) == sorted(ids)
        told = [a for _, a in page.elements if a.get("class") == "state state-damaged"]
        assert len(told) == 3
        assert "This run is damaged" in get(shown, f"/runs/{content}", 500).text
        assert "This run is damaged" in get(shown, f"/runs/{summary}", 500).text
        assert "This run is damaged" in get(shown, f"/runs/{row}", 500).text
        assert "This run is damaged" in get(shown, f"/runs/{head}", 500).text
        assert "damaged" not in get(shown, f"/runs/{whole}").text
        assert "This run is damaged" in get(shown, f"/compare?a={content}&b={whole}", 500).text
        trend = get(shown, "/trends?metric=binary.roc_auc&subject=p")
        assert "2 runs under the same conditions" in trend.text
        assert trend.text.count("damaged: ") == 2


UPDATE_PART = sql(
    "UPDATE veridical_part SET content = :content, sha256 = :sha256, size = :size, "
    "encoding = :encoding WHERE run_id = :id AND name = 'document'"
)
UPDATE_SEAL = sql("UPDATE veridical_run SET sha256 = :sha256 WHERE id = :id")


@pytest.mark.parametrize(
    "document",
    ["[]", '{"results": 1}', '{"results": [{}]}', '{"results": [{"metric": "binary.roc_auc"}]}'],
)
def test_a_document_that_is_none_is_damage_whoever_sealed_it(fresh, document):
    run = fresh.store.save(draft(kind="evaluation"))
    packed = pack(document.encode())
    sealed = seal(run, {**run.parts.hashes, "document": packed.sha256})
    with fresh.store._database.writing() as connection:
        connection.execute(UPDATE_PART, {**packed._asdict(), "id": run.id})
        connection.execute(UPDATE_SEAL, {"sha256": sealed, "id": run.id})
    assert get(fresh, "/").rows() == [run.id]
    assert "This run is damaged" in get(fresh, f"/runs/{run.id}", 500).text


def test_a_locked_store_says_so_and_the_next_look_finds_it(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        store.save(draft(kind="bench", name="kept"))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    with Store(path, patience_s=0.05) as store:
        shown = type("Shown", (), {"client": viewer(store)})
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN EXCLUSIVE")
        page = get(shown, "/", 503)
        assert "The store cannot be read just now" in page.text
        blocker.execute("ROLLBACK")
        blocker.close()
        assert "kept" in get(shown, "/").text


def test_a_store_that_is_deleted_says_so(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        store.save(draft(kind="bench", name="kept"))
        shown = type("Shown", (), {"client": viewer(store)})
        with store._database.writing() as connection:
            connection.execute(sql("DROP TABLE veridical_tag"))
        page = get(shown, "/", 503)
        assert "The store cannot be read just now" in page.text


def test_an_internal_error_is_told_without_its_traceback(fresh, monkeypatch):
    def broken(*_):
        raise RuntimeError("a secret")

    monkeypatch.setattr(fresh.client.app._app.state.browser, "choices", broken)
    fresh.store.save(draft(kind="bench", name="kept"))
    page = get(fresh, "/", 500)
    assert "Something broke" in page.text
    assert "secret" not in page.text


# Hostile names -------------------------------------------------------------------------------


def every_address(ids):
    first, second, _ = ids.nightly
    hostile = quote(HOSTILE)
    yield from (
        "/",
        f"/?text={hostile}",
        f"/?name={hostile}&tag={hostile}&metric={hostile}",
        "/compare",
    )
    yield from (f"/runs/{one}" for one in (first, ids.other, ids.ranking, ids.text, ids.running))
    yield from (f"/runs/{first}/units", f"/runs/{first}/units?text={hostile}")
    yield from (f"/runs/{ids.running}/units", f"/runs/{ids.ranking}/units")
    yield from (
        f"/compare?a={second}&b={first}&all=1",
        f"/compare?a={ids.ranking}&b={ids.ranking}&all=1",
    )
    yield from (f"/compare/difference?a={second}&b={first}", f"/compare?a={hostile}")
    yield from ("/trends", f"/trends?metric={hostile}")
    yield f"/trends?metric=binary.recall&group={quote(f'g={HOSTILE}')}&subject={hostile}"
    yield f"/trends?metric=retrieval.mrr&subject={hostile}"
    yield from (f"/runs/{hostile}", f"/?page={hostile}", f"/compare?a={hostile}&b={hostile}")
    yield from (f"/?sort={hostile}", f"/runs/{first}/units?by={hostile}", f"/{hostile}")


def test_hostile_names_are_text_on_every_page(shown):
    met = 0
    for address in every_address(shown.ids):
        answer = shown.client.get(address)
        assert answer.status_code in {200, 400, 404}, address
        assert "<img" not in answer.text, address
        assert HOSTILE not in answer.text, address
        met += "&lt;img src=x onerror=" in answer.text
    assert met > 20


def test_pages_load_their_own_files_and_nothing_else(shown):
    for address in every_address(shown.ids):
        answer = shown.client.get(address)
        (nonce,) = re.findall(
            "script-src 'nonce-([^']+)'", answer.headers["content-security-policy"]
        )
        for tag, attributes in Page(answer.text).elements:
            assert tag not in {"img", "iframe", "object", "embed", "base", "style"}
            assert "style" not in attributes
            assert not any(name.startswith("on") for name in attributes)
            if tag == "script" and attributes.get("type") != "application/json":
                assert attributes["nonce"] == nonce
                assert attributes["src"].startswith("/static/")
            if tag == "link" and attributes["rel"] == "stylesheet":
                assert attributes["nonce"] == nonce
            for name in ("href", "src", "action"):
                value = attributes.get(name, "/")
                assert value.startswith(("/", "#", "data:,")), (address, value)
                assert not value.startswith("//")


def test_static_files_are_cached_under_their_hash(shown):
    for name, asset in assets().items():
        answer = shown.client.get(f"/static/{asset.digest}/{name}")
        assert answer.content == asset.content
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].split(";")[0] == asset.media_type
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_viewers_style_sheet_restyles_only_what_it_means_to():
    """Both style sheets are loaded: a name that both use would look as neither meant it."""

    def names(sheet):
        selectors = re.sub(r"\{[^{}]*\}|/\*.*?\*/", "", sheet.content.decode(), flags=re.DOTALL)
        return set(re.findall(r"\.([a-z][\w-]*)", selectors))

    shared = {"brand", "grid", "interval", "lede", "masthead", "n", "number", "stack", "value"}
    both = names(assets()["report.css"]) & names(assets()["view.css"])
    assert both <= shared | {"same", "whisker"}
