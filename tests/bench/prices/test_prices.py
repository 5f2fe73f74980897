"""Price tables are read strictly, and a model has a price or it has none."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from veridical.bench.prices.table import PriceTable, example_text
from veridical.bench.scoring.cost import Spent, cost_of
from veridical.bench.usage import NO_TOKENS, Usage, normalised, recorded, total_of
from veridical.errors import FileFormatError, FileMissingError

DAY = date(2026, 3, 1)
MODEL = "example-model-large"


def table(**changed) -> dict:
    document = json.loads(example_text())
    document["entries"][2] |= changed
    return document


def test_the_shipped_table_is_empty_and_the_example_names_nobody():
    assert PriceTable.empty().entries == ()
    assert {one.provider for one in PriceTable.example().entries} == {
        "example-provider",
        "scripted",
    }


@pytest.mark.parametrize(
    ("day", "cost"),
    [
        (date(2025, 12, 31), None),
        (date(2026, 1, 1), "3.00"),
        (date(2026, 6, 30), "3.00"),
        (date(2026, 7, 1), "2.00"),
        (date(2030, 1, 1), "2.00"),
    ],
)
def test_the_newest_entry_that_is_not_after_the_day(day, cost):
    found = PriceTable.example().cost("example-provider", MODEL, day, Usage(1_000_000, 0))
    assert (None if found is None else str(found)) == cost


@pytest.mark.parametrize(
    ("provider", "model", "priced"),
    [
        ("example-provider", MODEL, True),
        ("example-provider", f"{MODEL}-2026-06-01", True),  # an alias that is listed
        ("example-provider", f"{MODEL}-2026-06", False),  # no prefix
        ("example-provider", MODEL.upper(), False),
        ("Example-provider", MODEL, False),
        ("", MODEL, False),
        (None, None, False),
    ],
)
def test_names_match_whole(provider, model, priced):
    cost = PriceTable.example().cost(provider, model, DAY, Usage(1, 0))
    assert (cost is not None) is priced


def test_a_kind_without_price_makes_a_run_unpriced_only_where_it_was_used():
    prices = PriceTable.example()
    key = ("scripted", "scripted-chat-1", DAY)
    assert prices.cost(*key, Usage(10, 0, 10, 0)) == Decimal("0.000011")
    assert prices.cost(*key, Usage(10, 0, 10, 1)) is None
    assert prices.cost(*key, NO_TOKENS) == 0


def test_one_unpriced_attempt_blanks_the_money_and_is_named():
    known = Spent("example-provider", MODEL, DAY, Usage(1, 1))
    found = cost_of([known, Spent(None, None, DAY, NO_TOKENS)], 1, PriceTable.example())
    assert found.tokens.value == 2.0
    assert str(found.money.reason) == "unpriced_model"  # type: ignore[union-attr]
    assert str(found.money_per_correct.reason) == "unpriced_model"  # type: ignore[union-attr]
    assert found.unpriced == ("no model",)


def test_unknown_usage_is_not_zero():
    known = Spent("example-provider", MODEL, DAY, Usage(1, 1))
    found = cost_of([known, Spent("example-provider", MODEL, DAY, None)], 1, PriceTable.example())
    for result in (found.tokens, found.tokens_per_correct, found.money, found.money_per_correct):
        assert str(result.reason) == "usage_unknown"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"input": 1.0}, "the price of input"),
        ({"input": "1e3"}, "the price of input"),
        ({"input": "-1"}, "the price of input"),
        ({"input": "1."}, "the price of input"),
        ({"input": "\u0661"}, "the price of input"),
        ({"input": "NaN"}, "the price of input"),
        ({"model": ""}, "model is not a text"),
        ({"source": None}, "source is not a text"),
        ({"retrieved": "yesterday"}, "retrieved is not a day"),
        ({"effective_from": "2026-02-30"}, "effective_from is not a day"),
        ({"aliases": "x"}, "aliases is not a list"),
        ({"discount": "0"}, "'discount' is unknown"),
        (
            {"provider": "example-provider", "model": MODEL, "effective_from": "2026-07-01"},
            "two entries",
        ),
        (
            {"provider": "example-provider", "aliases": [MODEL], "effective_from": "2026-07-01"},
            "two entries",
        ),
    ],
)
def test_a_table_that_is_not_right_is_refused(changed, words):
    with pytest.raises(FileFormatError, match=words):
        PriceTable.from_dict(table(**changed))


@pytest.mark.parametrize(
    "document",
    [None, [], {}, json.loads(example_text()) | {"unit": "per_token"}, {"schema": "prices/2"}],
)
def test_what_is_no_table_is_refused(document):
    with pytest.raises(FileFormatError):
        PriceTable.from_dict(document)


def test_files(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(example_text())
    assert PriceTable.read(path) == PriceTable.example()
    path.write_bytes(b"\xff")
    with pytest.raises(FileFormatError):
        PriceTable.read(path)
    with pytest.raises(FileMissingError):
        PriceTable.read(tmp_path / "none.json")
    with pytest.raises(FileFormatError):
        PriceTable.read(tmp_path)


@pytest.mark.parametrize(
    ("shape", "raw", "usage"),
    [
        (
            "openai_responses",
            {
                "input_tokens": 100,
                "output_tokens": 5,
                "input_tokens_details": {"cached_tokens": 60},
                "output_tokens_details": {"reasoning_tokens": 3},
            },
            Usage(40, 5, 60, 0),
        ),
        ("openai_chat", {"prompt_tokens": 3, "completion_tokens": 4}, Usage(3, 4)),
        (
            "openai_chat",
            {"prompt_tokens": 3, "completion_tokens": 4, "prompt_tokens_details": None},
            Usage(3, 4),
        ),
        ("anthropic_messages", {"input_tokens": 3, "output_tokens": 4}, Usage(3, 4)),
        # More was cached than read: nobody knows what was meant.
        (
            "openai_chat",
            {
                "prompt_tokens": 3,
                "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 4},
            },
            None,
        ),
        ("openai_chat", {"prompt_tokens": 3}, None),
        ("openai_chat", {"prompt_tokens": True, "completion_tokens": 4}, None),
        ("openai_chat", {"prompt_tokens": 3.0, "completion_tokens": 4}, None),
        ("openai_chat", {"prompt_tokens": -3, "completion_tokens": 4}, None),
        ("openai_chat", {"prompt_tokens": 1 << 50, "completion_tokens": 4}, None),
        (
            "openai_chat",
            {"prompt_tokens": 3, "completion_tokens": 4, "prompt_tokens_details": 1},
            None,
        ),
        ("openai_chat", [], None),
        ("of another provider", {}, None),
    ],
)
def test_usage(shape, raw, usage):
    found, reason = normalised(shape, raw)
    assert found == usage
    assert bool(reason) == (usage is None)


def test_sums_and_records_of_usage():
    assert total_of([]) == NO_TOKENS
    assert total_of([Usage(1, 2, 3, 4)] * 2) == Usage(2, 4, 6, 8)
    assert total_of([NO_TOKENS, None]) is None
    assert recorded(Usage(1, 2, 3, 4).to_dict()) == Usage(1, 2, 3, 4)
    assert recorded({"input": 1}) is None
    assert recorded(None) is None
