"""``veridical summarise`` and ``veridical merge``: files in, files and numbers out."""

import json

import numpy as np
import pytest

import veridical as vd
from tests.portable.rows import example
from tests.report.documents import Page, assert_asks_for_nothing, assert_policy
from tests.report.test_unit_reports import visible_text


@pytest.fixture
def halves(hmda, tmp_path):
    """Two files that never met, and the one that holds both."""
    header, *lines = hmda.read_text(encoding="utf-8").splitlines()
    for name, part in (("a.csv", lines[:1000]), ("b.csv", lines[1000:])):
        (tmp_path / name).write_text("\n".join([header, *part, ""]), encoding="utf-8")
    return tmp_path


NAMED = ["--label", "denied", "--score", "p_logistic"]


def summarised(veridical, *names, options=()):
    for name in names:
        outcome = veridical("summarise", f"{name}.csv", *NAMED, *options, "-o", f"{name}.summary")
        assert outcome.code == 0, outcome.err
        yield outcome


def test_pooled_is_the_whole(veridical, halves, hmda):
    outputs = [outcome.out for outcome in summarised(veridical, "a", "b")]
    assert "1,000 rows" in outputs[0]
    assert "probability/14" in outputs[0]
    outcome = veridical("merge", "a.summary", "b.summary", "-o", "pooled.summary")
    assert outcome.code == 0
    whole = vd.summarise(hmda, label="denied", score="p_logistic")
    assert vd.Summary.load("pooled.summary") == whole
    lines = [line.split() for line in outcome.out.splitlines()]
    alone, without = (
        {line[0]: line for line in lines[at : at + 3]}
        for at, line in enumerate(lines)
        if line[:1] == ["file"] or line[:2] == ["all", "but"]
    )
    assert (alone["a.summary"][2], alone["b.summary"][2]) == ("1,000", "1,380")
    # Without one of two, the other is left.
    assert without["a.summary"][-6:] == alone["b.summary"][-6:]
    assert "2,380 rows, 285 positive" in outcome.out
    assert "histogram probability/14" in outcome.out
    assert "certified [0.8218, 0.8220]" in outcome.out


def test_the_order_of_files_gives_the_same_bytes(veridical, halves):
    list(summarised(veridical, "a", "b"))
    veridical("merge", "a.summary", "b.summary", "-o", "x")
    veridical("merge", "b.summary", "a.summary", "-o", "y")
    assert (halves / "x").read_bytes() == (halves / "y").read_bytes()


def test_json(veridical, halves, hmda):
    list(summarised(veridical, "a", "b", options=["--exact", "--group", "black"]))
    words = ["merge", "a.summary", "b.summary", "--threshold", "0.2", "--json"]
    document = veridical(*words).document
    rows = vd.evaluate(hmda, label="denied", score="p_logistic", threshold=0.2, groups="black")
    assert document["schema"] == "veridical.evaluation/1"
    assert document["source"]["summary"] == "score table"
    for found, exact in zip(document["results"], rows.results, strict=True):
        assert (found["metric"], found["value"]) == (exact.metric, exact.value)
    first = document["files"][0]
    assert (first["path"], first["n_rows"]) == ("a.summary", 1000)
    assert first["sha256"] == vd.Summary.load("a.summary").sha256
    assert [r["metric"] for r in first["results"]] == ["binary.roc_auc", "binary.average_precision"]


def test_bounds_are_in_the_json(veridical, halves):
    list(summarised(veridical, "a"))
    document = veridical("merge", "a.summary", "-m", "roc_auc", "--json").document
    found = document["results"][0]
    assert found["bounds"]["low"] <= found["value"] <= found["bounds"]["high"]
    assert found["conditions"]["summary"] == "histogram probability/14"


def test_several_files_are_summarised_as_one(veridical, halves, hmda):
    outcome = veridical("summarise", "a.csv", "b.csv", *NAMED, "-o", "all.summary", "--threads", 2)
    assert outcome.code == 0
    whole = vd.summarise(hmda, label="denied", score="p_logistic")
    assert vd.Summary.load("all.summary") == whole
    assert whole.sha256 in outcome.out


def test_files_that_do_not_match_are_refused_with_the_field(veridical, halves):
    list(summarised(veridical, "a"))
    list(summarised(veridical, "b", options=["--bins", "15"]))
    outcome = veridical("merge", "a.summary", "b.summary", "--json")
    assert (outcome.code, outcome.out) == (4, "")
    assert "the number of bins: 10 and 15 (a.summary and b.summary)" in outcome.err


