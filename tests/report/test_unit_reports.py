"""The reports of runs, systems and raters as text: every number, escapes, samples, samples said."""

import json
import re
from html import unescape

import numpy as np
import pytest

import veridical as vd
from tests.report.documents import Page, assert_asks_for_nothing, assert_policy
from tests.report.evaluations import ESCAPE, REPORTS
from tests.report.payloads import HOSTILE
from veridical.cli import main
from veridical.ranking import fuse
from veridical.report.display import rate_text
from veridical.report.heat_map import grid_of
from veridical.report.marked_words import marked
from veridical.summaries.contingency import ContingencyTable


def written(ev, folder):
    return ev.report(folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def evaluations():
    return {name: make() for name, make in REPORTS.items()}


@pytest.fixture(scope="module", params=REPORTS)
def report(request, evaluations, tmp_path_factory):
    ev = evaluations[request.param]
    return ev, written(ev, tmp_path_factory.mktemp(request.param))


def visible_text(html):
    body = html[html.index("<body>") : html.index("<script")]
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", body)))


def test_the_policy_and_that_nothing_is_asked_for(report):
    page = Page(report[1])
    assert_policy(page)
    assert_asks_for_nothing(page)


def test_names_and_texts_are_escaped(report):
    _, html = report
    assert HOSTILE not in html
    assert ESCAPE not in html
    assert html.count("<script") == html.count("</script>") <= 2


def test_every_result_stands_there_with_its_interval_and_n(report):
    ev, html = report
    text = visible_text(html)
    for result in ev.results:
        assert result.metric in text
        if result.ok:
            assert rate_text(result.value) in text
            low, high = (rate_text(end) for end in (result.interval.low, result.interval.high))
            assert f"{low} to {high}" in text
            assert f" {result.n} " in text


def test_every_comparison_stands_there_with_its_p_values(report):
    ev, html = report
    text = visible_text(html)
    for one in ev.comparisons:
        assert rate_text(one.difference.value) in text
        p = "< 0.0001" if one.p_value < 0.0001 else f"{one.p_value:.4f}"
        assert p in text
        assert one.verdict.partition(" (")[0] in text
        if counts := one.difference.counts:
            assert ", ".join(str(counts[f"n_{k}"]) for k in ("wins", "ties", "losses")) in text


def test_the_same_evaluation_gives_the_same_bytes(report, tmp_path):
    ev, html = report
    assert written(ev, tmp_path) == html


def page_data(html):
    (data,) = (t for tag, a, t in Page(html).texts if a.get("id") == "page-data")
    return json.loads(data)["queries"]


def test_the_script_looks_up_what_python_computed(evaluations, tmp_path):
    ev = evaluations["ranking"]
    data = page_data(written(ev, tmp_path))
    assert data["runs"] == list(ev.subjects)
    for run, name in enumerate(ev.subjects):
        for at, metric in enumerate(data["metrics"]):
            values = ev.query_values(metric["name"], name)
            for query, text in zip(data["ids"], data["values"][run][at], strict=True):
                assert text == rate_text(values.of(query))
    # The query without results is counted as 0, and said to have retrieved nothing.
    last = data["ids"].index("q57")
    assert data["ranks"][0][last] == "nothing retrieved"


def test_where_relevant_documents_stand(tmp_path):
    golden = {"q": {"a": 1, "b": 2, "c": 0, "x": 1}, "r": {"a": 1}}
    run = {"q": ["c", "b", "n", "a"], "r": ["b", "c"]}
    ev = vd.evaluate_ranking({"one": run}, golden, ["mrr"])
    data = page_data(written(ev, tmp_path))
    ranks = dict(zip(data["ids"], data["ranks"][0], strict=True))
    assert ranks == {"q": "2 of 3 relevant found, at 2, 4", "r": "none of 1 relevant found"}


def test_queries_that_moved_most_in_both_directions(evaluations, tmp_path):
    ev = evaluations["ranking"]
    text = visible_text(written(ev, tmp_path))
    section = text[
        text.index("The queries that changed most") : text.index("How the runs were read")
    ]
    a, b = (ev.query_values("ndcg@10", name) for name in ev.subjects)
    difference = dict(zip(a.ids, (a.values - b.values).tolist(), strict=True))
    defined = [query for query, known in zip(a.ids, a.defined, strict=True) if known]
    order = sorted(defined, key=difference.__getitem__)
    for query in (*order[:10], *order[-10:]):
        assert f"{difference[query]:+.4f}" in section
    assert f"{difference[order[len(order) // 2]]:+.4f}" not in section


def test_one_run_names_its_worst_queries(evaluations, tmp_path):
    ev = evaluations["ranking"].subject("tfidf & co")
    text = visible_text(written(ev, tmp_path))
    section = text[text.index("The queries with the lowest value") :]
    values = ev.query_values("ndcg@10")
    known = [value for value, d in zip(values.values, values.defined, strict=True) if d]
    for value in sorted(known)[:10]:
        assert rate_text(value) in section
    assert "changed most" not in text


def test_folders_are_left_out_where_file_names_tell_systems_apart(evaluations, tmp_path):
    html = written(evaluations["texts"], tmp_path)
    assert "second &amp; last" in html
    assert "folder" not in html
    same = vd.evaluate_text({"x/a": ["w"], "y/a": ["v"]}, ["w"], ["rouge_1"])
    assert "x/a" in written(same, tmp_path)


def test_what_was_left_out_and_filled_is_named(evaluations, tmp_path):
    text = visible_text(written(evaluations["ranking"], tmp_path))
    section = text[text.index("How the runs were read") :]
    assert "counted as 0: the run has nothing for them" in section
    assert "nothing relevant" in section
    assert "q57" in section


def test_a_fused_run_says_how_it_was_made(tmp_path):
    golden = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
    one, two = ({q: {"a": x, "b": 1.0} for q in golden} for x in (0.5, 2.0))
    ev = vd.evaluate_ranking({"one": one, "both": fuse([one, two], k=30)}, golden, ["mrr"])
    assert ev.source["runs"]["both"]["fusion"] == {"method": "rrf", "n_runs": 2, "k": 30}
    words = "fused of 2 runs by reciprocal ranks, k 30"
    assert words in visible_text(written(ev, tmp_path))
    assert f"both: {words}" in repr(ev)


def test_many_queries_are_a_sample_and_that_is_said(tmp_path):
    rng = np.random.default_rng(0)
    golden = {f"q{i}": {"a": 1} for i in range(5_000)}
    runs = {
        name: {q: ["a", "b"] if rng.random() < 0.5 else ["b", "a"] for q in golden}
        for name in ("one", "two")
    }
    runs["two"]["q4321"] = []  # moved most of all
    runs["one"]["q4321"] = ["a"]
    ev = vd.evaluate_ranking(runs, golden, ["mrr"])
    html = written(ev, tmp_path)
    assert "2,000 of 5,000 queries are drawn" in html
    data = page_data(html)
    assert len(data["ids"]) == len(set(data["ids"])) == 2_000
    assert "q4321" in data["ids"]
    assert len(html) < 900_000


def test_texts_side_by_side_with_their_words_marked(evaluations, tmp_path):
    ev = evaluations["texts"]
    html = written(ev, tmp_path)
    lowest = html[html.index('id="lowest"') : html.index('id="changes"')]
    values = ev.text_values("rouge_l", HOSTILE)
    numbers = [int(n) for n in re.findall(r"text ([\d,]+), reference", lowest)[:10]]
    assert sorted(values[np.array(numbers) - 1]) == sorted(np.sort(values)[:10])
    assert "nothing written" in lowest
    assert "<mark>" in lowest


def test_the_sentence_is_said_once_and_the_example_is_folded(evaluations, tmp_path):
    html = written(evaluations["texts"], tmp_path)
    assert html.count("not truth") == 1
    example = html[html.index('<details class="example"') :]
    assert "0.7334" in example[: example.index("</details>")]
    assert "nrefs:1|case:mixed" in html


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("a a b", "a", [("a", True), (" a b", False)]),
        ("A-b", "b a", [("A", True), ("-", False), ("b", True)]),
        ("", "a", []),
        ("\u6211\u559c\u6b22", "\u559c", [("\u6211", False), ("\u559c", True), ("\u6b22", False)]),
    ],
)
def test_marked_words(text, other, expected):
    assert marked(text, other) == (expected, 0)


