"""Summaries with a smallest cell: nothing about few rows leaves, and the bounds still hold."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import veridical as vd
from tests.portable.rows import columns, example, part
from veridical.errors import CellError, FileFormatError, MismatchError, ParameterError
from veridical.metrics.approximate import approximate
from veridical.portable.guarding import small_counts
from veridical.results import Bounds
from veridical.summaries import KeyGrid, ScoreBins, ScoreHistogram, ScoreTable
from veridical.summaries.merged_cells import finest_cells, united

RANKED = [
    "roc_auc", "average_precision", "ks", "gini", "partial_auc@fpr=0.3", "recall@fpr=0.1",
    "recall@precision=0.5", "precision@recall=0.5", "precision_top@3", "recall_top@3", "lift_top@3",
]  # fmt: skip
SUMMED = ["brier", "brier_skill", "log_loss"]
NAMED = {"label": "y", "score": "p"}


def counts_in(document):
    """Return every count of rows that a summary's file tells."""
    scores = document["content"]["scores"]
    held = [one["all"] for one in scores.values()]
    held += [
        v for one in scores.values() for group in one["groups"].values() for v in group.values()
    ]
    for one in held:
        for name in ("positives", "negatives"):
            yield from (int(units) >> 52 for units in one["histogram"][name])
        assert (one["reliability"], one["losses"]) == (None, None)
    rows = document["content"]["rows"]
    yield from (rows["positives"], rows["rows"] - rows["positives"], rows["n_read"] - rows["rows"])
    yield from (*rows["missing"].values(), *rows["outside"].values())
    yield from (rows["n_read"] - rows["rows"] - n for n in rows["missing"].values())


def guarded(data, least, **options):
    """Summarise with a smallest cell; skips examples that have too few rows of a class."""
    try:
        return vd.summarise(data, **NAMED, min_cell=least, **options)
    except CellError:
        assume(False)


@given(st.data())
def test_no_count_of_few_rows_and_no_score_leaves(data):
    rows = data.draw(columns(most=60))
    least = data.draw(st.integers(2, 6))
    groups = data.draw(st.sampled_from([[], ["region"]]))
    summary = guarded(rows, least, groups=groups)
    document = summary.to_dict()
    assert all(n == 0 or n >= least for n in counts_in(document))
    histogram = document["content"]["scores"]["p"]["all"]["histogram"]
    if histogram["keys"]:
        # What is told of the scores depends on the cells alone.
        first, last = np.array(histogram["keys"]), np.array(histogram["last"])
        grid = KeyGrid.parse(histogram["grid"])
        lowest, highest = grid.ends(first, last, histogram["dtype"])
        for told, end in (("lowest", lowest), ("highest", highest)):
            values = [float.fromhex(text) for text in histogram[told]]
            clipped = np.clip(end, 0.0, 1.0) if min(values) >= 0 and max(values) <= 1 else end
            assert all(
                value in {float(a), float(b)}
                for value, a, b in zip(values, end, clipped, strict=True)
            )
    assert vd.Summary.from_dict(json.loads(json.dumps(document))) == summary


@given(st.data())
def test_the_truth_lies_within_the_bounds(data):
    rows = data.draw(columns(forecasts=True, least=6, most=60))
    summary = guarded(rows, data.draw(st.integers(2, 6)))
    exact = vd.evaluate(rows, RANKED + SUMMED, **NAMED, intervals=False)
    found = vd.evaluate(summary, RANKED + SUMMED, intervals=False)
    for truth, told in zip(exact.results, found.results, strict=True):
        if not truth.ok:
            assert not told.ok
        elif told.ok and told.bounds is None:
            assert told.value == pytest.approx(truth.value, abs=1e-12), (truth, told)
        elif told.ok:
            slack = 1e-12 * max(1.0, abs(truth.value))
            assert told.bounds.low - slack <= truth.value <= told.bounds.high + slack, (truth, told)


