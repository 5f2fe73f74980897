"""Every test of a kernel runs on both implementations."""

import os
from collections.abc import Iterator

import pytest

from tests.kernels.rows import forced
from veridical.errors import MissingExtraError
from veridical.kernels.choice import backend


@pytest.fixture(params=["numpy", "compiled"], scope="module", autouse=True)
def implementation(request: pytest.FixtureRequest) -> Iterator[str]:
    """Force one implementation, and put back what was there."""
    with forced(request.param):
        try:
            backend()
        except MissingExtraError:
            # Wheels and CI are built with this variable: there a missing kernel is a failure.
            if os.environ.get("VERIDICAL_REQUIRE_KERNELS", "") not in ("", "0"):
                raise
            pytest.skip("the kernels were not compiled")
        yield request.param