@pytest.mark.parametrize("damage", [lambda text: text[:500], lambda text: text.replace("1", "2")])
def test_a_broken_file_is_named(veridical, halves, damage):
    list(summarised(veridical, "a", "b"))
    path = halves / "b.summary"
    path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")
    outcome = veridical("merge", "a.summary", "b.summary", "-o", "pooled.summary")
    assert (outcome.code, outcome.out) == (65, "")
    assert "b.summary" in outcome.err
    assert not (halves / "pooled.summary").exists()


def test_a_missing_file_is_named(veridical, halves):
    outcome = veridical("merge", "nothing.summary")
    assert outcome.code == 65
    assert "nothing.summary" in outcome.err


def test_the_same_file_twice_is_said(veridical, halves):
    list(summarised(veridical, "a"))
    outcome = veridical("merge", "a.summary", "a.summary", "-m", "roc_auc")
    assert outcome.code == 0
    assert "warning" in outcome.err
    assert "more than once" in outcome.out


def test_the_data_are_never_replaced(veridical, halves):
    before = (halves / "a.csv").read_bytes()
    outcome = veridical("summarise", "a.csv", *NAMED, "-o", "./a.csv")
    assert outcome.code == 64
    assert (halves / "a.csv").read_bytes() == before


def test_a_folder_that_is_not_there_stops_before_the_work(veridical, halves):
    outcome = veridical("summarise", "a.csv", *NAMED, "-o", "nowhere/a.summary")
    assert outcome.code == 65
    assert "nowhere" in outcome.err


def test_bad_data_leave_no_file(veridical, tmp_path):
    (tmp_path / "bad.csv").write_text("y,p\n1,0.5\n0,\n", encoding="utf-8")
    outcome = veridical("summarise", "bad.csv", "--label", "y", "--score", "p", "-o", "bad.summary")
    assert outcome.code == 65
    assert "bad.csv:3" in outcome.err
    assert not (tmp_path / "bad.summary").exists()


def test_nothing_scored(veridical, tmp_path):
    (tmp_path / "one.csv").write_text("y,p\n0,0.5\n0,0.25\n", encoding="utf-8")
    veridical("summarise", "one.csv", "--label", "y", "--score", "p", "-o", "one.summary")
    outcome = veridical("merge", "one.summary", "-m", "roc_auc", "--json")
    assert outcome.code == 3
    assert outcome.document["files"][0]["results"][0]["skip"]["reason"] == "no_positives"


def test_hostile_names_stay_visible_in_every_output(veridical, tmp_path):
    name = "p\x1b[31m\u202e"
    (tmp_path / "x.jsonl").write_text(
        "\n".join(json.dumps({"y": i % 2, name: i / 4}) for i in range(4)), encoding="utf-8"
    )
    outcome = veridical("summarise", "x.jsonl", "--label", "y", "--score", name, "-o", "x.summary")
    assert outcome.code == 0
    merged = veridical("merge", "x.summary")
    for text in (outcome.out, merged.out, merged.err):
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_prices_and_thresholds(veridical, halves):
    list(summarised(veridical, "a", options=["--threshold", "0.2"]))
    words = ["--cost-fn", "10", "--cost-fp", "1", "--no-intervals", "--json"]
    document = veridical("merge", "a.summary", *words).document
    found = {result["metric"]: result for result in document["results"]}
    assert found["cost.total"]["conditions"]["threshold"] == 0.2
    assert "bounds" not in found["binary.recall"]
    outcome = veridical("merge", "a.summary", "--cost-fn", "amount", "--cost-fp", "1")
    assert outcome.code == 64
    assert "prices in columns" in outcome.err


def test_a_summary_file_is_evaluated_whatever_its_name(veridical, halves):
    list(summarised(veridical, "a"))
    (halves / "a.summary").rename(halves / "a.csv.gz")
    document = veridical("evaluate", "a.csv.gz", "--json").document
    expected = vd.evaluate(vd.Summary.load("a.csv.gz"))
    assert [one["value"] for one in document["results"]] == [r.value for r in expected.results]
    assert document["source"]["path"] == "a.csv.gz"
    assert document["source"]["engine"] == "summary"
    other = veridical("evaluate", "a.csv.gz", "--score", "nobody")
    assert other.code == 64
    assert "nobody" in other.err
    (halves / "a.csv.gz").write_bytes(
        (halves / "a.csv.gz").read_bytes().replace(b":1000", b":1001")
    )
    damaged = veridical("evaluate", "a.csv.gz")
    assert damaged.code == 65
    assert "checksum" in damaged.err


