"""Policies: targets for metrics as data, and the verdict that a policy passes on an evaluation."""

from veridical.policy.files import load_policy, shipped_policies
from veridical.policy.judge import judge
from veridical.policy.schema import BandOfValues, Bands, Policy, Prices, Rule
from veridical.policy.verdict import BandFound, PolicyRow, PolicyVerdict

__all__ = [
    "BandFound",
    "BandOfValues",
    "Bands",
    "Policy",
    "PolicyRow",
    "PolicyVerdict",
    "Prices",
    "Rule",
    "judge",
    "load_policy",
    "shipped_policies",
]
