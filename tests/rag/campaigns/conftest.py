"""One world for all campaigns: its servers start once."""

import os

import pytest

from tests.rag.campaigns.world import World, be_patient, hasty
from veridical.store import Store


@pytest.fixture(autouse=True)
def surroundings(monkeypatch):
    """Settings from outside decide nothing, and pauses are short."""
    for name in list(os.environ):
        if name.startswith(("VERIDICAL_", "RAGPROOF_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    hasty(monkeypatch)
    be_patient()


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """A judge and a pipeline."""
    with World(tmp_path_factory.mktemp("world")).open() as opened:
        yield opened


@pytest.fixture
def store(tmp_path):
    """An empty store in a file."""
    with Store(tmp_path / "runs.db") as opened:
        yield opened
