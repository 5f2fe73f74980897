"""Labels as small numbers, and how often two of them meet."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.rows import from_both, same_bits
from veridical.errors import InputError
from veridical.kernels.labels import number_codes, pair_counts, text_codes, whole_numbers

texts = st.sampled_from(["yes", "no", "", "yes ", "ye\u0455", "\ud800", "a\0b", None, float("nan")])


@given(st.lists(texts, max_size=60))
def test_a_code_leads_back_to_its_text(values):
    codes, distinct = text_codes(values)
    assert codes.dtype == np.int32
    for code, value in zip(codes.tolist(), values, strict=True):
        assert code == -1 if not isinstance(value, str) else distinct[code] == value
    assert distinct == list(dict.fromkeys(v for v in values if isinstance(v, str)))


def test_texts_that_are_equal_have_one_code_wherever_they_lie_in_memory():
    values = ["".join(["lab", str(k % 3)]) for k in range(1000)]
    codes, distinct = text_codes(values)
    assert distinct == ["lab0", "lab1", "lab2"]
    assert codes.tolist() == [k % 3 for k in range(1000)]


@pytest.mark.parametrize("odd", [1, 1.5, True, b"yes", np.str_("yes"), np.float64("nan"), ["yes"]])
def test_what_is_no_text_is_left_to_a_careful_reader(odd):
    assert text_codes(["yes", odd]) is None


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 300), max_size=200))
def test_whole_numbers_stay_what_they_are(values):
    found = whole_numbers(values)
    assert found.dtype == np.int64
    assert found.tolist() == values


@pytest.mark.parametrize("odd", [2**63, -(2**63) - 1, 10**30, True, 1.0, "1", None, np.int64(1)])
def test_a_number_of_another_kind_is_left_to_a_careful_reader(odd):
    assert whole_numbers([1, odd]) is None


@given(st.lists(st.integers(-5, 5), max_size=80), st.integers(-(2**62), 2**62))
def test_number_codes_are_positions_among_the_distinct(values, shift):
    array = np.array(values, dtype=np.int64) + shift
    codes, distinct = number_codes(array, 11)
    assert distinct == sorted(set(array.tolist()))
    assert [distinct[code] for code in codes.tolist()] == array.tolist()
    assert codes.dtype == np.int8


@pytest.mark.parametrize(("many", "dtype"), [(128, np.int8), (129, np.int32)])
def test_codes_are_as_narrow_as_they_can_be(many, dtype):
    codes, distinct = number_codes(np.arange(many), 1000)
    assert codes.dtype == dtype
    assert [distinct[code] for code in codes.tolist()] == list(range(many))


KINDS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("end", ["min", "max"])
def test_every_width_of_integers_to_its_ends(kind, end):
    edge = int(getattr(np.iinfo(kind), end))
    inwards = 1 if end == "min" else -1
    values = np.array([edge, edge + 3 * inwards, edge, edge + inwards], dtype=kind)
    expected = sorted(set(values.tolist()))
    for array in (values, values[::-1], np.repeat(values, 2)[::2]):
        codes, distinct = number_codes(array, 4)
        assert distinct == expected
        assert [distinct[code] for code in codes.tolist()] == array.tolist()
    assert number_codes(values, 3) is None


@pytest.mark.parametrize("late", [-7, 4, 5, 300, 20_000, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("gap", [1, 2])
def test_a_value_that_only_the_last_row_has(late, gap):
    values = np.arange(50_000) % 4 * gap
    values[-1] = late
    found = number_codes(values, 10_000)
    if abs(late) >= 20_000:
        assert found is None
        return
    codes, distinct = found
    assert distinct == sorted({0, gap, 2 * gap, 3 * gap, late})
    assert np.array(distinct)[codes].tolist() == values.tolist()


@pytest.mark.parametrize("many", [128, 129])
def test_codes_grow_wider_where_late_values_ask_for_it(many):
    values = np.concatenate([np.zeros(50_000, np.int64), np.arange(many)])
    codes, distinct = number_codes(values, 1000)
    assert codes.dtype == (np.int8 if many == 128 else np.int32)
    assert distinct == list(range(many))
    assert codes.tolist() == values.tolist()


def test_a_wide_range_is_left_to_sorting():
    assert number_codes(np.array([0, 10]), 10) is None
    ends = [-(2**63), 2**63 - 1]
    for values in (ends, ends[::-1], [0, *ends], [5, 4, 14], [9, 0, 18]):
        assert number_codes(np.array(values), 10) is None
    assert number_codes(np.array([9, 0, 8]), 10)[0].tolist() == [2, 0, 1]


# 181 times 181 is the largest table whose cells are numbered with two bytes.
@pytest.mark.parametrize("size", [1, 2, 3, 100, 128, 181, 182, 300])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_pairs_are_counted_where_both_are_there(size, dtype):
    generator = np.random.default_rng(size)
    most = min(size, np.iinfo(dtype).max + 1)
    first, second = generator.integers(-1, most, (2, 500)).astype(dtype)
    first[0] = second[0] = most - 1
    counts = pair_counts(first, second, size)
    there = Counter((a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True))
    assert counts.dtype == np.int64
    assert counts.tolist() == [[there[a, b] for b in range(size)] for a in range(size)]


def test_pairs_of_codes_that_do_not_belong_together_are_refused():
    with pytest.raises(InputError, match="lengths"):
        pair_counts(np.zeros(3, np.int32), np.zeros(2, np.int32), 1)
    with pytest.raises(InputError, match="below 2"):
        pair_counts(np.array([0, 2]), np.array([0, 1]), 2)
    late = np.zeros(9000, np.int8)
    late[-1] = 3
    for first, second in ((late, late * 0), (late * 0, late)):
        with pytest.raises(InputError, match="below 3"):
            pair_counts(first, second, 3)
    with pytest.raises(InputError, match="below 3"):
        pair_counts(np.array([1 << 16]), np.array([0]), 3)
    assert pair_counts(np.zeros(0, np.int8), np.zeros(0, np.int8), 0).shape == (0, 0)


def test_both_implementations_agree_to_the_bit():
    generator = np.random.default_rng(0)
    values = generator.integers(-40, 900, 2000)
    found = from_both(lambda: number_codes(values, 10_000))
    same_bits(found[0][0], found[-1][0])
    assert found[0][1] == found[-1][1]
    narrow = generator.integers(-1, 3, (2, 2000)).astype(np.int8)
    found = from_both(lambda: pair_counts(narrow[0], narrow[1], 3))
    same_bits(found[0], found[-1])
    words = [f"w{k}" for k in generator.integers(0, 50, 2000).tolist()]
    found = from_both(lambda: text_codes(words))
    same_bits(found[0][0], found[-1][0])
    assert found[0][1] == found[-1][1]
