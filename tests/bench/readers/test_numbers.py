"""Figures in any notation; and none is read in one way where there are two."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.bench.readers.numbers import Notation, readings
from veridical.bench.readers.shown import UnreadableError


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1250.00", "1250.00"),
        ("1250", "1250"),
        ("1,250.00", "1250.00"),
        ("1.250,00", "1250.00"),
        ("1\u00a0250,00", "1250.00"),
        ("1\u202f250,00", "1250.00"),
        ("1 250,00", "1250.00"),
        ("1'250.00", "1250.00"),
        ("1.250.000", "1250000"),
        ("145,23", "145.23"),
        ("-17.50", "-17.50"),
        ("\u221217.50", "-17.50"),
        ("17.50-", "-17.50"),
        ("(17.50)", "-17.50"),
        ("(1.234,50)", "-1234.50"),
        ("+17.50", "17.50"),
        ("0.123", "0.123"),
        ("12.3456", "12.3456"),
        ("1234.567", "1234.567"),
        (" 7 ", "7"),
    ],
)
def test_one_reading(text, amount):
    assert readings(text, Notation()) == (Decimal(amount),)


@pytest.mark.parametrize(
    ("text", "others", "amounts"),
    [
        ("1.234", [], ["1.234", "1234"]),
        ("1,234", [], ["1.234", "1234"]),
        ("-12.345", ["100", "7"], ["-12.345", "-12345"]),
        ("1.234", ["7.50"], ["1.234"]),
        ("1.234", ["7,50"], ["1.234", "1234"]),
        ("1.234", ["1.234,50"], ["1234"]),
        ("1,234", ["1,234.50"], ["1234"]),
        ("1.234", ["1.234.567"], ["1234"]),
        # A file that does both settles nothing.
        ("1.234", ["7.50", "1.234,50"], ["1.234", "1234"]),
        ("1.234", ["2.345", "9.876"], ["1.234", "1234"]),
    ],
)
def test_the_other_figures_of_a_file_settle_it_or_do_not(text, others, amounts):
    notation = Notation.of([text, *others])
    assert readings(text, notation) == tuple(map(Decimal, amounts))


@pytest.mark.parametrize("text", ["", "abc", "1e3", "NaN", "--1", "1..2", "\u0661\u0662", "1_000"])
def test_no_figure(text):
    with pytest.raises(UnreadableError):
        readings(text, Notation())


@given(
    st.integers(-(10**9), 10**9),
    st.sampled_from([(".", ""), (",", ""), (",", "."), (".", ","), (",", "\u00a0"), (".", "'")]),
    st.sampled_from(["-", "\u2212", "()", "trailing"]),
)
def test_whatever_has_two_decimals_has_one_reading(cents, separators, minus):
    point, group = separators
    whole, fraction = divmod(abs(cents), 100)
    digits = f"{whole:,}".replace(",", group) + f"{point}{fraction:02d}"
    if cents < 0:
        signs = {"()": f"({digits})", "trailing": f"{digits}-"}
        digits = signs.get(minus, f"{minus}{digits}")
    assert readings(digits, Notation()) == (Decimal(cents) / 100,)
