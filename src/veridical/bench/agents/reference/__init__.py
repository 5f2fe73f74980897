"""The reference agent: the policy, rule by rule, on what the files show and nothing else."""

from veridical.bench.agents.reference.agent import ReferenceAgent, answer

__all__ = ["ReferenceAgent", "answer"]