def test_rows_need_their_columns_named(veridical, halves):
    for words, absent in ((["--score", "p_logistic"], "label"), (["--label", "denied"], "score")):
        outcome = veridical("evaluate", "a.csv", *words)
        assert outcome.code == 64
        assert f"{absent}= is missing" in outcome.err


def test_bounds_are_as_narrow_as_asked(veridical, halves):
    words = ["evaluate", "a.csv", *NAMED, "-m", "roc_auc", "--engine", "histogram", "--json"]
    exact = veridical("evaluate", "a.csv", *NAMED, "-m", "roc_auc", "--json").document["results"][0]
    wide = veridical(*words).document["results"][0]
    assert wide["bounds"]["low"] < exact["value"] < wide["bounds"]["high"]
    narrow = veridical(*words, "--bounds-within", "0").document["results"][0]
    assert "bounds" not in narrow
    assert narrow["value"] == exact["value"]
    assert "read again" in narrow["conditions"]["summary"]
    list(summarised(veridical, "a"))
    lost = veridical("evaluate", "a.summary", "-m", "roc_auc", "--bounds-within", "0")
    assert "wider than asked" in " ".join(lost.out.split())


def test_the_command_shows_each_file_alone_and_all_but_it(veridical, tmp_path):
    names = []
    for seed, by in ((1, 0.0), (2, 0.0), (3, 0.3)):
        names.append(str(tmp_path / f"bank-{seed}"))
        data = example(seed, 2_000)
        data["p"] = np.clip(data["p"] + by, 0, 1)
        vd.summarise(data, label="y", score="p").save(names[-1])
    files = veridical("merge", *names, "-m", "roc_auc", "--json").document["files"]
    lights = [file["drift_from_the_others"][0]["conditions"]["light"] for file in files]
    assert lights[2] == "significant"
    pooled = vd.Summary.load(names[0]) + vd.Summary.load(names[1])
    value = vd.evaluate(pooled, "roc_auc", intervals=False)["roc_auc"].value
    assert files[2]["results_without_it"][0]["value"] == value
    text = veridical("merge", *names, "-m", "roc_auc").out
    assert "all but" in text
    assert "significant" in text


def merged(veridical, halves, *words):
    for name in ("a", "b"):
        (halves / "banks").mkdir(exist_ok=True)
        options = ["--group", "black", "--threshold", "0.2", "-o", f"banks/{name}.summary"]
        assert veridical("summarise", f"{name}.csv", *NAMED, *options).code == 0
    both = ["banks/a.summary", "banks/b.summary"]
    return veridical("merge", *both, "-m", "roc_auc", *words)


FAIR = ["--threshold", "0.2", "--favourable", "0"]


def test_the_page_of_a_pool_has_every_file(veridical, halves, tmp_path):
    told = merged(veridical, halves, *FAIR, "--report", "pool.html", "--json")
    html = (tmp_path / "pool.html").read_text(encoding="utf-8")
    page = Page(html)
    assert_policy(page)
    assert_asks_for_nothing(page)
    sections = {attributes.get("id") for tag, attributes in page.elements if tag == "section"}
    assert {"metrics", "files", "others", "fairness", "threshold", "limits"} <= sections
    text = visible_text(html)
    assert "banks/" not in text
    assert "all but a.summary black=yes" in text
    for file in told.document["files"]:
        for result in (*file["results"], *file["results_without_it"]):
            assert f"{result['value']:.4f}" in text
    assert f"{told.document['results'][0]['value']:.4f}" in text


def test_a_pool_as_markdown(veridical, halves):
    told = merged(veridical, halves, *FAIR, "--markdown")
    plain = merged(veridical, halves, *FAIR)
    for heading in ("Each file alone", "All files but one", "Fairness"):
        assert f"\n**{heading}**\n" in told.out
    assert told.out.startswith("### banks/a.summary, banks/b.summary\n")
    rows = [line for line in told.out.splitlines() if line.startswith("| banks/a.summary |")]
    alone = next(line for line in plain.out.splitlines() if line.startswith("banks/a.summary"))
    assert rows[0].replace("|", " ").replace("\\", "").split() == alone.split()
    assert merged(veridical, halves, "--markdown", "--json").code == 64


def test_a_page_replaces_no_summary(veridical, halves, tmp_path):
    for words in (["--report", "banks/a.summary"], ["-o", "x", "--report", "x"]):
        told = merged(veridical, halves, *words)
        assert (told.code, told.out) == (64, "")
    assert not (tmp_path / "x").exists()