def test_long_texts_are_cut_and_that_is_said():
    pieces, cut = marked("word " * 1_000, "word")
    assert sum(len(text) for text, _ in pieces) + cut == 5_000
    assert cut == 3_500


def test_heat_map_table_and_rates_of_each_label(evaluations, tmp_path):
    ev = evaluations["agreement"]
    text = visible_text(written(ev, tmp_path))
    table = ev.tables["ben / judge"]
    both = table.counts.sum(axis=0) + table.counts.sum(axis=1)
    for at in range(3):
        assert rate_text(2 * table.counts[at, at] / both[at]) in text
        assert rate_text(table.counts[at].sum() / table.n) in text
    shares = table.counts / table.counts.sum(axis=1, keepdims=True)
    for count, share in zip(table.counts.ravel(), shares.ravel(), strict=True):
        assert f"{count} {100 * share:.0f}%" in text


def test_rare_labels_stand_together():
    counts = np.diag(np.arange(30, 0, -1))
    counts[0, 29] = 2
    grid = grid_of(ContingencyTable(tuple(f"l{i:02}" for i in range(30)), False, counts))
    assert grid.labels == (*(f"l{i:02}" for i in range(11)), "other labels")
    assert grid.counts.sum() == counts.sum()
    assert grid.counts[0, 11] == 2


