"""Gates: whether a run passes a policy, and says so in the forms that CI reads."""

from veridical.gates.judging import gate
from veridical.gates.verdict import GateRule, GateVerdict

__all__ = ["GateRule", "GateVerdict", "gate"]
