"""Choosing an implementation, and refusing arrays that no kernel can read."""

import sys

import numpy as np
import pytest

from veridical import kernels
from veridical.errors import (
    ConfigurationError,
    InputError,
    MissingExtraError,
    UnsupportedTypeError,
)
from veridical.kernels import choice


def test_the_environment_decides(implementation):
    assert kernels.backend() == implementation
    folder = {"numpy": "plain", "compiled": "compiled"}[implementation]
    assert choice.implementation("labels").__name__ == f"veridical.kernels.{folder}.labels"


def test_an_unknown_choice_is_an_error(monkeypatch):
    monkeypatch.setenv(choice.VARIABLE, "fortran")
    with pytest.raises(ConfigurationError, match="'fortran'"):
        kernels.backend()


def test_kernels_that_were_not_built(monkeypatch):
    """Numpy steps in silently, unless compiled kernels were asked for."""
    monkeypatch.setattr(choice, "_TOPICS", ("sorting", "never_written"))
    choice._resolve.cache_clear()
    try:
        monkeypatch.setenv(choice.VARIABLE, "")
        assert kernels.backend() == "numpy"
        monkeypatch.setenv(choice.VARIABLE, "compiled")
        with pytest.raises(MissingExtraError, match="never_written"):
            kernels.backend()
    finally:
        choice._resolve.cache_clear()


def test_a_kernel_that_does_not_load_is_named(monkeypatch):
    monkeypatch.setenv(choice.VARIABLE, "compiled")
    monkeypatch.setattr(choice, "_missing_topics", list)
    monkeypatch.setitem(sys.modules, "veridical.kernels.compiled.labels", None)
    choice.implementation.cache_clear()
    choice._resolve.cache_clear()
    try:
        with pytest.raises(MissingExtraError, match="'labels' does not load") as caught:
            choice.loaded_backend()
    finally:
        choice.implementation.cache_clear()
        choice._resolve.cache_clear()
    assert f"{choice.VARIABLE}=numpy" in str(caught.value)


@pytest.mark.parametrize(
    ("positive", "scores", "error"),
    [
        (np.array([True]), np.array([1]), UnsupportedTypeError),
        (np.array([True]), np.array([1.0], ">f8"), UnsupportedTypeError),
        (np.array([1]), np.array([1.0]), UnsupportedTypeError),
        (np.array([True]), np.array([1.0, 2.0]), InputError),
        (np.array([[True]]), np.array([[1.0]]), InputError),
    ],
    ids=["integer scores", "byte order", "integer labels", "lengths", "two axes"],
)
def test_arrays_that_cannot_be_read(positive, scores, error):
    with pytest.raises(error):
        kernels.sorted_groups(positive, scores)
