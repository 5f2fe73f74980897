"""What an agent is told: prompt, policy and tools, each written once and hashed."""

from veridical.bench.prompting.prompt import (
    hashes,
    policy_text,
    prompt_for,
    prompt_template,
    task_view,
    tool_schemas,
)

__all__ = [
    "hashes",
    "policy_text",
    "prompt_for",
    "prompt_template",
    "task_view",
    "tool_schemas",
]
