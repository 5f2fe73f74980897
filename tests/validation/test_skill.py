"""A model without skill never gets an overall pass, whichever shipped policies judge it."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import veridical as vd
from tests.validation.models import DAY, write_model
from veridical.policy import shipped_policies
from veridical.validation.verdicts import overall_verdict

ROWS = 12_000
POLICIES = sorted(shipped_policies())


def table(score, prevalence):
    rng = np.random.default_rng(7)
    n = 2 * ROWS
    return pa.table(
        {
            "is_fraud": (rng.random(n) < prevalence).astype(np.int8),
            "score": score(rng, n),
            "channel": rng.choice(["a", "b"], n),
        }
    )


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((score, prevalence), id=f"{name} of {prevalence}")
        for name, score in {
            "always 0": lambda _, n: np.zeros(n),
            "always 1": lambda _, n: np.ones(n),
            "random": lambda rng, n: rng.random(n).round(3),
            "random and timid": lambda rng, n: (rng.random(n) / 1000).round(6),
        }.items()
        for prevalence in (0.3, 0.002)
    ],
)
def unskilled(request, tmp_path_factory):
    file = write_model(
        tmp_path_factory.mktemp("model"),
        table(*request.param),
        champion=None,
        features=None,
        groups=None,
        threshold=0.5,
        policy=POLICIES,
    )
    return vd.validate_model(file, date=DAY)


def test_no_shipped_policies_pass_it(unskilled):
    by_name = {verdict.name: verdict for verdict in unskilled.verdicts}
    assert sorted(by_name) == POLICIES
    for size in range(1, len(POLICIES) + 1):
        for names in combinations(POLICIES, size):
            assert overall_verdict([by_name[name] for name in names]) != "met", names


def test_random_scores_treat_groups_alike_and_that_is_not_enough(tmp_path):
    file = write_model(
        tmp_path,
        table(lambda rng, n: rng.random(n).round(3), 0.3),
        champion=None,
        features=None,
        groups=None,
        threshold=0.5,
        policy="fairness-standard",
    )
    validation = vd.validate_model(file, date=DAY)
    (verdict,) = validation.verdicts
    assert verdict.verdict == "met"
    assert not any(row.vacuous for row in verdict.rows)
    assert validation.verdict == "undecided"


def test_a_model_with_skill_can_pass(tmp_path):
    def skilled(n=2 * ROWS):
        rng = np.random.default_rng(3)
        labels = rng.random(n) < 0.3
        return pa.table(
            {
                "is_fraud": labels.astype(np.int8),
                "score": np.where(labels, 0.9, 0.1),
                "channel": rng.choice(["a", "b"], n),
            }
        )

    (tmp_path / "house.yaml").write_text(
        "version: 1\nname: house\nrules: [{metric: binary.roc_auc, at_least: 0.9}]\n"
    )
    settings = {"champion": None, "features": None, "groups": None, "threshold": 0.5}
    file = write_model(tmp_path, skilled(), policy=["house.yaml", "fairness-standard"], **settings)
    assert vd.validate_model(file, date=DAY).verdict == "met"
