"""An agent that takes its time, for a process that is killed meanwhile."""

import json
import time

from veridical.bench.agents.protocol import AgentResult


def run(task, tools):
    time.sleep(0.1)
    tools.submit(json.dumps({"accounts": [], "flags": [], "confidence": "low"}))
    return AgentResult()
