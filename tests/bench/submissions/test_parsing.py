"""The strict grammar, the precedence of its reasons, and what hostile texts come to."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.building import submission
from veridical.bench.submissions.lenient import would_have_parsed
from veridical.bench.submissions.parsing import MAX_FLAGS, REASONS, parse
from veridical.bench.submissions.strict_text import MAX_BYTES, MAX_DEPTH, depth_of

GOOD = submission("1250.00")
ACCOUNT = {"account_id": "A1", "closing_balance": "1.00", "currency": "GBP"}


def with_account(**changed) -> str:
    account = {k: v for k, v in {**ACCOUNT, **changed}.items() if v is not ...}
    return json.dumps({"accounts": [account], "flags": [], "confidence": "low"})


def with_flag(flag) -> str:
    return json.dumps({"accounts": [], "flags": [flag], "confidence": "low"})


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "no_submission"),
        (" \n\t", "no_submission"),
        ("null", "not_object"),
        ('"text"', "not_object"),
        (GOOD + GOOD, "not_json"),
        (GOOD + "\nDone.", "not_json"),
        ("\ufeff" + GOOD, "not_json"),
        ("```json\n" + GOOD, "not_json"),
        ("```\n```", "not_json"),
        ("```json\n" + GOOD + "\n```\n```\n", None),  # the second block is open, and so none
        ("{almost}\n```json\n" + GOOD + "\n```", None),
        ('{"accounts":[],"flags":[],"confidence":"low","notes":"x"}', None),
        ('{"accounts":[],"flags":[],"confidence":"low","notes":1}', "wrong_type:note"),
        ('{"flags":[],"confidence":"low"}', "missing_field:accounts"),
        ('{"accounts":{},"flags":[],"confidence":"low"}', "wrong_type:accounts"),
        ('{"accounts":[1],"flags":[],"confidence":"low"}', "wrong_type:accounts"),
        ('{"accounts":[],"flags":{},"confidence":"low"}', "wrong_type:flags"),
        ('{"accounts":[],"flags":["sign_error"],"confidence":"low"}', "wrong_type:flags"),
        ('{"accounts":[],"flags":[],"confidence":null}', "bad_confidence"),
        ('{"accounts":[],"flags":[],"confidence":"high\\n"}', "bad_confidence"),
        ('{"accounts":[],"flags":[],"confidence":1e999}', "non_finite_number"),
        ('{"accounts":[],"flags":[],"confidence":-Infinity}', "non_finite_number"),
        (with_account(account_id=...), "missing_field:account_id"),
        (with_account(closing_balance=...), "missing_field:closing_balance"),
        (with_account(currency=...), "missing_field:currency"),
        (with_account(account_id=1), "wrong_type:account_id"),
        (with_account(extra=1), "unknown_field"),
        (with_account(closing_balance=None), "balance_not_string"),
        (with_account(closing_balance=12), "balance_not_string"),
        (with_account(closing_balance=""), "balance_grammar"),
        (with_account(closing_balance="NaN"), "balance_grammar"),
        (with_account(closing_balance="+1.00"), "balance_grammar"),
        (with_account(closing_balance=".50"), "balance_grammar"),
        (with_account(closing_balance="1."), "balance_grammar"),
        (with_account(closing_balance=" 1.00"), "balance_grammar"),
        (with_account(closing_balance="1.00\n"), "balance_grammar"),
        (with_account(closing_balance="--1"), "balance_grammar"),
        (with_account(closing_balance="1" * 16), "balance_grammar"),
        (with_account(closing_balance="1" * 15 + ".123456"), None),
        (with_account(closing_balance="1.1234567"), "balance_grammar"),
        (with_account(closing_balance="\uff11"), "balance_grammar"),
        (with_account(currency="GBP\n"), "currency_grammar"),
        (with_account(currency=826), "currency_grammar"),
        (with_account(currency="\uff27\uff22\uff30"), "currency_grammar"),
        (with_flag({}), "missing_field:type"),
        (with_flag({"type": 1}), "wrong_type:type"),
        (with_flag({"type": "whatever"}), None),
        (with_flag({"type": "x", "account_id": None, "note": "n"}), None),
        (with_flag({"type": "x", "account_id": 1}), "wrong_type:note"),
        (with_flag({"type": "x", "severity": "high"}), "unknown_field"),
    ],
)
def test_reason(raw, reason):
    parsing = parse(raw)
    assert parsing.reason == reason
    assert (parsing.submission is None) == (reason is not None)


def test_every_reason_is_reachable_and_has_a_sentence():
    flags = json.dumps({"accounts": [], "flags": [{"type": "x"}] * 1_001, "confidence": "low"})
    seen = {
        parse(raw).reason
        for raw in (
            None, "x" * (MAX_BYTES + 1), "[" * 40, f"```\n{GOOD}\n```\n```\n{GOOD}\n```", "?", "[]",
            '{"a":1,"a":2}', '{"a":NaN}', '{"flags":[],"confidence":"low"}',
            '{"accounts":[],"confidence":"low"}', '{"accounts":[],"flags":[]}',
            with_account(account_id=...), with_account(closing_balance=...),
            with_account(currency=...), with_flag({}), with_account(x=1),
            '{"accounts":1,"flags":[],"confidence":"low"}',
            '{"accounts":[],"flags":1,"confidence":"low"}', with_account(account_id=1),
            with_flag({"type": 1}), with_flag({"type": "x", "note": 1}), flags,
            with_account(closing_balance=1), with_account(closing_balance="x"),
            with_account(currency="gbp"), '{"accounts":[],"flags":[],"confidence":"?"}',
        )
    }  # fmt: skip
    assert seen == REASONS.keys()
    assert all(REASONS.values())


def test_of_several_faults_the_first_in_the_list_is_told_whatever_their_order():
    bad = {"account_id": "A1", "closing_balance": 1, "currency": "gbp"}
    worse = {"account_id": "A1", "closing_balance": "1"}
    for accounts in ([bad, worse], [worse, bad]):
        raw = json.dumps({"accounts": accounts, "flags": [], "confidence": "?", "x": 1})
        assert parse(raw).reason == "missing_field:currency"
    assert parse('{"a":NaN,"a":1}').reason == "duplicate_json_key"
    assert parse('{"a":NaN,"b":{"c":1,"c":2}}').reason == "duplicate_json_key"


def test_digits_are_kept():
    parsing = parse(with_account(closing_balance="0.100000"))
    assert parsing.submission
    assert str(parsing.submission.accounts[0].closing_balance) == "0.100000"


@pytest.mark.parametrize(
    "raw",
    [
        "{" * 2_000_000,
        "[" * 500_000 + "]" * 500_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        json.dumps({"accounts": [], "flags": [{"type": "x"}] * 1_000_000, "confidence": "low"}),
        '{"accounts":[],"flags":[],"confidence":"low","n":' + "9" * 1_000_000 + "}",
        '{"accounts":[],"flags":[],"confidence":"low","n":1e' + "9" * 1_000_000 + "}",
        '{"' + '\\"' * 500_000 + "\\",
        "```\n" * 250_000,
        "\ud800" * 100_000,
        (
            '{"accounts":[{"account_id":"\\ud800","closing_balance":"1","currency":"GBP"}],'
            '"flags":[],"confidence":"\\udfff"}'
        ),
        " " * 1_000_000 + "{",
        "{" + '"a":1,' * 170_000 + '"a":1}',
    ],
    ids=range(12),
)
def test_a_hostile_text_is_a_reason_code(raw):
    parsing = parse(raw)
    assert parsing.reason in REASONS
    assert would_have_parsed(raw) is False


@given(st.text() | st.binary().map(lambda b: b.decode("latin-1")))
def test_no_text_raises(raw):
    assert parse(raw).reason in {None, *REASONS}
    assert would_have_parsed(raw) in (True, False)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["accounts", "flags", "confidence", "type", "closing_balance"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_json_raises(value):
    raw = json.dumps(value)
    assert parse(raw).reason in {None, *REASONS}
    assert would_have_parsed(raw) in (True, False)


def test_the_limits_are_where_they_are_said_to_be():
    assert (MAX_BYTES, MAX_DEPTH, MAX_FLAGS) == (1_048_576, 32, 1_000)  # as the definition has it
    deepest = "[" * (MAX_DEPTH - 1)
    raw = '{"accounts":' + deepest + "]" * (MAX_DEPTH - 1) + ',"flags":[],"confidence":"low"}'
    assert depth_of(raw) == MAX_DEPTH
    assert parse(raw).reason != "too_deep"
    assert parse(raw.replace(deepest, deepest + "[")).reason == "too_deep"
    full = {"accounts": [], "flags": [{"type": "x"}] * 1_000, "confidence": "low", "notes": ""}
    assert parse(json.dumps(full)).reason is None
    filled = json.dumps(full)
    filled = filled[:-2] + "n" * (MAX_BYTES - len(filled)) + filled[-2:]
    assert len(filled) == MAX_BYTES
    assert parse(filled).reason is None
    assert parse(filled + " ").reason == "too_large"
    # Bytes count, not characters.
    assert parse(filled.replace("nn", "n\u00e9", 1)).reason == "too_large"


@pytest.mark.parametrize(
    ("raw", "would"),
    [
        (GOOD, False),  # it does parse
        (with_account(closing_balance=1250.0), True),
        (with_account(closing_balance="1,250.00"), True),
        (with_account(closing_balance="1 250 000.00"), True),
        (with_account(closing_balance="1'250.00"), True),
        (with_account(closing_balance="\u221212.00"), True),
        (with_account(closing_balance="12,50"), False),  # whose comma? nobody guesses
        (with_account(closing_balance="1,250.000,00"), False),
        (f"The answer is {GOOD}.", True),
        (f"Either {GOOD} or {GOOD}.", False),
        (f"```json\n{with_account(closing_balance=3)}\n```", True),
        (with_account(closing_balance=3, currency="gbp"), False),
        ('{"accounts":[],"flags":[],"confidence":"High"}', False),
        ("?", False),
        (None, False),
    ],
)
def test_good_will(raw, would):
    assert would_have_parsed(raw) is would