@given(st.data())
def test_what_banks_send_adds_up_in_any_order(data):
    rows = data.draw(columns(forecasts=True, least=20, most=80))
    least = data.draw(st.integers(2, 4))
    places = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(rows["p"]), max_size=len(rows["p"])))
    )
    banks = [guarded(part(rows, np.flatnonzero(places == bank)), least) for bank in range(3)]
    one, two, three = banks
    pooled = one + two + three
    assert pooled == three + (two + one)
    assert all(n == 0 or n >= least for n in counts_in(pooled.to_dict()))
    exact = vd.evaluate(rows, RANKED + SUMMED, **NAMED, intervals=False)
    found = vd.evaluate(pooled, RANKED + SUMMED, intervals=False)
    for truth, told in zip(exact.results, found.results, strict=True):
        if truth.ok and told.ok:
            bounds = told.bounds or Bounds(told.value, told.value)
            assert bounds.low - 1e-9 <= truth.value <= bounds.high + 1e-9, (truth, told)


def plain_cells(keys, counts, least, size):
    """Take boundaries, those of many zeros first, wherever both sides hold enough."""

    def zeros(key):
        return next(n for n in range(60) if key >> n & 1)

    between = [max(range(a + 1, b + 1), key=zeros) for a, b in itertools.pairwise(keys)]
    taken = [0, size]
    for boundary in sorted(between, key=lambda key: (-zeros(key), key)):
        low = max(one for one in taken if one < boundary)
        high = min(one for one in taken if one > boundary)
        sides = [
            sum(n for key, n in zip(keys, column, strict=True) if a <= key < b)
            for a, b in ((low, boundary), (boundary, high))
            for column in counts
        ]
        if all(n == 0 or n >= least for n in sides):
            taken.append(boundary)
    taken.sort()
    first = [max(one for one in taken if one <= key) for key in keys]
    return first, [min(one for one in taken if one > key) - 1 for key in keys]


@given(
    st.lists(
        st.tuples(st.integers(0, 299), st.integers(0, 4), st.integers(0, 4)),
        min_size=1,
        max_size=30,
        unique_by=lambda row: row[0],
    ),
    st.integers(2, 7),
)
def test_cells_are_those_of_the_sentence(rows, least):
    keys, *counts = map(np.array, zip(*sorted(rows), strict=True))
    first, last = finest_cells(keys, counts, least, 300)
    plain = plain_cells(keys.tolist(), [column.tolist() for column in counts], least, 300)
    assert (first.tolist(), last.tolist()) == plain


@given(st.lists(st.tuples(st.integers(0, 63), st.integers(0, 6)), min_size=1, max_size=20))
def test_united_cells_are_what_overlapping_ones_cover(cells):
    first = np.array([key for key, _ in cells])
    last = first + [more for _, more in cells]
    starts, ends = united(first, last)
    covered = {key for a, b in zip(first, last, strict=True) for key in range(a, b + 1)}
    joined = {key for a, b in zip(first, last, strict=True) for key in range(a + 1, b + 1)}
    for at in range(len(cells)):
        low = high = first[at]
        while low in joined:
            low -= 1
        while high + 1 in joined:
            high += 1
        assert (starts[at], ends[at]) == (low, high)
        assert set(range(low, high + 1)) <= covered


