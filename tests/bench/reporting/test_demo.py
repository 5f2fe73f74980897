"""What `make demo-bench` says one sees is what is to be seen."""

from __future__ import annotations

import re

from veridical.bench.agents import shipped_agents
from veridical.bench.cases import Limits
from veridical.bench.reporting.loading import report_of
from veridical.bench.running.one_case import Conditions, run_case


def test_the_demo_says_what_one_sees(root, dev):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    words = re.search(r"^define DEMO_BENCH_WORDS\n(.*?)^endef", makefile, re.DOTALL | re.MULTILINE)
    assert words
    said = " ".join(words[1].split())
    agents, conditions = shipped_agents(), Conditions("demo", "dev", Limits())
    names = re.search(r"for agent in ([a-z_ ]+); do \\\n\t +shown veridical bench run", makefile)
    assert names
    assert len(names[1].split()) == 4
    lines = [
        run_case(agents[name], case, conditions)
        for name in names[1].split()
        if name != "gullible"  # nothing is said about it
        for case in dev.cases
    ]
    found = {one.key.agent: one.rates for one in report_of(lines, dev).agents}

    def value(agent: str, rate: str) -> float:
        result = found[agent][f"bench.{rate}"]
        assert result.value is not None
        return result.value

    assert (
        "the reference agent, which applies every rule, is right wherever the files allow" in said
    )
    assert value("reference", "exact_match_determinable") == 1.0
    assert "(naive) is wrong on a third of the cases and says so on none" in said
    assert 0.3 < value("naive", "silent_failure_rate") < 0.4
    assert value("naive", "silent_failure_rate") + value("naive", "exact_match") == 1.0
    assert "Who copies the printed closing balance does better than that and still never" in said
    assert value("closing_copier", "exact_match") > value("naive", "exact_match")
    assert found["closing_copier"]["bench.flag_precision"].value is None
    assert "flags everything recalls all problems and cries wolf in every clean case" in said
    assert value("flag_all", "escalation_recall") == value("flag_all", "false_alarm_rate") == 1.0
