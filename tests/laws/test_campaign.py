"""The laws again, on thousands of random inputs: ``make test-long``."""

import pytest

from tests.laws import test_identities, test_names, test_results, test_summaries

LAWS = [
    law
    for module in (test_identities, test_names, test_results, test_summaries)
    for name, law in vars(module).items()
    if name.startswith("test_") and hasattr(law, "hypothesis") and not hasattr(law, "pytestmark")
]


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_large_campaign(law):
    law()


def test_the_campaign_runs_every_law_without_other_parameters():
    assert len(LAWS) >= 30