@pytest.mark.parametrize("name", ["probability/4", "probability/14", "line/12", "line/20"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_ends_of_a_bin_are_its_outermost_numbers(name, dtype):
    grid, rng = KeyGrid.parse(name), np.random.default_rng(0)
    forecasts = grid.scheme == "probability"
    edges = [0.0, 1.0] if forecasts else [0.0, np.inf, -np.inf]
    drawn = (
        rng.random(500) if forecasts else rng.normal(size=500) * 10.0 ** rng.integers(-30, 30, 500)
    )
    scores = np.concatenate([drawn, edges]).astype(dtype)
    keys = grid.keys(scores)
    lowest, highest = grid.ends(keys, keys, dtype)
    assert lowest.dtype == highest.dtype == np.dtype(dtype)
    assert (grid.keys(lowest) == keys).all()
    assert (grid.keys(highest) == keys).all()
    assert ((lowest <= scores) & (scores <= highest)).all()
    inner = highest < edges[1]
    up = np.nextafter(highest[inner], np.array(np.inf, dtype))
    assert (grid.keys(up) > keys[inner]).all()
    inner = lowest > edges[0] if forecasts else lowest > -np.inf
    down = np.nextafter(lowest[inner], np.array(-np.inf, dtype))
    assert (grid.keys(down) < keys[inner]).all()


@pytest.mark.parametrize(
    "options",
    [{"exact": True}, {"weight": "w"}],
    ids=["exact", "weights"],
)
def test_what_tells_of_single_rows_is_refused(options):
    data = {**example(0, 100), "w": np.ones(100)}
    with pytest.raises(ParameterError, match="smallest cell"):
        vd.summarise(data, **NAMED, min_cell=5, **options)


@settings(max_examples=25)
@given(st.data())
def test_decisions_at_thresholds_part_no_few_rows(data):
    rows = data.draw(columns(forecasts=True, least=4, most=60))
    thresholds = data.draw(
        st.lists(
            st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.31, 0.5, 0.9, 1.5]), unique=True, min_size=1
        )
    )
    least = data.draw(st.integers(2, 3))
    groups = data.draw(st.sampled_from([[], ["region"]]))
    scores = rows["p"]
    try:
        summary = vd.summarise(rows, **NAMED, min_cell=least, groups=groups, thresholds=thresholds)
    except CellError:
        summary = None
    # Refused is what leaves few rows between two thresholds.
    between = [
        -np.diff([len(own), *(np.count_nonzero(own >= at) for at in sorted(thresholds)), 0])
        for own in (scores[rows["y"]], scores[~rows["y"]])
    ]
    few = any(((n > 0) & (n < least)).any() for n in between)
    assert (summary is None) == few or (groups and not few)
    if summary is None:
        return
    region = np.array([name or "(missing)" for name in rows["region"]], dtype=object)
    grid = KeyGrid.parse(summary.header.scores["p"])
    for key, held in summary.parts.items():
        inside = np.ones(len(scores), bool)
        if key.column:
            quoted = np.array(
                ["'(missing)'" if name == "(missing)" else name for name in rows["region"]]
            )
            inside = np.where(np.array(rows["region"]) == "", region, quoted) == key.value
        for positive in (True, False):
            of_class = scores[inside & (rows["y"] == positive)]
            # What a reader knows: how many lie in each cell or above it, and above each threshold.
            known = [np.count_nonzero(grid.keys(of_class) >= at) for at in held.histogram.keys]
            known += [np.count_nonzero(of_class >= at) for at in thresholds]
            for at in thresholds:
                flagged = held.decisions[at].tp if positive else held.decisions[at].fp
                assert flagged == np.count_nonzero(of_class >= at)
            parts = -np.diff(sorted({*known, 0, len(of_class)}, reverse=True))
            assert ((parts >= least) | (parts == 0)).all()
    # The same is demanded of a file, and of the sum of two.
    both = summary + summary
    assert vd.Summary.from_dict(both.to_dict()) == both


def test_decisions_under_a_smallest_cell_are_those_of_the_rows():
    parts = [example(seed, 4_000) for seed in (6, 7)]
    settings = {"groups": ["region"], "thresholds": [0.21]}
    pooled = sum_of([vd.summarise(one, **NAMED, **settings, min_cell=20) for one in parts])
    rows = {name: np.concatenate([np.asarray(one[name]) for one in parts]) for name in parts[0]}
    names = ["binary.recall", "binary.precision", "binary.fpr"]
    wanted = vd.evaluate(rows, names, **NAMED, groups=["region"], threshold=0.21)
    found = vd.evaluate(pooled, names)
    for one, other in zip(found.results, wanted.results, strict=True):
        assert (one.metric, one.group) == (other.metric, other.group)
        assert (one.value, one.bounds, one.interval) == (other.value, None, other.interval)


def sum_of(summaries):
    first, *others = summaries
    for one in others:
        first = first + one
    return first


def test_a_threshold_that_leaves_few_rows_is_refused():
    data = example(8, 500)
    data["p"][:] = np.where(np.arange(500) < 3, 0.95, np.minimum(data["p"], 0.6))
    with pytest.raises(CellError, match=r"or above 0\.8"):
        vd.summarise(data, **NAMED, thresholds=[0.8], min_cell=5)
    with pytest.raises(CellError, match=r"below 0\.97"):
        vd.summarise(data, **NAMED, thresholds=[0.61, 0.97], min_cell=5)


