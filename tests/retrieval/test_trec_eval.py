"""trec_eval's own test: every number of its outputs, to the printed digit, and its form."""

from __future__ import annotations

import pytest

from tests.retrieval.commands import veridical
from veridical.ranking.trec_form import ALL, OFFICIAL

OUTPUTS = {
    "out.test": ("results.test", []),
    "out.test.a": ("results.test", ["-m", "all_trec"]),
    "out.test.aq": ("results.test", ["-m", "all_trec", "--per-query"]),
    "out.test.aqc": (
        "results.trunc",
        ["-m", "all_trec", "--per-query", "--average", "golden"],
    ),
}
# Not ours: experimental measures, and one that is a string.
LEFT_OUT = ("relative_P_", "utility", "G", "Rprec_mult_", "unj_", "relstring")


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


def is_ours(line):
    name = line.split()[0]
    return not any(name == one or (name.startswith(one) and one[-1] == "_") for one in LEFT_OUT)


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_printed_lines_are_trec_evals(shared, name):
    folder = shared / "data" / "trec_eval"
    run, options = OUTPUTS[name]
    done = veridical("rank", folder / run, "--qrels", folder / "qrels.test", "--trec", *options)
    assert done.returncode == 0, done.stderr
    theirs = [line for line in lines((folder / name).read_text(encoding="utf-8")) if is_ours(line)]
    ours = lines(done.stdout)
    assert len(theirs) == len(ours) > 28
    assert set(ours) == set(theirs)
    if name == "out.test":
        assert ours == theirs


def test_comments_in_the_golden_set_change_nothing(shared):
    folder = shared / "data" / "trec_eval"
    outputs = [
        veridical("rank", folder / "results.test", "--qrels", folder / qrels, "--trec").stdout
        for qrels in ("qrels.test", "qrels.test.with-comments")
    ]
    kept = [[line for line in lines(text) if line.startswith("num_q")] for text in outputs]
    assert kept[0] == kept[1] == ["num_q                 \tall\t3"]


def test_the_measures_are_registered_once():
    assert len(set(ALL)) == len(ALL)
    assert set(OFFICIAL) < set(ALL)
