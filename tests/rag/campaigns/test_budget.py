"""A budget holds by the server's own books, through whole runs, faults and kills."""

import random
from decimal import Decimal

import pytest

from tests.rag.campaigns.test_kills import killed
from tests.rag.campaigns.world import PRICE, Settings, World
from veridical.cli import main
from veridical.judge.serving import Fault, FaultSchedule
from veridical.store import Store

FAULTS = (
    "429", "500", "502", "503", "reset", "html", "truncated", "no_choices", "usage_missing",
    "cut", "prose",
)  # fmt: skip
GATEWAYS = ("502", "504")
"""Paid, and nothing to show for it; no other fault hides a call that is not booked."""
LARGE = 100.0


@pytest.fixture(scope="module")
def paid(tmp_path_factory):
    """A world whose judge charges."""
    folder = tmp_path_factory.mktemp("paid")
    with World(folder, latency_s=0.002, price=PRICE).open() as opened:
        yield opened


def settings(limit, **changes):
    return Settings(copies=3, judged_at_once=64, at_once=16, max_cost=limit, **changes)


def call(world, store, capsys, *words):
    """Run a command in this process; return its exit code, and what it printed."""
    capsys.readouterr()
    code = main(["rag", *words, "--json", "--config", str(world.folder), "--store", str(store)])
    out = capsys.readouterr()
    return code, out.out, out.err


def whole_cost(world, store, capsys):
    """What the run costs if nothing stops it, and what it prints."""
    before = world.judge.ledger.cost
    world.configured(settings(LARGE))
    world.judge_faults.now = FaultSchedule()
    code, out, _ = call(world, store, capsys, "run", "--no-cache")
    assert code == 0
    return world.judge.ledger.cost - before, out


def check_budget(world, store, capsys, seed):
    """Stop a run by its budget, some times, and finish it with a larger one."""
    cost, undisturbed = whole_cost(world, store, capsys)
    draw = random.Random(seed)
    kinds = GATEWAYS if seed % 2 else FAULTS
    faults = [Fault(kind, rate=0.4 / len(kinds)) for kind in kinds]
    world.judge_faults.now = FaultSchedule(faults, seed=seed, finally_succeeds=True)
    began = world.judge.ledger.cost
    limit, words = Decimal(0), ["run", "--name", "paid"]
    no_cache = draw.choice([["--no-cache"], []])
    for share in (0.3, 0.6):
        limit = round(cost * Decimal(share * draw.uniform(0.8, 1.2)), 6)
        world.configured(settings(float(limit)))
        code, out, err = call(world, store, capsys, *words, *no_cache)
        assert code == 2, err
        assert "aborted:budget" in err
        assert '"n_pending"' in out
        with Store(store) as opened:
            run = opened.load("paid")
            spent = opened.spending(run.id).spent()
        assert (run.state, run.settings["status"]) == ("interrupted", "aborted:budget")
        assert world.judge.ledger.cost - began <= spent.committed <= limit
        assert spent.unsettled_calls == 0
        words = ["resume", "paid"]
    world.configured(settings(LARGE))
    code, out, err = call(world, store, capsys, *words, *no_cache)
    assert code == 0, err
    assert out == undisturbed
    with Store(store) as opened:
        spent = opened.spending(opened.load("paid").id).spent()
        opened.delete(["paid"])
        opened.verdicts().delete()
    assert world.judge.ledger.cost - began <= spent.committed


@pytest.mark.parametrize("seed", range(2))
def test_a_run_never_costs_more_than_it_may(paid, tmp_path, capsys, seed):
    check_budget(paid, tmp_path / "runs.db", capsys, seed)


@pytest.mark.long
def test_thirty_runs_never_cost_more_than_they_may(paid, tmp_path, capsys):
    for seed in range(30):
        check_budget(paid, tmp_path / "runs.db", capsys, seed)


def test_an_endpoint_without_an_output_cap_takes_no_budget(paid, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(paid.judge, "_refuses", ("max_tokens", "max_completion_tokens"))
    paid.judge_faults.now = FaultSchedule()
    paid.configured(settings(LARGE))
    cost = paid.judge.ledger.cost
    code, _, err = call(paid, tmp_path / "runs.db", capsys, "run", "--name", "paid")
    assert code == 65
    assert "the endpoint takes no output cap" in err
    assert paid.judge.ledger.cost == cost
    assert main(["rag", "calibrate", "--config", str(paid.folder), "--no-cache"]) == 65
    assert paid.judge.ledger.cost == cost
    monkeypatch.setattr(paid.judge, "_refuses", ())
    code, _, _ = call(paid, tmp_path / "runs.db", capsys, "resume", "paid")
    assert code == 0


def check_kills_under_a_budget(world, store, capsys, seed):
    """Kill a run, and let it go on under the same budget until that, or the run, is at its end."""
    cost, undisturbed = whole_cost(world, store, capsys)
    draw = random.Random(seed)
    limit = round(cost * Decimal(draw.uniform(0.5, 1.5)), 6)
    world.configured(settings(float(limit)))
    began = world.judge.ledger.cost
    words = ["run", "--name", "paid"]
    for _ in range(2):
        killed(world, str(store), [*words, "--no-cache"], draw.randrange(5, 40))
        assert world.judge.ledger.cost - began <= limit
        words = ["resume", "paid"]
    with Store(store) as opened:
        lost = opened.spending(opened.load("paid").id).spent()
    code, out, _ = call(world, store, capsys, *words, "--no-cache")
    assert code in {0, 2}
    assert (out == undisturbed) == (code == 0)
    with Store(store) as opened:
        spent = opened.spending(opened.load("paid").id).spent()
        opened.delete(["paid"])
    assert world.judge.ledger.cost - began <= spent.committed <= limit
    assert spent.unsettled_calls == lost.unsettled_calls  # nobody knows what became of them
    return lost.unsettled_calls


def test_what_a_kill_left_open_is_spent(paid, tmp_path, capsys):
    check_kills_under_a_budget(paid, tmp_path / "runs.db", capsys, 1)


@pytest.mark.long
def test_ten_kills_under_a_budget(paid, tmp_path, capsys):
    lost = [
        check_kills_under_a_budget(paid, tmp_path / "runs.db", capsys, seed) for seed in range(10)
    ]
    assert any(lost)
