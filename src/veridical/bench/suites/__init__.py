"""Suites: which cases there are, made from a seed, and never stored."""

from veridical.bench.suites.generating import GENERATOR_VERSION, Suite, generate
from veridical.bench.suites.named import SUITES, named_suite

__all__ = ["GENERATOR_VERSION", "SUITES", "Suite", "generate", "named_suite"]
