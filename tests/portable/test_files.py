"""The file of a summary: written whole, read with distrust."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.portable.rows import example
from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, OutputError

DATA = example(11, 300, ties=50)


def summary_of(data=None, **options):
    named = {"label": "y", "score": "p", "groups": "region", "thresholds": [0.25, 0.5]}
    return vd.summarise(data or DATA, **(named | options))


WEIGHTS = np.tile([1.0, 2.0, 0.5], 100)
SUMMARIES = {
    "binned": summary_of(),
    "line": summary_of(grid="line/8"),
    "exact": summary_of(exact=True),
    "weighted": summary_of({**DATA, "w": WEIGHTS}, weight="w"),
    "float32": summary_of({**DATA, "p": DATA["p"].astype(np.float32)}),
    "numbers": summary_of({**DATA, "p": DATA["p"] * 10 - 5}),
    "dropped": summary_of({**DATA, "p": [None, *DATA["p"][1:].tolist()]}, missing="drop"),
    "empty": summary_of({"y": [], "p": [], "region": []}),
}


@pytest.mark.parametrize("name", SUMMARIES)
def test_round_trip(name, tmp_path):
    summary = SUMMARIES[name]
    path = summary.save(tmp_path / "x.summary")
    again = vd.Summary.load(path)
    assert again == summary
    assert again.sources == summary.sources
    assert again.sha256 == summary.sha256
    assert again.save(tmp_path / "y.summary").read_bytes() == path.read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {"x.summary", "y.summary"}
    if summary.rows:
        one, two = (vd.evaluate(held, replicates=20).to_dict() for held in (summary, again))
        assert one == two


def test_the_sum_of_loaded_summaries_is_the_summary_of_all(tmp_path):
    half = {name: values[:150] for name, values in DATA.items()}
    rest = {name: values[150:] for name, values in DATA.items()}
    paths = [summary_of(part).save(tmp_path / f"{i}") for i, part in enumerate((half, rest))]
    assert sum(map(vd.Summary.load, paths[1:]), vd.Summary.load(paths[0])) == summary_of()


def test_no_row_is_in_the_file(tmp_path):
    # Ten thousand rows on a grid of few bins: two scores a bin are all that is told of them.
    data = example(12, 10_000)
    summary = vd.summarise(data, label="y", score="p", grid="probability/4")
    content = summary.save(tmp_path / "x").read_text(encoding="utf-8")
    told = sum(float(score).hex() in content for score in data["p"])
    assert told <= 2 * summary.size < 1_000


def test_nothing_is_left_behind_when_writing_fails(tmp_path):
    with pytest.raises(OutputError):
        summary_of().save(tmp_path / "no such folder" / "x.summary")
    with pytest.raises(OutputError):
        summary_of().save(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileMissingError, match=r"nothing\.summary"):
        vd.Summary.load(tmp_path / "nothing.summary")
    with pytest.raises(FileFormatError, match="regular file"):
        vd.Summary.load(tmp_path)


def refused(path, match):
    with pytest.raises(FileFormatError, match=match) as caught:
        vd.Summary.load(path)
    assert path.name in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "JSON"),
        (b"\x00\xff\xfe garbage", "JSON"),
        (b"y,p\n1,0.5\n", "JSON"),
        (b"[]", "no summary"),
        (b"{}", "no summary"),
        (b'"text"', "no summary"),
        (b'{"checksum": NaN}', "not JSON"),
        (b'{"checksum": 1, "checksum": 2}', "twice"),
        (b'{"checksum": 1e999}', "not JSON"),
        (b'{"checksum": "0", "schema": "veridical.summary/1"}', "checksum"),
        (b"[" * 1_000_000, "JSON"),
        (b'{"a":' * 100_000, "JSON"),
        (b'{"checksum": ' + b"9" * 10_000 + b"}", "JSON"),
    ],
)
def test_what_is_no_summary_is_refused(content, match, tmp_path):
    path = tmp_path / "x.summary"
    path.write_bytes(content)
    refused(path, match)


@given(st.data())
def test_a_file_cut_short_or_changed_in_one_byte_is_refused(data):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = SUMMARIES["binned"].save(Path(folder) / "x.summary")
        content = bytearray(path.read_bytes())
        at = data.draw(st.integers(0, len(content) - 2))
        if data.draw(st.booleans()):
            content = content[:at]
        else:
            content[at] ^= data.draw(st.integers(1, 127))
        path.write_bytes(content)
        refused(path, ".")


def test_another_version_and_a_larger_file_are_refused(tmp_path, monkeypatch):
    document = {**summary_of().to_dict(), "schema": "veridical.summary/2"}
    refused(written(document, tmp_path), r"veridical\.summary/1")
    monkeypatch.setattr("veridical.portable.files.MOST_BYTES", 100)
    refused(summary_of().save(tmp_path / "large"), "larger|bytes")


def written(document, folder):
    """Write a document with a checksum that is right: a forger knows how to make one."""
    path = folder / "forged.summary"
    sealed = {**document, "checksum": strict_json.sha256(document)}
    path.write_bytes(strict_json.canonical(sealed))
    return path


def at(document, *keys):
    for key in keys:
        document = document[key]
    return document


WHOLE = ("content", "scores", "p", "all")
NORTH = ("content", "scores", "p", "groups", "region", "north")
ROWS = ("content", "rows")
HEADER = ("content", "header")

MORE = {"rows": 301, "n_read": 301}


def _no_scores(content):
    return {**content["header"], "scores": {}}


def _outside_and_nan(content):
    forged = copy.deepcopy(content)
    forged["rows"]["outside"] = {"p": 1}
    forged["scores"]["p"]["all"]["scores"] = ["nan"]
    return forged


def _with_one_more_bin(table):
    sums = ("n", "sum_p", "sum_y", "sum_p2", "sum_py")
    return {**table, **{name: [*table[name], "0"] for name in sums}}


def _moved(sums, one, other):
    """Take one unit more than there is from one count, and give it to the other."""
    units = int(sums[one]) + 1
    return {**sums, one: "-1", other: str(int(sums[other]) + units)}


def _claiming(content, rows):
    """Claim rows in all three places that tell their number."""
    forged = copy.deepcopy(content)
    forged["rows"] |= {"rows": rows, "n_read": rows}
    forged["scores"]["p"]["all"]["histogram"]["rows"] = rows
    return forged


def _without_rows_at_the_first(held):
    """Move the rows of the lowest score to the next one."""
    forged = copy.deepcopy(held)
    for name in ("positives", "negatives"):
        first, second, *rest = map(int, forged[name])
        forged[name] = ["0", str(first + second), *map(str, rest)]
    return forged


# Where, which field, and what a forger writes there; a function changes what is there.
FORGED = {
    "binned": [
        (ROWS, "rows", 10**9),
        (ROWS, "n_read", 10**9),
        (ROWS, "n_read", 299),
        (ROWS, "rows", -1),
        (ROWS, "rows", 300.0),
        (ROWS, "rows", True),
        (ROWS, "rows", "300"),
        (ROWS, "positives", 301),
        (ROWS, "positives", lambda n: n - 1),
        (ROWS, "fractional", 1),
        (ROWS, "missing", {"p": 1}),
        (ROWS, "missing", {"q": 1}),
        (ROWS, "missing", []),
        (ROWS, "outside", {"p": 301}),
        (ROWS, "outside", {"q": 1}),
        (HEADER, "bins", 11),
        (HEADER, "bins", 0),
        (HEADER, "bins", 10**12),
        (HEADER, "label", None),
        (HEADER, "label", ["y"]),
        (HEADER, "positive", 1),
        (HEADER, "scores", {}),
        (HEADER, "scores", {"p": "probability/13"}),
        (HEADER, "scores", {"p": "probability/99"}),
        (HEADER, "scores", {"p": "score table"}),
        (HEADER, "scores", {"q": "probability/14"}),
        (HEADER, "groups", ["region"]),
        (HEADER, "weight", 1),
        (HEADER, "thresholds", [0.25]),
        (HEADER, "thresholds", [0.5, 0.25]),
        (HEADER, "thresholds", ["0.25", "0.5"]),
        (HEADER, "thresholds", [0.25, 0.9]),
        ((), "content", None),
        ((), "content", []),
        ((), "sources", {"abc": 1}),
        ((), "sources", {"0" * 64: 0}),
        ((), "sources", []),
        ((), "extra", 1),
        (("content",), "extra", 1),
        (("content",), "scores", {}),
        (("content",), "scores", []),
        (("content", "scores"), "q", {}),
        (WHOLE, "histogram", None),
        (WHOLE, "schema", "other/1"),
        (WHOLE, "decisions", []),
        (WHOLE, "reliability", None),
        (WHOLE, "losses", None),
        (WHOLE, "losses", lambda losses: losses[::-1]),
        ((*WHOLE, "decisions", 0), "tp", "1000000000"),
        ((*WHOLE, "decisions", 0), "tp", "-1"),
        ((*WHOLE, "decisions", 0), "fn", lambda count: str(int(count) + 5)),
        ((*WHOLE, "decisions", 0), "tp", "1/0"),
        ((*WHOLE, "histogram"), "rows", 10**9),
        ((*WHOLE, "histogram"), "rows", -5),
        ((*WHOLE, "histogram"), "grid", "line/14"),
        ((*WHOLE, "histogram"), "dtype", "object"),
        ((*WHOLE, "histogram"), "dtype", "float32"),
        ((*WHOLE, "histogram"), "fractional", 0),
        ((*WHOLE, "histogram"), "fractional", True),
        ((*WHOLE, "histogram"), "keys", []),
        ((*WHOLE, "histogram"), "keys", lambda keys: keys[::-1]),
        ((*WHOLE, "histogram"), "keys", lambda keys: [10**30, *keys[1:]]),
        ((*WHOLE, "histogram"), "positives", lambda column: column[:-1]),
        ((*WHOLE, "histogram"), "positives", lambda column: ["-" + column[0], *column[1:]]),
        ((*WHOLE, "histogram"), "positives", lambda column: [str(10**40), *column[1:]]),
        ((*WHOLE, "histogram"), "positives", lambda column: ["9" * 5000, *column[1:]]),
        ((*WHOLE, "histogram"), "positives", lambda column: [" " + column[0], *column[1:]]),
        ((*WHOLE, "histogram"), "positives", lambda column: list(map(int, column))),
        ((*WHOLE, "histogram"), "lowest", lambda column: ["nan", *column[1:]]),
        ((*WHOLE, "histogram"), "lowest", lambda column: ["0x1p+2", *column[1:]]),
        ((*WHOLE, "histogram"), "fn_cost", lambda _: ["0"]),
        (WHOLE, "histogram", lambda held: {**held, "fn_cost": ["0"] * len(held["keys"])}),
        (WHOLE, "reliability", _with_one_more_bin),
        ((*WHOLE, "losses", 0), "positives", lambda sums: _moved(sums, "infinite", "n")),
        ((), "content", lambda content: _claiming(content, 10**9)),
        ((), "content", lambda content: {**content, "rows": {**content["rows"], **MORE}}),
        ((), "content", lambda content: {**content, "scores": {}, "header": _no_scores(content)}),
        ((*WHOLE, "reliability"), "bins", 11),
        ((*WHOLE, "reliability"), "dtype", "float32"),
        ((*WHOLE, "reliability"), "n", lambda column: [str(10**50), *column[1:]]),
        ((*WHOLE, "reliability"), "n", []),
        ((*WHOLE, "reliability"), "sum_p", lambda column: ["-1", *column[1:]]),
        ((*WHOLE, "reliability"), "sum_p2", lambda column: [str(10**60), *column[1:]]),
        ((*WHOLE, "reliability"), "sum_py", lambda column: [*column[:-1], str(10**60)]),
        ((*WHOLE, "losses", 0), "loss", "log"),
        ((*WHOLE, "losses", 0), "clip", 0.1),
        ((*WHOLE, "losses", 0, "positives"), "n", "0"),
        ((*WHOLE, "losses", 0, "positives"), "total", str(10**400)),
        ((*WHOLE, "losses", 1, "negatives"), "squares", "-1"),
        ((*WHOLE, "losses", 1, "negatives"), "infinite", "1"),
    ],
    "grouped": [
        ((*NORTH, "histogram"), "rows", 1),
        (("content", "scores", "p", "groups"), "region", {}),
        (("content", "scores", "p"), "groups", {}),
        (HEADER, "groups", []),
        (HEADER, "groups", ["region", "region"]),
        (HEADER, "groups", ["other"]),
        (HEADER, "groups", "region"),
    ],
    "exact": [
        (WHOLE, "rows", 10**9),
        (WHOLE, "rows", "300"),
        (WHOLE, "dtype", "object"),
        (WHOLE, "dtype", "int64"),
        (WHOLE, "dtype", ">f8"),
        ((*WHOLE[:3],), "all", _without_rows_at_the_first),
        (WHOLE, "dtype", "float32"),
        (WHOLE, "scores", lambda column: column[::-1]),
        (WHOLE, "scores", lambda column: ["nan", *column[1:]]),
        (WHOLE, "scores", lambda column: ["-0x0.0p+0", *column[1:]]),
        (WHOLE, "scores", lambda column: [column[1], *column[1:]]),
        (WHOLE, "scores", lambda column: column[1:]),
        (WHOLE, "scores", "text"),
        (WHOLE, "positives", lambda column: ["-1", *column[1:]]),
        (WHOLE, "positives", lambda column: [str(1 << 120), *column[1:]]),
        (WHOLE, "negatives", lambda column: ["0"] * len(column)),
        (WHOLE, "negatives", None),
        (WHOLE, "review_cost", lambda _: ["0"]),
    ],
    "weighted": [
        (ROWS, "fractional", 0.5),
        (ROWS, "fractional", 301),
        ((*WHOLE, "histogram"), "positives", lambda column: [str(1 << 114), *column[1:]]),
        ((*WHOLE, "histogram"), "rows", 10**9),
        ((*WHOLE, "histogram"), "fractional", False),
    ],
    "one": [
        (WHOLE, "scores", ["nan"]),
        ((), "content", _outside_and_nan),
    ],
    "dropped": [
        (ROWS, "missing", {"q": 1}),
        (ROWS, "missing", {"p": 2}),
        (ROWS, "missing", {}),
    ],
    "weighted exact": [
        (WHOLE, "positives", lambda column: [str(1 << 114), *column[1:]]),
        (WHOLE, "rows", 10**9),
        (WHOLE, "rows", 1),
        (WHOLE, "positives", lambda column: [str(1 << 115), *column[1:]]),
        (WHOLE, "positives", lambda column: ["-" + column[-1], *column[1:]]),
    ],
    "numbers": [
        (ROWS, "outside", {}),
        (WHOLE, "reliability", lambda _: SUMMARIES["binned"].to_dict()["content"]),
        (WHOLE, "losses", lambda _: []),
    ],
    "two": [
        (("content", "scores"), "q", lambda held: {**held, "groups": {"region": {}}}),
    ],
}


# Without groups every check stands alone: whatever is forged, groups would no longer add up to it.
FORGEABLE = {
    "binned": summary_of(groups=()),
    "exact": summary_of(groups=(), exact=True),
    "weighted": summary_of({**DATA, "w": WEIGHTS}, groups=(), weight="w"),
    "weighted exact": summary_of({**DATA, "w": WEIGHTS}, groups=(), weight="w", exact=True),
    "numbers": summary_of({**DATA, "p": DATA["p"] * 10 - 5}, groups=()),
    "two": vd.summarise({**DATA, "q": DATA["p"]}, label="y", score=["p", "q"]),
    "grouped": SUMMARIES["binned"],
    "dropped": summary_of(
        {**DATA, "p": [None, *DATA["p"][1:].tolist()]}, missing="drop", groups=()
    ),
    "one": summary_of({"y": [1], "p": [0.5]}, groups=(), exact=True),
}


@pytest.mark.parametrize(
    ("name", "place", "field", "value"),
    [(name, *forgery) for name, forgeries in FORGED.items() for forgery in forgeries],
)
def test_forged_files_are_refused_by_name(name, place, field, value, tmp_path):
    document = copy.deepcopy(FORGEABLE[name].to_dict())
    part = at(document, *place)
    before = json.dumps(part.get(field), sort_keys=True)
    part[field] = value(part[field]) if callable(value) else value
    assert json.dumps(part[field], sort_keys=True) != before, "this forgery changes nothing"
    refused(written(document, tmp_path), "damaged|expected|negative|not a count")


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_field_is_needed(name, tmp_path):
    """Remove each field of each object in turn: all of them are missed."""

    def paths(value, path=()):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield (*path, key)
                yield from paths(inner, (*path, key))

    whole = SUMMARIES[name].to_dict()
    for path in paths(whole):
        document = copy.deepcopy(whole)
        del at(document, *path[:-1])[path[-1]]
        if path[:1] == ("sources",) and len(path) > 1:
            continue  # which data sets are in it is told by whoever made it
        refused(written(document, tmp_path), ".")


def test_more_groups_than_a_reader_can_compare_are_refused():
    n = 1_001
    data = {"y": [0, 1] * n, "p": [0.5] * 2 * n, "region": [f"r{i // 2}" for i in range(2 * n)]}
    with pytest.raises(vd.VeridicalError, match="region"):
        summary_of(data)
