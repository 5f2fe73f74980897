"""Ids in Python: what those of other classes than text and int hold, and those nobody can write."""

from __future__ import annotations

from enum import Enum

import numpy as np
import pytest

import veridical as vd
from veridical.errors import InputError


class Name(str, Enum):  # noqa: UP042 - a StrEnum is written as what it holds
    A = "a"
    Q = "q"


class Number(int, Enum):
    ONE = 1


@pytest.mark.parametrize(
    ("run", "golden"),
    [
        ({"q": {Name.A: 0.5}}, {"q": {"a": 1}}),
        ({Name.Q: {"a": 0.5}}, {"q": {"a": 1}}),
        ({"q": {"a": 0.5}}, {Name.Q: {Name.A: 1}}),
        ({"q": {np.str_("a"): 0.5}}, {"q": {"a": 1}}),
        ({2: {Number.ONE: 0.5}}, {2: {1: 1}}),
    ],
)
def test_ids_are_what_they_hold_and_not_how_their_class_writes_them(run, golden):
    assert vd.measure("retrieval.mrr", run, golden, intervals=False).value == 1.0


LONG = 10**5_000


@pytest.mark.parametrize(
    ("run", "golden"),
    [
        ({1: {LONG: 0.5, 2: 0.5}}, {1: {2: 1}}),
        ({1: {2: 0.5}, LONG: {2: 0.5}}, {1: {2: 1}}),
        ({1: {2: 0.5}}, {1: {2: 1, LONG: 1}}),
        ({1: {2: 0.5}}, {1: {2: 1}, LONG: {2: 1}}),
        ({"q": {"a": LONG}}, {"q": {"a": 1}}),
    ],
)
def test_ints_of_more_digits_than_python_writes(run, golden):
    with pytest.raises(InputError, match="digits"):
        vd.evaluate_ranking(run, golden, ["mrr"], intervals=False)