def test_the_judge_and_the_ceiling(evaluations, tmp_path):
    text = visible_text(written(evaluations["agreement"], tmp_path))
    section = text[text.index("read against") :]
    assert section.count("judge with a person") == 2
    assert section.count("people among themselves") == 1


def test_the_corrected_rate(evaluations, tmp_path):
    text = visible_text(written(evaluations["rate"], tmp_path))
    section = text[text.index("What the judge's rate of pass is worth") :]
    for metric in ("judged_rate", "rogan_gladen_rate", "prediction_powered_rate"):
        assert rate_text(evaluations["rate"][metric].value) in section


@pytest.mark.parametrize("name", ["ranking", "texts", "agreement"])
def test_without_intervals_and_comparisons(name, tmp_path):
    plain = {
        "ranking": lambda: vd.evaluate_ranking(
            {"a": {"q": ["d"]}, "b": {"q": ["e"]}},
            {"q": {"d": 1, "e": 0}},
            ["mrr"],
            intervals=False,
        ),
        "texts": lambda: vd.evaluate_text(["a b"], ["a c"], ["chrf"], intervals=False),
        "agreement": lambda: vd.evaluate_agreement(
            {"x": ["y", "n"], "z": ["y", "y"]}, raters=["x", "z"], intervals=False
        ),
    }
    html = written(plain[name](), tmp_path)
    assert "Is the difference real?" not in html
    assert_policy(Page(html))


@pytest.mark.parametrize(
    "make",
    [
        lambda: vd.evaluate_text(np.eye(3), np.eye(3)[::-1], ["embedding_cosine"]),
        lambda: vd.evaluate_text([], [], ["rouge_l", "chrf"]),
        lambda: vd.evaluate_text(["a"], ["a"], ["ter"]),
        lambda: vd.evaluate_ranking({"q": ["d"]}, {"q": {"d": 0}}, ["mrr"]),
        lambda: vd.evaluate_ranking({"q": ["d"]}, {"q": {"d": 1}}, ["trec.num_rel"]),
        lambda: vd.evaluate_ranking(
            {"a": {"q": {"d": 1.0, "e": 1.0}}, "b": {"q": {"d": 2.0, "e": 1.0}}},
            {"q": {"d": 1, "e": 0}},
            ["mrr"],
            ties="average",
        ),
        lambda: vd.evaluate_agreement(
            {"x": [1, 2], "y": [None, 2]}, raters=["x", "y"], missing="drop"
        ),
        lambda: vd.evaluate_agreement(
            {"x": ["a", None], "y": [None, "a"]}, raters=["x", "y"], missing="drop"
        ),
    ],
)
def test_little_or_nothing_to_show(make, tmp_path):
    ev = make()
    page = Page(written(ev, tmp_path))
    assert_policy(page)
    assert ("section", {"id": "metrics", "aria-labelledby": "metrics-title"}) in page.elements


def test_what_has_no_value_says_why(tmp_path):
    ev = vd.evaluate_agreement({"x": ["y", "y"], "z": ["y", "y"]}, raters=["x", "z"])
    text = visible_text(written(ev, tmp_path))
    assert "both raters always said 'y'" in text
    assert "no_variation" in text


def test_the_commands_write_reports_and_replace_nothing_they_read(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "run.trec": "q Q0 a 1 1.0 t\n", "g.qrels": "q 0 a 1\n", "c.txt": "a b\n", "r.txt": "a c\n",
        "k.csv": "x,y\na,a\nb,a\nb,b\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(content, encoding="utf-8")
    commands = {
        "g.qrels": ["rank", "run.trec", "--qrels", "g.qrels"],
        "r.txt": ["text", "--candidates", "c.txt", "--references", "r.txt"],
        "k.csv": ["agree", "k.csv", "--rater", "x", "--rater", "y"],
    }
    for read, words in commands.items():
        assert main([*words, "--report", "out.html"]) == 0
        assert "report: out.html" in capsys.readouterr().err
        assert "<!doctype html>" in (tmp_path / "out.html").read_text(encoding="utf-8")
        before = (tmp_path / read).read_bytes()
        assert main([*words, "--report", read]) == 64
        assert "replace a file that is read" in capsys.readouterr().err
        assert (tmp_path / read).read_bytes() == before