def test_a_file_whose_decisions_cut_off_few_rows_is_refused():
    document = vd.summarise(example(9, 800), **NAMED, thresholds=[0.3], min_cell=10).to_dict()
    held = document["content"]["scores"]["p"]["all"]
    found = held["decisions"][0]
    table = ScoreTable.from_rows(example(9, 800)["y"], example(9, 800)["p"])
    assert int(found["tp"]) == table.at(0.3).tp
    bins = ScoreHistogram.from_dict(held["histogram"]).bins
    few, many = sorted(end.tp for end in bins.at(0.3))
    positives = int(found["tp"]) + int(found["fn"])
    found["tp"], found["fn"] = str(many - 1), str(positives - many + 1)
    assert few < many - 1
    with pytest.raises(FileFormatError, match="part of one, of 1"):
        vd.Summary.from_dict(document)


def test_a_group_with_few_rows_of_a_class_is_named():
    data = example(1, 200)
    data["region"] = ["north"] * 197 + ["south"] * 3
    with pytest.raises(CellError, match="region=south"):
        vd.summarise(data, **NAMED, groups="region", min_cell=5)


@pytest.mark.parametrize(
    "asked", [{"score": ["p", "q"]}, {"score": "p", "groups": ["region", "country"]}], ids=str
)
def test_what_cuts_the_rows_in_two_ways_is_refused(asked):
    """100 of a country and 103 of its region tell of three; so do cells that end elsewhere."""
    data = example(1, 400)
    data["q"] = 0.9 * np.asarray(data["p"]) ** 2
    data["region"] = ["north"] * 203 + ["south"] * 197
    data["country"] = ["n1"] * 200 + ["n2"] * 3 + ["s"] * 197
    with pytest.raises(ParameterError, match="one less another, tell of few rows"):
        vd.summarise(data, label="y", min_cell=2, **asked)


@pytest.mark.parametrize("columns", [{"groups": ("c", "region")}, {"scores": {"p": "", "q": ""}}])
def test_a_file_that_claims_a_smallest_cell_and_cuts_in_two_ways_is_refused(columns):
    summary = vd.summarise(example(1, 400), **NAMED, min_cell=5)
    assert list(small_counts(summary.header, summary.tally, summary.parts)) == []
    header = replace(summary.header, **columns)
    [why] = small_counts(header, summary.tally, summary.parts)
    assert "one less another" in why


def test_a_few_missing_rows_are_not_told_and_many_are():
    data = example(2, 200)
    few, many = (np.where(np.arange(200) < n, np.nan, data["p"]) for n in (3, 30))
    for scores, n_read in ((few, 197), (many, 200)):
        tally = vd.summarise({**data, "p": scores}, **NAMED, missing="drop", min_cell=5).tally
        assert (tally.n_read, bool(tally.missing)) == (n_read, n_read == 200)


def test_other_smallest_cells_do_not_mix():
    one, two = (vd.summarise(example(3, 300), **NAMED, min_cell=n) for n in (5, 10))
    with pytest.raises(MismatchError, match="smallest cell"):
        one + two


def test_calibration_errors_are_skipped_and_mean_losses_have_bounds():
    data = example(4, 2_000)
    data["p"] = 0.02 + 0.96 * data["p"]
    summary = vd.summarise(data, **NAMED, min_cell=10)
    ev = vd.evaluate(summary, ["ece", "mce", *SUMMED, "log_loss,clip=0.01"])
    rows = vd.evaluate(data, [*SUMMED, "log_loss,clip=0.01"], **NAMED)
    assert [ev[name].ok for name in ("ece", "mce")] == [False, False]
    assert "smallest cell" in ev["ece"].detail
    for name in ("brier", "brier_skill", "log_loss,clip=0.01"):
        told, truth = ev[name], rows[name]
        assert told.bounds.low < truth.value < told.bounds.high
        # What chance may do is added to what the cells leave open.
        assert told.interval.low < min(truth.interval.low, told.bounds.low)
        assert told.interval.high > max(truth.interval.high, told.bounds.high)
    # A cell with positives reaches 0, where they cost infinity.
    one_cell = {"y": np.arange(40) % 2 == 1, "p": np.full(40, 0.25)}
    ev = vd.evaluate(vd.summarise(one_cell, **NAMED, min_cell=10), SUMMED)
    assert (ev["brier"].bounds.low, ev["brier"].bounds.high) == (0.0, 1.0)
    assert ev["log_loss"].reason.value == "unsupported_by_engine"


