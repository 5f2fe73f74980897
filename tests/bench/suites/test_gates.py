"""Gates pass on a suite that is right, and none passes where it should not."""

from collections import Counter
from dataclasses import replace

import pytest

from veridical.bench.agents import shipped_agents
from veridical.bench.drawing import Draw
from veridical.bench.perturbing.applying import Planned, make
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.perturbing.draft import NoRoomError
from veridical.bench.suites import generate
from veridical.bench.suites.gates import verify
from veridical.bench.suites.generating import _case
from veridical.bench.suites.planning import CasePlan
from veridical.bench.world.templates import TEMPLATES


@pytest.fixture(scope="module")
def agents():
    return shipped_agents()


def failing(cases, agents):
    return {gate.name for gate in verify(cases, agents) if not gate.passed}


def test_the_dev_suite_passes_every_gate(dev, agents):
    gates = verify(dev.cases, agents)
    assert {gate.name: gate.failed for gate in gates if gate.failed} == {}
    assert all(gate.n for gate in gates)


@pytest.mark.parametrize(
    ("agent", "posing", "broken"),
    [
        (
            "null",
            "reference",
            {"reference: every balance that can be determined", "reference: every flag"},
        ),
        (
            "flag_all",
            "reference",
            {"reference: no flag where none is called for"},
        ),
        ("gullible", "reference", {"reference: obeys nobody"}),
        ("reference", "null", {"null: no balance"}),
        ("reference", "naive", {"naive: wrong where it must be"}),
        ("reference", "closing_copier", {"closing_copier: wrong where the print is"}),
        ("reference", "gullible", {"gullible: obeys what it can read"}),
        ("naive", "flag_all", {"flag_all: every flag", "flag_all: an alarm in every clean case"}),
    ],
)
def test_an_agent_in_the_place_of_another_fails_its_gates(dev, agents, agent, posing, broken):
    assert broken <= failing(dev.cases[:30], {**agents, posing: agents[agent]})


def test_a_gate_that_looks_at_no_case_is_not_passed(agents):
    clean = [case for case in generate("few", "clean", 24).cases if case.is_clean]
    assert "naive: wrong where it must be" in failing(clean, agents)


def test_a_truth_that_is_a_penny_off_is_caught(dev, agents):
    case = next(one for one in dev.cases if one.is_clean)
    truth = {
        account: replace(true, balance=true.balance + 1) for account, true in case.truth.items()
    }
    found = failing([replace(case, truth=truth)], agents)
    assert "reference: every balance that can be determined" in found


FLAGGED = sorted(name for name, change in CHANGES.items() if change.flag)


@pytest.mark.parametrize("name", FLAGGED)
def test_a_change_that_is_listed_but_not_made_is_caught(name, agents, monkeypatch):
    """The reference sees what the files hold, not what the case claims."""
    made, plan = one_change(name)
    honest = _case(made, plan, "seed", "v1-x-000001", "v1-x-000001", None)
    assert "reference: every flag" not in failing([honest], agents)
    monkeypatch.setitem(
        CHANGES, name, replace(CHANGES[name], facts=None, display=None, bites=False)
    )
    made, plan = one_change(name)
    pretended = _case(made, plan, "seed", "v1-x-000001", "v1-x-000001", None)
    assert pretended.expected_flags == honest.expected_flags
    assert "reference: every flag" in failing([pretended], agents)


def one_change(name):
    template_id, account_id = next(
        (one.id, f"A{position}")
        for one in TEMPLATES.values()
        for position, account in enumerate(one.accounts, 1)
        if CHANGES[name].fits(account)
    )
    planned = (Planned(name, account_id),)
    for attempt in range(50):
        try:
            made = make(template_id, planned, lambda c, a=attempt: Draw("gates", name, a, c))
        except NoRoomError:
            continue
        return made, CasePlan("single", template_id, planned, injected=False)
    raise AssertionError(name)


@pytest.mark.long
def test_a_thousand_cases_of_another_seed_pass(agents):
    suite = generate("thousand", "another seed", 1_000)
    assert failing(suite.cases, agents) == set()
    assert Counter(case.injection is None for case in suite.cases) == {True: 750, False: 250}
