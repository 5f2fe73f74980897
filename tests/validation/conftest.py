"""One validation that many tests look at."""

import pytest

import veridical as vd
from tests.validation.models import DAY, write_model


@pytest.fixture(scope="session")
def validation(tmp_path_factory):
    """Of the fraud score against its champion."""
    return vd.validate_model(write_model(tmp_path_factory.mktemp("fraud")), date=DAY)
