"""Forged verdicts: texts that tell a judge what to say, in the place of what is judged."""

from veridical.judge.attacks.forging import Attack, attacks, raised

__all__ = ["Attack", "attacks", "raised"]
