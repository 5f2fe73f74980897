"""What the tests of the bench share."""

import pytest

from veridical.bench.suites import Suite, named_suite


@pytest.fixture(scope="session")
def dev() -> Suite:
    return named_suite("dev")