def test_a_certain_forecast_that_was_wrong_is_not_counted():
    data = example(4, 500)
    data["p"][np.flatnonzero(data["y"])[0]] = 0.0
    assert vd.evaluate(data, "log_loss", **NAMED)["log_loss"].conditions["n_infinite"] == 1
    held = vd.summarise(data, **NAMED, min_cell=5).to_dict()["content"]["scores"]["p"]["all"]
    assert (held["losses"], held["reliability"]) == (None, None)


@pytest.mark.parametrize(
    ("labels", "scores", "told"),
    [
        (range(20), range(20, 40), True),
        (range(20), range(18, 38), False),  # two rows lack both
        (range(20), range(3, 20), False),  # three lack a label alone
        (range(20), range(10, 20), True),
    ],
)
def test_columns_missing_together_tell_of_no_few_rows(labels, scores, told):
    data = example(2, 200)
    data["y"] = [None if i in labels else int(y) for i, y in enumerate(data["y"])]
    data["p"] = np.where(np.isin(np.arange(200), list(scores)), np.nan, data["p"])
    summary = vd.summarise(data, **NAMED, missing="drop", min_cell=5)
    lost = len({*labels, *scores})
    missing = {"p": len(scores), "y": len(labels)} if told else {}
    assert summary.tally.missing == missing
    assert summary.tally.n_read == 200 - (0 if told else lost)
    assert vd.Summary.from_dict(summary.to_dict()) == summary


def test_a_file_that_hides_its_smallest_cell_is_refused():
    document = vd.summarise(example(5, 500), **NAMED, min_cell=10).to_dict()
    del document["content"]["header"]["min_cell"]
    with pytest.raises(FileFormatError, match="no sums of its forecasts"):
        vd.Summary.from_dict(document)


@pytest.mark.parametrize("what", ["count", "cells", "bins", "missing", "sums"])
def test_a_file_that_breaks_its_own_promise_is_refused(what):
    document = vd.summarise(example(5, 500), **NAMED, min_cell=10).to_dict()
    content = document["content"]
    held = content["scores"]["p"]["all"]
    if what == "count":
        content["header"]["min_cell"] = 400
    elif what == "cells":
        del held["histogram"]["last"]
    elif what == "bins":
        content["header"]["bins"] = 10
    elif what == "sums":
        free = vd.summarise(example(5, 500), **NAMED, bins=1).to_dict()
        open_ = free["content"]["scores"]["p"]["all"]
        held |= {name: open_[name] for name in ("reliability", "losses")}
    else:
        content["rows"]["missing"] = {"p": 3}
        content["rows"]["n_read"] += 3
    with pytest.raises(FileFormatError):
        vd.Summary.from_dict(document)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_real_sizes(seed, least):
    data = example(seed, 3_000)
    summary = guarded(data, least, groups=["region"])
    truth = vd.evaluate(data, "roc_auc", **NAMED, groups=["region"], intervals=False)
    found = vd.evaluate(summary, "roc_auc", groups=["region"], intervals=False)
    for exact, told in zip(truth.results, found.results, strict=True):
        bounds = told.bounds or Bounds(told.value, told.value)
        assert bounds.low <= exact.value <= bounds.high


@settings(max_examples=300)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans(), st.booleans()),
        min_size=3,
        max_size=3,
    ),
    st.sampled_from(RANKED),
)
def test_rows_of_a_cell_may_tie_or_not(cells, metric):
    # Nobody who sees the cells knows whether the rows of a class tie.
    rows = [
        (1 / 4 + third / 4 + (1 - one / 8 if apart else positive) / 2**20, positive)
        for third, (p, n, p_apart, n_apart) in enumerate(cells)
        for positive, count, apart in ((True, p, p_apart), (False, n, n_apart))
        for one in range(count)
    ]
    assume(len(rows) > 1)
    score, positive = map(np.array, zip(*rows, strict=True))
    histogram = ScoreHistogram.from_rows(positive, score, grid="probability/14")
    merged = histogram.merged(histogram.keys, histogram.keys)
    truth = approximate(metric, ScoreBins.from_table(ScoreTable.from_rows(positive, score)))
    told = approximate(metric, merged)
    if truth.ok and told.ok:
        bounds = told.bounds or Bounds(told.value, told.value)
        assert bounds.low - 1e-12 <= truth.value <= bounds.high + 1e-12, (truth, told)
